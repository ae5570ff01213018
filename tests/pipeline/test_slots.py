"""Objects that keep their attributes in slots are objects like others: as arguments, in containers, outside, and changed."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import pytest

from s2sad import grad, value_and_grad


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    name: str = ""

    def norm(self):
        return math.hypot(self.x, self.y)


@dataclass(slots=True)
class Spring:
    k: float
    ends: list[Point]


class Cell:
    __slots__ = ("__secret", "shown", "values")

    def __init__(self, shown):
        self.shown = shown
        self.values = [shown]
        self.__secret = 2.0 * shown

    def secret(self):
        return self.__secret

    def keep(self, value):
        self.__secret = value
        self.values.append(value)


class Wider(Cell):
    """Slots of the base, and a `__dict__`."""


KEPT = Cell(1.5)


def test_dataclass():
    def product(p):
        return p.x * p.y

    assert grad(product)(Point(2.0, 3.0, "a")) == Point(3.0, 2.0, None)


@pytest.mark.parametrize("place", ["list", "tuple", "dict"])
def test_dataclasses_in_containers(place):
    def lengths(points):
        first, second = (points["a"], points["b"]) if isinstance(points, dict) else points
        return first.norm() + 2.0 * second.norm() * first.x

    points = (Point(3.0, 4.0), Point(5.0, 12.0))
    argument = {"list": list(points), "tuple": points, "dict": dict(zip("ab", points, strict=True))}[place]
    first, second = Point(0.6 + 26.0, 0.8, None), Point(6.0 * 5 / 13, 6.0 * 12 / 13, None)
    expected = {"list": [first, second], "tuple": (first, second), "dict": {"a": first, "b": second}}[place]
    found = grad(lengths)(argument)
    assert type(found) is type(expected)
    for one, other in zip(*((part.values() if place == "dict" else part) for part in (found, expected)), strict=True):
        assert (one.x, one.y) == pytest.approx((other.x, other.y))


def test_nested():
    def energy(spring):
        return 0.5 * spring.k * sum(p.x**2 for p in spring.ends)

    found = grad(energy)(Spring(2.0, [Point(1.0, 9.0), Point(3.0, 9.0)]))
    assert found == Spring(5.0, [Point(2.0, 0.0, None), Point(6.0, 0.0, None)])


def test_an_argument_that_is_changed_stays_as_it_is():
    def stretched(spring, x):
        spring.k = spring.k * x
        spring.ends.append(Point(x, x))
        return spring.k * sum(p.x for p in spring.ends)

    spring = Spring(2.0, [Point(1.0, 9.0)])
    before = copy.deepcopy(spring)
    of_spring, of_x = grad(stretched, argnums=(0, 1))(spring, 3.0)
    assert (of_spring.k, of_spring.ends[0].x) == (12.0, 6.0)
    assert of_x == 2.0 * 4.0 + 6.0
    assert spring == before


def private(x, cell):
    cell.keep(x * x)
    cell.shown = cell.secret() * x
    return cell.shown + cell.values[-1] * cell.values[0]


@pytest.mark.parametrize("cls", [Cell, Wider])
def test_private_names(cls):
    cell = cls(1.5)
    value, x_bar = value_and_grad(private)(2.0, cell)
    assert value == 8.0 + 4.0 * 1.5
    assert x_bar == 12.0 + 4.0 * 1.5
    assert (cell.shown, cell.secret(), cell.values) == (1.5, 3.0, [1.5])


def test_kept_outside():
    def remembered(x):
        KEPT.shown = x * x
        KEPT.keep(KEPT.shown * x)
        return KEPT.secret() + KEPT.values[-1] * KEPT.shown

    assert grad(remembered)(2.0) == 3 * 4.0 + 5 * 16.0
