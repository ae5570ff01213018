"""The types of elements chosen from arrays, put in another order, rounded, looked up, or asked about."""

from __future__ import annotations

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands, dtype_given_by, result_dtype
from s2sad.analysis.array_shapes import broadcast, plus, product
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import BOOL, NONE, Length, TupleType, Type

_INT64 = np.dtype(int)


@transfer("condition x y", np.where)
def chosen(given: Operands) -> Type:
    if "x" not in given.named:
        condition = given.seen("condition")
        if condition.shape is None:
            raise NotKnownError
        return TupleType((given.array_of((None,), _INT64),) * len(condition.shape))
    seen = [given.seen(name) for name in ("condition", "x", "y")]
    dtype = result_dtype(seen[1:])
    shapes = [part.shape for part in seen if part.shape is not None]
    return given.array_of(broadcast(*shapes) if len(shapes) == 3 else None, dtype)


@transfer("a a_min a_max out min max dtype", np.clip)
@transfer("a min max out dtype", np.ndarray.clip)
def clipped(given: Operands) -> Type:
    names = [name for name in ("a", "a_min", "a_max", "min", "max") if given.has(name)]
    seen = [given.seen(name) for name in names]
    shapes = [part.shape for part in seen if part.shape is not None]
    dtype = given.dtype(result_dtype(seen))
    return given.stored_in_out(given.new(broadcast(*shapes) if len(shapes) == len(seen) else None, dtype))


@transfer("a indices axis out mode", np.take, np.ndarray.take)
def taken(given: Operands) -> Type:
    seen, indices = given.seen("a"), given.seen("indices")
    if seen.shape is None or indices.shape is None:
        return given.stored_in_out(given.new(None, seen.dtype))
    axis = given.constant("axis", None)
    if axis is None or not seen.shape:
        return given.stored_in_out(given.new(indices.shape, seen.dtype))
    axis %= len(seen.shape)
    return given.stored_in_out(given.new((*seen.shape[:axis], *indices.shape, *seen.shape[axis + 1 :]), seen.dtype))


@transfer("a indices axis", np.take_along_axis)
def taken_along(given: Operands) -> Type:
    seen, indices = given.seen("a"), given.seen("indices")
    return given.array_of(indices.shape, seen.dtype)


@transfer("a shift axis", np.roll)
def rolled(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(seen.shape, seen.dtype)


@transfer("a k", np.tril, np.triu)
def triangle_of(given: Operands) -> Type:
    """Of the rows, which one vector is all of for a matrix as wide as it is."""
    seen = given.seen("a")
    return given.array_of(seen.shape * 2 if seen.rank == 1 and seen.shape is not None else seen.shape, seen.dtype)


@transfer("a decimals out", np.round, np.around, np.ndarray.round)
def rearranged(given: Operands) -> Type:
    seen = given.seen("a")
    return given.stored_in_out(given.new(seen.shape, seen.dtype))


@transfer("a axis kind order", np.sort)
@transfer("a kth axis", np.partition)
def in_order(given: Operands) -> Type:
    seen = given.seen("a")
    if "axis" in given.named and given.kind("axis") == NONE:
        return given.array_of((None if seen.shape is None else product(seen.shape),), seen.dtype)
    return given.array_of(seen.shape, seen.dtype)


@transfer("a axis kind order", np.argsort, np.ndarray.argsort)
@transfer("a kth axis kind order", np.argpartition, np.ndarray.argpartition)
def order_of(given: Operands) -> Type:
    seen = given.seen("a")
    if "axis" in given.named and given.kind("axis") == NONE:
        return given.array_of((None if seen.shape is None else product(seen.shape),), _INT64)
    return given.array_of((1,) if seen.shape == () else seen.shape, _INT64)


@transfer("a x", np.nan_to_num)
def finite(given: Operands) -> Type:
    seen = given.seen("a")
    return given.new(seen.shape, seen.dtype)


@transfer("x", np.sinc)
def cardinal_sine(given: Operands) -> Type:
    seen = given.seen("x")
    return given.new(seen.shape, dtype_given_by(np.sinc, seen.dtype))


@transfer("x xp fp left right period", np.interp)
def interpolated(given: Operands) -> Type:
    return given.new(given.seen("x").shape, np.dtype(float))


@transfer("p x", np.polyval)
def polynomial(given: Operands) -> Type:
    coefficients, points = given.seen("p"), given.seen("x")
    if coefficients.rank != 1:
        raise NotKnownError
    return given.new(points.shape, result_dtype((coefficients, points)))


@transfer("*arrays", np.ix_)
def open_mesh(given: Operands) -> Type:
    seen = [given.see(operand) for operand in given.all("arrays")]
    results = []
    for place, part in enumerate(seen):
        length = None if not part.shape or part.dtype.kind == "b" else part.shape[0]
        shape: list[Length] = [1] * len(seen)
        shape[place] = length
        results.append(given.array_of(shape, _INT64) if part.dtype.kind == "b" else given.view(part, shape))
    return TupleType(tuple(results))


@transfer("a", np.nonzero, np.ndarray.nonzero)
def places(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        raise NotKnownError
    return TupleType((given.array_of((None,), _INT64),) * len(seen.shape))


@transfer("a", np.argwhere)
def places_in_rows(given: Operands) -> Type:
    return given.array_of((None, given.seen("a").rank), _INT64)


@transfer("a", np.flatnonzero)
def flat_places(given: Operands) -> Type:
    return given.array_of((None,), _INT64)


@transfer("a v side sorter", np.searchsorted, np.ndarray.searchsorted)
def insertion_places(given: Operands) -> Type:
    return given.new(given.seen("v").shape, _INT64)


@transfer("a b rtol atol equal_nan", np.allclose)
@transfer("a b", np.array_equal, np.may_share_memory, np.shares_memory)
def answer(given: Operands) -> Type:
    return BOOL


@transfer("a b rtol atol equal_nan", np.isclose)
def closeness(given: Operands) -> Type:
    seen = [given.seen("a"), given.seen("b")]
    shapes = [part.shape for part in seen if part.shape is not None]
    return given.new(broadcast(*shapes) if len(shapes) == 2 else None, np.dtype(bool))


@transfer("x", np.iscomplexobj, np.isrealobj, np.isscalar)
def answer_for_one(given: Operands) -> Type:
    return BOOL


@transfer("a", np.isfortran)
def is_by_columns(given: Operands) -> Type:
    return BOOL


@transfer("a shape mode order", np.ravel_multi_index)
def numbers_of_places(given: Operands) -> Type:
    places = given.kind("a")
    if not isinstance(places, TupleType):
        raise NotKnownError
    shapes = [given.see_type(kind).shape for kind in places.elements]
    known = [shape for shape in shapes if shape is not None]
    return given.new(broadcast(*known) if len(known) == len(shapes) else None, _INT64)


@transfer("condition a axis out", np.compress)
@transfer("a condition axis out", np.ndarray.compress)
def compressed(given: Operands) -> Type:
    seen, axis = given.seen("a"), given.constant("axis", None)
    if seen.shape is None or axis is None:
        return given.stored_in_out(given.array_of((None,), seen.dtype))
    kept = [None if place == axis % len(seen.shape) else length for place, length in enumerate(seen.shape)]
    return given.stored_in_out(given.array_of(kept, seen.dtype))


@transfer("condition a", np.extract)
def extracted(given: Operands) -> Type:
    return given.array_of((None,), given.seen("a").dtype)


@transfer("a choices out mode", np.choose)
def chosen_by_number(given: Operands) -> Type:
    seen = given.parts("choices")
    shapes = [part.shape for part in (given.seen("a"), *seen) if part.shape is not None]
    if len(shapes) != len(seen) + 1:
        raise NotKnownError
    return given.stored_in_out(given.new(broadcast(*shapes), result_dtype(seen)))


@transfer("a widths mode constant_values", np.pad)
def padded(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        raise NotKnownError
    try:
        widths = np.broadcast_to(np.asarray(given.constant("widths", None), dtype=int), (len(seen.shape), 2)).sum(axis=1).tolist()
    except NotKnownError:
        return given.array_of((None,) * len(seen.shape), seen.dtype)
    return given.array_of([plus(length, width) for length, width in zip(seen.shape, widths, strict=True)], seen.dtype)
