"""Rules of functions that join arrays, take them apart, or repeat them.

The operand that is a sequence of arrays has a sequence of adjoints; that may be an array as well, whose elements along the first
axis are those of the sequence. What is adjoint to a result that is a sequence is a sequence too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.declare import model, vjp_rule

Array = Any
#: A sequence of arrays: each element that is a list or a tuple is made an array.
Arrays = Any

_JOINED = ("[A(3), A(2)]", "(A(2, 3), A(4, 3))", "[A(2, 3), A(2, 1)], axis=1", "(A(2, 3), A(2, 2)), -1", "[A(2), A(2, 2)], None")


def part_along(y_bar: Array, start: Any, stop: Any, axis: Any) -> Array:
    if axis == 0:
        return y_bar[start:stop]
    if axis == 1:
        return y_bar[:, start:stop]
    if axis == -1:
        return y_bar[..., start:stop]
    return y_bar.swapaxes(0, axis)[start:stop].swapaxes(0, axis)


@vjp_rule(
    np.concatenate, samples=(*_JOINED, "[A(2, 3, 4), A(2, 1, 4)], axis=1", "[A(0), A(3)]", "[A(2, 3, 4), A(2, 2, 4)], axis=-2")
)
def concatenate(y_bar: Array, y: Array, arrays: Arrays, axis: Any = 0) -> Array:
    if not isinstance(arrays, tuple):
        return runtime.split_like(y_bar, arrays, axis), None
    bars: Any = ()
    stop = 0
    for a in arrays:
        start = stop
        if axis is None:
            stop += np.size(a)
            bars = bars + (y_bar[start:stop].reshape(np.shape(a)),)  # noqa: RUF005
        else:
            stop += a.shape[axis]
            bars = bars + (part_along(y_bar, start, stop, axis),)  # noqa: RUF005
    return bars, None


@vjp_rule(np.stack, samples=("[A(3), A(3)]", "(A(2, 3), A(2, 3)), axis=1", "[A(2, 3), A(2, 3), A(2, 3)], -1"))
def stack(y_bar: Array, y: Array, arrays: Arrays, axis: Any = 0) -> Array:
    if not isinstance(arrays, tuple):
        return np.moveaxis(y_bar, axis, 0), None
    bars: Any = ()
    for index, _ in enumerate(arrays):
        if axis == 0:
            bars = bars + (y_bar[index],)  # noqa: RUF005
        elif axis == 1:
            bars = bars + (y_bar[:, index],)  # noqa: RUF005
        elif axis == -1:
            bars = bars + (y_bar[..., index],)  # noqa: RUF005
        else:
            bars = bars + (np.moveaxis(y_bar, axis, 0)[index],)  # noqa: RUF005
    return bars, None


@vjp_rule(np.vstack, samples=("[A(3), A(3)]", "(A(2, 3), A(3))", "[A(1, 3), A(2, 3)]"))
def vstack(y_bar: Array, y: Array, tup: Arrays) -> Array:
    if not isinstance(tup, tuple):
        return runtime.split_rows_like(y_bar, tup), None
    bars: Any = ()
    stop = 0
    for a in tup:
        start = stop
        if np.ndim(a) < 2:
            stop += 1
            bars = bars + (y_bar[start].reshape(np.shape(a)),)  # noqa: RUF005
        else:
            stop += a.shape[0]
            bars = bars + (y_bar[start:stop],)  # noqa: RUF005
    return (bars,)


@vjp_rule(np.hstack, samples=("[A(3), A(2)]", "(A(2, 3), A(2, 1))", "[A(2, 3, 4), A(2, 1, 4)]"))
def hstack(y_bar: Array, y: Array, tup: Arrays) -> Array:
    if not isinstance(tup, tuple):
        return (runtime.split_like(y_bar, tup, 0 if y.ndim == 1 else 1),)
    bars: Any = ()
    stop = 0
    for a in tup:
        start = stop
        if np.ndim(a) == 0:
            stop += 1
            bars = bars + (y_bar[start],)  # noqa: RUF005
        else:
            axis = 0 if y.ndim == 1 else 1
            stop += a.shape[axis]
            bars = bars + (part_along(y_bar, start, stop, axis),)  # noqa: RUF005
    return (bars,)


@vjp_rule(np.column_stack, samples=("[A(3), A(3)]", "(A(3, 2), A(3))"))
def column_stack(y_bar: Array, y: Array, tup: Arrays) -> Array:
    if not isinstance(tup, tuple):
        return (runtime.split_columns_like(y_bar, tup),)
    bars: Any = ()
    stop = 0
    for a in tup:
        start = stop
        if np.ndim(a) < 2:
            stop += 1
            bars = bars + (y_bar[:, start].reshape(np.shape(a)),)  # noqa: RUF005
        else:
            stop += a.shape[1]
            bars = bars + (y_bar[:, start:stop],)  # noqa: RUF005
    return (bars,)


@vjp_rule(np.dstack, samples=("[A(3), A(3)]", "(A(2, 3), A(2, 3))", "[A(2, 3, 1), A(2, 3, 2)]"))
def dstack(y_bar: Array, y: Array, tup: Arrays) -> Array:
    if not isinstance(tup, tuple):
        raise NotImplementedError("np.dstack() has a derivative where its arrays are listed in the call")
    bars: Any = ()
    stop = 0
    for a in tup:
        start = stop
        stop += a.shape[2] if np.ndim(a) > 2 else 1
        bars = bars + (y_bar[:, :, start:stop].reshape(np.shape(a)),)  # noqa: RUF005
    return (bars,)


@vjp_rule(np.append, samples=("A(3), A(2)", "A(2, 3), A(2, 2)", "A(2, 3), A(1, 3), axis=0", "A(3), A()"))
def append(y_bar: Array, y: Array, arr: Array, values: Array, axis: Any = None) -> Array:
    if axis is None:
        size = np.size(arr)
        return y_bar[:size].reshape(np.shape(arr)), y_bar[size:].reshape(np.shape(values))
    size = arr.shape[axis]
    return part_along(y_bar, 0, size, axis), part_along(y_bar, size, y.shape[axis], axis)


# --- Parts: views of one array ------------------------------------------------------------------------------


def _cut(ary: Array, indices_or_sections: Any) -> Any:
    """Parts along the first axis."""
    parts = []
    stop = 0
    if isinstance(indices_or_sections, int):
        size, longer = divmod(len(ary), indices_or_sections)
        for k in range(indices_or_sections):
            start = stop
            stop = start + size + (1 if k < longer else 0)
            parts.append(ary[start:stop])
    else:
        for end in indices_or_sections:
            start, stop = stop, end
            parts.append(ary[start:stop])
        parts.append(ary[stop:])
    return parts


@model(np.split, np.array_split, np.vsplit)
def split(ary: Array, indices_or_sections: Any) -> Any:
    return _cut(ary, indices_or_sections)


@model(np.split, np.array_split, overload=True)
def split_along(ary: Array, indices_or_sections: Any, axis: Any) -> Any:
    if ary.ndim == 1:
        return _cut(ary, indices_or_sections)
    if axis == 0:
        return _cut(ary, indices_or_sections)
    parts = []
    for part in _cut(np.moveaxis(ary, axis, 0), indices_or_sections):
        parts.append(np.moveaxis(part, 0, axis))
    return parts


@model(np.hsplit)
def hsplit(ary: Array, indices_or_sections: Any) -> Any:
    if ary.ndim == 1:
        return _cut(ary, indices_or_sections)
    parts = []
    for part in _cut(ary.swapaxes(0, 1), indices_or_sections):
        parts.append(part.swapaxes(0, 1))
    return parts


# --- Repetition ---------------------------------------------------------------------------------------------


@vjp_rule(np.tile, samples=("A(3), 2", "A(2, 3), 2", "A(2, 3), (2, 1)", "A(3), (2, 2)", "A(2, 3), (2, 2, 1)", "A(), 3"))
def tile(y_bar: Array, y: Array, A: Array, reps: Any) -> Array:  # noqa: N803 (NumPy's name)
    tiles = y_bar.reshape(runtime.shape_of_tiles(y.shape, np.shape(A)))
    return np.sum(tiles, runtime.every_other_axis(y.ndim)).reshape(np.shape(A))


@vjp_rule(
    np.repeat,
    np.ndarray.repeat,
    samples=("A(3), 2", "A(2, 3), 2", "A(2, 3), 2, axis=1", "A(3), [1, 0, 2]", "A(2, 3), [2, 1], 0", "A(), 3"),
)
def repeat(y_bar: Array, y: Array, a: Array, repeats: Any, axis: Any = None) -> Array:
    if isinstance(repeats, int) and axis is None:
        return np.sum(y_bar.reshape(-1, repeats), 1).reshape(np.shape(a))
    if axis is None:
        rows = np.zeros(np.size(a), dtype=y_bar.dtype)
        np.add.at(rows, np.repeat(np.arange(np.size(a)), repeats), y_bar)
        return rows.reshape(np.shape(a))
    a_bar = np.zeros(np.shape(a), dtype=y_bar.dtype)
    np.add.at(a_bar.swapaxes(0, axis), np.repeat(np.arange(a.shape[axis]), repeats), y_bar.swapaxes(0, axis))
    return a_bar
