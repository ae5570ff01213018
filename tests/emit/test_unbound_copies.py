"""Variables that may be unbound, and are handed from loop to loop under one name."""

from __future__ import annotations

import pytest

from s2sad import value_and_grad


def read_in_both_sweeps(x):
    if x > 1.0:
        for i in range(3):
            pass
        count = 0
        while True:
            count += 1
            if count > 5 or i > 3:
                break
            x = x * 2.0 if i > 1 else 0.3 * x
    for i in range(1, 3):
        pass
    return 0.1 * i * 0.1 * i * x + 0.5 * x


@pytest.mark.parametrize(("x", "slope"), [(0.5, 0.04 + 0.5), (1.5, (0.04 + 0.5) * 2.0**5)])
def test_a_variable_that_is_bound_later(x, slope):
    value, gradient = value_and_grad(read_in_both_sweeps)(x)
    assert value == read_in_both_sweeps(x)
    assert gradient == pytest.approx(slope, rel=1e-14)
