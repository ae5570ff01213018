"""The types of reductions and cumulative operations."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from s2sad.analysis.array_operands import ArrayTransfer, NotKnownError, Operands, Seen, checked, dtype_given_by
from s2sad.analysis.array_shapes import Shape, plus, product
from s2sad.analysis.array_types import transfer
from s2sad.analysis.array_updates import changed
from s2sad.ir.types import ScalarType, TupleType, Type

_ORDINARY: Final[dict[str, tuple[object, ...]]] = {
    "a axis dtype out keepdims initial where": (np.sum, np.prod, np.nansum, np.nanprod, np.ndarray.sum, np.ndarray.prod),
    "a axis dtype out keepdims where": (np.mean, np.nanmean, np.ndarray.mean),
    "a axis dtype out ddof keepdims where": (np.var, np.std, np.nanvar, np.nanstd, np.ndarray.var, np.ndarray.std),
    "a axis out keepdims initial where": (
        *(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ndarray.max, np.ndarray.min),
        *(np.any, np.all, np.ndarray.any, np.ndarray.all),
    ),
    "a axis out overwrite_input keepdims": (np.median, np.nanmedian),
    "a axis out keepdims": (np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.ndarray.argmax, np.ndarray.argmin, np.ptp),
    "a axis keepdims": (np.count_nonzero,),
}


def _reduction(function: Any) -> Any:
    def reduced(given: Operands) -> Type:
        seen = given.seen("a")
        dtype = dtype_given_by(function, given.dtype(seen.dtype) if function in _KEEPS_DTYPE else seen.dtype)
        if function not in _KEEPS_DTYPE and given.has("dtype"):
            dtype = given.dtype(dtype)
        return given.stored_in_out(given.new(reduced_shape(given, seen), dtype))

    return reduced


_KEEPS_DTYPE: Final[tuple[object, ...]] = ()

for _parameters, _functions in _ORDINARY.items():
    for _function in _functions:
        transfer(_parameters, _function)(_reduction(_function))


def reduced_shape(given: Operands, seen: Seen) -> Shape | None:
    """The shape without the axes that are reduced, or with 1 in their places; None where only the running program knows which."""
    try:
        keepdims = given.flag("keepdims")
    except NotKnownError:
        return None
    if seen.shape is None:
        return () if not given.has("axis") and not keepdims else None
    try:
        axes = given.axes(len(seen.shape))
    except NotKnownError:
        kind = given.kind("axis")  # whichever these are
        count = 1 if isinstance(kind, ScalarType) else len(kind.elements) if isinstance(kind, TupleType) else None
        if count is None:
            raise
        return (None,) * (len(seen.shape) if keepdims else len(seen.shape) - count)
    gone = range(len(seen.shape)) if axes is None else axes
    if keepdims:
        return tuple(1 if axis in gone else length for axis, length in enumerate(seen.shape))
    return tuple(length for axis, length in enumerate(seen.shape) if axis not in gone)


def _cumulative(function: Any) -> Any:
    def accumulated(given: Operands) -> Type:
        seen = given.seen("a")
        dtype = given.dtype(dtype_given_by(function, seen.dtype, 0))
        if given.has("axis"):
            made = given.array_of((1,) if seen.shape == () else seen.shape, dtype)
        else:
            made = given.array_of((None if seen.shape is None else product(seen.shape),), dtype)
        return given.stored_in_out(made)

    return accumulated


_CUMULATIVE: Final[tuple[object, ...]] = (
    *(np.cumsum, np.cumprod, np.nancumsum, np.nancumprod, np.ndarray.cumsum, np.ndarray.cumprod),
)
for _function in _CUMULATIVE:
    transfer("a axis dtype out", _function)(_cumulative(_function))


@transfer("a n axis prepend append", np.diff)
def differences(given: Operands) -> Type:
    seen, count, axis = given.seen("a"), given.constant("n", 1), given.constant("axis", -1)
    dtype = dtype_given_by(np.diff, seen.dtype)
    if seen.shape is None or given.has("prepend") or given.has("append") or not isinstance(count, int):
        return given.array_of(None if seen.shape is None else (None,) * len(seen.shape), dtype)
    lengths = list(seen.shape)
    length = lengths[axis]
    lengths[axis] = max(0, length - count) if isinstance(length, int) else plus(length, -count)
    return given.array_of(lengths, dtype)


# --- Methods of ufuncs --------------------------------------------------------------------------------------------------


def _reduced_by(ufunc: np.ufunc) -> ArrayTransfer:
    def reduced(given: Operands) -> Type:
        seen = given.seen("a")
        dtype = given.dtype(dtype_given_by(ufunc.reduce, seen.dtype))
        if "axis" in given.named or seen.shape is None:
            return given.stored_in_out(given.new(reduced_shape(given, seen), dtype))
        first: Shape = (1,) if given.flag("keepdims") and seen.shape else ()
        return given.stored_in_out(given.new((*first, *seen.shape[1:]), dtype))

    return reduced


def _accumulated_by(ufunc: np.ufunc) -> ArrayTransfer:
    def accumulated(given: Operands) -> Type:
        seen = given.seen("a")
        return given.stored_in_out(given.array_of(seen.shape, given.dtype(dtype_given_by(ufunc.accumulate, seen.dtype))))

    return accumulated


def _reduced_in_parts(ufunc: np.ufunc) -> ArrayTransfer:
    def reduced(given: Operands) -> Type:
        seen, parts = given.seen("a"), given.seen("indices")
        dtype = given.dtype(dtype_given_by(ufunc.reduce, seen.dtype))
        if seen.shape is None or parts.rank != 1:
            return given.stored_in_out(given.array_of(None, dtype))
        lengths = list(seen.shape)
        lengths[given.constant("axis", 0)] = parts.shape[0] if parts.shape else None
        return given.stored_in_out(given.array_of(lengths, dtype))

    return reduced


def _outer_of(ufunc: np.ufunc) -> ArrayTransfer:
    def outer(given: Operands) -> Type:
        first, second = given.seen("a"), given.seen("b")
        dtype = checked(ufunc.resolve_dtypes((first.dtype, second.dtype, None))[2])
        if first.shape is None or second.shape is None:
            return given.new(None, dtype)
        return given.new((*first.shape, *second.shape), dtype)

    return outer


for _ufunc in {id(found): found for found in vars(np).values() if isinstance(found, np.ufunc)}.values():
    if _ufunc.signature is None and _ufunc.nout == 1:
        transfer("a indices value", _ufunc.at, way="change")(changed)
    if _ufunc.signature is None and _ufunc.nin == 2 and _ufunc.nout == 1:
        transfer("a axis dtype out keepdims initial where", _ufunc.reduce)(_reduced_by(_ufunc))
        transfer("a axis dtype out", _ufunc.accumulate)(_accumulated_by(_ufunc))
        transfer("a b", _ufunc.outer)(_outer_of(_ufunc))
        transfer("a indices axis dtype out", _ufunc.reduceat)(_reduced_in_parts(_ufunc))
