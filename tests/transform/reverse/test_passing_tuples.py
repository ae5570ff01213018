"""Views that are written down for a function which makes a new array of them have no shadows in the forward sweep."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad


def stacked(x, n):
    u = x.copy()
    for _ in range(n):
        f = np.stack([u[1], u[0] * u[1], u[2] + u[1]])
        u[:, 1:] -= 0.3 * np.sin(f[:, :-1])
    return np.sum(u**3)


def joined(x, n):
    """Parts of one array, one of them twice, round the ends."""
    u = x.copy()
    for _ in range(n):
        around = np.concatenate((u[:, -1:], u, u[:, -1:]), axis=1)
        u[...] = np.cos(around[:, :-2] * around[:, 2:])
    return np.sum(u**3)


def nested(x, n):
    """A tuple in a tuple, and a row by another name."""
    u = x.copy()
    row = u[0]
    for _ in range(n):
        whole = np.vstack((row, np.hstack((row[1:], u[1, :1]))))
        row[:] = whole[0] * whole[1]
    return np.sum(u**2)


def taken_out(x, n):
    """Who takes an array out of the tuple again has the array itself."""
    u = x.copy()
    for _ in range(n):
        parts = (u[0], u[1])
        both = np.stack(parts)
        parts[0][:] = np.sin(both[1]) * both[0]
        parts[1][1:] += parts[0][:-1]
    return np.sum(u**2)


def kept(x, n):
    """Who keeps the tuple sees what is stored later."""
    u, rows = x.copy(), []
    for k in range(n):
        pair = (u[0], u[1])
        rows.append(pair)
        u[0] *= np.cos(np.sum(np.stack(pair), axis=0))
    return sum(np.sum(first * second) for first, second in rows)


X = np.random.default_rng(3).normal(size=(3, 5))


@pytest.mark.parametrize("function", [stacked, joined, nested, taken_out, kept])
def test_gradients(function):
    gradient, step = grad(function)(X, 3), 1e-4
    expected = np.zeros(X.shape)
    for index in np.ndindex(X.shape):
        at = {}
        for steps in (-2, -1, 1, 2):
            moved = X.copy()
            moved[index] += steps * step
            at[steps] = function(moved, 3)
        expected[index] = (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)
    np.testing.assert_allclose(gradient, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("function", [stacked, joined])
def test_shadows_of_views_are_not_kept(function):
    assert "bar_saved" not in grad(function).source(X, 3)
