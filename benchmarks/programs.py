"""The programs of numbers whose gradients are timed, as a user would write them, and what they are called with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def besselj(nu, z, atol=1e-8):
    k = 0
    s = (z / 2) ** nu / math.factorial(nu)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


def logistic(x, r, steps):
    for _ in range(steps):
        x = r * x * (1 - x)
    return x


def roughness(x):
    total = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        total += d * d * x[i]
    return total


def sieve(a, b, n):
    total = 0.0
    for i in range(n):
        x = a * i
        for _ in range(i):
            if x > b:
                total += x * x
                x = x / 2
            else:
                x = x + a * b
        total += x
    return total


def decay(u, k):
    return -k * u * u


def euler(u, k, dt, steps):
    for _ in range(steps):
        u = u + dt * decay(u, k)
    return u


def newton(a, tol=1e-12):
    x = a
    for _ in range(50):
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < tol:
            break
    return x


@dataclass(frozen=True)
class Program:
    """A function, its arguments, and by which of them it is differentiated."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    argnums: int | tuple[int, ...]


PROGRAMS = (
    Program("besselj, by z", besselj, (2, 1.0), 1),
    Program("besselj, by nu and z", besselj, (2, 1.0), (0, 1)),
    Program("logistic map, 1,000 steps", logistic, (0.3, 3.7, 1000), 1),
    Program("list of 1,000, by index", roughness, ([1.0 + math.sin(i) for i in range(1000)],), 0),
    Program("nested loop with branches", sieve, (0.7, 3.0, 45), (0, 1)),
    Program("Euler with a helper, 1,000 steps", euler, (1.5, 0.7, 0.001, 1000), (0, 1)),
    Program("Newton iteration", newton, (2.0,), 0),
)
