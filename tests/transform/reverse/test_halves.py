"""Functions in two halves: what is handed over is the least, and every kind of argument and result has its adjoint."""

from __future__ import annotations

import math
import re

import pytest

from s2sad import grad
from tests.transform.reverse.dual import derivative


def signature_of(source: str, name: str) -> str | None:
    found = re.search(rf"^def {name}\((.*)\):", source, re.MULTILINE)
    return found[1] if found else None


def linear(x, k):
    return 3.0 * x + k


def product(x, y):
    return x * y


def with_sine(x):
    y = x * x
    return math.sin(y) * y


def looped(x, n):
    for _ in range(n):
        x = x * x * 0.3 + 1.0
    return x


def unused(x, y):
    return x * 2.0


def pair(x):
    return x * x, 3.0 * x


def halves_in_list(xs):
    xs[0] = xs[0] * 0.5
    xs.append(xs[0] * xs[0])


def makes_list(x, n):
    return [x * x for _ in range(n)]


def test_what_is_handed_over():
    """No forward half where arguments are all that the reverse half needs; nothing is passed that is not read."""
    source = grad(lambda x: linear(x * x, 2.0) * x).source(1.5)
    assert "linear_forward" not in source
    source = grad(lambda x: product(x, 2.0) * x).source(1.5)
    assert "product_forward" not in source
    source = grad(lambda x: looped(x, 3) * x).source(1.5)
    assert signature_of(source, "looped_forward") == "x, n"
    assert len(re.findall(r"_saved = \[\]", source)) == 1
    source = grad(lambda x, y: unused(x, y) * y).source(1.5, 2.0)
    assert "unused_forward" not in source


def test_a_linear_helper_costs_no_reverse_arguments():
    source = grad(lambda x: linear(x, 2.0)).source(1.5)
    reverse = signature_of(source, "linear_reverse")
    assert reverse is None or reverse in ("linear_bar", "x_bar", "result_bar")


def test_each_choice_of_active_arguments_has_its_halves():
    def f(x, y):
        return product(x, y) + product(x, 2.0) * 3.0 + product(2.0, y) * 5.0 + product(2.0, 3.0)

    assert grad(f, (0, 1))(1.5, 2.5) == (2.5 + 6.0, 1.5 + 10.0)


def uses_pair(x, n):
    a, b = pair(x)
    c, _ = pair(a)
    return a * b + c


def uses_list(x, n):
    xs = [x]
    halves_in_list(xs)
    halves_in_list(xs)
    return xs[0] * xs[1] + xs[2]


def uses_made_list(x, n):
    xs = makes_list(x, n)
    ys = makes_list(xs[0], n)
    return xs[1] * ys[0]


def same_twice(x, n):
    return product(x, x) * product(x, with_helper(x, n))


def with_helper(x, n):
    return looped(x, n) + looped(x * 0.5, n + 1)


def helper_of_helper(x, n):
    y = with_helper(x, n)
    return with_helper(y * 0.1, n) * y


def in_a_branch(x, n):
    if x > 1.0:
        y = looped(x, n)
    else:
        y = product(x, x)
    return y * y


def in_a_loop(x, n):
    y = x
    for k in range(n):
        if k % 2:
            y = looped(y * 0.1, k) * 0.5
        else:
            y = product(y, x) * 0.5
    return y


def in_a_while(x, n):
    y, k = x, 0
    while k < n:
        y = product(y, x) * 0.5 + looped(x * 0.1, k)
        k += 1
    return y


def result_unused(x, n):
    looped(x, n)
    return product(x, x)


def returned_as_it_is(x, n):
    return looped(x, n)


def nested_function(x, n):
    c = x * 2.0

    def inner(y):
        return y * c * x

    return inner(inner(x)) + inner(2.0)


def mutual_a(x, n):
    return x if n <= 0 else mutual_b(x * 0.9, n - 1) * x


def mutual_b(x, n):
    return x * x if n <= 0 else mutual_a(x, n - 1) + mutual_a(x * x, n - 2) * 0.3


def uses_mutual(x, n):
    return mutual_a(x, n) * mutual_b(x, n) + mutual_a(x * x, n + 1)


def tree(x, n):
    if n <= 0:
        return x
    left = tree(x * 0.9, n - 1)
    right = tree(left * x, n - 2)
    return 0.2 * left * right + 0.1 * tree(right, n - 3) * x


def recursion_in_a_loop(x, n):
    y = x
    for k in range(n):
        y = tree(y * 0.5, k) + tree(x, 2) * y
    return y


@pytest.mark.parametrize(
    "function",
    [
        uses_pair,
        uses_list,
        uses_made_list,
        same_twice,
        with_helper,
        helper_of_helper,
        in_a_branch,
        in_a_loop,
        in_a_while,
        result_unused,
        returned_as_it_is,
        nested_function,
        mutual_a,
        mutual_b,
        uses_mutual,
        tree,
        recursion_in_a_loop,
    ],
)
def test_calls(function):
    for n in (2, 3, 5):
        for x in (0.7, 1.3):
            assert grad(function)(x, n) == pytest.approx(derivative(function, x, n)[1], rel=1e-11, abs=1e-13), (x, n)


@pytest.mark.parametrize("function", [uses_pair, same_twice, in_a_loop, tree, uses_mutual, nested_function])
def test_second_derivatives_of_calls(function):
    first = grad(function)
    second = grad(first)
    h = 1e-5
    for x in (0.7, 1.3):
        expected = (first(x + h, 3) - first(x - h, 3)) / (2 * h)
        assert second(x, 3) == pytest.approx(expected, rel=1e-6, abs=1e-7)
