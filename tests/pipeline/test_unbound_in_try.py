"""A handler that catches the read of an unbound variable: value and derivative are those of the way that Python takes."""

import math

import pytest

from s2sad import check_grads, grad, show, value_and_grad
from s2sad.errors import UnsupportedSyntaxError

# ruff: noqa: E722


def bare_expression(x, n=0):
    if n:
        y = x
    try:
        y
    except NameError:
        return x * 3
    return x * 2


def copied(x, n=0):
    if n:
        y = x
    try:
        t = y
    except UnboundLocalError:
        t = x * 3
    return t * 2


def squared(x, n=0):
    if n:
        y = x
    try:
        return y * y
    except UnboundLocalError:
        return x * 3


def bound_in_a_loop(x, n=0):
    for k in range(n):
        y = x * (k + 1)
    try:
        return y * 2
    except UnboundLocalError:
        return x * 3


def bound_in_a_while_loop(x, n=0):
    while n > 0:
        w = x * n
        n -= 1
    try:
        w
    except Exception:
        return x * 3
    return w * x


def loop_variable(x, n=0):
    for w in [x] * n:
        pass
    try:
        t = w * x
    except (KeyError, NameError):
        t = x * 3
    return t


def previous_of_a_loop(x, n=0):
    t = 0.0
    for _ in range(n + 2):
        try:
            t += previous * x
        except NameError:
            t = x
        previous = t * x
    return t


def deleted(x, n=0):
    y = x * x
    if not n:
        del y
    try:
        return y * 2
    except:
        return x * 3


def deleted_in_a_loop_and_captured(x, n=0):
    y = x

    def of_y():
        return y * x

    first = of_y()
    for k in range(3):
        if k == 1 and not n:
            del y
    try:
        return y * 2 + first
    except NameError:
        y = x * 3
    return y * first


def deleted_twice(x, n=0):
    y = x * x
    try:
        del y
        if not n:
            del y
    except NameError:
        return x * 3
    return x * 2


def augmented(x, n=0):
    if n:
        y = x
    try:
        y += x
    except NameError:
        y = x * 3
    return y


def in_a_function_made_before(x, n=0):
    for k in range(n):
        w = x * (k + 1)

    def inner():
        return w * x

    try:
        return inner()
    except NameError:
        return x * 3


def in_a_function_of_a_function(x, n=0):
    for k in range(n):
        w = x * (k + 1)

    def inner():
        return (lambda v: v * w)(x)

    try:
        return inner()
    except NameError:
        return x * 3


def caught_in_the_function_inside(x, n=0):
    if n:
        w = x * x

    def inner():
        try:
            return w * x
        except NameError:
            return x * 3

    return inner()


def function_that_may_not_be_made(x, n=0):
    if n:

        def inner(v):
            return v * v

    try:
        return inner(x)
    except NameError:
        return x * 3


def inner_handler_of_something_else(x, n=0):
    if n:
        y = x
    try:
        try:
            y
        except ValueError:
            return x
    except NameError:
        return x * 3
    return 5 * x


def in_a_helper(x, n=0):
    for k in range(n):
        w = x * k
    t = w * 3
    return x * 2


def of_a_helper(x, n=0):
    try:
        return in_a_helper(x, n)
    except UnboundLocalError:
        return x * 3


def bound_by_a_nested_function(x, n=0):
    def bind():
        nonlocal y
        y = x * x

    if n:
        bind()
    else:
        y = x * 3
    try:
        return y * 2
    except NameError:
        return x


def shared_cell(x, n=0):
    def inner():
        return w * x

    try:
        return inner()
    except NameError:
        pass
    w = x * x
    return inner()


PROGRAMS = [
    bare_expression,
    copied,
    squared,
    bound_in_a_loop,
    bound_in_a_while_loop,
    loop_variable,
    previous_of_a_loop,
    deleted,
    deleted_twice,
    augmented,
    function_that_may_not_be_made,
    inner_handler_of_something_else,
    of_a_helper,
    in_a_function_made_before,
    in_a_function_of_a_function,
    caught_in_the_function_inside,
    shared_cell,
]


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_handler_runs_where_it_does(function, n):
    x, h = 1.5, 1e-4
    value, gradient = value_and_grad(function)(x, n)
    assert value == function(x, n)
    steps = [function(x + k * h, n) for k in (-2, -1, 1, 2)]
    want = (8 * (steps[2] - steps[1]) - (steps[3] - steps[0])) / (12 * h)
    assert gradient == pytest.approx(want, rel=1e-9)
    assert grad(function)(x, n) == gradient
    # the second derivative, of the derivative times x
    steps = [(x + k * h) * grad(function)(x + k * h, n) for k in (-2, -1, 1, 2)]
    want = (8 * (steps[2] - steps[1]) - (steps[3] - steps[0])) / (12 * h)
    assert grad(lambda x: x * grad(function)(x, n))(x) == pytest.approx(want, rel=1e-8)


def bound_in_any_case(x, n):
    total = 0.0
    for k in range(n):
        y = x * k
        try:
            total += math.log(y - 1.0) * y
        except Exception:
            total += y * y
    return total


@pytest.mark.parametrize("function", [deleted_in_a_loop_and_captured, bound_by_a_nested_function])
def test_cells_in_a_body_are_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match="try"):
        grad(function)(1.5)


def reads_later(x, n):
    for k in range(n):
        y = x * k

    def scaled(t):
        return t * y

    try:
        return math.log(scaled(x) - 1.0)
    except Exception:
        return scaled(x)


def test_handlers_of_all_exceptions_refuse_no_function():
    check_grads(reads_later, (1.5, 3), argnums=0)
    check_grads(reads_later, (0.5, 2), argnums=0)


def test_nothing_is_asked_where_a_variable_is_bound():
    check_grads(bound_in_any_case, (1.5, 4), argnums=0)
    assert "unbound" not in show(bound_in_any_case, 1.5, 4)


def handled_by_others(x, n):
    for k in range(n):
        y = x * k
    try:
        return math.log(y)
    except (ValueError, ZeroDivisionError):
        return x


def test_other_handlers_ask_nothing():
    assert grad(handled_by_others)(1.5, 3) == pytest.approx(1 / 1.5)
    assert "unbound" not in show(handled_by_others, 1.5, 3)
    with pytest.raises(UnboundLocalError):
        value_and_grad(handled_by_others)(1.5, 0)
