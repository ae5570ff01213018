"""Rules of functions that put elements in order, or pick them by their place in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.rules.declare import vjp_rule

Array = Any


def _places(a: Array, axis: Any) -> Array:
    """The place of each element in the order along an axis."""
    return np.argsort(np.argsort(a, axis), axis)


@vjp_rule(np.sort, samples=("A(5)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), None"))
def sort(y_bar: Array, y: Array, a: Array, axis: Any = -1) -> Array:
    if axis is None:
        return y_bar[np.argsort(np.argsort(a, axis=None))].reshape(a.shape)
    if a.ndim == 1:
        return y_bar[np.argsort(np.argsort(a))]
    return np.take_along_axis(y_bar, _places(a, axis), axis)


@vjp_rule(np.partition, samples=("A(7), 3", "A(3, 6), 2", "A(6, 3), 2, axis=0", "A(3, 4), 5, None", "A(8), (2, 5)"))
def partition(y_bar: Array, y: Array, a: Array, kth: Any, axis: Any = -1) -> Array:
    # the order between the places is not that of np.argpartition
    if axis is None:
        return y_bar[np.argsort(y)][np.argsort(np.argsort(a, axis=None))].reshape(a.shape)
    if a.ndim == 1:
        return y_bar[np.argsort(y)][np.argsort(np.argsort(a))]
    return np.take_along_axis(np.take_along_axis(y_bar, np.argsort(y, axis), axis), _places(a, axis), axis)


@vjp_rule(np.unique, samples=("A(5)", "A(2, 3)"), note="equal elements share")
def unique(y_bar: Array, y: Array, ar: Array) -> Array:
    places = np.searchsorted(y, np.ravel(ar))
    return (y_bar / np.bincount(places))[places].reshape(np.shape(ar))


def _weights_of_median(a: Array) -> Array:
    """How much each element along the last axis counts."""
    count = a.shape[-1]
    place = _places(a, -1)
    return 0.5 * (place == count // 2) + 0.5 * (place == (count - 1) // 2)


@vjp_rule(np.median, samples=("A(5)", "A(4)", "A(3, 4)", "A(3, 4), axis=0", "A(3, 4), axis=1", "A(3, 4), 1, keepdims=True"))
def median(
    y_bar: Array, y: Array, a: Array, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Array:
    if axis is None:
        return (y_bar * _weights_of_median(np.ravel(a))).reshape(a.shape)
    if not isinstance(axis, int):
        raise NotImplementedError("np.median() has a derivative along one axis, or of all elements")
    weights = np.moveaxis(_weights_of_median(np.moveaxis(a, axis, -1)), -1, axis)
    return (y_bar if keepdims else np.expand_dims(y_bar, axis)) * weights


def _of_quantile(y_bar: Array, a: Array, q: Array, axis: Any, method: Any, keepdims: Any) -> Array:
    """The adjoints of the array and of the share, which is between two neighbours in the order (or at one)."""
    if method != "linear":
        raise NotImplementedError("quantiles have a derivative for the method 'linear'")
    if axis is not None and not isinstance(axis, int):
        raise NotImplementedError("quantiles have a derivative along one axis, or of all elements")
    if keepdims and np.ndim(q) != 0:
        raise NotImplementedError("several quantiles have a derivative without keepdims=True")
    elements = np.ravel(a) if axis is None else np.moveaxis(a, axis, -1)
    steps = elements.shape[-1] - 1
    if np.ndim(q) == 0:
        offset = _places(elements, -1) - q * steps
        bar = y_bar if axis is None else np.moveaxis(y_bar, axis, -1) if keepdims else y_bar[..., None]
        bar = np.reshape(bar, 1) if axis is None and keepdims else bar
    else:
        offset = _places(elements, -1) - np.reshape(q * steps, (-1, *(1,) * elements.ndim))
        bar = y_bar[..., None]
    near = np.abs(offset)
    shares = bar * np.maximum(1.0 - near, 0.0)
    a_bar = shares if np.ndim(q) == 0 else np.sum(shares, 0)
    slopes = steps * bar * elements * np.sign(offset) * (near < 1.0)
    q_bar = np.sum(slopes) if np.ndim(q) == 0 else np.sum(np.reshape(slopes, (len(q), -1)), 1)
    return a_bar.reshape(a.shape) if axis is None else np.moveaxis(a_bar, -1, axis), q_bar


_QUANTILES: tuple[str, ...] = (
    "A(5), 0.3",
    "A(6), 0.5",
    "A(3, 4), 0.35",
    "A(3, 4), 0.2, axis=0",
    "A(3, 4), 0.9, 1",
    "A(3, 4), 0.9, 1, keepdims=True",
)
_QUANTILES += (
    "A(5), R() / 2",
    "A(5), np.array([0.2, 0.7])",
    "A(3, 4), np.array([0.2, 0.6, 0.7]), axis=0",
    "A(2, 3), 0.3, keepdims=True",
)


@vjp_rule(np.quantile, samples=_QUANTILES)
def quantile(
    y_bar: Array,
    y: Array,
    a: Array,
    q: Array,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> Array:
    a_bar, q_bar = _of_quantile(y_bar, a, q, axis, method, keepdims)
    return a_bar, q_bar


@vjp_rule(np.percentile, samples=("A(5), 30", "A(3, 4), 25.0, axis=0", "A(6), 20 * R()", "A(4), np.array([25.0, 70.0])"))
def percentile(
    y_bar: Array,
    y: Array,
    a: Array,
    q: Array,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> Array:
    a_bar, q_bar = _of_quantile(y_bar, a, q / 100, axis, method, keepdims)
    return a_bar, q_bar / 100
