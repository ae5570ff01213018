"""Calls of functions that are transformed too: their halves in the two sweeps, and the adjoints of what goes in and comes out."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.library_errors import told_of_call
from s2sad.analysis.memory import references_in
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, If, Operand, Span, Value, While, Yield, function_of, operands_of, walk
from s2sad.ir.operations import make_tuple, new_object
from s2sad.ir.types import (
    ANY,
    BOOL,
    NONE,
    ArrayType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)
from s2sad.rules.core import ModelRule
from s2sad.rules.iteration import is_rounded_otherwise
from s2sad.transform.guards import first_guard
from s2sad.transform.reverse.array_bars import filled, is_array, is_full, is_number_for, is_zero
from s2sad.transform.reverse.errors import not_differentiable
from s2sad.transform.reverse.forward_shadows import shadow_type
from s2sad.transform.reverse.frames import ZERO, Frame, bar_type_of, find_bar, leaves_of
from s2sad.transform.reverse.halves import Halves
from s2sad.transform.reverse.shadows import (
    MIRRORED,
    numbers_of,
    own_region,
    regions_changed_by,
    regions_of_arguments,
    regions_restructured_by,
)
from s2sad.transform.reverse.unchanged import Circumstances
from s2sad.transform.rule_bodies import finish, infer_body

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


class CalleeReverser:
    """Reversal of calls of functions that have halves, for one function."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        #: What a call with halves passes, one operand a parameter.
        self.passed: dict[Call, tuple[Operand, ...]] = {}

    def find_halves(self) -> dict[Call, Halves]:
        """The halves of every active call that needs them."""
        found: dict[Call, Halves] = {}
        # what the condition of a loop computes is not reversed
        loops = [node for node in walk(self.engine.function.body) if isinstance(node, While)]
        conditions = {node for loop in loops for node in walk(loop.header)}
        for node in walk(self.engine.function.body):
            if isinstance(node, Call):
                target = self.target_of(node) if node not in conditions else None
                if target is None:
                    continue
                specialisation, arguments = target
                active = tuple(index for index, operand in enumerate(arguments) if operand in self.engine.activity)
                hidden = self.hidden_in(arguments)
                changes = any(hidden) or self.changes_memory(specialisation, arguments)
                if active and (self.is_active_result(node) or (changes and not self.engine.activity.is_lost(node.result))):
                    self.refuse_guarded(node, specialisation, arguments)
                    stable = self.engine.unchanged.promise(node, arguments)
                    numbers = [number for region, number in numbers_of(arguments).items() if region in self.engine.restored]
                    restored = tuple(number for number in numbers if specialisation.written(number))
                    # a model may round otherwise: then only what it saves is of interest
                    saves_only = isinstance(node.function, Constant) and is_rounded_otherwise(node.function.value)
                    mirrored = self.restructured(specialisation, arguments)
                    fresh = self.fresh_arguments(node, arguments)
                    circumstances = Circumstances(stable, mirrored, restored, saves_only, fresh, *hidden)
                    try:
                        found[node] = self.engine.driver.halves_of(specialisation, active, circumstances)
                    except (MissingRuleError, UnsupportedSyntaxError) as error:
                        raise told_of_call(error, specialisation.python_function, node) from None
                    self.passed[node] = arguments
        return found

    def hidden_in(self, arguments: Sequence[Operand]) -> tuple[frozenset[int], frozenset[int]]:
        """The regions of arguments, by number, and the arguments, whose parts without adjoint carry a derivative."""
        is_hidden = self.engine.activity.is_hidden
        regions = frozenset(number for region, number in numbers_of(arguments).items() if is_hidden(region))
        return regions, frozenset(index for index, operand in enumerate(arguments) if is_hidden(operand))

    def fresh_arguments(self, call: Call, arguments: Sequence[Operand]) -> tuple[int, ...]:
        """The arguments that are objects which have no attributes yet, and that nobody else knows."""
        operations = self.engine.structure.home[call.result].operations
        before = operations[: self.engine.timeline.index[call]]
        made = {one.result for one in before if isinstance(one, Call) and function_of(one) is new_object}
        read = {operand for node in walk(Block(before, Yield())) for operand in operands_of(node)}
        made = {value for value in made if value not in read}
        return tuple(index for index, operand in enumerate(arguments) if operand in made and arguments.count(operand) == 1)

    def refuse_guarded(self, call: Call, unit: Specialisation, arguments: Sequence[Operand]) -> None:
        """Refuse what a model has no derivative of: while the program runs, it is not asked."""
        assert isinstance(call.function, Constant)
        rule = None if isinstance(call.function.value, Callee) else rule_of_call(call)[0]
        if not isinstance(rule, ModelRule) or first_guard(unit.function) is None:
            return
        known = {index: operand for index, operand in enumerate(arguments) if isinstance(operand, Constant)}
        body: Any = rule.body  # type checkers take a function in a class for a method
        function = finish(infer_body(body, unit.definition, unit.argument_types, known))
        if (text := first_guard(function)) is not None:  # whatever its options are
            raise not_differentiable(call, text)

    def restructured(self, specialisation: Specialisation, arguments: Sequence[Operand]) -> tuple[int, ...]:
        """The arguments that the callee restructures, and whose shadows exist in the forward sweep."""
        regions = regions_restructured_by(specialisation, arguments)
        regions = {region for region in regions if self.engine.modes.get(region) == MIRRORED}
        return tuple(
            index
            for index, operand in enumerate(arguments)
            if isinstance(operand, Value) and not regions.isdisjoint(references_in(operand.type))
        )

    def results_of_callees(self) -> list[Value]:
        """What calls of functions to transform give: their shadows may be late as far as is known before these are made."""
        return [
            node.result for node in walk(self.engine.function.body) if isinstance(node, Call) and self.target_of(node) is not None
        ]

    def is_active_result(self, call: Call) -> bool:
        return call.result in self.engine.activity

    def changes_memory(self, specialisation: Specialisation, arguments: Sequence[Operand]) -> bool:
        """Whether a callee changes active containers."""
        changed = regions_changed_by(specialisation, arguments)
        return any(map(self.engine.activity.is_region_active, changed))

    def refers_to_memory(self, arguments: Sequence[Operand]) -> bool:
        """Whether active containers are passed."""
        return any(self.engine.activity.is_region_active(region) for region in regions_of_arguments(arguments))

    def target_of(self, call: Call) -> tuple[Specialisation, tuple[Operand, ...]] | None:
        """The function to transform for a call, if it is one with source or with a model."""
        if not isinstance(call.function, Constant):
            return None
        function = call.function.value
        if isinstance(function, Callee):
            return (function.unit, call.arguments) if isinstance(function.unit, Specialisation) else None
        if self.engine.containers.is_primitive(call):
            return None
        rule, arguments, keywords = rule_of_call(call)
        operands = (*arguments, *keywords.values())
        if not isinstance(rule, ModelRule) or not any(operand in self.engine.activity for operand in operands):
            return None
        if not (self.is_active_result(call) or self.refers_to_memory(arguments)):
            return None
        bound = self.bind(rule, arguments, keywords)
        kinds = tuple(type_of_operand(operand) for operand in bound)
        return self.engine.driver.specialise_call(rule.body, kinds), bound

    def bind(self, rule: ModelRule, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> tuple[Operand, ...]:
        """Operands for the parameters of a model."""
        signature = inspect.signature(rule.body)
        bound = signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        operands: list[Operand] = []
        for value in bound.arguments.values():
            operands.append(value if isinstance(value, (Value, Constant)) else Constant(value))
        return tuple(operands)

    def regions_to_mirror(self) -> set[int]:
        """Regions that callees need shadows of in the forward sweep."""
        found: set[int] = set()
        for call, halves in self.engine.halves.items():
            found.update(regions_of_arguments(self.passed[call][index] for index in halves.mirrored))
            if halves.result_shadow == MIRRORED:
                found.update(references_in(call.result.type))
        return found

    def reverse_halves(self, call: Call, halves: Halves, frame: Frame) -> None:
        """Call the reverse half."""
        engine = self.engine
        arguments = self.passed[call]
        bars = [self.bar_of_result(call, path, frame) for path in halves.result_paths]
        idle = all(bar is None for bar in bars) and not halves.shadowed and not halves.result_shadow
        if idle and not halves.uses_stack:
            return
        target = self.target_of(call)
        assert target is not None
        returned = target[0].returned
        operands: list[Operand] = [arguments[index] for index in halves.needed]
        if halves.takes_saved:
            operands.append(self.saved[call])
        for bar, path in zip(bars, halves.result_paths, strict=True):
            bar = bar if bar is not None else ZERO
            is_number = isinstance(
                _type_at(returned, path), ScalarType
            )  # what a model gives may be one, where NumPy gives an array
            operands.append(bar if is_number else self.in_full_shape(call.result, path, bar, frame, call.span))
        if halves.result_shadow:
            operands.append(self.shadow_of_result(call, halves, frame))
        self.check_parts(call, halves, frame)
        operands.extend(engine.containers.argument_shadow(call, index, frame) for index in halves.shadowed)
        if halves.uses_stack:
            operands.extend(engine.stacks_of(halves))
        count = len(halves.slots)
        kinds = tuple(bar_type_of((Value("", type_of_operand(arguments[index])), path)) for index, path in halves.slots)
        kind = kinds[0] if count == 1 else TupleType(kinds) if count else NONE
        only = self.name_of_bar(frame, arguments[halves.slots[0][0]], halves.slots[0][1]) if count == 1 else ""
        bars_of = engine.emit(frame, halves.reverse, *operands, span=call.span, kind=kind, name=only)
        for index in halves.shadowed:
            made = engine.containers.passed.get((call, index))
            if made is not None:
                self.take_from_passed(call, index, made, halves, frame)
        for position, (index, path) in enumerate(halves.slots):
            bar = bars_of
            if len(halves.slots) > 1:
                name = self.name_of_bar(frame, arguments[index], path)
                part = kinds[position]
                bar = engine.emit(frame, operator.getitem, bars_of, Constant(position), span=call.span, name=name, kind=part)
            self.contribute_at(arguments[index], path, bar, frame, call.span)

    def check_parts(self, call: Call, halves: Halves, frame: Frame) -> None:
        """No adjoint of a part of a result is left, but of numbers and arrays that do not depend on what is differentiated."""
        left = [path for value, path in frame.bars if path and value is call.result]
        target = self.target_of(call) if left and halves.result_shadow else None
        known = set(leaves_of(target[0].returned)) if target is not None else set(left)
        assert known.issuperset(left), "the adjoint of a part would be lost"

    def take_from_passed(self, call: Call, index: int, made: Value, halves: Halves, frame: Frame) -> None:
        """An array that is a value here, and memory for the callee, has a shadow only for this call; so has one in a tuple."""
        operand = self.passed[call][index]
        if is_array(operand):
            self.engine.arrays.contribute(operand, made, frame, call.span)
            return
        for path in leaves_of(type_of_operand(operand)) if isinstance(type_of_operand(operand), TupleType) else ():
            kind = bar_type_of((Value("", type_of_operand(operand)), path))
            if (index, path) in halves.slots or not isinstance(kind, ArrayType):
                continue
            part = made
            for step in path:
                part = self.engine.emit(frame, operator.getitem, part, Constant(step), span=call.span, kind=kind)
            self.contribute_at(operand, path, part, frame, call.span)

    def shadow_of_result(self, call: Call, halves: Halves, frame: Frame) -> Operand:
        """What a reverse half takes the adjoint of its result from; arrays may be values here and memory there."""
        engine, result = self.engine, call.result
        if is_array(result):
            if result not in engine.shadows or own_region(result) is not None:
                return engine.arrays.holder(result, frame, call.span)
            bar = engine.take(frame, (result, ()))  # its forward half has made a shadow
            if bar is not None:
                engine.arrays.add_in_place(frame, engine.shadows[result], bar, call.span)
            return engine.shadows[result]
        shadow = engine.containers.shadow(result, frame)
        for path in leaves_of(result.type):
            if path not in halves.result_paths:
                bar = engine.take(frame, (result, path))
                if bar is not None and not is_zero(bar):
                    self.add_at(result, path, bar, frame, call.span)
        return shadow

    def in_full_shape(self, value: Value, path: tuple[int, ...], bar: Operand, frame: Frame, span: Span | None) -> Operand:
        """The adjoint of a value, or of a part of a tuple, in its full shape."""
        kind = bar_type_of((value, path))
        if not isinstance(kind, ArrayType) or (is_full(bar, kind) and is_array(bar)) or is_number_for(bar, kind):
            return bar
        return filled(self.engine, frame, bar, self.part_at(value, path, frame, span), span)

    def part_at(self, operand: Operand, path: tuple[int, ...], frame: Frame, span: Span | None) -> Operand:
        """A part of a tuple."""
        part = operand
        for place, step in enumerate(path):
            kind = _type_at(type_of_operand(operand), path[: place + 1])
            part = self.engine.emit(frame, operator.getitem, part, Constant(step), span=span, kind=kind)
        return part

    def bar_of_result(self, call: Call, path: tuple[int, ...], frame: Frame) -> Operand | None:
        """The adjoint of a number or an array in what a function gives."""
        if path == () and is_array(call.result):
            return self.engine.arrays.bar(call.result, frame)
        if self.is_memory_at(call.result, path):
            return self.shadow_at(call.result, path, frame, call.span)
        return self.engine.take(frame, (call.result, path))

    def is_memory_at(self, operand: Operand, path: tuple[int, ...]) -> bool:
        """Whether a part of a tuple is an array that a container may hold, so that it has a shadow."""
        kind = strip_optional(_type_at(type_of_operand(operand), path))
        return bool(path) and isinstance(kind, ArrayType) and not kind.fixed and operand in self.engine.activity

    def shadow_at(self, operand: Operand, path: tuple[int, ...], frame: Frame, span: Span | None) -> Operand:
        """The shadow of a part of a tuple."""
        shadow = self.engine.containers.shadow(operand, frame)
        for place, step in enumerate(path):
            kind = shadow_type(_type_at(type_of_operand(operand), path[: place + 1]))
            shadow = self.engine.emit(frame, operator.getitem, shadow, Constant(step), span=span, kind=kind)
        return shadow

    def add_at(self, operand: Operand, path: tuple[int, ...], bar: Operand, frame: Frame, span: Span | None) -> None:
        """Add to the shadow of a part of a tuple; there is none where the part is None."""
        engine = self.engine
        if not isinstance(_type_at(type_of_operand(operand), path), OptionalType):
            engine.arrays.add_in_place(frame, self.shadow_at(operand, path, frame, span), bar, span)
            return
        is_there = engine.emit(frame, operator.is_not, self.part_at(operand, path, frame, span), Constant(None), kind=BOOL)
        arm = Frame(Block((), Yield()), frame)
        engine.arrays.add_in_place(arm, self.shadow_at(operand, path, arm, span), bar, span)
        added = tuple(item for item in arm.operations if isinstance(item, Call))
        frame.operations.append(If(is_there, Block(added, Yield()), Block((), Yield()), (), span))

    def contribute_at(self, operand: Operand, path: tuple[int, ...], bar: Operand, frame: Frame, span: Span | None) -> None:
        """Add to the adjoint of a part of an operand."""
        definition = self.engine.structure.definition.get(operand) if isinstance(operand, Value) else None
        if path and isinstance(definition, Call) and makes_tuple(definition):
            self.contribute_at(definition.arguments[path[0]], path[1:], bar, frame, span)
        elif not path and is_array(operand):
            self.engine.arrays.contribute(operand, bar, frame, span)
        elif self.is_memory_at(operand, path):
            self.add_at(operand, path, bar, frame, span)
        else:
            self.engine.accumulate_operand(frame, operand, path, bar, span)

    @property
    def saved(self) -> dict[Call, Value]:
        """What forward halves hand to reverse halves, by call."""
        return self.engine.containers.saved

    def name_of_bar(self, frame: Frame, operand: Operand, path: tuple[int, ...] = ()) -> str:
        """A name for what becomes the adjoint of an operand; what is only added to an adjoint needs none of its own."""
        if not isinstance(operand, Value) or operand not in self.engine.activity:
            return ""
        slot = (operand, path)
        name = self.engine.name_of_bar(slot)
        if isinstance(bar_type_of(slot), ArrayType):
            return name if self.engine.arrays.is_first(frame, slot) else ""
        current = find_bar(frame, slot, self.engine.is_inside, name)
        return name if current is None or (isinstance(current, Constant) and current.value == 0.0) else ""


def _type_at(kind: Type, path: Sequence[int]) -> Type:
    """The type of a part of a tuple."""
    for step in path:
        kind = strip_optional(kind)
        kind = kind.elements[step] if isinstance(kind, TupleType) and step < len(kind.elements) else ANY
    return kind


def makes_tuple(call: Call) -> bool:
    return isinstance(call.function, Constant) and call.function.value is make_tuple


def type_of_operand(operand: Operand) -> Type:
    """The type of a value or a constant."""
    return operand.type if isinstance(operand, Value) else type_of_constant(operand)
