"""What the forward sweep does besides the primal: counts trips, notes how a loop was left, saves values, makes shadows."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.ir.nodes import Block, Operand, Operation, Terminator, Value


@dataclass(eq=False)
class ExtraCarried:
    """One more carried value of a loop: `next` goes on to the next trip, and is replaced at some leaves of the body. A shadow
    says by `of` which parameter it follows."""

    initial: Operand
    parameter: Value
    result: Value
    next: Operand
    at_leaf: dict[Terminator, Operand] = field(default_factory=dict)
    of: Value | None = None


@dataclass(eq=False)
class ExtraResult:
    """One more result of an `If`, `Branch` or `Try`: the operand that each block hands on."""

    result: Value
    operands: dict[Block, Operand]


@dataclass(eq=False)
class Additions:
    """Changes to the primal, by the place where they are made."""

    at_start: dict[Block, list[Operation]] = field(default_factory=dict)
    before: dict[Operation, list[Operation]] = field(default_factory=dict)
    after: dict[Operation, list[Operation]] = field(default_factory=dict)
    instead: dict[Operation, list[Operation]] = field(default_factory=dict)
    carried: dict[Operation, list[ExtraCarried]] = field(default_factory=dict)
    results: dict[Operation | Terminator, list[ExtraResult]] = field(default_factory=dict)

    def place_before(self, operation: Operation, *added: Operation) -> None:
        """Operations that run right before one of the primal."""
        self.before.setdefault(operation, []).extend(added)

    def place_after(self, operation: Operation, *added: Operation) -> None:
        """Operations that run right after one of the primal."""
        self.after.setdefault(operation, []).extend(added)

    def place_at_start(self, block: Block, *added: Operation) -> None:
        """Operations that run when a block is entered."""
        self.at_start.setdefault(block, []).extend(added)
