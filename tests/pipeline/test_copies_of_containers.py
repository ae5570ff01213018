"""Copies of a list or a dict share what it contains: stores through one are read through the other."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from s2sad import grad
from s2sad.testing.differences import differentiate


def concatenation_shares(x: float) -> float:
    rows = [[x], [x * x]]
    other = [*rows, [x]]
    other[0][0] = 3 * x
    return rows[0][0] * rows[1][0] * other[2][0]


def product_shares(x: float) -> float:
    base = [[x]]
    rows = base * 2
    base[0][0] = 3 * x
    return rows[0][0] * rows[1][0]


def dict_of_dict(x: float) -> float:
    rows = {0: [x], 1: [x * x]}
    other = dict(rows)
    other[0][0] = 3 * x
    return rows[0][0] * rows[1][0]


def dict_of_pairs(x: float) -> float:
    rows = {0: [x], 1: [x * x]}
    other = dict(rows.items())
    other[0][0] = 3 * x
    return rows[0][0] * rows[1][0]


def dict_display(x: float) -> float:
    rows = {0: [x], 1: [x * x]}
    other = {**rows, 2: [x]}
    other[0][0] = 3 * x
    return rows[0][0] * rows[1][0]


def dict_of_keywords(x: float) -> float:
    row = [x]
    other = dict(first=row)
    other["first"][0] = 3 * x
    return row[0] * x * x


def update(x: float) -> float:
    row = [x]
    other: dict[str, list[float]] = {}
    other.update({"first": row})
    other["first"][0] = 3 * x
    return row[0] * x * x


def inactive_concatenation(x: float) -> float:
    numbers = [1.0, 2.0] + [3.0]
    for i in range(3):
        numbers[i] = numbers[i] * x
        if x > 0.1:
            numbers = numbers + [x]
    return numbers[0] * numbers[1] * numbers[3]


@pytest.mark.parametrize(
    "function",
    [
        concatenation_shares,
        product_shares,
        dict_of_dict,
        dict_of_pairs,
        dict_display,
        dict_of_keywords,
        update,
        inactive_concatenation,
    ],
)
def test_copies_share_what_they_contain(function: Callable[[float], float]) -> None:
    assert grad(function)(0.7) == pytest.approx(differentiate(function, 0.7).value, rel=1e-8)


def dict_with_keywords(x: float) -> float:
    rows = {"a": [x], "b": [x * x]}
    other = dict(rows, c=[x])
    other["a"][0] = 3 * x
    return rows["a"][0] * rows["b"][0]


def update_with_keywords(x: float) -> float:
    row = [x]
    other: dict[str, list[float]] = {}
    other.update({"first": row}, second=row)
    other["second"][0] = 3 * x
    return row[0] * x * x


class Pair:
    def __init__(self, first: float, rest: list[float]) -> None:
        self.first = first
        self.rest = rest


def copied_object(x: float) -> float:
    pair = Pair(x, [x])
    other = copy.copy(pair)
    other.rest[0] = 3 * x
    return pair.rest[0] * pair.first


@pytest.mark.parametrize(
    ("function", "expected"),
    [(dict_with_keywords, 9 * 0.7**2), (update_with_keywords, 9 * 0.7**2), (copied_object, 6 * 0.7)],
)
def test_other_copies_share_what_they_contain(function: Callable[[float], float], expected: float) -> None:
    assert grad(function)(0.7) == pytest.approx(expected, rel=1e-14)


@dataclass
class Particle:
    """Its `__eq__` is generated, so nothing is known of what it does."""

    x: float
    v: float


class Body:
    def __init__(self, place: list[float], speed: float) -> None:
        self.place = place
        self.speed = speed


def deep_list_of_objects(x: float) -> float:
    particles = [Particle(x, 1.0), Particle(x * x, 2.0)]
    copied = copy.deepcopy(particles)
    copied[0].x = 5 * x
    return particles[0].x * copied[0].x + copied[1].x


def deep_list_of_objects_with_lists(x: float) -> float:
    bodies = [Body([x, 1.0], 2.0), Body([x * x, 3 * x], x)]
    before = copy.deepcopy(bodies)
    for body in bodies:
        body.place[0] += body.speed * x
    return sum(a.place[0] * b.place[0] + a.speed for a, b in zip(before, bodies, strict=True))


def deep_dict_of_objects(x: float) -> float:
    particles = {"a": Particle(x, 1.0), "b": Particle(x * x, x)}
    copied = copy.deepcopy(particles)
    copied["a"].x *= x
    return particles["a"].x + copied["a"].x * copied["b"].v


def deep_object_of_objects(x: float) -> float:
    system: Any = Body([], x)
    system.parts = [Particle(x, 1.0), Particle(2 * x, x)]
    copied = copy.deepcopy(system)
    copied.parts[0].x *= 3
    return system.parts[0].x * copied.parts[0].x * copied.speed + copied.parts[1].v


@pytest.mark.parametrize(
    ("function", "slope", "second"),
    [
        (deep_list_of_objects, lambda x: 12 * x, lambda x: 12.0),
        # x (x + 2 x) + 2 + x^2 (x^2 + x^2) + x
        (deep_list_of_objects_with_lists, lambda x: 6 * x + 8 * x**3 + 1, lambda x: 6 + 24 * x * x),
        (deep_dict_of_objects, lambda x: 1 + 3 * x * x, lambda x: 6 * x),
        (deep_object_of_objects, lambda x: 9 * x * x + 1, lambda x: 18 * x),
    ],
)
def test_objects_in_containers_are_copied_deeply(
    function: Callable[[float], float], slope: Callable[[float], float], second: Callable[[float], float]
) -> None:
    assert grad(function)(0.7) == pytest.approx(slope(0.7), rel=1e-13)
    assert grad(grad(function))(0.7) == pytest.approx(second(0.7), rel=1e-12)
