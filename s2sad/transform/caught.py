"""Which calls may raise where somebody catches it.

`Effects.raises` says what may raise for operands of the right type, and takes numbers for what they mostly are: integers that
fit into a float, powers that are real. Inside ``try`` that is not enough: a handler may be there just for the integer that does
not fit, and an operation whose result nobody reads is what makes it run.

>>> from s2sad.ir.nodes import Value
>>> from s2sad.ir.types import FLOAT, INT
>>> n, x, y = Value("n", INT), Value("x", FLOAT), Value("y", FLOAT)
>>> may_be_caught(Call(Value("t", FLOAT), Constant(operator.mul), (n, x)))
True
>>> may_be_caught(Call(Value("t", FLOAT), Constant(operator.mul), (y, x)))
False
"""

from __future__ import annotations

import operator
from typing import Final

from s2sad.ir.effects import effects_of, type_of
from s2sad.ir.nodes import Call, Constant, Operand, Value, function_of
from s2sad.ir.operations import make_dict, make_set
from s2sad.ir.types import FLOAT, NoneType, OpaqueType, ScalarType, TupleType
from s2sad.transform.purity import is_one_of

_ARITHMETIC: Final = frozenset({operator.add, operator.sub, operator.mul, operator.iadd, operator.isub, operator.imul})
_QUOTIENTS: Final = frozenset({operator.truediv, operator.itruediv})
_COMPARISONS: Final = frozenset({operator.lt, operator.le, operator.gt, operator.ge})
_OF_INTEGERS: Final = frozenset(
    {operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor, operator.invert}
)
#: Integers up to this are floats, too.
_LARGEST: Final = 2**53


def may_be_caught(call: Call) -> bool:
    """Whether a call may raise anything at all."""
    if effects_of(call).raises:
        return True
    function, operands = function_of(call), call.arguments
    if is_one_of(function, _QUOTIENTS):
        return any(map(_may_be_large, operands))
    if is_one_of(function, _ARITHMETIC):
        return any(map(_may_be_large, operands)) and not all(map(_is_integer, operands))
    if is_one_of(function, _COMPARISONS):
        return any(map(_is_python_float, operands))
    if is_one_of(function, _OF_INTEGERS) or function is range:
        return not all(map(_is_integer, operands)) or (function is range and len(operands) == 3)
    if function is make_dict:
        return not all(map(_is_hashable, operands[::2]))
    if function is make_set:
        return not all(map(_is_hashable, operands))
    return function is isinstance and not _is_class(operands[1])


def _may_be_large(operand: Operand) -> bool:
    """Whether this may be an integer that no float is as large as."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, int) and abs(operand.value) > _LARGEST
    return isinstance(operand.type, ScalarType) and operand.type.kind == "int"


def _is_integer(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return isinstance(operand.value, int)
    return isinstance(operand.type, ScalarType) and operand.type.kind in ("int", "bool")


def _is_python_float(operand: Operand) -> bool:
    """Whether this is computed, and may be complex: a negative number to a power that is not an integer is."""
    return isinstance(operand, Value) and operand.type == FLOAT


def _is_class(operand: Operand) -> bool:
    """Whether `isinstance` takes this for certain."""
    wanted = operand.value if isinstance(operand, Constant) else None
    return all(isinstance(one, type) for one in (wanted if isinstance(wanted, tuple) else (wanted,)))


def _is_hashable(key: Operand) -> bool:
    kind = type_of(key)
    if isinstance(kind, TupleType):
        return all(isinstance(element, ScalarType) for element in kind.elements)
    return isinstance(kind, ScalarType | NoneType) or kind == OpaqueType(str) or isinstance(key, Constant)
