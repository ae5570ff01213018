"""``sum`` of objects begins with the number 0, of which their class makes the first sum."""

from typing import NamedTuple

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


class Real:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Real(self.value + other.value) if isinstance(other, Real) else Real(self.value + other)

    __radd__ = __add__


class Uncertain:
    def __init__(self, value, error=0.0):
        self.value = value
        self.error = error

    def __add__(self, other):
        if not isinstance(other, Uncertain):
            other = Uncertain(other)
        return Uncertain(self.value + other.value, (self.error**2 + other.error**2) ** 0.5)

    def __radd__(self, other):
        return self + other

    def __mul__(self, other):
        return Uncertain(self.value * other.value, self.error * other.value)


class Pair(NamedTuple):
    a: float
    b: float

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __radd__(self, other):
        return self if other == 0 else self + other


def of_a_list(x):
    return sum([Real(x), Real(x * x)]).value


def of_a_generator(x):
    return sum(Real(x * x * k) for k in range(3)).value


def of_what_lifts_its_operand(x):
    total = sum([Uncertain(x, 1.0), Uncertain(x * x, 2.0), Uncertain(3.0, x)])
    return total.value * total.error


def of_named_tuples(x):
    return sum([Pair(x, 1.0), Pair(x * x, x)]).a


def of_products(x):
    return sum(one * one for one in [Uncertain(x, 1.0), Uncertain(x, x)]).value


def with_a_start(x):
    return sum([Real(x), Real(x * x)], Real(0.0)).value


@pytest.mark.parametrize(
    ("program", "first", "second"),
    [
        (of_a_list, lambda x: 1 + 2 * x, lambda x: 2.0),
        (of_a_generator, lambda x: 6 * x, lambda x: 6.0),
        (
            of_what_lifts_its_operand,
            lambda x: (1 + 2 * x) * (5 + x * x) ** 0.5 + (x + x * x + 3) * x / (5 + x * x) ** 0.5,
            None,
        ),
        (of_named_tuples, lambda x: 1 + 2 * x, lambda x: 2.0),
        (of_products, lambda x: 4 * x, lambda x: 4.0),
        (with_a_start, lambda x: 1 + 2 * x, lambda x: 2.0),
    ],
)
def test_derivatives(program, first, second):
    assert grad(program)(1.5) == pytest.approx(first(1.5), rel=1e-13)
    if second is not None:
        assert grad(grad(program))(1.5) == pytest.approx(second(1.5), rel=1e-13)


def pairs_of_one_iterator(items):
    iterator = iter(items)
    return sum(a * b for a, b in zip(iterator, iterator, strict=False))


def test_an_iterator_used_twice_in_one_call_is_refused_with_a_way_out():
    with pytest.raises(UnsupportedSyntaxError, match=r"xs\[::2\] and xs\[1::2\]"):
        grad(pairs_of_one_iterator)([1.0, 2.0])
    assert grad(lambda xs: sum(a * b for a, b in zip(xs[::2], xs[1::2], strict=True)))([1.0, 2.0, 3.0, 4.0]) == [
        2.0,
        1.0,
        4.0,
        3.0,
    ]
