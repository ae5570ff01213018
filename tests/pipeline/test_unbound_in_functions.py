"""Nested functions that read a variable of an enclosing function before it is bound: what Python raises, and nowhere else."""

import re

import numpy as np
import pytest

from s2sad import grad, show, value_and_grad

# ruff: noqa: F821


def handed_over(x, n=0):
    if n:
        y = x * x

    def inner():
        return y * x

    return inner()


def only_compared(x, n=0):
    if n:
        y = x * x

    def inner():
        return 1.0 if y is None else x * y

    return inner()


def bound_later(x, n=0):
    def inner():
        return y * x

    early = 0.0 if n else inner()
    y = x * x
    return early + inner()


def compared_before_it_is_bound(x, n=0):
    def inner():
        return x if y is None else y * x

    early = 0.0 if n else inner()
    y = x * x
    return early + inner()


def deleted(x, n=0):
    y = x * x

    def inner():
        return y * x

    first = inner()
    if not n:
        del y
    return first + inner()


def bound_by_a_loop(x, n=0):
    for k in range(n):
        y = x * (k + 1)

    def inner():
        return x if y is None else y * x

    return inner()


def a_list(x, n=0):
    if n:
        y = [x]

    def inner():
        y.append(x * x)
        return y[-1] * y[0]

    return inner()


def an_array(x, n=0):
    if n:
        y = np.array([x, x * x])

    def inner():
        return np.sum(y * y)

    return inner()


def a_type_is_asked(x, n=0):
    if n:
        y = 1

    def inner():
        return x * x * isinstance(y, int)

    return inner()


def augmented(x, n=0):
    if n:
        y = 3.0

    def inner():
        nonlocal y
        y += x
        return y * x

    return inner()


def bound_by_another_function(x, n=0):
    def bind():
        nonlocal y
        y = x * x

    def inner():
        return y * x

    if n:
        bind()
    result = inner()
    y = 0.0
    return result + y


def two_functions_deep(x, n=0):
    if n:
        y = x * x

    def inner():
        def most():
            return x if y is None else y * x

        return most()

    return inner()


def by_way_of_another(x, n=0):
    def inner():
        return other() * x

    early = 0.0 if n else inner()

    def other():
        return x * x

    return early + inner()


def a_function(x, n=0):
    if n:
        square = lambda v: v * v

    def inner():
        return square(x)

    return inner()


def a_lambda(x, n=0):
    while n > 0:
        y = x * n
        n -= 1
    return sum(map(lambda v: v if y is None else v * y, [x, x]))


def in_a_trip(x, n=0):
    total = 0.0
    for k in range(3):

        def inner():
            return y * x

        if n or k > 2:
            total += inner() if k else x
        elif k == 1:
            total += inner()
        if n:
            y = x * k
    return total


def left_out_of_a_match(x, n=0):
    match n:
        case 1 | 2:
            y = x * n

    def inner():
        return y * y

    return inner()


PROGRAMS = [
    handed_over,
    only_compared,
    bound_later,
    compared_before_it_is_bound,
    deleted,
    bound_by_a_loop,
    a_list,
    an_array,
    a_type_is_asked,
    augmented,
    bound_by_another_function,
    two_functions_deep,
    by_way_of_another,
    a_function,
    a_lambda,
    in_a_trip,
    left_out_of_a_match,
]


@pytest.mark.parametrize("derivative", [grad, value_and_grad])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_python_raises(function, derivative):
    with pytest.raises(NameError) as expected:
        function(1.5)
    with pytest.raises(NameError, match=re.escape(str(expected.value))) as raised:
        derivative(function)(1.5)
    assert raised.type is expected.type


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_where_it_is_bound(function, n):
    x, h = 1.5, 1e-3
    value, gradient = value_and_grad(function)(x, n)
    assert value == function(x, n)

    def difference(f):
        steps = [f(x + k * h) for k in (-2, -1, 1, 2)]
        return (8 * (steps[2] - steps[1]) - (steps[3] - steps[0])) / (12 * h)

    assert gradient == pytest.approx(difference(lambda x: function(x, n)), rel=1e-8)
    assert grad(function)(x, n) == gradient
    assert grad(grad(function))(x, n) == pytest.approx(difference(lambda x: grad(function)(x, n)), rel=1e-8, abs=1e-9)


def out_of_a_cell(x, n):
    def bind():
        nonlocal y
        y = x * x

    if n:
        bind()
    result = x if y is None else y * x
    y = 0.0
    return result + y


def of_the_function_itself(x, n):
    def inner():
        return y * x

    if n:
        y = x
    first = y * x
    y = x * x
    return first + inner()


@pytest.mark.parametrize("function", [out_of_a_cell, of_the_function_itself])
def test_a_function_that_reads_its_own_cell(function):
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'"):
        value_and_grad(function)(1.5, 0)
    h = 1e-4
    want = (function(1.5 + h, 1) - function(1.5 - h, 1)) / (2 * h)
    assert grad(function)(1.5, 1) == pytest.approx(want, rel=1e-7)


def calls_itself(x, n):
    def power(k):
        return 1.0 if k == 0 else power(k - 1) * x

    return power(n)


def call_each_other(x, n):
    def even(k):
        return x if k == 0 else odd(k - 1) * x

    def odd(k):
        return 1.0 if k == 0 else even(k - 1)

    return even(n)


def as_it_is(function):
    return function


def is_decorated(x, n):
    @as_it_is
    def power(k):
        return 1.0 if k == 0 else power(k - 1) * x

    return power(n)


def bound_on_each_way(x, n):
    if n > 5:
        y = x
    elif n > 3:
        y = x * x
    else:
        try:
            y = x / n
        except ZeroDivisionError:
            y = 1.0
    while True:
        z = y * x
        if z > 0.1:
            break
        y = z
    for k in range(3):
        w = z * k
        if k == n:
            continue
    for v in (1.0, n):
        u = v * w
    with np.errstate(all="ignore"):
        t = u * x

    def inner(s):
        return s * t * u * w * z * y

    return inner(x)


def kept_in_a_table(x, n):
    def double(k):
        return x if k == 0 else table["square"](k - 1) * 2.0

    table = {"double": double, "square": lambda k: x if k == 0 else table["double"](k - 1) ** 2}
    return table["double"](n)


def counts(x, n):
    total = 0.0

    def add(v):
        nonlocal total
        total += v
        return total

    for k in range(n):
        add(x * k)
    return total


def made_in_each_trip(x, n):
    y = x
    for _ in range(n):
        step = lambda v: v * y
        y = step(x)
    return y


@pytest.mark.parametrize(
    "function",
    [calls_itself, call_each_other, is_decorated, bound_on_each_way, kept_in_a_table, counts, made_in_each_trip],
    ids=lambda f: f.__name__,
)
def test_nothing_is_asked_where_it_is_bound_on_every_way(function):
    h = 1e-4
    want = (function(1.5 + h, 4) - function(1.5 - h, 4)) / (2 * h)
    assert grad(function)(1.5, 4) == pytest.approx(want, rel=1e-6)
    assert "unbound" not in show(function, 1.5, 4)
