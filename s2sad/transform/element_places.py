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
from typing import Final

from s2sad.ir.nodes import Call, Constant, Operand, Value, function_of
from s2sad.ir.types import INT, ArrayType, DictType, ListType, ObjectType
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


def are_apart(first: object, second: object) -> bool:
    """Whether two keys of :class:`s2sad.transform.accumulations.Keys` are of parts of one array that have no element in common.
    Where the one slice ends, the other begins: that holds for every bound, below zero or too large as well.

    >>> from s2sad.ir.types import INT
    >>> n, none = Value("n", INT), operand_key(Constant(None))
    >>> head, tail = ((operand_key(Constant(slice)), (*bounds, none)) for bounds in ((none, n), (n, none)))
    >>> are_apart(head, tail), are_apart(head, head), are_apart((int, 0), (int, 1)), are_apart((int, 0), (int, -1))
    (True, False, True, False)
    """
    if are_different_keys(first, second):
        return isinstance(first, tuple) and first[0] is int
    one_part, other_part = _bounds_of(first), _bounds_of(second)
    if one_part is None or other_part is None:
        return False
    (start, stop), (begin, end) = one_part, other_part
    return any(one == other and _is_bound(one) for one, other in ((stop, begin), (end, start)))


def _bounds_of(key: object) -> tuple[object, object] | None:
    """The bounds of a slice that leaves nothing out between them."""
    match key:
        case (function, (start, stop, step)) if function == _SLICE and step in _EVERY:
            return start, stop
    return None


def _is_bound(key: object) -> bool:
    if isinstance(key, Value):
        return key.type == INT
    return isinstance(key, tuple) and key[0] is int


_SLICE: Final = operand_key(Constant(slice))
_EVERY: Final = (operand_key(Constant(None)), operand_key(Constant(1)))
