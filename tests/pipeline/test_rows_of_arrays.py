"""Loops over arrays, and unpacking: rows are views, which are changed in place; a starred name takes a list of them."""

import numpy as np
import pytest

from s2sad import value_and_grad

M = np.linspace(-1.0, 1.3, 12).reshape(3, 4) ** 3 + 0.1


def counted_and_paired(x):
    y = x * 1.0
    for i, row in enumerate(y):
        row *= row
        row[i] = y[0, 0] + y[-1, i]
    for a, b in zip(y[:-1], y[1:]):
        b += 0.1 * a * a
    return np.sum(y * np.arange(4.0))


def backwards_and_by_columns(x):
    y = x * 1.0
    for row in reversed(y):
        row[1:] *= row[:-1]
    for column in y.T:
        column /= 2.0 + np.sum(column * column)
    for row in list(y):
        row += y[0]
    for k, (a, b) in enumerate(zip(y, reversed(y))):
        a[k] = b[1] * 2
    return np.sum(y * y)


def rows_kept(x):
    y = x * 1.0
    rows = []
    for row in y:
        rows.append(row)
        y[0] *= 1.5
    rows[2] *= 2.0
    return np.sum(y * y) + np.sum(rows[0])


def rows_rebound(x):
    y = x * 1.0
    for row in y:
        row = row * 2
        row += 1
        y[1, 1] += np.sum(row)
    return np.sum(y * y)


def elements_of_a_flat_view(x):
    y = x * 1.0
    s = 0.0
    for v in y.ravel():
        y[0, 0] += v * v
        s += y[0, 0]
    return s


def nested(x):
    y = x * 1.0
    s = 0.0
    for row in y:
        for v in row:
            s += v * v
            row[0] += v
    return s * np.sum(y)


def scale(row, factor):
    row *= factor


def changed_by_a_function(x):
    y = x * 1.0
    for row in y:
        scale(row, y[0, 1])
    for j, row in zip(range(2), y):
        row[j] = row[j + 1]
    return np.sum(y**3)


def starred_rows(x):
    y = x * 1.0
    first, *rest = y
    rest[0] *= first
    rest[1][0] = 2 * first[1]
    rest[0] = rest[1]
    return np.sum(y**3) + sum(np.sum(row**2) for row in rest)


def starred_numbers(x):
    a, *middle, z = x[0]
    middle.append(a * z)
    middle[0] = middle[1] * 2
    *front, last = x[1] * x[2]
    for i in range(len(front)):
        front[i] *= last
    return sum(v * v for v in middle) * a + z + sum(front)


def starred_in_a_loop(x):
    s = 0.0
    for a, *rest in x:
        s += a * rest[0] * rest[-1]
    (b, *others), c, *_ = x
    return s + b * np.sum(c) * others[1]


@pytest.mark.parametrize(
    "function",
    [
        *(counted_and_paired, backwards_and_by_columns, rows_kept, rows_rebound, elements_of_a_flat_view, nested),
        *(changed_by_a_function, starred_rows, starred_numbers, starred_in_a_loop),
    ],
)
def test_rows(function):
    value, gradient = value_and_grad(function)(M)
    assert value == function(M)
    expected = np.zeros(M.shape)
    for index in np.ndindex(M.shape):
        change = np.zeros(M.shape)
        change[index] = 1e-3
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            expected[index] += weight * (function(M + step * change) - function(M - step * change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)
