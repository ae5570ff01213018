"""``getattr`` with a default: the default is what counts where there is no such attribute."""

import pytest

from s2sad import grad


class Spring:
    length = 3.0

    def __init__(self, stiffness):
        self.stiffness = stiffness


spring = Spring(2.0)


def own(x):
    made = Spring(x)
    return made.stiffness * getattr(made, "stiffness", 2.0) * getattr(made, "length", 1.0)


def of_an_outer_object(x):
    return getattr(spring, "rest", 3.0) * x * getattr(spring, "length", x)


def active_default(x):
    return getattr(spring, "rest", x) * x


def active_default_of_a_made_object(x):
    made = Spring(x)
    return made.stiffness * getattr(made, "rest", x)


def constant_default_of_a_made_object(x):
    made = Spring(x)
    return made.stiffness * getattr(made, "rest", 2.0)


def test_followed():
    assert grad(own)(1.5) == 9.0
    assert grad(of_an_outer_object)(1.5) == 9.0


def set_in_one_branch(x, sets):
    made = Spring(x)
    if sets:
        made.rest = x * x
    return made.stiffness * getattr(made, "rest", 3.0 * x) + getattr(made, "slack", 1.0)


def set_in_a_loop(x, trips):
    made = Spring(x)
    total = 0.0
    for k in range(trips):
        total += getattr(made, "rest", x * x)
        made.rest = x * k
    return total


def test_the_attribute_may_be_missing():
    assert grad(active_default)(1.5) == 3.0
    assert grad(active_default_of_a_made_object)(1.5) == 3.0
    assert grad(constant_default_of_a_made_object)(1.5) == 2.0


def test_the_attribute_may_be_set_later():
    assert grad(set_in_one_branch)(1.5, True) == pytest.approx(3 * 1.5**2)
    assert grad(set_in_one_branch)(1.5, False) == pytest.approx(6 * 1.5)
    assert grad(set_in_a_loop)(1.5, 4) == pytest.approx(2 * 1.5 + 0 + 1 + 2)


def test_the_default_is_an_argument():
    spring.rest = 4.0
    try:
        assert grad(active_default)(1.5) == 4.0
    finally:
        del spring.rest
    assert grad(active_default)(1.5) == 3.0
