"""Attributes that a class has, until its objects have their own."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


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


class Sharing:
    limits = [0.0, 5.0]  # noqa: RUF012
    table = {"q": np.zeros(2)}  # noqa: RUF012
    work = np.zeros(2)

    def __init__(self, x):
        self.x = x

    def clip(self, v):
        return min(v, self.limits[1])

    def fill(self):
        self.work[:] = self.x


class Inheriting(Sharing):
    pass


@dataclasses.dataclass
class WithConstants:
    x: float
    factors: ClassVar[list[float]] = [2.0, 3.0]


class Sometimes:
    held = [1.0, 2.0]  # noqa: RUF012

    def __init__(self, x):
        self.x = x

    def get(self):
        return self.held[0] * self.x


class Always(Sometimes):
    def __init__(self, x):
        self.x = x
        self.held = [x, x]


def read_by_a_method(x):
    return Sharing(x).clip(x**2)


def read_by_an_heir(x):
    return Inheriting(x).clip(10 * x) * x


def constant_of_a_dataclass(x):
    one = WithConstants(x)
    return one.x * one.factors[1]


def array_in_a_dict(x):
    one, other = Sharing(x), Sharing(2 * x)
    one.table["q"][:] = one.x
    return np.sum(other.table["q"] * other.x)


def array_of_the_class(x):
    Sharing(x).fill()
    return np.sum(Sharing.work**2)


def one_of_its_own(x):
    return Always(x).get()


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (read_by_a_method, lambda x: 2 * x),
        (read_by_an_heir, lambda x: 5),
        (constant_of_a_dataclass, lambda x: 3),
        (array_in_a_dict, lambda x: 8 * x),
        (array_of_the_class, lambda x: 4 * x),
        (one_of_its_own, lambda x: 2 * x),
    ],
)
def test_what_the_objects_of_a_class_share(function, slope):
    assert grad(function)(1.2) == pytest.approx(slope(1.2), rel=1e-14)


def test_what_may_be_shared_or_not_is_refused():
    def function(x):
        one = Sometimes(x)
        first = one.get()
        one.held = [x, x]
        return first + one.get()

    with pytest.raises(UnsupportedSyntaxError, match=r"(?s)\.held may be that of the class Sometimes.*in __init__.*line \d+"):
        grad(function)(1.2)
