"""The forward sweep: the primal, with what it saves for the reverse sweep."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from s2sad.analysis.memory import join_frozen
from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    If,
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
    walk,
)
from s2sad.ir.operations import call_method
from s2sad.ir.types import ANY, ScalarType, Type, strip_optional
from s2sad.transform.reverse.additions import ExtraCarried, ExtraResult
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.rewrite import leaves


class ForwardSweep:
    """Writes the forward sweep of one function."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions
        self.saved_or_handed_on = self.find_saved_or_handed_on()

    def block(self, block: Block) -> tuple[list[Operation], Terminator]:
        """A block of the primal with all additions. A `Branch` of the function's own tree becomes an `If`."""
        record = self.decisions.records.get(block)
        operations, terminator = self.without_record(block)
        if record is None:
            return operations, terminator
        pushed = record.push() if not isinstance(terminator, Raise) else []
        return [*record.new_lists, *operations, *pushed], terminator

    def without_record(self, block: Block) -> tuple[list[Operation], Terminator]:
        """The same but for what a recursive function pushes onto its stack at the end of the block."""
        additions = self.decisions.engine.additions
        operations: list[Operation] = list(additions.at_start.get(block, ()))
        saved = dict.fromkeys(self.decisions.plan.saved.get(block, ()))
        late: tuple[Value, ...] = ()
        if block in self.decisions.saving_at_end:
            late, saved = tuple(saved), {}
        for value in list(saved):
            if self.decisions.structure.definition[value] is None:
                operations.append(self.append(value))
        for operation in block.operations:
            operations.extend(additions.before.get(operation, ()))
            if operation in additions.instead:
                operations.extend(additions.instead[operation])
            else:
                operations.append(self.node(operation))
            operations.extend(additions.after.get(operation, ()))
            for value in saved:
                if self.decisions.structure.definition[value] is operation:
                    operations.append(self.append(value))
        operations.extend(map(self.append, late))
        terminator = block.terminator
        if isinstance(terminator, Branch):
            if self.decisions.structure.depth[block] == 0:
                return self.branch(terminator, operations)
            then, orelse = self.inner(terminator.then), self.inner(terminator.orelse)
            terminator = Branch(terminator.condition, then, orelse, terminator.span)
        return operations, terminator

    def inner(self, block: Block) -> Block:
        operations, terminator = self.block(block)
        return Block(tuple(operations), terminator)

    def append(self, value: Value) -> Call:
        """Save a value."""
        done = Value("", ANY, temporary=True)
        definition = self.decisions.structure.definition[value]
        span = getattr(definition, "span", None)
        return Call(done, Constant(call_method), (self.decisions.lists[value], Constant("append"), value), (), span, exact=False)

    def branch(self, node: Branch, operations: list[Operation]) -> tuple[list[Operation], Terminator]:
        """An early return: both ways go on to the reverse sweep."""
        containers = self.decisions.engine.containers
        extra = self.decisions.engine.additions.results.get(node, [])
        result = Value("result", type_of_result(node), temporary=True)
        returned = [leaf.value for arm in (node.then, node.orelse) for leaf in leaves(arm) if isinstance(leaf, Return)]
        has_shadow = any(isinstance(value, Value) and containers.needs_mirror(value.type) for value in returned)
        shadows = [Value("result_bar", ANY, temporary=True)] if has_shadow else []
        arms = []
        for block in (node.then, node.orelse):
            inner, end = self.block(block)
            if isinstance(end, Return):
                its_shadow = [containers.forward_shadow(end.value) for _ in shadows]
                inner_end: Terminator = Yield((end.value, *(item.operands[block] for item in extra), *its_shadow))
            else:
                inner_end = end
            arms.append(Block(tuple(inner), inner_end))
        for shadow in shadows:
            self.decisions.engine.shadows[result] = shadow
        if all(isinstance(arm.terminator, Raise) for arm in arms):
            operations.append(If(node.condition, arms[0], Block((), Yield(())), (), node.span))
            operations.extend(arms[1].operations)
            return operations, arms[1].terminator
        results = (result, *(item.result for item in extra), *shadows)
        operations.append(If(node.condition, arms[0], arms[1], results, node.span))
        return operations, Return(result)

    def node(self, node: Operation) -> Operation:
        additions = self.decisions.engine.additions
        match node:
            case If(condition, then, orelse, results, span):
                extra = additions.results.get(node, [])
                kept = [index for index, result in enumerate(results) if result in self.saved_or_handed_on]
                arms = [self.extended(block, extra, kept) for block in (then, orelse)]
                return If(condition, arms[0], arms[1], (*results, *(item.result for item in extra)), span)
            case For(target, iterable, carried, _, span):
                added = additions.carried.get(node, [])
                body = self.with_leaves(self.inner(node.body), node.body, added)
                return For(target, iterable, tuple(self.bound((*carried, *map(_carried, added)))), body, span)
            case While(_, carried, _, span):
                added = additions.carried.get(node, [])
                body = self.with_leaves(self.inner(node.body), node.body, added)
                return While(self.inner(node.header), tuple(self.bound((*carried, *map(_carried, added)))), body, span)
            case Try(body, handlers, results, span):
                extra = additions.results.get(node, [])
                caught = tuple(type(h)(h.exception, h.name, self.extended(h.body, extra)) for h in handlers)
                return Try(self.extended(body, extra), caught, (*results, *(item.result for item in extra)), span)
            case With(context, name, body, results, span):
                extra = additions.results.get(node, [])
                return With(context, name, self.extended(body, extra), (*results, *(item.result for item in extra)), span)
        return node

    def bound(self, carried: tuple[Carried, ...]) -> list[Carried]:
        """What a loop carries; a variable that the first trip finds unbound, and that is saved, is nan or None: its adjoint does
        not read it."""
        return [
            Carried(_filler(item.parameter), item.parameter, item.result)
            if item.initial is UNBOUND and item.parameter in self.saved_or_handed_on
            else item
            for item in carried
        ]

    def find_saved_or_handed_on(self) -> set[Value]:
        """What is saved, and what arms and loops hand on to it."""
        sources: dict[Value, list[Operand]] = {}
        for node in walk(self.decisions.engine.function.body):
            match node:
                case If(_, then, orelse, results):
                    for arm in (then, orelse):
                        if isinstance(arm.terminator, Yield):
                            for result, value in zip(results, arm.terminator.values, strict=True):
                                sources.setdefault(result, []).append(value)
                case For(carried=carried, body=body) | While(carried=carried, body=body):
                    for item in carried:
                        sources.setdefault(item.parameter, []).append(item.initial)
                    for leaf in leaves(body):
                        for item, value in zip(carried, leaf.values, strict=True) if isinstance(leaf, (Yield, Break)) else ():
                            sources.setdefault(item.parameter, []).append(value)
                            sources.setdefault(item.result, []).extend((value, item.parameter))
        additions = self.decisions.engine.additions
        for made in (extra for results in additions.results.values() for extra in results):
            sources.setdefault(made.result, []).extend(made.operands.values())
        for extra in (extra for carried in additions.carried.values() for extra in carried):
            sources.setdefault(extra.parameter, []).extend((extra.initial, extra.next, *extra.at_leaf.values()))
            sources.setdefault(extra.result, []).append(extra.parameter)
        pending: list[Operand] = [value for values in self.decisions.plan.saved.values() for value in values]
        if self.decisions.is_split:
            pending += self.decisions.plan.outside
        found: set[Value] = set()
        while pending:
            value = pending.pop()
            if isinstance(value, Value) and value not in found:
                found.add(value)
                pending.extend(sources.get(value, ()))
        return found

    def extended(self, block: Block, extra: Sequence[ExtraResult], kept: Sequence[int] = ()) -> Block:
        """An arm that hands on more; a variable that it leaves unbound, and that is kept for the reverse half, is None."""
        new = self.inner(block)
        if not isinstance(new.terminator, Yield):
            return new
        handed_on = [(value, index in kept) for index, value in enumerate(new.terminator.values)]
        handed_on += [(item.operands[block], item.result in self.saved_or_handed_on) for item in extra]
        values = [Constant(None) if value is UNBOUND and is_kept else value for value, is_kept in handed_on]
        return Block(new.operations, Yield(tuple(values)))

    def with_leaves(self, new: Block, old: Block, added: Sequence[ExtraCarried]) -> Block:
        """A loop body whose leaves carry more."""
        end, was = new.terminator, old.terminator
        match end, was:
            case Branch(), Branch():
                then, orelse = self.with_leaves(end.then, was.then, added), self.with_leaves(end.orelse, was.orelse, added)
                return Block(new.operations, Branch(end.condition, then, orelse, end.span))
            case Yield(values), _:
                return Block(new.operations, Yield((*values, *(item.at_leaf.get(was, item.next) for item in added))))
            case Break(values, span), _:
                return Block(new.operations, Break((*values, *(item.at_leaf.get(was, item.next) for item in added)), span))
        return new


def _carried(item: ExtraCarried) -> Carried:
    return Carried(item.initial, item.parameter, item.result)


def _filler(value: Value) -> Constant:
    """What stands for an unbound variable where it is saved."""
    kind = strip_optional(value.type)
    return Constant(math.nan if isinstance(kind, ScalarType) and kind.is_real else None)


def type_of_result(node: Branch) -> Type:
    """The type of what a tree of returns gives."""
    kinds = [
        leaf.value.type if isinstance(leaf.value, Value) else type_of_constant(leaf.value)
        for block in (node.then, node.orelse)
        for leaf in leaves(block)
        if isinstance(leaf, Return)
    ]
    return functools.reduce(join_frozen, kinds) if kinds else ANY
