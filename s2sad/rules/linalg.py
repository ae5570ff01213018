"""Rules of products of arrays and of `numpy.linalg`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.rules.declare import not_implemented, vjp_rule
from s2sad.rules.reductions import kept

Array = Any

# --- Products -----------------------------------------------------------------------------------------------

_VECTORS = ("A(3), A(3)", "A(2, 3), A(3)", "A(3), A(3, 2)", "A(2, 3), A(3, 4)", "A(1, 3), A(3, 1)", "A(0, 3), A(3, 2)")


def _of_left_factor(y_bar: Array, a: Array, b: Array) -> Array:
    """The adjoint of a in ``a @ b``, for at most two axes each and not one each."""
    if b.ndim == 1:
        return y_bar[:, None] * b
    if a.ndim == 1:
        return b @ y_bar
    return y_bar @ b.T


def _of_right_factor(y_bar: Array, a: Array, b: Array) -> Array:
    if a.ndim == 1:
        return a[:, None] * y_bar
    return a.T @ y_bar


@vjp_rule(
    np.dot,
    np.ndarray.dot,
    samples=(*_VECTORS, "A(), A(3)", "A(2, 3), A()", "A(2, 3, 4), A(4)", "A(2, 3, 4), A(5, 4, 2)", "A(4), A(5, 4, 2)"),
)
def dot(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if np.ndim(a) == 0 or np.ndim(b) == 0 or (a.ndim == 1 and b.ndim == 1):
        return y_bar * b, y_bar * a
    if a.ndim <= 2 and b.ndim <= 2:
        return _of_left_factor(y_bar, a, b), _of_right_factor(y_bar, a, b)
    if b.ndim == 1:
        return y_bar[..., None] * b, np.tensordot(y_bar, a, a.ndim - 1)
    b_bar = np.tensordot(a, y_bar, (runtime.axes_from(0, a.ndim - 1), runtime.axes_from(0, a.ndim - 1)))
    a_bar = np.tensordot(y_bar, b, (runtime.axes_from(a.ndim - 1, y.ndim), runtime.axes_without(b.ndim, -2)))
    return a_bar, np.moveaxis(b_bar, 0, -2)


@vjp_rule(
    np.matmul,
    operator.matmul,
    operator.imatmul,
    samples=(
        *_VECTORS,
        "A(2, 3, 4), A(4, 5)",
        "A(3, 4), A(2, 4, 5)",
        "A(2, 3, 4), A(4)",
        "A(3), A(2, 3, 4)",
        "A(2, 1, 3, 4), A(5, 4, 2)",
    ),
)
def matmul(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if a.ndim == 1 and b.ndim == 1:
        return y_bar * b, y_bar * a
    if a.ndim <= 2 and b.ndim <= 2:
        return _of_left_factor(y_bar, a, b), _of_right_factor(y_bar, a, b)
    if b.ndim == 1:
        return y_bar[..., None] * b, (a.swapaxes(-1, -2) @ y_bar[..., None])[..., 0]
    if a.ndim == 1:
        return (b @ y_bar[..., None])[..., 0], a[:, None] * y_bar[..., None, :]
    return y_bar @ b.swapaxes(-1, -2), a.swapaxes(-1, -2) @ y_bar


@vjp_rule(
    np.inner, samples=("A(3), A(3)", "A(2, 3), A(3)", "A(3), A(2, 3)", "A(2, 3), A(4, 3)", "A(2, 4, 3), A(5, 3)", "A(), A(3)")
)
def inner(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if np.ndim(a) == 0 or np.ndim(b) == 0 or (a.ndim == 1 and b.ndim == 1):
        return y_bar * b, y_bar * a
    if a.ndim == 2 and b.ndim == 2:
        return y_bar @ b, y_bar.T @ a
    a_bar = np.tensordot(y_bar, b, b.ndim - 1)
    return a_bar, np.tensordot(y_bar, a, (runtime.axes_from(0, a.ndim - 1), runtime.axes_from(0, a.ndim - 1)))


@vjp_rule(np.linalg.outer, samples=("A(3), A(2)", "A(0), A(3)"))
def outer_of_vectors(y_bar: Array, y: Array, x1: Array, x2: Array) -> Array:
    return y_bar @ x2, x1 @ y_bar


@vjp_rule(np.vecdot, samples=("A(3), A(3)", "A(2, 3), A(3)", "A(2, 1, 3), A(4, 3)"))
def vecdot(y_bar: Array, y: Array, x1: Array, x2: Array) -> Array:
    bar = np.expand_dims(y_bar, -1)
    return bar * x2, bar * x1


if hasattr(np, "matvec"):  # NumPy 2.2

    @vjp_rule(np.matvec, samples=("A(3, 4), A(4)", "A(2, 3, 4), A(2, 4)", "A(2, 1, 3, 4), A(5, 4)", "A(3, 4), A(5, 4)"))
    def matvec(y_bar: Array, y: Array, x1: Array, x2: Array) -> Array:
        return y_bar[..., :, None] * x2[..., None, :], np.vecmat(y_bar, x1)

    @vjp_rule(np.vecmat, samples=("A(3), A(3, 4)", "A(2, 3), A(2, 3, 4)", "A(5, 3), A(2, 1, 3, 4)", "A(5, 3), A(3, 4)"))
    def vecmat(y_bar: Array, y: Array, x1: Array, x2: Array) -> Array:
        return np.matvec(x2, y_bar), x1[..., :, None] * y_bar[..., None, :]


@vjp_rule(
    np.linalg.vecdot, samples=("A(3), A(3)", "A(2, 3), A(3)", "A(3, 2), A(3, 2), axis=0", "A(4, 3, 2), A(4, 3, 1), axis=-2")
)
def vecdot_along(y_bar: Array, y: Array, x1: Array, x2: Array, *, axis: Any = -1) -> Array:
    bar = np.expand_dims(y_bar, axis)
    return bar * x2, bar * x1


@vjp_rule(np.outer, samples=("A(3), A(2)", "A(2, 2), A(3)", "A(), A(3)"))
def outer(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar @ b, a @ y_bar
    return (y_bar @ np.ravel(b)).reshape(np.shape(a)), (np.ravel(a) @ y_bar).reshape(np.shape(b))


@vjp_rule(np.vdot, samples=("A(3), A(3)", "A(2, 3), A(6)"))
def vdot(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * b, y_bar * a
    return y_bar * np.reshape(b, np.shape(a)), y_bar * np.reshape(a, np.shape(b))


@vjp_rule(
    np.tensordot,
    samples=(
        *("A(2, 3), A(3, 4), 1", "A(2, 3, 4), A(3, 4, 5)", "A(3), A(4), 0", "A(2, 3, 4), A(5, 2, 4), ((0, 2), (1, 2))"),
        *("A(2, 3), A(3, 2), (1, 0)", "A(2, 3, 4), A(4, 3), ((1, 2), (1, 0))", "A(2, 3), A(4, 3), axes=(-1, -1)"),
        *("A(2, 3), A(3, 2), -1", "A(2, 3), A(3, 2), axes=(1, [0])", "A(2, 3, 4), A(4, 2), axes=([-1, 0], [0, -1])"),
    ),
)
def tensordot(y_bar: Array, y: Array, a: Array, b: Array, axes: Any = 2) -> Array:
    order = runtime.axes_of_tensordot(axes, a.ndim, b.ndim)
    a_bar = np.tensordot(y_bar, b, (runtime.axes_from(len(order[0]), y.ndim), order[2]))
    b_bar = np.tensordot(a, y_bar, (order[0], runtime.axes_from(0, len(order[0]))))
    return np.transpose(a_bar, order[3]), np.transpose(b_bar, order[4])


@vjp_rule(np.kron, samples=("A(2), A(3)", "A(2, 3), A(3, 2)"))
def kron(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if a.ndim == 1 and b.ndim == 1:
        blocks = y_bar.reshape(a.size, b.size)
        return blocks @ b, a @ blocks
    if a.ndim != 2 or b.ndim != 2:
        raise NotImplementedError("np.kron() has a derivative for two vectors and for two matrices only")
    blocks = y_bar.reshape(a.shape[0], b.shape[0], a.shape[1], b.shape[1])
    return np.einsum("ikjl,kl->ij", blocks, b), np.einsum("ikjl,ij->kl", blocks, a)


# --- einsum -------------------------------------------------------------------------------------------------


def _check(plan: Any) -> None:
    if plan[3]:
        raise NotImplementedError(plan[3])


def _placed(x_bar: Array, x: Array, plan: Any) -> Array:
    """The einsum of the adjoint with the axes that it lacks, and the diagonals that only count."""
    if plan[1]:
        x_bar = np.expand_dims(x_bar, plan[1])
    first = runtime.axes_from(0, len(plan[4]))
    whole = np.moveaxis(x, first, plan[4]) if plan[4] else x
    for pair in plan[2]:
        x_bar = x_bar * runtime.eye_along(whole, pair[0], pair[1])
    if plan[4]:  # axes stand before those of ``...``, of which the result may have more
        if x_bar.ndim > x.ndim:
            x_bar = np.sum(x_bar, runtime.axes_from(0, x_bar.ndim - x.ndim))
        return np.moveaxis(x_bar, plan[4], first)
    return x_bar


@vjp_rule(
    np.einsum,
    samples=(
        "'ij->ji', A(2, 3)",
        "'ii->', A(3, 3)",
        "'ij->i', A(2, 3)",
        "'...ij->...ji', A(4, 2, 3)",
        "'ii->i', A(3, 3)",
        *("'ij...->ji...', A(2, 3, 4)", "'i...j->...j', A(2, 4, 3)", "'i...i->i...', A(3, 2, 3)", "'i...', A(2, 3)"),
    ),
)
def einsum_of_one(y_bar: Array, y: Array, subscripts: Any, a: Array, *, optimize: Any = False) -> Array:
    plan = runtime.plan_of_einsum(subscripts, 0)
    _check(plan)
    return None, _placed(np.einsum(plan[0], y_bar) if plan[0] else y_bar, a, plan)


@vjp_rule(
    np.einsum,
    overload=True,
    samples=(
        *("'ij,jk->ik', A(2, 3), A(3, 4)", "'i,j', A(2), A(3)", "'i,i', A(3), A(3)", "'ij,j->i', A(2, 3), A(3)"),
        *("'bij,bjk', A(2, 3, 4), A(2, 4, 5)", "'ij,k->k', A(2, 3), A(4)", "'...i,i->...', A(2, 3), A(3)"),
        *("'ii,i->i', A(3, 3), A(3)", "'ij,ij->', A(2, 3), A(2, 1)", "'i...k,k...->i...', A(2, 4, 3), A(3, 4)"),
        *("'i...,...j->i...j', A(2, 3), A(4, 3, 5)", "'i...j,j...->...', A(2, 4, 3), A(3, 1)", "'i...,...->i...', A(2), A(3, 4)"),
    ),
)
def einsum_of_two(y_bar: Array, y: Array, subscripts: Any, a: Array, b: Array, *, optimize: Any = False) -> Array:
    first, second = runtime.plan_of_einsum(subscripts, 0), runtime.plan_of_einsum(subscripts, 1)
    _check(first)
    _check(second)
    return None, _placed(np.einsum(first[0], y_bar, b), a, first), _placed(np.einsum(second[0], y_bar, a), b, second)


@vjp_rule(np.einsum, overload=True, samples=("'i,ij,j', A(2), A(2, 3), A(3)", "'ij,jk,kl->il', A(2, 3), A(3, 2), A(2, 4)"))
def einsum_of_three(y_bar: Array, y: Array, subscripts: Any, a: Array, b: Array, c: Array, *, optimize: Any = False) -> Array:
    first, second, third = (
        runtime.plan_of_einsum(subscripts, 0),
        runtime.plan_of_einsum(subscripts, 1),
        runtime.plan_of_einsum(subscripts, 2),
    )
    _check(first)
    _check(second)
    _check(third)
    return (
        None,
        _placed(np.einsum(first[0], y_bar, b, c), a, first),
        _placed(np.einsum(second[0], y_bar, a, c), b, second),
        _placed(np.einsum(third[0], y_bar, a, b), c, third),
    )


# --- numpy.linalg -------------------------------------------------------------------------------------------


@vjp_rule(np.linalg.solve, samples=("M(3), A(3)", "M(3), A(3, 2)", "M(2, 3), A(2, 3, 4)", "M(2, 3), A(3, 4)", "M(2, 3), A(3)"))
def solve(y_bar: Array, y: Array, a: Array, b: Array) -> Array:
    if b.ndim == 1 and a.ndim != 2:  # one vector for all matrices
        b_bar = np.linalg.solve(a.swapaxes(-1, -2), y_bar[..., None])
        return -b_bar * y[..., None, :], b_bar[..., 0]
    b_bar = np.linalg.solve(a.swapaxes(-1, -2), y_bar)
    if b.ndim == 1:
        return -b_bar[..., None] * y[..., None, :], b_bar
    return -b_bar @ y.swapaxes(-1, -2), b_bar


@vjp_rule(np.linalg.inv, samples=("M(3)", "M(2, 3)"))
def inv(y_bar: Array, y: Array, a: Array) -> Array:
    transposed = y.swapaxes(-1, -2)
    return -transposed @ y_bar @ transposed


def _cofactors(a: Array) -> Array:
    """The derivative of the determinant, of singular matrices too: the one of their singular values' product."""
    left, values, right = np.linalg.svd(a)
    eye = np.eye(a.shape[-1])
    others = np.prod(values[..., None, :] * (1 - eye) + eye, -1)
    sign = np.linalg.det(left) * np.linalg.det(right)
    return (left * (np.expand_dims(sign, -1) * others)[..., None, :]) @ right


@vjp_rule(np.linalg.det, samples=("M(3)", "M(2, 3)", "M(1)"))
def det(y_bar: Array, y: Array, a: Array) -> Array:
    if a.ndim == 2:
        return y_bar * y * np.linalg.inv(a).swapaxes(-1, -2) if y != 0 else y_bar * _cofactors(a)
    if np.all(y != 0):
        return (y_bar * y)[..., None, None] * np.linalg.inv(a).swapaxes(-1, -2)
    return y_bar[..., None, None] * _cofactors(a)


@vjp_rule(np.linalg.slogdet, samples=("M(3)", "M(2, 3)"), note="the sign has derivative zero")
def slogdet(y_bar: Array, y: Array, a: Array) -> Array:
    inverse = np.linalg.inv(a).swapaxes(-1, -2)
    if a.ndim == 2:
        return y_bar[1] * inverse
    return y_bar[1][..., None, None] * inverse


def _in_triangle(a_bar: Array, triangle: str) -> Array:
    """The adjoint of a symmetric matrix of which one triangle is read."""
    both = a_bar + a_bar.swapaxes(-1, -2)
    diagonal = a_bar * np.eye(a_bar.shape[-1])
    return (np.tril(both) if triangle == "L" or triangle == "l" else np.triu(both)) - diagonal


@vjp_rule(np.linalg.cholesky, samples=("S(3)", "S(2, 3)"), note="with respect to the lower triangle, which is what it reads")
def cholesky(y_bar: Array, y: Array, a: Array) -> Array:
    inner = np.tril(y.swapaxes(-1, -2) @ y_bar)
    inner = inner - 0.5 * inner * np.eye(a.shape[-1])
    left = np.linalg.solve(y.swapaxes(-1, -2), inner)
    return _in_triangle(np.linalg.solve(y.swapaxes(-1, -2), left.swapaxes(-1, -2)), "L")


@vjp_rule(np.linalg.pinv, samples=("A(3, 4)", "A(4, 3)", "M(3)"))
def pinv(y_bar: Array, y: Array, a: Array) -> Array:
    # for matrices of full rank, and those whose rank does not change (Golub & Pereyra 1973)
    transposed, outer = y.swapaxes(-1, -2), y_bar.swapaxes(-1, -2)
    a_bar = -transposed @ y_bar @ transposed
    a_bar = a_bar + (np.eye(a.shape[-2]) - a @ y) @ outer @ y @ transposed
    return a_bar + transposed @ y @ outer @ (np.eye(a.shape[-1]) - y @ a)


def _of_power(y_bar: Array, a: Array, n: int) -> Array:
    transposed = a.swapaxes(-1, -2)
    a_bar = np.zeros_like(y_bar)
    for i in range(n):
        a_bar = a_bar + np.linalg.matrix_power(transposed, i) @ y_bar @ np.linalg.matrix_power(transposed, n - 1 - i)
    return a_bar


@vjp_rule(np.linalg.matrix_power, samples=("M(3), 3", "M(3), 1", "M(3), 0", "M(3), -2", "M(2, 3), 2"))
def matrix_power(y_bar: Array, y: Array, a: Array, n: int) -> Array:
    if n < 0:
        inverse = np.linalg.inv(a)
        transposed = inverse.swapaxes(-1, -2)
        return -transposed @ _of_power(y_bar, inverse, -n) @ transposed
    return _of_power(y_bar, a, n)


def _not_zero(y: Array) -> Array:
    """A norm, or 1 at the origin."""
    if np.ndim(y) == 0:
        return y if y != 0 else 1.0
    return np.where(y == 0, 1.0, y)


def _of_norm_of_matrix(y_bar: Array, y: Array, x: Array, ord: Any) -> Array:
    """The adjoint of a matrix in its norm of an order: a sum of a column or a row, or singular values."""
    if ord == 1 or ord == -1 or ord == np.inf or ord == -np.inf:
        sums = np.sum(np.abs(x), 0 if ord == 1 or ord == -1 else 1, keepdims=True)
        is_extreme = sums == (np.max(sums) if ord > 0 else np.min(sums))
        return y_bar / np.count_nonzero(is_extreme) * is_extreme * np.sign(x)
    left, values, right = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        return y_bar * ((left * np.sign(values)) @ right)
    return y_bar * np.sign(y) * (left[:, 0, None] * right[0] if ord == 2 else left[:, -1, None] * right[-1])


@vjp_rule(
    np.linalg.norm,
    lazy=True,
    samples=(
        *(
            "A(4)",
            "A(3, 4)",
            "A(2, 3, 4)",
            "A(4), 0",
            "A(4), 1",
            "A(4), 3",
            "A(4), np.inf",
            "A(3, 4), 'fro'",
            "A(3, 4), axis=1",
            "A(3, 4), 1, 0",
            "A(3, 4), 1",
            "A(3, 4), -1",
            "A(3, 4), np.inf",
            "A(3, 4), np.inf, keepdims=True",
            "A(3, 4), 2",
            "A(4, 3), -2",
            "A(3, 4), 'nuc'",
            "A(4, 3), 'nuc', keepdims=True",
        ),
        *("A(3, 4), axis=0, keepdims=True", "A(3, 4), 2, -1", "A(3, 4), np.inf, 1"),
    ),
    note="0 at the origin",
)
def norm(y_bar: Array, y: Array, x: Array, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Array:
    y_bar, y = kept(y_bar, axis, keepdims), kept(y, axis, keepdims)
    if ord is None or ord == "fro" or (ord == 2 and (isinstance(axis, int) or (axis is None and x.ndim == 1))):
        return y_bar / _not_zero(y) * x
    if not (isinstance(axis, int) or (axis is None and x.ndim == 1)):
        if axis is not None:
            raise NotImplementedError("np.linalg.norm() over two axes has a derivative for the Frobenius norm only")
        return _of_norm_of_matrix(y_bar, y, x, ord)
    if ord == 0:
        return y_bar * np.zeros_like(x)  # it counts
    if ord == 1:
        return y_bar * np.sign(x)
    if ord == np.inf or ord == -np.inf:
        is_extreme = np.abs(x) == y
        count = np.count_nonzero(is_extreme) if axis is None else np.sum(is_extreme, axis, keepdims=True)
        return y_bar / count * is_extreme * np.sign(x)
    return y_bar * (np.abs(x) / _not_zero(y)) ** (ord - 1) * np.sign(x)


@vjp_rule(np.linalg.eigvalsh, samples=("S(3)", "S(2, 3)"), note="with respect to the triangle that is read; eigenvalues differ")
def eigvalsh(y_bar: Array, y: Array, a: Array, UPLO: Any = "L") -> Array:  # noqa: N803 (NumPy's name)
    vectors = np.linalg.eigh(a, UPLO)[1]
    return _in_triangle((vectors * y_bar[..., None, :]) @ vectors.swapaxes(-1, -2), UPLO)


@vjp_rule(np.linalg.eigh, samples=("S(3)", "S(2, 3)"), note="with respect to the triangle that is read; eigenvalues differ")
def eigh(y_bar: Array, y: Array, a: Array, UPLO: Any = "L") -> Array:  # noqa: N803 (NumPy's name)
    values, vectors = y[0], y[1]
    transposed = vectors.swapaxes(-1, -2)
    gaps = values[..., None, :] - values[..., :, None] + np.eye(a.shape[-1])
    inner = (transposed @ y_bar[1]) * (1 - np.eye(a.shape[-1])) / gaps
    a_bar = (vectors * y_bar[0][..., None, :]) @ transposed + vectors @ inner @ transposed
    return _in_triangle(a_bar, UPLO)


_INSTEAD = "np.linalg.eigh for symmetric matrices"
not_implemented(np.linalg.eig, np.linalg.eigvals, reason="eigenvalues of general matrices are complex", instead=_INSTEAD)
not_implemented(np.linalg.cond, reason="its derivative is not written yet", instead="a quotient of np.linalg.svdvals")
