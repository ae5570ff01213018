"""What an operation inside `try` raises is what its handler is there for, whether anybody reads its result or not."""

from __future__ import annotations

import math

import pytest

from s2sad import grad, value_and_grad

HUGE = 10**400


def comparison_of_a_complex_number(x, n):
    try:
        y = (x - n) ** 0.5 > 0
    except TypeError:
        return x * 5
    return x if y else 2 * x


def quotient_of_integers(x, n):
    fits = True
    try:
        math.factorial(n) / 1.0
    except OverflowError:
        fits = False
    return 2 * x if fits else 3 * x


def sum_with_an_integer(x, n):
    try:
        y = x + n
    except OverflowError:
        y = 5 * x
    return y


def difference_with_an_integer(x, n):
    try:
        y = -x - n
    except OverflowError:
        y = 3 * x
    return y


def product_with_an_integer(x, n):
    try:
        return math.factorial(n) * x
    except OverflowError:
        return 5 * x


def products_that_cancel(x, n):
    try:
        y = x * n - x * n + x
    except OverflowError:
        y = 3 * x
    return y


def product_that_is_not_used(x, n):
    try:
        n * 1.0
        y = 2 * x
    except OverflowError:
        y = 5 * x
    return y


def step_of_a_range(x, n):
    try:
        steps = range(0, 5, n)
    except ValueError:
        return x * 7
    return x * len(steps)


def range_of_a_float(x, n):
    try:
        range(n)
        y = 2 * x
    except TypeError:
        y = 5 * x
    return y


def key_of_a_dict(x, n):
    try:
        {n: 1}
        y = 2 * x
    except TypeError:
        y = 5 * x
    return y


def element_of_a_set(x, n):
    try:
        {n}
        y = 2 * x
    except TypeError:
        y = 5 * x
    return y


def class_of_a_check(x, n):
    try:
        isinstance(x, n)
        y = 2 * x
    except TypeError:
        y = 5 * x
    return y


#: The program, the second argument, and the slope.
CASES = [
    (comparison_of_a_complex_number, 3, 5.0),
    (comparison_of_a_complex_number, -1, 1.0),
    (quotient_of_integers, 200, 3.0),
    (quotient_of_integers, 20, 2.0),
    (sum_with_an_integer, HUGE, 5.0),
    (sum_with_an_integer, 3, 1.0),
    (difference_with_an_integer, HUGE, 3.0),
    (difference_with_an_integer, 3, -1.0),
    (product_with_an_integer, 200, 5.0),
    (product_with_an_integer, 3, 6.0),
    (products_that_cancel, HUGE, 3.0),
    (products_that_cancel, 3, 1.0),
    (product_that_is_not_used, HUGE, 5.0),
    (product_that_is_not_used, 3, 2.0),
    (step_of_a_range, 0, 7.0),
    (step_of_a_range, 2, 3.0),
    (range_of_a_float, 1.5, 5.0),
    (range_of_a_float, 2, 2.0),
    (key_of_a_dict, [1], 5.0),
    (key_of_a_dict, 1, 2.0),
    (element_of_a_set, [1], 5.0),
    (element_of_a_set, (1, 2), 2.0),
    (class_of_a_check, 3, 5.0),
    (class_of_a_check, int, 2.0),
]


@pytest.mark.parametrize(("function", "argument", "slope"), CASES)
def test_the_handler_runs_where_python_runs_it(function, argument, slope):
    assert value_and_grad(function)(1.5, argument) == (function(1.5, argument), slope)
    assert grad(function)(1.5, argument) == slope


def test_whether_a_number_is_complex_shows_when_the_program_runs():
    def f(x):
        y = (x - 3) ** 0.5
        if isinstance(y, complex):
            return 2 * x
        return 3 * x

    assert value_and_grad(f)(1.0) == (2.0, 2.0)
    assert value_and_grad(f)(5.0) == (15.0, 3.0)


def test_a_key_that_a_table_of_functions_does_not_have():
    def f(x, op):
        ops = {"+": lambda a, b: a + b, "*": lambda a, b: a * b}
        return ops[op](x, 3.0)

    def guarded(x, op):
        try:
            return f(x, op)
        except KeyError:
            return 7 * x

    assert value_and_grad(f)(2.0, "*") == (6.0, 3.0)
    with pytest.raises(KeyError, match=r"^'\?'$"):
        value_and_grad(f)(2.0, "?")
    with pytest.raises(KeyError):
        grad(f)(2.0, "?")
    assert value_and_grad(guarded)(2.0, "?") == (14.0, 7.0)
