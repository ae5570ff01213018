"""Finds which values are live where another is defined: these two cannot share a variable.

Sets of values are integers here, with one bit for each value that matters: long functions have thousands of values, of which
many are live at the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from s2sad.ir import operations
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Return,
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
from s2sad.ir.types import ScalarType
from s2sad.transform.purity import is_one_of


class Web(Protocol):
    """What is known of the values of a function, and what is found out: `conflicts`, what is live where a value is defined."""

    #: how often a value is read
    uses: Counter[Value]
    #: the loop parameters that are set when a trip starts
    heads: set[Value]
    #: the bit of each value that could come to share a variable with another
    bits: dict[Value, int]
    conflicts: dict[Value, int]


@dataclass(frozen=True, slots=True)
class _Exits:
    """What `Yield` and `Break` assign, and what is live after that; `always` is live wherever an exception may leave."""

    on_yield: tuple[Value | None, ...] = ()
    yield_live: int = 0
    on_break: tuple[Value, ...] = ()
    break_live: int = 0
    always: int = 0


@dataclass(frozen=True, slots=True)
class Liveness:
    """Walks the program backwards and notes which values are live where another is defined."""

    web: Web

    def run(self, function: Function) -> None:
        live = self.block(function.body, _Exits())
        entering = [*function.captured, *(parameter.value for parameter in function.parameters)]
        for value in entering:
            self.define(value, live | self.bits_of(entering))

    def bits_of(self, operands: Iterable[Operand]) -> int:
        """The set of the values among some operands."""
        found = 0
        for operand in operands:
            if isinstance(operand, Value):
                found |= self.web.bits.get(operand, 0)
        return found

    def define(self, value: Value, live: int, source: Operand | None = None) -> None:
        if value in self.web.bits:
            apart = (value,) if source is None else (value, source)
            self.web.conflicts[value] = self.web.conflicts.get(value, 0) | (live & ~self.bits_of(apart))

    def block(self, block: Block, exits: _Exits) -> int:
        live = self.terminator(block.terminator, exits)
        last = next((operation for operation in reversed(block.operations) if _may_leave(operation)), None)
        # nothing leaves after the last step that may: what handlers read gives way to what that step binds
        if not (isinstance(last, Call) and not last.result.temporary):
            live |= exits.always
        for operation in reversed(block.operations):
            live = self.operation(operation, live, exits)
            if operation is last:
                live |= exits.always
        return live | exits.always

    def terminator(self, node: Terminator, exits: _Exits) -> int:
        match node:
            case Yield(values):
                return self.copies(exits.on_yield, values, exits.yield_live)
            case Break(values):
                return self.copies(exits.on_break, values, exits.break_live)
            case Branch(condition, then, orelse):
                return self.block(then, exits) | self.block(orelse, exits) | self.bits_of((condition,))
            case _:
                return self.bits_of(operands_of(node))

    def copies(self, targets: Iterable[Value | None], values: Iterable[Operand], live: int) -> int:
        pairs = [
            (target, value)
            for target, value in zip(targets, values, strict=False)
            if target is not None and (self.web.uses[target] or target in self.web.heads)
        ]
        written = self.bits_of(target for target, _ in pairs)
        for target, source in pairs:
            self.define(target, live | written, source)
        return (live & ~written) | self.bits_of(source for _, source in pairs)

    def operation(self, node: Operation, live: int, exits: _Exits) -> int:
        if isinstance(node, (Call, MakeFunction)):
            return self.step(node, live)
        results = results_of(node)
        after = (live & ~self.bits_of(results)) | exits.always
        used = [result for result in results if self.web.uses[result]]
        for result in used:
            self.define(result, after | self.bits_of(used))
        match node:
            case If(condition, then, orelse):
                inner = self.region(results, after, exits)
                return self.block(then, inner) | self.block(orelse, inner) | self.bits_of((condition,))
            case For(target, iterable, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                self.define(target, body_live)  # what is live at the head may be read when there is no more trip
                source = self.bits_of((iterable,))
                return self.copies(_parameters(carried), [item.initial for item in carried], head | source) | source
            case While(header, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                tested = self.bits_of(operands_of(header.terminator))
                self.block(header, _Exits(yield_live=body_live | tested | head, always=exits.always))
                return self.copies(_parameters(carried), [item.initial for item in carried], head)
            case Try(body, handlers):
                inner = self.region(results, after, exits)
                caught = 0
                for handler in handlers:
                    handler_live = self.block(handler.body, inner)
                    if handler.name is not None:
                        self.define(handler.name, handler_live)
                        handler_live &= ~self.bits_of((handler.name,))
                    caught |= handler_live | self.bits_of(() if handler.exception is None else (handler.exception,))
                guarded = _Exits(inner.on_yield, inner.yield_live, inner.on_break, inner.break_live, inner.always | caught)
                return self.block(body, guarded) | caught
            case With(context, name, body):
                body_live = self.block(body, self.region(results, after, exits))
                if name is not None:
                    self.define(name, body_live)
                    body_live &= ~self.bits_of((name,))
                return body_live | self.bits_of((context,))

    def step(self, node: Call | MakeFunction, live: int) -> int:
        result = node.result
        live &= ~self.bits_of((result,))
        if self.web.uses[result]:
            self.define(result, live)
        if isinstance(node, Call) and not isinstance(result.type, ScalarType) and is_inplace(node.function):
            # printed as `result = left; result += right` when left lives on
            self.define(result, self.bits_of(node.arguments[1:]))
        return live | self.bits_of(operands_of(node))

    def region(self, results: tuple[Value, ...], after: int, exits: _Exits) -> _Exits:
        used = self.bits_of(result for result in results if self.web.uses[result])
        return _Exits(results, after | used, exits.on_break, exits.break_live, exits.always)

    def loop(self, node: For | While, carried: tuple[Carried, ...], after: int, exits: _Exits) -> int:
        """What is live whenever a trip may start: the parameters, and all that is read inside or after and defined before."""
        inside, read = self.bits_of(parameters_of(node)), 0
        for block in blocks_of(node):
            inside |= self.bits_of(_defined(block))
            for inner in walk(block):
                read |= self.bits_of(operands_of(inner))
        heads = self.bits_of(item.parameter for item in carried if item.parameter in self.web.heads)
        return after | (read & ~inside) | heads | exits.always

    def body_exits(self, carried: tuple[Carried, ...], head: int, live: int, exits: _Exits) -> _Exits:
        results = tuple(item.result for item in carried)
        used = self.bits_of(result for result in results if self.web.uses[result])
        heads = tuple(item.parameter if item.parameter in self.web.heads else None for item in carried)
        return _Exits(heads, head, results, live | used, exits.always)


def _may_leave(operation: Operation) -> bool:
    """Whether an operation may raise, as far as is known."""
    if not isinstance(operation, Call):
        return not isinstance(operation, MakeFunction)
    if is_append_of_sweep(operation):
        return False  # what is saved goes to a list of the sweep's own
    effects = effects_of(operation)
    return effects.raises or effects.acts


def _parameters(carried: tuple[Carried, ...]) -> list[Value]:
    return [item.parameter for item in carried]


def _defined(block: Block) -> Iterator[Value]:
    for node in walk(block):
        if not isinstance(node, (Yield, Break, Return, Raise, Branch)):
            yield from parameters_of(node)
            yield from results_of(node)


def is_inplace(function: Operand) -> bool:
    """Whether a call is an augmented assignment."""
    return isinstance(function, Constant) and is_one_of(function.value, operations.IN_PLACE)


def is_append_of_sweep(node: Call) -> bool:
    """Whether a call appends to a list of a sweep's own: something is saved."""
    match node:
        case Call(_, Constant(operations.call_method), (_, Constant("append"), _)):
            return not node.exact
        case _:
            return False
