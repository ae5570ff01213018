"""Finds which values are live where another is defined: these two cannot share a variable."""

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
    #: the values that could come to share a variable with a value (none: not listed)
    relevant: dict[Value, set[Value]]
    conflicts: dict[Value, set[Value]]


@dataclass(frozen=True, slots=True)
class _Exits:
    """What `Yield` and `Break` assign, and what is live after that; `always` is live wherever an exception may leave."""

    on_yield: tuple[Value | None, ...] = ()
    yield_live: frozenset[Value] = frozenset()
    on_break: tuple[Value, ...] = ()
    break_live: frozenset[Value] = frozenset()
    always: frozenset[Value] = frozenset()


@dataclass(frozen=True, slots=True)
class Liveness:
    """Walks the program backwards and notes which values are live where another is defined."""

    web: Web

    def run(self, function: Function) -> None:
        live = self.block(function.body, _Exits())
        entering = [*function.captured, *(parameter.value for parameter in function.parameters)]
        for value in entering:
            self.define(value, live | set(entering))

    def define(self, value: Value, live: set[Value] | frozenset[Value], source: Operand | None = None) -> None:
        component = self.web.relevant.get(value)
        if component is not None:
            others = component & live
            others.discard(value)
            if isinstance(source, Value):
                others.discard(source)
            self.web.conflicts.setdefault(value, set()).update(others)

    def block(self, block: Block, exits: _Exits) -> set[Value]:
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

    def terminator(self, node: Terminator, exits: _Exits) -> set[Value]:
        match node:
            case Yield(values):
                return self.copies(exits.on_yield, values, exits.yield_live)
            case Break(values):
                return self.copies(exits.on_break, values, exits.break_live)
            case Branch(condition, then, orelse):
                return self.block(then, exits) | self.block(orelse, exits) | _values((condition,))
            case _:
                return _values(operands_of(node))

    def copies(self, targets: Iterable[Value | None], values: Iterable[Operand], live_after: Iterable[Value]) -> set[Value]:
        pairs = [(target, value) for target, value in zip(targets, values, strict=False) if target is not None]
        live = set(live_after)
        written = {target for target, _ in pairs if self.web.uses[target] or target in self.web.heads}
        for target, source in pairs:
            if target in written:
                self.define(target, live | written, source)
        return (live - written) | _values(source for target, source in pairs if target in written)

    def operation(self, node: Operation, live: set[Value], exits: _Exits) -> set[Value]:
        results = results_of(node)
        if isinstance(node, Call | MakeFunction):
            return self.step(node, live)
        after = frozenset(live - set(results)) | exits.always
        for result in results:
            if self.web.uses[result]:
                self.define(result, after | {other for other in results if self.web.uses[other]})
        match node:
            case If(condition, then, orelse):
                inner = self.region(results, after, exits)
                return self.block(then, inner) | self.block(orelse, inner) | _values((condition,))
            case For(target, iterable, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                self.define(target, (body_live | head) - {target})
                return self.copies(
                    _parameters(carried), [item.initial for item in carried], head | _values((iterable,))
                ) | _values((iterable,))
            case While(header, carried, body):
                head = self.loop(node, carried, after, exits)
                inner = self.body_exits(carried, head, live, exits)
                body_live = self.block(body, inner)
                tested = _values(operands_of(header.terminator))
                self.block(header, _Exits(yield_live=frozenset(body_live | tested) | head, always=exits.always))
                return self.copies(_parameters(carried), [item.initial for item in carried], head)
            case Try(body, handlers):
                inner = self.region(results, after, exits)
                caught: set[Value] = set()
                for handler in handlers:
                    handler_live = self.block(handler.body, inner)
                    if handler.name is not None:
                        self.define(handler.name, handler_live)
                        handler_live.discard(handler.name)
                    caught |= handler_live | _values(() if handler.exception is None else (handler.exception,))
                guarded = _Exits(
                    inner.on_yield, inner.yield_live, inner.on_break, inner.break_live, inner.always | frozenset(caught)
                )
                return self.block(body, guarded) | caught
            case With(context, name, body):
                body_live = self.block(body, self.region(results, after, exits))
                if name is not None:
                    self.define(name, body_live)
                    body_live.discard(name)
                return body_live | _values((context,))

    def step(self, node: Call | MakeFunction, live: set[Value]) -> set[Value]:
        result = node.result
        live.discard(result)
        if self.web.uses[result]:
            self.define(result, live)
        live |= _values(operands_of(node))
        if isinstance(node, Call) and is_inplace(node.function) and not isinstance(result.type, ScalarType):
            # printed as `result = left; result += right` when left lives on
            self.define(result, _values(node.arguments[1:]))
        return live

    def region(self, results: tuple[Value, ...], after: frozenset[Value], exits: _Exits) -> _Exits:
        used = frozenset(result for result in results if self.web.uses[result])
        return _Exits(results, after | used, exits.on_break, exits.break_live, exits.always)

    def loop(self, node: For | While, carried: tuple[Carried, ...], after: frozenset[Value], exits: _Exits) -> frozenset[Value]:
        """What is live whenever a trip may start: the parameters, and all that is read inside or after and defined before."""
        inside = set(parameters_of(node))
        read: set[Value] = set()
        for block in blocks_of(node):
            inside.update(_defined(block))
            for inner in walk(block):
                read |= _values(operands_of(inner))
        heads = {item.parameter for item in carried if item.parameter in self.web.heads}
        return after | frozenset(read - inside) | heads | exits.always

    def body_exits(self, carried: tuple[Carried, ...], head: frozenset[Value], live: set[Value], exits: _Exits) -> _Exits:
        results = tuple(item.result for item in carried)
        used = {result for result in results if self.web.uses[result]}
        return _Exits(
            tuple(item.parameter if item.parameter in self.web.heads else None for item in carried),
            head,
            results,
            frozenset(live) | used,
            exits.always,
        )


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


def _values(operands: Iterable[Operand]) -> set[Value]:
    return {operand for operand in operands if isinstance(operand, Value)}


def _defined(block: Block) -> Iterator[Value]:
    for node in walk(block):
        if not isinstance(node, Yield | Break | Return | Raise | Branch):
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
