"""Copies and unions of dicts that hold lists, dicts and numbers side by side."""

import copy

import pytest

from s2sad import check_grads, grad
from s2sad.errors import UnsupportedSyntaxError


def starred(x):
    table = {"a": 2.0, **{"b": [x * x]}}
    return table["b"][0] * table["a"]


def starred_variable(x):
    other = {"b": [x * x], "a": x}
    table = {"a": 1.0, **other, "c": {"d": x}}
    return table["b"][0] * table["a"] * table["c"]["d"]


def united(x):
    table = {"a": x} | {"b": [x * x]}
    return table["b"][0] * table["a"]


def overridden(x):
    table = {"a": x, "b": [x]} | {"b": [x * x]}
    return table["b"][0] * table["a"]


def made(x):
    other = {"b": [x * x], "n": "text"}
    table = dict(other)
    table["b"].append(x)
    return table["b"][0] * other["b"][1] + len(other["b"]) + len(table["n"])


def made_with_names(x):
    other = {"b": [x * x]}
    table = dict(other, a=x, c=None)
    return table["b"][0] * table["a"]


def copied(x):
    other = {"b": [x * x], "a": x}
    table = other.copy()
    table["a"] = 3.0
    return table["b"][0] * other["a"] * table["a"]


def copied_by_module(x):
    other = {"b": {"c": x * x}, "a": x}
    table = copy.copy(other)
    table["b"]["c"] *= 2.0
    return other["b"]["c"] * other["a"]


def copied_deeply(x):
    other = {"b": [x * x], "a": x}
    table = copy.deepcopy(other)
    table["b"][0] *= 2.0
    return other["b"][0] * table["b"][0] * other["a"]


def numbers(x):
    table = {"a": x, "b": x * x}
    other = {**table, "a": 3.0}
    return other["a"] * other["b"] * table["a"]


def emptied(x):
    table = {"a": x}
    table.pop("a")
    other = {**table, "b": [x]}
    return other["b"][0] ** 2 * len(other)


PROGRAMS = [
    *(starred, starred_variable, united, overridden, made, made_with_names, copied, copied_by_module, copied_deeply),
    *(numbers, emptied),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f):
    check_grads(f, (1.3,))
    check_grads(grad(f), (1.3,))


@pytest.mark.parametrize("others", [{}, {"c": 1.0}], ids=["lists", "lists and a number"])
def test_a_list_in_two_places_is_no_deep_copy_by_parts(others):
    def f(x):
        q = [x]
        table = copy.deepcopy({"a": q, "b": q} | others)
        table["a"][0] = x * x
        return table["b"][0]

    assert f(1.5) == 1.5**2
    with pytest.raises(UnsupportedSyntaxError, match="two places"):
        grad(f)(1.5)


def test_arguments():
    def f(options):
        own = {**options, "scale": 3.0}
        return sum(own["weights"]) * own["scale"] * options["scale"]

    options = {"scale": 2.0, "weights": [1.0, 2.0]}
    assert grad(f)(options) == {"scale": 9.0, "weights": [6.0, 6.0]}


def test_without_a_derivative_the_copy_stays_as_it_is():
    def f(x, options):
        own = dict(options)
        return x ** own["power"]

    derivative = grad(f)
    options = {"power": 3.0, "names": ["a"]}
    assert derivative(2.0, options) == 12.0
    assert "own = dict(options)" in derivative.source(2.0, options)


def test_many_numbers_are_copied_in_a_loop():
    def f(table):
        own = dict(table)
        return own["key 7"] ** 2

    derivative = grad(f)
    table = {f"key {number}": float(number) for number in range(40)}
    assert derivative(table) == {key: 14.0 if key == "key 7" else 0.0 for key in table}
    assert len(derivative.source(table).splitlines()) < 40


@pytest.mark.parametrize("way", ["dict", "union", "copy", "names"])
def test_keys_that_are_not_known(way):
    def f(x, y):
        table = {"a": x, "b": [x]}
        if x > y:
            table["c"] = y
        if way == "dict":
            other = dict(table)
        elif way == "union":
            other = {"d": 1.0} | table
        elif way == "copy":
            other = table.copy()
        else:
            other = dict(table, d=2.0)
        return other["b"][0] * other["a"]

    with pytest.raises(UnsupportedSyntaxError):
        grad(f)(1.3, 1.0)
