"""The types of what functions of `s2sad.runtime` on arrays give: generated code that is differentiated again calls them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_indexing import item_type
from s2sad.analysis.array_operands import Operands
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import FLOAT, INT, NONE, ArrayType, ScalarType, Type

_FLOAT64: Final = np.dtype(float)


@transfer("bar x", runtime.unbroadcast, way="either")
def unbroadcast(given: Operands) -> Type:
    seen, bar = given.seen("x"), given.seen("bar")
    if seen.weak is not None:
        return FLOAT
    return given.array_of(seen.shape, seen.dtype if seen.dtype.kind == "f" else _FLOAT64, bar.region or None)


@transfer("bar x", runtime.broadcast_like)
def broadcast_like(given: Operands) -> Type:
    seen = given.seen("x")
    return given.array_of(seen.shape, seen.dtype if seen.weak is None and seen.dtype.kind == "f" else _FLOAT64)


@transfer("bar key", runtime.last_stored)
def last_stored(given: Operands) -> Type:
    kind = item_type(given, given.array("bar"), given["key"])
    return replace(kind, region=given.site) if isinstance(kind, ArrayType) else kind


@transfer("y_bar x_bar y x", runtime.shadow_of_view, way="either")
def shadow_of_view(given: Operands) -> Type:
    """It has the elements of `y_bar`, or zeros; a number has an array without axes of its own."""
    seen = given.seen("y")
    if isinstance(given.kind("y_bar"), ScalarType):
        return given.array_of((), np.dtype(given.array("x_bar").dtype))
    bar = given.array("y_bar")
    return given.array_of(seen.shape if bar.shape is None else bar.shape, np.dtype(bar.dtype), bar.region)


@transfer("x_bar y_bar order", runtime.add_copied, way="change")
def add_copied(given: Operands) -> Type:
    given.memory.mark(given.array("x_bar").region, "stored")
    return NONE


@transfer("x", runtime.zeros_like_array)
def zeros_like_array(given: Operands) -> Type:
    seen = given.seen("x")
    return given.array_of(seen.shape, seen.dtype if seen.dtype.kind == "f" else _FLOAT64)


@transfer("x", runtime.copy_in_layout)
def copy_in_layout(given: Operands) -> Type:
    seen = given.seen("x")
    return given.array_of(seen.shape, seen.dtype)


@transfer("x first second", runtime.eye_along)
def eye_along(given: Operands) -> Type:
    return given.array_of(None, _FLOAT64)


@transfer("x", runtime.first_element)
def first_element(given: Operands) -> Type:
    return given.new((), given.seen("x").dtype)


@transfer("x axes", runtime.length_along, way="ask")
def length_along(given: Operands) -> Type:
    return INT


@transfer("places", runtime.turns_of)
def turns_of(given: Operands) -> Type:
    return given.array_of(given.seen("places").shape, np.dtype(int))


@transfer("target stored", runtime.sources_of_store)
def sources_of_store(given: Operands) -> Type:
    return given.array_of(given.seen("target").shape, np.dtype(int))


@transfer("n x", runtime.polygamma, runtime.bessel_i)
@transfer("x", runtime.digamma)
def special(given: Operands) -> Type:
    seen = given.seen("x")
    return given.array_of(seen.shape, seen.dtype if seen.dtype.kind == "f" else _FLOAT64)
