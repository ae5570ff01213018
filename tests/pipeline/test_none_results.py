"""Functions that give None on some ways: a gradient where they give a number, an error where they do not."""

from __future__ import annotations

import pytest

from s2sad import grad, value_and_grad


def one_way(x):
    if x > 0:
        return x * x


def falls_off(x):
    for _ in range(5):
        x = x * x
        if x > 2:
            return x


def helper_without_result(x):
    doubled = one_way(-x)
    return x if doubled is None else doubled * x


@pytest.mark.parametrize(
    ("function", "x", "slope"), [(one_way, 1.5, 3.0), (falls_off, 1.5, 3.0), (helper_without_result, 2.0, 1.0)]
)
def test_a_number(function, x, slope):
    assert grad(function)(x) == pytest.approx(slope, rel=1e-14)
    assert value_and_grad(function)(x) == (function(x), pytest.approx(slope, rel=1e-14))


@pytest.mark.parametrize(("function", "x"), [(one_way, -1.0), (falls_off, 0.5)])
def test_none(function, x):
    for derivative in (grad(function), value_and_grad(function)):
        with pytest.raises(TypeError, match="gives None"):
            derivative(x)
