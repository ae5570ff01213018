"""The types of functions for grids, signals, samples and indices."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from s2sad.analysis.array_operands import (
    NotKnownError,
    Operands,
    dtype_given_by,
    result_dtype,
)
from s2sad.analysis.array_products import result_dtype_of_arrays
from s2sad.analysis.array_reductions import reduced_shape
from s2sad.analysis.array_shapes import broadcast, plus, product
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import ArrayType, Length, ScalarType, TupleType, Type

_INT64: Final = np.dtype(int)
_FLOAT64: Final = np.dtype(float)


@transfer("*arrays", np.meshgrid)
def mesh(given: Operands) -> Type:
    seen = [given.see(operand) for operand in given.all("arrays")]
    if given.flag("sparse") or given.constant("copy", True) is not True:
        raise NotKnownError
    lengths: list[Length] = [product(part.shape) if part.shape is not None else None for part in seen]
    if given.constant("indexing", "xy") == "xy" and len(lengths) > 1:
        lengths[:2] = lengths[1::-1]
    return TupleType(tuple(given.array_of(lengths, part.dtype) for part in seen))


@transfer("dimensions dtype sparse", np.indices)
def grid(given: Operands) -> Type:
    shape = given.lengths("dimensions")
    dtype = given.dtype(_INT64)
    if shape is None:
        raise NotKnownError
    if not given.flag("sparse"):
        return given.array_of((len(shape), *shape), dtype)
    ways = range(len(shape))
    return TupleType(
        tuple(given.array_of([length if k == axis else 1 for k, length in enumerate(shape)], dtype) for axis in ways)
    )


@transfer("n k m", np.tril_indices, np.triu_indices)
def triangle_places(given: Operands) -> Type:
    return TupleType((given.array_of((None,), _INT64),) * 2)


@transfer("a k", np.tril_indices_from, np.triu_indices_from)
def triangle_places_of(given: Operands) -> Type:
    return triangle_places(given)


@transfer("a", np.diag_indices_from)
def diagonal_places_of(given: Operands) -> Type:
    shape = given.seen("a").shape
    if shape is None:
        raise NotKnownError
    return TupleType((given.array_of((shape[0],), _INT64),) * len(shape))


@transfer("n ndim", np.diag_indices)
def diagonal_places(given: Operands) -> Type:
    return TupleType((given.array_of((given.length("n"),), _INT64),) * int(given.constant("ndim", 2)))


@transfer("indices shape order", np.unravel_index)
def places_of_numbers(given: Operands) -> Type:
    shape = given.lengths("shape")
    if shape is None:
        raise NotKnownError
    return TupleType((given.new(given.seen("indices").shape, _INT64),) * len(shape))


@transfer("v k", np.diagflat)
def diagonal_matrix(given: Operands) -> Type:
    seen = given.seen("v")
    length = product(seen.shape) if seen.shape is not None and given.constant("k", 0) == 0 else None
    return given.array_of((length, length), seen.dtype)


@transfer("condlist choicelist default", np.select)
def selected(given: Operands) -> Type:
    conditions, choices = given.parts("condlist"), given.parts("choicelist")
    default = given.seen("default") if "default" in given.named else given.see_type(ScalarType("int"))
    seen = (*conditions, *choices, default)
    shapes = [part.shape for part in seen if part.shape is not None]
    if len(shapes) != len(seen):
        raise NotKnownError
    return given.array_of(broadcast(*shapes), result_dtype((*choices, default)))


@transfer("a v mode", np.convolve, np.correlate)
def convolved(given: Operands) -> Type:
    first, second = given.seen("a"), given.seen("v")
    return given.array_of((None,), result_dtype_of_arrays(first, second))


@transfer("y x dx axis", np.trapezoid)
def integrated(given: Operands) -> Type:
    seen, axis = given.seen("y"), given.constant("axis", -1)
    dtype = np.result_type(seen.dtype, _FLOAT64) if seen.dtype.kind in "biu" else seen.dtype
    if given.has("x"):
        places = given.seen("x")
        dtype = np.result_type(dtype, places.dtype)
        if places.rank not in (1, seen.rank):
            raise NotKnownError
    if seen.shape is None:
        return given.new(None, dtype)
    axis %= len(seen.shape)
    return given.new(seen.shape[:axis] + seen.shape[axis + 1 :], dtype)


@transfer("a deg", np.angle)
def angle(given: Operands) -> Type:
    seen = given.seen("a")
    return given.new(seen.shape, dtype_given_by(np.angle, seen.dtype))


def _elementwise(function: Any) -> Any:
    def computed(given: Operands) -> Type:
        seen = given.seen("a")
        return given.new(seen.shape, dtype_given_by(function, seen.dtype))

    return computed


_ELEMENTWISE: Final[tuple[Any, ...]] = (np.fix, np.isreal, np.iscomplex, np.isneginf, np.isposinf)
for _function in _ELEMENTWISE:
    transfer("a", _function)(_elementwise(_function))


@transfer("a", np.i0)
def bessel(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(seen.shape, dtype_given_by(np.i0, seen.dtype))


@transfer("a q axis out overwrite_input method keepdims", np.quantile, np.percentile, np.nanquantile, np.nanpercentile)
def quantile(given: Operands) -> Type:
    seen, share = given.seen("a"), given.seen("q")
    dtype = dtype_given_by(np.quantile, seen.dtype, 0.5 if share.weak is not None else np.float64(0.25))
    shape = reduced_shape(given, seen)
    known = None if shape is None or share.shape is None else (*share.shape, *shape)
    return given.stored_in_out(given.new(known, dtype))


@transfer("a axis weights returned keepdims", np.average)
def average(given: Operands) -> Type:
    seen = given.seen("a")
    if given.has("returned"):
        raise NotKnownError
    dtype = dtype_given_by(np.mean, seen.dtype)
    if given.has("weights"):
        dtype = np.result_type(dtype, given.seen("weights").dtype)
    return given.new(reduced_shape(given, seen), dtype)


@transfer("x bins right", np.digitize)
def bins_of(given: Operands) -> Type:
    return given.new(given.seen("x").shape, _INT64)


@transfer("x weights minlength", np.bincount)
def counted(given: Operands) -> Type:
    return given.array_of((None,), _FLOAT64 if given.has("weights") else _INT64)


@transfer("a bins range density weights", np.histogram)
def histogram(given: Operands) -> Type:
    bins = given.seen("bins") if "bins" in given.named else None
    if bins is None or bins.shape == ():
        count: Length = 10 if bins is None else given.length("bins")
        edges = given.array_of((None if count is None else plus(count, 1),), _FLOAT64)
    else:
        count = None if bins.shape is None else plus(bins.shape[0], -1)
        edges = given.array_of(bins.shape, bins.dtype)
    dtype = given.seen("weights").dtype if given.has("weights") else _INT64
    return TupleType((given.array_of((count,), _FLOAT64 if given.flag("density") else dtype), edges))


@transfer("a", np.unique)
def distinct(given: Operands) -> Type:
    if len(given.named) > 1:
        raise NotKnownError
    return given.array_of((None,), given.seen("a").dtype)


@transfer("x N increasing", np.vander)
def powers(given: Operands) -> Type:
    seen = given.seen("x")
    length = None if not seen.shape else seen.shape[0]
    dtype = np.result_type(seen.dtype, _INT64)
    return given.array_of((length, given.length("N") if given.has("N") else length), dtype)


@transfer("a obj axis", np.delete)
@transfer("a obj values axis", np.insert)
def changed_in_length(given: Operands) -> Type:
    seen, axis = given.seen("a"), given.constant("axis", None)
    if seen.shape is None or axis is None:
        return given.array_of((None,), seen.dtype)
    return given.array_of([None if k == axis % len(seen.shape) else length for k, length in enumerate(seen.shape)], seen.dtype)


@transfer("a *spacings", np.gradient)
def differences_in_the_middle(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = seen.dtype if seen.dtype.kind in "fc" else _FLOAT64
    if seen.shape is None or (len(seen.shape) > 1 and not given.has("axis")):
        raise NotKnownError
    spacings = [given.see(operand) for operand in given.all("spacings")]
    made = given.array_of(seen.shape, result_dtype((given.see_type(ArrayType(dtype.name, None)), *spacings)))
    if not given.has("axis") or isinstance(given.kind("axis"), ScalarType):
        return made
    axes = given.kind("axis")
    if not isinstance(axes, TupleType):
        raise NotKnownError
    return made if len(axes.elements) == 1 else TupleType((made,) * len(axes.elements))


@transfer("p discont axis", np.unwrap)
def unwrapped(given: Operands) -> Type:
    seen = given.seen("p")
    dtype = seen.dtype if seen.dtype.kind == "f" else _FLOAT64
    others = [given.seen("period")] if "period" in given.named else []
    return given.array_of(seen.shape, result_dtype((given.see_type(ArrayType(dtype.name, None)), *others)))


@transfer("a to_end to_begin", np.ediff1d)
def flat_differences(given: Operands) -> Type:
    seen = given.seen("a")
    length = None if seen.shape is None or len(given.named) > 1 else product(seen.shape)
    return given.array_of((max(0, length - 1) if isinstance(length, int) else length and plus(length, -1),), seen.dtype)


def _transformed(function: Any, axis: int, is_real: bool) -> Any:
    def compute(given: Operands) -> Type:
        seen = given.seen("a")
        dtype = dtype_given_by(function, seen.dtype)
        if seen.shape is None:
            return given.array_of(None, dtype)
        lengths: list[Length] = list(seen.shape)
        if is_real:
            lengths[given.constant("axis", axis)] = None
        elif given.has("n"):
            lengths[given.constant("axis", axis)] = given.length("n")
        elif given.has("s"):
            lengths = [None] * len(lengths)
        return given.stored_in_out(given.array_of(lengths, dtype))

    return compute


for _function in (np.fft.fft, np.fft.ifft):
    transfer("a n axis norm out", _function)(_transformed(_function, -1, False))
transfer("a n axis norm out", np.fft.rfft)(_transformed(np.fft.rfft, -1, True))
# of one element it gives none, and raises
transfer("a n axis norm out", np.fft.irfft)(_transformed(functools.partial(np.fft.irfft, n=2), -1, True))
for _function in (np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn):
    transfer("a s axes norm out", _function)(_transformed(_function, -1, False))


@transfer("n d", np.fft.fftfreq)
def frequencies(given: Operands) -> Type:
    return given.array_of((given.length("n"),), _FLOAT64)


@transfer("x axes", np.fft.fftshift, np.fft.ifftshift)
def shifted(given: Operands) -> Type:
    seen = given.seen("x")
    return given.array_of(seen.shape, seen.dtype)


@transfer("m y rowvar bias ddof fweights aweights dtype", np.cov)
def covariances(given: Operands) -> Type:
    """Matrices of variables; of one variable, what has no axes."""
    seen = [given.seen(name) for name in ("m", "y") if given.has(name)]
    dtype = given.dtype(np.result_type(np.float64, *(part.dtype for part in seen)))
    if any(part.shape is None for part in seen):
        return given.array_of(None, dtype)
    place = 0 if given.constant("rowvar", True) else -1
    counts: list[Length] = [part.shape[place] if len(part.shape or ()) > 1 else 1 for part in seen if part.shape is not None]
    if len(counts) == 1:
        return given.array_of(() if counts == [1] else (counts[0], counts[0]), dtype)
    both = sum(counts) if all(isinstance(count, int) for count in counts) else None  # type: ignore[arg-type]
    return given.array_of((both, both), dtype)


@transfer("m y rowvar", np.corrcoef)
def correlations(given: Operands) -> Type:
    """The same matrices; of one variable a number."""
    kind = covariances(given)
    is_one = isinstance(kind, ArrayType) and kind.shape == ()
    return ScalarType("float", kind.dtype) if isinstance(kind, ArrayType) and is_one else kind
