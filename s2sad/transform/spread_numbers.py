"""Numbers instead of arrays that hold one number all over, where broadcasting does the same.

Before::

    ones ~= np.full_like(x, 1.0)
    t ~= np.where(c, ones, 0.0)

After::

    t ~= np.where(c, 1.0, 0.0)

>>> import numpy
>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import Extent
>>> import s2sad.analysis.array_selection, s2sad.analysis.array_creation  # declare what `np.where` and `np.full_like` do
>>> vector, mask = ArrayType("float64", (Extent("n"),), 1, fixed=True), ArrayType("bool", (Extent("n"),), 2, fixed=True)
>>> x, c, ones, t = Value("x", vector), Value("c", mask), Value("ones", vector), Value("t", vector)
>>> calls = (
...     Call(ones, Constant(numpy.full_like), (x, Constant(1.0)), exact=False),
...     Call(t, Constant(numpy.where), (c, ones, Constant(0.0)), exact=False),
... )
>>> f = spread_numbers(Function("f", (Parameter(x), Parameter(c)), Block(calls, Return(t))))
>>> f.body.operations[-1].arguments
(<c: bool[n]>, Constant(1.0), Constant(0.0))
"""

from __future__ import annotations

from dataclasses import replace

import numpy

from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import ArrayType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def spread_numbers(fn: Function) -> Function:
    """Compute with numbers instead of arrays that are the same all over."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Spreading(memory).visit(fn.body))


class _Spreading:
    def __init__(self, memory: ArrayMemory) -> None:
        self.memory = memory
        self.numbers: dict[Value, Operand] = {}

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call):
                operation = self.with_numbers(operation)
                number = _number_all_over(operation)
                if number is not None and self.memory.is_constant(operation.result):
                    self.numbers[operation.result] = number
                operations.append(operation)
            else:
                operations.append(map_blocks(operation, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def with_numbers(self, call: Call) -> Call:
        """The same call of fewer arrays, if the result is of the same type."""
        if call.exact or call.keywords or (symbol_of(call) is None and function_of(call) is not numpy.where):
            return call
        operands = tuple(map(self.as_number, call.arguments))
        if operands == call.arguments or is_one_of(function_of(call), IN_PLACE):
            return call
        kind = type_of_operation(function_of(call), operands)
        known, wanted = kind, call.result.type
        if not isinstance(known, ArrayType) or not isinstance(wanted, ArrayType) or known.shape is None or None in known.shape:
            return call
        return replace(call, arguments=operands) if (known.dtype, known.shape) == (wanted.dtype, wanted.shape) else call

    def as_number(self, operand: Operand) -> Operand:
        """The number that an array is all over; itself otherwise."""
        return self.numbers.get(operand, operand) if isinstance(operand, Value) else operand


def _number_all_over(call: Call) -> Operand | None:
    """The number that an array is made of."""
    function, arguments = function_of(call), call.arguments
    kind = call.result.type
    if not isinstance(kind, ArrayType) or kind.kind != "float" or call.keywords:
        return None
    if function is numpy.full_like and len(arguments) == 2 and is_number(arguments[1]):
        is_float = isinstance(arguments[1], Constant) and arguments[1].value.__class__ is float
        return arguments[1] if is_float else None
    if function in (numpy.ones_like, numpy.ones) and len(arguments) == 1:
        return Constant(1.0)
    return Constant(0.0) if function in (numpy.zeros_like, numpy.zeros) and len(arguments) == 1 else None
