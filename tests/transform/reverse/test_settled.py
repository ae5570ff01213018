"""Elements that are read after the last store to them are read again in the reverse sweep; others are saved or put back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import check_grads, grad

X = 1.0 + 0.3 * np.sin(np.arange(6.0))
TABLE = 1.0 + 0.3 * np.sin(np.arange(36.0)).reshape(6, 6)
POSITIVE = 6.0 * np.eye(6) + TABLE + TABLE.T


def warped(x):
    n = len(x)
    d = np.full((n + 1, n + 1), np.inf)
    d[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            d[i, j] = (x[i - 1] - j) ** 2 + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[n, n]


def warped_from_zero(x):
    n = len(x)
    d = np.zeros((n + 1, n + 1))
    for i in range(n):
        for j in range(n):
            d[i + 1, j + 1] = x[i] * x[j] + math.sin(d[i, j + 1]) * d[i + 1, j]
    return d[n, n] * d[n, n]


def backwards(x):
    n = len(x)
    y = x.copy()
    for i in range(n - 2, -1, -1):
        y[i] = y[i] * math.exp(-y[i + 1])
    return np.sum(y)


def rows(x):
    n = len(x)
    y = np.zeros((n, 3))
    y[0, 1] = x[0]
    for t in range(1, n):
        before = y[t - 1]
        for j in range(3):
            y[t, j] = math.sin(before[0] + 2 * before[1] * before[2]) * (x[t] + j)
    return np.sum(y)


def eliminated(a):
    n = a.shape[0]
    a = a.copy()
    for k in range(n):
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] / a[k, k] * a[k, j]
    return a[n - 1, n - 1]


def cholesky(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, i] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low[n - 1, n - 1] * low[n - 1, 0]


def tridiagonal(x):
    n = len(x)
    c = [0.0] * n
    c[0] = 1.0 / x[0]
    for i in range(1, n):
        c[i] = 1.0 / (4.0 - x[i] * c[i - 1])
    y = [0.0] * n
    y[n - 1] = c[n - 1]
    for i in range(n - 2, -1, -1):
        y[i] = math.sin(x[i]) - c[i] * y[i + 1] * y[i + 1]
    return y[0]


SAVED_NOTHING = (
    (warped, X),
    (warped_from_zero, X),
    (rows, X),
    (eliminated, POSITIVE),
    (cholesky, POSITIVE),
    (tridiagonal, X.tolist()),
)


@pytest.mark.parametrize(("function", "x"), SAVED_NOTHING, ids=lambda one: getattr(one, "__name__", ""))
def test_nothing_is_saved(function, x) -> None:
    check_grads(function, (x,))
    text = grad(function).source(x)
    assert "saved" not in text
    assert "overwritten" not in text


# --- what is written again ---------------------------------------------------------------------------------------------------


def from_the_other_end(x):
    n = len(x)
    y = x.copy()
    for i in range(n):
        y[i] = y[i - 1] * math.sin(y[i])  # y[-1] in the first trip, which the last one sets
    return np.sum(y)


def in_sweeps(x):
    n = len(x)
    y = x.copy()
    for _ in range(3):
        for i in range(1, n):
            y[i] = y[i - 1] * y[i]
    return np.sum(y)


def ahead(x):
    n = len(x)
    y = x.copy()
    for i in range(n - 1):
        y[i] = y[i + 1] * y[i + 1]
    for i in range(n - 1, 0, -1):
        y[i - 1] = y[i] * y[i - 1]
    return np.sum(y)


def by_two(x):
    n = len(x)
    y = x.copy()
    for i in range(2, n, 2):
        y[i - 1] = y[i - 2] * y[i]
        y[i] = y[i - 1] * y[i - 1]
    return np.sum(y)


def triangle_read_too_early(x):
    n = len(x)
    y = np.ones((n, n))
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            total += y[j, i] * y[i, j] * x[j]
            y[i, j] = x[i] * x[j] * y[j, j]
    return total


def not_on_the_diagonal(x):
    n = len(x)
    y = np.ones((n, n))
    total = 0.0
    for i in range(n):
        for j in range(n):
            if i != j:
                y[i, j] = x[i] * y[j, i] * y[i, i]
            else:
                y[i, i] = x[j] * x[j]
    for i in range(n):
        total += y[i, n - 1 - i] ** 2
    return total


def other_name(x):
    n = len(x)
    y = x.copy()
    z = y[1:]
    for i in range(1, n - 1):
        y[i] = math.sin(z[i]) * y[i - 1]
        z[i - 1] *= y[i]
    return np.sum(y)


def buffers(x):
    n = len(x)
    u = x.tolist()
    v = [0.0] * n
    for _ in range(3):
        for i in range(1, n):
            v[i] = v[i - 1] * 0.5 + u[i] * u[i - 1]
        u, v = v, u
    return sum(u)


def made_in_each_trip(x):
    n = len(x)
    total = 0.0
    for k in range(n):
        y = np.ones(n)
        for i in range(1, n):
            y[i] = y[i - 1] * x[i] + math.sin(x[k])
        total += y[n - 1] ** 2
    return total


def grown(x):
    ys = [x[0]]
    for i in range(1, len(x)):
        ys.append(math.sin(ys[i - 1]) * x[i])
        ys[0] = ys[0] * ys[i]
    return ys[0] * ys[2]


@pytest.mark.parametrize(
    "function",
    [
        from_the_other_end,
        in_sweeps,
        ahead,
        by_two,
        triangle_read_too_early,
        not_on_the_diagonal,
        other_name,
        buffers,
        made_in_each_trip,
        grown,
        backwards,
    ],
)
def test_what_is_written_again_is_as_it_was(function) -> None:
    check_grads(function, (X,))


def halve(y, i):
    y[i] = 0.5 * y[i - 1] * y[i]
    return y[i]


def by_a_callee(x):
    y = x.copy()
    total = 0.0
    for i in range(1, len(x)):
        total += halve(y, i) * y[i - 1]
    return total + y[2] * y[3]


def fill(y, x):
    for i in range(1, len(y)):
        y[i] = math.sin(y[i - 1]) * x[i]
    return y[2]


def filled_twice(x):
    y = x.copy()
    first = fill(y, x)
    y[0] = first * first
    return fill(y, x) * first + np.sum(y)


def filled_twice_as_list(x):
    y = x.tolist()
    first = fill(y, x)
    y[0] = first * first
    return fill(y, x) * first + sum(y)


@pytest.mark.parametrize("function", [by_a_callee, filled_twice, filled_twice_as_list])
def test_callees_change_what_their_callers_have(function) -> None:
    check_grads(function, (X,))
