"""Rules of functions that arrange the elements of one array: shapes, orders of axes, parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.declare import vjp_rule

Array = Any

# --- Shapes -------------------------------------------------------------------------------------------------


def _order(a: Array, order: str) -> str:
    """In which order the elements were taken."""
    if order == "A":
        return "F" if np.isfortran(a) else "C"
    return order


def _as_before(y_bar: Array, a: Array, order: str) -> Array:
    """An adjoint in the shape of what was reshaped."""
    if np.ndim(a) == 0:
        return np.reshape(y_bar, ())
    if order == "K":
        raise NotImplementedError("order='K' arranges elements as they lie in memory; give order='C'")
    if order == "C" or (order == "A" and not np.isfortran(a)):
        return y_bar.reshape(np.shape(a))
    return y_bar.reshape(np.shape(a), order="F" if order == "A" else order)


@vjp_rule(np.reshape, samples=("A(3, 4), (2, 6)", "A(3, 4), -1", "A(6), (2, 3)", "A(2, 3), (3, 2), order='F'", "A(), (1, 1)"))
def reshape(y_bar: Array, y: Array, a: Array, shape: Any, order: Any = "C") -> Array:
    return _as_before(y_bar, a, order)


@vjp_rule(
    np.ndarray.reshape,
    samples=("A(3, 4), 2, 6", "A(3, 4), (12,)", "A(3, 4), -1", "A(2, 3), 3, 2, order='F'", "A(2, 3), 3, 2, order='A'"),
)
def reshape_method(y_bar: Array, y: Array, a: Array, *shape: Any, order: Any = "C") -> Array:
    return _as_before(y_bar, a, order)


@vjp_rule(np.ravel, np.ndarray.ravel, np.ndarray.flatten, samples=("A(3, 4)", "A(3, 4), 'F'", "A()", "A(5)", "A(0, 3)"))
def ravel(y_bar: Array, y: Array, a: Array, order: Any = "C") -> Array:
    if np.ndim(a) == 1:
        return y_bar
    return _as_before(y_bar, a, order)


@vjp_rule(runtime.flat_view, samples=("A(3, 4), 7", "A(5), 7", "A(), 7"))
def flat_while_it_changes(y_bar: Array, y: Array, x: Array, line: Any) -> Array:
    return y_bar.reshape(np.shape(x))


@vjp_rule(np.squeeze, np.ndarray.squeeze, samples=("A(3, 1)", "A(1, 3, 1), axis=0", "A(1, 1)"))
def squeeze(y_bar: Array, y: Array, a: Array, axis: Any = None) -> Array:
    return np.reshape(y_bar, np.shape(a))


@vjp_rule(np.expand_dims, samples=("A(3), 0", "A(3), -1", "A(3, 4), (0, 2)", "A(), 0"))
def expand_dims(y_bar: Array, y: Array, a: Array, axis: Any) -> Array:
    return y_bar.reshape(np.shape(a))


@vjp_rule(np.atleast_1d, np.atleast_2d, np.atleast_3d, samples=("A(3)", "A()", "A(3, 4)"))
def at_least(y_bar: Array, y: Array, a: Array) -> Array:
    return y_bar.reshape(np.shape(a))


@vjp_rule(np.broadcast_to, samples=("A(3), (2, 3)", "A(3, 1), (3, 4)", "A(), (2,)"))
def broadcast_to(y_bar: Array, y: Array, array: Array, shape: Any) -> Array:
    return y_bar  # what is added of it is for the engine to sum


@vjp_rule(
    np.lib.stride_tricks.sliding_window_view,
    samples=("A(5), 3", "A(4, 5), (2, 3)", "A(4, 5), 2, axis=1", "A(4, 5), 2, 0", "A(4, 5), (2, 3), (1, 0)", "A(3), 3"),
)
def sliding_windows(y_bar: Array, y: Array, x: Array, window_shape: Any, axis: Any = None) -> Array:
    numbers = np.arange(x.size).reshape(x.shape)
    places = np.lib.stride_tricks.sliding_window_view(numbers, window_shape, axis)
    return np.bincount(places.ravel(), y_bar.ravel(), x.size).reshape(x.shape).astype(y_bar.dtype)


# --- Orders of axes -----------------------------------------------------------------------------------------


def _turned(y_bar: Array, a: Array) -> Array:
    """The adjoint of a transposed array, or of a number, of which NumPy's have the methods of arrays."""
    return y_bar if np.ndim(a) == 0 else y_bar.T


@vjp_rule(np.transpose, samples=("A(3, 4)", "A(2, 3, 4), (1, 2, 0)", "A(2, 3, 4), axes=(-1, 0, 1)", "A(3)"))
def transpose(y_bar: Array, y: Array, a: Array, axes: Any = None) -> Array:
    if axes is None:
        return _turned(y_bar, a)
    return np.transpose(y_bar, runtime.inverse_permutation(axes))


@vjp_rule(np.ndarray.transpose, samples=("A(3, 4)", "A(2, 3, 4), 1, 2, 0", "A(2, 3, 4), (1, 2, 0)", "A(2, 3), None"))
def transpose_method(y_bar: Array, y: Array, a: Array, *axes: Any) -> Array:
    if len(axes) == 0 or axes[0] is None:
        return _turned(y_bar, a)
    if len(axes) == 1:
        return np.transpose(y_bar, runtime.inverse_permutation(axes[0]))
    return np.transpose(y_bar, runtime.inverse_permutation(axes))


@vjp_rule(np.ndarray.T, samples=("A(3, 4)", "A(2, 3, 4)", "A(3)"))
def transposed(y_bar: Array, y: Array, a: Array) -> Array:
    return _turned(y_bar, a)


@vjp_rule(np.ndarray.mT, np.matrix_transpose, samples=("A(3, 4)", "A(2, 3, 4)"))
def matrix_transposed(y_bar: Array, y: Array, a: Array) -> Array:
    return y_bar.swapaxes(-1, -2)


@vjp_rule(np.swapaxes, np.ndarray.swapaxes, samples=("A(3, 4), 0, 1", "A(2, 3, 4), 0, -1"))
def swapaxes(y_bar: Array, y: Array, a: Array, axis1: Any, axis2: Any) -> Array:
    return y_bar.swapaxes(axis1, axis2)


@vjp_rule(np.moveaxis, samples=("A(2, 3, 4), 0, -1", "A(2, 3, 4), (0, 1), (-1, 0)"))
def moveaxis(y_bar: Array, y: Array, a: Array, source: Any, destination: Any) -> Array:
    return np.moveaxis(y_bar, destination, source)


@vjp_rule(np.rollaxis, samples=("A(2, 3, 4), 2", "A(2, 3, 4), 0, 2", "A(2, 3, 4), -1, 1", "A(2, 3, 4), 0, -1", "A(2, 3), 0, 2"))
def rollaxis(y_bar: Array, y: Array, a: Array, axis: Any, start: Any = 0) -> Array:
    source = axis % a.ndim
    place = start + a.ndim if start < 0 else start
    return np.moveaxis(y_bar, place - 1 if source < place else place, source)


# --- Orders of elements -------------------------------------------------------------------------------------


@vjp_rule(np.flip, samples=("A(5)", "A(3, 4)", "A(3, 4), 0", "A(3, 4), (0, 1)"))
def flip(y_bar: Array, y: Array, m: Array, axis: Any = None) -> Array:
    return np.flip(y_bar, axis)


@vjp_rule(np.fliplr, samples=("A(3, 4)",))
def fliplr(y_bar: Array, y: Array, m: Array) -> Array:
    return y_bar[:, ::-1]


@vjp_rule(np.flipud, samples=("A(3, 4)", "A(3)"))
def flipud(y_bar: Array, y: Array, m: Array) -> Array:
    return y_bar[::-1]


@vjp_rule(np.rot90, samples=("A(3, 4)", "A(3, 4), 2", "A(3, 4), -1", "A(2, 3, 4), 1, (1, 2)"))
def rot90(y_bar: Array, y: Array, m: Array, k: Any = 1, axes: Any = (0, 1)) -> Array:
    return np.rot90(y_bar, -k, axes)


@vjp_rule(np.roll, samples=("A(5), 2", "A(3, 4), -1", "A(3, 4), 1, axis=0", "A(3, 4), (1, 2), axis=(0, 1)"))
def roll(y_bar: Array, y: Array, a: Array, shift: Any, axis: Any = None) -> Array:
    if isinstance(shift, (tuple, list)):
        return np.roll(y_bar, runtime.opposite(shift), axis)
    return np.roll(y_bar, -shift, axis)


# --- Parts --------------------------------------------------------------------------------------------------


@vjp_rule(np.tril, samples=("A(3, 4)", "A(3, 3), -1", "A(2, 3, 3), k=1", "A(3)", "A(3), 1"))
def tril(y_bar: Array, y: Array, m: Array, k: Any = 0) -> Array:
    m_bar = np.tril(y_bar, k)
    return m_bar.sum(0) if np.ndim(m) == 1 else m_bar


@vjp_rule(np.triu, samples=("A(3, 4)", "A(3, 3), -1", "A(2, 3, 3), k=1", "A(3)", "A(3), 1"))
def triu(y_bar: Array, y: Array, m: Array, k: Any = 0) -> Array:
    m_bar = np.triu(y_bar, k)
    return m_bar.sum(0) if np.ndim(m) == 1 else m_bar


@vjp_rule(
    np.diagonal,
    np.ndarray.diagonal,
    samples=("A(3, 3)", "A(3, 4), 1", "A(4, 3), offset=-2", "A(2, 3, 4), 0, 1, 2", "A(2, 3, 4), axis1=0, axis2=2"),
)
def diagonal(y_bar: Array, y: Array, a: Array, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Array:
    a_bar = np.zeros_like(a, dtype=y_bar.dtype)
    moved = np.moveaxis(a_bar, (axis1, axis2), (-2, -1))
    rows = np.arange(max(0, -offset), max(0, -offset) + y.shape[-1])
    moved[..., rows, rows + offset] = y_bar
    return a_bar


def _along_diagonal(y_bar: Array, v: Array, k: Any) -> Array:
    """The adjoint of a diagonal as rows, so that it stands where the diagonal does."""
    rows = np.zeros(v.shape[0], dtype=y_bar.dtype)
    start = max(0, -k)
    rows[start : start + len(y_bar)] = y_bar
    return rows[:, None]


@vjp_rule(np.diag, samples=("A(4)", "A(3), 1", "A(3), -2", "A(3, 3)", "A(3, 4), 1", "A(4, 2), k=-1"))
def diag(y_bar: Array, y: Array, v: Array, k: Any = 0) -> Array:
    if v.ndim == 1:
        return np.diagonal(y_bar, k)
    return np.eye(v.shape[0], v.shape[1], k) * _along_diagonal(y_bar, v, k)


@vjp_rule(np.diagflat, samples=("A(4)", "A(2, 2), 1"))
def diagflat(y_bar: Array, y: Array, v: Array, k: Any = 0) -> Array:
    return np.diagonal(y_bar, k).reshape(np.shape(v))


@vjp_rule(
    np.trace,
    np.ndarray.trace,
    samples=(
        "A(3, 3)",
        "A(3, 4)",
        "A(3, 4), 1",
        "A(4, 3), offset=-1",
        "A(2, 3, 4), 0, 1, 2",
        "A(2, 3, 4)",
        "A(3, 4), 1, -2, -1",
        "A(3, 4), 1, 1, 0",
    ),
)
def trace(y_bar: Array, y: Array, a: Array, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Array:
    if a.ndim == 2 and axis1 == 0 and axis2 == 1:
        if offset == 0:
            return y_bar * np.eye(a.shape[0], a.shape[1])
        return y_bar * np.eye(a.shape[0], a.shape[1], offset)
    eye = np.eye(a.shape[axis1], a.shape[axis2], offset)
    if a.ndim == 2:
        return np.moveaxis(y_bar * eye, (-2, -1), (axis1, axis2))
    return np.moveaxis(y_bar[..., None, None] * eye, (-2, -1), (axis1, axis2))
