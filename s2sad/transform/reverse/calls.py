"""The reverse of one call: by its rule, by its model, or by the reverse half of the function that is called."""

from __future__ import annotations

import functools
import inspect
import numbers
import operator
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from s2sad import runtime
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.ir.contents import is_of_numbers, nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, MakeFunction, Operand, Value, arguments_of, function_of
from s2sad.ir.operations import call_method, call_unpacked, comment, load_cell, make_set, make_tuple
from s2sad.ir.types import (
    ANY,
    AnyType,
    ArrayType,
    ConstantType,
    ListType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.rules.checks import name_of
from s2sad.rules.core import NotImplementedRule, PointwiseRule, SymmetricRule, VjpRule, ZeroDerivative
from s2sad.transform.inline_vjps import Adjoint, bind_operands, vjp_of
from s2sad.transform.partials import partial_of
from s2sad.transform.reverse.array_bars import filled, fitted, is_array, is_number_for, narrowed
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.assumed_numbers import is_unknown
from s2sad.transform.reverse.callees import CalleeReverser, makes_tuple, type_of_operand
from s2sad.transform.reverse.errors import (
    line_of,
    missing_attribute,
    not_differentiable,
    unsupported,
)
from s2sad.transform.reverse.frames import ZERO, Frame, bar_type, leaves_of, shadow_array_type
from s2sad.transform.reverse.missing_rules import missing_method, missing_rule, no_rule_helps
from s2sad.transform.reverse.operands_at_call import read_as_at_call
from s2sad.transform.reverse.restoring import put_back_arguments
from s2sad.transform.reverse.shadows import (
    own_region,
)
from s2sad.transform.reverse.sums import reverse_sum
from s2sad.transform.reverse.unchanged import regions_written

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_WITHOUT_ADJOINT = (print, comment, len, range, isinstance, slice)


class CallReverser(CalleeReverser):
    """Reversal of calls for one function."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.checked: set[tuple[Value, Block]] = set()

    def reverse(self, call: Call, frame: Frame) -> None:
        """Write the reverse of one call."""
        first = len(frame.operations)
        self.reverse_effect_on_adjoints(call, frame)
        read_as_at_call(self.engine, call, frame, first)
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
        if reverse_sum(engine, call, frame):
            return
        if not is_of_numbers(call) and self.reverse_beyond_numbers(call, function, frame):
            return
        bars = {path: engine.take(frame, (call.result, path)) for path in leaves_of(call.result.type)}
        if memory_of(call.result) is not None:
            bars = {(): engine.arrays.bar(call.result, frame)}
        bars |= self.bars_of_changed_parts(call, frame)
        if isinstance(call.result.type, AnyType) and call.result in engine.activity:
            self.refuse_any(call)
        if all(bar is None for bar in bars.values()):
            return
        if (bar := bars.get(())) is not None:
            bars[()] = narrowed(engine, frame, bar, call.result, call.span)
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

    def bars_of_changed_parts(self, call: Call, frame: Frame) -> dict[tuple[int, ...], Operand | None]:
        """The adjoints of the arrays in a tuple that a function with a rule gives, where they change afterwards."""
        engine = self.engine
        shadow = engine.shadows.get(call.result)
        if shadow is None or not isinstance(call.result.type, TupleType):
            return {}
        return {
            (index,): engine.emit(frame, operator.getitem, shadow, Constant(index), span=call.span, kind=shadow_array_type(kind))
            for index, kind in enumerate(call.result.type.elements)
            if isinstance(kind, ArrayType) and not kind.fixed
        }

    def reverse_beyond_numbers(self, call: Call, function: object, frame: Frame) -> bool:
        """Write the reverse of a call that concerns arrays, containers or tuples. False: it is not one of these."""
        engine = self.engine
        if engine.arrays.reverse(call, frame) or engine.containers.reverse(call, frame):
            return True
        written = regions_written(call)
        if written and any(memory_of(operand) in written for operand in call.arguments if operand in engine.activity):
            raise unsupported(
                call.span,
                f"{name_of(function)} changes an array through which a derivative passes",
                "assign to elements or slices of the array",
            )
        if function is make_tuple:
            for index, operand in enumerate(call.arguments):
                for path in leaves_of(type_of_operand(operand)):
                    bar = engine.take(frame, (call.result, (index, *path)))
                    if bar is not None:
                        engine.accumulate_operand(frame, operand, path, bar, call.span)
            return True
        made = own_region(call.result) if memory_of(call.result) is None else None
        takes_array = any(is_array(operand) and operand in engine.activity for operand in call.arguments)
        if made is not None and takes_array and engine.activity.is_region_active(made):
            self.refuse(call, function)  # a list of numbers out of an array
        return False

    def refuse(self, call: Call, function: object) -> None:
        """A derivative passes through something that has none."""
        rule, _, _ = rule_of_call(call)
        if isinstance(rule, NotImplementedRule):
            hint = f" Use {rule.instead} instead." if rule.instead else ""
            raise not_differentiable(call, f"{name_of(function)} cannot be differentiated: {rule.reason}.{hint}")
        if function is call_method:
            name = call.arguments[1]
            assert isinstance(name, Constant)
            owner = type_of_operand(call.arguments[0])
            if isinstance(owner, ConstantType) and not hasattr(owner.value, str(name.value)):
                raise missing_attribute(call, getattr(owner.value, "__name__", str(owner)), str(name.value))
            raise missing_method(call, owner, str(name.value))
        for operand in call.arguments:
            kind = type_of_operand(operand)
            if isinstance(kind, OpaqueType) and kind.cls is not str and rule_of_call(call)[0] is not None:
                raise unsupported(
                    call.span,
                    f"a derivative passes through {name_of(function)}() of an object of class {type_of_operand(operand)}, "
                    "which may compute as it likes",
                    _made_plain(type_of_operand(operand)),
                )
        if function is call_unpacked or (function is tuple and self.is_of_arguments(call)):
            raise unsupported(
                call.span,
                "how many arguments there are, or under which names, is known only when the program runs",
                "pass them one by one, f(v[0], v[1]), or let a function take the list as one argument",
            )
        if function is tuple:
            raise unsupported(
                call.span, "how many elements there are is known only when the program runs", "make a list: list(...)"
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
        if isinstance(function, type) and not issubclass(function, (numbers.Number, np.generic)):
            raise unsupported(call.span, *_why_not_made(function))
        if inspect.isgeneratorfunction(function):
            raise unsupported(
                call.span,
                f"a derivative passes through {name_of(function)}(), which is a generator (`yield`)",
                "append the values to a list and return it",
            )
        raise no_rule_helps(call, function) or missing_rule(call, function)

    def is_of_arguments(self, call: Call) -> bool:
        """Whether a tuple is made of what a star stands before, in a call, alone or with other arguments."""
        calls = [node for node in nodes_of(self.engine.function) if isinstance(node, Call) and call.result in node.arguments]
        return any(
            function_of(node) is call_unpacked or (function_of(node) is operator.add and self.is_of_arguments(node))
            for node in calls
        )

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
        operands = arguments_of(call)
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
            if isinstance(operand, Value) and is_unknown(operand):
                self.check_number(call, operand)
        # a variable that is updated (s = s * x) comes last: its adjoint then takes over the name of the result's
        own = call.result.name
        order: Sequence[int] = range(len(operands))
        if own:
            order = sorted(order, key=lambda index: getattr(operands[index], "name", "") == own)
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
        if not isinstance(rule, (PointwiseRule, SymmetricRule)):
            assert isinstance(call.function, Constant)
            raise missing_rule(call, call.function.value)
        return rule

    def check_number(self, call: Call, operand: Value) -> None:
        """What comes from a function that is not known is checked where it is used, once a block."""
        place = (operand, self.engine.structure.home[call.result])
        if place not in self.checked:
            self.checked.add(place)
            check = Call(Value("", temporary=True), Constant(runtime.check_number), (operand, line_of(call.span)), (), call.span)
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
        if not is_number_for(bar, type_of_operand(call.result)) and (
            not rule.lazy or is_array(bar)
        ):  # a number in place of an array is plain to see
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
            if isinstance(kind, ArrayType) and kind.fixed:  # others have shadows, in their full shape
                element = engine.emit(frame, operator.getitem, call.result, Constant(index), span=call.span, kind=kind)
                bar = filled(engine, frame, bar, element, call.span)
            parts.append(bar)
        return engine.emit(frame, make_tuple, *parts, span=call.span, kind=TupleType(tuple(map(type_of_operand, parts))))

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
            engine.emit(frame, operator.getitem, bars, Constant(index), span=call.span, kind=bar_type(type_of_operand(operand)))
            for index, operand in zip(range(count), bind_operands(rule, arguments, keywords)[0], strict=True)
        ]

    def contribute(self, call: Call, operand: Operand, adjoint: Adjoint, bar: Operand, frame: Frame) -> None:
        """Add what a rule gives to the adjoint of an operand, or of the parts of one that is a sequence."""
        engine = self.engine
        if adjoint is None or not isinstance(operand, Value):
            return
        if isinstance(operand.type, TupleType):
            definition = engine.structure.definition.get(operand)
            is_display = isinstance(definition, Call) and makes_tuple(definition)
            for index, part in enumerate(operand.type.elements):
                inner = adjoint[index] if isinstance(adjoint, tuple) else None
                if inner is None and not isinstance(adjoint, tuple):
                    inner = engine.emit(frame, operator.getitem, adjoint, Constant(index), span=call.span, kind=bar_type(part))
                if is_display and isinstance(definition, Call):
                    self.contribute(call, definition.arguments[index], inner, bar, frame)
                elif isinstance(inner, (Value, Constant)) and any(True for _ in leaves_of(part)):
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
            for path in leaves_of(type_of_operand(operand)):
                bar = self.engine.take(frame, (node.result, (index, *path)))
                if bar is not None:
                    self.engine.accumulate_operand(frame, operand, path, bar, node.span)


def _made_plain(kind: Type) -> str:
    """How the user gets a number or an array of an object that computes as it likes."""
    if isinstance(kind, OpaqueType) and issubclass(kind.cls, np.ndarray):
        return "pass a plain array instead, np.asarray(x)"
    return "make a number of it first, float(x)"


def _why_not_made(cls: type) -> tuple[str, str]:
    """What is said of an object that holds active numbers and cannot be followed: why, and what to do."""
    if issubclass(cls, np.ndarray):
        return f"a derivative passes through {name_of(cls)}(), which makes no plain array", "use one, np.asarray(x)"
    what = f"a derivative passes through an object of class {name_of(cls)}, and what that does is not known"
    if cls is deque:
        instead = "make it without, and call popleft() where it has become too long"
        return f"{what} where it has a maxlen that is computed here", instead
    return what, "keep the numbers in a list, a tuple or a dict, or in an object of a plain class"
