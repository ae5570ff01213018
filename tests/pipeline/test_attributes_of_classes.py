"""Attributes that a class has, until its objects have their own."""

import dataclasses

import pytest

from s2sad import grad


class Remembering:
    previous = None

    def __init__(self, x):
        self.x = x

    def get(self):
        return 5 * self.x if self.previous is None else self.previous * 2

    def step(self, v):
        change = v
        if self.previous is not None:
            change = v - self.previous * self.x
        self.previous = v
        return change


class Lazy:
    table = None

    def __init__(self, x):
        self.x = x

    def get(self):
        if self.table is None:
            self.table = self.x**2
        return self.table


class Derived(Lazy):
    def __init__(self, x):
        super().__init__(x)
        self.table = x**3


class Counting:
    count = 0
    weight = 1.5

    def __init__(self, x):
        self.x = x

    def get(self):
        if self.count > 0:
            return self.weight * self.x
        self.count += 1
        self.weight = self.x
        return self.x * 2


@dataclasses.dataclass
class Record:
    x: float
    best: float | None = None

    def get(self):
        return self.x * 3 if self.best is None else self.best * self.x


def set_later(x):
    one = Remembering(x)
    first = one.get()
    one.previous = x * x
    return first + one.get()


def set_in_a_loop(x):
    one, total = Remembering(x), 0.0
    for k in range(4):
        total += one.get()
        if k == 1:
            one.previous = x * x
    return total


def set_by_a_method(x):
    one, total = Remembering(x), 0.0
    for k in range(3):
        total += one.step(x * k)
    return total


def computed_once(x):
    one = Lazy(x)
    return one.get() * one.get()


def set_by_a_constructor(x):
    one = Derived(x)
    return one.get() * one.get()


def never_set(x):
    one, other = Remembering(x), Remembering(x)
    other.previous = x
    return one.get() * other.get()


def numbers(x):
    one = Counting(x)
    return one.get() * one.get()


def field_of_a_dataclass(x):
    one = Record(x)
    first = one.get()
    one.best = x
    return first + one.get()


CASES = [
    (set_later, lambda x: 5 + 4 * x),
    (set_in_a_loop, lambda x: 10 + 8 * x),
    (set_by_a_method, lambda x: 3 - 2 * x),
    (computed_once, lambda x: 4 * x**3),
    (set_by_a_constructor, lambda x: 6 * x**5),
    (never_set, lambda x: 20 * x),
    (numbers, lambda x: 6 * x * x),
    (field_of_a_dataclass, lambda x: 3 + 2 * x),
]


@pytest.mark.parametrize(("function", "slope"), CASES)
def test_derivatives(function, slope):
    assert grad(function)(1.2) == pytest.approx(slope(1.2), rel=1e-14)
