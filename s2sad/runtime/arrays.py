"""Adjoints of arrays: what was broadcast, split, stored or looked at as a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.errors import NonDifferentiableError
from s2sad.runtime.overlap import addresses


def unbroadcast(bar: Any, x: Any) -> Any:
    """The adjoint of `x`, from that of what `x` was broadcast to: the sum over what was repeated. For a Python number a number,
    for an array of floats an array of that precision.

    >>> import numpy as np
    >>> unbroadcast(np.ones((2, 3)), np.ones((2, 1)))
    array([[3.],
           [3.]])
    >>> unbroadcast(np.ones(3), 2.0)
    3.0
    """
    if type(bar) is np.ndarray and type(x) is np.ndarray:  # most calls
        bar = bar if bar.shape == x.shape else _summed(bar, x.shape)
        return bar if bar.dtype == x.dtype or x.dtype.kind != "f" else bar.astype(x.dtype)
    shape = np.shape(x)
    if np.shape(bar) != shape:
        bar = _summed(np.asarray(bar), shape)
    if not isinstance(bar, (np.ndarray, np.generic)):
        return bar
    if not isinstance(x, (np.ndarray, np.generic)):
        return bar.item() if bar.size == 1 else bar
    return bar.astype(x.dtype) if bar.dtype != x.dtype and x.dtype.kind == "f" else bar


def _summed(bar: np.ndarray, shape: tuple[int, ...]) -> Any:
    """An array of another shape as `shape`: the sum over what was repeated. (`np.sum` is a `reduce` that takes twice as long.)"""
    extra = bar.ndim - len(shape)
    if extra > 0:
        bar = np.add.reduce(bar, tuple(range(extra)))
    elif extra < 0:  # a store drops first axes of length 1
        bar = bar.reshape((1,) * -extra + bar.shape)
    axes = tuple([axis for axis, length in enumerate(bar.shape) if length != 1 and shape[axis] == 1])
    return np.add.reduce(bar, axes, keepdims=True) if axes else bar


def broadcast_like(bar: Any, x: Any) -> Any:
    """A new array of the shape of `x`, filled with an adjoint that may be of a smaller shape.

    >>> import numpy as np
    >>> broadcast_like(2.0, np.ones(3))
    array([2., 2., 2.])
    """
    are_arrays = type(bar) is np.ndarray and type(x) is np.ndarray
    if are_arrays and bar.shape == x.shape and bar.dtype == x.dtype and x.dtype.kind == "f":
        return bar.copy()  # in half the time
    dtype = getattr(x, "dtype", None)
    full = np.empty(np.shape(x), dtype if dtype is not None and dtype.kind == "f" else float)
    full[...] = bar
    return full


def sources_of_store(target: Any, stored: Any) -> Any:
    """Which element of `stored` each element of `target` has after ``target[...] = stored``, where the one is set while the other
    is read: an index.

    >>> import numpy as np
    >>> x = np.zeros(7)
    >>> sources_of_store(x[::2], x[:4]).tolist()
    [0, 1, 1, 3]
    """
    # a store leaves out first axes of length 1
    numbers: Any = np.arange(stored.size).reshape(stored.shape[max(0, stored.ndim - np.ndim(target)) :])
    if np.ndim(target) != 1 or stored.ndim != 1:
        return np.unravel_index(np.broadcast_to(numbers, np.shape(target)), stored.shape)
    (start, stop), (first, last) = addresses(target), addresses(stored)
    low, high = min(start, first), max(stop, last)
    memory = np.empty(high - low, np.uint8)
    dtype = np.dtype(f"i{target.itemsize}")

    def twin(array: Any) -> Any:
        offset = array.__array_interface__["data"][0] - low
        return np.ndarray(array.shape, dtype, memory, offset, array.strides)

    twin(stored)[...] = numbers
    twin(target)[...] = twin(stored)
    return twin(target).astype(int)


def turns_of(places: Any) -> Any:
    """How often each number has come before.

    >>> import numpy as np
    >>> turns_of(np.array([3, 1, 3, 3])).tolist()
    [0, 0, 1, 2]
    """
    flat = np.ravel(places)
    order = np.argsort(flat, kind="stable")
    in_order = flat[order]
    turns = np.empty(flat.shape, int)
    turns[order] = np.arange(flat.size) - np.searchsorted(in_order, in_order)
    return turns.reshape(np.shape(places))


def first_element(x: Any) -> Any:
    """The first element of an array, as NumPy's number.

    >>> import numpy as np
    >>> first_element(np.array([[2.0, 3.0]])).item()
    2.0
    """
    return x.flat[0]


def width_before(widths: Any, axis: int) -> int:
    """How many elements `np.pad` puts before those of an array along an axis.

    >>> width_before(2, 0), width_before((1, 2), 1), width_before(((3, 0), (4, 0)), 1)
    (2, 1, 4)
    """
    if np.ndim(widths) == 0:
        return int(widths)
    pair: Any = widths[axis if len(widths) > 1 else 0] if np.ndim(widths[0]) == 1 else widths
    return int(pair[0])


def length_along(x: Any, axes: Any) -> int:
    """How many elements lie along some axes.

    >>> import numpy as np
    >>> length_along(np.ones((2, 3, 4)), (0, -1))
    8
    """
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    return count


def shape_of_tiles(shape: Any, of_tile: Any) -> tuple[int, ...]:
    """The shape of a result of `np.tile` with two axes for each: which tile, and where in it.

    >>> shape_of_tiles((2, 6), (3,))
    (2, 1, 2, 3)
    """
    tile = (1,) * (len(shape) - len(of_tile)) + tuple(of_tile)
    parts: tuple[int, ...] = ()
    for whole, length in zip(shape, tile, strict=True):
        parts += (whole // length if length else 1, length)
    return parts


def eye_along(x: Any, first: int, second: int) -> Any:
    """Ones where the indices along two axes of `x` are equal, zeros elsewhere; broadcasts to the shape of `x`.

    >>> import numpy as np
    >>> eye_along(np.ones((2, 3, 3)), -2, -1).shape
    (3, 3)
    """
    low, high = sorted((first % x.ndim, second % x.ndim))
    eye = np.eye(x.shape[low], x.shape[high])
    between = tuple(range(1, high - low))
    return eye.reshape((x.shape[low], *(1 for _ in between), x.shape[high], *(1 for _ in range(x.ndim - high - 1))))


def split_like(y_bar: Any, arrays: Any, axis: Any) -> list[Any]:
    """The parts of an adjoint that belong to arrays which were joined along an axis (None: flattened)."""
    if axis is None:
        ends = np.cumsum([np.size(x) for x in arrays])
        return [part.reshape(np.shape(x)) for part, x in zip(np.split(y_bar, ends[:-1]), arrays, strict=True)]
    ends = np.cumsum([x.shape[axis] for x in arrays])
    return list(np.split(y_bar, ends[:-1], axis))


def split_rows_like(y_bar: Any, arrays: Any) -> list[Any]:
    """As `split_like` for `np.vstack`."""
    parts = split_like(y_bar, [np.atleast_2d(x) for x in arrays], 0)
    return [part.reshape(np.shape(x)) for part, x in zip(parts, arrays, strict=True)]


def split_columns_like(y_bar: Any, arrays: Any) -> list[Any]:
    """As `split_like` for `np.column_stack`."""
    columns = [x if np.ndim(x) > 1 else np.reshape(x, (-1, 1)) for x in arrays]
    parts = split_like(y_bar, columns, 1)
    return [part.reshape(np.shape(x)) for part, x in zip(parts, arrays, strict=True)]


def last_stored(bar: Any, key: Any) -> Any:
    """``bar[key]`` for a store ``x[key] = e``: zero where the same element was set again by a later part of `e`.

    >>> import numpy as np
    >>> last_stored(np.array([1.0, 2.0]), np.array([1, 1, 0]))
    array([0., 2., 1.])
    """
    part = bar[key]
    rows = isinstance(key, np.ndarray) and key.dtype.kind != "b"  # one number for each row will do
    order = np.full(len(bar) if rows else np.shape(bar), -1)
    places = np.arange(key.size if rows else np.size(part)).reshape(np.shape(key if rows else part))
    order[key] = places
    is_last = order[key] == places
    if is_last.all():
        return part if rows else np.array(part)  # a slice gives a view
    return np.where(is_last.reshape(*is_last.shape, *(1,) * (np.ndim(part) - is_last.ndim)), part, 0.0)


def shadow_of_view(y_bar: Any, x_bar: Any, y: Any, x: Any) -> Any:
    """The shadow of ``y = x.reshape(…)`` and the like: the same of the shadow of `x` where `y` is a view of `x`, else zeros.

    >>> import numpy as np
    >>> x = np.ones((2, 3))
    >>> x_bar = np.zeros_like(x)
    >>> shadows = [shadow_of_view(f(x_bar), x_bar, f(x), x) for f in (np.ravel, lambda x: np.ravel(x.T))]
    >>> [np.shares_memory(shadow, x_bar) for shadow in shadows]
    [True, False]
    """
    if not np.may_share_memory(y, x):
        return np.zeros_like(y, dtype=x_bar.dtype)
    if np.size(y) and not np.may_share_memory(y_bar, x_bar):
        raise NonDifferentiableError("an array and its adjoint lie differently in memory: copy the array before it is reshaped")
    y_bar.flags.writeable = True  # NumPy gives diagonals that cannot be written to
    return y_bar


def add_copied(x_bar: Any, y_bar: Any, order: Any = "C") -> None:
    """The adjoint of ``y = x.reshape(…)``, which was a copy if the shadows share no memory.

    >>> import numpy as np
    >>> x_bar = np.zeros((2, 2))
    >>> add_copied(x_bar, np.ones(4))
    >>> x_bar
    array([[1., 1.],
           [1., 1.]])
    """
    if not np.may_share_memory(x_bar, y_bar):
        x_bar += y_bar.reshape(x_bar.shape, order=order)


def add_elements(shadow: list[Any], bar: Any) -> None:
    """Add the adjoints of the elements of an array to the shadow of the list that it was made of.

    >>> import numpy as np
    >>> shadow = [[0.0, 1.0], [2.0, 3.0]]
    >>> add_elements(shadow, np.ones((2, 2)))
    >>> shadow == [[1.0, 2.0], [3.0, 4.0]]
    True
    """
    for i in range(len(shadow)):
        if isinstance(shadow[i], list):
            add_elements(shadow[i], bar[i])
        else:
            shadow[i] += bar[i]
