"""Shadows of containers in both sweeps.

======================  ================================  =================================================
primal                  forward sweep (mirrored only)     reverse sweep
======================  ================================  =================================================
``y = v[i]``            ``y_bar = v_bar[i]`` if y is a    ``v_bar[i] += y_bar``
                        container
``v[i] = e``                                              ``e_bar += v_bar[i]; v_bar[i] = 0.0``
``v.append(e)``         ``v_bar.append(0.0)``             ``e_bar += v_bar.pop()``
``e = v.pop()``         ``v_bar.pop()``                   ``v_bar.append(e_bar)``
``v = [a, b]``          ``v_bar = [0.0, 0.0]``            ``a_bar += v_bar[0]; b_bar += v_bar[1]``
======================  ================================  =================================================

Each reverse statement finds the shadow with the structure that the container had when its forward statement ran.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Sequence

from s2sad.ir.nodes import (
    Call,
    Constant,
    Operand,
    Span,
    Value,
)
from s2sad.ir.operations import (
    call_method,
    load_cell,
    make_cell,
    make_dict,
    make_list,
    new_object,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    ANY,
    FLOAT,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)
from s2sad.transform.reverse.array_bars import is_array
from s2sad.transform.reverse.array_names import is_same_object, is_view, memory_of
from s2sad.transform.reverse.errors import refused_outside, unsupported
from s2sad.transform.reverse.forward_shadows import shadow_type
from s2sad.transform.reverse.frames import ZERO, Frame, leaves_of, shadow_array_type
from s2sad.transform.reverse.mirror import Mirror, name_of_method, stripped, zeros_for_parts
from s2sad.transform.reverse.optional_tuples import may_be_no_tuple, where_it_is_one
from s2sad.transform.reverse.shadows import DERIVED, LATE, MIRRORED, own_region

_LOADS = (operator.getitem, getattr, load_cell)
_STORES = (operator.setitem, setattr, set_frozen, store_cell)
_DISPLAYS = (make_list, make_dict, make_cell, new_object)


class ContainerReverser(Mirror):
    """Shadows of containers for one function, in both sweeps."""

    # --- finding a shadow -----------------------------------------------------------------------------------------------------

    def shadow(self, operand: Operand, frame: Frame) -> Operand:
        """The shadow of a container, for a statement of the reverse sweep in `frame`."""
        engine = self.engine
        assert isinstance(operand, Value)
        if operand in engine.shadows:
            return engine.shadows[operand]
        region = own_region(operand)
        mode = engine.modes.get(region, MIRRORED) if region is not None else DERIVED
        definition = engine.structure.definition.get(operand)
        if memory_of(operand) is not None:
            if isinstance(definition, Call) and is_view(definition):
                return self.view_of_shadow(definition, frame)
            if isinstance(definition, Call) and is_same_object(definition):
                return self.shadow(definition.arguments[0], frame)
            origin = engine.origins.get(operand)
            if mode != MIRRORED and origin is not None and origin is not operand:
                return self.shadow(origin, frame)
        if mode == DERIVED and isinstance(definition, Call):
            assert isinstance(definition.function, Constant)
            if isinstance(definition.arguments[0], Constant):
                raise refused_outside(definition)
            self._refuse_number_or_array(definition)
            owner = self.shadow(definition.arguments[0], frame)
            return engine.emit(
                frame,
                definition.function.value,
                owner,
                *definition.arguments[1:],
                span=definition.span,
                kind=shadow_type(operand.type),
                name=f"{operand.name}_bar" if operand.name else "",
            )
        if mode == LATE:
            if operand not in engine.late:
                name = f"{operand.name}_bar" if operand.name else ""
                engine.late[operand] = Value(name, shadow_type(operand.type), temporary=True)
            return engine.late[operand]
        raise unsupported(
            getattr(definition, "span", engine.function.span),
            "which container of active numbers this is, is known only when the program runs",
            "give the container one name, and index it",
        )

    def view_of_shadow(self, call: Call, frame: Frame) -> Operand:
        """The shadow of a view."""
        assert isinstance(call.function, Constant)
        return self.engine.emit(
            frame,
            call.function.value,
            self.shadow(call.arguments[0], frame),
            *call.arguments[1:],
            span=call.span,
            kind=shadow_array_type(call.result.type),
            name=f"{call.result.name}_bar" if call.result.name else "",
            keywords=call.keywords,
        )

    def argument_shadow(self, call: Call, index: int, frame: Frame) -> Operand:
        """The shadow of an argument for a reverse half."""
        operand = self.engine.calls.passed[call][index]
        if (call, index) in self.passed:
            return self.passed[call, index]
        if isinstance(operand, Value) and is_array(operand):
            return self.engine.arrays.holder(operand, frame, call.span)
        if isinstance(operand, Value) and own_region(operand) is None and operand not in self.engine.shadows:
            self.passed[call, index] = Value("", shadow_type(operand.type), temporary=True)
            frame.operations += zeros_for_parts(operand, self.passed[call, index], call.span)
            return self.passed[call, index]
        return self.shadow(operand, frame)

    # --- the reverse sweep ------------------------------------------------------------------------------------------------------

    def is_primitive(self, call: Call) -> bool:
        """Whether a call on a container is reversed here, and not by its model."""
        assert isinstance(call.function, Constant)
        function, arguments = call.function.value, call.arguments
        if function in (operator.getitem, operator.setitem):
            return not (isinstance(stripped(arguments[0]), ListType) and _is_slice(arguments[1]))
        if function is call_method:
            pops = name_of_method(call) == "pop" and len(arguments) == (3 if isinstance(stripped(arguments[0]), DictType) else 2)
            return pops or name_of_method(call) == "append"
        if function is operator.delitem:
            return not isinstance(stripped(arguments[0]), ListType)
        return function in (*_LOADS, *_STORES, *_DISPLAYS)

    def reverse(self, call: Call, frame: Frame) -> bool:
        """Write the reverse of a call that concerns containers. False: it is not one of these."""
        assert isinstance(call.function, Constant)
        function, arguments = call.function.value, call.arguments
        if function in _LOADS:
            return self._reverse_load(call, frame)
        if function is unpack:
            return self._reverse_unpack(call, frame)
        if function in _STORES:
            if self.is_active(arguments[0]):
                self._reverse_store(call, frame)
            return True
        if function in _DISPLAYS:
            if self.is_active(call.result):
                self._reverse_display(call, frame)
            return True
        if function is operator.delitem and self.is_active(arguments[0]):
            self._reverse_delete(call, frame)
            return True
        if function is call_method and self.is_active(arguments[0]):
            name = name_of_method(call)
            if name == "append":
                self._reverse_append(call, frame)
                return True
            if name == "pop" and self.is_primitive(call):
                self._reverse_pop(call, frame)
                return True
        return False

    def _reverse_load(self, call: Call, frame: Frame) -> bool:
        engine = self.engine
        assert isinstance(call.function, Constant)
        owner, function = call.arguments[0], call.function.value
        key = call.arguments[1] if len(call.arguments) > 1 else Constant(0)
        kind = stripped(owner)
        if isinstance(kind, (TupleType, FunctionType)):
            if isinstance(key, Constant) and isinstance(key.value, int):
                index = key.value % len(kind.elements if isinstance(kind, TupleType) else kind.captured)
                for path in leaves_of(call.result.type):
                    bar = engine.take(frame, (call.result, path))
                    if bar is not None:
                        engine.accumulate_operand(frame, owner, (index, *path), bar, call.span)
                return True
            return False
        if not self.is_active(owner):
            return own_region(owner) is not None
        if isinstance(stripped(call.result), ListType) and isinstance(kind, ListType) and _is_slice(key):
            return False
        for path in leaves_of(call.result.type):
            bar = engine.take(frame, (call.result, path))
            may_be_of_class = function is getattr and _may_be_of_class(kind, key)
            if bar is None or (may_be_of_class and not _is_set(kind, key)):
                continue
            shadow = self.shadow(owner, frame)
            reader = function if function is getattr else operator.getitem
            missing = (ZERO,) if may_be_of_class and not path else ()

            def add(
                arm: Frame,
                holder: Operand = shadow,
                access: object = reader,
                path: tuple[int, ...] = path,
                bar: Operand = bar,
                missing: tuple[Operand, ...] = missing,
            ) -> Sequence[Operand]:
                last = key
                for step in path:
                    holder = engine.emit(arm, access, holder, last, span=call.span, kind=ANY)
                    last, access = Constant(step), operator.getitem
                old = engine.emit(arm, access, holder, last, *missing, span=call.span)
                new = engine.emit(arm, operator.add, old, bar, span=call.span)
                engine.emit(arm, setattr if access is getattr else operator.setitem, holder, last, new, span=call.span, kind=ANY)
                return ()

            where_it_is_one(engine, frame, call.result, call.span, add)
        return True

    def _reverse_unpack(self, call: Call, frame: Frame) -> bool:
        """``a, b = v``: one load for each element."""
        owner = call.arguments[0]
        if not self.is_active(owner) or len(call.arguments) > 2:
            return False
        for index, *rest in leaves_of(call.result.type):
            bar = self.engine.take(frame, (call.result, (index, *rest)))
            if bar is not None:
                shadow = self.shadow(owner, frame)
                old = self.engine.emit(frame, operator.getitem, shadow, Constant(index), span=call.span)
                new = self.engine.emit(frame, operator.add, old, bar, span=call.span)
                self.engine.emit(frame, operator.setitem, shadow, Constant(index), new, span=call.span, kind=ANY)
        return True

    def _reverse_store(self, call: Call, frame: Frame) -> None:
        engine = self.engine
        assert isinstance(call.function, Constant)
        function, owner, stored = call.function.value, call.arguments[0], call.arguments[-1]
        key = Constant(0) if function is store_cell else call.arguments[1]
        get = getattr if function in (setattr, set_frozen) else operator.getitem
        put = setattr if function in (setattr, set_frozen) else operator.setitem
        if _is_slice(key):
            raise unsupported(
                call.span, "a slice of a list of active numbers is assigned", "assign the elements one by one in a loop"
            )
        shadow = self.shadow(owner, frame)
        self._collect(stored, frame, lambda: engine.emit(frame, get, shadow, key, span=call.span, kind=FLOAT), call.span)
        if call in self.replaced:
            engine.emit(frame, put, shadow, key, self.replaced[call], span=call.span, kind=ANY)
            return
        zero = self.zero_of(stored, frame)
        engine.emit(frame, put, shadow, key, zero, span=call.span, kind=ANY)

    def _collect(self, stored: Operand, frame: Frame, read: Callable[[], Operand], span: Span | None) -> None:
        """Contributions from a shadow's element to what was stored there."""
        engine = self.engine
        if not isinstance(stored, Value) or stored not in engine.activity:
            return
        engine_paths = list(leaves_of(stored.type))
        if not engine_paths:
            return
        element = read()

        def parts_of_element(arm: Frame) -> Sequence[Operand]:
            parts = []
            for path in engine_paths:
                part = element
                for step in path:
                    part = engine.emit(arm, operator.getitem, part, Constant(step), span=span)
                parts.append(part)
            return parts

        parts = where_it_is_one(engine, frame, stored, span, parts_of_element, [ZERO] * len(engine_paths))
        for path, part in zip(engine_paths, parts, strict=True):
            engine.accumulate_operand(frame, stored, path, part, span)

    def zero_of(self, stored: Operand, frame: Frame) -> Operand:
        """A fresh zero element."""
        kind = stored.type if isinstance(stored, Value) else None
        if isinstance(kind, TupleType):
            zeros = [self.zero_of(Value("", part), frame) for part in kind.elements]
            return self.engine.emit(frame, make_list, *zeros, kind=ListType(FLOAT))
        return ZERO

    def _reverse_display(self, call: Call, frame: Frame) -> None:
        engine = self.engine
        assert isinstance(call.function, Constant)
        function, arguments = call.function.value, call.arguments
        if function is new_object:
            return
        pairs: list[tuple[Operand, Operand]]
        if function is make_dict:
            pairs = list(zip(arguments[::2], arguments[1::2], strict=True))
        else:
            pairs = [(Constant(index), operand) for index, operand in enumerate(arguments)]
        for key, stored in pairs:
            if isinstance(stored, Value) and stored in engine.activity:
                shadow = self.shadow(call.result, frame)

                def read(shadow: Operand = shadow, key: Operand = key) -> Operand:
                    return engine.emit(frame, operator.getitem, shadow, key, span=call.span)

                self._collect(stored, frame, read, call.span)

    def _reverse_append(self, call: Call, frame: Frame) -> None:
        shadow = self.shadow(call.arguments[0], frame)
        popped = self.engine.emit(frame, call_method, shadow, Constant("pop"), span=call.span)
        self._collect(call.arguments[2], frame, lambda: popped, call.span)

    def _reverse_pop(self, call: Call, frame: Frame) -> None:
        engine = self.engine
        shadow = self.shadow(call.arguments[0], frame)
        element = self._element_bar(call, frame)
        if isinstance(stripped(call.arguments[0]), DictType):
            engine.emit(frame, operator.setitem, shadow, call.arguments[2], element, span=call.span, kind=ANY)
        else:
            engine.emit(frame, call_method, shadow, Constant("append"), element, span=call.span, kind=ANY)

    def _element_bar(self, call: Call, frame: Frame) -> Operand:
        """The adjoint of a value as an element of a shadow."""
        engine = self.engine
        if own_region(call.result) is not None and self.is_active(call.result):
            return self.shadow(call.result, frame)

        bars: dict[tuple[int, ...], Operand | None] = {}
        if may_be_no_tuple(call.result.type):
            bars = {path: engine.take(frame, (call.result, path)) for path in leaves_of(call.result.type)}

        def build(kind: Type, path: tuple[int, ...], arm: Frame) -> Operand:
            # A tuple of containers alone goes back as it came; numbers in one have their adjoints outside.
            is_unchanged = not any(leaves_of(kind)) if isinstance(kind, TupleType) else path != ()
            if is_unchanged and call.result in engine.shadows and self.needs_mirror(kind):
                part: Operand = engine.shadows[call.result]
                for step in path:
                    part = engine.emit(arm, operator.getitem, part, Constant(step), span=call.span, kind=ANY)
                return part
            if isinstance(kind, TupleType):
                parts = [build(part, (*path, index), arm) for index, part in enumerate(kind.elements)]
                return engine.emit(arm, make_list, *parts, kind=ListType(FLOAT))
            if path in bars:
                bar = bars[path]
            else:
                bar = engine.take(arm, (call.result, path)) if isinstance(kind, (ScalarType, OptionalType)) else None
            return bar if bar is not None else ZERO

        def element(arm: Frame) -> Sequence[Operand]:
            kind = call.result.type
            return [build(strip_optional(kind) if may_be_no_tuple(kind) else kind, (), arm)]

        return where_it_is_one(engine, frame, call.result, call.span, element, [Constant(None)])[0]

    def _reverse_delete(self, call: Call, frame: Frame) -> None:
        engine = self.engine
        owner, key = call.arguments
        engine.emit(frame, operator.setitem, self.shadow(owner, frame), key, ZERO, span=call.span, kind=ANY)


def _may_be_of_class(kind: Type | None, key: Operand) -> bool:
    """Whether an attribute may be one of the class (constant, without a shadow) as long as the object has none of its own."""
    if not isinstance(kind, ObjectType) or not isinstance(key, Constant) or not isinstance(key.value, str):
        return False
    fields = dataclasses.fields(kind.cls) if dataclasses.is_dataclass(kind.cls) else ()
    is_always_set = key.value in {field.name for field in fields if field.init}  # no `ClassVar`, and no default that all share
    return not is_always_set and hasattr(kind.cls, key.value)


def _is_set(kind: Type | None, key: Operand) -> bool:
    """Whether some object has an attribute of this name of its own."""
    return isinstance(kind, ObjectType) and isinstance(key, Constant) and any(name == key.value for name, _ in kind.fields)


def _is_slice(key: Operand) -> bool:
    if isinstance(key, Constant):
        return isinstance(key.value, slice)
    return getattr(key.type, "cls", None) is slice
