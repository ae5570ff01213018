"""Values that one way leaves unbound are copied without harm."""

from __future__ import annotations

import math

import pytest

from s2sad import value_and_grad


def returns_early(x: float, y: float, items: list[float]) -> float:
    if abs(y) > 0.9:
        return y or (x or y)
    y /= 1.5 + math.sin(items[-1])
    if abs(y) > 0.9:

        def unused() -> float:
            return x

        first = (x := x) * math.cos(x)
        if abs(x) > 0.9:
            return first or (x or x)
    return items[-1] + 1.5 * y


def test_a_value_that_is_returned_early_is_copied() -> None:
    gradient = value_and_grad(returns_early, argnums=(0, 1, 2))
    total = 1.5 + math.sin(0.371)
    value, (x_bar, y_bar, items_bar) = gradient(0.093, 0.817, [-0.643, 0.371])
    assert value == returns_early(0.093, 0.817, [-0.643, 0.371])
    assert x_bar == 0.0
    assert y_bar == pytest.approx(1.5 / total)
    assert items_bar == [0.0, pytest.approx(1.0 - 1.5 * 0.817 * math.cos(0.371) / total**2)]
    assert gradient(0.3, 2.0, [0.1, 0.2])[1] == (0.0, 1.0, [0.0, 0.0])


def test_what_the_user_leaves_unbound_raises() -> None:
    def program(x: float) -> float:
        if x > 1.0:
            part = x * x
        if x > -1.0:
            other = part
        else:
            other = 2.0
        return other * x

    gradient = value_and_grad(program)
    assert gradient(2.0) == (8.0, 12.0)
    assert gradient(-2.0) == (-4.0, 2.0)
    with pytest.raises(UnboundLocalError):
        gradient(0.5)


def test_a_variable_of_the_name_of_unused_targets() -> None:
    def program(x: float, y: float) -> float:
        _ = y * x

        def inner(v: float) -> float:
            return v + _

        for _i in range(3, 0, -1):
            if not _ > x:
                x = abs(math.cos(x))
        _ -= 0.5 * _ * inner(_)
        return _ + x

    value, gradient = value_and_grad(program, argnums=1)(0.8, 0.1)
    assert value == program(0.8, 0.1)
    assert gradient == pytest.approx(0.8 - 2 * 0.8**2 * 0.1)
