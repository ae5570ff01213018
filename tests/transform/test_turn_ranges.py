"""Loops over ranges from their end."""

from __future__ import annotations

import pytest

from s2sad import grad, value_and_grad


@pytest.mark.parametrize("bounds", [(4,), (0,), (1, 5), (5, 1), (-2, 3, 1), (5, 1, -1), (1, 5, -1), (7, 0, -2), (0, 7, 3)])
def test_every_trip_is_made_in_its_order(bounds):
    seen = []

    def product(x):
        total = x
        for k in reversed(range(*bounds)):
            total = total * x + k
        return total

    def trips(x):
        for k in reversed(range(*bounds)):
            seen.append(k)
        return x

    def by_hand(x):
        total, slope = x, 1.0
        for k in reversed(range(*bounds)):
            total, slope = total * x + k, slope * x + total
        return slope

    assert value_and_grad(product)(0.7)[0] == product(0.7)
    assert grad(product)(0.7) == pytest.approx(by_hand(0.7), rel=1e-13)
    assert trips(1.0) == 1.0
    assert seen == [*reversed(range(*bounds))]


def nested(x, n):
    total = 0.0
    for i in reversed(range(n)):
        for j in reversed(range(i, n + 1)):
            total = total * x + i * j
    return total


def test_nothing_is_saved_of_the_index():
    text = grad(nested).source(0.5, 3)
    assert "for i in range(n - 1, -1, -1):" in text
    assert "for i in range(n):" in text
    assert "i_saved" not in text
    step = 1e-5
    by_differences = (nested(0.5 + step, 3) - nested(0.5 - step, 3)) / (2 * step)
    assert grad(nested)(0.5, 3) == pytest.approx(by_differences, rel=1e-8)


def kept(x, n):
    indices = reversed(range(n))
    first = next(indices)
    for k in indices:
        x = x * k + first
    return x


def test_an_iterator_that_is_read_twice_is_left_alone():
    step = 1e-5
    by_differences = (kept(0.5 + step, 5) - kept(0.5 - step, 5)) / (2 * step)
    assert grad(kept)(0.5, 5) == pytest.approx(by_differences, rel=1e-8, abs=1e-9)
