"""Closures of one code share what was generated, but for what they captured: also where a derivative made inside reads that."""

import pytest

from s2sad import grad


def lambda_inside(y):
    def inner(x):
        return grad(lambda u: u**3 * x * y)(x)

    return grad(inner)(y)


def function_beside(y):
    def cube(u):
        return u**3 * y

    def inner(x):
        return grad(cube)(x) * x

    return grad(inner)(y)


def two_deep(y):
    def inner(x):
        def scaled(u):
            def square(w):
                return w**2 * y

            return grad(square)(u) * y * u

        return grad(scaled)(x) * x

    return grad(inner)(y)


def helper_in_the_closure(y):
    def square(w):
        return w * w * y if w > 0 else y * w

    def inner(x):
        def repeated(u):
            total = 0.0
            for _ in range(3):
                total += square(u) * x
            return total

        return grad(repeated)(x)

    return grad(inner)(y)


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (lambda_inside, lambda y: 9 * y**3),
        (function_beside, lambda y: 9 * y**3),
        (two_deep, lambda y: 8 * y**3),
        (helper_in_the_closure, lambda y: 12 * y**2),
    ],
)
def test_a_derivative_made_inside_reads_what_its_own_closure_captured(function, value):
    for y in (0.7, 0.8, 0.7):
        assert function(y) == pytest.approx(value(y), rel=1e-14)


def test_closures_that_live_at_once():
    def make(y):
        return lambda x: grad(lambda u: u**3 * x * y)(x)

    derivatives = [grad(make(y)) for y in (0.7, 0.8, -2.0)]
    assert [derivative(1.5) for derivative in derivatives] == pytest.approx([9 * 1.5**2 * y for y in (0.7, 0.8, -2.0)])
