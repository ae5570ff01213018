"""Loops over parts of lists find their elements in the whole list."""

from __future__ import annotations

import pytest

from s2sad import grad, value_and_grad

XS = [1.5, -0.5, 2.0, 0.3, 0.7]


def differences_of_neighbours(xs):
    return sum((b - a) ** 2 * a for a, b in zip(xs, xs[1:]))


def inner(xs):
    total = 0.0
    for left, mid, right in zip(xs[:-2], xs[1:-1], xs[2:]):
        total += (left - 2.0 * mid + right) ** 2 * mid
    return total


def backwards(xs):
    total = 0.0
    for k, x in enumerate(reversed(xs[1:])):
        total = total * x + k * x
    for x in xs[2:][::-1]:
        total = total * x + x
    return total


def alone(xs):
    total = 1.0
    for x in xs[:-1]:
        total *= x + total
    return total


def changed_meanwhile(xs):
    ys = [x * x for x in xs]
    total = 0.0
    for y in ys[1:]:
        ys[1] += y
        total += y * ys[1]
    ys.pop()
    return total * ys[-1]


def with_itself(xs):
    return sum(a * b for a, b in zip(xs, xs)) * sum(a * b for a, b in zip(xs[1:], [x * x for x in xs]))


def with_steps(xs):
    return sum(a * b for a, b in zip(xs[::2], xs[1::2])) + sum(x**3 for x in xs[-2:]) + sum(x**2 for x in xs[1:3])


FUNCTIONS = [differences_of_neighbours, inner, backwards, alone, changed_meanwhile, with_itself, with_steps]


def by_differences(function, xs, h=1e-6):
    ends = [[function([*xs[:i], xs[i] + s * h, *xs[i + 1 :]]) for s in (1, -1)] for i in range(len(xs))]
    return [(up - down) / (2 * h) for up, down in ends]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_gradients(function, count):
    xs = XS[:count]
    if count < 2 and function is changed_meanwhile:
        return  # the program raises
    value, gradient = value_and_grad(function)(xs)
    assert value == function(xs)
    assert gradient == pytest.approx(by_differences(function, xs), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_second_derivatives(function):
    def along(xs):
        of_xs = grad(function)(xs)
        return of_xs[0] + 2.0 * of_xs[1] - of_xs[2] + 0.5 * of_xs[4]

    assert grad(along)(XS) == pytest.approx(by_differences(along, XS), rel=1e-5, abs=1e-7)


def test_no_part_is_made():
    text = grad(differences_of_neighbours).source(XS)
    assert "part" not in text
    assert "min(" not in text
    assert "def " not in text.removeprefix("def ")
