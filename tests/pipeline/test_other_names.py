"""Functions that NumPy has under several names, or writes in a few lines itself; and axes that only the running program knows."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from tests.pipeline.test_sequences_as_arrays import by_differences

X = np.array([[0.3, -0.4, 0.7, 1.1], [-0.9, 0.5, 0.2, -1.3], [0.6, 1.4, -0.8, 0.1]])


def with_gap(x):
    y = x.copy()
    y[0, 1] = np.nan
    return y


def diagonal_that_changes(x):
    y = x.copy()
    d = np.linalg.diagonal(y)
    y[0, 0] = y[1, 2] ** 2
    return np.sum(d**3)


def transpose_that_is_written_to(x):
    y = x.copy()
    t = np.linalg.matrix_transpose(y)
    t[0] *= t[1]
    return np.sum(y**3)


def rows_that_are_written_to(x):
    y = x.copy()
    a, b, c = np.unstack(y)
    a *= b
    c[:] = a
    columns = np.unstack(y, axis=1)
    columns[0][:] *= columns[1]
    return np.sum(y**2)


FUNCTIONS = {
    "linalg.trace": lambda x: np.linalg.trace(x) ** 2 + np.linalg.trace(x, offset=1) ** 3,
    "linalg.diagonal": lambda x: np.sum(np.linalg.diagonal(x, offset=1) ** 2),
    "linalg.diagonal as a view": diagonal_that_changes,
    "linalg.matrix_transpose": lambda x: np.sum((np.linalg.matrix_transpose(x)[:3, :3] @ x) ** 2),
    "linalg.matrix_transpose as a view": transpose_that_is_written_to,
    "linalg.matmul": lambda x: np.sum(np.linalg.matmul(x[:, :3], x) ** 2),
    "linalg.cross": lambda x: np.sum(np.linalg.cross(x[0, :3], x[1, 1:]) ** 2) + np.sum(np.linalg.cross(x[:, 0], x[:, 1])),
    "linalg.tensordot": lambda x: np.sum(np.linalg.tensordot(x, x, axes=((1,), (1,))) ** 2),
    "linalg.vector_norm": lambda x: np.linalg.vector_norm(x) ** 3 + np.linalg.vector_norm(x[0], ord=1) ** 2,
    "linalg.vector_norm along an axis": lambda x: np.sum(np.linalg.vector_norm(x, axis=0, keepdims=True) * x),
    "linalg.matrix_norm": lambda x: np.linalg.matrix_norm(x) ** 3,
    "cumulative_sum": lambda x: np.sum(np.cumulative_sum(x, axis=1) ** 2) + np.sum(np.cumulative_sum(x[0]) ** 3),
    "cumulative_prod": lambda x: np.sum(np.cumulative_prod(x, axis=0) ** 2),
    "unstack": rows_that_are_written_to,
    "ediff1d": lambda x: np.sum(np.ediff1d(x) ** 3),
    "ediff1d with ends": lambda x: np.sum(np.ediff1d(x[1], x[0], x[0, 0]) ** 3) + np.ediff1d(x, [2.0])[-1] ** 2,
    "resize": lambda x: np.sum(np.resize(x, (4, 4)) ** 2 * np.arange(16.0).reshape(4, 4)) + np.resize(x[0], 3)[2] ** 2,
    "nancumsum": lambda x: np.sum(np.nancumsum(with_gap(x), axis=1) ** 2),
    "nancumprod": lambda x: np.sum(np.nancumprod(with_gap(x)) ** 2),
    "nanprod": lambda x: np.nanprod(with_gap(x)) + np.sum(np.nanprod(with_gap(x), axis=0) ** 2),
    "clip from both sides": lambda x: np.sum(np.clip(x, min=-0.45, max=x[2, 0]) ** 2),
    "clip from one side": lambda x: np.sum(np.clip(x, min=x[1, 2]) ** 3) + np.sum(np.clip(x, max=0.25) ** 3),
    "gradient of two axes": lambda x: np.sum(np.gradient(x, x[0, 0], 0.5)[0] ** 3) + np.sum(np.gradient(x)[1] ** 3),
    "gradient of three axes": lambda x: sum(np.sum(g**3) for g in np.gradient(x.reshape(3, 2, 2), 0.5)),
    "gradient along an axis": lambda x: np.sum(np.gradient(x, axis=0) ** 3) + np.sum(np.gradient(x, x[0, 2], axis=1) ** 3),
    "gradient between points": lambda x: np.sum(np.gradient(x, np.cumsum(x[0] ** 2), axis=1) ** 2),
    "gradient between points of equal steps": lambda x: np.sum(np.gradient(x[0], np.arange(4.0) + (x[1] - X[1])) ** 2),
    "gradient, second order at the edges": lambda x: (
        np.sum(np.gradient(x, np.cumsum(x[0] ** 2), axis=1, edge_order=2) ** 2) + np.sum(np.gradient(x[1], edge_order=2) ** 2)
    ),
    "cross along an axis": lambda x: np.sum(np.cross(x, x[:, ::-1] ** 2, axis=0) ** 2),
    "unwrap": lambda x: np.sum(np.unwrap(9 * x) ** 2) + np.sum(np.unwrap(7 * x, axis=0) ** 3),
    "unwrap with a period": lambda x: np.sum(np.unwrap(x[0] * 3, period=x[0, 3] + 0.5) ** 2),
    "places of the diagonal": lambda x: np.prod(x[:, :3][np.diag_indices_from(x[:, :3])]) ** 2,
    "places of triangles": lambda x: np.sum(x[np.triu_indices_from(x, 1)] ** 2) + np.prod(x[np.tril_indices_from(x)]),
    "matvec": lambda x: np.sum(np.matvec(x, x[0]) ** 2) + np.sum(np.matvec(np.stack([x, x * x]), x[:2, None]) ** 2),
    "vecmat": lambda x: np.sum(np.vecmat(x[:, 0], x) ** 2) + np.sum(np.vecmat(x[:, :3], np.stack([x, x, x * x])) ** 2),
}
#: The functions of later versions of NumPy.
MISSING = [name for name in FUNCTIONS if not hasattr(np, name.partition(" ")[0]) and name in ("unstack", "matvec", "vecmat")]
MISSING += [
    name for name in FUNCTIONS if name.startswith(("cumulative", "linalg.", "clip")) and not hasattr(np, "cumulative_sum")
]


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in MISSING])
def test_functions_under_other_names(name):
    function = FUNCTIONS[name]
    value, gradient = value_and_grad(function)(X)
    assert np.asarray(value).tobytes() == np.asarray(function(X)).tobytes()
    assert gradient == pytest.approx(by_differences(function, X), rel=1e-7, abs=1e-8)
    single = X.astype(np.float32)
    assert grad(function)(single).dtype == np.float32


def test_trace_along_two_axes_of_two():
    assert np.array_equal(grad(lambda x: np.trace(x, 1, 1, 0))(np.ones((2, 3))), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert np.array_equal(grad(lambda x: np.trace(x, 1, -2, -1))(np.ones((2, 3))), [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


# --- Axes ---------------------------------------------------------------------------------------------------------------------

ALONG_AXES = {
    "diff": lambda x, axis: np.diff(x, axis=axis),
    "concatenate": lambda x, axis: np.concatenate([x, x * x], axis=axis),
    "stack": lambda x, axis: np.stack([x, x * x], axis),
    "take": lambda x, axis: np.take(x, [1, 0, 1], axis),
    "delete": lambda x, axis: np.delete(x, 0, axis),
    "insert": lambda x, axis: np.insert(x, 1, 5.0, axis),
    "append": lambda x, axis: np.append(x, x * x, axis),
    "repeat": lambda x, axis: np.repeat(x, 2, axis),
    "trapezoid": lambda x, axis: np.trapezoid(x, dx=0.3, axis=axis),
    "compress": lambda x, axis: np.compress([True, False, True], x, axis),
    "cumsum": lambda x, axis: np.cumsum(x, axis),
    "sort": lambda x, axis: np.sort(x, axis),
}
if not hasattr(np, "trapezoid"):
    del ALONG_AXES["trapezoid"]


@pytest.mark.parametrize("name", ALONG_AXES)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_axes_that_are_parameters(name, axis):
    along = ALONG_AXES[name]

    def function(x):
        return np.sum(along(x, axis) ** 3)

    def over_axes(x):
        total = 0.0
        for number in range(x.ndim):
            total += np.sum(along(x, number) ** 3)
        return total

    for f in (function, over_axes):
        value, gradient = value_and_grad(f)(X)
        assert np.asarray(value).tobytes() == np.asarray(f(X)).tobytes()
        assert gradient == pytest.approx(by_differences(f, X), rel=1e-7, abs=1e-8)


def test_second_derivative_along_an_axis_that_is_a_parameter():
    def roughness(x, axis):
        return np.sum(np.diff(x, axis=axis) ** 4)

    def of_gradient(x):
        return np.sum(grad(roughness)(x, 0) ** 2)

    assert grad(of_gradient)(X) == pytest.approx(by_differences(of_gradient, X), rel=1e-7, abs=1e-7)


# --- np.copyto ----------------------------------------------------------------------------------------------------------------


def relaxed(p, b):
    p = p.copy()
    old = np.empty_like(p)
    for _ in range(3):
        np.copyto(old, p)
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[1:-1, :-2] - b[1:-1, 1:-1]) / 2
        p[:, -1] = p[:, -2]
    return np.sum(p**2)


def test_a_copy_into_an_array_is_a_store():
    """What it held before is not kept where nothing is computed from that."""
    b = X[::-1] ** 2
    assert grad(relaxed)(X, b) == pytest.approx(by_differences(lambda p: relaxed(p, b), X), rel=1e-7, abs=1e-8)
    text = grad(relaxed, argnums=(0, 1)).source(X, b)
    assert "old[...] = p" in text
    assert "append" not in text


def test_a_copy_into_an_array_of_integers_raises_what_numpy_raises():
    def function(x):
        y = np.zeros(3, int)
        np.copyto(y, x)
        return np.sum(x * y)

    with pytest.raises(TypeError, match="Cannot cast"):
        function(np.ones(3))
    with pytest.raises(TypeError, match="Cannot cast"):
        value_and_grad(function)(np.ones(3))


def test_differences_between_neighbours_are_reversed_without_a_loop():
    text = grad(lambda x: np.sum(np.diff(x) ** 2)).source(X[0])
    assert "for " not in text
