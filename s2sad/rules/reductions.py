"""Rules of reductions and cumulative operations over the axes of arrays."""

from __future__ import annotations

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


def _count(a: Array, axis: Any) -> Any:
    """How many elements are reduced to one."""
    if np.ndim(a) == 0:
        return 1
    if axis is None:
        return a.size
    if isinstance(axis, int):
        return a.shape[axis]
    return runtime.length_along(a, axis)


@vjp_rule(np.sum, np.ndarray.sum, lazy=True, samples=(*_REDUCED, "A()", "A(0)", "A(0, 3), axis=0"))
def sum(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    return kept(y_bar, axis, keepdims)


@vjp_rule(np.mean, np.ndarray.mean, lazy=True, samples=(*_REDUCED, "A()"))
def mean(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    return kept(y_bar / _count(a, axis), axis, keepdims)


@vjp_rule(
    *(np.max, np.ndarray.max, np.min, np.ndarray.min, np.amax, np.amin, np.nanmax, np.nanmin),
    samples=(*_REDUCED, "A()"),
    lazy=True,
    note="ties share equally",
)
def extremum(y_bar: Array, y: Array, a: Array, axis: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    is_extreme = a == kept(y, axis, keepdims)
    if axis is None:
        return y_bar / np.count_nonzero(is_extreme) * is_extreme
    return kept(y_bar, axis, keepdims) / np.sum(is_extreme, axis, keepdims=True) * is_extreme


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


def _mean(a: Array, axis: Any) -> Array:
    """Means with the reduced axes."""
    return np.mean(a) if axis is None else np.mean(a, axis, keepdims=True)


@vjp_rule(np.var, np.ndarray.var, lazy=True, samples=(*_REDUCED, "A(3, 4), ddof=1", "A(3, 4), axis=0, ddof=1"))
def var(
    y_bar: Array,
    y: Array,
    a: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
) -> Array:
    deviation = a - _mean(a, axis)
    return 2 / (_count(a, axis) - ddof) * kept(y_bar, axis, keepdims) * deviation


@vjp_rule(
    np.std,
    np.ndarray.std,
    lazy=True,
    samples=("A(3, 4)", "A(3, 4), axis=0", "A(3, 4), axis=-1, ddof=1", "A(2, 3, 4), axis=(0, 2), keepdims=True"),
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
) -> Array:
    deviation = a - _mean(a, axis)
    return kept(y_bar / y, axis, keepdims) / (_count(a, axis) - ddof) * deviation


def _product_of_others(a: Array) -> Array:
    """For each element the product of the others along the last axis."""
    before = np.cumprod(a[..., :-1], -1)
    after = np.cumprod(a[..., :0:-1], -1)[..., ::-1]
    ones = np.ones_like(a[..., :1])
    return np.concatenate((ones, before), -1) * np.concatenate((after, ones), -1)


@vjp_rule(np.prod, np.ndarray.prod, lazy=True, samples=(*_REDUCED, "A()", "Z(4)", "Z(3, 4), axis=0", "Z(3, 4), axis=1"))
def prod(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Array:
    # not y / a: an element may be zero
    if np.ndim(a) == 0:
        return y_bar
    if a.ndim == 1:
        return y_bar * _product_of_others(a)
    if axis is None:
        return y_bar * _product_of_others(np.ravel(a)).reshape(a.shape)
    if isinstance(axis, int):
        return kept(y_bar, axis, keepdims) * np.moveaxis(_product_of_others(np.moveaxis(a, axis, -1)), -1, axis)
    last = runtime.last_axes(len(axis))
    moved = np.moveaxis(a, axis, last)
    others = _product_of_others(moved.reshape((*moved.shape[: -len(axis)], -1))).reshape(moved.shape)
    return kept(y_bar, axis, keepdims) * np.moveaxis(others, last, axis)


@vjp_rule(
    np.cumsum, np.ndarray.cumsum, samples=("A(5)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), 1", "A(2, 3, 4), axis=-2", "A(0)")
)
def cumsum(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
    if np.ndim(a) == 1:
        return np.cumsum(y_bar[::-1])[::-1]
    if axis is None:
        return np.cumsum(y_bar[::-1])[::-1].reshape(np.shape(a))
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)


def _along_first(y_bar: Array, y: Array, a: Array) -> Array:
    a_bar = np.zeros_like(y_bar)
    rest = np.zeros_like(y_bar[:1].sum(0))
    for i in range(len(a) - 1, 0, -1):
        rest = y_bar[i] + rest
        a_bar[i] = y[i - 1] * rest
        rest = a[i] * rest
    a_bar[:1] = y_bar[:1] + rest
    return a_bar


@vjp_rule(np.cumprod, np.ndarray.cumprod, samples=("A(5)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), 1", "Z(6)", "Z(4, 3), axis=0"))
def cumprod(y_bar: Array, y: Array, a: Array, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
    # not cumsum(y_bar * y) / a: an element may be zero
    if np.ndim(a) == 1:
        return _along_first(y_bar, y, a)
    if axis is None:
        return _along_first(y_bar, y, np.ravel(a)).reshape(np.shape(a))
    return np.moveaxis(_along_first(np.moveaxis(y_bar, axis, 0), np.moveaxis(y, axis, 0), np.moveaxis(a, axis, 0)), 0, axis)


@vjp_rule(
    np.diff,
    samples=(
        *("A(5)", "A(3, 4)", "A(4, 3), axis=0", "A(6), n=2", "A(6), 3", "A(1)", "A(4), prepend=0.0, append=1.0"),
        *("A(4), prepend=A(2)", "A(3, 4), axis=0, append=A(1, 4)", "A(4), n=2, prepend=A(1), append=A(3)"),
    ),
)
def diff(y_bar: Array, y: Array, a: Array, n: Any = 1, axis: Any = -1, prepend: Array = None, append: Array = None) -> Array:
    for _ in range(n):
        y_bar = -np.diff(y_bar, 1, axis, prepend=0.0, append=0.0)
    if prepend is None and append is None:
        return y_bar, None, None, None, None
    start = 0 if prepend is None else 1 if np.ndim(prepend) == 0 else prepend.shape[axis]
    stop = start + a.shape[axis]
    before = None if prepend is None else part_along(y_bar, 0, start, axis)
    after = None if append is None else part_along(y_bar, stop, y_bar.shape[axis], axis)
    return part_along(y_bar, start, stop, axis), None, None, before, after


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
