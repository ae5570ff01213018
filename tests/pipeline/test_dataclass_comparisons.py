"""Instances of ``@dataclass(order=True)`` are compared by their fields."""

import dataclasses
import heapq

import pytest

from s2sad import grad, value_and_grad


@dataclasses.dataclass(order=True)
class Task:
    priority: float
    cost: float = dataclasses.field(default=0.0, compare=False)


@dataclasses.dataclass(order=True, frozen=True)
class Step:
    place: int
    length: float


class Later(Step):
    pass


def compared(x):
    a, b = Task(x, 3.0 * x), Task(x * x, 2.0 * x)  # b is less where x < 1
    total = a.cost if a < b else b.cost
    return total + (a <= b) * x**2 + (a > b) * x**3 + (a >= b) * x**4


def in_a_heap(x):
    heap = []
    for place in (3, 1, 2):
        heapq.heappush(heap, Step(place, x * place))
    total = 0.0
    while heap:
        total = total * x + heapq.heappop(heap).length  # 1 * x, 2 * x, 3 * x
    return total


def in_order(x):
    steps = [Step(3, x), Step(1, x * x), Step(3, 0.2 * x)]
    steps.sort()
    return sum((place + 1) * step.length for place, step in enumerate(steps))


def of_a_class_derived(x):
    a, b = Later(1, x), Later(1, 2.0 * x)
    return a.length if a < b else b.length**2


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (compared, 0.5, 2.0 + 3 * 0.5**2 + 4 * 0.5**3),
        (compared, 2.0, 3.0 + 2 * 2.0),
        (in_a_heap, 2.0, 3.0 * 4.0 + 4.0 * 2.0 + 3.0),
        (in_order, 2.0, 2.0 * 2.0 + 0.4 + 3.0),
        (of_a_class_derived, 1.5, 1.0),
    ],
)
def test_gradients(function, x, expected):
    assert grad(function)(x) == pytest.approx(expected, rel=1e-14)
    assert value_and_grad(function)(x)[0] == function(x)
