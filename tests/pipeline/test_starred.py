"""Starred arguments that only the running program can bind are refused."""

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


def product(a, b):
    return a * b * b


def named(**values):
    total = 0.0
    for value in values.values():
        total += value
    return total


def fixed_parameters(x, n):
    values = [x * k for k in range(1, n + 1)]
    return product(*values)


def names_known_when_it_runs(x, n):
    values = {}
    for k in range(n):
        values["a" * (k + 1)] = x * k
    return named(**values)


def names_from_pairs(x, n):
    return product(**dict(zip(["a", "b"][:n], [x, x * x])))


def test_parameters_that_tell_the_length():
    assert grad(fixed_parameters)(1.5, 2) == pytest.approx(12 * 1.5**2)


@pytest.mark.parametrize("function", [names_known_when_it_runs, names_from_pairs])
def test_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"test_starred\.py"):
        grad(function)(1.5, 2)


@pytest.mark.parametrize("function", [fixed_parameters, names_known_when_it_runs, names_from_pairs])
def test_without_derivative_the_call_is_made_as_it_is(function):
    assert grad(lambda x: x * function(2.0, 2))(1.5) == function(2.0, 2)
