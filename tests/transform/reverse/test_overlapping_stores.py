"""Parts of an array stored into other parts of it: right where NumPy copies first or where they do not meet, else refused."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError
from s2sad.testing.check_grads import check_grads

X = np.array([0.371, 1.213, -0.643, 0.817, -1.337, 0.979])


def rows_swapped(x):
    m = (x * x).reshape(3, 2)
    kept = m[0].copy()
    m[0] = m[1]
    m[1] = kept
    m[2] = m[0]
    return np.sum(m * x.reshape(3, 2))


def history(x):
    h = np.zeros((4, 6))
    h[0] = x
    for t in range(3):
        now, then = h[t], h[t + 1]
        then[:] = now
        then[1:] += now[:-1] * x[0]
        np.multiply(then, now, out=now)
    return np.sum(h[-1] ** 2) + np.sum(h)


def diagonal_to_row(x):
    m = np.outer(x, x)
    m[:2, 1] = m[2, 2:4]
    m.ravel()[30:] = m[:, 0] * 1.0
    return np.sum(m * m)


def shifted_both_ways(x):
    y = x * x
    v = y[::-1]
    y[1:] = y[:-1]
    y[:-2] = y[2:]
    v[1:] = v[:-1]
    np.copyto(y, v)
    return np.sum(y * x)


def halves(x):
    y = x * x
    y[:3], y[3:] = y[3:], y[:3]
    y[::2] = y[1::2]
    y[3:5] = y[:3:2]
    return np.sum(y * x)


def one_for_all(x):
    y = x * x
    y[:] = y[2:3]
    y[::2] = y[3]
    return np.sum(y * x)


def places_apart(x):
    m = (x * x).reshape(2, 3)
    m[0, [0, 2]] = m[1, :2].copy()
    m[0][[0, 1]] = m[1, 1:] * 1.0
    return np.sum(m * m)


def thinned(x):
    y = x * 1.0
    y[::2] = y[:3]
    return np.sum(y * y)


def thinned_backwards(x):
    y = x * 1.0
    y[::-2] = y[:2:-1]
    return np.sum(y * y)


@pytest.mark.parametrize(
    "function",
    [rows_swapped, history, diagonal_to_row, shifted_both_ways, halves, one_for_all, places_apart, thinned, thinned_backwards],
)
def test_stores_that_read_what_was_there(function):
    assert check_grads(function, (X,)).ok
    assert value_and_grad(function)(X)[0] == function(X)


def several_places(x):
    y = x * 1.0
    y[[3, 2, 1]] = y[:3]
    return np.sum(y * y)


def where_it_is_large(x):
    y = x * 1.0
    y[y > 0] = y[:4]
    return np.sum(y * y)


@pytest.mark.parametrize("function", [several_places, where_it_is_large])
def test_stores_that_read_what_they_have_set_are_refused(function):
    with pytest.raises(NonDifferentiableError, match="copy what is stored"):
        grad(function)(X)


def turned(x):
    m = (x * x).reshape(2, 3)
    e = np.einsum("ij->ji", m)
    e[0] *= x[0]
    m[1] += e[2, 0]
    f = np.einsum("ba", e)
    f[0] = x[:2].sum()
    return np.sum(m * m) + np.sum(e * e)


def test_an_einsum_that_is_a_view():
    assert check_grads(turned, (X,)).ok
