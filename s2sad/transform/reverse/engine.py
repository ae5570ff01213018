"""Reverse mode: from a typed function to the statements of its reverse sweep.

The blocks of the primal are mirrored from the end to the beginning. Each operation turns the adjoint of its result into
contributions to the adjoints of its operands, by the operation's rule; adjoints are SSA values like any other. A loop becomes
a loop that carries the adjoints of what the primal carried; an `If` becomes an `If` on the same condition. ::

    y = x * x            y_bar = 1.0
    return y             x_bar = y_bar * x + y_bar * x
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from s2sad.analysis.activity import Activity
from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.array_facts import fact_of_call, with_names
from s2sad.analysis.array_operands import Fact, fact_of_constant
from s2sad.analysis.array_types import type_of_operation
from s2sad.analysis.memory import references_in
from s2sad.analysis.phrases import Phrases
from s2sad.analysis.structure import Structure
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Return,
    Span,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    leaves_of_block,
    walk,
)
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT, AnyType, ArrayType, Type
from s2sad.transform.reverse.additions import Additions
from s2sad.transform.reverse.array_bars import find_widened, type_of
from s2sad.transform.reverse.array_names import find_origins
from s2sad.transform.reverse.arrays import ArrayReverser
from s2sad.transform.reverse.assumed_numbers import check_assumed_numbers
from s2sad.transform.reverse.branches import reverse_branch, reverse_if, reverse_try, reverse_with
from s2sad.transform.reverse.calls import CallReverser
from s2sad.transform.reverse.containers import ContainerReverser
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.followed_regions import find_regions_to_follow
from s2sad.transform.reverse.frames import (
    ZERO,
    CarriedBar,
    Frame,
    ReversedLoop,
    Slot,
    bar_type_of,
    find_bar,
    leaves_of,
    new_bar,
)
from s2sad.transform.reverse.half_done import always_raises
from s2sad.transform.reverse.halves import Driver, Halves
from s2sad.transform.reverse.joins import joins_integers
from s2sad.transform.reverse.records import new_stack
from s2sad.transform.reverse.refusals import refuse_untracked
from s2sad.transform.reverse.settled import SettledReads
from s2sad.transform.reverse.shadows import LATE, MIRRORED, find_shadow_modes, own_region
from s2sad.transform.reverse.singular import contribute_at_point
from s2sad.transform.reverse.timeline import Timeline
from s2sad.transform.reverse.unchanged import ALONE, Circumstances, Surroundings, Unchanged, regions_written

Leaving = Callable[[Frame, Terminator], None]


class Engine:
    """The state of one reverse-mode transformation."""

    def __init__(
        self,
        function: Function,
        activity: Activity,
        driver: Driver,
        seeds: Callable[[Engine, Frame, Operand], None],
        circumstances: Circumstances | None = None,
        restored: frozenset[int] = frozenset(),
        surroundings: Surroundings = ALONE,
    ) -> None:
        self.function = function
        #: Regions of arrays whose overwritten elements are kept and put back, since the reverse sweep reads them.
        self.restored = restored
        #: What stores to these overwrite, as the forward sweep keeps it.
        self.overwritten: dict[tuple[Call, int], Value] = {}
        self.activity = activity
        self.driver = driver
        self.seeds = seeds
        self.structure = Structure.of(function)
        calls = {value: node for value, node in self.structure.definition.items() if isinstance(node, Call)}
        self.phrases = Phrases(calls, lambda _: "")
        self.bar_names: dict[Slot, str] = {}
        #: What the reverse sweep may read again; `circumstances` is what callers promise.
        self.unchanged = Unchanged(function, circumstances, surroundings)
        self.surroundings = surroundings
        self.circumstances = circumstances
        self.additions = Additions()
        self.origins = find_origins(function, self.structure)
        #: Whether arrays of real numbers may be of integers when the program runs.
        self.has_integers = joins_integers(function)
        self.has_arrays = any(isinstance(type_of(value), ArrayType) for value in self.structure.home)
        #: Adjoints that have the shape of a value, whatever it is, with that value; and of which adjoints they are sums.
        self.whole: dict[Value, Operand] = {}
        self.summed_from: dict[Value, Operand] = {}
        #: Those among them that were passed over where terms are summed at once.
        self.passed_over: set[Value] = set()
        #: Numbers of less than double precision that meet others of more.
        self.widened: frozenset[Value] = find_widened(function) if self.has_arrays else frozenset()
        self.timeline = Timeline.of(function.body, self.structure)
        self.settled = SettledReads(function, self.structure, self.timeline, self.origins)
        self.halves: dict[Call, Halves] = {}
        self.modes: dict[int, str] = {}
        #: Shadows by the value that they shadow: of parameters, and those that the forward sweep makes.
        self.shadows: dict[Value, Operand] = {}
        #: Those that the forward sweep takes out of the shadow of what holds the container.
        self.shadow_loads: dict[Value, Call] = {}
        #: Shadows of parameters that the caller passes.
        self.given_shadows: dict[Value, Operand] = {}
        #: The stack of this function, if it is recursive, and those of recursive functions that it calls.
        self.own_stack = new_stack("kept")
        self.stacks: dict[Halves, tuple[Value, ...]] = {}
        self.own_interface: Halves | None = None
        #: Parameters that are variables which a nested function has captured: nobody asks for their gradients.
        self.captured: frozenset[Value] = frozenset()
        #: Parameters that are another name of an array, which the function knows by the first, each with that.
        self.other_names: Mapping[Value, Operand] = {}
        #: Late shadows: made at the start of the frame of their block.
        self.late: dict[Value, Value] = {}
        #: Of arrays that are filled and then set element by element: with what, and the stores; None of others.
        self.filled_once: dict[Value, tuple[float, list[Call]] | None] = {}
        self.root = Frame(function.body)
        self.containers = ContainerReverser(self)
        self.arrays = ArrayReverser(self)
        self.calls = CallReverser(self)

    def run(self) -> Frame:
        """Write the reverse sweep."""
        self.modes = self.choose_modes(self.calls.results_of_callees())
        while True:
            self.halves = self.calls.find_halves()
            refuse_untracked(self)
            known = self.modes
            self.modes = self.choose_modes(call.result for call, halves in self.halves.items() if halves.result_shadow == LATE)
            if followed := find_regions_to_follow(self):
                self.activity = self.activity.with_regions(followed)
                self.modes = self.choose_modes(self.calls.results_of_callees())
            elif all(known.get(region) == MIRRORED for region, mode in self.modes.items() if mode == MIRRORED):
                break
        check_assumed_numbers(self)
        self.shadows.update(self.given_shadows)
        self.containers.mirror()
        self.reverse_block(self.root, self.at_return)
        return self.root

    def choose_modes(self, late_results: Iterable[Value]) -> dict[int, str]:
        """When the shadows of all active containers are made. What was mirrored once stays so."""
        mirrored = self.calls.regions_to_mirror() | self.returned_arguments() | self.mirrored_by_callers()
        mirrored |= self.returned_in_a_circle()
        mirrored.update(region for region, mode in self.modes.items() if mode == MIRRORED)
        return find_shadow_modes(self.function, self.structure, self.activity, mirrored, late_results)

    def mirrored_by_callers(self) -> set[int]:
        """Regions of arguments whose shadows exist in the forward sweep of the caller."""
        positions = self.circumstances.mirrored if self.circumstances is not None else ()
        parameters = self.function.parameters
        return {region for index in positions for region in references_in(parameters[index].value.type)}

    def returned_arguments(self) -> set[int]:
        """What comes in with an argument and goes out with the result, also within them: the caller has two names for it."""
        leaves = [leaf.value for leaf in leaves_of_block(self.function.body) if isinstance(leaf, Return)]
        given = {region for parameter in self.function.parameters for region in references_in(parameter.value.type)}
        return given & {region for value in leaves if isinstance(value, Value) for region in references_in(value.type)}

    def returned_in_a_circle(self) -> set[int]:
        """What a function gives that one it calls calls again: that one was told that the forward half makes the shadow."""
        own = self.own_interface
        called = {one for halves in self.halves.values() for one in (halves, *halves.circle)}
        if own is None or own.result_shadow != MIRRORED or not any(map(self.driver.is_under_way, called)):
            return set()
        returned = [leaf.value for leaf in leaves_of_block(self.function.body) if isinstance(leaf, Return)]
        return {region for value in returned if isinstance(value, Value) for region in references_in(value.type)}

    # --- adjoints -------------------------------------------------------------------------------------------------------------

    def emit(
        self,
        frame: Frame,
        function: object,
        *arguments: Operand,
        span: Span | None = None,
        kind: Type = FLOAT,
        name: str = "",
        keywords: Sequence[tuple[str, Operand]] = (),
    ) -> Value:
        """Append an operation of adjoint code to a frame."""
        result = Value(name, kind, temporary=True)
        frame.operations.append(Call(result, Constant(function), arguments, tuple(keywords), span, exact=False))
        return result

    def type_of_item(self, owner: Value, key: Operand) -> Type:
        """The type of ``owner[key]`` for an array."""
        kind = type_of_operation(operator.getitem, (owner, key), fact_of=self.fact_of)
        return ArrayType(kind.dtype, kind.shape, 0, fixed=True) if isinstance(kind, ArrayType) else kind

    def type_of_place(self, store: Call) -> Type:
        """The type of ``owner[key]`` for a store to it."""
        owner, key = store.arguments[:2]
        assert isinstance(owner, Value)
        kind = self.type_of_item(owner, key)
        shape = self.driver.places.get(store.result)
        return kind if shape is None or not isinstance(kind, ArrayType) else replace(kind, shape=shape)

    def fact_of(self, operand: Operand) -> Fact:
        """What is known of an operand besides its type: the length that it is, the bounds of a slice."""
        definition = self.structure.definition.get(operand) if isinstance(operand, Value) else None
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
            return with_names(fact_of_constant(operand), operand, self.driver.counts)
        function, arguments = definition.function.value, definition.arguments
        fact = fact_of_call(function, arguments, dict(definition.keywords), type_of, self.fact_of)
        return with_names(fact, operand, self.driver.counts)

    def literal_of(self, operand: Operand) -> Constant | None:
        """The literal that a value is: a tuple of numbers."""
        definition = self.structure.definition.get(operand) if isinstance(operand, Value) else None
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
            return None
        if definition.function.value is not make_tuple:
            return None
        parts = [part if isinstance(part, Constant) else self.literal_of(part) for part in definition.arguments]
        return None if None in parts else Constant(tuple(part.value for part in parts if part is not None))

    def is_inside(self, value: Value, block: Block) -> bool:
        """Whether a value is defined in a block."""
        return self.structure.is_inside(value, block)

    def accumulate(self, frame: Frame, slot: Slot, contribution: Operand, span: Span | None = None) -> None:
        """Add a contribution to an adjoint."""
        if isinstance(contribution, Constant) and contribution.value == 0.0:
            return
        if isinstance(bar_type_of(slot), ArrayType):
            self.arrays.accumulate(frame, slot, contribution, span)
            return
        current = find_bar(frame, slot, self.is_inside, self.name_of_bar(slot))
        if current is None or (isinstance(current, Constant) and current.value == 0.0):
            frame.bars[slot] = contribution
            return
        total = new_bar(slot, self.name_of_bar(slot))
        frame.operations.append(Call(total, Constant(operator.add), (current, contribution), (), span, exact=False))
        frame.bars[slot] = total

    def name_of_bar(self, slot: Slot) -> str:
        """What the adjoint of a value is called: `x_bar`; for a value without a name `half_z_bar`, `product_bar`."""
        if slot not in self.bar_names:
            self.bar_names[slot] = new_bar(slot).name if slot[0].name else self.phrases.bar(slot[0])
        return self.bar_names[slot]

    def accumulate_operand(
        self, frame: Frame, operand: Operand, path: tuple[int, ...], contribution: Operand, span: Span | None = None
    ) -> None:
        """Add a contribution to the adjoint of an operand, if it is active."""
        if isinstance(operand, Value) and operand in self.activity:
            self.accumulate(frame, (operand, path), contribution, span)

    def take(self, frame: Frame, slot: Slot) -> Operand | None:
        """The adjoint of a value whose definition is being reversed."""
        return frame.bars.pop(slot, None)

    def at_return(self, frame: Frame, terminator: Terminator) -> None:
        """Seed the adjoint of what is returned."""
        if isinstance(terminator, Return):
            self.seeds(self, frame, terminator.value)
            contribute_at_point(self, frame, terminator.value, Constant(1.0))

    def stacks_of(self, halves: Halves) -> tuple[Value, ...]:
        """The stacks that the halves of a recursive function work on; within a circle of functions, one stands for all."""
        if any(map(self.driver.is_under_way, (halves, *halves.circle))):
            return (self.own_stack,)
        if halves not in self.stacks:
            self.stacks[halves] = tuple(map(new_stack, halves.stacks))
        return self.stacks[halves]

    # --- blocks ---------------------------------------------------------------------------------------------------------------

    def reverse_block(self, frame: Frame, leaving: Leaving) -> None:
        """Write the mirror of a block into its frame; nothing for one that raises, whatever happens: no reverse sweep follows."""
        block = frame.block
        frame.marks.append((0, block.terminator))
        if always_raises(block):
            return
        match block.terminator:
            case Branch():
                reverse_branch(self, frame, block.terminator, leaving)
            case terminator:
                leaving(frame, terminator)
        for operation in reversed(block.operations):
            frame.marks.append((len(frame.operations), operation))
            match operation:
                case Call():
                    self.calls.reverse(operation, frame)
                case If():
                    reverse_if(self, operation, frame)
                case For() | While():
                    self.reverse_loop(operation, frame)
                case Try():
                    reverse_try(self, operation, frame)
                case With():
                    reverse_with(self, operation, frame)
                case MakeFunction():
                    self.calls.reverse_make_function(operation, frame)

    def result_bars(self, frame: Frame, results: Sequence[Value]) -> list[tuple[int, tuple[int, ...], Operand]]:
        """The adjoints of a region's results: position, way to the number, adjoint."""
        found = []
        for position, result in enumerate(results):
            for path in leaves_of(result.type):
                bar = self.take(frame, (result, path))
                if bar is not None:
                    found.append((position, path, bar))
        return found

    def hand_on(self, bars: Sequence[tuple[int, tuple[int, ...], Operand]]) -> Leaving:
        """What to do at a `Yield`: the adjoints of the results go to what is yielded."""

        def leave(frame: Frame, terminator: Terminator) -> None:
            if isinstance(terminator, (Yield, Break)):
                for position, path, bar in bars:
                    self.accumulate_operand(frame, terminator.values[position], path, bar)
                    contribute_at_point(self, frame, terminator.values[position], bar)

        return leave

    # --- loops ----------------------------------------------------------------------------------------------------------------

    def reverse_loop(self, loop: For | While, frame: Frame) -> None:
        if isinstance(loop, While):
            self.check_header(loop)
        initials = {
            (position, path): self.take(frame, (item.result, path))
            for position, item in enumerate(loop.carried)
            for path in leaves_of(item.result.type)
        }
        if not any(bar is not None for bar in initials.values()) and not self.touches_memory(loop):
            return
        body = Frame(loop.body, frame)
        reversed_loop = ReversedLoop(loop, body, span=loop.span)
        body.loop = reversed_loop
        bars: dict[tuple[int, tuple[int, ...]], CarriedBar] = {}
        for (position, path), initial in initials.items():
            item = loop.carried[position]
            if item.parameter in self.activity or item.result in self.activity:
                slot = (item.parameter, path)
                before = self.arrays.settled(frame, initial if initial is not None else ZERO, slot, item.result, loop.span)
                bars[position, path] = CarriedBar(before, new_bar(slot), new_bar(slot))

        def leave(leaf: Frame, terminator: Terminator) -> None:
            if isinstance(terminator, (Yield, Break)):
                for (position, path), bar in bars.items():
                    self.accumulate_operand(leaf, terminator.values[position], path, bar.parameter)

        self.reverse_block(body, leave)
        for (position, path), bar in bars.items():
            slot = (loop.carried[position].parameter, path)
            bar.next = self.arrays.settled(body, body.bars.pop(slot, ZERO), slot, bar.parameter, loop.span)
        if isinstance(loop, For):
            self.check_target(loop, body)
        for slot, bar in reversed_loop.accumulators.items():
            bar.next = body.bars[slot]
            frame.bars[slot] = bar.result
        reversed_loop.carried = [*bars.values(), *reversed_loop.carried, *reversed_loop.accumulators.values()]
        frame.operations.append(reversed_loop)
        for (position, path), bar in bars.items():
            self.accumulate_operand(frame, loop.carried[position].initial, path, bar.result)

    def check_header(self, loop: While) -> None:
        """What a condition computes is not reversed."""
        for node in walk(loop.header):
            if isinstance(node, Call) and any(map(self.activity.is_region_active, regions_written(node))):
                raise unsupported(
                    loop.span, "the condition of this loop changes a container of active numbers", "move the change into the loop"
                )

    def check_target(self, loop: For, body: Frame) -> None:
        if any(slot[0] is loop.target for slot in body.bars):
            raise unsupported(
                loop.span,
                "a derivative passes through the elements of this iterator",
                "loop over a list or over a range of indices",
            )

    # --- memory -----------------------------------------------------------------------------------------------------------------

    def touches_memory(self, node: Operation) -> bool:
        """Whether a region loads, stores or restructures active containers, so that it must be reversed for their sake."""
        blocks = [node.then, node.orelse] if isinstance(node, If) else []
        if isinstance(node, (For, While, With)):
            blocks = [node.body]
        if isinstance(node, Try):
            blocks = [node.body, *(handler.body for handler in node.handlers)]
        return any(map(self.touches_memory_block, blocks))

    def touches_memory_block(self, block: Block) -> bool:
        return any(isinstance(node, Call) and self.touches_memory_call(node) for node in walk(block))

    def touches_memory_call(self, call: Call) -> bool:
        """Whether a call does something to an active container, or to the stack of a recursive function."""
        if call in self.halves and self.halves[call].uses_stack:
            return True
        if self.restored and not self.restored.isdisjoint(regions_written(call)):
            return True
        operands = (*call.arguments, *(operand for _, operand in call.keywords), call.result)
        for operand in operands:
            region = own_region(operand)
            if region is not None and self.activity.is_region_active(region):
                return True
        return (
            isinstance(call.function, Constant)
            and isinstance(call.function.value, Callee)
            and any(
                operand in self.activity and not carries_derivative(operand.type)
                for operand in call.arguments
                if isinstance(operand, Value)
            )
        )

    def check_kind(self, call: Call, operand: Operand) -> None:
        """Refuse what could be anything where a derivative passes through it."""
        if isinstance(operand, Value) and isinstance(operand.type, AnyType) and operand in self.activity:
            raise unsupported(
                call.span,
                f"the type of {operand.name or 'this value'} is not the same on all paths, or cannot be found out",
                "give it one type (a number, or a list of numbers) on every path",
            )
