"""Rules of functions that leave elements of an array out, put others in, choose among arrays, or continue an array at its edges.

Where an element of the result is one of the operand, its number in there is found by doing the same to an array of numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.checks import declare_static
from s2sad.rules.declare import vjp_rule
from s2sad.rules.joining import part_along

Array = Any
#: A sequence of arrays.
Arrays = Any


def _stored_at(y_bar: Array, a: Array, places: Array, axis: Any) -> Array:
    """Zeros like an array, with an adjoint at places along an axis."""
    a_bar = np.zeros_like(a, dtype=y_bar.dtype)
    if axis is None:
        a_bar.reshape(-1)[places] = y_bar
    elif axis == 0:
        a_bar[places] = y_bar
    else:
        a_bar.swapaxes(0, axis)[places] = y_bar.swapaxes(0, axis)
    return a_bar


@vjp_rule(np.delete, samples=("A(5), 1", "A(5), [0, 3]", "A(3, 4), 1, axis=0", "A(3, 4), [0, 2], 1", "A(2, 2), 3"))
def delete(y_bar: Array, y: Array, arr: Array, obj: Any, axis: Any = None) -> Array:
    count = np.size(arr) if axis is None else arr.shape[axis]
    return _stored_at(y_bar, arr, np.delete(np.arange(count), obj), axis)


@vjp_rule(
    np.insert,
    samples=(
        *(
            "A(5), 2, R()",
            "A(5), -2, R()",
            "A(5), 1, A(2)",
            "A(5), [1, 3], A(2)",
            "A(5), [3, 1], A(2)",
            "A(5), [0, 2], R()",
            "A(2, 3), 4, R()",
        ),
        *("A(3, 4), 1, A(4), axis=0", "A(3, 4), 2, R(), axis=1", "A(3, 4), [0, 2], A(2, 4), axis=0", "A(3, 4), -1, A(3), axis=1"),
    ),
)
def insert(y_bar: Array, y: Array, arr: Array, obj: Any, values: Array, axis: Any = None) -> Array:
    if isinstance(obj, int) and axis is None and np.ndim(values) == 0:
        place = obj - 1 if obj < 0 else obj
        return np.delete(y_bar, place).reshape(np.shape(arr)), None, y_bar[place]
    count = np.size(arr) if axis is None else arr.shape[axis]
    added = (np.size(y) if axis is None else y.shape[axis]) - count
    sources = np.insert(np.arange(count), obj, np.arange(count, count + added) if added != 1 else count)
    order = np.argsort(sources)
    bars = y_bar[order] if axis is None else np.take(y_bar, order, axis)
    if axis is None:
        return bars[:count].reshape(np.shape(arr)), None, bars[count:]
    values_bar = part_along(bars, count, count + added, axis)
    if isinstance(obj, int):
        values_bar = np.moveaxis(values_bar, axis, 0)
    return part_along(bars, 0, count, axis), None, values_bar


@vjp_rule(
    np.compress,
    samples=("B(5), A(5)", "B(3), A(3, 4), axis=0", "B(3), A(3, 4), 1", "B(12), A(3, 4)", "[True, False], A(3, 2), -1"),
)
def compress(y_bar: Array, y: Array, condition: Array, a: Array, axis: Any = None) -> Array:
    return None, _stored_at(y_bar, a, np.flatnonzero(condition), axis)


@vjp_rule(np.ndarray.compress, samples=("A(5), B(5)", "A(3, 4), B(4), axis=1"))
def compress_method(y_bar: Array, y: Array, a: Array, condition: Array, axis: Any = None) -> Array:
    return _stored_at(y_bar, a, np.flatnonzero(condition), axis), None


@vjp_rule(np.extract, samples=("B(5), A(5)", "B(3, 4), A(3, 4)"))
def extract(y_bar: Array, y: Array, condition: Array, arr: Array) -> Array:
    return None, _stored_at(y_bar, arr, np.flatnonzero(condition), None)


@vjp_rule(np.choose, samples=("I(2, 5), (A(5), A(5))", "I(3, 2, 4), (A(4), A(2, 1), R())"))
def choose(y_bar: Array, y: Array, a: Array, choices: Arrays, out: Any = None, mode: Any = "raise") -> Array:
    if mode != "raise":
        raise NotImplementedError("np.choose() has a derivative for mode='raise'")
    if not isinstance(choices, tuple):
        return None, [runtime.unbroadcast(np.where(a == index, y_bar, 0.0), one) for index, one in enumerate(choices)]
    bars: Any = ()
    for index, _ in enumerate(choices):
        bars = bars + (np.where(a == index, y_bar, 0.0),)  # noqa: RUF005
    return None, bars


@vjp_rule(
    np.pad,
    samples=(
        *("A(5), 1", "A(5), (1, 2)", "A(3, 4), 1", "A(3, 4), ((1, 0), (2, 1))", "A(4), 2, constant_values=R()"),
        *("A(4), (1, 3), 'constant'", "A(3, 4), ((2, 1),)"),
    ),
)
def pad(y_bar: Array, y: Array, array: Array, pad_width: Any, mode: Any = "constant", *, constant_values: Array = 0) -> Array:
    if mode == "constant":
        if np.ndim(constant_values) != 0:
            raise NotImplementedError("np.pad() has a derivative where constant_values is one number")
        total = np.sum(y_bar)
        for axis in runtime.axes_from(0, np.ndim(array)):
            start = runtime.width_before(pad_width, axis)
            y_bar = part_along(y_bar, start, start + array.shape[axis], axis)
        return y_bar, None, None, total - np.sum(y_bar)
    if mode != "edge" and mode != "wrap" and mode != "reflect" and mode != "symmetric":
        raise NotImplementedError("np.pad() has a derivative for the modes constant, edge, wrap, reflect and symmetric")
    sources = np.pad(np.arange(np.size(array)).reshape(np.shape(array)), pad_width, mode)
    return np.bincount(np.ravel(sources), np.ravel(y_bar), np.size(array)).reshape(np.shape(array)), None, None, None


@vjp_rule(np.vander, samples=("A(4)", "A(4), 3", "A(3), 5, increasing=True", "A(3), 1"), note="with respect to the points")
def vander(y_bar: Array, y: Array, x: Array, N: Any = None, increasing: Any = False) -> Array:  # noqa: N803 (NumPy's name)
    count = y.shape[1]
    if increasing:
        return (y_bar[:, 1:] * y[:, :-1]) @ np.arange(1.0, count)
    return (y_bar[:, :-1] * y[:, 1:]) @ np.arange(count - 1.0, 0.0, -1.0)


declare_static(runtime.width_before)
