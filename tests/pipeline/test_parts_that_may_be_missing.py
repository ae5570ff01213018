"""Arrays that only one arm binds, or that may be None, in what halves hand over: no adjoint of a part is lost.

Each program applies one polynomial to all elements and adds them up, so its derivatives are those of the polynomial, which is
fitted to values of the program.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Chebyshev

from s2sad import grad

X = np.array([0.7, 1.3])
ENDS = (0.4, 1.6)


def bound_in_one_arm(x, n):
    def scale(y, x, n):
        if n > 1:
            factor = y * x
        y *= x
        if n > 1:
            y *= factor

    y = x * 1.0
    scale(y, x, n)
    return np.sum(y)


def two_bound_in_arms(x, n):
    def scale(y, x, n):
        if n == 1:
            a = y * y
            b = a * x
        elif n == 2:
            a = y * x
        y *= x
        if n == 1:
            y *= a
            y += b
        elif n == 2:
            y *= a

    y = x * 1.0
    scale(y, x, n)
    return np.sum(y)


def none_at_first(x, n):
    def scale(y, x, n):
        w = None
        for k in range(n):
            if k == 1:
                w = y * x
            y *= x
            if w is not None:
                y *= w

    y = x * 1.0
    scale(y, x, n)
    return np.sum(y)


def bound_in_a_loop(x, n):
    def scale(y, x, n):
        for k in range(n):
            factor = y * (k + 1)
        y *= x
        if n > 0:
            y *= factor

    y = x * 1.0
    scale(y, x, n)
    scale(y, x, n - 1)
    return np.sum(y)


def pair_with_none(x, n):
    def scale(pair, x):
        a, b = pair
        if a is not None:
            a *= x
        b *= x * x
        return pair

    pair = (x * x if n > 1 else None, x * 1.0)
    a, b = scale(scale(pair, x), x)
    return np.sum(b) if a is None else np.sum(a * b)


def returned_or_none(x, n):
    def scale(y, x, n):
        if n > 1:
            factor = y * x
        y *= x
        if n > 1:
            y *= factor
            return factor
        return None

    y = x * 1.0
    for _ in range(2):
        w = scale(y, x, n)
    if w is not None:
        y *= w
    return np.sum(y)


def _even(y, x, n):
    if n > 0:
        factor = y * x
        _odd(y, x, n - 1)
        y *= factor


def _odd(y, x, n):
    if n > 1:
        factor = y * x
    y *= x
    if n > 1:
        y *= factor
        _even(y, x, n - 1)


def mutual(x, n):
    y = x * 1.0
    _even(y, x, n)
    return np.sum(y)


def pairs_in_a_list(x, n):
    def step(y, x, n):
        y *= x
        return y * x if n > 1 else None

    pairs = []
    y = x * 1.0
    for _ in range(2):
        pairs.append((step(y, x, n), y * x))
    total = 0.0
    for a, b in pairs:
        if a is not None:
            total = total + np.sum(a * b)
        total = total + np.sum(b)
    return total


def expected(f, n, order):
    """The derivative of the polynomial at the elements."""
    polynomial = Chebyshev.interpolate(np.vectorize(lambda t: f(np.array([t]), n)), 20, ENDS)
    return polynomial.deriv(order)(X)


def derivative(f, order):
    """Of an order: the one by one element of the sum of those of all elements."""
    if order == 1:
        return grad(f)
    before = derivative(f, order - 1)
    return grad(lambda x, n: np.sum(before(x, n)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(
    "f", [bound_in_one_arm, two_bound_in_arms, none_at_first, bound_in_a_loop, pair_with_none, returned_or_none]
)
def test_derivatives(f, order) -> None:
    of_order = derivative(f, order)
    for n in range(4):
        np.testing.assert_allclose(of_order(X, n), expected(f, n, order), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("f", [mutual, pairs_in_a_list])
def test_first_and_second_derivatives(f, order) -> None:
    of_order = derivative(f, order)
    for n in range(4):
        np.testing.assert_allclose(of_order(X, n), expected(f, n, order), rtol=1e-6, atol=1e-6)
