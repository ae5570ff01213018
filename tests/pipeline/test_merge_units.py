"""Functions of the same text are generated once, and what calls either calls that one."""

from __future__ import annotations

import numpy as np

from s2sad import grad


def rates(k, y):
    return np.array([y[1], -k * np.sin(y[0])])


def two_kinds_of_arrays(y, k):
    """`rates` of an argument, and of an array that is made here."""
    first = rates(k, y)
    second = rates(k, y + 0.5 * first)
    return np.sum((first + second) ** 2)


def countdown(x, n):
    return x if n == 0 else x * countdown(x, n - 1)


def recursive_twice(x):
    return countdown(x, 3) + countdown(2.0 * x, 3)


def by_differences(function, y, k):
    step = 1e-6
    return [(function(y + step * unit, k) - function(y - step * unit, k)) / (2 * step) for unit in np.eye(len(y))]


def test_functions_of_one_text_are_one():
    y = np.array([0.4, -0.2])
    derivative = grad(two_kinds_of_arrays)
    source = derivative.source(y, 1.3)
    assert source.count("def ") == 2  # the reverse half of rates, and the gradient
    assert source.count("rates_reverse(") == 3
    np.testing.assert_allclose(derivative(y, 1.3), by_differences(two_kinds_of_arrays, y, 1.3), rtol=1e-8)


def test_functions_that_call_themselves():
    np.testing.assert_allclose(grad(recursive_twice)(0.7), 4 * 0.7**3 + 4 * 2 * (2 * 0.7) ** 3, rtol=1e-12)
