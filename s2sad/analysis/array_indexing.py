"""The type of ``x[key]``: views for slices and integers, new arrays for arrays of indices and masks, numbers where every axis has
an integer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s2sad.analysis.array_operands import Fact, NotKnownError, Operands, Seen, dtype_named, scalar
from s2sad.analysis.array_shapes import Bounds, Shape, broadcast, sliced
from s2sad.analysis.simple_types import SLICE
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import (
    ArrayType,
    ConstantType,
    IteratorType,
    Length,
    ListType,
    NoneType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)

_UNKNOWN_BOUNDS = Bounds("some", "some", "some")


@dataclass(frozen=True, slots=True)
class _Part:
    """One element of a key: "integer", "slice", "newaxis", "ellipsis", "array" or "mask"."""

    form: str
    bounds: Bounds = _UNKNOWN_BOUNDS
    seen: Seen | None = None

    @property
    def axes(self) -> int:
        """How many axes of the array it is for."""
        if self.form == "mask":
            return len(self.seen.shape or ()) if self.seen is not None else 1
        return 0 if self.form in ("newaxis", "ellipsis") else 1


def item_type(given: Operands, array: ArrayType, key: Operand) -> Type:
    """``x[key]``"""
    kind = given.kind_of(key)
    parts = [_selection(given.see(key))] if isinstance(kind, ListType) else _parts(given, kind, given.fact_of(key))
    dtype = dtype_named(array.dtype)
    is_copy = any(part.form in ("array", "mask") for part in parts)
    if array.shape is None:
        return given.array_of(None, dtype, None if is_copy else array.region)
    shape = _shape(array.shape, parts)
    if not is_copy and not shape and all(part.form == "integer" for part in parts):
        return scalar(dtype)
    if is_copy and not shape:
        return scalar(dtype)  # arrays without axes as indices
    return given.array_of(shape, dtype, None if is_copy else array.region)


def _parts(given: Operands, kind: Type, fact: Fact) -> list[_Part]:
    if isinstance(kind, TupleType):
        facts = fact if isinstance(fact, tuple) and len(fact) == len(kind.elements) else (None,) * len(kind.elements)
        return [_part(given, strip_optional(element), known) for element, known in zip(kind.elements, facts, strict=True)]
    if isinstance(kind, IteratorType) and kind.function is range:
        return [_Part("array", seen=Seen((None,), np.dtype(int)))]
    return [_part(given, kind, fact)]


def _part(given: Operands, kind: Type, fact: Fact) -> _Part:
    match kind:
        case ScalarType(kind="int"):
            return _Part("integer")
        case NoneType():
            return _Part("newaxis")
        case ConstantType(value=value) if value is Ellipsis:
            return _Part("ellipsis")
        case OpaqueType(cls=cls) if cls is type(Ellipsis):
            return _Part("ellipsis")
        case ConstantType(value=slice() as value):
            known = given.fact_of(Constant(value))
            return _Part("slice", known if isinstance(known, Bounds) else _UNKNOWN_BOUNDS)
        case ArrayType() | ListType():
            return _selection(given.see_type(kind))
    if kind == SLICE:
        return _Part("slice", fact if isinstance(fact, Bounds) else _UNKNOWN_BOUNDS)
    raise NotKnownError


def _selection(seen: Seen) -> _Part:
    """An array or list as an index."""
    if seen.shape is None:
        raise NotKnownError
    if seen.dtype.kind == "b":
        return _Part("mask", seen=seen)
    if not seen.shape:
        raise NotKnownError  # an integer in an array: a view or a copy
    return _Part("array", seen=seen)


def _shape(shape: Shape, parts: Sequence[_Part]) -> Shape:
    used = sum(part.axes for part in parts)
    ellipses = [place for place, part in enumerate(parts) if part.form == "ellipsis"]
    if used > len(shape) or len(ellipses) > 1:
        raise NotKnownError  # it raises
    place = ellipses[0] if ellipses else len(parts)
    whole = [_Part("slice", Bounds(None, None, None))] * (len(shape) - used)
    expanded = [*parts[:place], *whole, *parts[place + 1 :]]
    axis = 0
    lengths: list[Length] = []
    indexed: list[tuple[Length, ...]] = []
    first: int | None = None
    is_apart = False
    has_arrays = any(part.form in ("array", "mask") for part in parts)
    last_was_index = False
    for part in expanded:
        is_index = part.form in ("array", "mask") or (part.form == "integer" and has_arrays)
        if is_index:
            is_apart |= first is not None and not last_was_index
            first = len(lengths) if first is None else first
            if part.form == "mask":
                indexed.append((None,))
            elif part.seen is not None:
                indexed.append(part.seen.shape or ())
        elif part.form == "newaxis":
            lengths.append(1)
        elif part.form == "slice":
            lengths.append(sliced(shape[axis], part.bounds))
        last_was_index = is_index
        axis += part.axes
    if first is not None:
        start = 0 if is_apart else first
        lengths[start:start] = broadcast(*indexed)
    return tuple(lengths)
