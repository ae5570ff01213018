"""The reverse sweep itself: each kind of statement, adjoints that come from several places, and what is refused."""

from __future__ import annotations

import math
import types

import pytest

from s2sad import errors, grad, show, value_and_grad
from tests.transform.reverse.dual import derivative


def used_many_times(x, n):
    y = x * x
    return y * y + y * x + y + x


def overwritten(x, n):
    y = x * x
    y = y * y
    y = 3.0 * y
    return y + x


def nested_conditions(x, n):
    if x > 1.0:
        if x > 2.0:
            y = x * x
        else:
            y = x * 3.0
        y = y * x
    elif x < 0.0:
        y = -x
    else:
        y = 5.0
    return y * x


def bound_in_one_arm(x, n):
    if x > 1.0:
        y = x * x
    if x > 1.0:
        z = y * x
    else:
        z = x
    return z


def conditional_expression(x, n):
    return (x * x if x > 1.0 else 2.0 * x) * (x if n else 3.0)


def short_circuit(x, n):
    y = x > 1.0 and x * x
    z = n or 3
    return (x if y is False else y) * z


def early_returns(x, n):
    if n == 0:
        return 0.0
    if x < 0.0:
        return -x * n
    y = x * x
    if y > 2.0:
        return y * x
    return y + x


def constant_result(x, n):
    return 3.0


def identity(x, n):
    return x


def integer_result(x, n):
    return n


def tuples(x, n):
    a, (b, c) = x, (x * x, 2.0)
    pair = (a * b, c)
    p, q = pair
    triple = (*pair, x)
    return p * q + triple[2] * triple[0]


def tuples_in_a_loop(x, n):
    state = (x, x * x)
    for _ in range(n):
        state = (state[1] * 0.5, state[0] * x)
    return state[0] + state[1]


def tuple_in_a_branch(x, n):
    pair = (x, 2.0) if n > 1 else (x * x, x)
    return pair[0] * pair[1]


def closures(x, n):
    c = x * x

    def inner(y):
        return y * c

    return inner(x) + inner(2.0)


def function_in_a_branch(x, n):
    if n > 1:
        inner = lambda y: y * x
    else:
        inner = lambda y: y + x
    return inner(3.0)


def asserted(x, n):
    y = x * x
    assert y >= 0.0, "never"
    return y * x


def raised_in_an_arm(x, n):
    if x > 1e9:
        raise ValueError("large", x)
    return x * x


def augmented(x, n):
    y = x
    y += y * x
    y *= y
    y -= x
    y /= 1.0 + x * x
    return y


def walrus(x, n):
    return (y := x * x) * y + y


def named_like_adjoints(x, n):
    x_bar = x * x
    y = x_bar * x
    y_bar = y * x_bar
    return y_bar + y


def with_statement(x, n):
    import contextlib

    y = x
    with contextlib.nullcontext():
        y = y * x
    return y * 3.0


def last_value_of_a_loop(x, n):
    y = 1.0
    for k in range(n):
        z = x * k
        y = y + z * z
    return y * z if n else y


PROGRAMS = [
    value
    for value in list(globals().values())
    if isinstance(value, types.FunctionType) and value.__module__ == __name__ and value.__code__.co_varnames[:2] == ("x", "n")
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_programs(function):
    both = value_and_grad(function)
    for n in (0, 1, 2, 4):
        for x in (0.7, 1.3, 2.5, -0.4):
            value, slope = derivative(function, x, n)
            assert grad(function)(x, n) == pytest.approx(slope, rel=1e-12, abs=1e-14), (x, n)
            assert both(x, n)[0] == pytest.approx(value, rel=1e-14)
            assert both(x, n)[0] == function(x, n)


def test_side_effects_happen_once_and_in_order():
    seen: list[object] = []

    def f(x, note):
        note("a")
        for k in range(3):
            note(k)
            x = x * x
        note("b")
        return x

    assert grad(f)(1.1, seen.append) == pytest.approx(8 * 1.1**7)
    assert seen == ["a", 0, 1, 2, "b"]


def test_prints_happen_once(capsys):
    def f(x):
        for k in range(2):
            x = x * x
            print(f"{k}: {x:.2f}")
        return x

    assert grad(f)(2.0) == 32.0
    assert capsys.readouterr().out == "0: 4.00\n1: 16.00\n"


def test_a_value_that_is_not_useful_is_not_computed():
    calls: list[float] = []

    def f(x):
        y = math.sin(x)
        z = math.exp(y)
        return x * x

    source = grad(f).source(1.5)
    assert "sin" not in source
    assert "exp" not in source
    assert not calls


def test_linear_functions_have_constant_gradients():
    assert "x" not in grad(lambda x: 3.0 * x + 2.0).source(1.5).partition("return")[2]
    assert grad(lambda x: 3.0 * x + 2.0)(1.5) == 3.0


def test_the_reverse_stage_mirrors_the_primal():
    def f(x, n):
        y = x
        for _ in range(n):
            y = math.sin(y)
        return y

    text = show(f, 1.5, 3, stage="reverse")
    forward, _, reverse = text.partition("reverse sweep")
    assert forward.count("for ") == 1
    assert reverse.count("for ") == 1
    assert "sin(" in forward
    assert "cos(" in reverse
    assert "cos(" not in forward


REFUSED = [
    (lambda x: float(str(x)), (1.5,)),
    (lambda x: x.hex(), (1.5,)),
    (lambda x: float.fromhex(x.hex()), (1.5,)),
    (lambda x: sum({x, 2.0}), (1.5,)),
    (lambda x: next(iter({x: 1.0})), (1.5,)),
    (lambda x: complex(x, x).real, (1.5,)),
    (lambda x: bytearray(8)[int(x)] * x.fromhex("0x1p0") * float(format(x)), (1.5,)),
    (lambda x: math.fsum(map(float, str(x).split("."))), (1.5,)),
]


@pytest.mark.parametrize(("function", "args"), REFUSED)
def test_right_or_refused(function, args):
    """What loses the derivative of a number on its way is refused, with the place; it is never taken for zero."""
    h = 1e-6
    try:
        found = grad(function)(*args)
    except errors.S2sadError as error:
        assert "File" in str(error) or "needs a function whose result" in str(error)  # noqa: PT017
    else:
        expected = (function(args[0] + h) - function(args[0] - h)) / (2 * h)
        assert found == pytest.approx(expected, rel=1e-6)
