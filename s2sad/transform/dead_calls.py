"""Going through a program backwards, with the memory that may be read later: what changes other memory is dead.

Memory is told by the bits of an `int`. ::

    setitem(w, 0, 1.0)      # w is read below
    s = sum(w)
    setitem(w, 0, 2.0)      # dead: nobody reads w after this
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    For,
    If,
    Operand,
    Operation,
    Terminator,
    While,
    Yield,
    operands_of,
)
from s2sad.transform.rewrite import map_blocks, with_operations


class DeadCalls(ABC):
    """The calls that are found dead; a subclass says what each call reads and changes."""

    def __init__(self) -> None:
        self.dead: set[Operation] = set()
        #: For some loops, memory that is another in each trip.
        self.fresh: Mapping[Operation, int] = {}

    @abstractmethod
    def call(self, call: Call, live: int) -> int:
        """What is live before a call, given what is after it; a dead one is noted."""

    @abstractmethod
    def read(self, operands: tuple[Operand, ...]) -> int:
        """The memory that is looked at through operands."""

    def without(self, block: Block) -> Block:
        operations = [map_blocks(node, self.without) for node in block.operations if node not in self.dead]
        return with_operations(block, operations, map_blocks(block.terminator, self.without))

    def block(self, block: Block, on_yield: int, on_break: int) -> int:
        live = self.end(block.terminator, on_yield, on_break)
        for node in reversed(block.operations):
            live = self.operation(node, live, on_break)
        return live

    def end(self, end: Terminator, on_yield: int, on_break: int) -> int:
        match end:
            case Yield():
                return on_yield
            case Break():
                return on_break
            case Branch(_, then, orelse):
                return self.block(then, on_yield, on_break) | self.block(orelse, on_yield, on_break)
        return self.read(operands_of(end))

    def operation(self, node: Operation, live: int, on_break: int) -> int:
        match node:
            case Call():
                return self.call(node, live)
            case If(_, then, orelse):
                return self.block(then, live, on_break) | self.block(orelse, live, on_break)
            case For(_, iterable):
                return self.loop(node, live) | self.read((iterable,))
            case While():
                return self.loop(node, live)
        return live | self.read(operands_of(node))

    def loop(self, loop: For | While, live: int) -> int:
        """What is read in a trip may be read after each one, but for what is another thing in each trip."""
        dead = set(self.dead)
        fresh = self.fresh.get(loop, 0) & ~live
        around = live
        while True:
            self.dead = set(dead)
            before = self.block(loop.body, around, live)
            if isinstance(loop, While):
                before = self.block(loop.header, around | before, live)
            if before & ~fresh | around == around:
                return around | before
            around |= before & ~fresh
