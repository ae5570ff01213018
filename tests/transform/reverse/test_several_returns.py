"""Functions that return one array or another: the caller changes what it gets, and the adjoint goes to the right one."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.testing.check_grads import check_grads

X = np.array([0.371, 1.213, -0.643, 0.817, -1.337, 0.979])


def of_several_shapes(y, k):
    if k == 0:
        return y
    if k == 1:
        return y[1:]
    return y[:2] * 2.0


def out_of_a_loop(y, k):
    for i in range(len(y)):
        y[i] *= 2
        if i == k:
            return y[i:]
        if y[i] > 3:
            return y[::-1]
    return y * 1.0


def given_or_new(y, k):
    if k:
        return y
    return np.zeros(len(y))


def pair(y, k):
    z = y * 2.0
    if k:
        return y[1:], z
    return z, y[::-1]


def nothing_or_part(y, k):
    if k:
        return y[k:]
    return None


def nested(y, k):
    if k == 0:
        return y[0], (y, y[2:])
    if k == 1:
        return y[1] * 2, (y[:4], y)
    return 1.0, (y * y, y)


def changed(x, k, give):
    y = x * x
    v = give(y, k)
    v *= 2
    v[0] += x[0]
    w = give(v, 1)
    w *= x[1]
    return np.sum(y * y) + np.sum(v * v)


def pair_changed(x, k):
    y = x * x
    a, b = pair(y, k)
    a[0] += b[1] * x[2]
    b *= x[0]
    return np.sum(y * y) + np.sum(a) * np.sum(b)


def part_changed(x, k):
    y = x * x
    v = nothing_or_part(y, k)
    if v is not None:
        v *= x[0]
    return np.sum(y * y)


def nested_changed(x, k):
    y = x * x
    s, (a, b) = nested(y, k)
    a[0] *= s
    b[1] += x[0]
    return np.sum(y * y) + np.sum(a) * np.sum(b * b) * s


@pytest.mark.parametrize("k", [0, 1, 2, 9])
@pytest.mark.parametrize("give", [of_several_shapes, out_of_a_loop, given_or_new])
def test_an_array_or_another(give, k):
    def function(x):
        return changed(x, k, give)

    assert check_grads(function, (X,)).ok
    assert value_and_grad(function)(X)[0] == function(X)


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("function", [pair_changed, part_changed, nested_changed])
def test_tuples_of_arrays_and_nothing(function, k):
    assert check_grads(function, (X, k)).ok
    assert value_and_grad(function)(X, k)[0] == function(X, k)
