"""The two halves of a function that is called: the forward half, which also gives what the reverse half needs, and the
reverse half.

``def decay(u, k): return -k * u * u`` needs nothing but its arguments to be reversed, so its forward half is the function
itself::

    def decay_reverse(u, k, decay_bar):
        return -2.0 * decay_bar * k * u, -decay_bar * u * u
"""

from __future__ import annotations

import functools
import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from s2sad.analysis.activity import Activity, find_activity
from s2sad.analysis.early_elements import refuse_early_elements
from s2sad.analysis.lift_outside import SharedOutsideError
from s2sad.analysis.memory import references_in
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    Operand,
    Operation,
    Parameter,
    Raise,
    Return,
    Value,
    function_of,
    leaves_of_block,
    operands_of,
    walk,
)
from s2sad.ir.operations import make_tuple, new_object
from s2sad.ir.types import ANY, FLOAT, NoneType, TupleType
from s2sad.rules.checks import name_of
from s2sad.rules.core import model_with_body
from s2sad.transform.drop_dead_changes import drop_dead_changes
from s2sad.transform.lower_stores import loads_of_memory
from s2sad.transform.reverse.array_names import is_same_object, is_view, is_view_or_copy, memory_of
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.reverse.engine import Engine
from s2sad.transform.reverse.errors import unsupported
from s2sad.transform.reverse.forward_shadows import shadow_type
from s2sad.transform.reverse.forward_sweep import ForwardSweep
from s2sad.transform.reverse.frames import ZERO, Frame, bar_type_of, leaves_of
from s2sad.transform.reverse.halves import Halves
from s2sad.transform.reverse.records import RecursiveHalves, make_list_of, unpack
from s2sad.transform.reverse.reverse_sweep import ReverseSweep
from s2sad.transform.reverse.shadows import LATE, MIRRORED, has_shadow, own_region, region_numbers, takes_shadow
from s2sad.transform.reverse.unchanged import Circumstances
from s2sad.transform.rewrite import copy_function, substitute_block

if TYPE_CHECKING:
    from s2sad.pipeline.generate import Generator


#: Whether a call gives another name of its first operand, or a part of it.
_ALIASES: Final = (is_same_object, is_view, is_view_or_copy)


class SplitBuilder:
    """Makes the two halves of one function. `interface` is the most general one, which recursive calls use."""

    def __init__(
        self,
        generator: Generator,
        specialisation: Specialisation,
        active: tuple[int, ...],
        interface: Halves,
        circumstances: Circumstances,
        restored: frozenset[int] = frozenset(),
    ) -> None:
        self.generator = generator
        self.specialisation = specialisation
        self.interface = interface
        self.circumstances = circumstances
        self.result_bars: dict[tuple[int, ...], Value] = {}
        self.result_shadow: Value | None = None
        refuse_early_elements(specialisation)
        typed = specialisation.function
        inputs = [typed.parameters[index].value for index in active]
        outputs = [region for value in inputs for region in references_in(value.type)]
        numbers = region_numbers(specialisation)
        hiding: list[object] = [region for region, number in numbers.items() if number in circumstances.hiding]
        hiding += [typed.parameters[index].value for index in circumstances.hidden]
        self.prepared = generator.prepare(typed, inputs, outputs, specialisation.returned, hiding)
        self.parameters = [parameter.value for parameter in self.prepared.parameters]
        activity = find_activity(self.prepared, inputs, outputs, hiding)
        given = [region for parameter in typed.parameters for region in references_in(parameter.value.type)]
        asked = {region for region in given if numbers.get(region, 0) in circumstances.restored}
        restored |= asked
        self.refuse_arrays_outside(activity)
        surroundings = generator.surroundings_of(specialisation)
        self.engine = Engine(self.prepared, activity, generator, self.seed, circumstances, restored, surroundings)
        self.shadows = {
            index: Value(f"{self.parameters[index].name}_bar", shadow_type(self.parameters[index].type), temporary=True)
            for index in active
            if takes_shadow(typed, index)
        }
        self.engine.given_shadows = {
            self.parameters[index]: shadow for index, shadow in self.shadows.items() if has_shadow(self.parameters[index].type)
        }
        for index, shadow in self.shadows.items():
            if not has_shadow(self.parameters[index].type):  # an array that is a value here
                self.engine.arrays.give_buffer(self.engine.root, (self.parameters[index], ()), shadow)
        self.engine.own_interface = interface
        self.root = self.engine.root

    def refuse_arrays_outside(self, activity: Activity) -> None:
        """What one call leaves in an array outside, the next call may read: it is passed as an argument."""
        for call in loads_of_memory(self.prepared):
            if any(map(activity.is_region_active, references_in(call.result.type))):
                refusal = unsupported(
                    call.span,
                    f"{self.specialisation.definition.name}() is called, and changes an array outside of it",
                    "pass the array as an argument",
                )
                changed = [one.variable for one in self.generator.analyser.outside_variables.values() if one.is_written]
                raise SharedOutsideError(changed, refusal)

    def reverse_sweep(self) -> None:
        """Write the reverse sweep; calls that it meets get their halves."""
        self.engine.run()
        self.generator.has_arrays |= self.engine.has_arrays

    def build(self, is_recursive: bool) -> Halves:
        """The halves, with the narrowest interface that serves; recursive calls have used the general one already."""
        engine, parameters, shadows = self.engine, self.parameters, self.shadows
        slots = self.interface.slots
        bars = [self.bar_of(parameters[index], path) for index, path in slots]
        decisions = Decisions(engine, is_split=True, is_recursive=is_recursive)
        forward, end = ForwardSweep(decisions).block(self.prepared.body)
        reverse, mapping = ReverseSweep(decisions).frame(self.root, dict(decisions.exported))
        result_mode = self.result_mode(end, is_recursive)
        mirrored = self.mirrored(end, result_mode, is_recursive)

        given = {*parameters, *shadows.values()}
        stacks = [stack for made in engine.stacks.values() for stack in made]
        lists = [] if is_recursive else [*decisions.lists.values(), *stacks]  # those in a record are made with it
        kept = [*(exported for value, exported in decisions.exported.items() if value not in given), *lists]
        used = values_read(reverse, bars)
        kept = [value for value in kept if value in used]
        names = {exported: decisions.name_of(value) for value, exported in decisions.exported.items() if not exported.name}
        described = {value: Value(name, value.type, temporary=True) for value in kept if (name := names.get(value, ""))}
        if len(kept) == 1:
            saved = Value(kept[0].name or names.get(kept[0]) or "kept", kept[0].type, temporary=True)
        else:
            saved = Value("kept", TupleType(tuple(value.type for value in kept)), temporary=True)
        operations = [*(unpack(saved, kept) if len(kept) > 1 else ()), *reverse]
        final = [mapping.get(bar, bar) if isinstance(bar, Value) else bar for bar in bars]
        result: Operand = Constant(None)
        if len(final) == 1:
            result = final[0]
        elif final:
            result = emit(operations, make_tuple, *final)
        read = values_read(operations, final)
        needed = tuple(index for index, value in enumerate(parameters) if is_recursive or value in read)
        body = Block(tuple(operations), Return(result))
        body = substitute_block(body, {kept[0]: saved}) if len(kept) == 1 else with_definitions(body, described)
        reverse_parameters = [
            *(parameters[index] for index in needed),
            *([saved] if kept else []),
            *(self.result_bars.get(path, Value("result_bar", FLOAT, temporary=True)) for path in self.interface.result_paths),
            *([self.result_shadow or Value("result_bar", ANY, temporary=True)] if result_mode else []),
            *shadows.values(),
            *([engine.own_stack] if is_recursive else []),
        ]
        reverse_callee = self.interface.reverse
        added_to = [shadow for index, shadow in shadows.items() if index not in self.circumstances.fresh]
        says = describe_reverse_half(self.specialisation, [parameters[index] for index, _ in slots], added_to)
        reverse_half = Function(
            reverse_callee.name, tuple(map(Parameter, reverse_parameters)), body, (), self.prepared.span, says
        )

        halves: list[tuple[Function, Callee]] = []
        is_none = isinstance(self.specialisation.returned, NoneType) and not is_recursive
        gives_result = not self.circumstances.saves_only
        forward_callee: Callee | None = None
        if kept or mirrored or is_recursive or result_mode == MIRRORED:
            forward_callee = self.interface.forward
            assert forward_callee is not None
            operations = [*map(make_list_of, lists), *forward]
            if isinstance(end, Return):
                parts: list[Operand] = [end.value] if gives_result and not is_none else []
                if result_mode == MIRRORED:
                    parts.append(engine.containers.forward_shadow(end.value))
                if kept:
                    parts.append(kept[0] if len(kept) == 1 else emit(operations, make_tuple, *kept))
                returned = emit(operations, make_tuple, *parts) if len(parts) > 1 else next(iter(parts), Constant(None))
                end = Return(returned)
            forward_parameters = [
                *parameters,
                *(shadows[index] for index in mirrored),
                *([engine.own_stack] if is_recursive else []),
            ]
            forward_half = Function(
                forward_callee.name,
                tuple(map(Parameter, forward_parameters)),
                Block(tuple(operations), end),
                (),
                self.prepared.span,
                f"{name_of_primal(self.specialisation)}, and what {reverse_callee.name}() needs."
                if gives_result
                else f"What {reverse_callee.name}() needs.",
            )
            halves.append((forward_half, forward_callee))
        halves.append((reverse_half, reverse_callee))
        if is_recursive:
            pushes = bool(decisions.records)
            self.generator.pending.append(RecursiveHalves(halves, engine.own_stack, pushes, self.specialisation.context))
        else:
            forgotten = [reverse_parameters.index(shadow) for shadow in self.forgotten(end) if shadow in reverse_parameters]
            for half, callee in halves:
                copied = copy_function(half)
                dead = [copied.parameters[index].value for index in forgotten] if half is reverse_half else []
                finish = partial(drop_dead_changes, forgotten=dead) if dead else None
                self.generator.add_unit(copied, self.specialisation.context, callee, finish)
        return Halves(
            reverse_callee,
            forward_callee,
            needed,
            bool(kept),
            self.interface.result_paths,
            slots,
            tuple(shadows),
            mirrored,
            result_mode,
            is_recursive,
            gives_result=gives_result,
            gives_none=is_none,
        )

    def forgotten(self, end: object) -> list[Value]:
        """The shadows that nobody reads once a call is reversed: of objects that are made in it, or for it."""
        found = [self.shadows[index] for index in self.circumstances.fresh if index in self.shadows]
        result = end.value if isinstance(end, Return) and isinstance(end.value, Value) else None
        made = self.engine.structure.definition.get(result) if result is not None else None
        is_new = isinstance(made, Call) and function_of(made) is new_object
        if is_new and result is not None and self.result_shadow is not None:
            found += [self.result_shadow] if self.engine.shadows.get(result) is self.result_shadow else []
        return found

    def bar_of(self, parameter: Value, path: tuple[int, ...]) -> Operand:
        """The adjoint of a parameter or part of it; of an array in its full shape."""
        bar = self.root.bars.get((parameter, path), ZERO)
        full = self.engine.calls.in_full_shape(parameter, path, bar, self.root, self.prepared.span)
        self.root.bars[parameter, path] = full  # so that it is read, and not left out as idle
        return full

    def seed(self, engine: Engine, frame: Frame, operand: Operand) -> None:
        """The adjoint of the result is given."""
        for path in leaves_of(self.specialisation.returned):
            if path not in self.result_bars:
                suffix = "_".join(map(str, path))
                name = f"{identifier(primal_name(self.specialisation))}{'_' + suffix if suffix else ''}_bar"
                kind = bar_type_of((Value("", self.specialisation.returned), path))
                self.result_bars[path] = Value(name, kind, temporary=True)
            if path == () and own_region(operand) is not None:
                continue  # an array that is a value elsewhere: it has a shadow
            if path == () and isinstance(operand, Value) and self.has_one_end:
                engine.whole[self.result_bars[path]] = operand  # callers give it so
            engine.accumulate_operand(frame, operand, path, self.result_bars[path])
        if own_region(operand) is not None and engine.containers.is_active(operand):
            assert isinstance(operand, Value)
            if engine.modes.get(own_region(operand) or 0) == LATE and operand not in engine.given_shadows:
                if self.result_shadow is None:
                    self.result_shadow = Value(f"{operand.name or 'result'}_bar", shadow_type(operand.type), temporary=True)
                definition = engine.structure.definition.get(operand)
                is_alias = isinstance(definition, Call) and any(test(definition) for test in _ALIASES)
                is_one_of_several = memory_of(operand) is not None and not self.has_one_end
                if is_alias or is_one_of_several or engine.origins.get(operand, operand) is not operand:
                    # a second name of an array, or a part of one: that has the shadow, and the result's goes into it
                    engine.arrays.add_in_place(frame, engine.containers.shadow(operand, frame), self.result_shadow, None)
                else:
                    engine.shadows[operand] = self.result_shadow

    @functools.cached_property
    def has_one_end(self) -> bool:
        """Whether the function returns in one place."""
        return sum(isinstance(leaf, Return) for leaf in leaves_of_block(self.prepared.body)) == 1

    def result_mode(self, end: object, is_recursive: bool) -> str:
        """Whether the result's shadow is given to the reverse half or made by the forward half."""
        if is_recursive:
            return self.interface.result_shadow
        if not isinstance(end, Return) or not isinstance(end.value, Value) or not has_shadow(end.value.type):
            return ""
        if not any(map(self.engine.activity.is_region_active, references_in(end.value.type))):
            return ""
        return LATE if self.result_shadow is not None else MIRRORED

    def mirrored(self, end: object, result_mode: str, is_recursive: bool) -> tuple[int, ...]:
        """The arguments whose shadows the forward half takes: those that it keeps in step, and one that is the result."""
        regions = {region for region, mode in self.engine.modes.items() if mode == MIRRORED}
        if result_mode == MIRRORED and isinstance(end, Return):
            regions.update(references_in(end.value.type) if isinstance(end.value, Value) else ())
        return tuple(
            index for index in self.shadows if is_recursive or not regions.isdisjoint(references_in(self.parameters[index].type))
        )


def describe_reverse_half(specialisation: Specialisation, parameters: Sequence[Value], shadows: Sequence[Value]) -> str:
    """The first line of a reverse half."""
    name = name_of_primal(specialisation)
    gives = listed(dict.fromkeys(value.name or "argument" for value in parameters))
    adds = f"adds to {listed(dict.fromkeys(value.name for value in shadows))}" if shadows else ""
    if not gives:
        return f"Reverse of {name}: {adds}." if adds else f"Reverse of {name}."
    return f"Reverse of {name}: gives the adjoint{'s' if len(parameters) > 1 else ''} of {gives}{', ' * bool(adds)}{adds}."


def name_of_primal(specialisation: Specialisation) -> str:
    """How a text calls the function that a half belongs to: a function that has a model by its own name."""
    if (model := model_with_body(specialisation.python_function)) is not None:
        return f"{name_of(model.functions[0])}()"
    return f"{identifier(primal_name(specialisation))}()"


def primal_name(specialisation: Specialisation) -> str:
    """What the program calls a function, or a class that makes an instance."""
    made = specialisation.python_function
    return made.__name__ if isinstance(made, type) else specialisation.definition.name


def listed(words: Iterable[str]) -> str:
    """``a, b and c``."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def with_definitions(block: Block, new: Mapping[Value, Value]) -> Block:
    """The block with other values in place of some that calls in it define."""
    operations = [
        replace(node, result=new[node.result]) if isinstance(node, Call) and node.result in new else node
        for node in block.operations
    ]
    return substitute_block(Block(tuple(operations), block.terminator), new)


def emit(operations: list[Operation], function: object, *arguments: Operand) -> Value:
    """Append an operation of adjoint code."""
    result = Value("", ANY, temporary=True)
    operations.append(Call(result, Constant(function), arguments, (), None, exact=False))
    return result


def values_read(operations: Sequence[Operation], operands: Sequence[Operand]) -> set[Value]:
    """All values that operations read, also those inside, with the operands given."""
    found = {operand for operand in operands if isinstance(operand, Value)}
    for node in walk(Block(tuple(operations), Raise(None))):
        found.update(operand for operand in operands_of(node) if isinstance(operand, Value))
    return found


def identifier(name: str) -> str:
    """A function's name as part of another name."""
    name = name.strip("<>")
    if name.startswith("__") and name.endswith("__"):
        name = name.strip("_")
    return f"{name}_function" if keyword.iskeyword(name) else name
