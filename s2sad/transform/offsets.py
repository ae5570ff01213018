"""Integers as another integer plus a constant: ``i + 1``, ``n - 1 - 1``.

>>> n, m = Value("n", INT), Value("m", INT)
>>> split_offset(m, {m: Call(m, Constant(operator.sub), (n, Constant(1)))})
(<n: int>, -1)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Final

from s2sad.ir.nodes import Call, Constant, Operand, Value, function_of, is_one_of
from s2sad.ir.types import INT

_ADDITIONS: Final = (operator.add, operator.iadd)
_SUBTRACTIONS: Final = (operator.sub, operator.isub)


def split_offset(operand: Operand, definition: Mapping[Value, object]) -> tuple[Value | None, int]:
    """An integer as a value, or nothing, plus a constant."""
    offset = 0
    while isinstance(operand, Value):
        call = definition.get(operand)
        function = function_of(call) if isinstance(call, Call) and operand.type == INT else None
        if is_one_of(function, _ADDITIONS):
            sign = 1
        elif is_one_of(function, _SUBTRACTIONS):
            sign = -1
        else:
            return operand, offset
        assert isinstance(call, Call)
        first, second = call.arguments
        if sign == 1 and isinstance(first, Constant):
            first, second = second, first
        if not isinstance(second, Constant) or not isinstance(second.value, int) or not is_integer(first):
            return operand, offset
        operand, offset = first, offset + sign * second.value
    assert isinstance(operand.value, int)
    return None, offset + operand.value


def is_integer(operand: Operand) -> bool:
    """Whether an operand is an integer of Python."""
    return operand.value.__class__ is int if isinstance(operand, Constant) else operand.type == INT
