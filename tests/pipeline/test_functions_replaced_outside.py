"""Functions in containers and objects outside, which a helper replaces by others: never the derivative of the old one."""

from __future__ import annotations

import enum
import math
import types

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError

REFUSALS = (UnsupportedSyntaxError, MissingRuleError)


def square(x):
    return x * x


def cube(x):
    return x**3


class Square:
    def __call__(self, x):
        return x * x


class Cube:
    def __call__(self, x):
        return x**3


class Mode(enum.Enum):
    FIRST = 1
    SECOND = 2


class Holder:
    function = None

    def swap(self):
        self.function = cube


table = {}
row = []
holder = Holder()


@pytest.fixture(autouse=True)
def start():
    """All hold what makes a square of x, until a helper has them make a cube."""
    table.clear()
    table.update(
        one=square, pair=(square, cube), inner={"one": square}, cls=Square, instance=Square(), mode=Mode.FIRST, none=None
    )
    row[:] = [square]
    holder.function = square
    holder.functions = [square]


def by_key():
    table["one"] = cube


def by_update():
    table.update({"one": cube})


def by_setdefault():
    del table["one"]
    table.setdefault("one", cube)


def by_helper_of_helper():
    by_key()


def by_lambda():
    table["one"] = lambda x: x**3


def by_pair():
    table["pair"] = (cube, square)


def by_inner_key():
    table["inner"]["one"] = cube


def by_inner_dict():
    table["inner"] = {"one": cube}


def by_class():
    table["cls"] = Cube


def by_instance():
    table["instance"] = Cube()


def by_mode():
    table["mode"] = Mode.SECOND


def by_none():
    table["none"] = cube


def by_index():
    row[0] = cube


def by_slice():
    row[:] = [cube]


def by_insert():
    row.insert(0, cube)


def by_pop():
    row.append(cube)
    row.pop(0)


def by_reverse():
    row.append(cube)
    row.reverse()


def by_attribute():
    holder.function = cube


def by_setattr():
    setattr(holder, "function", cube)


def by_list_of_object():
    holder.functions[0] = cube


def by_argument(functions):
    functions["one"] = cube


def apply_first(x):
    return row[0](x)


CALLS = {
    "key": lambda x: (by_key(), table["one"](x))[1],
    "update": lambda x: (by_update(), table["one"](x))[1],
    "setdefault": lambda x: (by_setdefault(), table["one"](x))[1],
    "helper of helper": lambda x: (by_helper_of_helper(), table["one"](x))[1],
    "lambda": lambda x: (by_lambda(), table["one"](x))[1],
    "argument": lambda x: (by_argument(table), table["one"](x))[1],
    "get": lambda x: (by_key(), table.get("one")(x))[1],
    "pair": lambda x: (by_pair(), table["pair"][0](x))[1],
    "inner key": lambda x: (by_inner_key(), table["inner"]["one"](x))[1],
    "inner dict": lambda x: (by_inner_dict(), table["inner"]["one"](x))[1],
    "class": lambda x: (by_class(), table["cls"]()(x))[1],
    "instance": lambda x: (by_instance(), table["instance"](x))[1],
    "none": lambda x: (by_none(), table["none"](x))[1],
    "index": lambda x: (by_index(), row[0](x))[1],
    "slice": lambda x: (by_slice(), row[0](x))[1],
    "insert": lambda x: (by_insert(), row[0](x))[1],
    "pop": lambda x: (by_pop(), row[0](x))[1],
    "reverse": lambda x: (by_reverse(), row[0](x))[1],
    "loop": lambda x: (by_slice(), sum(f(x) for f in row))[1],
    "in another": lambda x: (by_index(), apply_first(x))[1],
    "attribute": lambda x: (by_attribute(), holder.function(x))[1],
    "setattr": lambda x: (by_setattr(), holder.function(x))[1],
    "method": lambda x: (holder.swap(), holder.function(x))[1],
    "list of object": lambda x: (by_list_of_object(), holder.functions[0](x))[1],
}


@pytest.mark.parametrize("label", CALLS)
def test_calls_of_what_was_replaced_are_refused(label):
    with pytest.raises(REFUSALS, match=r"File .*test_functions_replaced_outside"):
        grad(CALLS[label])(0.7)


@pytest.mark.parametrize("label", CALLS)
def test_second_derivatives_are_refused(label):
    with pytest.raises(REFUSALS, match=r"File .*test_functions_replaced_outside"):
        grad(grad(CALLS[label]))(0.7)


def test_a_list_of_an_enclosing_function():
    functions = [square]

    def swap():
        functions[0] = cube

    def apply(x):
        swap()
        return functions[0](x)

    with pytest.raises(UnsupportedSyntaxError, match="which function is called here"):
        grad(apply)(0.7)


def by_identity(x):
    by_key()
    return x * x if table["one"] is square else x**3


def by_member(x):
    by_mode()
    return x * x if table["mode"] is Mode.FIRST else x**3


def by_presence(x):
    by_none()
    return x * x if table["none"] is None else x**3


def by_number_of_functions(x):
    by_insert()
    return x ** (len(row) + 1)


@pytest.mark.parametrize("function", [by_identity, by_member, by_presence, by_number_of_functions])
def test_what_is_compared_is_that_which_is_there_now(function):
    start = dict(table), list(row)
    assert grad(function)(0.7) == pytest.approx(3 * 0.7**2)
    table.update(start[0])
    row[:] = start[1]
    assert grad(grad(function))(0.7) == pytest.approx(6 * 0.7)


def test_replaced_between_calls():
    derivatives = [grad(lambda x: table["one"](x)), grad(lambda x: row[0](x)), grad(lambda x: holder.function(x))]
    for function, expected in ((square, 1.4), (cube, 3 * 0.49), (math.exp, math.exp(0.7)), (square, 1.4)):
        table["one"] = row[0] = holder.function = function
        np.testing.assert_allclose([derivative(0.7) for derivative in derivatives], expected, rtol=1e-14)


def test_functions_that_are_only_kept():
    kept = []

    def note(function):
        kept.append(function)

    def noted(x):
        note(square)
        return square(x)

    assert grad(noted)(0.7) == pytest.approx(1.4)


class Holding:
    rule = staticmethod(square)
    count = 0


holding = types.ModuleType("holding")
holding.rule = square


def in_a_class(x):
    Holding.rule = staticmethod(cube)
    return Holding.rule(x)


def in_a_module(x):
    holding.rule = cube
    return holding.rule(x)


def in_a_function(x):
    cube.rule = lambda y: y * 2.0
    return cube.rule(x)


def in_a_class_by_setattr(x):
    setattr(Holding, "rule", math.sin)
    return Holding.rule(x)


@pytest.mark.parametrize("function", [in_a_class, in_a_module, in_a_function, in_a_class_by_setattr])
def test_functions_put_into_classes_modules_and_functions(function):
    with pytest.raises(UnsupportedSyntaxError, match="keep it in a variable") as refused:
        grad(function)(0.7)
    assert __file__ in str(refused.value)


def test_the_way_out():
    def kept_in_a_variable(x):
        rule = Holding.rule
        rule = cube
        Holding.count = Holding.count + 1
        return rule(x)

    assert grad(kept_in_a_variable)(0.7) == pytest.approx(3 * 0.49, rel=1e-14)
