"""The reverse of one call: by its rule, by its model, or by the reverse half of the function that is called."""

from __future__ import annotations

import functools
import inspect
import numbers
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from s2sad import runtime
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.memory import references_in
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, If, MakeFunction, Operand, Span, Value, While, Yield, walk
from s2sad.ir.operations import call_method, call_unpacked, comment, load_cell, make_set, make_tuple
from s2sad.ir.types import (
    ANY,
    BOOL,
    NONE,
    AnyType,
    ArrayType,
    ConstantType,
    ListType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)
from s2sad.rules.checks import name_of
from s2sad.rules.core import ModelRule, NotImplementedRule, PointwiseRule, SymmetricRule, VjpRule, ZeroDerivative
from s2sad.transform.inline_vjps import Adjoint, bind_operands, vjp_of
from s2sad.transform.partials import partial_of
from s2sad.transform.reverse.array_bars import filled, fitted, is_array, is_full, is_zero
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.errors import missing_attribute, missing_rule, not_differentiable, told_of_call, unsupported
from s2sad.transform.reverse.frames import ZERO, Frame, bar_type, bar_type_of, find_bar, leaves_of
from s2sad.transform.reverse.halves import Halves
from s2sad.transform.reverse.mirror import shadow_type
from s2sad.transform.reverse.restoring import put_back_arguments
from s2sad.transform.reverse.shadows import (
    MIRRORED,
    numbers_of,
    own_region,
    regions_changed_by,
    regions_of_arguments,
    regions_restructured_by,
)
from s2sad.transform.reverse.unchanged import Circumstances, regions_written

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_WITHOUT_ADJOINT = (print, comment, len, range, isinstance, slice)


class CallReverser:
    """Reversal of calls for one function."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.checked: set[tuple[Value, Block]] = set()
        #: What a call with halves passes, one operand a parameter.
        self.passed: dict[Call, tuple[Operand, ...]] = {}

    # --- calls of functions in two halves -------------------------------------------------------------------------------------

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
                if active and (self.is_active_result(node) or self.changes_memory(specialisation, arguments)):
                    stable = self.engine.unchanged.promise(node, arguments)
                    numbers = [number for region, number in numbers_of(arguments).items() if region in self.engine.restored]
                    restored = tuple(number for number in numbers if specialisation.written(number))
                    circumstances = Circumstances(stable, self.restructured(specialisation, arguments), restored)
                    try:
                        found[node] = self.engine.driver.halves_of(specialisation, active, circumstances)
                    except UnsupportedSyntaxError as error:
                        raise told_of_call(error, specialisation, node) from None
                    self.passed[node] = arguments
        return found

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
        kinds = tuple(_type_of(operand) for operand in bound)
        return self.engine.driver.specialise_call(rule.body, kinds), bound

    def bind(self, rule: ModelRule, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> tuple[Operand, ...]:
        """Operands for the parameters of a model."""
        signature = inspect.signature(rule.body)
        bound = signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        operands: list[Operand] = []
        for value in bound.arguments.values():
            operands.append(value if isinstance(value, Value | Constant) else Constant(value))
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
        operands: list[Operand] = [arguments[index] for index in halves.needed]
        if halves.takes_saved:
            operands.append(self.saved[call])
        for bar, path in zip(bars, halves.result_paths, strict=True):
            operands.append(self.in_full_shape(call.result, path, bar if bar is not None else ZERO, frame, call.span))
        if halves.result_shadow:
            operands.append(self.shadow_of_result(call, halves, frame))
        self.check_parts(call, halves, frame)
        operands.extend(engine.containers.argument_shadow(call, index, frame) for index in halves.shadowed)
        if halves.uses_stack:
            operands.append(engine.stack_of(halves))
        count = len(halves.slots)
        kinds = tuple(bar_type_of((Value("", _type_of(arguments[index])), path)) for index, path in halves.slots)
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
        for path in leaves_of(_type_of(operand)) if isinstance(_type_of(operand), TupleType) else ():
            kind = bar_type_of((Value("", _type_of(operand)), path))
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
        if not isinstance(kind, ArrayType) or (is_full(bar, kind) and is_array(bar)):
            return bar
        return filled(self.engine, frame, bar, self.part_at(value, path, frame, span), span)

    def part_at(self, operand: Operand, path: tuple[int, ...], frame: Frame, span: Span | None) -> Operand:
        """A part of a tuple."""
        part = operand
        for place, step in enumerate(path):
            kind = _type_at(_type_of(operand), path[: place + 1])
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
        kind = strip_optional(_type_at(_type_of(operand), path))
        return bool(path) and isinstance(kind, ArrayType) and not kind.fixed and operand in self.engine.activity

    def shadow_at(self, operand: Operand, path: tuple[int, ...], frame: Frame, span: Span | None) -> Operand:
        """The shadow of a part of a tuple."""
        shadow = self.engine.containers.shadow(operand, frame)
        for place, step in enumerate(path):
            kind = shadow_type(_type_at(_type_of(operand), path[: place + 1]))
            shadow = self.engine.emit(frame, operator.getitem, shadow, Constant(step), span=span, kind=kind)
        return shadow

    def add_at(self, operand: Operand, path: tuple[int, ...], bar: Operand, frame: Frame, span: Span | None) -> None:
        """Add to the shadow of a part of a tuple; there is none where the part is None."""
        engine = self.engine
        if not isinstance(_type_at(_type_of(operand), path), OptionalType):
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
        if path and isinstance(definition, Call) and _makes_tuple(definition):
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

    # --- other calls ------------------------------------------------------------------------------------------------------------

    def reverse(self, call: Call, frame: Frame) -> None:
        """Write the reverse of one call."""
        self.reverse_effect_on_adjoints(call, frame)
        put_back_arguments(self.engine, call, frame)

    def reverse_effect_on_adjoints(self, call: Call, frame: Frame) -> None:
        """What a call means for the adjoints."""
        engine = self.engine
        halves = engine.halves.get(call)
        if halves is not None:
            self.reverse_halves(call, halves, frame)
            return
        if not isinstance(call.function, Constant):
            self.reverse_unknown(call, frame)
            return
        function = call.function.value
        if isinstance(function, Callee) or function in _WITHOUT_ADJOINT:
            return
        if engine.arrays.reverse(call, frame) or engine.containers.reverse(call, frame):
            return
        written = regions_written(call)
        if written and any(memory_of(operand) in written for operand in call.arguments if operand in engine.activity):
            raise unsupported(
                call.span,
                f"{name_of(function)} changes an array through which a derivative passes",
                "assign to elements or slices of the array",
            )
        if function is make_tuple:
            for index, operand in enumerate(call.arguments):
                for path in leaves_of(_type_of(operand)):
                    bar = engine.take(frame, (call.result, (index, *path)))
                    if bar is not None:
                        engine.accumulate_operand(frame, operand, path, bar, call.span)
            return
        made = own_region(call.result) if memory_of(call.result) is None else None
        takes_array = any(is_array(operand) and operand in engine.activity for operand in call.arguments)
        if made is not None and takes_array and engine.activity.is_region_active(made):
            self.refuse(call, function)  # a list of numbers out of an array
        bars = {path: engine.take(frame, (call.result, path)) for path in leaves_of(call.result.type)}
        if memory_of(call.result) is not None:
            bars = {(): engine.arrays.bar(call.result, frame)}
        if isinstance(call.result.type, AnyType) and call.result in engine.activity:
            self.refuse_any(call)
        if all(bar is None for bar in bars.values()):
            return
        rule, arguments, keywords = rule_of_call(call)
        active = [operand for operand in (*arguments, *keywords.values()) if operand in engine.activity]
        if not active:
            return
        for operand in active:
            engine.check_kind(call, operand)
        match rule:
            case ZeroDerivative():
                return
            case PointwiseRule() | SymmetricRule() if () in bars:
                self.reverse_pointwise(call, rule, arguments, keywords, bars[()], frame)
            case VjpRule() if bars.get(()) is not None:
                self.reverse_by_vjp(call, rule, arguments, keywords, bars[()], frame)  # type: ignore[arg-type]
            case VjpRule() if isinstance(call.result.type, TupleType) and () not in bars:
                self.reverse_by_vjp(call, rule, arguments, keywords, self.packed_bar(call, bars, frame), frame)
            case _:
                self.refuse(call, function)

    def refuse(self, call: Call, function: object) -> None:
        """A derivative passes through something that has none."""
        rule, _, _ = rule_of_call(call)
        if isinstance(rule, NotImplementedRule):
            hint = f" Use {rule.instead} instead." if rule.instead else ""
            raise not_differentiable(call, f"{name_of(function)} cannot be differentiated: {rule.reason}.{hint}")
        if function is call_method:
            name = call.arguments[1]
            assert isinstance(name, Constant)
            owner = _type_of(call.arguments[0])
            if isinstance(owner, ConstantType) and not hasattr(owner.value, str(name.value)):
                raise missing_attribute(call, getattr(owner.value, "__name__", str(owner)), str(name.value))
            raise missing_rule(call, f"{owner}.{name.value}")
        for operand in call.arguments:
            if isinstance(_type_of(operand), OpaqueType) and rule_of_call(call)[0] is not None:
                raise unsupported(
                    call.span,
                    f"a derivative passes through {name_of(function)}() of an object of class {_type_of(operand)}, "
                    "which may compute as it likes",
                    "make a number of it first",
                )
        if function is tuple or function is call_unpacked:
            raise unsupported(
                call.span,
                "how many elements there are, or under which names, is known only when the program runs",
                "use a list where this makes a tuple, and pass arguments one by one",
            )
        if isinstance(function, functools._lru_cache_wrapper):
            raise unsupported(
                call.span,
                f"a derivative passes through {name_of(function)}(), which calls itself and remembers what it gave",
                "keep what it gave in a dict: `if n in known: return known[n]`",
            )
        if function is load_cell:
            raise unsupported(
                call.span,
                f"a derivative passes through {getattr(call.arguments[0], 'name', '') or 'a variable'}, of which only the "
                "running program knows what it is (such as a nested function with a decorator)",
                "use numbers, containers and functions; of `lru_cache`, keep what was computed in a dict",
            )
        if function is make_set:
            raise unsupported(call.span, "a derivative passes through the elements of a set", "use a list or a tuple")
        if isinstance(function, type) and not issubclass(function, numbers.Number | np.generic):
            raise unsupported(call.span, *_why_not_made(function))
        if inspect.isgeneratorfunction(function):
            raise unsupported(
                call.span,
                f"a derivative passes through {name_of(function)}(), which is a generator (`yield`)",
                "append the values to a list and return it",
            )
        raise missing_rule(call, name_of(function))

    def refuse_any(self, call: Call) -> None:
        """A result whose type is not known: say which function it comes from."""
        assert isinstance(call.function, Constant)
        function = call.function.value
        if function is not call_method and not hasattr(operator, getattr(function, "__name__", "")):
            self.refuse(call, function)
        self.engine.check_kind(call, call.result)

    def reverse_unknown(self, call: Call, frame: Frame) -> None:
        """A call of a function value that could be any of several."""
        engine = self.engine
        operands = (*call.arguments, *(operand for _, operand in call.keywords))
        if any(operand in engine.activity for operand in operands) or call.result in engine.activity:
            raise unsupported(
                call.span,
                "which function is called here is known only when the program runs",
                "call the functions by name in the branches of an `if`",
            )

    def reverse_pointwise(
        self,
        call: Call,
        rule: PointwiseRule | SymmetricRule,
        arguments: Sequence[Operand],
        keywords: Mapping[str, Operand],
        bar: Operand | None,
        frame: Frame,
    ) -> None:
        """``x_bar += y_bar * partial`` for each active operand."""
        engine = self.engine
        if bar is None:
            return
        if is_array(call.result) or any(map(is_array, arguments)):
            engine.arrays.pointwise(call, rule, self.positional(rule, arguments, keywords), bar, frame)
            return
        operands = self.positional(rule, arguments, keywords)
        for operand in operands:
            self.check_number(call, operand)
        # a variable that is updated (s = s * x) comes last: its adjoint then takes over the name of the result's
        order = sorted(range(len(operands)), key=lambda index: getattr(operands[index], "name", "") == call.result.name != "")
        for position in order:
            operand = operands[position]
            if not isinstance(operand, Value) or operand not in engine.activity:
                continue
            operations, partial = partial_of(rule, position, call.result, operands, call.span)
            if isinstance(partial, Constant) and partial.value == 0.0:
                continue
            frame.operations.extend(operations)
            contribution = bar
            if isinstance(partial, Constant) and partial.value == -1.0:
                contribution = engine.emit(frame, operator.neg, bar, span=call.span, name=self.name_of_bar(frame, operand))
            elif not (isinstance(partial, Constant) and partial.value == 1.0):
                name = self.name_of_bar(frame, operand)
                contribution = engine.emit(frame, operator.mul, bar, partial, span=call.span, name=name)
            engine.accumulate(frame, (operand, ()), contribution, call.span)

    def positional(
        self, rule: PointwiseRule | SymmetricRule, arguments: Sequence[Operand], keywords: Mapping[str, Operand]
    ) -> list[Operand]:
        """Operands in the order of a rule's parameters."""
        names = rule.operands if keywords and isinstance(rule, PointwiseRule) else ()
        return [*arguments, *(keywords.get(name, Constant(None)) for name in names[len(arguments) :])]

    def rule_of_pointwise(self, call: Call) -> PointwiseRule | SymmetricRule:
        """The rule of an operator that works element by element."""
        rule, _, _ = rule_of_call(call)
        if not isinstance(rule, PointwiseRule | SymmetricRule):
            assert isinstance(call.function, Constant)
            raise missing_rule(call, name_of(call.function.value))
        return rule

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

    def check_number(self, call: Call, operand: Operand) -> None:
        """What comes from a function that is not known is checked where it is used, once a block."""
        if not isinstance(operand, Value) or not isinstance(operand.type, AnyType):
            return
        place = (operand, self.engine.structure.home[call.result])
        if place not in self.checked:
            self.checked.add(place)
            check = Call(Value("", temporary=True), Constant(runtime.check_number), (operand,), (), call.span)
            self.engine.additions.place_after(call, check)

    def reverse_by_rule(self, call: Call, bar: Operand, frame: Frame) -> None:
        """Add what an adjoint of a result contributes to the operands, by the rule for cotangents that the function has."""
        rule, arguments, keywords = rule_of_call(call)
        if not isinstance(rule, VjpRule):
            assert isinstance(call.function, Constant)
            self.refuse(call, call.function.value)
            return
        self.reverse_by_vjp(call, rule, arguments, keywords, bar, frame)

    def reverse_by_vjp(
        self, call: Call, rule: VjpRule, arguments: Sequence[Operand], keywords: Mapping[str, Operand], bar: Operand, frame: Frame
    ) -> None:
        """The rule's own code gives the adjoints."""
        engine = self.engine
        if not rule.lazy or is_array(bar):  # a number in place of an array is plain to see
            bar = filled(engine, frame, bar, call.result, call.span)
        operands, _ = bind_operands(rule, arguments, keywords)
        wanted = [index for index, operand in enumerate(operands) if operand in engine.activity]
        inlined = vjp_of(rule, bar, call.result, arguments, keywords, call.span, wanted, engine.literal_of)
        adjoints: Sequence[Adjoint]
        if inlined is None:
            adjoints = self.adjoints_from_rule(call, rule, arguments, keywords, bar, frame)
        else:
            frame.operations.extend(inlined[0])
            adjoints = inlined[1]
        for index in wanted:
            self.contribute(call, operands[index], adjoints[index], bar, frame)

    def packed_bar(self, call: Call, bars: dict[tuple[int, ...], Operand | None], frame: Frame) -> Operand:
        """The adjoint of a result that is a tuple: a tuple of the adjoints of its elements."""
        engine = self.engine
        assert isinstance(call.result.type, TupleType)
        parts: list[Operand] = []
        for index, kind in enumerate(call.result.type.elements):
            bar = bars.get((index,)) or ZERO
            if isinstance(kind, ArrayType):
                element = engine.emit(frame, operator.getitem, call.result, Constant(index), span=call.span, kind=kind)
                bar = filled(engine, frame, bar, element, call.span)
            parts.append(bar)
        return engine.emit(frame, make_tuple, *parts, span=call.span, kind=TupleType(tuple(map(_type_of, parts))))

    def adjoints_from_rule(
        self, call: Call, rule: VjpRule, arguments: Sequence[Operand], keywords: Mapping[str, Operand], bar: Operand, frame: Frame
    ) -> list[Operand]:
        """The rule's function is called as it is."""
        engine = self.engine
        given = (bar, call.result, *arguments)
        bars = engine.emit(frame, rule.body, *given, span=call.span, kind=ANY, keywords=tuple(keywords.items()))
        count = len(bind_operands(rule, arguments, keywords)[0])
        if len(rule.operands) == 1:
            return [bars]
        return [
            engine.emit(frame, operator.getitem, bars, Constant(index), span=call.span, kind=bar_type(_type_of(operand)))
            for index, operand in zip(range(count), bind_operands(rule, arguments, keywords)[0], strict=True)
        ]

    def contribute(self, call: Call, operand: Operand, adjoint: Adjoint, bar: Operand, frame: Frame) -> None:
        """Add what a rule gives to the adjoint of an operand, or of the parts of one that is a sequence."""
        engine = self.engine
        if adjoint is None or not isinstance(operand, Value):
            return
        if isinstance(operand.type, TupleType):
            definition = engine.structure.definition.get(operand)
            is_display = isinstance(definition, Call) and _makes_tuple(definition)
            for index, part in enumerate(operand.type.elements):
                inner = adjoint[index] if isinstance(adjoint, tuple) else None
                if inner is None and not isinstance(adjoint, tuple):
                    inner = engine.emit(frame, operator.getitem, adjoint, Constant(index), span=call.span, kind=bar_type(part))
                if is_display and isinstance(definition, Call):
                    self.contribute(call, definition.arguments[index], inner, bar, frame)
                elif isinstance(inner, Value | Constant) and any(True for _ in leaves_of(part)):
                    engine.accumulate_operand(frame, operand, (index,), inner, call.span)
            return
        if isinstance(adjoint, tuple):
            self.refuse(call, call.function.value if isinstance(call.function, Constant) else None)
            return
        if isinstance(operand.type, ListType):
            if engine.containers.is_active(operand):
                shadow = engine.containers.shadow(operand, frame)
                engine.emit(frame, runtime.add_elements, shadow, adjoint, span=call.span, kind=ANY)
            return
        if is_array(operand) or isinstance(operand.type, ScalarType):
            adjoint = fitted(engine, frame, adjoint, operand, call.span)
        engine.arrays.contribute(operand, engine.arrays.detached(call, adjoint, bar, operand, frame), frame, call.span)

    def reverse_make_function(self, node: MakeFunction, frame: Frame) -> None:
        """The adjoints of what a function value captured."""
        for index, operand in enumerate((*node.captured, *node.defaults)):
            for path in leaves_of(_type_of(operand)):
                bar = self.engine.take(frame, (node.result, (index, *path)))
                if bar is not None:
                    self.engine.accumulate_operand(frame, operand, path, bar, node.span)


def _type_at(kind: Type, path: Sequence[int]) -> Type:
    """The type of a part of a tuple."""
    for step in path:
        kind = strip_optional(kind)
        kind = kind.elements[step] if isinstance(kind, TupleType) and step < len(kind.elements) else ANY
    return kind


def _makes_tuple(call: Call) -> bool:
    return isinstance(call.function, Constant) and call.function.value is make_tuple


def _why_not_made(cls: type) -> tuple[str, str]:
    """What is said of an object that holds active numbers and cannot be followed: why, and what to do."""
    what = f"a derivative passes through an object of class {name_of(cls)}, and what that does is not known"
    return what, "keep the numbers in a list, a tuple or a dict, or in an object of a plain class"


def _type_of(operand: Operand) -> Type:
    return operand.type if isinstance(operand, Value) else type_of_constant(operand)
