"""The pipeline: source -> IR -> types -> activity -> reverse sweep -> simplify -> text -> function."""

from __future__ import annotations

import inspect
import itertools
import operator
import os
import types
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Final

from s2sad import runtime
from s2sad.analysis.activity import find_activity
from s2sad.analysis.analyser import Analyser
from s2sad.analysis.array_shapes import Count, Shape
from s2sad.analysis.early_elements import refuse_early_elements
from s2sad.analysis.lift_outside import Place, SharedOutsideError
from s2sad.analysis.memory import references_in
from s2sad.analysis.outside_objects import refuse_lost_outside
from s2sad.analysis.specialisation import Context, Specialisation
from s2sad.analysis.write_types import is_as_in_python
from s2sad.emit.generate import emit_function
from s2sad.frontend.lower import lower_function
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.effects import ACTS, READS, Callee
from s2sad.ir.memo import remembering
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Value, operands_of
from s2sad.ir.operations import comment, load_captured, load_global, make_tuple
from s2sad.ir.printer import print_function
from s2sad.ir.types import (
    ANY,
    FLOAT,
    ArrayType,
    TupleType,
    Type,
)
from s2sad.ir.verify import verify
from s2sad.pipeline.arguments import (
    check_left,
    check_result,
    copies_of_changed,
    is_changed,
    literal_defaults,
    may_not_be_scalar,
    other_names_of_arrays,
    own_value,
    real_arguments,
    refuse_indices,
    refuse_none,
    slots_counted_before,
)
from s2sad.pipeline.circles import Key, PromiseWithdrawnError, are_alike, calls_itself, common, differ_in_numbers, serve
from s2sad.pipeline.collector import collector_paused
from s2sad.pipeline.finish_gradients import Bar, finish_gradient, map_bar
from s2sad.pipeline.inline_models import find_models, inline_models
from s2sad.pipeline.merge_units import callees_of, redirect, twin_of
from s2sad.pipeline.overlap import guards_of_outside
from s2sad.pipeline.split import SplitBuilder, emit, identifier, listed, primal_name
from s2sad.pipeline.units import Generated, Unit
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.float_results import has_numbers_of_numpy, is_plain_float, make_results_floats
from s2sad.transform.fold_constants import fold_constants
from s2sad.transform.free_summed_arrays import free_summed_arrays
from s2sad.transform.hoist_invariants import HoistOptions
from s2sad.transform.hold_numbers import hold_numbers, release_marks
from s2sad.transform.lower_headers import lower_headers
from s2sad.transform.lower_iteration import lower_iteration
from s2sad.transform.lower_lookups import lower_lookups
from s2sad.transform.lower_stores import loads_of_memory, lower_stores
from s2sad.transform.make_arrays import make_arrays
from s2sad.transform.move_exits import move_exits
from s2sad.transform.name_lengths import name_lengths
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.reverse.engine import Engine
from s2sad.transform.reverse.forward_sweep import ForwardSweep
from s2sad.transform.reverse.frames import ZERO, Frame, leaves_of
from s2sad.transform.reverse.halves import Halves
from s2sad.transform.reverse.left_outside import LeftOutside, removes_names
from s2sad.transform.reverse.records import RecursiveHalves, finish_circle, make_list_of
from s2sad.transform.reverse.restoring import RestoreNeeded
from s2sad.transform.reverse.reverse_sweep import ReverseSweep
from s2sad.transform.reverse.shadows import MIRRORED, has_shadow, own_region, takes_shadow
from s2sad.transform.reverse.unchanged import Circumstances, Surroundings, has_unknown_effects
from s2sad.transform.reverse_in_place import reverse_in_copies, reverse_in_place
from s2sad.transform.rewrite import copy_function, substitute_block, with_body
from s2sad.transform.share_subexpressions import share_subexpressions
from s2sad.transform.simplify import Runner, simplify
from s2sad.transform.split_displays import split_displays
from s2sad.transform.split_tuple_operands import split_tuple_operands
from s2sad.transform.turn_ranges import turn_ranges
from s2sad.transform.write_out_sums import release_models, write_out_sums

#: So many variables outside go from function to function; a program that asks for more asks without end.
MOST_HANDED_ON: Final = 100
_COUNTER: Final = itertools.count(1)
#: ``x ** 2`` leaves its loop without a condition: it raises only where the square overflows.
_OPTIONS: Final = HoistOptions(small_powers=True)
#: What brings a program into shape before its derivative is made.
_PASSES_BEFORE: Final = (fold_constants, partial(share_subexpressions, into_arms=False), eliminate_dead_code)
#: The tests check the IR after every pass.
_VERIFIES: Final = bool(os.environ.get("S2SAD_VERIFY"))


class Generator:
    """One run: makes one derivative and the halves of all functions that it calls."""

    def __init__(self, handed_on: Set[Place] = frozenset()) -> None:
        self.analyser = Analyser(lambda function: reverse_in_copies(lower_function(function)), handed_on)
        self.halves: dict[Key, Halves] = {}
        self.under_way: set[Key] = set()
        #: Halves of recursive functions that wait for the last of those that call each other.
        self.pending: list[RecursiveHalves] = []
        #: Whether functions call themselves, also by way of others.
        self.in_circle: dict[Specialisation, bool] = {}
        self.units: list[Unit] = []
        #: Functions that were dropped since another has the same text, with that other; and those that make an instance of a
        #: class, with the class.
        self.merged: dict[Callee, object] = {}
        self.names: dict[str, int] = {}
        #: Integers of which the names of lengths are made.
        self.counts: dict[Value, Count] = {}
        #: The shapes of what is stored to, by the results of the stores, where their indices tell less.
        self.places: dict[Value, Shape] = {}
        self.lifted: set[Callee] = set()
        self.stages: dict[str, Callable[[], str]] = {}
        #: Whether any of the functions works on arrays: then numbers may be NumPy's.
        self.has_arrays = False

    # --- what the engine asks for -----------------------------------------------------------------------------------------------

    def specialise_call(self, function: object, argument_types: tuple[object, ...]) -> Specialisation:
        """A Python function for these types."""
        assert isinstance(function, types.FunctionType)
        return self.analyser.specialise_function(function, argument_types)  # type: ignore[arg-type]

    def surroundings_of(self, specialisation: Specialisation) -> Surroundings:
        """What a function that is called finds outside."""
        changed = self.analyser.changed_outside
        return Surroundings(
            frozenset(specialisation.outside),
            frozenset(region for region, owners in specialisation.outside.items() if owners & changed),
            any(has_unknown_effects(one.function, with_callees=False) for one in self.analyser.specialisations.values()),
        )

    def halves_of(self, specialisation: Specialisation, active: tuple[int, ...], circumstances: Circumstances) -> Halves:
        """The halves of a function with respect to some parameters. While they are being made (recursion), their interface is
        the most general one."""
        if self.is_in_circle(specialisation):
            # the forward half takes all shadows, so the caller has them
            mirrored = tuple(index for index in active if takes_shadow(specialisation.function, index))
            circumstances = replace(circumstances, mirrored=mirrored)
            if (found := self.halves_in_circle(specialisation, active, circumstances)) is not None:
                return found
        key = (specialisation, active, circumstances)
        if key in self.halves:
            return self.halves[key]
        before = (dict(self.halves), set(self.under_way), list(self.pending), list(self.units))
        names = (dict(self.merged), dict(self.names), set(self.lifted))
        try:
            return self.make_halves(key)
        except PromiseWithdrawnError as withdrawn:
            if withdrawn.key != key:
                raise
            self.halves, self.under_way, self.pending, self.units = before
            self.merged, self.names, self.lifted = names
            return self.halves_of(specialisation, withdrawn.active, withdrawn.circumstances)

    def halves_in_circle(
        self, specialisation: Specialisation, active: tuple[int, ...], circumstances: Circumstances
    ) -> Halves | None:
        """The halves of a function that calls itself, if there are some which serve."""
        alike = [key for key in self.halves if key[0] is specialisation and are_alike(key[2], circumstances)]
        alike = [key for key in alike if differ_in_numbers(specialisation, key[1], active)]
        serving = [key for key in alike if serve(key[2], circumstances) and set(active) <= set(key[1])]
        under_way = next((key for key in alike if key in self.under_way), None)
        if not serving and under_way is not None:
            together = tuple(sorted({*active, *under_way[1]}))
            raise PromiseWithdrawnError(under_way, together, common(under_way[2], circumstances))
        return self.halves[serving[0]] if serving else None

    def make_halves(self, key: Key) -> Halves:
        """The halves of a function that has none yet."""
        specialisation, active, circumstances = key
        provisional = self.general_interface(specialisation, active)
        first = len(self.pending)
        self.halves[key] = provisional
        self.under_way.add(key)
        restored: frozenset[int] = frozenset()
        made: Halves | None = None
        while made is None:
            builder = SplitBuilder(self, specialisation, active, provisional, circumstances, restored)
            builder.reverse_sweep()
            # a function that calls one under way is part of the same circle
            called = builder.engine.halves.values()
            around = {h for h in (*called, *(one for h in called for one in h.circle)) if self.is_under_way(h)}
            circle = around - {provisional}
            try:
                made = builder.build(bool(around))
            except RestoreNeeded as needed:
                restored |= needed.regions
        made.circle = frozenset(circle)
        for inner in self.halves.values():
            if provisional in inner.circle:  # it is in the circles that this one is in
                inner.circle |= made.circle
        if not (made.uses_stack or provisional.shadowed or made.result_shadow):
            made.reverse.effects = READS  # it takes nothing off a stack, and changes no shadow
        self.under_way.remove(key)
        self.halves[key] = made
        if made.uses_stack and not circle:
            names, finished = finish_circle(self.pending[first:])
            del self.pending[first:]
            for half, context, callee in finished:
                self.add_unit(half, context, callee)
            for one in [made, *(halves for halves in self.halves.values() if provisional in halves.circle)]:
                one.stacks = names
        return made

    def is_in_circle(self, specialisation: Specialisation) -> bool:
        """Whether a function calls itself, or others that call it."""
        if specialisation not in self.in_circle:
            self.in_circle[specialisation] = calls_itself(specialisation)
        return self.in_circle[specialisation]

    def under_way_halves(self) -> list[Halves]:
        """The interfaces of functions whose halves are being made."""
        return [self.halves[key] for key in self.under_way]

    def is_under_way(self, halves: Halves) -> bool:
        """Whether halves are being made: a call of them is recursive."""
        return halves in self.under_way_halves()

    def general_interface(self, specialisation: Specialisation, active: tuple[int, ...]) -> Halves:
        """All that a reverse half could take and give."""
        function = specialisation.function
        parameters = [parameter.value for parameter in function.parameters]
        containers = tuple(index for index in active if takes_shadow(function, index))
        name = self.fresh_name(identifier(primal_name(specialisation)))
        result = specialisation.returned
        return Halves(
            Callee(f"{name}_reverse", ACTS),
            Callee(f"{name}_forward", ACTS),
            tuple(range(len(parameters))),
            False,
            tuple(leaves_of(result)),
            tuple(
                (index, path)
                for index in active
                for path in leaves_of(parameters[index].type)
                if index not in containers or not isinstance(parameters[index].type, ArrayType)
            ),
            containers,
            containers,
            MIRRORED if has_shadow(result) else "",
            uses_stack=True,
        )

    def fresh_name(self, name: str) -> str:
        """A name for the halves of a function: two functions of one name (or one for two signatures) are told apart."""
        count = self.names.get(name, 0) + 1
        self.names[name] = count
        return name if count == 1 else f"{name}_{count}"

    def name_beside(self, name: str, variables: Set[str] = frozenset()) -> str:
        """A name that no function of the text has, and none of these variables: two nested functions of one name are two in the
        text."""
        taken = variables | {callee.name for callee in self.lifted} | {unit.function.name for unit in self.units}
        numbered = (f"{name}_{number}" for number in itertools.count(2))
        return next(one for one in itertools.chain([name, f"{name}_function"], numbered) if one not in taken)

    # --- generated functions ----------------------------------------------------------------------------------------------------

    def add_unit(
        self, function: Function, context: Context, callee: Callee, finish: Callable[[Function], Function] | None = None
    ) -> Unit:
        """Simplify, emit, and keep a generated function; what it calls comes before it."""
        function = release_models(release_marks(function))
        called = functions_called(function)
        function = inline_models(function, find_models({u.callee: u.function for u in self.units if u.callee in called}))
        if _VERIFIES:
            verify(function)
        function = simplify(function, verify=_VERIFIES, options=_OPTIONS)
        if finish is not None:
            function = finish(function)
            if _VERIFIES:
                verify(function)
        function = reverse_in_place(function)
        if _VERIFIES:
            verify(function)
        self.add_primals(function, context)
        function = redirect(function, self.merged)
        reserved = frozenset(_names_read(function, context))
        emitted = emit_function(function, reserved=reserved, module=context.module)
        unit = Unit(function, emitted, context, callee, f"<s2sad {next(_COUNTER)}: {function.name}>")
        if (twin := twin_of(unit, self.units)) is not None:
            self.merged[callee] = twin.callee
            callee.cell = twin.callee.cell  # for what has been written down already
        else:
            self.units.append(unit)
        return unit

    def add_primals(self, function: Function, context: Context) -> None:
        """Functions of the user that are called as they are: nested ones get a function of their own."""
        for node in nodes_of(function):
            if not isinstance(node, Call) or not isinstance(node.function, Constant):
                continue
            callee = node.function.value
            if not isinstance(callee, Callee) or not isinstance(callee.unit, Specialisation):
                continue
            specialisation = callee.unit
            is_as_written = self.analyser.is_as_written(specialisation) and _is_plainly_called(specialisation)
            if specialisation.python_function is not None and is_as_written:
                callee.cell.cell_contents = specialisation.python_function
                if not isinstance(specialisation.python_function, types.FunctionType):  # it has a name of its own
                    self.merged[callee] = specialisation.python_function
            elif callee not in self.lifted:
                self.add_lifted(specialisation, callee)

    def add_lifted(self, specialisation: Specialisation, callee: Callee) -> None:
        """A nested function as a function of its own, which takes what it captured as arguments."""
        refuse_early_elements(specialisation)
        variables = {name for known in self.analyser.specialisations.values() for name in _variables_of(known.function)}
        callee.name = self.name_beside(identifier(callee.name), variables)
        self.lifted.add(callee)
        copied = copy_function(specialisation.function)
        function = Function(callee.name, copied.parameters, copied.body, (), copied.span)
        self.add_unit(function, specialisation.context, callee)

    def prepare(
        self,
        function: Function,
        inputs: Sequence[Value],
        outputs: Sequence[object],
        returned: Type = ANY,
        hiding: Sequence[object] | None = None,
    ) -> Function:
        """Bring a typed function into the form that reverse mode takes; `returned` is the type of what it gives. For the others,
        see :func:`find_activity`."""
        if _VERIFIES:
            verify(function)
        function = split_tuple_operands(lower_lookups(lower_stores(turn_ranges(function))))
        function = hold_numbers(function, returned)
        activity = find_activity(function, inputs, outputs, hiding)
        with_headers = lower_headers(function, activity.is_region_active)
        if with_headers is not function:
            function = with_headers
            activity = find_activity(function, inputs, outputs, hiding)
        with_exits = move_exits(function, activity.__contains__)
        if with_exits is not function:
            function = with_exits
            activity = find_activity(function, inputs, outputs, hiding)
        with_sums = free_summed_arrays(write_out_sums(function, activity.is_region_active))
        if with_sums is not function:
            function = with_sums
            activity = find_activity(function, inputs, outputs, hiding)
        with_arrays = make_arrays(function, activity)
        if with_arrays is not function:
            function = with_arrays
            activity = find_activity(function, inputs, outputs, hiding)
        lowered = hold_numbers(split_displays(lower_iteration(function, activity)), returned)
        return name_lengths(Runner(_VERIFIES).run_until_idle(_PASSES_BEFORE, lowered), self.counts, self.places)

    # --- the derivative itself --------------------------------------------------------------------------------------------------

    @collector_paused()
    @remembering()
    def gradient(
        self,
        function: types.FunctionType,
        argument_types: Sequence[Type],
        wanted: Sequence[tuple[int, tuple[int, ...]]],
        *,
        with_value: bool,
        as_tuple: bool,
        integers: frozenset[tuple[int, tuple[int, ...]]] = frozenset(),
    ) -> Generated:
        """The gradient of a function of these argument types with respect to the parameters `wanted`: positions, with the way
        to an element where the parameter is ``*args``. `integers` are those among them that are given as integers."""
        specialisation = self.analyser.specialise_function(function, argument_types)
        return self.gradient_of_specialisation(
            specialisation,
            wanted,
            with_value=with_value,
            as_tuple=as_tuple,
            integers=integers,
            defaults=literal_defaults(function),
        )

    @collector_paused()
    @remembering()
    def gradient_of_specialisation(
        self,
        specialisation: Specialisation,
        wanted: Sequence[tuple[int, tuple[int, ...]]],
        *,
        with_value: bool,
        as_tuple: bool,
        integers: frozenset[tuple[int, tuple[int, ...]]] = frozenset(),
        defaults: Mapping[str, Constant] = types.MappingProxyType({}),
        captured: int = 0,
    ) -> Generated:
        """The gradient of a typed function. The first parameters may be variables that a nested function has `captured`: what it
        does to them is seen outside."""
        typed = specialisation.function
        self.stages["ir"] = partial(print_function, specialisation.definition)
        self.stages["types"] = partial(print_function, typed, types=True)
        check_result(specialisation)
        refuse_early_elements(specialisation)
        typed = refuse_none(typed)
        inputs = [typed.parameters[index].value for index, _ in wanted]
        prepared = self.prepare(typed, inputs, ())
        if other_names := other_names_of_arrays(prepared, specialisation):
            prepared = with_body(prepared, substitute_block(prepared.body, other_names))
        self.stages["prepared"] = partial(print_function, prepared, types=True)
        activity = find_activity(prepared, inputs)

        def seed(engine: Engine, frame: Frame, operand: Operand) -> None:
            if own_region(operand) is not None:  # an array without axes
                engine.arrays.contribute(operand, Constant(1.0), frame, None)
            else:
                engine.accumulate_operand(frame, operand, (), Constant(1.0))

        restored: frozenset[int] = frozenset()
        while True:
            engine = Engine(prepared, activity, self, seed, restored=restored)
            engine.captured = frozenset(parameter.value for parameter in prepared.parameters[:captured])
            engine.other_names = other_names
            root = engine.run()
            self.has_arrays |= engine.has_arrays
            gradients = [self.gradient_of(engine, root, value, path) for value, (_, path) in zip(inputs, wanted, strict=True)]
            try:
                decisions = Decisions(engine, is_split=False)
                break
            except RestoreNeeded as needed:
                restored |= needed.regions
        refuse_lost_outside(specialisation, [index for index, _ in wanted])
        forward, end = ForwardSweep(decisions).block(prepared.body)
        copies, renamed = copies_of_changed(
            prepared.parameters[captured:], specialisation.argument_types[captured:], specialisation
        )
        conversions, converted = real_arguments(prepared, specialisation, wanted, integers)
        if conversions:
            refuse_indices(one.function for one in self.analyser.specialisations.values() if one.complete)
        lists = [*decisions.lists.values(), *(stack for stacks in engine.stacks.values() for stack in stacks)]
        operations: list[Operation] = [_comment("forward sweep"), *map(make_list_of, lists), *forward]
        finish: list[Operation] = []
        primals = [one.function for one in self.analyser.specialisations.values() if one.complete]
        name = f"{identifier(typed.name)}_adjoint" if not with_value else f"{identifier(typed.name)}_value_and_adjoint"
        if isinstance(end, Return):
            if may_not_be_scalar(specialisation.result):
                emit(operations, runtime.check_result, end.value)
            loads = [load for load in loads_of_memory(prepared) if not restored.isdisjoint(references_in(load.result.type))]
            check_left(specialisation, restored, [load.result for load in loads])
            left = LeftOutside(restored, self.analyser.outside_variables.values(), removes_names=any(map(removes_names, primals)))
            for load in loads:
                left.keep(load)
            operations += left.copies
            # here, for the reverse sweep may put back what an array held before
            own = own_value(operations, end.value) if with_value else end.value
            operations.append(_comment("reverse sweep"))
            reverse, mapping = ReverseSweep(decisions).frame(root, dict(decisions.exported))
            operations += reverse
            operations += left.stores
            repeated = slots_counted_before(specialisation, wanted)
            results = []
            for bar, value, slot in zip(gradients, inputs, wanted, strict=True):
                given, changed = converted.get(value, value), is_changed(value, specialisation)
                found = None if slot in repeated else map_bar(bar, lambda one: mapping.get(one, one))
                results.append(finish_gradient(finish, found, given, self.has_arrays, changed, slot[1]))
            result = emit(finish, make_tuple, *results) if as_tuple else results[0]
            if with_value:
                result = emit(finish, make_tuple, own, result)
            end = Return(result)
        # the sweeps use the copies of changed arguments; a gradient has the structure of the argument as it came
        sweeps = substitute_block(Block(tuple(operations), end), {**renamed, **converted})
        heading, *swept = sweeps.operations
        body = Block((heading, *copies, *conversions, *swept, *finish), sweeps.terminator)
        taken = [parameter.value for parameter in prepared.parameters]
        parameters = tuple(Parameter(value, default=defaults.get(value.name)) for value in taken)
        wrt = listed(dict.fromkeys(value.name for value in inputs))
        says = f"Value of {typed.name}, and its gradient" if with_value else f"Gradient of {typed.name}"
        generated = Function(name, parameters, body, (), prepared.span, f"{says} with respect to {wrt}.")
        self.stages["reverse"] = partial(print_function, generated)
        places = [(1,) if with_value else () for _ in inputs]
        paths = [(*place, index) if as_tuple else place for index, place in enumerate(places)]
        scalars = [path for path, value, slot in zip(paths, inputs, wanted, strict=True) if is_plain_float(value, slot[1])]
        halves = {made.reverse: made for made in engine.halves.values()}
        whole = {inputs[index] for index, slot in enumerate(wanted) if slot in integers}
        floats = {value for value in taken if value.type == FLOAT and value not in whole}
        numpy = self.has_arrays or any(map(has_numbers_of_numpy, primals))
        unit = self.add_unit(
            generated,
            specialisation.context,
            Callee(name, READS),
            lambda function: make_results_floats(function, scalars, floats, halves, numpy=numpy),
        )
        self.stages["simplified"] = partial(print_function, unit.function)
        for other in self.analyser.specialisations.values():
            other.python_function = None  # a derivative does not keep its primal alive
        written = frozenset(region for region, flags in specialisation.flags if flags)
        outside = tuple(self.analyser.outside_variables.values())
        guards = [*self.analyser.guards.values(), *guards_of_outside(outside, specialisation.definition.name)]
        return Generated(reachable(self.units), guards, self.stages, written=written, outside=outside)

    def gradient_of(self, engine: Engine, root: Frame, value: Value, path: tuple[int, ...]) -> Bar:
        """The adjoint of an input at the end of the reverse sweep. None: a container that does not matter."""
        if own_region(value) is not None and not path:
            return engine.containers.shadow(value, root) if engine.containers.is_active(value) else None
        kind = value.type
        for step in path:
            assert isinstance(kind, TupleType)
            kind = kind.elements[step]
        return self.bar_of_part(engine, root, value, kind, path)

    def bar_of_part(self, engine: Engine, root: Frame, value: Value, kind: Type, path: tuple[int, ...]) -> Bar:
        """The adjoint of an input that is a number or an array, or of what an input that is a tuple holds in a place."""
        if isinstance(kind, TupleType):
            return tuple(self.bar_of_part(engine, root, value, part, (*path, index)) for index, part in enumerate(kind.elements))
        if any(True for _ in leaves_of(kind)) or not references_in(kind):
            return root.bars.get((value, path), ZERO)
        if not any(map(engine.activity.is_region_active, references_in(kind))):
            return None
        shadow: Operand = engine.containers.shadow(value, root)
        for step in path:
            shadow = engine.emit(root, operator.getitem, shadow, Constant(step), kind=ANY)
        return shadow


def generate(make: Callable[[Generator], Generated]) -> Generated:
    """What a generator makes. Where functions turn out to share a container outside, it starts again, and has them hand it on."""
    handed_on: frozenset[Place] = frozenset()
    while True:
        try:
            return make(Generator(handed_on))
        except SharedOutsideError as shared:
            if shared.places <= handed_on or len(handed_on) > MOST_HANDED_ON:
                raise shared.refusal from None
            handed_on |= shared.places


def reachable(units: list[Unit]) -> list[Unit]:
    """The units that the last one needs; halves that were made anew for a caller that asks for more are left out."""
    needed = {units[-1].callee}
    kept: list[Unit] = []
    while True:
        missing = [unit for unit in units if unit.callee in needed and unit not in kept]
        if not missing:
            return [unit for unit in units if unit in kept]
        kept.extend(missing)
        for unit in missing:
            needed.update(callees_of(unit.function))


def _is_plainly_called(specialisation: Specialisation) -> bool:
    """Whether the user's function takes one positional argument a parameter, as resolved calls pass them."""
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    kinds = (*specialisation.argument_types, specialisation.result, *(kind for _, kind in specialisation.regions))
    if not all(map(is_as_in_python, kinds)):
        return False
    return all(parameter.kind in plain for parameter in specialisation.definition.parameters)


def _variables_of(function: Function) -> set[str]:
    """The names of the parameters of a function, and of all that is read in it: of what is left when calls are resolved."""
    read = (operand for node in nodes_of(function) for operand in operands_of(node))
    return {value.name for value in (*(parameter.value for parameter in function.parameters), *read) if isinstance(value, Value)}


def _comment(text: str) -> Call:
    return Call(Value("", ANY, temporary=True), Constant(comment), (Constant(text),), (), None, exact=False)


def _names_read(function: Function, context: Context) -> set[str]:
    """Names that the text reads from the module or the closure: no local may take them."""
    return {
        str(node.arguments[0].value)
        for node in nodes_of(function)
        if isinstance(node, Call)
        and isinstance(node.function, Constant)
        and node.function.value in (load_global, load_captured)
        and isinstance(node.arguments[0], Constant)
    }
