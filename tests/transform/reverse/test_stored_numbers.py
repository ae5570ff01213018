"""Numbers that were stored into an array are read there, and what elements hold that are set once is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import check_grads, grad, value_and_grad

X = 1.0 + 0.3 * np.sin(np.arange(6.0))


def prefix_products(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        if i == 0:
            y[i] = math.sqrt(x[i])
        else:
            y[i] = y[i - 1] * math.sin(x[i])
    return np.sum(y * y)


def triangle(x):
    n = len(x)
    t = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = x[i] * x[j]
            for k in range(j):
                s += t[i, k] * t[j, k]
            t[i, j] = math.sqrt(s)
    return np.sum(t * t * t)


def ones_at_first(x):
    n = len(x)
    y = np.ones((n, 2))
    total = 0.0
    for i in range(n):
        total += y[i, 0] * y[i, 1] * x[i]  # read before it is set
        y[i, 0] = math.exp(x[i])
        total += y[i, 0] * y[n - 1 - i, 0] * x[0]
    return total


def set_twice(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = math.sin(x[i])
        y[i] = y[i] * y[i] * x[i]
    return np.sum(y * y)


def set_again_in_another_loop(x):
    n = len(x)
    y = np.zeros(n)
    for k in range(2):
        for i in range(n):
            y[i] = math.sin(x[i] + y[i] * k)
            y[i] += y[i - 1] * x[i]
    return np.sum(y * y)


def set_in_every_sweep(x):
    n = len(x)
    y = np.zeros(n)
    for _ in range(3):
        for i in range(n):
            y[i] = math.sin(x[i] + y[i])
    return np.sum(y * y)


def from_the_end(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(-2, n - 2):  # negative indices name elements that others name too
        y[i] = math.exp(x[i]) * y[i - 1] + y[i]
        y[i] = y[i] + x[i]
    return np.sum(y * y)


def both_ends(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(-n, n):
        y[i] = math.sin(x[i] + y[i]) + y[i] * y[i]
    return np.sum(y * y)


def under_other_indices(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i // 2] = math.sin(x[i] + y[i // 2])
    return np.sum(y * y)


def in_two_arms(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        if x[i] > 1.0:
            y[i] = math.exp(x[i])
        elif x[i] > 0.8:
            y[i] = x[i] ** 3
        else:
            y[n - 1 - i] = math.sin(x[i] + y[n - 1 - i])
    return np.sum(y * y * x)


def of_single_precision(x):
    n = len(x)
    y = np.zeros(n, dtype=np.float32)
    for i in range(n):
        y[i] = math.exp(x[i])
    return np.sum(y * y)


def used_after_it_was_stored(x):
    n = len(x)
    y = np.zeros(n)
    total = 0.0
    for i in range(n):
        e = math.exp(x[i]) * x[i]
        y[i] = e
        total += e * e
        y[i] = total
    return total + np.sum(y * y)


def in_a_while(x):
    n = len(x)
    y = np.zeros(n)
    i = 0
    while i < n:
        y[i] = math.exp(x[i]) + y[i - 1]
        i += 1
    return np.sum(y * y)


def made_in_a_loop(x):
    total = 0.0
    for k in range(3):
        y = np.zeros(len(x))
        for i in range(len(x)):
            y[i] = math.exp(x[i] * k) * y[i - 1] + x[i]
        total += np.sum(y * y)
    return total


def used_before_it_is_stored(x):
    n = len(x)
    y, z = 0.1 * x, np.zeros(n)
    for _ in range(2):
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += y[j] * z[j] + 0.1 * x[j]
            e = np.float64(s)
            t = -e
            y[i] = y[i] * t + x[i] * t
            z[i] = e
    return np.sum(z * z) + np.sum(y * y)


def stored_under_a_number_that_changes(x):
    n = len(x)
    y, z = 0.5 * x, np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += y[j] * z[j] + 0.1 * x[j]
        e = np.float64(s)
        t = -e
        y[i] = y[i] * t + x[i] * t
        k = int(10 * y[i]) % n
        z[k] = e
    return np.sum(z * z) + np.sum(y * y)


ALL = [
    prefix_products,
    triangle,
    ones_at_first,
    set_twice,
    set_again_in_another_loop,
    set_in_every_sweep,
    from_the_end,
    both_ends,
    under_other_indices,
    in_two_arms,
    used_after_it_was_stored,
    in_a_while,
    made_in_a_loop,
    used_before_it_is_stored,
    stored_under_a_number_that_changes,
]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f) -> None:
    check_grads(f, (X,))
    assert value_and_grad(f)(X)[0] == f(X)


def test_single_precision_is_not_taken_for_double() -> None:
    # the derivative of exp is what was computed, not what is left of it in single precision
    np.testing.assert_allclose(grad(of_single_precision)(X), 2 * np.exp(X).astype("float32") * np.exp(X), rtol=1e-6)


@pytest.mark.parametrize("f", [prefix_products, triangle])
def test_nothing_is_saved(f) -> None:
    assert "append" not in grad(f).source(X)
