"""Methods that are defined anew are noticed, and attributes that hide them."""

import dataclasses
from typing import NamedTuple

import pytest

from s2sad import grad


def make_class():
    class Spring:
        weight = 2.0

        def force(self, x):
            return x * self.weight

        def __add__(self, x):
            return x * self.weight

        @staticmethod
        def law(x):
            return x

        def energy(self, x):
            return self.force(x) + self.law(x) + (self + x)

    return Spring


@pytest.mark.parametrize(("name", "expected"), [("force", 5.0 - 2.0 + 12.0), ("__add__", 5.0 - 2.0 + 12.0)])
def test_a_method_that_is_defined_anew(name, expected):
    cls = make_class()
    gradient = grad(cls().energy)
    assert gradient(3.0) == 5.0
    setattr(cls, name, lambda self, x: x * x * self.weight)
    assert [gradient(3.0), gradient(3.0)] == [expected, expected]


def test_a_static_method_that_is_defined_anew():
    cls = make_class()
    gradient = grad(cls().energy)
    assert gradient(3.0) == 5.0
    cls.law = staticmethod(lambda x: x * x)
    assert gradient(3.0) == 4.0 + 6.0


def test_an_attribute_hides_a_method():
    instance = make_class()()
    gradient = grad(instance.energy)
    assert gradient(3.0) == 5.0
    instance.force = lambda x: 9 * x
    assert gradient(3.0) == 9.0 + 1.0 + 2.0


def make_cell():
    class Cell:
        def __init__(self, value):
            self.value = value

        @property
        def area(self):
            return self.value * self.value

        @classmethod
        def unit(cls, x):
            return 2 * x

    return Cell


def test_a_property_that_is_defined_anew():
    cls = make_cell()
    gradient = grad(lambda x: cls(x).area)
    assert gradient(3.0) == 6.0
    cls.area = property(lambda self: 5 * self.value)
    assert gradient(3.0) == 5.0


def test_a_class_method_that_is_defined_anew():
    cls = make_cell()
    gradient = grad(lambda x: cls(x).unit(x))
    assert gradient(3.0) == 2.0
    cls.unit = classmethod(lambda cls, x: 7 * x)
    assert gradient(3.0) == 7.0


def test_an_initialiser_that_is_defined_anew():
    cls = make_cell()
    gradient = grad(lambda x: cls(x).area)
    assert gradient(3.0) == 6.0

    def initialise(self, value):
        self.value = 3 * value

    cls.__init__ = initialise
    assert gradient(3.0) == 9 * 6.0


def test_the_initialiser_of_a_dataclass_that_is_defined_anew():
    @dataclasses.dataclass
    class Pair:
        first: float
        second: float

    def total(x):
        pair = Pair(x, x * x)
        return pair.first + pair.second

    gradient = grad(total)
    assert gradient(3.0) == 1.0 + 6.0

    def initialise(self, first, second):
        self.first, self.second = second, first * second

    Pair.__init__ = initialise
    assert gradient(3.0) == 6.0 + 27.0


class Scale:
    k = 3.0

    def __call__(self, x):
        return self.k * x


class Line(NamedTuple):
    slope: float

    def __call__(self, x):
        return self.slope * x

    def __add__(self, other):
        return Line(self.slope + other.slope)


SCALE = Scale()


@pytest.mark.parametrize(
    ("function", "cls"),
    [(lambda x: SCALE(x), Scale), (lambda x: (Line(1.0) + Line(2.0))(x), Line)],
    ids=["global", "named tuple"],
)
def test_a_call_operator_that_is_defined_anew(function, cls, monkeypatch):
    gradient = grad(function)
    assert gradient(2.0) == 3.0
    monkeypatch.setattr(cls, "__call__", lambda self, x: 5 * x * x)
    assert gradient(2.0) == 20.0
    monkeypatch.setattr(cls, "__call__", lambda self, x: x * x * x)
    assert gradient(2.0) == 12.0
