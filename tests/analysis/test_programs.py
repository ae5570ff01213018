"""Function values, objects and opaque containers: right, or refused; never zero by accident."""

import pytest

from s2sad import grad
from s2sad.errors import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError
from tests.analysis import programs


def named(*prefixes):
    return [function for name, function in vars(programs).items() if name.startswith(prefixes)]


def difference(function, x, step=1e-5):
    """Central differences with one step of Richardson's extrapolation."""

    def central(h):
        return (function(x + h) - function(x - h)) / (2 * h)

    return (4 * central(step / 2) - central(step)) / 3


@pytest.mark.parametrize("x", [1.3, 0.7])
@pytest.mark.parametrize(
    "function", named("function_value_", "object_", "container_", "tuple_", "inactive_"), ids=lambda f: f.__name__
)
def test_supported(function, x):
    # a step that no kink is in: sorted and max meet at other values
    assert grad(function)(x) == pytest.approx(difference(function, x), rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("function", named("lost_", "refused_"), ids=lambda f: f.__name__)
def test_a_derivative_that_would_be_lost_is_refused(function):
    with pytest.raises((MissingRuleError, UnsupportedSyntaxError, NonDifferentiableError)) as caught:
        grad(function)(1.3)
    assert "line " in str(caught.value)
