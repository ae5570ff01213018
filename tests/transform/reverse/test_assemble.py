"""The two sweeps together: every way that a loop runs backwards, every way that it is left, split over functions or not."""

from __future__ import annotations

import types

import pytest

from s2sad import grad, value_and_grad
from tests.transform.reverse.dual import derivative


def over_range(x, n):
    y = x
    for i in range(n):
        y = y * x + y / (i + 1)
    return y


def over_range_with_bounds(x, n):
    y = x
    for i in range(2, n + 2):
        y = y * 0.5 + x * i
    return y


def over_range_with_step(x, n):
    y = x
    for i in range(3, 3 + 2 * n, 2):
        y = y * y * 0.1 + x * i
    return y


def over_uneven_range(x, n):
    y = x
    for i in range(1, 1 + 3 * n - (n > 0), 3):
        y = y * y * 0.1 + x * i
    return y


def over_negative_range(x, n):
    y = x
    for i in range(n, 0, -1):
        y = y * y * 0.1 + x * i
    return y


def while_counter(x, n):
    y, k = x, 0
    while k < n:
        y = y * y * 0.3 + x / (k + 1)
        k += 1
    return y


def while_counter_down(x, n):
    y, k = x, n
    while k > 0:
        y = y * y * 0.3 + x * k
        k -= 1
    return y * 2.0


def while_counter_used_after(x, n):
    y, k = x, 5
    while k < n + 5:
        k += 1
        y = y * x + k
    return y * k


def while_on_data(x, n):
    y, k = x, 0
    while abs(y) < 10.0 * n:
        y = y * 1.7 + x
        k += 1
    return y * y + k


def counter_that_jumps(x, n):
    y, k = x, 0
    while k < n:
        if y > 1.0:
            k += 2
        else:
            k += 1
        y = y * 0.7 + x * k
    return y


def with_break(x, n):
    y = x
    for i in range(100):
        if i >= n:
            break
        y = y * y * 0.4 + x
    return y


def with_break_on_data(x, n):
    y = x
    for _ in range(n):
        y = y * 1.5 + x
        if y > 20.0:
            y = y * y
            break
        y = y + 1.0
    return y


def with_break_in_the_last_trip(x, n):
    y = x
    for i in range(n):
        y = y * x
        if i == n - 1:
            y = y * 3.0
            break
    else:
        y = y * 7.0
    return y


def with_else(x, n):
    y = x
    for i in range(n):
        y = y * 1.1 * x
        if i == 50:
            break
    else:
        y = y * 7.0
    return y


def with_continue(x, n):
    y = x
    for i in range(n):
        if i % 2:
            continue
        y = y * y * 0.4 + x * i
    return y


def with_return(x, n):
    y = x
    for i in range(n):
        y = y * 1.5 + x
        if y > 20.0:
            return y * y * i
    return y


def with_return_deep_inside(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = y * 1.2 + x * j
            if y > 20.0:
                return y * y * i
        y = y * 0.9
    return y * 2.0


def endless(x, n):
    y, k = x, 0
    while True:
        if k >= n:
            break
        y = y * y * 0.3 + x
        k += 1
    return y


def nested(x, n):
    y = x
    for i in range(n):
        z = y
        for j in range(i):
            z = z * 0.5 + y * x / (j + 1)
        y = z * y * 0.3
    return y


def nested_with_breaks(x, n):
    y = x
    for i in range(n):
        for j in range(10):
            if j > i:
                break
            y = y * 0.8 + x * j
        if y > 30.0:
            break
        y = y * y * 0.2
    return y


def inner_while(x, n):
    y = x
    for _ in range(n):
        z = y
        while z > 0.5:
            z = z * 0.5 * x
        y = y * z + 1.0
    return y


def over_tuple(x, n):
    y = x
    for k in (1.0, 2.0, 3.0, 4.0)[:n]:
        y = y * y * 0.2 + x * k
    return y


def over_list(x, n):
    y = x
    for k in [0.5, 1.5, 2.5, 3.5, 4.5, 5.5][:n]:
        y = y * y * 0.1 + x * k
    return y


def over_active_list(x, n):
    xs = [x * (k + 1) for k in range(n)]
    y = x
    for item in xs:
        y = y * item * 0.3 + 1.0
    return y


def over_list_with_break(x, n):
    xs = [x * (k + 1) for k in range(n)]
    y = x
    for item in xs:
        if item > 3.0:
            break
        y = y * item * 0.3 + 1.0
    return y


def over_enumerate_and_zip(x, n):
    xs = [x * (k + 1) for k in range(n)]
    y = x
    for k, (a, b) in enumerate(zip(xs, xs[::-1])):
        y = y * a * 0.1 + b * k
    return y


def over_string(x, n):
    y = x
    for letter in "abcabc"[:n]:
        y = y * y * 0.3 if letter == "a" else y + x
    return y


def last_target(x, n):
    i = 7
    y = x
    for i in range(n):
        y = y * x
    return y * i


def helper(y, x):
    for _ in range(3):
        y = y * y * 0.2 + x
    return y


def helper_that_leaves(y, x):
    for i in range(5):
        y = y * 1.3 + x
        if y > 4.0:
            return y * i
    return y * y


def calls_helpers(x, n):
    y = x
    for _ in range(n):
        y = helper(y, x) * 0.5
        y = helper_that_leaves(y, x) * 0.1
    return y


def recursive(x, n):
    if n <= 0:
        return x * x
    return recursive(x * 0.9, n - 1) * x + recursive(x, n - 2) * 0.1


def swap(x, n):
    a, b = x, x * x
    for _ in range(n):
        a, b = b, a * 0.5
    return a * 3.0 + b


def tried(x, n):
    y = x
    for i in range(n):
        try:
            k = 10 // (i - 2)
        except ZeroDivisionError:
            k = 1
        y = y * 0.5 + x * k
    return y


PROGRAMS = [
    value
    for value in list(globals().values())
    if isinstance(value, types.FunctionType) and value.__module__ == __name__ and value.__code__.co_varnames[:2] == ("x", "n")
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_programs(function):
    """Zero, one, two, and more trips; both sides of every branch; with the value and without, of first and second order."""
    first, both = grad(function), value_and_grad(function)
    second = grad(first)
    runs = first.derivative
    for n in (0, 1, 2, 3, 6):
        for x in (0.7, 1.3, -0.4):
            value, slope = derivative(function, x, n)
            assert first(x, n) == pytest.approx(slope, rel=1e-11, abs=1e-13), (x, n)
            found = both(x, n)
            assert found[0] == function(x, n) == pytest.approx(value, rel=1e-12, abs=1e-13)
            assert found[1] == pytest.approx(slope, rel=1e-11, abs=1e-13)
            if function is over_tuple:
                continue  # a slice of a tuple, turned round in generated code: refused
            code = runs.find(*runs.bind((x, n), {})).function  # the generated code bears dual numbers as the primal does
            assert second(x, n) == pytest.approx(derivative(code, x, n)[1], rel=1e-9, abs=1e-11), (x, n)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_split_over_two_functions(function):
    """The same programs as helpers that are called twice: the reverse half finds what each forward call has kept."""

    def outer(x, n):
        a = function(x, n)
        b = function(x * 1.1, n + 1)
        return a * b + a

    for n in (0, 2, 5):
        for x in (0.7, 1.3):
            assert grad(outer)(x, n) == pytest.approx(derivative(outer, x, n)[1], rel=1e-10, abs=1e-12), (x, n)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_inside_a_loop(function):
    def outer(x, n):
        y = x
        for k in range(3):
            y = 0.3 * function(y, k) + x
            y = y / (1.0 + y * y)
        return y

    for x in (0.7, 1.3):
        assert grad(outer)(x, 3) == pytest.approx(derivative(outer, x, 3)[1], rel=1e-10, abs=1e-12), x
