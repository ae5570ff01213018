"""An integer may stand where a float is expected: tests of a number's class are made when the program runs."""

import math

import numpy as np
import pytest

from s2sad import grad, value_and_grad


def of_either_branch(x):
    y = 3 if x > 0 else x
    return x * 2 if isinstance(y, int) else x


def by_type(x):
    y = 3 if x > 0 else x
    return x * 2 if type(y) is int else x


def by_pattern(x):
    y = 3 if x > 0 else x
    match y:
        case int():
            return x * 3
        case _:
            return x


def after_a_loop_that_does_not_run(x):
    s = 0
    for _ in range(int(x) - 2):
        s += x
    return x if isinstance(s, float) else 2 * x


def becomes_a_float(x):
    y = 3 if x > 0 else x
    return y * 1.0


def of_elements(x):
    s = x
    for row in [[1, 2], [2.0, 1]]:
        for v in row:
            if isinstance(v, int):
                s *= x
    return s


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (of_either_branch, 2.0),
        (by_type, 2.0),
        (by_pattern, 3.0),
        (after_a_loop_that_does_not_run, 2.0),
        (becomes_a_float, 0.0),
        (of_elements, 4 * 2.0**3),
    ],
)
def test_integers_among_floats(function, derivative):
    value, gradient = value_and_grad(function)(2.0)
    assert repr(value) == repr(function(2.0))
    assert gradient == derivative


def factorial_or_gamma(n):
    return math.factorial(n) * 1.5 * n if isinstance(n, int) else math.gamma(n + 1)


def made_a_float(n):
    return (n + 1) * 1.0


def unchanged_otherwise(n):
    return (n - 0.0) / 1


@pytest.mark.parametrize(
    ("function", "n", "derivative"),
    [(factorial_or_gamma, 3, 9.0), (made_a_float, 3, 1.0), (made_a_float, 10**17, 1.0), (unchanged_otherwise, 2**53 + 1, 1.0)],
)
def test_an_integer_that_is_asked_for(function, n, derivative):
    value, gradient = value_and_grad(function)(n)
    assert repr(value) == repr(function(n))
    assert (type(gradient), gradient) == (float, derivative)


def squares_of_integers(xs):
    s = 0.0
    for x in xs:
        s += x * x if isinstance(x, int) else x
    return s


def test_elements_of_an_argument():
    value, gradient = value_and_grad(squares_of_integers)([1.0, 2.0, 3])
    assert value == 12.0
    assert gradient == [1.0, 1.0, 6.0]


def test_second_derivative_where_operands_tie():
    def f(x, y):
        return np.logaddexp(x, y)

    assert grad(grad(f))(1.0, 1.0) == pytest.approx(0.25, rel=1e-13)
    assert grad(f, argnums=(0, 1))(-math.inf, -math.inf) == (0.5, 0.5)


def partial_in_a_branch(x, flag):
    return x * (3 if flag else 2.5)


def partial_in_nested_branches(x, n):
    factor = 3 if n > 1 else True if n else 2.5
    return factor * x


def partial_in_a_list(x, ks):
    return x * ks[0]


def partial_in_a_dict(x, weights):
    return weights["b"] * x


def partial_of_an_early_return(x, ks):
    if x > 0:
        return x * ks[0]
    return -x * ks[1]


def partial_after_a_loop(x, ks):
    k = 2.5
    for k in ks:
        pass
    return x * k


def partial_of_largest(x, ks):
    return x * max(ks)


def partial_in_a_helper(x, ks):
    return partial_in_a_list(x, ks) * ks[1]


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (partial_in_a_branch, (1.5, True), 3.0),
        (partial_in_a_branch, (1.5, False), 2.5),
        (partial_in_nested_branches, (1.5, 2), 3.0),
        (partial_in_nested_branches, (1.5, 1), 1.0),
        (partial_in_nested_branches, (1.5, 0), 2.5),
        (partial_in_a_list, (1.5, [3, 2.5]), 3.0),
        (partial_in_a_dict, (1.5, {"a": 2.5, "b": 3}), 3.0),
        (partial_of_an_early_return, (1.5, [3, 2.5, 4]), 3.0),
        (partial_of_an_early_return, (-1.5, [3.5, 2]), -2.0),
        (partial_after_a_loop, (1.5, [2.5, 3]), 3.0),
        (partial_after_a_loop, (1.5, []), 2.5),
        (partial_of_largest, (1.5, [2.5, 3]), 3.0),
        (partial_in_a_helper, (1.5, [3, 2.5]), 7.5),
        (partial_in_a_helper, (1.5, [3, 2, 0.5]), 6.0),
    ],
)
def test_a_gradient_of_a_float_is_a_float(function, arguments, expected):
    for gradient in (
        grad(function)(*arguments),
        grad(function, argnums=(0,))(*arguments)[0],
        value_and_grad(function)(*arguments)[1],
        value_and_grad(function, argnums=(0,))(*arguments)[1][0],
    ):
        assert gradient.__class__ is float
        assert gradient == expected


def printed(x, flag):
    k = 3 if flag else 2.5
    print(k)
    return x * k


def test_what_the_program_prints_is_not_converted(capsys):
    assert grad(printed)(1.5, True).__class__ is float
    assert capsys.readouterr().out == "3\n"


# --- Numbers of NumPy among Python's: a gradient has the class of its argument ------------------------------------------------


def becomes_of_numpy_in_a_loop(x):
    total = 0.0
    for k in range(3):
        total += k * x
        total -= np.sin(x)
    return total * total


def divided_after_a_loop(x):
    total = 1.0
    while total < 5.0:
        total += np.exp(x)
    return 3.0 / total


def sine_in_a_helper(x):
    return np.sin(x)


def given_by_a_helper(x):
    return math.sin(x) * sine_in_a_helper(x)


def in_one_branch(x):
    t = x if x > 5.0 else np.sin(x)
    return t * t


def kept_in_a_list(x):
    t = [0.0]
    t[0] -= np.sin(x)
    return t[0] * t[0]


def of_either_kind_in_a_loop(x):
    s = 0.0
    for k in [1.0, np.float64(2.0)]:
        s += k * x
    return s


def integer_of_numpy(x):
    t = 1
    if x < 5.0:
        t = np.int64(3)
    return t * x


@pytest.mark.parametrize(
    "function",
    [
        *(becomes_of_numpy_in_a_loop, divided_after_a_loop, given_by_a_helper, in_one_branch, kept_in_a_list),
        *(of_either_kind_in_a_loop, integer_of_numpy),
    ],
)
def test_numbers_of_numpy_among_floats(function):
    gradient = grad(function)(0.3)
    assert type(gradient) is float
    assert type(value_and_grad(function)(0.3)[1]) is float
    assert type(grad(function)(np.float64(0.3))) is np.float64
    assert gradient == pytest.approx((function(0.3 + 1e-6) - function(0.3 - 1e-6)) / 2e-6, rel=1e-8)
