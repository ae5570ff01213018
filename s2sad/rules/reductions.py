"""Rules of reductions and cumulative operations over the axes of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.declare import vjp_rule
from s2sad.rules.joining import part_along

Array = Any

_REDUCED: tuple[str, ...] = (
    "A(3, 4)",
    "A(3, 4), axis=0",
    "A(3, 4), axis=-1",
    "A(2, 3, 4), axis=(0, 2)",
    "A(3, 4), axis=1, keepdims=True",
)
_REDUCED += ("A(3, 4), keepdims=True", "A(5)", "A(1, 3), 0", "A(3, 1), axis=1", "A(2, 3, 2), axis=(-1, 0), keepdims=True")


def kept(y: Array, axis: Any, keepdims: Any) -> Array:
    """A result with the reduced axes (np.expand_dims takes ten times as long)."""
    if axis is None or keepdims or np.ndim(y) == 0:
        return y
    if isinstance(axis, int):
        if axis == 0:
            return y[None]
        if axis == 1:
            return y[:, None]
        if axis == -1:
            return y[..., None]
    return np.expand_dims(y, axis)


def count_along(a: Array, axis: Any) -> Any:
    """How many elements are reduced to one."""
    if np.ndim(a) == 0:
        return 1
    if axis is None:
        return a.size
    if isinstance(axis, int):
        return a.shape[axis]
    return runtime.length_along(a, axis)


def divisor_along(a: Array, axis: Any) -> Any:
    """What a mean divides by. Where there are no elements it is nan, and there is nothing to give an adjoint to: by zero, Python
    would not divide."""
    return max(count_along(a, axis), 1)


def chosen(bar: Array, where: Array) -> Array:
    """An adjoint, and zero for the elements that do not count."""
    if isinstance(where, bool):
        return bar if where else 0.0
    return np.where(where, bar, 0.0)


def total_of(y_bar: Array, y: Array) -> Array:
    """The adjoint of a number that is in every element of the result."""
    return np.sum(np.broadcast_to(y_bar, np.shape(y)))


def _count_where(a: Array, axis: Any, where: Array) -> Any:
    """How many elements are reduced to one, with the reduced axes."""
    if isinstance(where, bool):
        return count_along(a, axis)
    counts = np.broadcast_to(where, np.shape(a))
    return np.count_nonzero(counts) if axis is None else np.count_nonzero(counts, axis, keepdims=True)


def _degrees_of_freedom(a: Array, axis: Any, where: Array, ddof: Any) -> Any:
    """What a variance divides by. Where it is zero, the variance is nan or inf, and has no derivative."""
    if not isinstance(where, bool):
        return _count_where(a, axis, where) - ddof
    if ddof == 0:
        return divisor_along(a, axis)
    return (count_along(a, axis) - ddof) or math.nan


_SOME: tuple[str, ...] = (
    *("A(3, 4), where=B(3, 4)", "A(3, 4), axis=0, where=B(4)", "A(3, 4), axis=1, keepdims=True, where=B(3, 1)"),
    *("A(5), where=B(5)", "A(2, 3, 4), axis=(0, -1), where=B(3, 4)"),
)

_SOME_OF_EACH: tuple[str, ...] = (
    *("A(5, 4), axis=0, where=np.array([1, 0, 1, 1, 0], bool)[:, None]", "A(3, 4), where=np.array([1, 0, 1, 1], bool)"),
    *("A(3, 4), axis=1, keepdims=True, where=np.array([1, 0, 1, 1], bool)", "A(3), where=np.array([1, 0, 1], bool)"),
)


@vjp_rule(
    *(np.sum, np.ndarray.sum),
    lazy=True,
    samples=(*_REDUCED, *_SOME, "A()", "A(0)", "A(0, 3), axis=0", "A(3, 4), axis=()", "A(3), initial=R()"),
)
def sum(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Array = 0,
    where: Array = True,
) -> Array:
    return chosen(kept(y_bar, axis, keepdims), where), None, None, None, None, total_of(y_bar, y), None


@vjp_rule(np.mean, np.ndarray.mean, lazy=True, samples=(*_REDUCED, *_SOME_OF_EACH, "A()", "A(3, 4), axis=()"))
def mean(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Array = True,
) -> Array:
    if isinstance(where, bool):
        return kept(y_bar / divisor_along(a, axis), axis, keepdims)
    return chosen(kept(y_bar, axis, keepdims) / _count_where(a, axis, where), where)


def extreme_shares(y_bar: Array, y: Array, a: Array, axis: Any, keepdims: Any) -> Array:
    """The adjoint of a largest or least element: elements that tie share it."""
    is_extreme = a == kept(y, axis, keepdims)
    if axis is None:
        return y_bar / np.count_nonzero(is_extreme) * is_extreme
    return kept(y_bar, axis, keepdims) / np.sum(is_extreme, axis, keepdims=True) * is_extreme


@vjp_rule(
    *(np.max, np.ndarray.max, np.min, np.ndarray.min, np.amax, np.amin, np.nanmax, np.nanmin),
    samples=(*_REDUCED, "A()", "A(3, 4), axis=()"),
    lazy=True,
    note="ties share equally",
)
def extremum(y_bar: Array, y: Array, a: Array, axis: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    return extreme_shares(y_bar, y, a, axis, keepdims)


@vjp_rule(
    *(np.max, np.ndarray.max, np.min, np.ndarray.min, np.amax, np.amin, np.nanmax, np.nanmin),
    samples=(
        *("A(3, 4), initial=R(), where=B(3, 4)", "A(3, 4), axis=0, initial=R(), where=B(4)", "A(5), initial=R()"),
        *("A(5), initial=9.0", "A(5), initial=-9.0", "A(3, 4), axis=1, keepdims=True, initial=R(), where=B(3, 1)"),
    ),
    overload=True,
    note="ties share equally, with `initial` as well",
)
def extremum_of_some(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Array = None,
    where: Array = True,
) -> Array:
    is_extreme = (a == kept(y, axis, keepdims)) & where
    counts = np.count_nonzero(is_extreme) if axis is None and not keepdims else np.sum(is_extreme, axis, keepdims=keepdims)
    if initial is None:
        return kept(y_bar / counts, axis, keepdims) * is_extreme, None, None, None, None, None
    counts = counts + (y == initial)
    share = y_bar / counts
    return kept(share, axis, keepdims) * is_extreme, None, None, None, np.sum(share * (y == initial)), None


@vjp_rule(np.ptp, lazy=True, samples=(*_REDUCED, "A(3, 4), axis=()"), note="ties share equally")
def ptp(y_bar: Array, y: Array, a: Array, axis: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    if axis is None:
        is_largest, is_least = a == np.max(a), a == np.min(a)
        return y_bar * (is_largest / np.count_nonzero(is_largest) - is_least / np.count_nonzero(is_least))
    is_largest, is_least = a == np.max(a, axis, keepdims=True), a == np.min(a, axis, keepdims=True)
    shares = is_largest / np.sum(is_largest, axis, keepdims=True) - is_least / np.sum(is_least, axis, keepdims=True)
    return kept(y_bar, axis, keepdims) * shares


@vjp_rule(np.nansum, lazy=True, samples=("N(3, 4)", "N(3, 4), axis=0", "N(5)", "N(3, 4), axis=1, keepdims=True"))
def nansum(
    y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    return kept(y_bar, axis, keepdims) * ~np.isnan(a)


@vjp_rule(np.nanmean, lazy=True, samples=("N(3, 4)", "N(3, 4), axis=0", "N(5)", "N(3, 4), axis=1, keepdims=True"))
def nanmean(
    y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Array:
    counts = ~np.isnan(a)
    count = np.count_nonzero(counts) if axis is None else np.sum(counts, axis, keepdims=True)
    return kept(y_bar, axis, keepdims) / count * counts


def _mean(a: Array, axis: Any, where: Array) -> Array:
    """Means with the reduced axes."""
    if isinstance(where, bool):
        return np.mean(a) if axis is None else np.mean(a, axis, keepdims=True)
    return np.mean(a, axis, keepdims=True, where=where)


def _deviation(a: Array, axis: Any, where: Array) -> Array:
    """What the elements that count differ from their mean by."""
    return chosen(a - _mean(a, axis, where), where)


@vjp_rule(np.var, np.ndarray.var, lazy=True, samples=(*_REDUCED, *_SOME_OF_EACH, "A(3, 4), ddof=1", "A(3, 4), axis=0, ddof=1"))
def var(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Array = True,
) -> Array:
    return 2 / _degrees_of_freedom(a, axis, where, ddof) * kept(y_bar, axis, keepdims) * _deviation(a, axis, where)


@vjp_rule(
    np.std,
    np.ndarray.std,
    lazy=True,
    samples=(
        *("A(3, 4)", "A(3, 4), axis=0", "A(3, 4), axis=-1, ddof=1", "A(2, 3, 4), axis=(0, 2), keepdims=True"),
        *_SOME_OF_EACH,
    ),
)
def std(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Array = True,
) -> Array:
    return kept(y_bar / y, axis, keepdims) / _degrees_of_freedom(a, axis, where, ddof) * _deviation(a, axis, where)


def _product_of_others(a: Array) -> Array:
    """For each element the product of the others along the last axis."""
    before = np.cumprod(a[..., :-1], -1)
    after = np.cumprod(a[..., :0:-1], -1)[..., ::-1]
    ones = np.ones_like(a[..., :1])
    return np.concatenate((ones, before), -1) * np.concatenate((after, ones), -1)


def of_prod(y_bar: Array, a: Array, axis: Any, keepdims: Any) -> Array:
    # not y / a: an element may be zero
    if np.ndim(a) == 0:
        return y_bar
    if a.ndim == 1 and axis != ():
        return y_bar * _product_of_others(a)
    if axis is None:
        return y_bar * _product_of_others(np.ravel(a)).reshape(a.shape)
    if isinstance(axis, int):
        return kept(y_bar, axis, keepdims) * np.moveaxis(_product_of_others(np.moveaxis(a, axis, -1)), -1, axis)
    if len(axis) == 0:
        return y_bar
    last = runtime.last_axes(len(axis))
    moved = np.moveaxis(a, axis, last)
    others = _product_of_others(moved.reshape((*moved.shape[: -len(axis)], -1))).reshape(moved.shape)
    return kept(y_bar, axis, keepdims) * np.moveaxis(others, last, axis)


@vjp_rule(
    *(np.prod, np.ndarray.prod),
    lazy=True,
    samples=(*_REDUCED, "A()", "Z(4)", "Z(3, 4), axis=0", "Z(3, 4), axis=1", "A(3, 4), axis=()", "A(3), axis=()"),
)
def prod(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    return of_prod(y_bar, a, axis, keepdims)


@vjp_rule(
    *(np.prod, np.ndarray.prod),
    samples=(*_SOME, "A(3), initial=R()", "A(3, 4), axis=0, initial=R(), where=B(4)", "Z(5), initial=2.0"),
    overload=True,
)
def prod_of_some(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Array = 1,
    where: Array = True,
) -> Array:
    factors = a if isinstance(where, bool) else np.where(where, a, 1.0)
    a_bar = chosen(of_prod(y_bar * initial, factors, axis, keepdims), where)
    return a_bar, None, None, None, None, np.sum(y_bar * np.prod(factors, axis, keepdims=keepdims)), None


def cumsum_along(y_bar: Array, a: Array, axis: Any) -> Array:
    """The adjoint of running sums along an axis."""
    if np.ndim(a) == 1:
        return np.cumsum(y_bar[::-1])[::-1]
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)


@vjp_rule(
    np.cumsum, np.ndarray.cumsum, samples=("A(5)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), 1", "A(2, 3, 4), axis=-2", "A(0)")
)
def cumsum(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
    if axis is None and np.ndim(a) != 1:
        return np.cumsum(y_bar[::-1])[::-1].reshape(np.shape(a))
    return cumsum_along(y_bar, a, axis)


def _along_first(y_bar: Array, y: Array, a: Array) -> Array:
    a_bar = np.zeros_like(y_bar)
    rest = np.zeros_like(y_bar[:1].sum(0))
    for i in range(len(a) - 1, 0, -1):
        rest = y_bar[i] + rest
        a_bar[i] = y[i - 1] * rest
        rest = a[i] * rest
    a_bar[:1] = y_bar[:1] + rest
    return a_bar


def cumprod_along(y_bar: Array, y: Array, a: Array, axis: Any) -> Array:
    """The adjoint of running products along an axis."""
    # not cumsum(y_bar * y) / a: an element may be zero
    if np.ndim(a) == 1:
        return _along_first(y_bar, y, a)
    return np.moveaxis(_along_first(np.moveaxis(y_bar, axis, 0), np.moveaxis(y, axis, 0), np.moveaxis(a, axis, 0)), 0, axis)


@vjp_rule(np.cumprod, np.ndarray.cumprod, samples=("A(5)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), 1", "Z(6)", "Z(4, 3), axis=0"))
def cumprod(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
    if axis is None and np.ndim(a) != 1:
        return _along_first(y_bar, y, np.ravel(a)).reshape(np.shape(a))
    return cumprod_along(y_bar, y, a, axis)


@vjp_rule(
    np.diff,
    samples=(
        *("A(5)", "A(3, 4)", "A(4, 3), axis=0", "A(6), n=2", "A(6), 3", "A(1)", "A(4), prepend=0.0, append=1.0"),
        *("A(4), prepend=A(2)", "A(3, 4), axis=0, append=A(1, 4)", "A(4), n=2, prepend=A(1), append=A(3)"),
    ),
)
def diff(y_bar: Array, y: Array, a: Array, n: Any = 1, axis: Any = -1, prepend: Array = None, append: Array = None) -> Array:
    if n == 1 and prepend is None and append is None:
        return _of_neighbours(y_bar, a, axis), None, None, None, None
    for _ in range(n):
        y_bar = -np.diff(y_bar, 1, axis, prepend=0.0, append=0.0)
    if prepend is None and append is None:
        return y_bar, None, None, None, None
    start = 0 if prepend is None else 1 if np.ndim(prepend) == 0 else prepend.shape[axis]
    stop = start + a.shape[axis]
    before = None if prepend is None else part_along(y_bar, 0, start, axis)
    after = None if append is None else part_along(y_bar, stop, y_bar.shape[axis], axis)
    return part_along(y_bar, start, stop, axis), None, None, before, after


def _of_neighbours(y_bar: Array, a: Array, axis: Any) -> Array:
    """The adjoint of an array from that of the differences between neighbours."""
    a_bar = np.zeros_like(a, dtype=y_bar.dtype)
    if a.ndim == 1 or axis == 0:
        a_bar[1:] = y_bar
        a_bar[:-1] -= y_bar
    elif axis == -1:
        a_bar[..., 1:] = y_bar
        a_bar[..., :-1] -= y_bar
    else:
        moved, moved_bar = np.moveaxis(a_bar, axis, 0), np.moveaxis(y_bar, axis, 0)
        moved[1:] = moved_bar
        moved[:-1] -= moved_bar
    return a_bar


def _ends_of(widths: Array) -> Array:
    """What two neighbours get of what lies between them."""
    zero = np.zeros_like(widths[..., :1]) if widths.shape[-1] else np.zeros((*widths.shape[:-1], 1))
    return np.concatenate((widths, zero), -1) + np.concatenate((zero, widths), -1)


@vjp_rule(
    np.trapezoid,
    samples=(
        *("A(5)", "A(5), dx=0.5", "A(3, 4), axis=0, dx=2.0", "A(5), A(5)", "A(3, 4), A(4)", "A(3, 4), A(3, 4), axis=0"),
        *("A(3, 4), A(3), axis=0", "A(1)"),
    ),
)
def trapezoid(z_bar: Array, z: Array, y: Array, x: Array = None, dx: Any = 1.0, axis: Any = -1) -> Array:
    heights = np.moveaxis(y, axis, -1)
    half = 0.5 * (z_bar if np.ndim(z_bar) == 0 else z_bar[..., None])
    if x is None:
        pairs = heights[..., 1:] + heights[..., :-1]
        widths = np.broadcast_to(half * dx, pairs.shape)
        return np.moveaxis(_ends_of(widths), -1, axis), None, np.sum(half * pairs)
    places = x if x.ndim == 1 else np.moveaxis(x, axis, -1)
    y_bar = _ends_of(half * np.diff(places))
    x_bar = -np.diff(half * (heights[..., 1:] + heights[..., :-1]), prepend=0.0, append=0.0)
    return np.moveaxis(y_bar, -1, axis), x_bar if x.ndim == 1 else np.moveaxis(x_bar, -1, axis)
