"""Derivatives of higher order that are made inside of a differentiated function, of functions that capture its variables."""

import math

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError


def second_derivative(y):
    def cube(x):
        return x**3 * y

    return grad(grad(cube))(y)


def second_derivative_by_names(y):
    slope = grad(lambda x: x**3 * y)
    curvature = grad(slope)
    return curvature(y)


def third_and_first(y):
    def wave(x):
        return math.sin(x * y)

    return grad(grad(grad(wave)))(0.3) + grad(wave)(y)


def mixed_of_a_variable_bound_again(y):
    scale = y

    def growth(a, x):
        return math.exp(a * x) * scale

    scale = 2 * y
    return grad(grad(growth, 1), 0)(y, 0.5)


def mixed_by_parameter_name(y):
    def growth(a, x):
        return math.exp(a * x) * 2 * y

    return grad(grad(growth, "x"), "a")(y, 0.5)


def in_a_loop(y):
    total = 0.0
    for n in range(3):

        def power(x):
            return x ** (n + 3) * y

        total += grad(grad(power))(y)
    return total


def inside_of_a_derivative(y):
    def inner(x):
        return grad(grad(lambda u: u**3 * x * y))(x)

    return grad(inner)(y)


def with_a_default(y):
    def cube(x, factor=2.0):
        return x**3 * y * factor

    return grad(grad(cube))(y)


def with_the_value(y):
    value, slope = value_and_grad(grad(lambda x: x**3 * y))(y)
    return value * slope


CASES = [
    (second_derivative, lambda y: 12 * y, lambda y: 12),
    (second_derivative_by_names, lambda y: 12 * y, lambda y: 12),
    (
        third_and_first,
        lambda y: -3 * y**2 * math.cos(0.3 * y) + 0.3 * y**3 * math.sin(0.3 * y) + math.cos(y * y) - 2 * y * y * math.sin(y * y),
        None,
    ),
    (
        mixed_of_a_variable_bound_again,
        lambda y: math.exp(y / 2) * (2 + 3 * y + y * y / 2),
        lambda y: math.exp(y / 2) * (4 + 2.5 * y + y * y / 4),
    ),
    (mixed_by_parameter_name, lambda y: math.exp(y / 2) * (2 + 3 * y + y * y / 2), None),
    (in_a_loop, lambda y: 12 * y + 36 * y**2 + 80 * y**3, lambda y: 12 + 72 * y + 240 * y**2),
    (inside_of_a_derivative, lambda y: 24 * y, lambda y: 24),
    (with_a_default, lambda y: 24 * y, lambda y: 24),
    (with_the_value, lambda y: 90 * y**4, lambda y: 360 * y**3),
]


@pytest.mark.parametrize(("function", "first", "second"), CASES)
def test_derivatives(function, first, second):
    for y in (0.7, 1.3):
        assert grad(function)(y) == pytest.approx(first(y), rel=1e-13)
        if second is not None:
            assert grad(grad(function))(y) == pytest.approx(second(y), rel=1e-13)


def of_a_function_that_captured_the_argument(xs):
    def cubes(v):
        return sum([e**3 for e in v]) * xs[0]

    def square(v):
        return cubes(v) ** 2

    return grad(square)(xs)[0]


def of_the_slope_of_such_a_function(xs):
    def cubes(v):
        return sum([e**3 for e in v]) * xs[0]

    return grad(lambda v: grad(cubes)(v)[0])(xs)[0]


def test_functions_that_captured_the_list_that_they_are_given():
    x, y = 0.7, 0.2
    wanted = [18 * x**6 + 24 * x**3 * (x**3 + y**3), 18 * x**4 * y**2]
    assert grad(of_a_function_that_captured_the_argument)([x, y]) == pytest.approx(wanted, rel=1e-13)
    assert grad(of_the_slope_of_such_a_function)([x, y]) == pytest.approx([12 * x, 0.0], rel=1e-13)


def test_the_derivative_of_several_gradients_has_no_single_value():
    def function(y):
        return grad(grad(lambda a, x: a * x * y, (0, 1)))(y, 2.0)

    with pytest.raises(NonDifferentiableError):
        grad(function)(0.5)
