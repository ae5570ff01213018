"""What the reverse sweep needs of the forward sweep: what is still there, what is saved, what is computed again.

Outside loops a value is still there, under its name. In a loop a value is one for each trip: either it is appended to a list
of its own and popped by the mirrored trip, or computed again from values that are at hand there: saved ones, loop-invariant
ones, the index of a reversed `range`, a counter that runs backwards. A minimum cut chooses
(:mod:`s2sad.transform.reverse.minimum_cut`); a value deeper in loops costs more. For a function in two halves, values outside
loops have to be handed over too, and cost a little.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from s2sad.analysis.memory import references_in
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    If,
    Operand,
    Operation,
    Raise,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    operands_inside,
    operands_of,
    results_of,
    walk,
)
from s2sad.ir.operations import load_captured, load_global, make_tuple
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.purity import is_number
from s2sad.transform.reverse.array_names import is_view, memories_of, memory_of
from s2sad.transform.reverse.counters import Counter, find_counters, find_range, is_sequence
from s2sad.transform.reverse.effort import takes_effort
from s2sad.transform.reverse.engine import Engine
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.reverse.handed_on import HandedOn, find_handed_on
from s2sad.transform.reverse.minimum_cut import minimum_cut
from s2sad.transform.reverse.mirror import stripped
from s2sad.transform.reverse.restoring import RestoreNeeded
from s2sad.transform.reverse.stored import find_stored, load_of, loads_before_uses
from s2sad.transform.reverse.timeline import END, START, Place
from s2sad.transform.reverse.unchanged import has_unknown_effects, regions_of_its_own
from s2sad.transform.reverse.written_once import content_before

#: A value one loop deeper is saved that many times as often.
_TRIPS: Final = 16
#: What it costs to save a value, and to compute one again that takes effort.
_SAVED: Final = 4
_COMPUTED: Final = 5
#: Regions with more operations than this are not run again.
_MOST_RECOMPUTED: Final = 8
_NOTHING: Final[Mapping[Value, HandedOn]] = MappingProxyType({})
_NONE: Final[Mapping[Value, Call]] = MappingProxyType({})


@dataclass(eq=False)
class SavePlan:
    """The decision. `saved` and `recomputed` by the block that defines the values, in the order of the forward sweep."""

    saved: dict[Block, list[Value]] = field(default_factory=dict)
    recomputed: dict[Block, list[Operation]] = field(default_factory=dict)
    #: Values outside loops that the reverse sweep reads.
    outside: list[Value] = field(default_factory=list)
    counters: dict[For | While, list[Counter]] = field(default_factory=dict)
    used: set[Value] = field(default_factory=set)
    #: Calls that are run again while arrays hold what they read, not before and not after.
    timed: set[Operation] = field(default_factory=set)
    #: Counters that are not saved: they run backwards.
    running: set[Value] = field(default_factory=set)
    #: Other names of arrays outside, by the block that has them.
    names: dict[Block, dict[Value, Value]] = field(default_factory=dict)
    #: What trips hand on to the next, by the loop: the reverse of the next has it.
    handed_on: dict[For | While, list[HandedOn]] = field(default_factory=dict)

    def delayed(self, block: Block) -> dict[Operation, None]:
        """What is computed again just before it is used, since it reads arrays that the reverse sweep puts back."""
        found: dict[Operation, None] = {}
        results: set[Value] = set()
        for operation in self.recomputed.get(block, ()):
            if operation in self.timed or not results.isdisjoint(operands_inside(operation)):
                found[operation] = None
                results.update(results_of(operation))
        return found


def frames_of(frame: Frame) -> Iterator[Frame]:
    """A frame and all inside it."""
    yield frame
    for operation in frame.operations:
        if isinstance(operation, ReversedLoop):
            yield from frames_of(operation.frame)
        elif isinstance(operation, ReversedIf):
            yield from frames_of(operation.then)
            if operation.orelse is not None:
                yield from frames_of(operation.orelse)


@dataclass(frozen=True, slots=True, eq=False)
class Need:
    """A value of the primal that the reverse of `node` reads, in the mirror of `block`. None: what comes after all nodes."""

    value: Value
    block: Block
    node: Operation | Terminator | None


def plan_saving(engine: Engine, needs: Iterable[Need], *, is_split: bool) -> SavePlan:
    """Decide for all values that frames read."""
    needs = list(needs)

    def plan(
        assumed: frozenset[int],
        handed_on: Mapping[Value, HandedOn] = _NOTHING,
        saving: Container[Block] = (),
        stored: Mapping[Value, Call] = _NONE,
    ) -> _Planner:
        planner = _Planner(engine, is_split, assumed, handed_on, saving, stored)
        for need in needs:
            planner.need(need)
        planner.solve()
        return planner

    def plan_in_turns(assumed: frozenset[int]) -> _Planner:
        planner = plan(assumed)
        saved = planner.plan.saved
        handed_on = planner.find_handed_on(saved) if saved else {}
        if handed_on:
            again = plan(assumed, handed_on)
            planner, handed_on = (again, handed_on) if again.cost <= planner.cost else (planner, {})
        if not saved:
            return planner
        stored = find_stored(engine, assumed)
        if stored:
            again = plan(assumed, handed_on, stored=stored)
            is_better = again.cost < planner.cost and not again.loads_late()
            planner, stored = (again, stored) if is_better else (planner, {})
        # what takes effort is no reason to save where nothing would be, nor to put arrays back
        final = plan(assumed, handed_on, set(planner.plan.saved), stored)
        final.cost = planner.cost
        return final

    planner = plan_in_turns(engine.restored)
    if planner.wished:
        wished = frozenset(planner.wished)
        if plan_in_turns(engine.restored | wished).cost + planner.cost_of_stores(wished) < planner.cost:
            raise RestoreNeeded(wished)
    return planner.plan


class _Planner:
    def __init__(
        self,
        engine: Engine,
        is_split: bool,
        restored: frozenset[int],
        handed_on: Mapping[Value, HandedOn],
        saving: Container[Block],
        stored: Mapping[Value, Call],
    ) -> None:
        #: Numbers that arrays and lists still hold, with the stores.
        self.stored = stored
        self.engine = engine
        #: Blocks in which something is saved anyway: there, what takes effort is saved too.
        self.saving = saving
        self.handed_on = handed_on
        self.loops: list[For | While] = []
        #: Regions of arrays that are put back, and those of which it would help.
        self.restored = restored
        self.wished: set[int] = set()
        #: What saving costs.
        self.cost = 0
        self.structure = engine.structure
        self.is_split = is_split
        self.needed: dict[Value, None] = {}
        self.plan = SavePlan()
        self.free: set[Value] = set()
        #: Values of counters, by what they had come to at the end of the loop.
        self.counted: dict[Value, Value] = {}
        self.acts = has_unknown_effects(engine.function)
        #: The regions that nobody outside has, once that was asked for.
        self.own: frozenset[int] | None = None
        self.timeline = engine.timeline
        #: Where each value is used at the latest, in its own block.
        self.latest: dict[Value, Place] = {}
        self.unchanged = engine.unchanged
        for frame in frames_of(engine.root):
            for operation in frame.operations:
                if isinstance(operation, ReversedLoop):
                    self.note_loop(operation.loop)
        for parameter in engine.function.parameters:
            self.free.add(parameter.value)

    def note_loop(self, loop: For | While) -> None:
        """What a reversed loop gives for nothing."""
        self.loops.append(loop)
        if isinstance(loop, For) and (find_range(loop, self.structure) is not None or is_sequence(loop, self.unchanged)):
            self.free.add(loop.target)
        counters = find_counters(loop, self.structure)
        self.plan.counters[loop] = counters
        for counter in counters:
            self.counted[counter.carried.parameter] = self.counted[counter.after] = counter.carried.result

    def need(self, need: Need) -> None:
        self.needed.setdefault(need.value)
        self.note_use(need.value, need.block, need.node)

    def note_use(self, value: Value, block: Block, node: Operation | Terminator | None) -> None:
        """A value is used here at the latest."""
        home = self.structure.home[value]
        if self.structure.encloses(home, block):
            self.latest[value] = max(self.latest.get(value, START), self.timeline.place_in(home, block, node))
        else:  # handed out of an arm
            self.latest[value] = END

    def note_uses_of_inputs(self) -> None:
        """What a value is computed from again is used where the value is. Later values come first: most are looked at once."""
        order = [*reversed(self.structure.definition)]
        done: dict[Value, Place] = {}
        changed = True
        while changed:
            changed = False
            for value in order:
                if value in self.latest and done.get(value) != self.latest[value]:
                    done[value] = self.latest[value]
                    changed = self.note_inputs_of(value) or changed

    def note_inputs_of(self, value: Value) -> bool:
        """Whether something turns out to be used later than was known."""
        changed = False
        for operand in self.possible_inputs(value):
            before = self.latest.get(operand)
            home = self.structure.home[operand]
            if home is self.structure.home[value]:
                place = self.latest[value]
            elif self.structure.encloses(home, self.structure.home[value]):
                place = self.timeline.place_in(home, self.structure.home[value], None)
            else:
                place = END
            if before is None or place > before:
                self.latest[operand] = place
                changed = True
        return changed

    def possible_inputs(self, value: Value) -> list[Value]:
        """What a value may be computed from again."""
        definition = self.definition_of(value)
        if definition is not None and value not in results_of(definition):
            return []  # what the forward sweep keeps there
        match definition:
            case Call():  # a shadow that the caller passes is there in both halves
                return [operand for operand in operands_of(definition) if operand in self.structure.home]
            case If():
                inner = [node for block in blocks_of(definition) for node in walk(block)]
                found = [operand for node in (definition, *inner) for operand in operands_of(node)]
                return [operand for operand in found if isinstance(operand, Value) and operand in self.structure.home]
        return []

    def depth(self, value: Value) -> int:
        return self.structure.depth[self.structure.home[value]]

    def is_kept(self, value: Value) -> bool:
        """Still there: outside loops, in one function. An index is written again where it is used, which reads better."""
        return not self.is_split and self.depth(value) == 0 and not self.is_index(value)

    def is_index(self, operand: Operand) -> bool:
        """Whether an operand is a slice, or a tuple with slices in it."""
        definition = self.structure.definition.get(operand) if isinstance(operand, Value) else None
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
            return False
        function = definition.function.value
        return function is slice or (function is make_tuple and any(map(self.is_index, definition.arguments)))

    def solve(self) -> SavePlan:
        self.note_uses_of_inputs()
        costs: dict[Value, int] = {}
        operands: dict[Value, list[Value]] = {}
        sources: list[Value] = []
        efforts: dict[Value, int] = {}
        stack = list(self.needed)
        while stack:
            value = stack.pop()
            if value in costs:
                continue
            free = value in self.free or self.is_kept(value)
            costs[value] = 0 if free else _SAVED * _TRIPS ** self.depth(value)
            inputs = None if free else self.sources_of(value)
            if inputs is None:
                sources.append(value)
            else:
                operands[value] = inputs
                stack.extend(inputs)
                definition = self.structure.definition[value]
                is_kept = self.structure.home[value] in self.saving and value not in self.handed_on
                if is_kept and isinstance(definition, Call) and takes_effort(definition):
                    efforts[value] = _COMPUTED * _TRIPS ** self.depth(value)
        cut = minimum_cut_of(costs, operands, sources, self.needed, efforts)
        self.cost = sum(costs[value] for value in cut)
        used: dict[Value, None] = {}
        stack = list(self.needed)
        while stack:
            value = stack.pop()
            if value in used:
                continue
            used[value] = None
            if value in cut or value in self.free or self.is_kept(value):
                continue
            stack.extend(operands.get(value, ()))
        self.distribute(used, cut)
        return self.plan

    def distribute(self, used: dict[Value, None], cut: set[Value]) -> None:
        plan = self.plan
        plan.used = set(used)
        order: dict[object, int] = {node: index for index, node in enumerate(walk(self.engine.function.body))}
        order.update((load, order[self.structure.definition[shadow]]) for shadow, load in self.engine.shadow_loads.items())
        recomputed: dict[Block, dict[Operation, None]] = {}
        for value in used:
            home = self.structure.home[value]
            definition = self.definition_of(value)
            if value in self.free:
                if self.depth(value) == 0:
                    plan.outside.append(value)
            elif self.is_kept(value):
                plan.outside.append(value)
            elif value in self.counted and value not in cut:
                plan.running.add(value)
            elif value not in cut and (origin := self.object_outside(value)) is not None:
                plan.names.setdefault(home, {})[value] = origin
            elif value in self.stored and value not in cut:
                for operation in load_of(self.stored[value]):
                    order[operation] = order[self.stored[value]]
                    recomputed.setdefault(home, {})[operation] = None
            elif value in self.handed_on and value not in cut:
                item = self.handed_on[value]
                plan.handed_on.setdefault(item.loop, []).append(item)
            elif value in cut or definition is None:
                if self.depth(value) == 0:
                    plan.outside.append(value)
                else:
                    plan.saved.setdefault(home, []).append(value)
            else:
                recomputed.setdefault(home, {})[definition] = None

        def position(value: Value) -> int:
            definition = self.structure.definition[value]
            return order.get(definition, -1) if definition is not None else -1

        for values in plan.saved.values():
            values.sort(key=position)
        plan.outside.sort(key=position)
        for block, operations in recomputed.items():
            plan.recomputed[block] = loads_before_uses(sorted(operations, key=lambda operation: order[operation]))

    def loads_late(self) -> bool:
        """Whether what an array holds would be loaded after the start of its block, for the key is not known before; there, the
        store may have been undone."""
        delayed = [operation for block in self.plan.recomputed for operation in self.plan.delayed(block)]
        return any(result in self.stored for operation in delayed for result in results_of(operation))

    # --- what can be computed again -------------------------------------------------------------------------------------------

    def find_handed_on(self, saved: Mapping[Block, list[Value]]) -> dict[Value, HandedOn]:
        """What trips hand on to the next, where that makes it unnecessary to save it or to compute it again."""
        return find_handed_on(self.loops, saved, self.structure, self.engine.additions, self.is_computed)

    def is_computed(self, value: Value) -> bool:
        """Whether a value is saved, or computed again with more than arithmetic on numbers."""
        if value not in self.plan.used or value in self.free or value in self.counted:
            return False
        definition = self.structure.definition[value]
        is_saved = value in self.plan.saved.get(self.structure.home[value], ())
        is_plain = isinstance(definition, Call) and symbol_of(definition) is not None and is_number(definition.result)
        return is_saved or not is_plain

    def object_outside(self, value: Value) -> Value | None:
        """The array outside of a loop of which a value is another name."""
        origin = self.engine.origins.get(value)
        if origin is None or origin is value or self.depth(origin) >= self.depth(value):
            return None
        return origin if self.structure.encloses(self.structure.home[origin], self.structure.home[value]) else None

    def sources_of(self, value: Value) -> list[Value] | None:
        """The values from which the reverse sweep makes a value; None if it cannot."""
        if value in self.counted:
            return [self.counted[value]]
        if value in self.handed_on:
            item = self.handed_on[value]
            return [item.parameter, item.result]
        if (origin := self.object_outside(value)) is not None:
            return [origin]
        if value in self.stored:
            return [operand for operand in self.stored[value].arguments[:2] if isinstance(operand, Value)]
        return self.inputs_of(value)

    def definition_of(self, value: Value) -> Operation | None:
        """What makes a value, of the primal or a shadow; of other shadows, what makes what they shadow."""
        return self.engine.shadow_loads.get(value) or self.structure.definition[value]

    def inputs_of(self, value: Value) -> list[Value] | None:
        """The values that a value can be computed from again; None if it cannot."""
        if value in self.engine.shadow_loads:
            return self.inputs_of_shadow(value)
        definition = self.structure.definition[value]
        if definition is None or definition in self.engine.halves or definition in self.engine.additions.instead:
            return None
        if value not in results_of(definition):
            return None  # a shadow, which the forward sweep makes there
        match definition:
            case Call():
                if not self.is_recomputable(definition):
                    return None
                return [operand for operand in operands_of(definition) if isinstance(operand, Value)]
            case If():
                return self.inputs_of_if(definition)
        return None

    def is_recomputable(self, call: Call, within: If | None = None) -> bool:
        """Same operands, same result, whenever it runs; `within` is what is run again with it."""
        if isinstance(call.function, Constant) and isinstance(call.function.value, Callee):
            return False
        effects = effects_of(call)
        if effects.is_pure:
            return True
        if not effects.is_removable or effects.allocates:
            return False
        if self.acts and not self.reads_its_own(call):
            return False
        is_load = isinstance(call.function, Constant) and call.function.value in (load_global, load_captured)
        # a view is one of the same array at any time: that is not read
        read = [operand for operand in operands_of(call) if not is_view(call) or operand is not call.arguments[0]]
        if not is_load and any(map(self.engine.surroundings.may_change, read)):
            return False
        arrays = frozenset(region for operand in read for region in memories_of(operand))
        if arrays or is_view(call):
            others = [operand for operand in read if memory_of(operand) is None]
            return self.unchanged.since(call, others) and self.is_at_hand(within or call, arrays)
        return is_load or self.unchanged.since(call, operands_of(call)) or self.is_settled(call)

    def reads_its_own(self, call: Call) -> bool:
        """Whether a call reads only memory that what is not known cannot change."""
        if self.own is None:
            self.own = regions_of_its_own(self.engine.function) - self.engine.surroundings.regions
        regions = {
            region for operand in operands_of(call) if isinstance(operand, Value) for region in references_in(operand.type)
        }
        return bool(regions) and regions <= self.own

    def is_settled(self, call: Call) -> bool:
        """Whether nothing that a call reads of containers is written after it, here or by a caller."""
        regions = {
            region for operand in operands_of(call) if isinstance(operand, Value) for region in references_in(operand.type)
        }
        return self.unchanged.exposed.isdisjoint(regions) and self.engine.settled.is_settled(call)

    def inputs_of_shadow(self, shadow: Value) -> list[Value] | None:
        """A shadow that was taken out of a list of shadows can be taken out again: the reverse sweep puts back which one stands
        where."""
        load, of = self.engine.shadow_loads[shadow], self.structure.definition[shadow]
        assert isinstance(of, Call)
        holder = stripped(of.arguments[0])
        if not isinstance(holder, ListType) or not isinstance(holder.element, (ListType, DictType, ObjectType, ArrayType)):
            return None
        home = self.structure.home[shadow]
        if self.timeline.is_written_from(holder.region, home, of):
            latest = self.latest.get(shadow, END)
            if self.timeline.is_written_between(frozenset({holder.region}), home, of, latest):
                return None
        self.plan.timed.add(load)
        return self.possible_inputs(shadow)

    def is_at_hand(self, node: Call | If, regions: frozenset[int]) -> bool:
        """Whether arrays hold what an operation has read from them wherever its results are used."""
        home = self.structure.home[results_of(node)[0]]
        changed = frozenset(region for region in regions if self.timeline.is_written_from(region, home, node))
        if not changed:
            return True
        if isinstance(node, Call) and self.engine.settled.is_settled(node):
            self.plan.timed.add(node)
            return True
        if not changed <= self.restored:
            self.wished.update(changed - self.restored)
            return False
        latest = max(self.latest.get(result, END) for result in results_of(node))
        if self.timeline.is_written_between(changed, home, node, latest):
            return False
        self.plan.timed.add(node)
        return True

    def cost_of_stores(self, regions: frozenset[int]) -> int:
        """What it costs to keep all that is overwritten in some arrays."""
        return sum(
            _SAVED * _TRIPS ** self.structure.depth[self.structure.home[node.result]]
            for node in walk(self.engine.function.body)
            if isinstance(node, Call)
            and not regions.isdisjoint(self.timeline.writes.get(node, ()))
            and content_before(self.engine, node) is None
        )

    def inputs_of_if(self, node: If) -> list[Value] | None:
        """A small `If` that only computes can be run again."""
        inside: set[Value] = set()
        inputs: list[Value] = [node.condition] if isinstance(node.condition, Value) else []
        count = 0
        for block in blocks_of(node):
            for inner in walk(block):
                count += 1
                if isinstance(inner, Call):
                    if not self.is_recomputable(inner, node):
                        return None
                    inside.add(inner.result)
                elif isinstance(inner, If):
                    inside.update(inner.results)
                elif not isinstance(inner, Yield):
                    return None
        if count > _MOST_RECOMPUTED or any(isinstance(block.terminator, Raise) for block in blocks_of(node)):
            return None
        for block in blocks_of(node):
            for inner in walk(block):
                inputs.extend(o for o in operands_of(inner) if isinstance(o, Value) and o not in inside)
        return list(dict.fromkeys(inputs))


def minimum_cut_of(
    costs: dict[Value, int],
    operands: dict[Value, list[Value]],
    sources: list[Value],
    needed: Iterable[Value],
    efforts: dict[Value, int],
) -> set[Value]:
    """The cut, without the work where nothing costs anything."""
    if not any(costs.values()):
        return set()
    return minimum_cut(costs, operands, sources, list(needed), efforts)
