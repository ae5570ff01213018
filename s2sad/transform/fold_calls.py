"""What one call on constants, tuples and known types gives.

>>> from s2sad.ir.nodes import Call, Constant, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> fold_call(Call(Value("y"), Constant(operator.mul), (Constant(2), Constant(0.5))), {})
Constant(1.0)
>>> fold_call(Call(Value("y"), Constant(operator.is_), (Value("x", FLOAT), Constant(None))), {})
Constant(False)
>>> fold_call(Call(Value("y"), Constant(operator.truediv), (Constant(1), Constant(3))), {}) is None  # 0.3333333333333333
True
"""

from __future__ import annotations

import math
import operator
import sys
import types
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from s2sad.ir.nodes import UNBOUND, Call, Constant, Operand, Value
from s2sad.ir.operations import make_tuple, unpack
from s2sad.ir.types import (
    BOOL,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    number_classes,
)
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import is_same

_NUMERIC: Final = frozenset(
    {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.neg, operator.pos}
    | {operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.abs, abs}
    | {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, operator.truth}
    | {operator.and_, operator.or_, operator.xor, operator.invert, bool, int, float, operator.pow, operator.ipow, pow, min, max}
)
_POWERS: Final = (operator.pow, operator.ipow, pow)
_NUMBERS: Final = (bool, int, float)
_SYMBOLS: Final = {operator.neg: 1, operator.add: 3, operator.sub: 3, operator.mul: 3, operator.truediv: 3}
_LARGEST = 10**9
#: Types whose values are neither None nor unbound.
_BOUND: Final = (ScalarType, TupleType, ListType, DictType, ArrayType, ObjectType, FunctionType, IteratorType)
_STABLE_PACKAGES: Final = frozenset(sys.stdlib_module_names | {"numpy", "scipy"})


def fold_call(call: Call, calls: Mapping[Value, Call]) -> Operand | None:
    """The operand that a call gives, None if that is not known. `calls` tells what computed the operands."""
    function = function_of(call)
    if call.keywords or function is None or not call.arguments:
        return None
    if is_one_of(function, _NUMERIC):
        return _fold_numbers(function, call.arguments) or _fold_bool(function, call.arguments)
    if not call.exact and function in (operator.getitem, zip, len) and any(map(_is_unbound, call.arguments)):
        return UNBOUND  # adjoint code on a path that is never taken
    if function in (operator.is_, operator.is_not):
        return _fold_identity(function is operator.is_not, *call.arguments)
    if function is isinstance:
        return _fold_isinstance(*call.arguments)
    if function is getattr and len(call.arguments) == 2:
        return _fold_attribute(*call.arguments)
    return _fold_tuple(function, call.arguments, calls)


def _is_unbound(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value is UNBOUND.value


def _fold_numbers(function: Any, arguments: tuple[Operand, ...]) -> Constant | None:
    if not isinstance(arguments[-1], Constant):  # most calls
        return None
    values = [operand.value for operand in arguments if isinstance(operand, Constant)]
    if len(values) < len(arguments) or not all(value.__class__ in _NUMBERS for value in values):
        return None
    if function in _POWERS and not _is_small(values):
        return None
    if function in (min, max) and len(values) < 2:
        return None
    try:
        result = function(*values)
    except (ArithmeticError, ValueError, TypeError):
        return None
    if result.__class__ not in _NUMBERS or (isinstance(result, float) and not math.isfinite(result)):
        return None
    length = sum(len(repr(value)) for value in values) + _SYMBOLS.get(function, 3)
    return Constant(result) if len(repr(result)) <= max(length, 6) else None


def _is_small(values: list[Any]) -> bool:
    return all(abs(value) < _LARGEST for value in values) and abs(values[-1]) <= 64


def _fold_bool(function: object, arguments: tuple[Operand, ...]) -> Operand | None:
    """``bool(b)`` of a truth value is that value."""
    if function not in (bool, operator.truth) or len(arguments) != 1:
        return None
    (first,) = arguments
    return first if isinstance(first, Value) and first.type == BOOL else None


def _fold_identity(negated: bool, first: Operand, second: Operand) -> Constant | None:
    """``x is None`` where the type of x tells."""
    for operand, other in ((first, second), (second, first)):
        if isinstance(other, Constant) and (other.value is None or other.value is UNBOUND.value):
            if isinstance(operand, Constant):
                return Constant((operand.value is other.value) != negated)
            if isinstance(operand.type, _BOUND):
                return Constant(negated)
            if isinstance(operand.type, NoneType):
                return Constant((other.value is None) != negated)
            return None
    return None


def _fold_isinstance(operand: Operand, classes: Operand) -> Constant | None:
    if not isinstance(classes, Constant):
        return None
    wanted = classes.value if isinstance(classes.value, tuple) else (classes.value,)
    if isinstance(operand, Value) and np.ndarray in wanted:
        return None  # type inference decides that, which knows what counts as a number, and may be an array
    known = (operand.value.__class__,) if isinstance(operand, Constant) else _classes_of(operand.type, wanted)
    if not all(type(cls) is type for cls in wanted):  # abstract classes decide by themselves
        return None
    answers = {issubclass(cls, wanted) for cls in known}
    return Constant(answers.pop()) if len(answers) == 1 else None


def _classes_of(kind: Type, asked: tuple[object, ...]) -> tuple[type, ...]:
    match kind:
        case ScalarType():
            return number_classes(kind, asked)
        case TupleType(cls=cls):
            return (cls,)
        case ListType():
            return (list,)
        case DictType():
            return (dict,)
        case NoneType():
            return (type(None),)
        case OpaqueType(cls) if cls is str:
            return (str,)
        case _:
            return ()


def _fold_attribute(module: Operand, name: Operand) -> Constant | None:
    """A function or submodule of a module that does not change while programs run; ``math.pi`` reads better than its digits."""
    if not isinstance(module, Constant) or not isinstance(module.value, types.ModuleType) or not isinstance(name, Constant):
        return None
    if module.value.__name__.partition(".")[0] not in _STABLE_PACKAGES or not isinstance(name.value, str):
        return None
    found = vars(module.value).get(name.value)
    return Constant(found) if isinstance(found, types.ModuleType) or callable(found) else None


def _fold_literal_tuple(function: object, elements: tuple[object, ...], rest: tuple[Operand, ...]) -> Constant | None:
    """Elements and length of a tuple of literals."""
    index = rest[0].value if len(rest) == 1 and isinstance(rest[0], Constant) else None
    if function is len and not rest:
        return Constant(len(elements))
    if function is operator.getitem and index.__class__ is int and -len(elements) <= index < len(elements):
        return Constant(elements[index])
    return None


def _fold_tuple(function: object, arguments: tuple[Operand, ...], calls: Mapping[Value, Call]) -> Operand | None:
    """Elements and length of a tuple whose making is known; unpacking it gives itself."""
    if isinstance(arguments[0], Constant) and isinstance(arguments[0].value, tuple):
        return _fold_literal_tuple(function, arguments[0].value, arguments[1:])
    made = calls.get(arguments[0]) if isinstance(arguments[0], Value) else None
    if made is None or function_of(made) is not make_tuple:
        return None
    elements = made.arguments
    numbers = [operand.value for operand in arguments[1:] if isinstance(operand, Constant)]
    if function is len:
        return Constant(len(elements))
    if function is operator.getitem and numbers and isinstance(numbers[0], int) and -len(elements) <= numbers[0] < len(elements):
        return elements[numbers[0]]
    if function is unpack and len(numbers) == len(arguments) - 1:
        is_whole = len(numbers) == 1 or (len(numbers) == 2 and is_same(arguments[2], Constant(-1)))
        return made.result if is_whole and numbers[0] == len(elements) else None
    return None
