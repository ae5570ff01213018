"""Elements of iterators are computed when Python computes them: the same value, output and errors, and the right gradient."""

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError
from tests.corpus import lazy

XS = (1.0, 2.0, 0.5, 3.0)


def outcome(function, x):
    """What a call gives, or the error that it raises."""
    try:
        return function(x, [*XS], [])
    except (ArithmeticError, LookupError, ValueError, StopIteration) as error:
        return type(error), error.args


def slope(function, x):
    h = 1e-3
    near, far = (function(x + k, [*XS], []) - function(x - k, [*XS], []) for k in (h, 2 * h))
    return (8 * near - far) / (12 * h)


@pytest.mark.parametrize("function", lazy.EXACT, ids=lambda function: function.__name__)
@pytest.mark.parametrize("with_value", [False, True], ids=["grad", "value_and_grad"])
def test_as_in_python(function, with_value, capsys):
    value = outcome(function, 1.5)
    printed = capsys.readouterr().out
    found = outcome((value_and_grad if with_value else grad)(function), 1.5)
    if isinstance(value, tuple):
        assert found == value
        assert capsys.readouterr().out == printed or not with_value  # `grad` does not compute the value
        return
    assert capsys.readouterr().out == printed
    gradient = found
    if with_value:
        assert found[0] == value
        gradient = found[1]
    assert gradient == pytest.approx(slope(function, 1.5), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("function", lazy.REFUSED, ids=lambda function: function.__name__)
def test_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"lazy\.py"):
        value_and_grad(function)(1.5, [*XS], [])


def test_second_derivative_through_fused_loops():
    def f(x, xs):
        s = 0.0
        for i, y in enumerate(map(lambda v: v * x * x, filter(lambda v: v * x > 0.5, xs))):
            s += i * y * x
        return s * next(v * x for v in xs if v > 1.5)

    # with 1, 2, 3 left: (1 * 2 + 2 * 3) x^3 times 2 x
    assert grad(f)(1.5, [1.0, 2.0, 0.25, 3.0]) == pytest.approx(64 * 1.5**3)
    assert grad(grad(f))(1.5, [1.0, 2.0, 0.25, 3.0]) == pytest.approx(192 * 1.5**2)


def test_as_advised():
    def first_above(numbers, limit):
        for number in numbers:
            if number > limit:
                return number
        return limit

    def listed(x):
        return first_above([x / v for v in (1.0, 0.5)], 2.0)

    def looped(x):
        for v in (1.0, 0.5, 0.0):
            number = x / v
            if number > 2.0:
                return number
        return x

    assert grad(listed)(1.5) == grad(looped)(1.5) == 2.0


#: The derivative has an iterator that prints, beside elements that have a derivative: one more is refused.
ONCE = (lazy.zip_two_maps,)
GIVING_NUMBERS = [one for one in lazy.EXACT if one not in ONCE and not isinstance(outcome(one, 1.5), tuple)]


@pytest.mark.parametrize("function", GIVING_NUMBERS, ids=lambda function: function.__name__)
def test_second_and_third_derivatives(function, capsys):
    """By central differences of the derivative below."""
    for _ in range(2):
        function = grad(function)
        assert grad(function)(1.5, [*XS], []) == pytest.approx(slope(function, 1.5), rel=1e-5, abs=1e-6)
    capsys.readouterr()


@pytest.mark.parametrize("function", ONCE, ids=lambda function: function.__name__)
def test_second_derivatives_that_are_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match="all at once"):
        grad(grad(function))(1.5, [*XS], [])
