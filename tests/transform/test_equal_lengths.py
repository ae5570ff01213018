"""Lengths that are equal because operations worked: no adjoint is summed where it is known that nothing was broadcast, and every
one where something was."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad


def butterflies(x, w):
    y = x.copy()
    size = 2
    while size <= len(x):
        half = size // 2
        c = np.cos(w * np.arange(half))
        for start in range(0, len(x), size):
            even = y[start : start + half].copy()
            odd = c * y[start + half : start + size]
            y[start : start + half] = even + odd
            y[start + half : start + size] = even * odd
        size *= 2
    return np.sum(y * y)


def halves_in_place(x, y, cuts):
    z = x.copy()
    for a, b, c in cuts:
        low, high = z[a:b].copy(), z[b:c].copy()
        z[a:b] += high * y[a:b]
        z[b:c] -= low * y[b:c]
    return np.sum(z**3)


def blocks(a, v, size):
    out = np.zeros(len(v))
    for i in range(0, len(v), size):
        for k in range(0, len(v), size):
            part = v[k : k + size] * v[k : k + size]
            out[i : i + size] += a[i : i + size, k : k + size] @ part
    return np.sum(out * out)


def difference_of_parts(x, y, cuts):
    total = 0.0
    for a, b, c, d in cuts:
        r = x[a:b] - y[c:d]
        total += (r @ x[a:b]) ** 2 + r @ y[c:d]
    return total


# programs, arguments, and whether all lengths are known to be equal
X, Y = np.array([0.5, -1.0, 2.0, 1.5, 0.3, -0.7, 1.1, 0.9]), np.array([1.5, 0.2, -0.6, 1.0, 0.8, 2.0, -1.2, 0.4])
EQUAL = [
    (butterflies, (X, 0.3), 0),
    (halves_in_place, (X, Y, [(0, 1, 2), (0, 2, 4), (1, 4, 7)]), (0, 1)),
    (blocks, (np.outer(X, Y), Y, 3), (0, 1)),
    (difference_of_parts, (X, Y, [(0, 3, 2, 5), (1, 2, 4, 5)]), (0, 1)),
]


@pytest.mark.parametrize(("f", "arguments", "wanted"), EQUAL, ids=lambda x: getattr(x, "__name__", ""))
def test_what_fits_both_ways_is_equal(f, arguments, wanted):
    assert check_grads(f, arguments, argnums=wanted).ok
    assert "unbroadcast" not in grad(f, argnums=wanted).source(*arguments)


def fits_one_way(x, y, cuts):
    w = np.zeros(len(x))
    for a, b, c, d in cuts:
        w[a:b] = x[a:b] * y[c:d]
    return np.sum(w * w)


def fits_one_way_in_place(x, y, cuts):
    w = x * x
    for a, b, c, d in cuts:
        part = y[c:d] * y[c:d]
        w[a:b] += part
    return np.sum(w * w)


def stored_in_one_arm(x, y, cuts):
    w = np.zeros(len(x))
    total = 0.0
    for a, b, c, d in cuts:
        p, q = x[a:b] * x[a:b], y[c:d] * y[c:d]
        s = p * q
        if b - a == d - c:
            w[a:b] = s
            w[c:d] = p
        else:
            total += np.sum(s * s) + np.sum(q * p)
    return total + np.sum(w * w)


def stored_in_a_loop_inside(x, y, cuts, times):
    w = np.zeros(len(x))
    total = 0.0
    for (a, b, c, d), n in zip(cuts, times, strict=True):
        p, q = x[a:b] * x[a:b], y[c:d] * y[c:d]
        for k in range(n):
            w[c:d] = p * (k + 1.0)
            w[a:b] = w[a:b] + q * w[c:d]
        total += np.sum((p + q) ** 2)
    return total + np.sum(w * w)


def left_before_the_store(x, y, cuts):
    w = np.zeros(len(x))
    total = 0.0
    for a, b, c, d in cuts:
        s = x[a:b] * y[c:d]
        total += np.sum(s * s)
        if b - a != d - c:
            break
        w[c:d] = s
        w[a:b] += y[c:d]
    return total + np.sum(w * w)


def refused_and_caught(x, y, cuts):
    w = np.zeros(len(x))
    total = 0.0
    for a, b, c, d in cuts:
        s = x[a:b] * y[c:d]
        try:
            w[c:d] = s
        except ValueError:
            total += np.sum(s * s)
    return total + np.sum(w * w)


def rows_and_columns(x, y, cuts):
    w = np.zeros((len(x), len(x)))
    for a, b, c, d in cuts:
        w[a:b, c:d] = x[a:b, None] * y[c:d]
        w[a:b] += y
    return np.sum(w * w * np.arange(1.0, 9.0))


SAME, ONE, BACK = (0, 3, 2, 5), (0, 3, 2, 3), (2, 3, 0, 3)
BROADCAST = [
    (butterflies, (X, 0.3)),  # the cosines may be one number
    (fits_one_way, (X, Y, [SAME, ONE, (5, 6, 1, 2)])),
    (fits_one_way_in_place, (X, Y, [SAME, ONE, (5, 6, 1, 2)])),
    (stored_in_one_arm, (X, Y, [SAME, ONE, BACK, (4, 5, 6, 7)])),
    (stored_in_a_loop_inside, (X, Y, [SAME, ONE, BACK], [2, 0, 0])),
    (left_before_the_store, (X, Y, [SAME, ONE, SAME])),
    (refused_and_caught, (X, Y, [SAME, (2, 3, 0, 3), (0, 3, 2, 3)])),
    (rows_and_columns, (X, Y, [SAME, ONE, BACK])),
]


@pytest.mark.parametrize(("f", "arguments"), BROADCAST, ids=lambda x: getattr(x, "__name__", ""))
def test_what_fits_one_way_may_be_broadcast(f, arguments):
    assert check_grads(f, arguments, argnums=(0, 1)).ok


WEIGHTS = np.array([0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.9])


@pytest.mark.parametrize(("f", "arguments"), BROADCAST, ids=lambda x: getattr(x, "__name__", ""))
def test_second_derivatives_of_what_may_be_broadcast(f, arguments):
    gradient = grad(f)

    def along(x, *rest):
        return np.sum(gradient(x, *rest) * WEIGHTS)

    assert check_grads(along, arguments, argnums=0).ok
