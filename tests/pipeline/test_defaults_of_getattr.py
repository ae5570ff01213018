"""``getattr`` with a default: the default is what counts where there is no such attribute, or it is refused."""

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


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


@pytest.mark.parametrize(
    "function", [active_default, active_default_of_a_made_object, constant_default_of_a_made_object], ids=lambda f: f.__name__
)
def test_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match="line "):
        grad(function)(1.5)
