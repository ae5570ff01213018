"""Shadows that are made together are arrays of their own, also where their primals may be one array at run time."""

import numpy as np
import pytest

from s2sad import grad

X = np.array([1.2, 0.1, -0.7])
Y = np.array([-0.5, 0.3, 0.9])


def swapped_never(x, y):
    x *= np.cos(x)
    for _ in range(0):
        x, y = y, x
    return np.sum(x)


def overwritten_beside(x, y, s):
    np.multiply(y.copy(), np.cos(x), out=x)
    w = x if s > 0.2 else x  # noqa: RUF034
    np.subtract(y, y, out=y)
    for _ in range(0):
        x, y = y, x
    return np.sum(x) + np.sum(w * w)


def overwritten_with_a_number(x, y):
    x[...] = y * np.cos(x)
    y[...] = 0.0
    for _ in range(0):
        x, y = y, x
    return np.sum(x) + np.sum(x * x)


def test_an_argument_that_is_another_name_on_a_path_never_taken_has_a_gradient_of_its_own():
    x_bar, y_bar = grad(swapped_never, (0, 1))(X, Y)
    np.testing.assert_allclose(x_bar, np.cos(X) - X * np.sin(X), rtol=1e-14)
    np.testing.assert_array_equal(y_bar, np.zeros(3))


@pytest.mark.parametrize(
    "derivative", [lambda x, y: grad(overwritten_beside, (0, 1))(x, y, 0.5), grad(overwritten_with_a_number, (0, 1))]
)
def test_storing_to_both_primals_does_not_make_the_shadow_of_one_unread(derivative):
    product = Y * np.cos(X)
    x_bar, y_bar = derivative(X, Y)
    np.testing.assert_allclose(x_bar, -(1 + 2 * product) * Y * np.sin(X), rtol=1e-14)
    np.testing.assert_allclose(y_bar, (1 + 2 * product) * np.cos(X), rtol=1e-14)
