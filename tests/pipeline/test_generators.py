"""Generators whose values are constant are called as they stand; others are refused."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


def points(n: int) -> Iterator[float]:
    for i in range(n):
        yield i / n


def multiples(x: float, n: int) -> Iterator[float]:
    for i in range(n):
        yield i * x


def windows(values: Sequence[float], n: int) -> Iterator[Sequence[float]]:
    for i in range(len(values) - n + 1):
        yield values[i : i + n]


class Grid:
    def __init__(self, n: int) -> None:
        self.n = n

    def points(self) -> Iterator[float]:
        yield from points(self.n)


def test_constant_elements() -> None:
    def total(x: float) -> float:
        result = 0.0
        for i, t in enumerate(points(4)):
            if t > 0.6:
                break
            result += i * math.sin(t * x)
        return result

    assert math.isclose(grad(total)(1.5), 0.25 * math.cos(0.375) + 2 * 0.5 * math.cos(0.75), rel_tol=1e-14)


def test_lists_expressions_and_methods() -> None:
    def total(x: float) -> float:
        nodes = list(points(4))
        return (
            sum(t * x for t in nodes)
            + sum(t * x * x for t in Grid(2).points())
            + sum(a * b * x for a, b in windows([1.0, 2.0, 3.0], 2))
        )

    assert math.isclose(grad(total)(1.5), 1.5 + 0.5 * 2 * 1.5 + 8.0, rel_tol=1e-14)


def of_argument(x: float) -> float:
    total = 0.0
    for t in multiples(x, 3):
        total += t
    return total


def of_list(x: float) -> float:
    values = [1.0, 2.0]
    pairs = windows(values, 2)
    values.append(x)
    total = 0.0
    for a, b in pairs:
        total += a * b
    return total


def by_next(x: float) -> float:
    return next(multiples(x, 3))


@pytest.mark.parametrize("function", [of_argument, of_list, by_next])
def test_elements_that_depend_on_arguments(function):  # type: ignore[no-untyped-def]
    with pytest.raises(UnsupportedSyntaxError, match=r"generator \(`yield`\)(.|\n)*test_generators.py"):
        grad(function)(1.5)
