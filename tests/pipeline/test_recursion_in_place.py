"""Recursive functions that change arrays: what their calls keep has one type, so that the second derivative knows it.

Gradients are compared with differences of the program, second derivatives with differences of the gradient.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from s2sad import grad

X = np.array([0.7, 1.3, -0.4])


def several_values_of_several_types(x, n):
    def descend(y, low, n):
        if n == 0:
            return
        pivot = y[low]
        part = y[low:]
        row = part * pivot
        part *= np.sin(row)
        descend(y, (low + 1) % 3, n - 1)
        part += row
        y[low] *= pivot * pivot

    y = x * 1.0
    descend(y, 0, n)
    return np.sum(y * y)


def arms_that_keep_unlike_values(x, n):
    def descend(y, n):
        if n == 0:
            return y[0]
        if n % 2:
            first = y[0]
            y *= first
            return descend(y, n - 1) * first
        saved = y.copy()
        y[1:] *= y[:-1]
        return descend(y, n - 1) * y[1] + np.sum(saved * saved * saved)

    return descend(x * 1.0, n)


def values_kept_in_a_loop(x, n):
    def descend(y, n):
        for k in range(n):
            if y[k] > 0.5:
                y[k] *= y[k - 1]
            descend(y, n - 1 - k)
        y *= y

    y = x * 0.9
    descend(y, n)
    return np.sum(y)


def three_that_call_each_other(x, n):
    def first(y, n):
        if n > 0:
            factor = y[0]
            second(y, n - 1)
            y *= factor
            third(y, n - 2)

    def second(y, n):
        kept = y * y
        if n > 0:
            third(y, n - 1)
        y += kept * y

    def third(y, n):
        if n > 0:
            for k in range(2):
                y[k] *= np.cos(y[k + 1])
                first(y, n - 1)

    y = x * 1.0
    first(y, n)
    third(y, n - 1)
    return np.sum(y)


def recursive_callee_of_a_recursive_function(x, n):
    def inner(y, n):
        if n > 0:
            y *= np.cos(y[1])
            inner(y[::-1], n - 1)

    def outer(y, n):
        if n > 0:
            before = np.sum(y)
            inner(y, 2)
            outer(y, n - 1)
            inner(y, 1)
            y *= np.sin(before)

    y = x * 1.0
    outer(y, n)
    return np.sum(y)


def central_gradient(f, x, h=1e-3):
    """The gradient by differences of the sixth order."""
    found = np.zeros(x.shape)
    for k in range(len(x)):
        unit = h * np.eye(len(x))[k]
        one, two, three = (f(x + m * unit) - f(x - m * unit) for m in (1, 2, 3))
        found[k] = (45 * one - 9 * two + three) / (60 * h)
    return found


def sum_of_gradient(f):
    first = grad(f)
    return lambda x, n: np.sum(first(x, n))


@pytest.mark.parametrize(
    "f",
    [
        several_values_of_several_types,
        arms_that_keep_unlike_values,
        values_kept_in_a_loop,
        three_that_call_each_other,
        recursive_callee_of_a_recursive_function,
    ],
)
def test_derivatives(f) -> None:
    first, second = grad(f), grad(sum_of_gradient(f))
    for n in range(4):
        np.testing.assert_allclose(first(X, n), central_gradient(lambda x, n=n: f(x, n), X), rtol=1e-7, atol=1e-7)
        want = central_gradient(lambda x, n=n: np.sum(first(x, n)), X)
        np.testing.assert_allclose(second(X, n), want, rtol=1e-7, atol=1e-7)


def test_a_call_keeps_one_record() -> None:
    text = grad(several_values_of_several_types).source(X, 2)
    assert text.count("kept.append(") == text.count("kept.pop()") == 1


def test_functions_that_call_each_other_have_a_stack_each() -> None:
    text = grad(three_that_call_each_other).source(X, 2)
    pushed, popped = (re.findall(rf"(\w+_kept)\.{method}", text) for method in ("append", "pop"))
    assert len(set(pushed)) == 3
    assert sorted(pushed) == sorted(popped)
