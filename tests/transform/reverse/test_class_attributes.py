"""Numbers that a class holds, read through its objects: constant, unless an object has its own."""

from __future__ import annotations

import pytest

from s2sad import grad


class Spring:
    scale = 2.0

    def __init__(self, stiffness: float) -> None:
        self.stiffness = stiffness

    def energy(self, x: float) -> float:
        return self.scale * self.stiffness * x


class Stiff(Spring):
    scale = 3.0

    def __init__(self, stiffness: float, own: bool) -> None:
        super().__init__(stiffness)
        if own:
            self.scale = stiffness * stiffness

    def tighten(self, x: float) -> float:
        self.scale *= x
        return self.scale


def of_the_class(x: float) -> float:
    return Spring(x).energy(x)  # 2 x**2


def of_some_objects(x: float) -> float:
    return Stiff(x, True).energy(x) + Stiff(x, False).energy(x)  # x**4 + 3 x**2


def set_later(x: float) -> float:
    spring = Stiff(x, False)
    return spring.tighten(x) + spring.tighten(x)  # 3 x + 3 x**2


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [(of_the_class, 6.0, 4.0), (of_some_objects, 22.5, 33.0), (set_later, 12.0, 6.0)],
)
def test_numbers_of_the_class(function, first, second):  # type: ignore[no-untyped-def]
    assert grad(function)(1.5) == pytest.approx(first, rel=1e-14)
    assert grad(grad(function))(1.5) == pytest.approx(second, rel=1e-14)
