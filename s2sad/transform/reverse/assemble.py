"""From the decisions to functions: the forward sweep with what it saves, and the reverse sweep with what it restores."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field

from s2sad import runtime
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
    blocks_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import call_method, make_list
from s2sad.ir.types import ANY, BOOL, INT, IteratorType, ListType, ScalarType, Type
from s2sad.transform.reverse.additions import ExtraCarried, ExtraResult
from s2sad.transform.reverse.engine import Engine
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.reverse.saving import (
    Counter,
    SavePlan,
    find_range,
    frames_of,
    has_break,
    is_sequence,
    plan_saving,
)
from s2sad.transform.rewrite import copy_block, replace_operands, substitute_block

Mapping = dict[Value, Operand]


@dataclass(eq=False)
class _LoopPlan:
    """How a reversed loop runs. `driver`: "range", "counter", "trips" or "saved" (over the values of a saved list)."""

    driver: str
    range_call: Call | None = None
    counter: Counter | None = None
    trips: Value | None = None
    counters: list[Counter] = field(default_factory=list)


class Assembler:
    """Builds the two sweeps of one function."""

    def __init__(self, engine: Engine, *, is_split: bool, uses_stack: bool = False) -> None:
        self.engine = engine
        #: A recursive function pushes all that it saves onto one stack, when a block ends.
        self.stack = engine.own_stack if uses_stack else None
        self.structure = engine.structure
        self.is_split = is_split
        self.loops: dict[ReversedLoop, _LoopPlan] = {}
        self.lists: dict[Value, Value] = {}
        self.exported: dict[Value, Value] = {}
        self.late_of_frame: dict[Frame, list[tuple[Value, Value]]] = {}
        self.plan = SavePlan()
        self.prepare()

    # --- decisions ------------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Choose how loops run backwards and what is saved, and add to the forward sweep what that takes."""
        engine = self.engine
        frames = {frame.block: frame for frame in frames_of(engine.root)}
        for value, shadow in engine.late.items():
            frame = frames[self.structure.home[value]]
            self.late_of_frame.setdefault(frame, []).append((value, shadow))
        for frame in frames.values():
            for operation in frame.operations:
                if isinstance(operation, ReversedLoop):
                    self.loops[operation] = self.plan_loop(operation)
        self.lift_out_of_try(frames)
        needs = [(value, frame) for frame in frames.values() for value in self.needs_of(frame)]
        self.plan = plan_saving(engine, needs, is_split=self.is_split, uses_stack=self.stack is not None)
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
        for values in self.plan.saved.values() if self.stack is None else ():
            for value in values:
                name = f"{value.name}_saved" if value.name else ""
                self.lists[value] = Value(name or "saved", ListType(value.type, 0), temporary=False)
        filler = Constant(None) if self.is_split else UNBOUND
        for value in self.plan.outside:
            self.exported[value] = self.export(value, filler)

    def plan_loop(self, reversed_loop: ReversedLoop) -> _LoopPlan:
        loop = reversed_loop.loop
        call = find_range(loop, self.structure)
        leaves_early = has_break(loop)
        if call is not None and not leaves_early and not call.keywords and 1 <= len(call.arguments) <= 3:
            return _LoopPlan("range", range_call=call)
        if call is not None and self.structure.depth[loop.body] == 1 and self.stack is None:
            return _LoopPlan("saved", range_call=call)
        if call is not None:
            return _LoopPlan("trips", range_call=call, trips=self.count_trips(loop))
        if isinstance(loop, For) and is_sequence(loop, self.engine.unchanged):
            return _LoopPlan("sequence", trips=self.count_trips(loop) if leaves_early else None)
        if self.structure.depth[loop.body] == 1 and self.stack is None:
            return _LoopPlan("saved")
        for counter in self.plan_counters(loop):
            return _LoopPlan("counter", counter=counter)
        return _LoopPlan("trips", trips=self.count_trips(loop))

    def plan_counters(self, loop: For | While) -> list[Counter]:
        """Counters that tell by themselves when the reversed loop ends."""
        from s2sad.transform.reverse.saving import find_counters

        return [c for c in find_counters(loop, self.structure) if isinstance(c.carried.initial, Constant)]

    def settle(self, reversed_loop: ReversedLoop, decision: _LoopPlan) -> None:
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
        counters = [c for c in self.plan_counters(loop) if any(c.carried is used.carried for used in decision.counters)]
        if self.plan.saved.get(loop.body) and not counters:
            return
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

    def need_counters(self, decision: _LoopPlan) -> None:
        """A counter runs backwards from the value that it had after the loop."""
        for counter in decision.counters:
            result = counter.carried.result
            if self.structure.depth[self.structure.home[result]] == 0 and result not in self.plan.outside:
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

    def needs_of(self, frame: Frame) -> list[Value]:
        """Primal values that a frame reads."""
        found: dict[Value, None] = {}

        def note(operand: Operand | None) -> None:
            if isinstance(operand, Value) and operand in self.structure.home:
                found.setdefault(operand)

        for value, _ in self.late_of_frame.get(frame, ()):
            note(value)
        for operation in frame.operations:
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
                    for node in (operation, *(n for block in blocks_of(operation) for n in walk(block))):
                        for operand in operands_of(node):
                            note(operand)
        for bar in frame.loop.carried if frame.loop is not None else ():
            note(bar.next)
        return list(found)

    def lift_out_of_try(self, frames: dict[Block, Frame]) -> None:
        """Values made inside `try` in a loop are handed out of it before they are saved: its body may stop half way."""
        for frame in frames.values():
            node = self.structure.owner.get(frame.block, (None, None))[0]
            if isinstance(node, Try) and self.structure.depth[frame.block] > 0 and self.needs_of(frame):
                inside = [value for value in self.needs_of(frame) if self.structure.is_inside(value, frame.block)]
                if inside:
                    raise self.engine.unsupported(
                        node.span,
                        "the derivative needs values that are computed inside `try` in a loop",
                        "put the body of the `try` into a function of its own",
                    )

    def export(self, value: Value, filler: Operand) -> Value:
        """A value made inside an arm, as a result of the arm's node, up to the function's own block."""
        block = self.structure.home[value]
        current = value
        while block is not self.structure.root:
            node, parent = self.structure.owner[block]
            if isinstance(node, For | While):
                break
            result = Value(value.name, value.type, value.temporary)
            operands: dict[Block, Operand] = {other: filler for other in blocks_of(node)}
            operands[block] = current
            self.engine.additions.results.setdefault(node, []).append(ExtraResult(result, operands))
            current, block = result, parent
        return current

    # --- the forward sweep ------------------------------------------------------------------------------------------------------

    def forward(self, block: Block, outer: tuple[Value, ...] = ()) -> tuple[list[Operation], Terminator]:
        """A block of the primal with all additions. A `Branch` of the function's own tree becomes an `If`. `outer` are the values
        of enclosing blocks of the tree that are pushed onto the stack where the tree ends."""
        additions = self.engine.additions
        operations: list[Operation] = list(additions.at_start.get(block, ()))
        saved = {value: None for value in self.plan.saved.get(block, ())}
        pushed: tuple[Value, ...] = ()
        if self.stack is not None:
            # popped in the order of the list, the outer block's first: so they are pushed in the opposite order
            pushed, saved = (*outer, *saved), {}
        for value in list(saved):
            if self.structure.definition[value] is None:
                operations.append(self.append(value))
        for operation in block.operations:
            if operation in additions.instead:
                operations.extend(additions.instead[operation])
            else:
                operations.append(self.forward_node(operation))
            operations.extend(additions.after.get(operation, ()))
            for value in saved:
                if self.structure.definition[value] is operation:
                    operations.append(self.append(value))
        terminator = block.terminator
        if isinstance(terminator, Branch):
            if self.structure.depth[block] == 0:
                return self.forward_branch(terminator, operations, pushed)
            then, orelse = self.forward_block(terminator.then, pushed), self.forward_block(terminator.orelse, pushed)
            terminator = Branch(terminator.condition, then, orelse, terminator.span)
        elif not isinstance(terminator, Raise):
            operations.extend(map(self.append, reversed(pushed)))
        return operations, terminator

    def forward_block(self, block: Block, outer: tuple[Value, ...] = ()) -> Block:
        operations, terminator = self.forward(block, outer)
        return Block(tuple(operations), terminator)

    def append(self, value: Value) -> Call:
        """Save a value."""
        done = Value("", ANY, temporary=True)
        definition = self.structure.definition[value]
        span = getattr(definition, "span", None)
        target = self.stack if self.stack is not None else self.lists[value]
        return Call(done, Constant(call_method), (target, Constant("append"), value), (), span, exact=False)

    def forward_branch(
        self, node: Branch, operations: list[Operation], outer: tuple[Value, ...]
    ) -> tuple[list[Operation], Terminator]:
        """An early return: both ways go on to the reverse sweep."""
        extra = self.engine.additions.results.get(node, [])
        result = Value("result", _type_of_result(node), temporary=True)
        arms = []
        for block in (node.then, node.orelse):
            inner, end = self.forward(block, outer)
            if isinstance(end, Return):
                inner_end: Terminator = Yield((end.value, *(item.operands[block] for item in extra)))
            else:
                inner_end = end
            arms.append(Block(tuple(inner), inner_end))
        if all(isinstance(arm.terminator, Raise) for arm in arms):
            operations.append(If(node.condition, arms[0], Block((), Yield(())), (), node.span))
            operations.extend(arms[1].operations)
            return operations, arms[1].terminator
        results = (result, *(item.result for item in extra))
        operations.append(If(node.condition, arms[0], arms[1], results, node.span))
        return operations, Return(result)

    def forward_node(self, node: Operation) -> Operation:
        additions = self.engine.additions
        match node:
            case If(condition, then, orelse, results, span):
                extra = additions.results.get(node, [])
                arms = [self.extended(block, extra) for block in (then, orelse)]
                return If(condition, arms[0], arms[1], (*results, *(item.result for item in extra)), span)
            case For(target, iterable, carried, _, span):
                added = additions.carried.get(node, [])
                body = self.with_leaves(self.forward_block(node.body), node.body, added)
                return For(target, iterable, (*carried, *map(_carried, added)), body, span)
            case While(_, carried, _, span):
                added = additions.carried.get(node, [])
                body = self.with_leaves(self.forward_block(node.body), node.body, added)
                return While(self.forward_block(node.header), (*carried, *map(_carried, added)), body, span)
            case Try(body, handlers, results, span):
                extra = additions.results.get(node, [])
                caught = tuple(type(h)(h.exception, h.name, self.extended(h.body, extra)) for h in handlers)
                return Try(self.extended(body, extra), caught, (*results, *(item.result for item in extra)), span)
            case With(context, name, body, results, span):
                extra = additions.results.get(node, [])
                return With(context, name, self.extended(body, extra), (*results, *(item.result for item in extra)), span)
        return node

    def extended(self, block: Block, extra: Sequence[ExtraResult]) -> Block:
        """An arm that hands on more."""
        new = self.forward_block(block)
        if not isinstance(new.terminator, Yield):
            return new
        return Block(new.operations, Yield((*new.terminator.values, *(item.operands[block] for item in extra))))

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

    # --- the reverse sweep ------------------------------------------------------------------------------------------------------

    def start_mapping(self) -> Mapping:
        """How values outside loops are called in the reverse sweep."""
        return dict(self.exported)

    def reverse(self, frame: Frame, mapping: Mapping, given: frozenset[Value] = frozenset()) -> tuple[list[Operation], Mapping]:
        """The operations of a frame; `given` are saved values that the loop itself brings."""
        mapping = dict(mapping)
        out: list[Operation] = []
        for value in self.plan.saved.get(frame.block, ()):
            if value not in given:
                out.append(self.pop(value, mapping))
        for operation in self.plan.recomputed.get(frame.block, ()):
            out.append(_copied(operation, mapping))
        for value, shadow in self.late_of_frame.get(frame, ()):
            out.extend(_zeros(value, mapping, shadow))
        for item in frame.operations:
            match item:
                case ReversedIf():
                    out.extend(self.reverse_if(item, mapping))
                case ReversedLoop():
                    out.append(self.reverse_loop(item, mapping, out))
                case _:
                    node = replace_operands(item, mapping)
                    out.append(_map_inner(node, mapping))
        return out, mapping

    def pop(self, value: Value, mapping: Mapping) -> Call:
        """Restore a value."""
        restored = Value(value.name, value.type, value.temporary)
        saved = self.stack if self.stack is not None else self.lists[value]
        source = mapping.get(saved, saved)
        mapping[value] = restored
        return Call(restored, Constant(call_method), (source, Constant("pop")), (), None, exact=False)

    def reverse_if(self, item: ReversedIf, mapping: Mapping) -> list[Operation]:
        then_operations, then_mapping = self.reverse(item.then, mapping)
        if item.condition is None:
            return [*then_operations]
        assert item.orelse is not None
        else_operations, else_mapping = self.reverse(item.orelse, mapping)
        then = Block(tuple(then_operations), Yield(tuple(_use(first, then_mapping) for _, first, _ in item.results)))
        orelse = Block(tuple(else_operations), Yield(tuple(_use(second, else_mapping) for _, _, second in item.results)))
        return [If(_use(item.condition, mapping), then, orelse, tuple(result for result, _, _ in item.results), item.span)]

    def reverse_loop(self, item: ReversedLoop, mapping: Mapping, out: list[Operation]) -> Operation:
        decision = self.loops[item]
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
            (prologue if counter.carried.parameter in self.plan.running else epilogue).append(back)
            carried.append((Carried(_use(counter.carried.result, mapping), after, last), before))
        for bar in item.carried:
            carried.append((Carried(_use(bar.initial, mapping), bar.parameter, bar.result), bar.next))
        target, iterable = self.iterate(item, decision, mapping, inner, prologue, out)
        given = frozenset(self.driving(item, decision))
        operations, inner = self.reverse(item.frame, inner, given)
        values = tuple(_use(operand, inner) for _, operand in carried)
        body = Block((*prologue, *operations, *epilogue), Yield(values))
        pairs = tuple(pair for pair, _ in carried)
        if decision.driver != "counter":
            return For(target, iterable, pairs, body, item.span)
        counter = decision.counter
        assert counter is not None
        position = [c.carried for c in decision.counters].index(counter.carried)
        condition = Value("", BOOL, temporary=True)
        compare = operator.gt if counter.step > 0 else operator.lt
        test = Call(condition, Constant(compare), (pairs[position].parameter, counter.carried.initial), (), None, exact=False)
        return While(Block((test,), Yield((condition,))), pairs, body, item.span)

    def driving(self, item: ReversedLoop, decision: _LoopPlan) -> list[Value]:
        """The saved values that a loop runs over."""
        depth = self.structure.depth[item.loop.body]
        saved = self.plan.saved.get(item.loop.body, []) if self.stack is None else []
        if decision.driver == "saved":
            return list(saved)
        index_used = isinstance(item.loop, For) and item.loop.target in self.plan.used
        if decision.driver == "range" and depth == 1 and saved and not index_used and not self.is_split:
            return list(saved)
        return []

    def iterate(
        self,
        item: ReversedLoop,
        decision: _LoopPlan,
        mapping: Mapping,
        inner: Mapping,
        prologue: list[Operation],
        out: list[Operation],
    ) -> tuple[Value, Operand]:
        """The target and the iterable of a reversed loop."""
        loop = item.loop

        def emit(function: object, *arguments: Operand, kind: Type = INT, name: str = "") -> Value:
            result = Value(name, kind, temporary=True)
            out.append(Call(result, Constant(function), arguments, (), None, exact=False))
            return result

        driving = self.driving(item, decision)
        if driving:
            backwards = Constant(slice(None, None, -1))
            sources = [mapping.get(self.lists[value], self.lists[value]) for value in driving]
            turned = [
                emit(operator.getitem, source, backwards, kind=ListType(value.type, 0))
                for source, value in zip(sources, driving, strict=True)
            ]
            restored = [Value(value.name, value.type, value.temporary) for value in driving]
            inner.update(zip(driving, restored, strict=True))
            if len(driving) == 1:
                return restored[0], turned[0]
            from s2sad.ir.types import TupleType

            kinds = TupleType(tuple(value.type for value in driving))
            pair = Value("", kinds, temporary=True)
            for index, value in enumerate(restored):
                prologue.append(Call(value, Constant(operator.getitem), (pair, Constant(index)), (), None, exact=False))
            return pair, emit(zip, *turned, kind=IteratorType(zip, kinds))
        if decision.driver == "sequence":
            assert isinstance(loop, For)
            element = Value(loop.target.name, loop.target.type, loop.target.temporary)
            inner[loop.target] = element
            sequence = _use(loop.iterable, mapping)
            kind = sequence.type if isinstance(sequence, Value) else ANY
            if decision.trips is not None:
                done = emit(slice, _use(decision.trips, mapping), kind=ANY)
                sequence = emit(operator.getitem, sequence, done, kind=kind)
            return element, emit(operator.getitem, sequence, Constant(slice(None, None, -1)), kind=kind)
        if decision.driver == "trips" and decision.range_call is None or decision.driver in ("counter", "saved"):
            trips = _use(decision.trips, mapping) if decision.trips is not None else Constant(0)
            if decision.driver == "counter":
                return Value("_", INT, temporary=True), Constant(None)
            return Value("_", INT, temporary=True), emit(range, trips, kind=IteratorType(range, INT))
        assert isinstance(loop, For) and decision.range_call is not None
        index = Value(loop.target.name, INT, loop.target.temporary)
        inner[loop.target] = index
        arguments = [_use(operand, mapping) for operand in decision.range_call.arguments]
        if loop.target not in self.plan.used:
            counted = [_use(decision.trips, mapping)] if decision.trips is not None else arguments
            return index, emit(range, *counted, kind=IteratorType(range, INT))
        start, stop, step = _normalised(arguments)
        known = step.value if isinstance(step, Constant) and isinstance(step.value, int) else None
        if decision.trips is None and known in (1, -1):
            change = operator.sub if known == 1 else operator.add
            last, end = _shifted(emit, change, stop), _shifted(emit, change, start)
            return index, emit(range, last, end, Constant(-known), kind=IteratorType(range, INT))
        if decision.trips is None:
            forward = emit(range, start, stop, step, kind=IteratorType(range, INT))
            return index, emit(operator.getitem, forward, Constant(slice(None, None, -1)), kind=IteratorType(range, INT))
        trips = _use(decision.trips, mapping)
        if known == 1 and isinstance(start, Constant) and start.value == 0:
            last = emit(operator.sub, trips, Constant(1))
            return index, emit(range, last, Constant(-1), Constant(-1), kind=IteratorType(range, INT))
        forward = emit(range, start, stop, step, kind=IteratorType(range, INT))
        done = emit(operator.getitem, forward, emit(slice, trips, kind=ANY), kind=IteratorType(range, INT))
        return index, emit(operator.getitem, done, Constant(slice(None, None, -1)), kind=IteratorType(range, INT))


def _shifted(emit: object, change: object, operand: Operand) -> Operand:
    """``operand ± 1``, computed at once where it is a literal."""
    if isinstance(operand, Constant) and isinstance(operand.value, int):
        return Constant(change(operand.value, 1))  # type: ignore[operator]
    return emit(change, operand, Constant(1))  # type: ignore[operator,no-any-return]


def _normalised(arguments: Sequence[Operand]) -> tuple[Operand, Operand, Operand]:
    """start, stop, step of `range`."""
    if len(arguments) == 1:
        return Constant(0), arguments[0], Constant(1)
    if len(arguments) == 2:
        return arguments[0], arguments[1], Constant(1)
    return arguments[0], arguments[1], arguments[2]


def _carried(item: ExtraCarried) -> Carried:
    return Carried(item.initial, item.parameter, item.result)


def _use(operand: Operand, mapping: Mapping) -> Operand:
    return mapping.get(operand, operand) if isinstance(operand, Value) else operand


def _map_inner(node: Operation, mapping: Mapping) -> Operation:
    """A node of adjoint code with the blocks inside it renamed too."""
    blocks = blocks_of(node)
    if not blocks:
        return node
    from s2sad.transform.rewrite import with_blocks

    return with_blocks(node, [substitute_block(block, mapping) for block in blocks])


def _copied(operation: Operation, mapping: Mapping) -> Operation:
    """An operation of the primal, run again: its results get new names, noted in the mapping."""
    block = Block((operation,), Yield(()))
    used = {operand: mapping[operand] for operand in _operands_inside(operation) if operand in mapping}
    copy = copy_block(block, used).operations[0]
    from s2sad.ir.nodes import results_of

    mapping.update(zip(results_of(operation), results_of(copy), strict=True))
    return copy


def _operands_inside(operation: Operation) -> set[Value]:
    found = {operand for operand in operands_of(operation) if isinstance(operand, Value)}
    for block in blocks_of(operation):
        for node in walk(block):
            found.update(operand for operand in operands_of(node) if isinstance(operand, Value))
    return found


def _zeros(value: Value, mapping: Mapping, shadow: Value) -> list[Operation]:
    """The statements that make a late shadow."""
    container = _use(value, mapping)
    kind = value.type
    if isinstance(kind, ListType) and isinstance(kind.element, ScalarType):
        zero, length = Value("", ListType(kind.element, 0), temporary=True), Value("", INT, temporary=True)
        return [
            Call(zero, Constant(make_list), (Constant(0.0),), (), None, exact=False),
            Call(length, Constant(len), (container,), (), None, exact=False),
            Call(shadow, Constant(operator.mul), (zero, length), (), None, exact=False),
        ]
    return [Call(shadow, Constant(runtime.zeros_like), (container,), (), None, exact=False)]


def _type_of_result(node: Branch) -> Type:
    from s2sad.analysis.result_types import type_of_constant
    from s2sad.transform.reverse.engine import _leaves

    kinds = set()
    for block in (node.then, node.orelse):
        for leaf in _leaves(block):
            if isinstance(leaf, Return):
                kinds.add(leaf.value.type if isinstance(leaf.value, Value) else type_of_constant(leaf.value))
    return kinds.pop() if len(kinds) == 1 else ANY
