"""Singular points: where the primal has a value the derivative has one too, by the documented conventions."""

import math

import numpy as np
import pytest

from s2sad import grad, value_and_grad

INFINITY = math.inf


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (lambda x: math.sqrt(x), 0.0, INFINITY),
        (lambda x: x**0.5, 0.0, INFINITY),
        (lambda x: math.cbrt(x), 0.0, INFINITY),
        (lambda x: x**1.5, 0.0, 0.0),
        (lambda x: abs(x), 0.0, 0.0),
        (lambda x: abs(x), -0.0, 0.0),
        (lambda x: math.fabs(x), 0.0, 0.0),
        (lambda x: np.abs(x), 0.0, 0.0),
        (lambda x: x**0, 0.0, 0.0),
        (lambda x: x**0, -2.0, 0.0),
        (lambda x: x**0.0, 0.0, 0.0),
        (lambda x: x**1, 0.0, 1.0),
        (lambda x: x**2, 0.0, 0.0),
        (lambda x: x**3, 0.0, 0.0),
        (lambda x: pow(x, 1.0), 0.0, 1.0),
        (lambda x: math.pow(x, 2.0), 0.0, 0.0),
        (lambda x: max(x, 0.0), 0.0, 0.5),
        (lambda x: min(x, 0.0), 0.0, 0.5),
        (lambda x: max(x, x), 1.0, 1.0),
        (lambda x: max(x, 2.0, 2.0), 2.0, 1 / 3),
        (lambda x: max([x, 2.0]), 2.0, 0.5),
        (lambda x: min(x, 3.0, 2.0), 2.0, 0.5),
        (lambda x: np.maximum(x, 1.0), 1.0, 0.5),
        (lambda x: 0.0**x, 2.0, 0.0),
        (lambda x: math.asin(x), 1.0, INFINITY),
        (lambda x: math.asin(x), -1.0, INFINITY),
        (lambda x: math.acos(x), 1.0, -INFINITY),
        (lambda x: math.acosh(x), 1.0, INFINITY),
        (lambda x: math.floor(x) + math.ceil(x), 2.0, 0.0),
        (lambda x: x // 1.0, 2.0, 0.0),
        (lambda x: float(round(x)), 2.5, 0.0),
        (lambda x: math.exp(x), -1000.0, 0.0),
        (lambda x: math.tanh(x), 1000.0, 0.0),
        (lambda x: math.atan(x), 1e300, 0.0),
        (lambda x: math.sqrt(x * x + 1e-300), 0.0, 0.0),
        (lambda x: x * 0.0, INFINITY, 0.0),
    ],
)
def test_convention(function, x, expected):
    value, derivative = value_and_grad(function)(x)
    primal = function(x)
    assert value == primal or (math.isnan(value) and math.isnan(primal))
    assert derivative == expected


@pytest.mark.parametrize(
    ("function", "point"),
    [
        (math.hypot, (0.0, 0.0)),
        (math.atan2, (0.0, 0.0)),
        (lambda x, y: math.dist([x], [y]), (1.0, 1.0)),
        (lambda x, y: x**y, (0.0, 0.0)),
        (lambda x, y: x**y, (0.0, 2.0)),
        (lambda x, y: x**y, (-2.0, 2.0)),
        (lambda x, y: math.copysign(x, y), (0.0, 0.0)),
        (lambda x, y: math.fmod(x, y), (0.0, 1.0)),
        (lambda x, y: x % y, (4.0, 2.0)),
        (lambda x, y: math.remainder(x, y), (3.0, 2.0)),
        (lambda x, y: x / y, (1.0, 5e-324 * 1e300)),
        (lambda x, y: x * y, (1e200, 1e200)),
        (lambda x, y: math.prod([x, y, 0.0]), (0.0, 0.0)),
    ],
)
def test_nothing_is_raised_where_the_primal_has_a_value(function, point):
    try:
        primal = function(*point)
    except Exception:
        pytest.skip("the primal raises")
    f = lambda x, y: function(x, y)
    value, gradient = value_and_grad(f, (0, 1))(*point)
    assert value == primal
    assert all(isinstance(part, float) for part in gradient)
    second = grad(grad(f, 0), 0)(*point)
    assert isinstance(second, float)


def test_power_at_zero_base():
    assert grad(lambda x, y: x**y, (0, 1))(0.0, 2.0) == (0.0, 0.0)
    assert grad(lambda x, y: x**y, (0, 1))(0.0, 0.0)[0] == 0.0
    assert grad(lambda x, y: x**y)(-2.0, 3.0) == 12.0


def test_repeated_derivatives_of_powers_at_zero():
    f = lambda x: x**3 + x**2
    for expected in (0.0, 2.0, 6.0, 0.0):
        f = grad(f)
        assert f(0.0) == expected


def inverse_by_an_early_return(x):
    if x == 0:
        return math.inf
    return 1 / x


def inverse_by_a_negation(x):
    return -float("inf") if not x else -1 / (x * x)


def root_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        total += math.sqrt(x * (k + 1))
    return total


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (lambda x: x**0.5, 0.0),
        (lambda x: x**0.25 + x, 0.0),
        (lambda x: math.pow(x, 0.5), 0.0),
        (lambda x: x ** (0.5 + 0.1 * x), 0.0),
        (lambda x: np.power(x, 0.5), 0.0),
        (lambda x: math.sqrt(x), 0.0),
        (lambda x: math.cbrt(x), 0.0),
        (lambda x: math.asin(x), 1.0),
        (lambda x: math.asin(x), -1.0),
        (lambda x: math.acos(x), 1.0),
        (lambda x: math.acosh(x), 1.0),
        (lambda x: np.arcsin(x), 1.0),
        (lambda x: np.arccos(x), -1.0),
        (lambda x: np.arccosh(x), 1.0),
        (lambda x: root_in_a_loop(x, 3), 0.0),
    ],
)
def test_where_a_slope_is_infinite_higher_derivatives_are_not_finite(function, x):
    derivative = grad(function)
    assert math.isinf(derivative(x))
    assert not math.isfinite(grad(derivative)(x))
    assert not math.isfinite(grad(grad(derivative))(x))


@pytest.mark.parametrize(("exponent", "finite"), [(1.5, 1), (2.5, 2)])
def test_powers_at_zero_up_to_the_derivative_that_is_infinite(exponent, finite):
    derivative = lambda x: x**exponent
    for order in range(1, 4):
        derivative = grad(derivative)
        assert derivative(0.0) == 0.0 if order <= finite else not math.isfinite(derivative(0.0))


@pytest.mark.parametrize("function", [inverse_by_an_early_return, inverse_by_a_negation])
def test_a_number_that_is_infinite_at_one_point_has_no_derivative_there(function):
    assert math.isnan(grad(function)(0.0))
    assert math.isfinite(grad(function)(2.0))


def test_infinity_on_one_side_is_a_constant():
    def cost(x):
        return x * x if x < 1.0 else math.inf

    assert grad(cost)(1.0) == 0.0
    assert grad(cost)(0.5) == 1.0


def test_hypot_at_the_origin_is_finite_or_the_convention():
    gradient = grad(lambda x, y: math.hypot(x, y), (0, 1))(0.0, 0.0)
    assert gradient == (0.0, 0.0)


def test_branches_not_taken_do_not_poison():
    def safe(x):
        return math.sqrt(x) if x > 0 else 0.0

    def guarded(x):
        return math.sin(x) / x if x != 0 else 1.0

    assert grad(safe)(0.0) == 0.0
    assert grad(guarded)(0.0) == 0.0
    second = -math.sin(0.5) / 0.5 - 2 * math.cos(0.5) / 0.25 + 2 * math.sin(0.5) / 0.125
    assert grad(grad(guarded))(0.5) == pytest.approx(second, rel=1e-9)


@pytest.mark.xfail(strict=False, reason="a wish: zero times an infinite slope, which JAX and autograd call nan as well")
def test_a_value_that_is_not_used_does_not_poison():
    def f(x, items):
        roots = [math.sqrt(item) for item in items]
        return x + roots[1]

    assert grad(f, (0, 1))(1.0, [0.0, 4.0]) == (1.0, [0.0, 0.25])


@pytest.mark.xfail(strict=False, reason="a wish: zero times an infinite slope, which JAX and autograd call nan as well")
def test_zero_cotangent_times_infinite_slope():
    def f(x):
        y = math.sqrt(x)
        return x if y < 1.0 else y

    assert grad(f)(0.0) == 1.0


def test_overflow_in_the_reverse_sweep_is_infinite():
    def f(x):
        return x ** (-2)

    assert grad(f)(1e-150) == -INFINITY


def test_nan_and_infinity_go_through():
    assert math.isnan(grad(lambda x: x * x)(math.nan))
    assert grad(lambda x: x * x)(INFINITY) == INFINITY
    assert grad(lambda x: 1.0 / x)(INFINITY) == 0.0
