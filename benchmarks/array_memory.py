"""What a gradient saves: a dozen programs, and the least that has to be saved for each step of their loops.

`python -m benchmarks --only saved`. What grows with the number of steps is what is saved: the peak of a gradient over many steps
is measured, and that over twice as many.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.array_handwritten import burgers_by_u, recurrent_by_weights, stencil_by_u
from benchmarks.array_programs import burgers, recurrent, smooth_wave, stencil

#: An array of NumPy is a header besides its numbers, and takes a place in a list, which grows by an eighth more than it needs.
ARRAY = 112 + 9
#: A float of Python or NumPy, and its place in a list.
NUMBER = 32 + 9


def linear_in_place(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
    return np.sum(u * u)


def prefix_sums(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] += 0.001 * u[:-1]
        for i in range(1, 5):
            u[i] += u[i - 1]
    return u[-1]


def rows_rotate(u, steps):
    u = u.reshape(4, -1).copy()
    for _ in range(steps):
        u[[0, 1, 2, 3]] = u[[3, 0, 1, 2]]
        u[0] *= 0.5
    return np.sum(u[0] * u[1])


def by_a_coefficient(u, nu, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = u[1:-1] + nu * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


def nonlinear_sweeps(u, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = np.sin(u[:-2]) + 0.5 * u[2:]
        u, v = v, u
    return np.sum(u * u)


def squared_in_place(u, steps):
    u = u.copy()
    for _ in range(steps):
        u *= 1 - 0.1 * u
    return np.sum(u)


def rebound(u, steps):
    for _ in range(steps):
        u = u + 0.01 * np.sin(u)
    return np.sum(u)


def exponential_in_place(u, steps):
    u = u.copy()
    for _ in range(steps):
        np.exp(-u, out=u)
    return np.sum(u)


def scratch(u, steps):
    work = np.empty_like(u)
    total = 0.0
    for k in range(steps):
        work[:] = u * k
        work *= u
        total += np.sum(work)
    return total


def rectified(u, steps):
    for _ in range(steps):
        u = np.where(u > 1.2, 0.9 * u, 1.01 * u)
    return np.sum(u)


def elements(u, steps):
    u = u.copy()
    for k in range(steps):
        u[k % 10] = u[k % 10] * (1 - 0.1 * u[k % 10])
    return np.sum(u)


@dataclass(frozen=True)
class Case:
    """A program; what has to be saved in a step; `by_hand` is an adjoint that saves no more."""

    name: str
    function: Callable[..., Any]
    args: Callable[[int], tuple[Any, ...]]
    argnums: int | tuple[int, ...]
    minimum: int
    what: str
    by_hand: Callable[..., Any] | None = None
    steps: int = 400


SIZE = 1000
WAVE = smooth_wave(SIZE)
#: No number is near 1.2.
TWO_LEVELS = np.where(np.arange(SIZE) % 3 > 0, 2.0, 0.5) + 0.1 * np.sin(7.0 * np.arange(SIZE))
_SLICE = (SIZE - 2) * 8
_rng = np.random.default_rng(3)
_W, _U, _B = _rng.normal(size=(100, 100)) / 10, _rng.normal(size=(100, 5)), _rng.normal(size=100)
_XS = _rng.normal(size=(10_000, 5))

CASES = (
    Case("linear stencil, two buffers", stencil, lambda n: (WAVE, n), 0, 0, "nothing", stencil_by_u),
    Case("linear stencil in place", linear_in_place, lambda n: (WAVE, n), 0, 0, "nothing"),
    Case("prefix sums in place", prefix_sums, lambda n: (WAVE, n), 0, 0, "nothing"),
    Case("rows change places", rows_rotate, lambda n: (WAVE, n), 0, 0, "nothing"),
    Case("scratch buffer, refilled", scratch, lambda n: (WAVE, n), 0, 0, "nothing: it is filled again from what is at hand"),
    Case(
        "stencil, by a coefficient too",
        by_a_coefficient,
        lambda n: (WAVE, 0.1, n),
        (0, 1),
        _SLICE + ARRAY,
        "the slice that is overwritten",
    ),
    Case(
        "Burgers in place",
        burgers,
        lambda n: (WAVE, 0.001, 0.01, n),
        0,
        _SLICE + ARRAY,
        "the slice that is overwritten",
        burgers_by_u,
    ),
    Case("nonlinear stencil", nonlinear_sweeps, lambda n: (WAVE, n), 0, _SLICE + ARRAY, "the slice that is overwritten"),
    Case("nonlinear map in place", squared_in_place, lambda n: (WAVE, n), 0, 8 * SIZE + ARRAY, "the array"),
    Case("nonlinear map, rebound", rebound, lambda n: (WAVE, n), 0, 8 * SIZE + ARRAY, "the array"),
    Case("exponential in place", exponential_in_place, lambda n: (WAVE, n), 0, 8 * SIZE + ARRAY, "the array, before or after"),
    Case("where", rectified, lambda n: (TWO_LEVELS, n), 0, SIZE + ARRAY, "the condition, a byte for each number"),
    Case("nonlinear map of elements", elements, lambda n: (WAVE, n), 0, NUMBER, "one number", steps=10_000),
    Case(
        "RNN",
        recurrent,
        lambda n: (_W, _U, _B, _XS[:n]),
        (0, 1, 2),
        8 * 100 + ARRAY,
        "the state",
        recurrent_by_weights,
    ),
)


def bytes_a_step(function: Callable[..., Any], case: Case) -> float:
    """How much the peak of a call grows with each step."""
    function(*case.args(2))
    peaks = []
    for steps in (case.steps, 2 * case.steps):
        args = case.args(steps)
        tracemalloc.start()
        try:
            function(*args)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return (peaks[1] - peaks[0]) / case.steps
