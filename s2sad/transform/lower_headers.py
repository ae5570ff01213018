"""Move the condition of a loop that changes memory which the reverse sweep needs into the body: what a header computes is not
reversed.

Before::                                 After::

    while:                                   while True:
      header:                                  t = pop(values)
        t = pop(values)                        more = lt(t, x)
        more = lt(t, x)                        branch more:
        yield more                               …
      body:                                      yield
        …                                      else:
        yield                                    break

That is active memory, and arrays, whose elements the reverse sweep puts back. Any other condition stays where it is: it need
not be reversed, and the loop reads as it was written.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value, While, Yield
>>> from s2sad.ir.types import BOOL, FLOAT, ListType
>>> from s2sad.ir.operations import call_method
>>> values, more = Value("values", ListType(FLOAT, 1)), Value("more", BOOL)
>>> header = Block((Call(more, Constant(call_method), (values, Constant("pop"))),), Yield((more,)))
>>> loop = While(header, (), Block((), Yield()))
>>> fn = Function("f", (Parameter(values),), Block((loop,), Return(values)))
>>> (lowered,) = lower_headers(fn, lambda region: region == 1).body.operations
>>> lowered.body.operations == header.operations, type(lowered.body.terminator).__name__
(True, 'Branch')
>>> lower_headers(fn, lambda region: False) is fn
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from s2sad.analysis.memory import references_in
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    Function,
    Operation,
    Value,
    While,
    Yield,
    operands_of,
    walk,
)
from s2sad.ir.types import ArrayType
from s2sad.transform.reverse.unchanged import regions_written
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def lower_headers(fn: Function, is_active: Callable[[int], bool]) -> Function:
    """Lower the conditions that change regions which `is_active` names."""
    return with_body(fn, _Lowering(is_active).block(fn.body))


@dataclass(frozen=True, slots=True)
class _Lowering:
    is_active: Callable[[int], bool]

    def block(self, block: Block) -> Block:
        operations = [self.operation(operation) for operation in block.operations]
        return with_operations(block, operations, map_blocks(block.terminator, self.block))

    def operation(self, operation: Operation) -> Operation:
        operation = map_blocks(operation, self.block)
        return _lowered(operation) if isinstance(operation, While) and self.changes_memory(operation.header) else operation

    def changes_memory(self, header: Block) -> bool:
        """Whether a condition changes active memory or an array."""
        return any(isinstance(node, Call) and self.is_to_be_reversed(node) for node in walk(header))

    def is_to_be_reversed(self, call: Call) -> bool:
        operands = [operand for operand in (*operands_of(call), call.result) if isinstance(operand, Value)]
        kinds = {region: kind for operand in operands for region, kind in references_in(operand.type).items()}
        return any(self.is_active(region) or isinstance(kinds.get(region), ArrayType) for region in regions_written(call))


def _lowered(loop: While) -> While:
    """``while True: header; if condition: body, else: break``."""
    end = loop.header.terminator
    assert isinstance(end, Yield)
    (condition,) = end.values
    done = Block((), Break(tuple(item.parameter for item in loop.carried), loop.span))
    body = Block(loop.header.operations, Branch(condition, loop.body, done, loop.span))
    return While(Block((), Yield((Constant(True),))), loop.carried, body, loop.span)
