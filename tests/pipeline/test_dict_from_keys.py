"""`dict.fromkeys`: one value for all keys, which is one object; numbers that become keys are refused."""

from __future__ import annotations

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


def weighted(x):
    table = dict.fromkeys([1, 2], x)
    return sum((i + 1) * value * value for i, value in enumerate(table.values()))


def changed_later(x):
    first = dict.fromkeys("ab", 1.0)
    first["a"] *= x
    second = dict.fromkeys(first, x * x)
    return sum(first.values()) * second["b"]


def without_value(x):
    table = dict.fromkeys(range(3))
    table[0] = x * x
    return table[0] * x if table[1] is None else 0.0


def one_list_for_all(x):
    table = dict.fromkeys("ab", [x])  # noqa: RUF024 (one list is what is tested)
    table["a"].append(x * x)
    return sum(table["b"])


def distinct(x):
    return x * x * len(dict.fromkeys("aab")) + sum(x**k for k in dict.fromkeys([3, 1, 3]))


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        (weighted, lambda x: 6 * x, lambda x: 6.0),
        (changed_later, lambda x: 3 * x**2 + 2 * x, lambda x: 6 * x + 2),
        (without_value, lambda x: 3 * x**2, lambda x: 6 * x),
        (one_list_for_all, lambda x: 1 + 2 * x, lambda x: 2.0),
        (distinct, lambda x: 4 * x + 3 * x**2 + 1, lambda x: 4 + 6 * x),
    ],
)
def test_derivatives(function, first, second):
    value, x_bar = value_and_grad(function)(1.3)
    assert value == function(1.3)
    assert x_bar == pytest.approx(first(1.3))
    assert grad(grad(function))(1.3) == pytest.approx(second(1.3))


def sum_of_keys(x):
    return sum(dict.fromkeys([x, x * x], 1.0))


def list_of_keys(x):
    return list(dict.fromkeys((x, x * x)))[1] * x


def loop_over_keys(x):
    total = 0.0
    for key in dict.fromkeys({"a": x}.values()):
        total += key
    return total


@pytest.mark.parametrize("function", [sum_of_keys, list_of_keys, loop_over_keys])
def test_numbers_as_keys(function):
    with pytest.raises(UnsupportedSyntaxError, match="as a key of a dict"):
        grad(function)(1.3)
