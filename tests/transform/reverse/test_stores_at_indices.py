"""Stores at arrays of indices: the last one of those to one place counts, and what the indices are made of is what is kept."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad


def set_rows(x, key):
    """Rows of which some are set twice, perhaps by two names."""
    u = x.copy()
    u[key] = np.sin(u[: np.size(key)]).reshape(*np.shape(key), 2)
    return np.sum(u**3)


def set_elements(x, key):
    """Elements at pairs of indices."""
    u = x.copy()
    u[key, (key + 1) % 2] = np.sin(u[: np.size(key), 0] * u[: np.size(key), 1]).reshape(np.shape(key))
    return np.sum(u**3)


def exchange(x, count):
    """Rows that change places, as in a search for a pivot."""
    u = x.copy()
    for k in range(count):
        p = k + np.argmax(np.abs(u[k:, k]))
        if p != k:
            u[[k, p]] = u[[p, k]]
        u[k + 1 :] -= u[k] * u[k + 1 :, k : k + 1] / u[k, k]
    return np.sum(np.sin(u))


def change_the_list(x, count):
    """A list that is an index, and becomes another one."""
    u = x.copy()
    for k in range(count):
        key = [k, k + 1]
        u[key] = u[key] * u[k + 1]
        key[0] = 0
        u[key] = np.cos(u[key])
    return np.sum(u**2)


X = np.random.default_rng(8).normal(size=(5, 2))
ROWS = [np.array(key, int) for key in ([0, 2, 1], [1, 3, 1], [4, -1, 0, 4], [[1, 2], [2, 1]], [])]
PLACES = [np.array(key) for key in ([0, 1], [1, 1], [0, -1, 0])]
CASES = [*((set_rows, key) for key in ROWS), *((set_elements, key) for key in PLACES)]
CASES += [(exchange, 2), (change_the_list, 4)]


@pytest.mark.parametrize(("function", "given"), CASES)
def test_gradients(function, given):
    check(lambda x: function(x, given), X)


@pytest.mark.parametrize(("function", "given"), CASES)
def test_second_derivatives(function, given):
    check(lambda x: np.sum(grad(function)(x, given) * np.cos(x)), X)


def check(function, x):
    gradient, step = grad(function)(x), 1e-3
    for index in np.ndindex(x.shape):
        at = {}
        for steps in (-2, -1, 1, 2):
            moved = x.copy()
            moved[index] += steps * step
            at[steps] = function(moved)
        expected = (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)
        np.testing.assert_allclose(gradient[index], expected, rtol=1e-6, atol=1e-7)


def test_the_place_of_the_pivot_is_all_that_is_kept_of_the_indices():
    source = grad(exchange).source(X, 2)
    assert "p_saved" in source
    assert "indices_saved" not in source
    assert "p_is_not_k_saved" not in source
