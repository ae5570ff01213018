"""Classes with a metaclass, classes with slots, and parameters that are given by keyword alone."""

import abc
import inspect
import itertools
import math
from dataclasses import dataclass

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


class Base(abc.ABC):
    def __init__(self, w):
        self.w = w

    @abc.abstractmethod
    def of(self, x): ...

    def twice(self, x):
        return self.of(self.of(x))


class Linear(Base):
    def of(self, x):
        return self.w * x


class Square(Base):
    def of(self, x):
        return self.w * x * x


def derived_from_abstract(x):
    return Linear(x).of(x) + Square(2.0).twice(x)  # x ** 2 + 8 x ** 4


def abstract(x):
    return Base(x).w


def test_classes_derived_from_abstract_ones():
    assert grad(derived_from_abstract)(1.5) == pytest.approx(2 * 1.5 + 32 * 1.5**3)
    assert grad(grad(derived_from_abstract))(1.5) == pytest.approx(2 + 96 * 1.5**2)
    with pytest.raises(TypeError, match="abstract class Base"):
        grad(abstract)(1.5)


class Counted(type):
    made = 0

    def __call__(cls, *args):
        Counted.made += 1
        return super().__call__(*args)


class Made(metaclass=Counted):
    def __init__(self, x):
        self.x = x


def test_a_metaclass_that_makes_instances_itself():
    with pytest.raises(UnsupportedSyntaxError):
        grad(lambda x: Made(x).x)(1.5)


@dataclass(slots=True)
class Slotted:
    x: float


def squared(p):
    return p.x**2


def test_a_dataclass_with_slots():
    assert grad(lambda x: squared(Slotted(x)))(1.5) == 3.0
    assert grad(lambda x, p: x * p.x)(1.5, Slotted(2.0)) == 2.0
    assert grad(squared)(Slotted(1.5)) == Slotted(3.0)


def with_cycle(x):
    return sum(w * x**k for w, k in zip(itertools.cycle([1.0, -x]), range(5)))


def with_indices(x):
    items = [1.0, -x]
    return sum(items[k % len(items)] * x**k for k in range(5))


def test_advice_for_what_never_ends():
    with pytest.raises(UnsupportedSyntaxError, match=r"has no end; .* items\[k % len\(items\)\]"):
        grad(with_cycle)(1.1)
    x = 1.1  # 1 - x ** 2 + x ** 2 - x ** 4 + x ** 4
    assert grad(with_indices)(x) == pytest.approx(0.0, abs=1e-12)


def factor(x, *, k=2.0):
    return x * k


def test_keyword_only_parameters():
    assert str(inspect.signature(grad(factor))) == "(x, *, k=2.0)"
    assert grad(factor)(1.5, k=3.0) == 3.0
    with pytest.raises(TypeError):
        grad(factor)(1.5, 3.0)
    assert "def factor_adjoint(x, k=2.0):" in grad(factor).source(1.5)


class Respond:
    response = math.sin
    number = float

    def of(self, x):
        return self.response(x) * self.number(x)


def test_functions_in_c_that_stand_in_a_class():
    """They are no methods: the object is not handed to them."""
    value, slope = value_and_grad(lambda x: Respond().of(x))(0.7)
    assert value == math.sin(0.7) * 0.7
    assert slope == pytest.approx(math.sin(0.7) + 0.7 * math.cos(0.7))
