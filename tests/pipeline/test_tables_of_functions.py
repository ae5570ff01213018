"""Lists and dicts of functions that change: between calls, and while the function runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError

REFUSALS = (UnsupportedSyntaxError, MissingRuleError)


def square(x):
    return x * x


def cube(x):
    return x**3


FUNCTIONS = []
TABLE = {}


@pytest.fixture(autouse=True)
def _start():
    start()


def start():
    FUNCTIONS[:] = [square, math.sin]
    TABLE.clear()
    TABLE.update(first=square, second=math.sin)


@grad
def total(x):
    result = 0.0
    for function in FUNCTIONS:
        result += function(x)
    return result


@grad
def at_index(x, index):
    return FUNCTIONS[index](x)


@grad
def named(x, name):
    return TABLE[name](x)


@grad
def all_named(x):
    result = 0.0
    for name, function in TABLE.items():
        result += function(x) * len(name)
    return result


@grad
def named_or(x, name):
    return TABLE.get(name, cube)(x)


def test_functions_that_are_replaced():
    assert (total(0.7), at_index(0.7, 0), named(0.7, "first")) == pytest.approx((1.4 + math.cos(0.7), 1.4, 1.4))
    FUNCTIONS[0] = TABLE["first"] = cube
    assert (total(0.7), at_index(0.7, 0), named(0.7, "first")) == pytest.approx((1.47 + math.cos(0.7), 1.47, 1.47))


def test_functions_that_come_and_go():
    assert all_named(0.7) == pytest.approx(5 * 1.4 + 6 * math.cos(0.7))
    FUNCTIONS.append(cube)
    TABLE["the third"] = cube
    assert total(0.7) == pytest.approx(1.4 + math.cos(0.7) + 1.47)
    assert all_named(0.7) == pytest.approx(5 * 1.4 + 6 * math.cos(0.7) + 9 * 1.47)
    assert named(0.7, "the third") == at_index(0.7, 2) == at_index(0.7, -1) == pytest.approx(1.47)
    del FUNCTIONS[0]
    del TABLE["first"]
    assert at_index(0.7, 0) == pytest.approx(math.cos(0.7))
    assert all_named(0.7) == pytest.approx(6 * math.cos(0.7) + 9 * 1.47)
    assert named_or(0.7, "first") == pytest.approx(1.47)


def test_one_and_none():
    del FUNCTIONS[1]
    assert total(0.7) == at_index(0.7, 0) == pytest.approx(1.4)
    FUNCTIONS.clear()
    TABLE.clear()
    assert total(0.7) == all_named(0.7) == 0.0


def test_what_is_not_there():
    with pytest.raises(KeyError, match="'other'"):
        named(0.7, "other")
    with pytest.raises(IndexError, match="list index out of range"):
        at_index(0.7, 2)
    with pytest.raises(IndexError, match="list index out of range"):
        at_index(0.7, -3)
    TABLE.clear()
    with pytest.raises(KeyError, match="'first'"):
        named(0.7, "first")


def replaced_by_a_helper(x):
    before = TABLE["first"](x) + FUNCTIONS[0](x)
    replace()
    return before * TABLE["first"](x) * FUNCTIONS[0](x)


def replace():
    TABLE["first"] = FUNCTIONS[0] = cube


def appended_in_a_loop(x):
    for trip in range(3):
        for function in FUNCTIONS:
            x = x + 0.1 * function(x)
        if trip == 1:
            FUNCTIONS.append(math.cos)
    return x


def another_key_in_a_loop(x):
    table = {"first": square, "second": math.sin}
    for trip in range(3):
        for function in table.values():
            x = x + 0.1 * function(x)
        if trip == 1:
            table["third"] = math.cos
    return x


def another_key_between_loops(x):
    table = {"first": square, "second": math.sin}
    for function in table.values():
        x = x + 0.1 * function(x)
    table["third"] = math.cos
    for function in table.values():
        x = x + 0.1 * function(x)
    return x


def another_key_between_calls(x):
    table = {"first": square, "second": math.sin}
    before = added(table, x)
    table["third"] = math.cos
    return before * added(table, x)


def added(table, x):
    result = 0.0
    for function in table.values():
        result += function(x)
    return result


def another_order(x):
    table = {"first": square, "second": math.sin}
    table["first"] = table.pop("first")
    for function in table.values():
        x = x + 0.1 * function(x)
    return x


@pytest.mark.parametrize(
    "function",
    [
        replaced_by_a_helper,
        appended_in_a_loop,
        another_key_in_a_loop,
        another_key_between_loops,
        another_key_between_calls,
        another_order,
    ],
)
def test_tables_that_change_on_the_way_are_right_or_refused(function):
    def primal(x):
        start()
        return function(x)

    step = 1e-3
    expected = (8 * (primal(0.7 + step) - primal(0.7 - step)) - (primal(0.7 + 2 * step) - primal(0.7 - 2 * step))) / (12 * step)
    start()
    try:
        found = grad(function)(0.7)
    except REFUSALS:
        return
    assert found == pytest.approx(expected, rel=1e-8)


def test_what_stands_in_objects_that_differ_in_their_functions():
    class Layer:
        def __init__(self, weight, activation):
            self.weight, self.activation = weight, activation

    layers = [Layer(2.0, square), Layer(3.0, math.sin)]

    def network(x, layers):
        for layer in layers:
            x = layer.activation(layer.weight * x)
        return x

    assert grad(network)(0.7, layers) == pytest.approx(math.cos(3 * 1.4**2) * 3 * 2 * 1.4 * 2)
    layers[1].activation = square
    assert grad(network)(0.7, layers) == pytest.approx(2 * 3 * 1.4**2 * 3 * 2 * 1.4 * 2)
    layers.reverse()
    layers.append(Layer(1.0, cube))
    inner = 2 * (3 * 0.7) ** 2
    assert grad(network)(0.7, layers) == pytest.approx(3 * inner**4 * 2 * inner * 2 * 2 * (3 * 0.7) * 3)


def shifted(z):
    return z + 1.0


ACTIVATIONS = {"tanh": np.tanh, "shifted": shifted, "sin": np.sin}


def loss_by_name(x, parameters, names):
    for (weights, bias), name in zip(parameters, names):
        x = ACTIVATIONS[name](x @ weights + bias)
    return np.sum(x**2)


def loss_by_place(x, parameters, activations):
    for (weights, bias), activation in zip(parameters, activations):
        x = activation(x @ weights + bias)
    return np.sum(x**2)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_layers_of_arrays(layers):
    """Against differences of the eighth order."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 3))
    parameters = [(rng.normal(size=(3, 3)), rng.normal(size=3)) for _ in range(layers)]
    names = ["tanh", "shifted", "sin"]
    direction = rng.normal(size=x.shape)

    def along(function, given):
        step = 1e-2
        weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        return (
            sum(
                weight
                * (function(x + k * step * direction, parameters, given) - function(x - k * step * direction, parameters, given))
                for k, weight in weights.items()
            )
            / step
        )

    for function, given in ((loss_by_name, names), (loss_by_place, [ACTIVATIONS[name] for name in names])):
        assert np.sum(grad(function)(x, parameters, given) * direction) == pytest.approx(along(function, given), rel=1e-8)
