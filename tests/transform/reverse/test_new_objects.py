"""Shadows of objects are not set to zero where nobody reads them any more: in the reverse of what makes the object."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from s2sad import check_grads, grad


class Spring:
    def __init__(self, k, m):
        self.k = k
        self.m = m
        self.x = 1.0
        self.v = 0.0

    def step(self, dt):
        self.v -= dt * self.k * self.x / self.m
        self.x += dt * self.v


class Damped(Spring):
    def __init__(self, k, m, c):
        super().__init__(k * c, m)
        self.c = c
        self.k = self.k + self.m * self.c
        self.k *= self.k

    def step(self, dt):
        self.v -= dt * self.c * self.v
        super().step(dt)


class SetAgain:
    def __init__(self, k, m):
        self.reset(k)
        total = self.x * m
        self.reset(m)
        self.y = total * self.x

    def reset(self, x):
        self.x = x * x


class Listed:
    def __init__(self, x, known):
        self.x = x * x
        known.append(self)
        self.x = self.x * known[0].x


@dataclass
class Point:
    x: float
    y: float = 2.0

    def __post_init__(self):
        self.y = self.y * self.x
        if self.y > 1.0:
            self.x = self.x * self.y


def spring(k, m):
    s = Spring(k, m)
    for _ in range(4):
        s.step(0.1)
    return s.x


def damped(k, m):
    s = Damped(k, m, 0.3 * k)
    for _ in range(4):
        s.step(0.1)
    return s.x * s.k


def one_in_each_trip(k, m):
    total = 0.0
    for i in range(4):
        s = Spring(k * i, m)
        s.step(0.1 * i)
        s.step(0.1)
        total += s.x * s.v
    return total


def set_again(k, m):
    made = SetAgain(k, m)
    made.reset(made.y)
    return made.x * made.y


def listed(k, m):
    known = []
    Listed(k, known)
    Listed(m, known)
    Listed(k * m, known)
    return known[0].x * known[1].x + known[2].x


def made(k, m):
    s = Spring(k, m)
    s.x = k * m
    return s


def made_by_a_function(k, m):
    first = made(k, m)
    second = made(first.x, m)
    first.k = second.x
    return first.k * first.x * second.k + second.m


def points(k, m):
    p = Point(k)
    for i in range(3):
        p = Point(p.x * m, p.y + i)
    return p.x * p.y


def called_again(k, m):
    s = Spring(k, m)
    x = s.k * s.m
    s.__init__(m, x)
    return s.k * x + s.m


@pytest.mark.parametrize(
    "function",
    [spring, damped, one_in_each_trip, set_again, listed, made_by_a_function, points, called_again],
)
def test_gradients(function) -> None:
    check_grads(function, (0.8, 1.3))


def test_text() -> None:
    text = grad(spring, argnums=(0, 1)).source(0.8, 1.3)
    assert '"""Reverse of init(): gives the adjoints of k and m."""' in text
    assert "return self_bar.k, self_bar.m" in text
    assert "= 0.0" not in text
