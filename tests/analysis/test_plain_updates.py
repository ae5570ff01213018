"""In-place operators on arrays that have a second name: what one name adds is read through the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from s2sad import grad

Array = np.ndarray

POINT = np.array([0.3, 0.5, -0.2])


def through_either_name(a: Array, c: float) -> float:
    x = np.zeros(3)
    other = np.ones(3)
    y = x if c > 0 else other
    x += a
    y += a * a
    return np.sum(x * x)


def second_name_given_in_a_loop(a: Array, c: float) -> float:
    x = np.zeros(3)
    y = np.ones(3)
    for k in range(4):
        if k == 2:
            y = x
        x += c * a * (k + 1)
        y += a * a
    return np.sum(x * x) + np.sum(y)


def second_name_kept(a: Array, c: float) -> float:
    x = np.zeros(3)
    y = x
    for _ in range(3):
        x += c * a
    return np.sum(y * x)


def second_name_in_each_step(a: Array, c: float) -> float:
    x = np.zeros(3)
    for k in range(3):
        z = x if c > 0 else np.ones(3)
        x += a * (k + 1.0)
        x += z * a
    return np.sum(x * x)


def named_again_in_each_arm(a: Array, c: float) -> float:
    x = np.zeros(3)
    if c > 0:
        x += a
        y = x
    else:
        y = x
    x += a * a
    return np.sum(y * y)


def derivative_by_hand(function: Callable[[Array, float], float], a: Array, c: float) -> Array:
    """The closed forms."""
    positive = c > 0
    if function is through_either_name:
        return 2 * (a + a * a) * (1 + 2 * a) if positive else 2 * a
    if function is second_name_given_in_a_loop:
        # x = 10 c a + 2 a a, and y is x from the third step on
        x, slope = 10 * c * a + 2 * a * a, 10 * c + 4 * a
        return 2 * x * slope + slope
    if function is second_name_kept:
        return 18 * c * c * a
    if function is second_name_in_each_step:
        x, slope = np.zeros(3), np.zeros(3)
        for k in range(3):
            x, slope = x + a * (k + 1), slope + (k + 1)
            z, z_slope = (x, slope) if positive else (np.ones(3), np.zeros(3))
            x, slope = x + z * a, slope + z_slope * a + z
        return 2 * x * slope
    x, slope = (a + a * a, 1 + 2 * a) if positive else (a * a, 2 * a)
    return 2 * x * slope


@pytest.mark.parametrize("c", [1.5, -1.5])
@pytest.mark.parametrize(
    "function",
    [through_either_name, second_name_given_in_a_loop, second_name_kept, second_name_in_each_step, named_again_in_each_arm],
)
def test_both_names_see_what_either_adds(function: Callable[[Array, float], float], c: float) -> None:
    np.testing.assert_allclose(grad(function)(POINT, c), derivative_by_hand(function, POINT, c), rtol=1e-12)
