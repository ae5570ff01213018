"""Adjoints of arrays.

A *fixed* array has an adjoint as a number has, a value. Where elements or slices are taken from it, or where a loop adds to
it, its adjoint is a buffer, to which is added in place::

    y = x[1:-1] * w                  x_bar = np.zeros_like(x)
                                     x_bar[1:-1] += y_bar * w

Other arrays are memory: they have shadows, and the shadow of a view is the same view of the shadow
(:mod:`s2sad.transform.reverse.array_names`)::

    v[1:-1] = e                      e_bar = v_bar[1:-1].copy()
                                     v_bar[1:-1] = 0.0
    t = v[::2]; t += e               e_bar = v_bar[::2].copy()
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.ir.nodes import Call, Constant, Operand, Span, Value, arguments_of, operands_of
from s2sad.ir.operations import PLAIN_OPERATORS, call_method
from s2sad.ir.types import ANY, ArrayType, ScalarType, TupleType, Type
from s2sad.rules.core import PointwiseRule, SymmetricRule, ZeroDerivative
from s2sad.transform.hold_numbers import is_held
from s2sad.transform.partials import divisor_of, partial_of
from s2sad.transform.reverse.array_bars import (
    elementwise_type,
    filled,
    in_precision_of,
    in_shape_of,
    is_array,
    is_full,
    is_whole,
    is_zero,
    real_dtype,
    reduced,
    shape_of,
    spread,
    type_of,
)
from s2sad.transform.reverse.array_names import (
    is_broadcasting,
    is_indexing,
    is_own_update,
    is_same_object,
    is_view,
    is_view_or_copy,
)
from s2sad.transform.reverse.copies import has_one_name, is_surely_array, reverse_adding, reverse_held, reverse_view_or_copy
from s2sad.transform.reverse.errors import line_of, unsupported
from s2sad.transform.reverse.frames import ZERO, Frame, Slot, bar_type, bar_type_of, new_bar, shadow_array_type
from s2sad.transform.reverse.overlapping import is_basic, may_overlap, reverse_overlapping
from s2sad.transform.reverse.repeated_indices import may_repeat
from s2sad.transform.reverse.restoring import ALL, is_mask, put_back
from s2sad.transform.reverse.shadow_calls import reverse_of_adding
from s2sad.transform.reverse.shadows import own_region

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_SIGNS: Final[dict[object, int]] = {np.add: 1, np.subtract: -1}


class ArrayReverser:
    """Adjoints of the arrays of one function."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    # --- adjoints that are values -----------------------------------------------------------------------------------------------

    def accumulate(self, frame: Frame, slot: Slot, bar: Operand, span: Span | None) -> None:
        """Add to the adjoint of a fixed array."""
        engine = self.engine
        bar = in_precision_of(engine, frame, bar, bar_type_of(slot), span)
        holder, in_loop = self._find(frame, slot)
        if holder is not None and slot in holder.buffers:
            self.add_in_place(frame, holder.bars[slot], bar, span)
        elif in_loop:
            self.add_in_place(frame, self.buffer(frame, slot, span), bar, span)
        elif holder is None or is_zero(holder.bars[slot]):
            frame.bars[slot] = bar
        else:
            current = holder.bars[slot]
            kind = elementwise_type((current, bar))
            name = engine.name_of_bar(slot)
            frame.bars[slot] = engine.emit(frame, operator.add, current, bar, span=span, kind=kind, name=name)

    def add_in_place(self, frame: Frame, buffer: Operand, bar: Operand, span: Span | None) -> None:
        """``buffer += bar``"""
        name = buffer.name if isinstance(buffer, Value) else ""
        self.engine.emit(frame, operator.iadd, buffer, bar, span=span, kind=type_of(buffer), name=name)

    def _find(self, frame: Frame, slot: Slot) -> tuple[Frame | None, bool]:
        """The frame that has an adjoint for a slot so far, and whether loops stand between there (or the value's own block) and
        `frame`."""
        in_loop = False
        current: Frame | None = frame
        while current is not None:
            if slot in current.bars:
                return current, in_loop
            if self.engine.is_inside(slot[0], current.block):
                return None, in_loop
            in_loop = in_loop or current.loop is not None
            current = current.parent
        return None, in_loop

    def is_first(self, frame: Frame, slot: Slot) -> bool:
        """Whether what is added next to the adjoint of a fixed array becomes this adjoint."""
        holder, in_loop = self._find(frame, slot)
        return not in_loop and (holder is None or is_zero(holder.bars[slot]))

    def _home(self, frame: Frame, slot: Slot) -> Frame:
        """The frame of the block in which a value is defined."""
        while frame.parent is not None and not self.engine.is_inside(slot[0], frame.block):
            frame = frame.parent
        return frame

    def buffer(self, frame: Frame, slot: Slot, span: Span | None) -> Operand:
        """The adjoint of a fixed array as an array of its own; where it is added to in a loop or arm, it is made before that."""
        engine = self.engine
        holder, _ = self._find(frame, slot)
        if holder is not None and slot in holder.buffers:
            return holder.bars[slot]
        place = holder or self._home(frame, slot)
        whole: Operand = slot[0]
        for step in slot[1]:
            whole = engine.emit(place, operator.getitem, whole, Constant(step), span=span, kind=_type_of_part(whole, step))
        before = place.bars.get(slot, ZERO)
        name = engine.name_of_bar(slot)
        if is_zero(before):
            made = self.zeros(place, whole, span, name)
        elif not is_full(before, type_of(whole)) or shape_of(type_of(before)) == ():
            made = spread(engine, place, before, whole, shadow_array_type(bar_type_of(slot)), span, name)
        else:
            kind = shadow_array_type(bar_type_of(slot))
            made = engine.emit(place, call_method, before, Constant("copy"), span=span, kind=kind, name=name)
        place.bars[slot] = made
        place.buffers.add(slot)
        return made

    def give_buffer(self, frame: Frame, slot: Slot, buffer: Value) -> None:
        """Take an array that a caller gives as the adjoint of a parameter."""
        frame.bars[slot] = buffer
        frame.buffers.add(slot)

    def zeros(self, frame: Frame, value: Operand, span: Span | None, name: str = "") -> Value:
        """A new adjoint for an array."""
        kind = type_of(value)
        made = shadow_array_type(kind)
        value = self.lasting(value)
        return self.engine.emit(
            frame, np.zeros_like, value, span=span, kind=made, name=name, keywords=real_dtype(self.engine, kind)
        )

    def lasting(self, value: Operand) -> Operand:
        """For an array that a loop makes, one outside of loops of the same shape and dtype, if there is one: to save an array for
        its shape would be a waste."""
        structure, kind = self.engine.structure, type_of(value)
        known = isinstance(kind, ArrayType) and kind.shape is not None and None not in kind.shape and kind.is_real
        if not isinstance(value, Value) or not isinstance(kind, ArrayType) or not known:
            return value
        if value not in structure.home or structure.depth[structure.home[value]] == 0:  # a part of a tuple is taken here
            return value
        alike = [
            other
            for other, home in structure.home.items()
            if home is structure.root
            and isinstance(other.type, ArrayType)
            and (other.type.dtype, other.type.shape) == (kind.dtype, kind.shape)
        ]
        made = [other for other in alike if isinstance(structure.definition[other], Call)]
        return next(iter([*made, *alike]), value)

    def settled(self, frame: Frame, bar: Operand, slot: Slot, like: Operand, span: Span | None) -> Operand:
        """An adjoint that goes round a loop: in the full shape, if that is known; `like` has it."""
        kind = bar_type_of(slot)
        if not isinstance(kind, ArrayType) or kind.shape is None or None in kind.shape or slot[1] or is_full(bar, kind):
            return bar
        return filled(self.engine, frame, bar, like, span, self.engine.name_of_bar(slot))

    def joined_bar(self, slot: Slot, first: Operand, second: Operand) -> Value:
        """The adjoint after two arms that may have added to it."""
        result = new_bar(slot, self.engine.name_of_bar(slot))
        kind = result.type
        if isinstance(kind, ArrayType) and not (is_full(first, kind) and is_full(second, kind)):
            shape = None if kind.shape is None else (None,) * len(kind.shape)
            return Value(result.name, ArrayType(kind.dtype, shape, 0, fixed=True), temporary=True)
        return result

    # --- what both kinds of arrays have in common -------------------------------------------------------------------------------

    def bar(self, operand: Value, frame: Frame) -> Operand | None:
        """The adjoint of what an operation gave, when the operation is reversed. None: nothing contributes to it."""
        if own_region(operand) is not None:
            return self.engine.containers.shadow(operand, frame) if operand in self.engine.activity else None
        return self.engine.take(frame, (operand, ()))

    def contribute(self, operand: Operand, bar: Operand, frame: Frame, span: Span | None) -> None:
        """Add to the adjoint of an array or number."""
        engine = self.engine
        if not isinstance(operand, Value) or operand not in engine.activity or is_zero(bar):
            return
        if own_region(operand) is None:
            engine.accumulate(frame, (operand, ()), bar, span)
            return
        path = self._path_from_repeated(operand)
        if len(path) == 1:
            engine.calls.reverse_by_rule(path[0], bar, frame)
            return
        if path:
            whole, part = self._zeros_along(path, frame, span)
            self.add_in_place(frame, part, bar, span)
            engine.calls.reverse_by_rule(path[0], whole, frame)
            return
        origin = engine.origins.get(operand)
        definition = engine.structure.definition.get(origin) if origin is not None else None
        is_part = isinstance(definition, Call) and is_view(definition) and origin not in engine.shadows
        if origin is not None and is_part and isinstance(definition, Call) and is_indexing(definition):
            owner, key = definition.arguments
            assert isinstance(owner, Value)
            self.add_to_part(owner, key, bar, origin, frame, span)
            return
        self.add_in_place(frame, engine.containers.shadow(operand, frame), bar, span)

    def add_to_part(self, owner: Value, key: Operand, bar: Operand, part: Value, frame: Frame, span: Span | None) -> None:
        """Add to the adjoints of some elements of an array."""
        path = self._path_from_repeated(owner)
        if path:
            whole, holder = self._zeros_along(path, frame, span)
            self.add_at(holder, key, bar, part, frame, span)
            self.engine.calls.reverse_by_rule(path[0], whole, frame)
            return
        self.add_at(self.holder(owner, frame, span), key, bar, part, frame, span)

    def _path_from_repeated(self, operand: Operand) -> list[Call]:
        """The views by which an array comes from one in which elements stand several times, to which nothing can be stored;
        empty where there is none."""
        path: list[Call] = []
        while isinstance(operand, Value):
            definition = self.engine.structure.definition.get(operand)
            if not isinstance(definition, Call) or not is_view(definition):
                return []
            path.insert(0, definition)
            if is_broadcasting(definition):
                return path
            operand = definition.arguments[0]
        return []

    def _zeros_along(self, path: Sequence[Call], frame: Frame, span: Span | None) -> tuple[Value, Value]:
        """Zeros like an array in which elements stand several times, and their part that is the view at the end of a path."""
        whole = part = self.zeros(frame, path[0].result, span)
        for view in path[1:]:
            assert isinstance(view.function, Constant)
            kind = shadow_array_type(view.result.type)
            rest, keywords = view.arguments[1:], view.keywords
            part = self.engine.emit(frame, view.function.value, part, *rest, span=span, kind=kind, keywords=keywords)
        return whole, part

    def holder(self, operand: Value, frame: Frame, span: Span | None) -> Operand:
        """The array in which the adjoints of the elements of an array are added up."""
        if own_region(operand) is not None:
            return self.engine.containers.shadow(operand, frame)
        return self.buffer(frame, (operand, ()), span)

    # --- operations -------------------------------------------------------------------------------------------------------------

    def reverse(self, call: Call, frame: Frame) -> bool:
        """Write the reverse of a call that concerns arrays. False: it is not one of these."""
        assert isinstance(call.function, Constant)
        function = call.function.value
        operands = arguments_of(call)
        if not any(is_array(operand) for operand in (*operands, call.result)):
            return False
        if (adding := reverse_of_adding(function)) is not None:
            reverse_adding(self, call, *adding, frame)
        elif call.arguments and is_view_or_copy(call):
            reverse_view_or_copy(self, call, frame)
        elif function is operator.getitem and is_array(call.arguments[0]):
            self._reverse_load(call, frame)
        elif function is operator.setitem and is_array(call.arguments[0]):
            self._reverse_store(call, frame)
        elif is_held(call):
            reverse_held(self, call, frame)
        elif is_same_object(call):
            self._reverse_in_place(call, frame)
        elif _ufunc_of_at(function) is not None:
            self._reverse_at(call, frame)
        else:
            return is_view(call)
        return True

    def _reverse_load(self, call: Call, frame: Frame) -> None:
        """``y = x[key]``"""
        owner, key = call.arguments
        if is_view(call) or not isinstance(owner, Value) or owner not in self.engine.activity:
            return
        bar = self.bar(call.result, frame)
        if bar is not None and not is_zero(bar):
            self.add_to_part(owner, key, bar, call.result, frame, call.span)

    def add_at(self, holder: Operand, key: Operand, bar: Operand, part: Value, frame: Frame, span: Span | None) -> None:
        """``holder[key] += bar``; where a key may name an element twice, both count."""
        engine = self.engine
        if may_repeat(key, self.engine.structure.definition):
            engine.emit(frame, np.add.at, holder, key, bar, span=span, kind=ANY)
            return
        kind = shadow_array_type(part.type)
        old = engine.emit(frame, operator.getitem, holder, key, span=span, kind=kind)
        new = engine.emit(frame, operator.add, old, bar, span=span, kind=kind)
        engine.emit(frame, operator.setitem, holder, key, new, span=span, kind=ANY)

    def _reverse_store(self, call: Call, frame: Frame) -> None:
        """``x[key] = e``"""
        engine, span = self.engine, call.span
        owner, key, stored = call.arguments
        assert isinstance(owner, Value)
        if is_own_update(engine.structure, call):
            return  # x[key] += e has done it already
        overlaps = isinstance(stored, Value) and may_overlap(engine, owner, key, stored)
        if overlaps and not is_basic(engine, key):
            place = (owner, key, stored, line_of(span))
            check = Call(Value("", temporary=True), Constant(runtime.check_apart), place, (), span)
            engine.additions.place_before(call, check)
        put_back(engine, call, owner, key, frame)
        if not engine.containers.is_active(owner):
            return
        if overlaps and is_basic(engine, key) and isinstance(stored, Value):
            reverse_overlapping(engine, owner, key, stored, frame, span)
            return
        shadow = engine.containers.shadow(owner, frame)
        is_active = isinstance(stored, Value) and stored in engine.activity
        bar = self._stored_bar(shadow, call, frame) if is_active else ZERO
        engine.emit(frame, operator.setitem, shadow, key, ZERO, span=span, kind=ANY)
        if isinstance(stored, Value) and is_active:
            self.contribute(stored, reduced(engine, frame, bar, stored, bar, span), frame, span)

    def _stored_bar(self, shadow: Operand, store: Call, frame: Frame) -> Value:
        """The adjoints of the elements that a store set."""
        engine, span = self.engine, store.span
        _, key, stored = store.arguments
        kind = engine.type_of_place(store)
        kind = bar_type(kind) if isinstance(kind, (ArrayType, ScalarType)) else ArrayType("float64", None, 0, fixed=True)
        if may_repeat(key, self.engine.structure.definition):
            return engine.emit(frame, runtime.last_stored, shadow, key, span=span, kind=kind)
        read = engine.emit(frame, operator.getitem, shadow, key, span=span, kind=shadow_array_type(kind))
        if isinstance(kind, ScalarType) or is_mask(key):
            return read
        name = engine.name_of_bar((stored, ())) if isinstance(stored, Value) else ""
        return engine.emit(frame, call_method, read, Constant("copy"), span=span, kind=kind, name=name)

    def _reverse_in_place(self, call: Call, frame: Frame) -> None:
        """``x += e`` and its relatives, on an array."""
        engine, span = self.engine, call.span
        owner, other = call.arguments
        kind = type_of(owner)
        assert isinstance(owner, Value)
        assert isinstance(call.function, Constant)
        assert isinstance(kind, ArrayType)
        is_lasting = isinstance(type_of(other), ScalarType) and kind.region not in engine.restored
        if kind.shape is None and not is_surely_array(engine, owner) and not (is_lasting and has_one_name(engine, owner)):
            check = Call(Value("", temporary=True), Constant(runtime.check_array), (owner, line_of(span)), (), span)
            engine.additions.place_before(call, check)
        put_back(engine, call, owner, ALL, frame)
        if not engine.containers.is_active(owner):
            return
        shadow = engine.containers.shadow(owner, frame)
        if isinstance(rule_of_call(call)[0], ZeroDerivative):  # x //= e
            engine.emit(frame, operator.setitem, shadow, ALL, ZERO, span=span, kind=ANY)
            return
        rule = engine.calls.rule_of_pointwise(call)
        bar: Operand = shadow
        shares = own_region(other) == own_region(owner)
        if shares:  # what is added to the one is added to the other
            bar = engine.emit(frame, call_method, shadow, Constant("copy"), span=span, kind=bar_type(type_of(shadow)))
            engine.emit(frame, operator.setitem, shadow, ALL, ZERO, span=span, kind=ANY)
        # the result is what memory held after the operation; where a partial reads it, it is computed again
        result = Value("", ArrayType(kind.dtype, kind.shape, 0, fixed=True), temporary=True)
        again = Call(result, Constant(PLAIN_OPERATORS[call.function.value]), call.arguments, (), span, exact=False)
        partials: dict[int, Operand] = {}
        divisor: Operand | None = None
        for position, operand in enumerate(call.arguments):
            if isinstance(operand, Value) and operand in engine.activity:
                operations, partials[position] = partial_of(rule, position, result, call.arguments, span, bar)
                if position == 0 and (divisor := divisor_of(operations, partials[position])) is not None:
                    continue
                if again not in frame.operations and any(result in operands_of(node) for node in operations):
                    frame.operations.append(again)
                frame.operations.extend(operations)
        if 1 in partials and isinstance(other, Value):
            product = self._times(bar, partials[1], frame, span)
            if product is shadow and own_region(other) is None:  # the shadow goes on to change
                kind = bar_type(type_of(shadow))
                product = engine.emit(frame, call_method, shadow, Constant("copy"), span=span, kind=kind)
            self.contribute(other, reduced(engine, frame, product, other, shadow, span), frame, span)
        own = partials.get(0, Constant(1.0))
        if shares:
            self.add_in_place(frame, shadow, self._times(bar, own, frame, span), span)
        elif divisor is not None:
            name = shadow.name if isinstance(shadow, Value) else ""
            engine.emit(frame, operator.itruediv, shadow, divisor, span=span, kind=type_of(shadow), name=name)
        elif not (isinstance(own, Constant) and own.value == 1.0):
            name = shadow.name if isinstance(shadow, Value) else ""
            engine.emit(frame, operator.imul, shadow, own, span=span, kind=type_of(shadow), name=name)

    def _reverse_at(self, call: Call, frame: Frame) -> None:
        """``np.add.at(x, key, e)``: all that is added counts, also where a key names an element twice."""
        engine, span = self.engine, call.span
        owner, key, *rest = call.arguments
        if not isinstance(owner, Value) or not engine.containers.is_active(owner):
            return
        assert isinstance(call.function, Constant)
        sign = _SIGNS.get(_ufunc_of_at(call.function.value))
        if sign is None or not rest:
            raise unsupported(span, "this `at` has no derivative here", "use np.add.at, or a loop over the indices")
        (added,) = rest
        if isinstance(added, Value) and added in engine.activity:
            kind = engine.type_of_item(owner, key)
            kind = bar_type(kind) if isinstance(kind, (ArrayType, ScalarType)) else ArrayType("float64", None, 0, fixed=True)
            shadow = engine.containers.shadow(owner, frame)
            bar: Operand = engine.emit(frame, operator.getitem, shadow, key, span=span, kind=kind)
            if not may_repeat(key, self.engine.structure.definition) and isinstance(kind, ArrayType):
                bar = engine.emit(frame, call_method, bar, Constant("copy"), span=span, kind=kind)
            part = bar
            if sign < 0:
                bar = engine.emit(frame, operator.neg, bar, span=span, kind=kind)
            self.contribute(added, reduced(engine, frame, bar, added, part, span), frame, span)

    def _times(self, bar: Operand, partial: Operand, frame: Frame, span: Span | None, whole: Operand = ZERO) -> Operand:
        """``bar * partial``; `whole` is a value of which the product has the shape."""
        engine = self.engine
        if isinstance(partial, Constant) and partial.value == 1.0:
            return bar
        if isinstance(partial, Constant) and partial.value == 0.0:
            return ZERO
        if isinstance(partial, Constant) and partial.value == -1.0:
            return engine.emit(frame, operator.neg, bar, span=span, kind=in_shape_of(whole, elementwise_type((bar,))))
        kind = in_shape_of(whole, elementwise_type((bar, partial)))
        return engine.emit(frame, operator.mul, bar, partial, span=span, kind=kind)

    def pointwise(
        self, call: Call, rule: PointwiseRule | SymmetricRule, operands: Sequence[Operand], bar: Operand, frame: Frame
    ) -> None:
        """Element by element: ``x_bar += y_bar * partial``, summed where x was broadcast."""
        engine, span = self.engine, call.span
        order = sorted(range(len(operands)), key=lambda index: getattr(operands[index], "name", "") == call.result.name != "")
        for position in order:
            operand = operands[position]
            if not isinstance(operand, Value) or operand not in engine.activity:
                continue
            operations, partial = partial_of(rule, position, call.result, operands, span, bar)
            divisor = divisor_of(operations, partial) if is_array(bar) else None
            product: Operand
            # no partial derivative has more elements than the result
            whole = call.result if is_whole(engine, bar, call.result) else ZERO
            if divisor is not None:
                kind = in_shape_of(whole, elementwise_type((bar, divisor)))
                product = engine.emit(frame, operator.truediv, bar, divisor, span=span, kind=kind)
            else:
                frame.operations.extend(operations)
                product = self._times(bar, partial, frame, span, whole)
            if is_zero(product):
                continue
            if isinstance(product, Value) and is_array(product) and whole is call.result:
                engine.whole[product] = whole
            others = [other for place, other in enumerate(operands) if place != position and other is not operand]
            if not is_array(operand) or any(shape_of(type_of(other)) != () for other in others):
                product = reduced(engine, frame, product, operand, call.result, span)
            self.contribute(operand, self.detached(call, product, bar, operand, frame), frame, span)

    def detached(self, call: Call, product: Operand, bar: Operand, operand: Value, frame: Frame) -> Operand:
        """A contribution that is the shadow itself, which may change before the adjoint of the operand is used: a copy of it."""
        if product is not bar or own_region(call.result) is None or own_region(operand) is not None:
            return product
        kind = bar_type(type_of(bar))
        return self.engine.emit(frame, call_method, bar, Constant("copy"), span=call.span, kind=kind)


def _ufunc_of_at(function: object) -> object | None:
    """The ufunc whose method `at` a function is."""
    ufunc = getattr(function, "__self__", None)
    return ufunc if isinstance(ufunc, np.ufunc) and getattr(function, "__name__", "") == "at" else None


def _type_of_part(operand: Operand, step: int) -> Type:
    kind = type_of(operand)
    return kind.elements[step] if isinstance(kind, TupleType) else ANY
