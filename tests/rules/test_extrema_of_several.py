"""The least and the largest of three and more numbers, of Python and out of arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad


def warped(a, b):
    """Dynamic time warping."""
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost[i, j] = (a[i - 1] - b[j - 1]) ** 2 + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[len(a), len(b)]


def test_a_path_of_least_cost() -> None:
    a, b = np.array([0.1, 1.3, 0.8, 2.2]), np.array([0.0, 1.5, 2.0])
    # the path is (0, 0), (1, 1), (2, 1), (3, 2)
    pairs = [(0, 0), (1, 1), (2, 1), (3, 2)]
    assert warped(a, b) == pytest.approx(sum((a[i] - b[j]) ** 2 for i, j in pairs), rel=1e-15)
    expected_a, expected_b = np.zeros(4), np.zeros(3)
    for i, j in pairs:
        expected_a[i] += 2 * (a[i] - b[j])
        expected_b[j] -= 2 * (a[i] - b[j])
    first, second = grad(warped, argnums=(0, 1))(a, b)
    assert first == pytest.approx(expected_a, rel=1e-14)
    assert second == pytest.approx(expected_b, rel=1e-14)

    def along(a):
        return grad(warped)(a, b) @ np.array([1.0, 2.0, 3.0, 4.0])

    assert grad(along)(a) == pytest.approx([2.0, 4.0, 6.0, 8.0], rel=1e-14)


@pytest.mark.parametrize("function", [min, max])
@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_those_that_tie_share(function, kind) -> None:
    def chosen(x, y, z, w):
        return function(x, y, z, w) ** 2

    other = 9.0 if function is min else -9.0
    derivative = grad(chosen, argnums=(0, 1, 2, 3))
    assert derivative(*map(kind, (1.5, 1.5, other, 1.5))) == pytest.approx((1.0, 1.0, 0.0, 1.0), rel=1e-6)
    assert derivative(*map(kind, (other, 1.5, other, other))) == pytest.approx((0.0, 3.0, 0.0, 0.0))


def test_nothing_equals_a_nan() -> None:
    gradient = grad(lambda x, y, z: min(x, y, z), argnums=(0, 1, 2))(math.nan, 1.0, 2.0)
    assert gradient == (0.0, 0.0, 0.0)
