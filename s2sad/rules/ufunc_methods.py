"""Rules of the methods of ufuncs: `reduce`, `accumulate`, `outer` and `reduceat`; of `at`, see :mod:`s2sad.rules.updates`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.declare import vjp_rule, zero_derivative
from s2sad.rules.reductions import chosen, cumprod_along, cumsum_along, extreme_shares, kept, of_prod, total_of

Array = Any

_ALONG_FIRST = (
    "A(4)",
    "A(3, 4)",
    "A(3, 4), 1",
    "A(3, 4), axis=None",
    "A(2, 3, 4), axis=(0, 2)",
    "A(3, 4), axis=0, keepdims=True",
)

# --- reduce: along the first axis, if nothing else is said -------------------------------------------------------------------


@vjp_rule(np.add.reduce, lazy=True, samples=(*_ALONG_FIRST, "A(3, 4), where=B(3, 4)", "A(4), initial=R()"))
def add_reduce(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Array = 0,
    where: Array = True,
) -> Array:
    return chosen(kept(y_bar, axis, keepdims), where), None, None, None, None, total_of(y_bar, y), None


@vjp_rule(np.multiply.reduce, lazy=True, samples=(*_ALONG_FIRST, "Z(4)", "Z(3, 4), 1"))
def multiply_reduce(
    y_bar: Array, y: Array, a: Array, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    return of_prod(y_bar, a, axis, keepdims)


@vjp_rule(np.maximum.reduce, np.minimum.reduce, lazy=True, samples=_ALONG_FIRST, note="ties share equally")
def extremum_reduce(
    y_bar: Array, y: Array, a: Array, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    return extreme_shares(y_bar, y, a, axis, keepdims)


@vjp_rule(np.logaddexp.reduce, lazy=True, samples=_ALONG_FIRST)
def logaddexp_reduce(
    y_bar: Array, y: Array, a: Array, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    return kept(y_bar, axis, keepdims) * np.exp(a - kept(y, axis, keepdims))


@vjp_rule(np.hypot.reduce, lazy=True, samples=_ALONG_FIRST, note="nan at the origin")
def hypot_reduce(
    y_bar: Array, y: Array, a: Array, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    return kept(y_bar / y, axis, keepdims) * a


# --- accumulate ---------------------------------------------------------------------------------------------

_ACCUMULATED = ("A(5)", "A(3, 4)", "A(3, 4), 1", "A(2, 3, 4), axis=-1")


@vjp_rule(np.add.accumulate, samples=_ACCUMULATED)
def add_accumulate(y_bar: Array, y: Array, array: Array, axis: Any = 0, dtype: Any = None, out: Any = None) -> Array:
    return cumsum_along(y_bar, array, axis)


@vjp_rule(np.multiply.accumulate, samples=(*_ACCUMULATED, "Z(5)"))
def multiply_accumulate(y_bar: Array, y: Array, array: Array, axis: Any = 0, dtype: Any = None, out: Any = None) -> Array:
    return cumprod_along(y_bar, y, array, axis)


@vjp_rule(np.maximum.accumulate, np.minimum.accumulate, samples=_ACCUMULATED, note="of elements that tie, the last")
def extremum_accumulate(y_bar: Array, y: Array, array: Array, axis: Any = 0, dtype: Any = None, out: Any = None) -> Array:
    index = list(np.indices(y.shape, sparse=True))
    index[axis] = np.maximum.accumulate(np.where(array == y, index[axis], 0), axis)
    a_bar = np.zeros_like(y_bar)
    np.add.at(a_bar, tuple(index), y_bar)
    return a_bar


# --- reduceat -----------------------------------------------------------------------------------------------


@vjp_rule(np.add.reduceat, samples=("A(6), [0, 2, 4]", "A(6), [3, 1, 1, 5]", "A(5, 2), [0, 3]", "A(2, 6), [0, 2, 4], 1"))
def add_reduceat(y_bar: Array, y: Array, array: Array, indices: Any, axis: Any = 0, dtype: Any = None) -> Array:
    starts = np.asarray(indices)
    after = np.append(starts[1:], array.shape[axis])
    counts = np.maximum(after - starts, 1)
    # the numbers of the elements, one part after the other
    sources = np.arange(np.sum(counts)) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    a_bar = np.zeros_like(array, dtype=y_bar.dtype)
    np.add.at(a_bar.swapaxes(0, axis), sources, np.repeat(y_bar.swapaxes(0, axis), counts, 0))
    return a_bar, None


# --- outer --------------------------------------------------------------------------------------------------


_PAIRS = ("A(3), A(4)", "A(2, 3), A(4)", "A(3), A(2, 3)", "A(3), R()", "R(), A(3)", "A(2, 3), A(2, 4)")


def _before(a: Array, b: Array) -> Array:
    """An operand with axes of length 1 for those of the other."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a
    if np.ndim(b) == 1:
        return a[..., None]
    return np.reshape(a, (*np.shape(a), *(1,) * np.ndim(b)))


def _over(bar: Array, b: Array) -> Array:
    """The sum over the axes of the second operand."""
    if np.ndim(b) == 0:
        return bar
    if np.ndim(b) == 1:
        return np.sum(bar, -1)
    return np.sum(bar, runtime.last_axes(np.ndim(b)))


@vjp_rule(np.add.outer, samples=_PAIRS)
def add_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    return _over(z_bar, b), z_bar


@vjp_rule(np.subtract.outer, samples=_PAIRS)
def subtract_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    return _over(z_bar, b), -z_bar


@vjp_rule(np.multiply.outer, samples=_PAIRS)
def multiply_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return z_bar @ b, a @ z_bar
    return _over(z_bar * b, b), z_bar * _before(a, b)


@vjp_rule(np.divide.outer, samples=_PAIRS)
def divide_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    share = z_bar / b
    return _over(share, b), -share * z


@vjp_rule(np.maximum.outer, samples=_PAIRS, note="ties share equally")
def maximum_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    beside = _before(a, b)
    share = z_bar * np.heaviside(beside - b, 0.5)
    return _over(share, b), z_bar - share


@vjp_rule(np.minimum.outer, samples=_PAIRS, note="ties share equally")
def minimum_outer(z_bar: Array, z: Array, a: Array, b: Array) -> Array:
    beside = _before(a, b)
    share = z_bar * np.heaviside(b - beside, 0.5)
    return _over(share, b), z_bar - share


zero_derivative(np.equal.outer, np.not_equal.outer, np.less.outer, np.less_equal.outer, np.greater.outer, np.greater_equal.outer)
zero_derivative(np.logical_and.reduce, np.logical_or.reduce, np.logical_and.accumulate, np.logical_or.accumulate)
