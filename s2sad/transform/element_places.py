"""Places in memory: elements of lists, dicts and arrays, and attributes of shadows of objects.

>>> import operator
>>> from s2sad.ir.nodes import Constant
>>> from s2sad.ir.types import FLOAT, NONE
>>> state_bar, old = Value("state_bar", ObjectType(Shadow, 1)), Value("old", FLOAT)
>>> place_of(Call(old, Constant(getattr), (state_bar, Constant("x"))), stored=False)
(<state_bar: Shadow>, (<class 'str'>, 'x'))
>>> may_be_one(state_bar, Value("", ObjectType(Shadow, 2)))
False
"""

from __future__ import annotations

import operator

from s2sad.ir.nodes import Call, Constant, Operand, Value, function_of
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType
from s2sad.runtime import Shadow
from s2sad.transform.rewrite import operand_key

#: What holds the element or attribute, and its key in a form to compare.
Place = tuple[Value, object]


def is_shadow(operand: Operand) -> bool:
    """Whether an operand is the shadow of an object: its attributes are nothing but memory."""
    return isinstance(operand, Value) and isinstance(operand.type, ObjectType) and operand.type.cls is Shadow


def place_of(call: Call, *, stored: bool) -> Place | None:
    """The place that a call reads, or stores to."""
    function = function_of(call)
    if function is not (operator.setitem if stored else operator.getitem) and function is not (setattr if stored else getattr):
        return None
    if call.keywords or len(call.arguments) != (3 if stored else 2):
        return None
    owner, key = call.arguments[:2]
    if not isinstance(owner, Value):
        return None
    if function is setattr or function is getattr:
        return (owner, operand_key(key)) if is_shadow(owner) and isinstance(key, Constant) else None
    return (owner, operand_key(key)) if isinstance(owner.type, (ListType, DictType, ArrayType)) else None


def may_be_one(first: Value, second: Value) -> bool:
    """Whether two values may be one list, dict or shadow, as far as their types tell."""
    if first is second:
        return True
    regions = [value.type.region for value in (first, second) if isinstance(value.type, (ListType, DictType, ObjectType))]
    return len(regions) < 2 or 0 in regions or regions[0] == regions[1]


def are_different_keys(first: object, second: object) -> bool:
    """Whether two keys of places in one owner are apart: names, or constant indices that are counted from the same end."""
    if not isinstance(first, tuple) or not isinstance(second, tuple) or first[0] is not second[0] or first == second:
        return False
    return first[0] is str or (first[0] is int and not f"{first[1]}{second[1]}".count("-"))
