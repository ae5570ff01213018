"""What a derivative returns: gradients in the arguments' own types, in memory of their own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.ir.nodes import Call, Constant, Operand, Operation, Value
from s2sad.ir.operations import call_method, make_tuple
from s2sad.ir.types import AnyType, ArrayType, OptionalType, ScalarType, TupleType, Type, UnknownType
from s2sad.pipeline.arguments import parts_of
from s2sad.pipeline.gradient_structure import restore_structure
from s2sad.pipeline.split import emit

#: The adjoint of an argument: an operand, one for each element of a tuple, or None where a container does not matter.
Bar = Operand | None | tuple["Bar", ...]


def map_bar(bar: Bar, change: Callable[[Value], Operand]) -> Bar:
    """The adjoint with its values replaced."""
    if isinstance(bar, tuple):
        return tuple(map_bar(part, change) for part in bar)
    return change(bar) if isinstance(bar, Value) else bar


def finish_gradient(
    operations: list[Operation], bar: Bar, value: Value, may_differ: bool, is_changed: bool, path: tuple[int, ...] = ()
) -> Operand:
    """The gradient in the argument's own type (of the element at `path`); it shares no memory with anything else. A number
    `may_differ` in its class: where there are arrays, adjoints come from NumPy. `is_changed`: the primal changes the
    argument."""
    kind = value.type
    for step in path:
        assert isinstance(kind, TupleType)
        kind = kind.elements[step]
    return _finish(operations, bar, _Place(value, path, may_differ, is_changed), kind)


@dataclass(frozen=True, slots=True)
class _Place:
    """An argument, or an element of a tuple in it."""

    value: Value
    path: tuple[int, ...]
    may_differ: bool
    is_changed: bool

    def read(self, operations: list[Operation]) -> Value:
        """The argument that is there."""
        found = self.value
        for step in self.path:
            assert isinstance(found.type, TupleType)
            part = Value("", found.type.elements[step], temporary=True)
            operations.append(Call(part, Constant(operator.getitem), (found, Constant(step)), (), None, exact=False))
            found = part
        return found


def _finish(operations: list[Operation], bar: Bar, place: _Place, kind: Type) -> Operand:
    if isinstance(kind, TupleType):
        bars = bar if isinstance(bar, tuple) else (None,) * len(kind.elements)
        parts = [
            _finish(operations, part, replace(place, path=(*place.path, index)), element)
            for index, (part, element) in enumerate(zip(bars, kind.elements, strict=True))
        ]
        return emit(operations, make_tuple if kind.cls is tuple else kind.cls, *parts)
    assert not isinstance(bar, tuple)
    if isinstance(kind, ArrayType):
        return _finish_array(operations, bar, place, kind)
    if not references_in(kind) and not isinstance(kind, ScalarType | OptionalType | AnyType | UnknownType):
        return Constant(None)
    if isinstance(kind, ScalarType) and kind.kind == "bool":
        return Constant(None)
    if bar is None:
        bar = Constant(0.0) if isinstance(kind, ScalarType) else emit(operations, runtime.zeros_like, place.read(operations))
    if isinstance(kind, ScalarType) and kind.dtype:
        cls = getattr(np, kind.dtype) if kind.is_real else np.float64
        return emit(operations, cls, bar)
    if isinstance(kind, ScalarType) and place.may_differ and not isinstance(bar, Constant):
        return emit(operations, float, bar)
    if not references_in(kind):
        return bar
    if place.may_differ and _holds_numbers(kind):
        return emit(operations, runtime.as_gradient, bar, place.read(operations))
    return restore_structure(operations, bar, place.read(operations), place.is_changed)


def _holds_numbers(kind: Type) -> bool:
    """Whether there are Python's numbers in a container, or may be."""
    if isinstance(kind, ArrayType):
        return kind.shape is None
    return (isinstance(kind, ScalarType) and not kind.dtype) or any(map(_holds_numbers, parts_of(kind)))


def _finish_array(operations: list[Operation], bar: Operand | None, place: _Place, kind: ArrayType) -> Operand:
    """An array like the argument. The adjoint may have fewer elements (it is the same for all along an axis), another dtype, or
    be a number where the argument is an array without axes. Where it is as it should be, it is copied, for it may be a view, or
    the array that is the gradient of another argument (a pass takes the copy of an array that nobody else has away)."""
    if bar is None or (isinstance(bar, Constant) and bar.value in (0, 1)):
        function = np.ones_like if isinstance(bar, Constant) and bar.value else np.zeros_like
        return _emit_array(operations, kind, function, place.read(operations))
    made = bar.type if isinstance(bar, Value) else None
    is_alike = isinstance(made, ArrayType) and made.dtype == kind.dtype and made.shape == kind.shape
    if is_alike and kind.shape and None not in kind.shape:
        return _emit_array(operations, kind, call_method, bar, Constant("copy"))
    return _emit_array(operations, kind, np.full_like, place.read(operations), bar)


def _emit_array(operations: list[Operation], kind: ArrayType, function: object, *arguments: Operand) -> Value:
    """Append an operation that makes an array like one of this type."""
    result = Value("", ArrayType(kind.dtype, kind.shape), temporary=True)
    operations.append(Call(result, Constant(function), arguments, (), None, exact=False))
    return result
