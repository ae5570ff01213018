"""Arrays in variables that a nested function has as well: what is stored there and read again is one array, so that nothing that
its adjoint takes part in is computed too early."""

import math

import numpy as np
import pytest

from s2sad import grad, value_and_grad

X = np.array([0.7, -0.4, 1.1])


def stored_into_when_bound(x):
    u = np.sin(x)
    v = u * 1.0

    def write(value):
        w[1] = value

    w = v
    return np.sum(u * w)


def bound_after_the_function(x):
    u = np.sin(x)

    def read():
        return w

    w = u * 1.0
    return np.sum(u * w)


def bound_before_the_function(x):
    u = np.sin(x)
    w = u * 1.0

    def read():
        return w

    return np.sum(u * w * read())


def bound_again(x):
    u = np.sin(x)
    w = x * 0.0

    def write(value):
        w[1] = value

    w = u * 1.0
    return np.sum(u * w)


def bound_again_in_a_loop(x):
    u = np.sin(x)
    w = x * 0.5

    def write(value):
        w[1] = value

    for k in range(3):
        w = u * w
        if k == 1:
            write(x[2])
        u = u + w
    return np.sum(u * w)


def written(x):
    u = np.sin(x)

    def write(value):
        w[1] = value

    w = u * 1.0
    write(x[0])
    return np.sum(u * w)


def number(x):
    u = math.sin(x[0])

    def read():
        return w

    w = u * 1.0
    return u * w * x[1]


def two_names(x):
    u = np.sin(x)

    def write():
        w[0] = 2.0 * x[1]

    w = u * 2
    v = w
    write()
    return np.sum(u * v)


def differences(function, x, step=1e-3):
    """Central differences of sixth order."""

    def slope(e):
        one, two, three = ((function(x + k * step * e) - function(x - k * step * e)) for k in (1, 2, 3))
        return (45 * one - 9 * two + three) / (60 * step)

    return np.array([slope(e) for e in np.eye(len(x))])


FUNCTIONS = [
    *(stored_into_when_bound, bound_after_the_function, bound_before_the_function, bound_again),
    *(bound_again_in_a_loop, written, number, two_names),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function):
    expected = differences(function, X)
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(grad(function)(X), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_second_derivatives(function):
    def combined(x):
        return np.sum(grad(function)(x) * np.array([1.0, 2.0, 3.0]))

    np.testing.assert_allclose(grad(combined)(X), differences(combined, X), rtol=1e-7, atol=1e-8)
