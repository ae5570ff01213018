"""Negate what becomes of an array rather than the array, where that costs less or nothing.

Before::                                        After::

    t ~= neg(S_bar)                                 c ~= matmul(S_bar, v)
    c ~= matmul(t, v)                               d ~= matmul(u, S_bar)
    d ~= matmul(u, t)                               c_bar -= c
    c_bar += c                                      d_bar -= d
    d_bar += d

So it is with the adjoint of everything that is subtracted from an array in place. A sign moves if all who read the negated array
can take it: they are linear in it, and what they give is smaller, or is only added or subtracted itself.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import ArrayType, Extent
>>> vector = ArrayType("float64", (Extent("n"),), 1, fixed=True)
>>> x, y, t, u, z = (Value(name, vector) for name in "xytuz")
>>> calls = (
...     Call(t, Constant(operator.neg), (x,), exact=False),
...     Call(u, Constant(operator.mul), (t, Constant(3.0)), exact=False),
...     Call(z, Constant(operator.add), (y, u), exact=False),
... )
>>> moved = move_signs(Function("f", (Parameter(x), Parameter(y)), Block(calls, Return(z)))).body.operations
>>> [call.function.value.__name__ for call in moved], moved[1].arguments[0]
(['neg', 'mul', 'neg', 'add'], <x: float64[n]>)

What is added negated is then subtracted, and the first negation is dead.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy

from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Terminator, Value
from s2sad.ir.types import ArrayType
from s2sad.transform.accumulations import written_in
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_array
from s2sad.transform.array_terms import shape_of, weight
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import find_readers, map_blocks, with_body, with_operations

Node = Operation | Terminator

#: Linear in each operand.
_PRODUCTS: Final = (operator.mul, operator.matmul, numpy.matmul, numpy.vdot, numpy.dot, numpy.outer)
#: Linear in the first operand.
_OF_FIRST: Final = (operator.truediv, numpy.sum)
_ADDING: Final = (operator.add, operator.iadd)
_SUBTRACTING: Final = (operator.sub, operator.isub)


def move_signs(fn: Function) -> Function:
    """See the module's docstring."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Moving(find_readers(fn), memory).visit(fn.body))


class _Moving:
    def __init__(self, readers: Mapping[Value, list[Node]], memory: ArrayMemory) -> None:
        self.readers = readers
        self.memory = memory

    def visit(self, block: Block) -> Block:
        moved: dict[Operation, Call] = {}
        for position, operation in enumerate(block.operations):
            if _is_negation(operation) and isinstance(operation, Call):
                moved.update(self.moved(operation, block.operations[position + 1 :], moved))
        operations: list[Operation] = []
        for operation in block.operations:
            if operation in moved and isinstance(operation, Call):
                operations.append(made := moved[operation])
                operations.append(Call(operation.result, Constant(operator.neg), (made.result,), (), operation.span, exact=False))
            else:
                operations.append(map_blocks(operation, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def moved(self, negation: Call, rest: Sequence[Operation], known: Mapping[Operation, Call]) -> dict[Operation, Call]:
        """What reads a negated array, with the array itself in its place; empty where the sign has to stay."""
        readers = self.readers.get(negation.result, ())
        found: dict[Operation, Call] = {}
        for reader in readers:
            if not isinstance(reader, Call) or reader in known or not self.takes_sign(reader, negation):
                return {}
            place = next(index for index, operand in enumerate(reader.arguments) if operand is negation.result)
            arguments = (*reader.arguments[:place], negation.arguments[0], *reader.arguments[place + 1 :])
            result = Value("", reader.result.type, temporary=True)
            found[reader] = replace(reader, result=result, arguments=arguments)
        return found if self.is_unchanged(negation, rest, [*found]) else {}

    def takes_sign(self, reader: Call, negation: Call) -> bool:
        """Whether the result of a call can be negated instead, at no more cost."""
        value, function = negation.result, function_of(reader)
        if reader.exact or sum(operand is value for operand in reader.arguments) != 1:
            return False
        if any(operand is value for _, operand in reader.keywords):
            return False
        is_linear = is_one_of(function, _PRODUCTS) or (is_one_of(function, _OF_FIRST) and reader.arguments[0] is value)
        if not is_linear:
            return False
        is_smaller = not is_array(reader.result) or weight(shape_of(reader.result)) < weight(shape_of(value))
        return is_smaller or all(_is_addition_of(node, reader.result) for node in self.readers.get(reader.result, ()))

    def is_unchanged(self, negation: Call, rest: Sequence[Operation], readers: Sequence[Operation]) -> bool:
        """Whether the array is what it was where the last of its readers stands, all in this block."""
        left, read = set(readers), self.memory.read_by(negation)
        for operation in rest:
            left.discard(operation)
            if not left:
                return True
            if written_in(operation, self.memory) & read:
                return False
        return not left


def _is_negation(operation: Operation) -> bool:
    """Whether adjoint code negates a whole array."""
    if not isinstance(operation, Call) or operation.exact or function_of(operation) is not operator.neg:
        return False
    kind, (operand,) = operation.result.type, operation.arguments
    if not isinstance(kind, ArrayType) or kind.shape is None or None in kind.shape or not isinstance(operand, Value):
        return False
    return isinstance(operand.type, ArrayType) and operand.type.shape == kind.shape


def _is_addition_of(node: Node, value: Value) -> bool:
    """Whether a value is added to something, or subtracted from it."""
    if not isinstance(node, Call) or node.exact or len(node.arguments) != 2 or node.arguments[0] is node.arguments[1]:
        return False
    function = function_of(node)
    if function is operator.add:
        return True
    return (is_one_of(function, _ADDING) or is_one_of(function, _SUBTRACTING)) and node.arguments[1] is value
