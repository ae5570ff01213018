"""What is said of a call that does not fit the function: as Python says it of the primal."""

import functools

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError


def square(x):
    return x * x


def scaled(a, /, b, *, c, d=1.0):
    return a * b * c * d


def product_of_three(a, b, c):
    return a * b * c


class Model:
    def energy(self, x):
        return x * x

    def __call__(self, x):
        return x * x


def message(function, *args, **kwargs):
    with pytest.raises(TypeError) as caught:
        function(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (square, (), {}),
        (scaled, (), {}),
        (scaled, (1.0,), {}),
        (scaled, (1.0, 2.0), {}),
        (scaled, (1.0,), {"c": 2.0}),
        (scaled, (), {"b": 1.0, "c": 2.0}),
        (Model().energy, (), {}),
        (Model(), (), {}),
        (functools.partial(product_of_three, 1.0), (), {}),
        (functools.partial(product_of_three, 1.0), (2.0,), {}),
        (lambda x, y: x * y, (1.0,), {}),
    ],
)
@pytest.mark.parametrize("make", [grad, value_and_grad, lambda function: grad(grad(function))])
def test_missing_arguments(make, function, args, kwargs):
    assert message(make(function), *args, **kwargs) == message(function, *args, **kwargs)


def test_missing_after_the_first_call():
    derivative = grad(square)
    assert derivative(1.5) == 3.0
    assert message(derivative) == message(square)
    with_options = grad(scaled)
    assert with_options(1.5, 2.0, c=3.0) == 6.0
    assert message(with_options, 1.5, 2.0) == message(scaled, 1.5, 2.0)
    assert with_options(1.5, 2.0, c=3.0, d=2.0) == 12.0


def test_other_arguments_are_refused_by_name():
    assert "of tests" in message(grad(square), 1.0, 2.0)
    assert message(grad(square), y=1.0).endswith("square() got an unexpected keyword argument 'y'")


def test_code_with_other_parameters():
    def replaced(x):
        return x * x

    def other(x, y):
        return x * y

    def same(x):
        return x**3

    derivative = grad(replaced)
    assert derivative(2.0) == 4.0
    replaced.__code__ = same.__code__
    assert derivative(2.0) == 12.0
    replaced.__code__ = other.__code__
    with pytest.raises(NonDifferentiableError, match=r"other parameters now, \(x, y\)"):
        derivative(2.0)
    assert grad(replaced)(2.0, 3.0) == 3.0
    replaced.__code__ = same.__code__
    assert derivative(2.0) == 12.0
