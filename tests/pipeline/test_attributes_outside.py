"""Attributes of classes, modules and functions that a function reads: read live, and no reason to generate code anew."""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import types
from typing import ClassVar

import numpy as np
import pytest

from s2sad import grad
from s2sad.pipeline.generate import Generator


class Constants:
    scale = 2.0
    power = 3
    pair = (1.0, 2.0)
    row: ClassVar = [1.0, 2.0]
    table: ClassVar = {"a": 1.5}

    class Inner:
        offset = 3.0

    @classmethod
    def from_class(cls, x):
        return cls.scale * x * x

    @staticmethod
    def cube(x):
        return x**3 * Constants.scale

    @property
    def three(self):
        return 3.0

    def run(self, x):
        return self.Inner.offset * x * x * self.power


@dataclasses.dataclass
class Line:
    slope: float

    def __call__(self, x):
        return self.slope * x * x


class Kind(enum.Enum):
    WEAK = 1.5


module = types.ModuleType("constants")
module.scale = 2.0
module.power = 3
module.row = [1.0, 2.0]
module.Constants = Constants
module.Kind = Kind
module.line = Line(3.0)
module.object = Constants()
module.partial = functools.partial(Constants.cube)


def annotated(x):
    return x * x * annotated.weight


annotated.weight = 3.0

FUNCTIONS = {
    "number of a class": (lambda x: x * x * Constants.scale, lambda x: 4.0 * x),
    "power of a class": (lambda x: x**Constants.power, lambda x: 3.0 * x**2),
    "tuple of a class": (lambda x: x * x * Constants.pair[1], lambda x: 4.0 * x),
    "list of a class": (lambda x: x * x * Constants.row[1], lambda x: 4.0 * x),
    "dict of a class": (lambda x: x * x * Constants.table["a"], lambda x: 3.0 * x),
    "class of a class": (lambda x: x * x * Constants.Inner.offset, lambda x: 6.0 * x),
    "method of a class": (lambda x: Constants.from_class(x), lambda x: 4.0 * x),
    "static method": (lambda x: Constants.cube(x), lambda x: 6.0 * x**2),
    "bound method": (Constants().run, lambda x: 18.0 * x),
    "number of a module": (lambda x: x * x * module.scale, lambda x: 4.0 * x),
    "power of a module": (lambda x: x**module.power, lambda x: 3.0 * x**2),
    "list of a module": (lambda x: x * x * module.row[1], lambda x: 4.0 * x),
    "class of a module": (lambda x: x * x * module.Constants.scale, lambda x: 4.0 * x),
    "member of a module": (lambda x: x * x * module.Kind.WEAK.value, lambda x: 3.0 * x),
    "callable of a module": (lambda x: module.line(x), lambda x: 6.0 * x),
    "object of a module": (lambda x: module.object.cube(x) * module.object.three, lambda x: 18.0 * x**2),
    "method of an object of a module": (lambda x: module.object.from_class(x), lambda x: 4.0 * x),
    "partial of a module": (lambda x: module.partial(x), lambda x: 6.0 * x**2),
    "attribute of a function": (annotated, lambda x: 6.0 * x),
    "asked for by name": (lambda x: x * x * getattr(Constants, "scale", 1.0), lambda x: 4.0 * x),
}


@pytest.fixture
def runs(monkeypatch):
    """How often code was generated."""
    found: list[str] = []
    gradient = Generator.gradient

    def counted(self, function, *args, **kwargs):
        found.append(function.__name__)
        return gradient(self, function, *args, **kwargs)

    monkeypatch.setattr(Generator, "gradient", counted)
    return found


@pytest.mark.parametrize("label", FUNCTIONS)
def test_one_run_for_all_calls(runs, label):
    function, derivative = FUNCTIONS[label]
    gradient = grad(function)
    for x in (0.5, 1.5, 2.5, 3.5):
        assert gradient(x) == pytest.approx(derivative(x), rel=1e-14)
    assert len(runs) == 1


@pytest.mark.parametrize("label", FUNCTIONS)
def test_second_derivatives(label):
    function, derivative = FUNCTIONS[label]
    step = 1e-3
    want = (derivative(1.5 + step) - derivative(1.5 - step)) / (2 * step)  # exact: a polynomial of degree two at most
    assert grad(grad(function))(1.5) == pytest.approx(want, rel=1e-9)


def test_numbers_are_read_live(runs, monkeypatch):
    for owner in (Constants, module):
        gradient = grad(lambda x, owner=owner: x * x * owner.scale)
        assert gradient(1.0) == 4.0
        monkeypatch.setattr(owner, "scale", 5.0)
        assert gradient(1.0) == 10.0
        assert len(runs) == 1
        monkeypatch.setattr(owner, "scale", 5)  # of another type
        assert gradient(1.0) == 10.0
        assert len(runs) == 2
        runs.clear()


def test_what_is_called_is_noticed_when_it_is_another(monkeypatch):
    gradient = grad(lambda x: module.line(x) + Constants.cube(x) + Constants.from_class(x))
    assert gradient(1.0) == 6.0 + 6.0 + 4.0
    monkeypatch.setattr(module, "line", Line(5.0))
    assert gradient(1.0) == 10.0 + 6.0 + 4.0
    monkeypatch.setattr(Constants, "cube", staticmethod(math.sin))
    assert gradient(1.0) == pytest.approx(10.0 + math.cos(1.0) + 4.0, rel=1e-14)
    monkeypatch.setattr(Constants, "from_class", classmethod(lambda cls, x: 7.0 * x))
    assert gradient(1.0) == pytest.approx(10.0 + math.cos(1.0) + 7.0, rel=1e-14)


class Mesh:
    def __init__(self):
        self.u = np.zeros((3, 2))
        self.left = self.u[:, 0]


class Solver:
    def __init__(self):
        self.mesh = Mesh()

    def solve(self, x):
        self.mesh.u[:, 0] = x
        self.mesh.u[:, 1] = self.mesh.left**2
        return np.sum(self.mesh.u**3)


def test_arrays_that_an_object_in_an_object_keeps(runs):
    x = np.array([0.5, 1.0, 1.5])
    solve = Solver().solve
    gradient = grad(solve)
    assert np.allclose(gradient(x), 3 * x**2 + 6 * x**5, rtol=1e-14)
    count = len(runs)
    assert np.allclose(gradient(2 * x), 3 * (2 * x) ** 2 + 6 * (2 * x) ** 5, rtol=1e-14)
    assert len(runs) == count
    second = grad(lambda x: np.sum(grad(solve)(x)))
    assert np.allclose(second(x), 6 * x + 30 * x**4, rtol=1e-14)
    assert len(runs) < count + 8  # it was generated again and again, with another variable outside each time
