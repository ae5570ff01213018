"""The text does what the IR does in the same order, also where variables are shared."""

from __future__ import annotations

import math

from s2sad import grad


def test_saved_values_are_taken_in_order_where_an_adjoint_is_updated() -> None:
    def falling(x: float, k: int, steps: list[float]) -> float:
        if k == 0:
            return 1.0
        return (x - steps[0]) * falling(x, k - 1, steps)

    def thrice(x: float) -> float:
        total = 0.0
        for _ in range(3):
            total += falling(x, 2, [1.0, 2.0])
        return total

    assert grad(thrice)(0.5) == 3 * 2 * (0.5 - 1.0)  # of 3 * (x - 1)**2


def test_b_splines_by_recursion() -> None:
    knots = [0.0, 1.0, 2.5, 3.0, 4.5, 6.0]

    def spline(x: float) -> float:
        def basis(x: float, k: int, i: int) -> float:
            if k == 0:
                return 1.0 if knots[i] <= x < knots[i + 1] else 0.0
            left = 0.0 if knots[i + k] == knots[i] else (x - knots[i]) / (knots[i + k] - knots[i]) * basis(x, k - 1, i)
            after = knots[i + k + 1]
            right = 0.0 if after == knots[i + 1] else (after - x) / (after - knots[i + 1]) * basis(x, k - 1, i + 1)
            return left + right

        return sum(c * basis(x, 2, i) for i, c in enumerate([1.0, 3.0, -2.0]))

    # between the third and the fourth knot, a quadratic: central differences of any width are exact
    assert math.isclose(grad(spline)(2.7), (spline(2.8) - spline(2.6)) / 0.2, rel_tol=1e-12)
