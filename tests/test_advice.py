"""What is said of containers that cannot be followed: the place in the user's file, and advice that helps."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


@dataclass(frozen=True)
class Frozen:
    x: float
    y: float


class Named(NamedTuple):
    x: float
    y: float


def of_frozen(x: float) -> float:
    point = Frozen(x, 2.0)
    return point.x * point.y


def of_named(x: float) -> float:
    point = Named(x, 2.0)
    return point.x * point.y


def of_deque(x: float) -> float:
    return sum(deque([x, 2 * x], maxlen=1))


def of_set(x: float) -> float:
    return sum({x, 2 * x})


def noted(v: float) -> float:
    print(v)
    return v * v


def of_generator(x: float) -> float:
    squares = (noted(v) for v in [x, 2 * x])
    return next(squares) + sum(squares)


def of_list(x: float) -> float:
    squares = [v * v for v in [x, 2 * x]]
    return sum(squares)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (of_deque, "collections.deque"),
        (of_set, "elements of a set; use a list"),
        (of_generator, "make a list of it first if all elements are wanted"),
    ],
)
def test_messages(function, words):  # type: ignore[no-untyped-def]
    with pytest.raises(UnsupportedSyntaxError, match=rf"{words}(.|\n)*test_advice.py") as caught:
        grad(function)(1.5)
    assert not str(caught.value).endswith(")")  # the place is told once


def test_as_advised() -> None:
    assert grad(of_frozen)(1.5) == 2.0
    assert grad(of_named)(1.5) == 2.0
    assert grad(of_list)(1.5) == 15.0
