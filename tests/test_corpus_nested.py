"""`grad` inside a differentiated function, over variables of that function: values up to the third derivative.

What each program computes is written a second time, with the inner derivative taken by hand; derivatives of that are found with
numbers of 60 digits."""

import math

import pytest
from mpmath import mp

from s2sad import S2sadError, grad, value_and_grad

POINT = 0.7


def derivatives(reference):
    """The value and three derivatives, by differences."""
    with mp.workdps(60):
        x, h = mp.mpf(POINT), mp.mpf("1e-10")
        at = {k: mp.mpf(reference(x + k * h)) for k in range(-2, 3)}
        first = (at[1] - at[-1]) / (2 * h)
        second = (at[1] - 2 * at[0] + at[-1]) / h**2
        third = (at[2] - 2 * at[1] + 2 * at[-1] - at[-2]) / (2 * h**3)
        return [float(value) for value in (at[0], first, second, third)]


PROGRAMS = []


def by_hand(reference, orders=3):
    """The same program without `grad`; derivatives beyond `orders` are refused."""

    def note(program):
        PROGRAMS.append(pytest.param(program, reference, orders, id=program.__name__))
        return program

    return note


@by_hand(lambda x: 5 * x**3 + x * x)
def loop_in_the_inner_function(x):
    def inner(y):
        t = 1.0
        for _ in range(3):
            t = t * y + x
        return t

    return x * grad(inner)(x)


@by_hand(lambda x: 3 * x**3)
def list_captured(x):
    box = [x, x * x]

    def inner(y):
        return box[0] * y * y + box[1] * y

    return grad(inner)(x) * x


@by_hand(lambda x: 4 * x * x)
def dict_captured(x):
    table = {"a": x}

    def inner(y):
        other = {"b": y * table["a"]}
        return other["b"] * other["b"]

    return grad(inner)(2.0)


def _totals(x):
    total = 0
    for k in range(3):
        total = total + (k * x ** (k + 1) + total)
    return total


@by_hand(_totals)
def called_in_a_loop_over_what_the_loop_changes(x):
    total = 0.0
    for k in range(3):
        total = total + grad(lambda y: x**2 * y**k + total * y)(x)
    return total


@by_hand(lambda x: 4 * x**5 + 2 * x**4)
def comprehension_of_slopes(x):
    slopes = [grad(lambda y: (y * x) ** 2)(v) for v in (1.0, x, x * x)]
    return slopes[0] * slopes[1] + slopes[2]


@by_hand(lambda x: mp.sin(x * x) * x * mp.cos(x * x))
def value_and_slope(x):
    value, slope = value_and_grad(lambda y: math.sin(x * y))(x)
    return value * slope


@by_hand(lambda x: 3 * x + x**3)
def slope_by_a_list(x):
    g = grad(lambda ys: ys[0] * ys[1] * x)([x, 3.0])
    return g[0] + g[1] * x


@by_hand(lambda x: 2 * x**3)
def slope_by_nested_dicts(x):
    return grad(lambda d: d["a"] * d["b"]["c"] * x)({"a": x, "b": {"c": 2.0 * x}})["b"]["c"] * 2.0 * x


@by_hand(lambda x: 3 * x**2)
def slope_by_pairs_in_a_list(x):
    pairs = grad(lambda ps: sum(a * b * x for a, b in ps))([(x, 2.0 * x), (1.0, x)])
    return pairs[0][0] + pairs[1][1] * x


@by_hand(lambda x: 8 * x * x)
def three_levels(x):
    def a(y):
        def b(z):
            return grad(lambda w: x * y * z * w * w)(z)

        return grad(b)(y)

    return grad(a)(x)


@by_hand(lambda x: x * (1 - x / 5) ** 3)
def descent_in_a_while_loop(x):
    y = x
    n = 0
    while n < 3:
        y = y - 0.1 * grad(lambda u: u * u * x)(y)
        n += 1
    return y


@by_hand(lambda x: 2 * x + 6 * x * x)
def mapped_slope(x):
    return sum(map(grad(lambda y: x * y * y), [1.0, x, 2 * x]))


def slope_of(function, at):
    return grad(function)(at)


@by_hand(lambda x: 2 * x**3 * mp.exp(x))
def slope_of_an_argument(x):
    return slope_of(lambda y: x * y * y, x) * slope_of(lambda y: math.exp(x * y), 1.0)


@by_hand(lambda x: 6 * x**3 + x)
def branch_in_the_inner_function(x):
    def f(y):
        if y > 0.1:
            return x * y * y
        return y

    out = 0.0
    for v in [x, 0.0, 2 * x]:
        out += grad(f)(v) * x
    return out


@by_hand(lambda x: 4 * x * x + 2 * x)
def inner_function_stores_into_a_dict(x):
    memo = {}

    def f(y):
        if "k" not in memo:
            memo["k"] = x * 2.0
        return memo["k"] * y * y

    return grad(f)(x) + memo["k"]


@by_hand(lambda x: 2 * x**3 * 4 * x**4 * x**3 * 4 + x**5)
def inner_function_changes_a_list(x):
    memo = [x, 2.0]

    def f(y):
        memo[0] = memo[0] * x
        memo.append(memo[0])
        return memo[-1] * y * y

    return grad(f)(x) * grad(f)(2 * x) * memo[0] * len(memo) + memo[2] * memo[3]


class Parameters:
    def __init__(self, rate):
        self.rate = rate
        self.history = [rate]


@by_hand(lambda x: (2 * x**3 + x) * x * x + x + x * x)
def inner_function_changes_an_object(x):
    p = Parameters(x)

    def f(y):
        p.rate = p.rate * x
        p.history.append(p.rate)
        return p.rate * y * y + p.history[0] * y

    return grad(f)(x) * p.rate + sum(p.history)


@by_hand(lambda x: 2 * x * (x**4 + x**3 + 2 * x * x + x) + x * x + x)
def slope_through_a_memo(x):
    memo = {}

    def fib(n):
        if n not in memo:
            memo[n] = x if n < 2 else fib(n - 1) * x + fib(n - 2)
        return memo[n]

    def f(y):
        return fib(4) * y * y

    return grad(f)(x) + memo[2]


def _descent(x):
    w = [x, mp.mpf(1)]
    for _ in range(3):
        error = 2 * (w[0] * w[1] - x)
        w = [w[0] - error * w[1] / 10, w[1] - error * w[0] / 10]
    return w[0] * w[1]


@by_hand(_descent)
def descent_by_a_list(x):
    w = [x, 1.0]
    for _ in range(3):
        g = grad(lambda v: (v[0] * v[1] - x) ** 2)(w)
        w = [a - 0.1 * b for a, b in zip(w, g, strict=True)]
    return w[0] * w[1]


@grad
def slope(y, k=2.0):
    return k * y**3


@by_hand(lambda x: 6 * x * x + 3 * x**3 + 12 * x)
def decorated_with_keywords(x):
    return slope(x) + slope(x, x) + slope(2.0, k=x)


@by_hand(lambda x: (x + 2 * x**3) * x * x)
def tuple_captured(x):
    pair = (x, [x * x])

    def f(y):
        return pair[0] * y + pair[1][0] * y * y

    return grad(f)(x) * pair[1][0]


@by_hand(lambda x: x + 2 * x * x)
def slopes_of_listed_functions(x):
    functions = [lambda y: x * y, lambda y: x * y * y]
    return sum(grad(f)(x) for f in functions)


@by_hand(lambda x: 2 * x * x * (2 * x * x + mp.cos(x * x)))
def slope_of_a_slope_of_a_captured_function(x):
    def f(y):
        return x * y * y + math.sin(y * x) / x

    def g(z):
        return grad(f)(z) * z

    return grad(lambda z: g(x) * z * 2.0 * x)(x)


@pytest.mark.parametrize(("program", "reference", "orders"), PROGRAMS)
def test_derivatives_of_programs_that_differentiate(program, reference, orders):
    for order, want in enumerate(derivatives(reference)[: orders + 1]):
        assert program(POINT) == pytest.approx(want, rel=1e-8, abs=1e-10), order
        program = grad(program)
    if orders < 3:
        with pytest.raises(S2sadError):
            program(POINT)
