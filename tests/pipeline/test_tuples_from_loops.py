"""Tuples of what a loop over a known number of things collects have a known length."""

import math

import numpy as np
import pytest

from s2sad import S2sadError, grad, value_and_grad

X = 1.3


def slope(s):
    return s[1], -s[0]


def midpoint_steps(x):
    s = (x, 2.0 * x)
    h = 0.1
    for _ in range(3):
        k1 = slope(s)
        k2 = slope(tuple(a + h / 2 * k for a, k in zip(s, k1)))
        s = tuple([a + h * k for a, k in zip(s, k2)])
    u, v = s
    return u * v


def appended(x):
    rows = []
    rows.append(x)
    rows.append(2.0 * x * x)
    s = tuple(rows)
    return s[0] * s[1]


def unequal(x):
    return sum(tuple(a * b for a, b in zip((x, x * x, 1.0), (2.0, x))))


def nested(x):
    return sum(tuple(a * b + i for i, a in enumerate((x, 2 * x)) for b in (x, 3.0, x * x)))


def branch_inside(x):
    return sum(tuple((a * a if a > 1.5 else 3 * a) for a in (x, 2 * x)))


def rev(x):
    u, v = tuple(a * k for k, a in enumerate(reversed((x, x * x)), 2))
    return u - v * v


def arrays(x):
    y = np.array([x, 2 * x])
    p = tuple(a * y for a in (y, y + 1.0))
    return np.sum(p[0] * p[1])


def of_tuples(x):
    pts = ((x, 1.0), (2.0, x * x))
    q = tuple((a * b, a + b) for a, b in pts)
    return q[0][0] * q[1][1] + q[1][0]


seen = []


def side(a):
    seen.append(1)
    return a * a


def printed(x):
    return sum(tuple(side(a) for a in (x, 2 * x)))


def shifted(x):
    s = (x, 2 * x, 3 * x)
    for k in range(2):
        s = tuple(b - a * a for a, b in zip(s, s[1:] + s[:1]))
    return s[0] * s[1] + s[2]


def star(x, *r):
    return sum(tuple(a * x for a in r))


def starred(x):
    return star(x, x, 2.0)


def inner_loop(x):
    def f(a):
        t = 0.0
        for k in range(3):
            t += a**k
        return t

    return sum(tuple(f(a) for a in (x, 2 * x)))


def grown(x):
    s = (x,)
    for _ in range(3):
        s = tuple(a * 2.0 for a in s) + (x,)
    return sum(s)


def either(x):
    s = (x, 2 * x) if x > 1 else (x, x, x)
    s = tuple(a * a for a in s)
    return sum(s)


def filtered(x):
    return sum(tuple(a * a for a in (x, -x, 2 * x) if a > 0))


def used_after(x):
    squares = []
    for a in (x, 2 * x):
        squares.append(a * a)
    s = tuple(squares)
    squares.append(x)
    return sum(squares) * s[1]


def changes(x):
    s = (x, 2 * x)
    for k in range(3):
        if k == 2:
            s = (x, 2 * x, 3 * x)
        s = tuple(a * 1.5 for a in s)
    return sum(s)


def joined(x):
    return sum([(x, 1.0), (x * x, 2.0)], ())[2]


def joined_from_a_start(x):
    a, b, c, d = sum(zip((x, 2 * x), (x * x, 1.0)), ())
    return a * b * c + d + sum(((x,), (3.0, x * x)), (x**3,))[0]


def joined_in_turns(x):
    t = ()
    for pair in [(x, 1.0), (x * x, 2.0)]:
        t = t + pair
    return t[0] * t[2]


def grown_over_a_range(x):
    t = (x,)
    for i in range(1, 6, 2):
        t += (t[-1] * x**i,)
    return t[3] + sum(v * v for v in t)


def grown_in_two_loops(x):
    t = ()
    for i in range(2):
        row = ()
        for v in (x, x * x):
            row += (v * (i + 1),)
        t += (row,)
    return t[0][1] * t[1][0]


def grown_by_a_star(x):
    t = (x,)
    for i in range(4):
        t = (*t, (x + i) * t[-1])
    return t[-1]


def added(pairs):
    return sum(pairs, ())[2]


def joined_elsewhere(x):
    return added([(x, 1.0), (x * x, 2.0)])


def grown_while(x):
    t = ()
    while len(t) < 3:
        t += (x * len(t),)
    return t[-1]


def square(x):
    return x * x


def applied_in_turns(x):
    functions = (square, math.sin)
    for _ in range(3):
        for f in functions:
            x = f(x)
        functions = (*functions, math.sin)
    return x


def of_other_lengths_without_derivative(x):
    s = (0.5,)
    for _ in range(50):
        s = tuple(a * 2.0 for a in s) + (1.0,)
    return x * len(s)


def of_other_lengths_while(x):
    s, k = (0.5,), 0
    while k < 3:
        s = tuple(a * 2.0 for a in s) + (1.0,)
        k += 1
    return x * s[0] * len(s)


def total_of(part):
    return sum(part) if isinstance(part, tuple) else part


def lists_of_other_lengths(x):
    parts, s = [1.0, (2.0, 3.0)], 0.0
    for _ in range(3):
        for part in parts:
            s += total_of(part) * x
        parts = [(2.0, 4.0), 1.0, 5.0]
    return s * x


def lists_that_are_joined(x):
    parts, s = [1.0, (2.0, 3.0)], 0.0
    for _ in range(3):
        for k, part in enumerate(parts, 1):
            s += total_of(part) * x * k
        parts = parts + [2.0]
    return s * x


def lists_that_grow(x):
    parts, s = [1.0, (2.0, 3.0)], 0.0
    for _ in range(3):
        for k, part in zip((1.0, 2.0, 3.0, 4.0, 5.0), reversed(parts)):
            s = s * x + total_of(part) * x * k
        parts.append(3.0)
    return s


def parts_of_lists_of_other_lengths(x):
    parts, s = [1.0, (2.0, 3.0), 4.0], 0.0
    for _ in range(3):
        for part in parts[1:]:
            s += total_of(part) * x
        parts = [1.0, (2.0, 3.0), 4.0, 7.0]
    return s * x


def lists_then_tuples(x):
    parts, s = [1.0, (2.0, 3.0)], 0.0
    for _ in range(3):
        for part in parts:
            s += total_of(part) * x
        parts = (1.0, (2.0, 4.0), 3.0)
    return s * x


def differences(f, x, h=1e-3):
    """Of sixth order."""
    return sum(c * (f(x + k * h) - f(x - k * h)) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)


@pytest.mark.parametrize(
    "f",
    [
        midpoint_steps,
        appended,
        unequal,
        nested,
        branch_inside,
        rev,
        arrays,
        of_tuples,
        printed,
        shifted,
        starred,
        inner_loop,
        grown,
        changes,
        joined,
        joined_from_a_start,
        joined_in_turns,
        grown_over_a_range,
        grown_in_two_loops,
        grown_by_a_star,
        applied_in_turns,
        of_other_lengths_without_derivative,
        of_other_lengths_while,
        lists_of_other_lengths,
        lists_that_are_joined,
        lists_that_grow,
        parts_of_lists_of_other_lengths,
        lists_then_tuples,
    ],
)
def test_derivatives(f):
    seen.clear()
    value = f(X)
    calls = len(seen)
    seen.clear()
    found, slope_found = value_and_grad(f)(X)
    assert float(found) == float(value)
    assert len(seen) == calls
    assert slope_found == pytest.approx(differences(f, X), rel=1e-9)
    assert grad(grad(f))(X) == pytest.approx(differences(grad(f), X), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("f", [either, filtered, used_after, joined_elsewhere, grown_while])
def test_lengths_that_are_not_known(f):
    with pytest.raises(S2sadError, match=r"(?s)File .*test_tuples_from_loops.*\^"):
        grad(f)(X)


def test_the_text_has_no_lists():
    text = grad(midpoint_steps).source(X)
    assert "append" not in text
    assert "tuple(" not in text
