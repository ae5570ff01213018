"""Members of enumerations of numbers compute as the numbers that they are."""

import enum

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import MissingRuleError


class Order(enum.IntEnum):
    FIRST = 2
    SECOND = 5


class Rate(float, enum.Enum):
    SLOW = 0.5
    FAST = 4.0


class Own(enum.IntEnum):
    ONE = 1

    def __mul__(self, other):
        return other * 7.0


def by_operators(x):
    return Order.SECOND * x + x**Order.FIRST - x / Order.FIRST + pow(x, Order.FIRST) + -Order.FIRST * x


def of_rates(x):
    rate = Rate.FAST if x > 1.0 else Rate.SLOW
    return x * Rate.SLOW + Rate.FAST**x + rate.value * x


def given(x, order=Order.FIRST):
    return order * x**order


def in_a_loop(x):
    return sum(x**order * order for order in Order)


def of_own_operators(x):
    return Own.ONE * x


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (by_operators, 5.0 + 2 * 1.5 - 0.5 + 2 * 1.5 - 2.0),
        (of_rates, 0.5 + 4.0**1.5 * 1.3862943611198906 + 4.0),
        (given, 2 * 2 * 1.5),
        (in_a_loop, 4 * 1.5 + 25 * 1.5**4),
    ],
)
def test_gradients(function, expected):
    assert grad(function)(1.5) == pytest.approx(expected, rel=1e-14)
    value = value_and_grad(function)(1.5)[0]
    assert value == function(1.5)
    assert type(value) is float


def test_another_member():
    derivative = grad(given)
    assert [derivative(1.5, order) for order in (Order.FIRST, Order.SECOND, 3)] == [6.0, 25 * 1.5**4, 9 * 1.5**2]


def test_operators_of_its_own():
    with pytest.raises(MissingRuleError, match=r"test_enumerations\.py"):
        grad(of_own_operators)(1.5)


class Scale(enum.Enum):
    SMALL = 0.5
    LARGE = 3

    def apply(self, x):
        return x * x * self.value


def test_a_method_of_a_member_that_a_call_gives():
    assert grad(lambda x: Scale(3).apply(x) + Scale(0.5).apply(x))(1.5) == 2 * 1.5 * 3.5
    assert grad(grad(lambda x: Scale(3).apply(x)))(1.5) == 6.0
    with pytest.raises(ValueError, match="7 is not a valid"):
        grad(lambda x: x * Scale(7).value)(1.5)


def test_a_member_that_only_the_running_program_knows():
    with pytest.raises(MissingRuleError, match=r"only the running program knows which one(.|\n)*branches of an `if`(.|\n)*File"):
        grad(lambda x, value: Scale(value).apply(x))(1.5, 3)
