"""Which memory of arrays is needed after a call: by whatever may run later, under any name.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import ArrayType, Extent
>>> import operator
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, y, z = Value("x", vector), Value("y", vector), Value("z", vector)
>>> calls = (Call(y, Constant(operator.add), (x, x)), Call(z, Constant(operator.mul), (y, x)))
>>> fn = Function("f", (Parameter(x),), Block(calls, Return(z)))
>>> memory = find_array_memory(fn)
>>> lifetimes = find_array_lifetimes(fn, memory)
>>> [bool(lifetimes.after(call) & memory.roots(x)) for call in calls]
[True, False]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
    walk,
)
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.rewrite import defined_in

__all__ = ["ArrayLifetimes", "find_array_lifetimes", "find_array_memory"]

Live = frozenset[Value]


@dataclass(slots=True)
class ArrayLifetimes:
    """The values with memory that are read after each call; the call's own result is left out."""

    memory: ArrayMemory
    live: dict[Call, Live] = field(default_factory=dict)

    def after(self, call: Call) -> int:
        """The roots of all memory that is needed after a call other than through its result."""
        found = 0
        for value in self.live.get(call, ()):
            found |= self.memory.roots(value)
        return self.memory.reach(found)


def find_array_lifetimes(fn: Function, memory: ArrayMemory) -> ArrayLifetimes:
    """Find out for each call what memory is needed later."""
    lifetimes = ArrayLifetimes(memory)
    if memory.has_arrays:
        _Walk(lifetimes).block(fn.body, frozenset(), frozenset(), frozenset())
    return lifetimes


class _Walk:
    """Goes through the program backwards. `on_yield` and `on_break` are live where a block is left, besides what is handed on;
    `always` wherever an exception may leave."""

    def __init__(self, lifetimes: ArrayLifetimes) -> None:
        self.lifetimes = lifetimes
        self.roots = lifetimes.memory.of

    def values(self, operands: tuple[Operand, ...]) -> Live:
        return frozenset(operand for operand in operands if isinstance(operand, Value) and operand in self.roots)

    def block(self, block: Block, on_yield: Live, on_break: Live, always: Live) -> Live:
        live = self.end(block.terminator, on_yield, on_break, always) | always
        for operation in reversed(block.operations):
            live = self.operation(operation, live, on_break, always)
        return live

    def end(self, end: Terminator, on_yield: Live, on_break: Live, always: Live) -> Live:
        match end:
            case Yield(values):
                return self.values(values) | on_yield
            case Break(values):
                return self.values(values) | on_break
            case Branch(condition, then, orelse):
                arms = self.block(then, on_yield, on_break, always) | self.block(orelse, on_yield, on_break, always)
                return arms | self.values((condition,))
            case _:
                return self.values(operands_of(end))

    def operation(self, node: Operation, live: Live, on_break: Live, always: Live) -> Live:
        after = live - frozenset(results_of(node))
        match node:
            case Call():
                self.lifetimes.live[node] = after
                return after | self.values(operands_of(node))
            case If(condition, then, orelse):
                arms = self.block(then, after, on_break, always) | self.block(orelse, after, on_break, always)
                return arms | self.values((condition,))
            case For() | While():
                # what comes from outside is needed in every trip
                around = after | self.read_from_outside(node)
                body = self.block(node.body, around, after, always)
                if isinstance(node, While):
                    body |= self.block(node.header, around | body, after, always)
                return (body | around | self.values(operands_of(node))) - frozenset(parameters_of(node))
            case Try(body, handlers):
                caught = after
                for handler in handlers:
                    caught |= self.block(handler.body, after, on_break, always)
                return self.block(body, after, on_break, always | caught) | caught
            case With(context, _, body):
                return self.block(body, after, on_break, always) | self.values((context,))
            case _:
                return after | self.values(operands_of(node))

    def read_from_outside(self, loop: For | While) -> Live:
        inside = set(parameters_of(loop))
        read: set[Value] = set()
        for block in blocks_of(loop):
            inside.update(defined_in(block))
            for node in walk(block):
                read |= self.values(operands_of(node))
        return frozenset(read - inside)
