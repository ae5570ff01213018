"""Numbers that are stored in a class, and read through one of its objects or subclasses, go through an object outside."""

from __future__ import annotations

import operator

import pytest

from s2sad import grad
from s2sad.errors import S2sadError


class Kept:
    value = 1.0


class Derived(Kept):
    pass


class Counting:
    total = 0.0
    factor = 3.0

    def __init__(self, size):
        self.size = size

    def step(self, v):
        Counting.total = Counting.total + v
        return v * self.size

    def put(self, v):
        type(self).total = v
        return self.total

    @classmethod
    def set_total(cls, v):
        cls.total = v

    def own(self, v):
        self.total = self.total + v
        return self.total


@pytest.fixture(autouse=True)
def _as_before():
    yield
    for cls, name, value in [(Kept, "value", 1.0), (Counting, "total", 0.0)]:
        setattr(cls, name, value)
    if "value" in vars(Derived):
        del Derived.value


def by_an_object(x):
    Kept.value = x * x
    return Kept().value * x


def by_an_older_object(x):
    kept = Kept()
    setattr(Kept, "value", x * x)
    return kept.value * x


def by_an_object_of_a_subclass(x):
    Kept.value = x * x
    return Derived().value * x


def in_a_subclass(x):
    Derived.value = x * x
    return Derived().value * x


def through_the_class_of_an_object(x):
    kept = Kept()
    kept.__class__.value = x * x
    return kept.value * x


def by_methods(x):
    counting = Counting(2.0)
    return counting.step(x * x) * counting.step(x) + counting.total


def by_one_method(x):
    return Counting(1.0).put(x * x)


def by_a_class_method(x):
    counting = Counting(1.0)
    counting.set_total(x * x)
    return counting.total


def by_an_argument(x):
    def inner(kept, y):
        Kept.value = y
        return kept.value

    return inner(Kept(), x * x)


def in_a_class_that_is_made(x):
    made = type("Made", (), {"value": x})
    return made.value * x


def in_a_list_that_a_method_caller_changes(x):
    found = []
    operator.methodcaller("append", x * x)(found)
    return found[0] * x


def in_a_list_by_a_method_caller_with_a_name(x):
    found, store = [1.0], operator.methodcaller("__setitem__", 0, x * x)
    store(found)
    return found[0] * x


def in_a_dict_that_exec_fills(x):
    found = {}
    exec("y = x * x", {"x": x}, found)
    return found["y"] * x


LOST = [
    by_an_object,
    by_an_older_object,
    by_an_object_of_a_subclass,
    in_a_subclass,
    through_the_class_of_an_object,
    by_methods,
    by_one_method,
    by_a_class_method,
    by_an_argument,
    in_a_class_that_is_made,
    in_a_list_that_a_method_caller_changes,
    in_a_list_by_a_method_caller_with_a_name,
    in_a_dict_that_exec_fills,
]


@pytest.mark.parametrize("function", LOST, ids=lambda function: function.__name__)
def test_a_derivative_that_would_be_lost_is_refused(function):
    with pytest.raises(S2sadError, match=r"a derivative passes through|exec\(\) may put"):
        grad(function)(2.0)


def test_constants_of_the_class_and_numbers_of_the_object():
    def constant(x):
        Counting.total = 2.0
        counting = Counting(x)
        return counting.total * counting.size * counting.factor

    def counted_only(x):
        counting = Counting(2.0)
        counting.step(x)  # what the class has is not read again
        return counting.size * x * x

    def of_the_object(x):
        counting = Counting(2.0)
        return counting.own(x * x) * counting.own(x)

    assert grad(constant)(1.5) == 6.0
    assert grad(counted_only)(1.5) == 6.0
    Counting.total = 0.0
    assert grad(of_the_object)(2.0) == 4 * 8.0 + 3 * 4.0  # x**4 + x**3
