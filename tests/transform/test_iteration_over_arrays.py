"""Loops over the rows or elements of arrays that they change meanwhile: each is as it is when its turn comes."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.testing.check_grads import check_grads

M = np.array([[0.371, 1.213, -0.643], [0.817, -1.337, 0.979], [0.093, -0.291, 0.557]])


def rows_numbered(m):
    a = m * m
    for i, row in enumerate(a):
        row[i] = row[i] * m[0, i] + a[0, 0]
        a[i - 1] += row
    return np.sum(a * a)


def rows_in_pairs(m):
    a = m * m
    for row, other in zip(a, m, strict=True):
        row += other * row[0]
    for row, after in zip(a[:-1], a[1:], strict=True):
        after *= row
    return np.sum(a * a)


def rows_backwards(m):
    a = m * m
    for row in reversed(a):
        row *= a[0]
        a[1] += row
    return np.sum(a * a)


def elements_changed(m):
    y = m[0] * 1.0
    for i, v in enumerate(y):
        y[i - 2] += v * v
    for v, w in zip(y[1:], y[:-1], strict=True):
        y[0] += v * w
    for v in reversed(y):
        y[1] *= v
    return np.sum(y * y)


def tuple_of_arrays(m):
    a, b = m[0] * 1.0, m[1] * 2.0
    for k, part in enumerate((a, b, a)):
        part[k] = k * m[2, 0] + b[0]
    return np.sum(a * b)


def columns_numbered(m):
    a = m * m
    for i, column in enumerate(a.T, start=1):
        column *= i * column[0]
    return np.sum(a * m)


@pytest.mark.parametrize(
    "function", [rows_numbered, rows_in_pairs, rows_backwards, elements_changed, tuple_of_arrays, columns_numbered]
)
def test_what_a_loop_changes_is_what_it_goes_on_with(function):
    assert check_grads(function, (M,)).ok
    assert value_and_grad(function)(M)[0] == function(M)
