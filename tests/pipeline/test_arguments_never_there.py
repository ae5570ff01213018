"""Calls whose argument is never there, since what gives it raises: of an empty list, of a dict without the key."""

from __future__ import annotations

import pytest

from s2sad import grad


def square(x):
    return x * x


def first(x, weights):
    return square(weights[0] * x)


def first_if_any(x, weights):
    if len(weights) > 0:
        x = square(weights[0] * x)
        if len(weights) > 1:
            x = square(weights[1] * x)
    return x


def of_a_key(x, table):
    return square(table["weight"] * x)


def popped(x, weights):
    weight = square(weights.pop())
    return weight * x


def of_a_nested_function(x, weights):
    def scaled(weight):
        return weight * x

    return scaled(weights[0]) if weights else x


def test_what_python_raises():
    with pytest.raises(IndexError, match="list index out of range"):
        grad(first)(0.7, [])
    with pytest.raises(IndexError, match="pop from empty list"):
        grad(popped)(0.7, [])
    with pytest.raises(KeyError, match="weight"):
        grad(of_a_key)(0.7, {})


@pytest.mark.parametrize("function", [first_if_any, of_a_nested_function])
def test_the_way_around(function):
    assert grad(function)(0.7, []) == 1.0


def test_arguments_that_are_there():
    assert grad(first)(0.7, [2.0]) == grad(first_if_any)(0.7, [2.0]) == pytest.approx(2 * 2**2 * 0.7)
    assert grad(of_a_key)(0.7, {"weight": 2.0}) == pytest.approx(2 * 2**2 * 0.7)
    assert grad(popped)(0.7, [3.0]) == 9.0
    assert grad(of_a_nested_function)(0.7, [3.0]) == 3.0


def test_they_are_called_by_their_names():
    assert "square(weights[0] * x)" in grad(first_if_any).source(0.7, [])
