"""Rules of decompositions of matrices, and of what is computed by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.rules.declare import model, vjp_rule

Array = Any
#: A sequence of arrays.
Arrays = Any


@vjp_rule(np.linalg.svdvals, samples=("A(3, 4)", "A(4, 2)", "A(2, 3, 4)", "M(3)"), note="singular values differ")
def svdvals(y_bar: Array, y: Array, x: Array) -> Array:
    left, _, right = np.linalg.svd(x, full_matrices=False)
    return (left * y_bar[..., None, :]) @ right


def _of_svd(y_bar: Array, left: Array, values: Array, right: Array) -> Array:
    """The adjoint of the matrix (Giles 2008); `right` is transposed."""
    eye = np.eye(values.shape[-1])
    squares = values * values
    gaps = squares[..., None, :] - squares[..., :, None] + eye
    u_bar, v_bar, v = y_bar[0], y_bar[2].swapaxes(-1, -2), right.swapaxes(-1, -2)
    of_left = left.swapaxes(-1, -2) @ u_bar
    of_right = right @ v_bar
    inner = (of_left - of_left.swapaxes(-1, -2)) / gaps * values[..., None, :]
    inner = inner + values[..., :, None] * ((of_right - of_right.swapaxes(-1, -2)) / gaps) + y_bar[1][..., None, :] * eye
    outer_left = (u_bar - left @ of_left) / values[..., None, :]
    outer_right = (v_bar - v @ of_right) / values[..., None, :]
    return (left @ inner + outer_left) @ right + left @ outer_right.swapaxes(-1, -2)


@vjp_rule(
    np.linalg.svd,
    samples=(
        *("A(3, 4), False", "A(4, 3), full_matrices=False", "M(3)", "A(2, 4, 3), False", "A(3, 4), compute_uv=False"),
        *("A(2, 3, 4), compute_uv=False",),
    ),
    note="singular values differ; of `full_matrices`, as many vectors as there are singular values",
)
def svd(y_bar: Array, y: Array, a: Array, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Array:
    if not compute_uv:
        left, _, right = np.linalg.svd(a, full_matrices=False)
        return (left * y_bar[..., None, :]) @ right
    if not full_matrices:
        return _of_svd(y_bar, y[0], y[1], y[2])
    count = min(a.shape[-2:])  # the vectors beyond have no derivative: any of those that are orthogonal to the others would do
    if np.any(y_bar[0][..., count:]) or np.any(y_bar[2][..., count:, :]):
        raise NotImplementedError("np.linalg.svd() of a matrix that is not square has a derivative with full_matrices=False")
    parts = y_bar[0][..., :count], y_bar[1], y_bar[2][..., :count, :]
    return _of_svd(parts, y[0][..., :count], y[1], y[2][..., :count, :])


def _of_qr(q_bar: Array, r_bar: Array, q: Array, r: Array) -> Array:
    """The adjoint of a matrix with no more columns than rows."""
    inner = r @ r_bar.swapaxes(-1, -2) - q_bar.swapaxes(-1, -2) @ q
    symmetric = np.tril(inner) + np.tril(inner, -1).swapaxes(-1, -2)
    return np.linalg.solve(r, (q_bar + q @ symmetric).swapaxes(-1, -2)).swapaxes(-1, -2)


@vjp_rule(np.linalg.qr, samples=("A(4, 3)", "M(3)", "A(2, 4, 3)", "A(2, 4)", "A(2, 3, 5)"), note="of matrices of full rank")
def qr(y_bar: Array, y: Array, a: Array, mode: Any = "reduced") -> Array:
    if mode != "reduced":
        raise NotImplementedError("np.linalg.qr() has a derivative for mode='reduced'")
    q, r, q_bar, r_bar = y[0], y[1], y_bar[0], y_bar[1]
    count = a.shape[-2]
    if count >= a.shape[-1]:
        return _of_qr(q_bar, r_bar, q, r)
    # the columns beyond are made of the orthogonal ones: r = q.T @ a
    first = _of_qr(q_bar + a[..., count:] @ r_bar[..., count:].swapaxes(-1, -2), r_bar[..., :count], q, r[..., :count])
    return np.concatenate((first, q @ r_bar[..., count:]), -1)


@model(np.linalg.lstsq, note="for matrices whose rank does not change")
def lstsq(a: Array, b: Array, rcond: Any = None) -> Any:
    x = np.linalg.pinv(a) @ b
    residuals = np.sum((b - a @ x) ** 2, 0, keepdims=b.ndim == 1) if a.shape[0] > a.shape[1] else np.zeros(0)
    return x, residuals, np.linalg.matrix_rank(a), np.linalg.svdvals(a)


def _as_matrices(arrays: Any) -> Any:
    """The first as a row, the last as a column, where these are vectors."""
    first = arrays[0] if arrays[0].ndim == 2 else arrays[0][None]
    last = arrays[-1] if arrays[-1].ndim == 2 else arrays[-1][:, None]
    return (first, *arrays[1:-1], last)


def _of_factor(y_bar: Array, matrices: Any, place: int) -> Array:
    """The adjoint of one factor of a product."""
    bar = y_bar
    for factor in matrices[:place]:
        bar = factor.T @ bar
    for index in range(len(matrices) - 1, place, -1):
        bar = bar @ matrices[index].T
    return bar


@vjp_rule(
    np.linalg.multi_dot,
    samples=("(A(2, 3), A(3, 4), A(4, 2))", "(A(3), A(3, 4), A(4))", "(A(3), A(3, 4))", "(A(2, 3), A(3, 2), A(2, 4), A(4))"),
)
def multi_dot(y_bar: Array, y: Array, arrays: Arrays) -> Array:
    if not isinstance(arrays, tuple):
        return ([_of_factor(y_bar, arrays, index) for index in range(len(arrays))],)
    matrices = _as_matrices(arrays)
    bar = np.reshape(y_bar, (matrices[0].shape[0], matrices[-1].shape[1]))
    bars: Any = ()
    for index, _ in enumerate(matrices):
        rest = bar
        for factor in matrices[:index]:
            rest = factor.T @ rest
        for factor in matrices[:index:-1]:
            rest = rest @ factor.T
        bars = bars + (rest.reshape(np.shape(arrays[index])),)  # noqa: RUF005
    return (bars,)
