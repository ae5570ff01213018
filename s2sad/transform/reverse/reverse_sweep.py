"""The reverse sweep: frames become operations, saved values are restored, other values are computed again."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Final

from s2sad.ir.nodes import (
    Block,
    Call,
    Carried,
    Constant,
    For,
    If,
    Operand,
    Operation,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    function_of,
    is_one_of,
    operands_inside,
    results_of,
)
from s2sad.ir.operations import call_method
from s2sad.ir.types import BOOL, INT
from s2sad.transform.reverse.backwards import Backwards, Mapping, driving_values, use
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.rewrite import copy_block, replace_operands, substitute_block, with_blocks

_READS: Final = frozenset({operator.getitem, len})


class ReverseSweep:
    """Writes the reverse sweep of one function. A mapping says how values of the primal are called where it writes."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions = decisions

    def frame(self, frame: Frame, mapping: Mapping, given: frozenset[Value] = frozenset()) -> tuple[list[Operation], Mapping]:
        """The operations of a frame; `given` are saved values that the loop itself brings."""
        mapping = dict(mapping)
        out: list[Operation] = []
        if (record := self.decisions.records.get(frame.block)) is not None:
            out += record.pop()
            mapping.update(record.restored)
        for value in self.decisions.plan.saved.get(frame.block, ()):
            if value not in given:
                out.append(self.pop(value, mapping))
        for value, origin in self.decisions.plan.names.get(frame.block, {}).items():
            mapping[value] = use(origin, mapping)
        pending = self.decisions.plan.delayed(frame.block)
        for operation in self.decisions.plan.recomputed.get(frame.block, ()):
            if operation not in pending:
                out.append(_copied(operation, mapping))
        out.extend(replace_operands(operation, mapping) for operation in self.decisions.late_of_frame.get(frame, ()))
        for item in frame.operations:
            for operation in self.due(item, pending):
                del pending[operation]
                out.append(_copied(operation, mapping))
            match item:
                case ReversedIf():
                    out.extend(self.conditional(item, mapping))
                case ReversedLoop():
                    out.append(self.loop(item, mapping, out))
                case _:
                    node = replace_operands(item, mapping)
                    out.append(_map_inner(node, mapping))
        return out, mapping

    def due(self, item: Operation | ReversedLoop | ReversedIf, pending: dict[Operation, None]) -> list[Operation]:
        """Those pending that an operation of the reverse sweep reads, in order."""
        if not pending:
            return []
        read = self.values_read(item)
        due: list[Operation] = []
        for operation in reversed(pending):
            if not read.isdisjoint(results_of(operation)):
                due.append(operation)
                read |= operands_inside(operation)
        return due[::-1]

    def values_read(self, item: Operation | ReversedLoop | ReversedIf) -> set[Value]:
        """All values that a part of the reverse sweep reads, of the primal and of its own."""
        match item:
            case ReversedLoop():
                decision = self.decisions.loops[item]
                found = {bar.initial for bar in item.carried} | {decision.trips}
                found.update(decision.range_call.arguments if decision.range_call is not None else ())
                found.update({item.loop.iterable} if isinstance(item.loop, For) else ())
                found.update(counter.carried.result for counter in decision.counters)
                return {operand for operand in found if isinstance(operand, Value)} | self.values_read_in(item.frame)
            case ReversedIf():
                found = {item.condition, *(operand for _, first, second in item.results for operand in (first, second))}
                read = {operand for operand in found if isinstance(operand, Value)} | self.values_read_in(item.then)
                return read if item.orelse is None else read | self.values_read_in(item.orelse)
        return operands_inside(item)

    def values_read_in(self, frame: Frame) -> set[Value]:
        """The same for a frame inside."""
        found = {bar.next for bar in frame.loop.carried} if frame.loop is not None else set()
        read = {operand for operand in found if isinstance(operand, Value)}
        for item in frame.operations:
            read |= self.values_read(item)
        for operation in self.decisions.plan.recomputed.get(frame.block, ()):
            read |= operands_inside(operation)
        for operation in self.decisions.late_of_frame.get(frame, ()):
            read |= operands_inside(operation)
        return read

    def pop(self, value: Value, mapping: Mapping) -> Call:
        """Restore a value."""
        restored = Value(value.name, value.type, value.temporary)
        saved = self.decisions.lists[value]
        source = mapping.get(saved, saved)
        mapping[value] = restored
        return Call(restored, Constant(call_method), (source, Constant("pop")), (), None, exact=False)

    def conditional(self, item: ReversedIf, mapping: Mapping) -> list[Operation]:
        then_operations, then_mapping = self.frame(item.then, mapping)
        if item.context is not None:
            context = Value("", item.context.result.type, temporary=True)
            values = tuple(use(first, then_mapping) for _, first, _ in item.results)
            results = tuple(result for result, _, _ in item.results)
            body = Block(tuple(then_operations), Yield(values))
            return [replace(item.context, result=context, exact=False), With(context, None, body, results, item.span)]
        if item.condition is None:
            return [*then_operations]
        assert item.orelse is not None
        else_operations, else_mapping = self.frame(item.orelse, mapping)
        then = Block(tuple(then_operations), Yield(tuple(use(first, then_mapping) for _, first, _ in item.results)))
        orelse = Block(tuple(else_operations), Yield(tuple(use(second, else_mapping) for _, _, second in item.results)))
        return [If(use(item.condition, mapping), then, orelse, tuple(result for result, _, _ in item.results), item.span)]

    def loop(self, item: ReversedLoop, mapping: Mapping, out: list[Operation]) -> Operation:
        decision = self.decisions.loops[item]
        inner = dict(mapping)
        prologue: list[Operation] = []
        epilogue: list[Operation] = []
        carried: list[tuple[Carried, Operand]] = []
        for counter in decision.counters:
            after = Value(counter.after.name, INT, counter.after.temporary)
            before = Value(counter.after.name, INT, counter.after.temporary)
            last = Value(counter.after.name, INT, counter.after.temporary)
            inner[counter.after], inner[counter.carried.parameter] = after, before
            step_back = operator.sub if counter.step > 0 else operator.add
            back = Call(before, Constant(step_back), (after, Constant(abs(counter.step))), (), None, exact=False)
            (prologue if counter.carried.parameter in self.decisions.plan.running else epilogue).append(back)
            carried.append((Carried(use(counter.carried.result, mapping), after, last), before))
        for one in self.decisions.plan.handed_on.get(item.loop, ()):
            after, last = (Value(one.value.name, one.parameter.type, one.value.temporary) for _ in range(2))
            inner[one.value] = after
            carried.append((Carried(use(one.result, mapping), after, last), one.parameter))
        for bar in item.carried:
            carried.append((Carried(use(bar.initial, mapping), bar.parameter, bar.result), bar.next))
        target, iterable = Backwards(self.decisions, item, mapping, inner, prologue, out).iterate()
        given = frozenset(driving_values(self.decisions, item))
        operations, inner = self.frame(item.frame, inner, given)
        values = tuple(use(operand, inner) for _, operand in carried)
        body = Block((*prologue, *operations, *epilogue), Yield(values))
        pairs = tuple(pair for pair, _ in carried)
        if decision.driver != "counter":
            return For(target, iterable, pairs, body, item.span)
        driver = decision.counter
        assert driver is not None
        position = [c.carried for c in decision.counters].index(driver.carried)
        condition = Value("", BOOL, temporary=True)
        compare = operator.gt if driver.step > 0 else operator.lt
        test = Call(condition, Constant(compare), (pairs[position].parameter, driver.carried.initial), (), None, exact=False)
        return While(Block((test,), Yield((condition,))), pairs, body, item.span)


def _map_inner(node: Operation, mapping: Mapping) -> Operation:
    """A node of adjoint code with the blocks inside it renamed too."""
    blocks = blocks_of(node)
    if not blocks:
        return node
    return with_blocks(node, [substitute_block(block, mapping) for block in blocks])


def _copied(operation: Operation, mapping: Mapping) -> Operation:
    """An operation of the primal, run again: its results get new names, noted in the mapping."""
    block = Block((operation,), Yield(()))
    used = {operand: mapping[operand] for operand in operands_inside(operation) if operand in mapping}
    copy = _not_raising(copy_block(block, used).operations[0])
    mapping.update(zip(results_of(operation), results_of(copy), strict=True))
    return copy


def _not_raising(operation: Operation) -> Operation:
    """An operation that is run again, where it has not raised before: its reads need no order."""
    if isinstance(operation, Call):
        return replace(operation, exact=False) if is_one_of(function_of(operation), _READS) else operation
    return with_blocks(operation, [_with_reads(block) for block in blocks_of(operation)])


def _with_reads(block: Block) -> Block:
    return Block(tuple(map(_not_raising, block.operations)), block.terminator)
