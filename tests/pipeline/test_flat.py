"""`x.flat`: elements row by row, wherever they lie in memory."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError

M = np.linspace(-1.0, 1.3, 12).reshape(3, 4) ** 3 + 0.1
RAMP = np.arange(12.0).reshape(3, 4)


def stored_and_read(x):
    y = x * 1.0
    y.flat[2] = x[0, 0] ** 2
    y.flat[4:6] = y.flat[0] * 2.0
    y.flat[-1] = y.flat[-2] * y.flat[1]
    y.flat[[7, 3]] = x.flat[[0, 1]]
    total = 0.0
    for v in y.flat:
        total += v * v
    return total + sum(v**3 for v in y.flat) + np.sum(y.flat[1:5] ** 2)


def of_a_transposed_array(x):
    y = x * 1.0
    y.T.flat[1] = x[0, 0]  # y[1, 0]
    y.T.flat[3:5] = [x[2, 2], x[2, 3] ** 2]
    return np.sum(y**2 * RAMP)


def slices_are_copies(x):
    y = x * 1.0
    part = y.flat[:4]
    part *= 2.0
    return np.sum(y * RAMP) + np.sum(part**2)


def repeated(x):
    y = x * 1.0
    y.flat[:] = x[0, :2]
    return np.sum(y**2 * RAMP)


def changed_meanwhile(x):
    y = x * 1.0
    flat = y.flat
    total = 0.0
    for v in y.flat:
        total += v * v
        y[1, 2] = total
        y[2, 0] = 2 * total
    return total + np.sum(flat) + sum(a * b for a, b in zip(y.flat, x.T.flat))


def in_a_loop(x):
    y = x * 1.0
    for i in range(1, y.size):
        y.flat[i] = y.flat[i] * y.flat[i - 1] + 1.0
    return np.sum(y)


@pytest.mark.parametrize(
    "function", [stored_and_read, of_a_transposed_array, slices_are_copies, repeated, in_a_loop, changed_meanwhile]
)
def test_flat(function):
    value, gradient = value_and_grad(function)(M)
    assert value == function(M)
    expected = np.zeros(M.shape)
    for index in np.ndindex(M.shape):
        change = np.zeros(M.shape)
        change[index] = 1e-3
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            expected[index] += weight * (function(M + step * change) - function(M - step * change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)


def changed_meanwhile_in_columns(x):
    y = x.copy().T
    total = 0.0
    for v in y.flat:
        total += v * v
        y[1, 2] = total
    return total


def test_an_array_that_changes_where_its_elements_are_not_row_by_row():
    """A copy of the elements would have the old ones."""
    with pytest.raises(NonDifferentiableError, match=r"(?s)change while \.flat is used.*for v in y\.flat"):
        value_and_grad(changed_meanwhile_in_columns)(M)
    assert np.array_equal(grad(lambda x: sum(v * v for v in x.T.flat))(M), 2 * M)
