"""Stores to arrays that are others in each trip of a loop."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad


def heat(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        u += k * lap
    return (u**2).sum()


def previous(u, k, steps):
    """What a trip reads the trip before has made."""
    u = u.copy()
    last = np.zeros_like(u)
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] * last[1:-1] + u[1:-1] ** 2
        last[:] = 0.1
        u += k * lap * last
        last = lap
    return (u * last).sum()


def history(u, k, steps):
    kept = []
    for t in range(steps):
        lap = np.zeros_like(u)
        kept.append(lap)
        lap[1:-1] = u[2:] * u[:-2]
        kept[t // 2] *= u
        u = u + k * kept[t // 2] * kept[-1]
    total = 0.0
    for lap in kept:
        total += (lap**2).sum()
        lap[:] = 0.0
        total += (kept[0] * u).sum()
    return total


def queue(u, k, steps):
    waiting = []
    for t in range(steps):
        fresh = np.zeros_like(u)
        fresh[1:] = u[:-1] * k
        waiting.append(fresh)
        if t > 1:
            first = waiting.pop(0)
            u = u + first**2
            first[:] = 5.0
    return (u**2).sum() + (waiting[0] ** 2).sum()


def differences(function, args, place, h=1e-6):
    found = []
    x = np.asarray(args[place], dtype=float)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        ends = [function(*(given if p != place else moved[()] for p, given in enumerate(args))) for moved in (up, down)]
        found.append((ends[0] - ends[1]) / (2 * h))
    return np.reshape(found, x.shape)


@pytest.mark.parametrize("function", [heat, previous, history, queue])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_gradients(function, steps):
    args = (np.array([0.5, 1.0, -0.3, 0.8]), 0.3, steps)
    if function is queue and steps < 3:
        return
    of_u, of_k = grad(function, (0, 1))(*args)
    np.testing.assert_allclose(of_u, differences(function, args, 0), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(of_k, differences(function, args, 1), rtol=1e-6, atol=1e-8)

    def along(u):
        return (grad(function)(u, 0.3, steps) * np.array([1.0, 2.0, -1.0, 0.5])).sum()

    np.testing.assert_allclose(grad(along)(args[0]), differences(along, args[:1], 0), rtol=1e-5, atol=1e-7)


def test_what_was_there_before_is_not_kept():
    text = grad(heat, (0, 1)).source(np.ones(4), 0.3, 2)
    assert "overwritten" not in text
    assert "for lap in lap_saved:" in text
