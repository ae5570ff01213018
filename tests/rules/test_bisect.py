"""Where an element belongs in a sorted list is piecewise constant."""

from __future__ import annotations

import bisect
import math

from s2sad import grad


def interpolated(x: float, knots: list[float], values: list[float]) -> float:
    index = min(max(bisect.bisect_right(knots, x) - 1, 0), len(knots) - 2)
    weight = (x - knots[index]) / (knots[index + 1] - knots[index])
    return (1 - weight) * values[index] + weight * values[index + 1]


def test_interpolation_between_knots() -> None:
    x_bar, knots_bar, values_bar = grad(interpolated, argnums=(0, 1, 2))(1.25, [0.0, 1.0, 3.0], [0.0, 1.0, 5.0])
    assert math.isclose(x_bar, 2.0)
    assert values_bar == [0.0, 0.875, 0.125]
    assert all(math.isclose(ours, true) for ours, true in zip(knots_bar, [0.0, -2.0 * 0.875, -2.0 * 0.125], strict=True))


def test_second_derivative() -> None:
    def squared(x: float) -> float:
        return x**2 * bisect.bisect([0.0, 1.0, 2.0], x)

    assert grad(grad(squared))(1.5) == 4.0
