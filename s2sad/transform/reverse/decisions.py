"""What the two sweeps agree upon: how each loop runs backwards, which values are saved and where, and under which names
values outside loops are known to the reverse sweep."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Call,
    Constant,
    For,
    Operand,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.ir.types import INT, ListType
from s2sad.transform.reverse.additions import ExtraCarried, ExtraResult
from s2sad.transform.reverse.counters import Counter, find_counters, find_range, has_break, is_sequence
from s2sad.transform.reverse.engine import Engine
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.reverse.idle import drop_idle
from s2sad.transform.reverse.late_shadows import find_resized, zeros_for
from s2sad.transform.reverse.records import Record, blocks_with_records, innermost_around
from s2sad.transform.reverse.restoring import check_restored
from s2sad.transform.reverse.saving import Need, SavePlan, frames_of, plan_saving


@dataclass(eq=False)
class LoopPlan:
    """How a reversed loop runs. `driver`: "range" (the range from its end), "sequence" (the same for a list or string),
    "counter" (until a counter is back at its start), "saved" (over the values of saved lists), "trips" (as often as the
    forward loop did)."""

    driver: str
    range_call: Call | None = None
    counter: Counter | None = None
    trips: Value | None = None
    counters: list[Counter] = field(default_factory=list)


class Decisions:
    """The decisions for one function. `lists` are those that values are saved in, `exported` the names of values outside
    loops."""

    def __init__(self, engine: Engine, *, is_split: bool, is_recursive: bool = False) -> None:
        self.engine = engine
        self.structure = engine.structure
        self.is_split = is_split
        self.loops: dict[ReversedLoop, LoopPlan] = {}
        self.lists: dict[Value, Value] = {}
        self.exported: dict[Value, Value] = {}
        #: What a recursive function pushes onto its stack, by the block that does.
        self.records: dict[Block, Record] = {}
        #: What makes the late shadows of the values of a frame.
        self.late_of_frame: dict[Frame, list[Operation]] = {}
        self.plan = SavePlan()
        #: Blocks that save when they have come to their end.
        self.saving_at_end: set[Block] = set()
        self.prepare(is_recursive)

    def prepare(self, is_recursive: bool) -> None:
        """Choose how loops run backwards and what is saved, and add to the forward sweep what that takes."""
        engine = self.engine
        frames = {frame.block: frame for frame in frames_of(engine.root)}
        resized = find_resized(engine.function) if engine.late else frozenset()
        for value, shadow in engine.late.items():
            frame = frames[self.structure.home[value]]
            self.late_of_frame.setdefault(frame, []).extend(
                zeros_for(value, shadow, self.structure, resized, self.engine.captured)
            )
        for frame in frames.values():
            for operation in frame.operations:
                if isinstance(operation, ReversedLoop):
                    self.loops[operation] = self.plan_loop(operation)
        drop_idle([*frames.values()], engine.passed_over)
        needs = [need for frame in frames.values() for need in self.needs_of(frame)]
        check_restored(engine, frames.values())
        self.plan = plan_saving(engine, needs, is_split=self.is_split)
        self.save_after_try()
        for loop, decision in self.loops.items():
            decision.counters = [
                counter
                for counter in self.plan.counters.get(loop.loop, [])
                if counter.carried.parameter in self.plan.running
                or counter.after in self.plan.running
                or (decision.counter is not None and counter.carried is decision.counter.carried)
            ]
            self.settle(loop, decision)
            self.need_counters(decision)
        for values in self.plan.saved.values():
            for value in values:
                word = self.engine.phrases.word_at_least(value)
                self.lists[value] = Value(f"{word}_saved" if word else "", ListType(value.type, 0), temporary=False)
        if is_recursive:
            self.keep_in_records(needs)
            return
        for value in self.plan.outside:
            self.exported[value] = self.export(value, self.structure.root)

    def keep_in_records(self, needs: Sequence[Need]) -> None:
        """Decide which blocks of a recursive function push what."""
        given = {parameter.value for parameter in self.engine.function.parameters} | {*self.engine.given_shadows.values()}
        homes = {value: self.structure.home[value] for value in self.plan.outside if value not in given}
        for need in needs:  # what an arm hands on is read outside of it
            if need.value in homes and not self.structure.encloses(homes[need.value], need.block):
                homes[need.value] = innermost_around((homes[need.value], need.block), self.structure)
        lists = {self.lists[value]: self.structure.home[value] for values in self.plan.saved.values() for value in values}
        for call, halves in self.engine.halves.items():
            for stack in self.engine.stacks.get(halves, ()):
                places = (lists.get(stack, self.structure.home[call.result]), self.structure.home[call.result])
                lists[stack] = innermost_around(places, self.structure)
        for block, values in blocks_with_records({**homes, **lists}, self.structure).items():
            pushed = [value if value in lists else self.export(value, block) for value in values]
            names = [value.name or (self.name_of(value) if len(values) > 1 else "") for value in values]
            restored = {value: Value(name, value.type, value.temporary) for value, name in zip(values, names, strict=True)}
            made = tuple(value for value in values if value in lists)
            self.records[block] = Record(self.engine.own_stack, tuple(pushed), restored, made)

    def name_of(self, value: Value) -> str:
        """What the reverse half calls a value that has no name."""
        for saved, made in self.lists.items():
            if made is value:
                name = self.name_of(saved)
                return f"{name}_saved" if name else ""
        for shadowed, shadow in self.engine.shadows.items():
            if shadow is value:
                name = shadowed.name or self.name_of(shadowed)
                return f"{name}_bar" if name else ""
        word = value.name or self.engine.phrases.word_at_least(value)
        return word if word.isidentifier() else ""

    def plan_loop(self, reversed_loop: ReversedLoop) -> LoopPlan:
        loop = reversed_loop.loop
        call = find_range(loop, self.structure)
        leaves_early = has_break(loop)
        if call is not None and not leaves_early and not call.keywords and 1 <= len(call.arguments) <= 3:
            return LoopPlan("range", range_call=call)
        if call is not None and self.structure.depth[loop.body] == 1:
            return LoopPlan("saved", range_call=call)
        if call is not None:
            return LoopPlan("trips", range_call=call, trips=self.count_trips(loop))
        if isinstance(loop, For) and is_sequence(loop, self.engine.unchanged):
            return LoopPlan("sequence", trips=self.count_trips(loop) if leaves_early else None)
        if self.structure.depth[loop.body] == 1:
            return LoopPlan("saved")
        for counter in self.plan_counters(loop):
            return LoopPlan("counter", counter=counter)
        return LoopPlan("trips", trips=self.count_trips(loop))

    def plan_counters(self, loop: For | While) -> list[Counter]:
        """Counters that tell by themselves when the reversed loop ends."""
        return [c for c in find_counters(loop, self.structure) if isinstance(c.carried.initial, Constant)]

    def settle(self, reversed_loop: ReversedLoop, decision: LoopPlan) -> None:
        """A loop outside other loops may run over what it saved; where it saved nothing, over a counter."""
        if decision.driver != "saved":
            return
        loop = reversed_loop.loop
        if decision.range_call is not None:
            assert isinstance(loop, For)
            if loop.target in self.plan.used or not self.plan.saved.get(loop.body):
                decision.driver, decision.trips = "trips", self.count_trips(loop)
                self.plan.outside.append(decision.trips)
            return
        if self.plan.saved.get(loop.body):
            return
        counters = [c for c in self.plan_counters(loop) if any(c.carried is used.carried for used in decision.counters)]
        if counters:
            decision.driver, decision.counter = "counter", counters[0]
        elif found := self.plan_counters(loop):
            decision.driver, decision.counter = "counter", found[0]
        else:
            decision.driver, decision.trips = "trips", self.count_trips(loop)
            self.plan.outside.append(decision.trips)
            return
        assert decision.counter is not None
        if not any(c.carried is decision.counter.carried for c in decision.counters):
            decision.counters = [*decision.counters, decision.counter]

    def need_counters(self, decision: LoopPlan) -> None:
        """A counter runs backwards from the value that it had after the loop."""
        for counter in decision.counters:
            result = counter.carried.result
            if self.structure.depth[self.structure.home[result]] == 0 and result not in self.plan.used:
                self.plan.outside.append(result)

    def count_trips(self, loop: For | While) -> Value:
        """Let the forward loop count its trips (one that is left in the middle counts too)."""
        parameter = Value("trips", INT, temporary=True)
        counted, result = Value("trips", INT, temporary=True), Value("trips", INT, temporary=True)
        one = Call(counted, Constant(operator.add), (parameter, Constant(1)), (), None, exact=False)
        self.engine.additions.place_at_start(loop.body, one)
        extra = ExtraCarried(Constant(0), parameter, result, counted)
        self.engine.additions.carried.setdefault(loop, []).append(extra)
        parent = self.structure.owner[loop.body][1]
        self.structure.define(result, parent, loop)
        return result

    def needs_of(self, frame: Frame) -> list[Need]:
        """Primal values that a frame reads, and for the reverse of which node."""
        found: dict[tuple[Value, Operation | Terminator | None], None] = {}
        node: Operation | Terminator | None = frame.block.terminator

        def note(operand: Operand | None) -> None:
            if isinstance(operand, Value) and operand in self.structure.home:
                found.setdefault((operand, node))

        for operand in (operand for operation in self.late_of_frame.get(frame, ()) for operand in operands_of(operation)):
            note(operand)
        marks = deque(frame.marks)
        for position, operation in enumerate(frame.operations):
            while marks and marks[0][0] <= position:
                node = marks.popleft()[1]
            match operation:
                case ReversedLoop():
                    decision = self.loops[operation]
                    for bar in operation.carried:
                        note(bar.initial)
                    if decision.range_call is not None:
                        for operand in decision.range_call.arguments:
                            note(operand)
                    if decision.driver == "sequence" and isinstance(operation.loop, For):
                        note(operation.loop.iterable)
                    note(decision.trips)
                    if decision.counter is not None:
                        note(decision.counter.carried.result)
                case ReversedIf():
                    note(operation.condition)
                    for _, first, second in operation.results:
                        note(first)
                        note(second)
                case _:
                    for inner in (operation, *(n for block in blocks_of(operation) for n in walk(block))):
                        for operand in operands_of(inner):
                            note(operand)
        node = None
        for bar in frame.loop.carried if frame.loop is not None else ():
            note(bar.next)
        return [Need(value, frame.block, node) for value, node in found]

    def save_after_try(self) -> None:
        """The body of a `try` in a loop may stop half way, so it saves when it has come to its end: that is possible for what it
        computes itself, not for what a branch or a loop inside it does."""
        for block in self.plan.saved:
            arms = [arm for arm in self.enclosing(block) if isinstance(self.structure.owner[arm][0], Try)]
            arms = [arm for arm in arms if self.structure.depth[arm] > 0]
            if arms == [block]:
                self.saving_at_end.add(block)
            elif arms:
                raise unsupported(
                    getattr(self.structure.owner[arms[0]][0], "span", None),
                    "the derivative needs values that are computed inside `try` in a loop",
                    "put the body of the `try` into a function of its own",
                )

    def enclosing(self, block: Block) -> list[Block]:
        """A block and those around it, up to the function's own."""
        found = []
        while block is not self.structure.root:
            found.append(block)
            _, block = self.structure.owner[block]
        return found

    def export(self, value: Value, target: Block | None) -> Value:
        """A value made inside an arm, as a result of the arm's node, up to a block around it."""
        filler = Constant(None) if self.is_split else UNBOUND
        block = self.structure.home[value]
        current = value
        while block is not target:
            node, parent = self.structure.owner[block]
            if isinstance(node, (For, While)):
                break
            result = Value(value.name, value.type, value.temporary)
            operands: dict[Block, Operand] = dict.fromkeys(blocks_of(node), filler)
            operands[block] = current
            self.engine.additions.results.setdefault(node, []).append(ExtraResult(result, operands))
            current, block = result, parent
        return current
