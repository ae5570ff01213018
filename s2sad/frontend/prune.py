"""Removes results and carried values that nothing reads.

::

    i_1, s_2 = for i_3 in range(n) carried (i_4 = unbound, s_5 = 0): ... yield i_3, s_6
    return s_2

becomes::

    s_2 = for i_3 in range(n) carried (s_5 = 0): ... yield s_6
    return s_2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    For,
    Function,
    Handler,
    If,
    MakeFunction,
    Operand,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    operands_of,
)

T = TypeVar("T")


def prune_unused(function: Function) -> Function:
    """The function without results and carried values that are never read."""
    return replace(function, body=_Pruner(function.body).block(function.body, None))


class _Pruner:
    """First finds what is read, following each result to the operands that feed it; then rebuilds the blocks."""

    def __init__(self, body: Block) -> None:
        self.feeds: dict[Value, list[Operand]] = {}
        self.roots: list[Operand] = []
        self.collect(body, (), ())
        self.live: set[Value] = set()
        todo = list(self.roots)
        while todo:
            operand = todo.pop()
            if isinstance(operand, Value) and operand not in self.live:
                self.live.add(operand)
                todo.extend(self.feeds.get(operand, ()))

    def feed(self, targets: Sequence[Value], operands: Sequence[Operand]) -> None:
        for target, operand in zip(targets, operands, strict=True):
            self.feeds.setdefault(target, []).append(operand)

    def collect(self, block: Block, yields: Sequence[Sequence[Value]], breaks: Sequence[Value]) -> None:
        """`yields` are the lists of values that a `Yield` feeds, `breaks` those that a `Break` feeds."""
        for operation in block.operations:
            match operation:
                case If():
                    self.roots.append(operation.condition)
                    self.collect(operation.then, [operation.results], breaks)
                    self.collect(operation.orelse, [operation.results], breaks)
                case For() | While():
                    parameters = [item.parameter for item in operation.carried]
                    self.feed(parameters, [item.initial for item in operation.carried])
                    self.feed(operation.results, [item.initial for item in operation.carried])
                    # one list serves both: what a `Break` lists is read when the item is kept for its parameter alone
                    self.feed(parameters, operation.results)
                    if isinstance(operation, While):
                        self.collect(operation.header, (), ())
                        assert isinstance(operation.header.terminator, Yield)
                        self.roots.extend(operation.header.terminator.values)
                    else:
                        self.roots.append(operation.iterable)
                    self.collect(operation.body, [parameters, operation.results], operation.results)
                case Try():
                    self.roots.extend(operands_of(operation))
                    self.collect(operation.body, [operation.results], breaks)
                    for handler in operation.handlers:
                        self.collect(handler.body, [operation.results], breaks)
                case With():
                    self.roots.append(operation.context)
                    self.collect(operation.body, [operation.results], breaks)
                case Call() | MakeFunction():
                    self.roots.extend(operands_of(operation))
        match block.terminator:
            case Yield(values):
                for targets in yields:
                    self.feed(targets, values)
            case Break(values):
                self.feed(breaks, values)
            case Branch(condition, then, orelse):
                self.roots.append(condition)
                self.collect(then, yields, breaks)
                self.collect(orelse, yields, breaks)
            case terminator:
                self.roots.extend(operands_of(terminator))

    def block(self, block: Block, kept: Sequence[bool] | None) -> Block:
        """`kept` tells which values the terminators of this block go on listing (None: all)."""
        return Block(
            tuple(self.operation(operation, kept) for operation in block.operations), self.terminator(block.terminator, kept)
        )

    def terminator(self, terminator: Terminator, kept: Sequence[bool] | None) -> Terminator:
        match terminator:
            case Yield() | Break() if kept is not None:
                return replace(terminator, values=_keep(terminator.values, kept))
            case Branch():
                return replace(terminator, then=self.block(terminator.then, kept), orelse=self.block(terminator.orelse, kept))
        return terminator

    def operation(self, operation: Operation, outer: Sequence[bool] | None) -> Operation:
        match operation:
            case If():
                kept = [result in self.live for result in operation.results]
                return replace(
                    operation,
                    then=self.block(operation.then, kept),
                    orelse=self.block(operation.orelse, kept),
                    results=_keep(operation.results, kept),
                )
            case For() | While():
                kept = [item.result in self.live or item.parameter in self.live for item in operation.carried]
                carried = _keep(operation.carried, kept)
                body = self.block(operation.body, kept)
                if isinstance(operation, While):
                    return replace(operation, header=self.block(operation.header, None), carried=carried, body=body)
                return replace(operation, carried=carried, body=body)
            case Try():
                kept = [result in self.live for result in operation.results]
                handlers = tuple(Handler(item.exception, item.name, self.block(item.body, kept)) for item in operation.handlers)
                return replace(
                    operation, body=self.block(operation.body, kept), handlers=handlers, results=_keep(operation.results, kept)
                )
            case With():
                kept = [result in self.live for result in operation.results]
                return replace(operation, body=self.block(operation.body, kept), results=_keep(operation.results, kept))
        return operation


def _keep(items: Sequence[T], kept: Sequence[bool]) -> tuple[T, ...]:
    return tuple(item for item, keep in zip(items, kept, strict=True) if keep)
