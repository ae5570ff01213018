"""Cells replaced by the functions that they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sad.analysis.unroll import Copy
from s2sad.ir.nodes import (
    Block,
    Call,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Terminator,
    Value,
    blocks_of,
    function_of,
    walk,
)
from s2sad.ir.operations import load_cell


class GivenFunction(Copy):
    """The same blocks with other operands, without some operations: nobody reads `cell`."""

    def __init__(self, values: dict[Value, Operand], gone: set[Value], cell: Value) -> None:
        super().__init__(values)
        self.gone = gone
        self.cell = cell
        #: Nested functions that are others now, and all of them as they are.
        self.definitions: dict[Function, Function] = {}
        self.functions: list[MakeFunction] = []

    @classmethod
    def of(cls, body: Block, cell: Value, value: Value) -> Block:
        """A body in which a value takes the place of the cell that holds it."""
        loads = [node for node in walk(body) if isinstance(node, Call) and is_of(load_cell, node, cell)]
        values: dict[Value, Operand] = {node.result: value for node in loads}
        return cls(values | {cell: value}, set(), cell).block(body)

    def new(self, value: Value) -> Value:
        return value

    def block(self, block: Block) -> Block:
        kept = tuple(node for node in block.operations if not self.is_gone(node))
        return super().block(Block(kept, block.terminator))

    def is_gone(self, node: Operation) -> bool:
        return isinstance(node, Call) and (node.result in self.gone or is_of(load_cell, node, self.cell))

    def operation(self, operation: Operation) -> Operation:
        if not isinstance(operation, MakeFunction):
            return super().operation(operation)
        for outer, inner in zip(operation.captured, operation.definition.captured, strict=True):
            if outer is self.cell:
                definition = operation.definition
                given = replace(definition, body=GivenFunction.of(definition.body, inner, inner))
                self.definitions[definition] = given
                operation = replace(operation, definition=given)
        self.functions.append(operation)
        return super().operation(operation)


def is_of(function: object, node: object, cell: Operand) -> bool:
    """Whether a node is a call of `load_cell` or `store_cell` on this cell."""
    return isinstance(node, Call) and function_of(node) is function and node.arguments[0] is cell


def all_nodes(node: Operation | Terminator) -> Iterator[Operation | Terminator]:
    """A node, and those in the blocks inside it."""
    yield node
    for inner in blocks_of(node):
        yield from walk(inner)
