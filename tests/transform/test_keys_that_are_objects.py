"""Dicts whose keys are objects that hold active numbers: looking up is followed; taking the keys out is refused by name."""

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


class Node:
    def __init__(self, value=0.0):
        self.value = value
        self.weight = 2.0

    def __hash__(self):
        return id(self)


def looked_up(x):
    nodes = [Node(), Node()]
    table = {node: x for node in nodes}
    for node in nodes:
        node.value = table[node] * x
    return nodes[0].value + x


def values_alone(x):
    nodes = [Node(), Node()]
    for node in nodes:
        node.value = x
    table = {node: x for node in nodes}
    return sum(table.values()) / 2 * nodes[0].value + x


def names(x):
    table = {"a": x, "b": x + 1}
    first, second = table
    return table[second] * table[first]


@pytest.mark.parametrize("f", [looked_up, values_alone, names], ids=lambda f: f.__name__)
def test_values(f):
    """Each computes x**2 + x."""
    assert f(1.5) == 1.5**2 + 1.5
    assert grad(f)(1.5) == pytest.approx(2 * 1.5 + 1)


def made(x):
    nodes = [Node(), Node()]
    return nodes, {node: 1.0 for node in nodes}


def looped(x):
    nodes, table = made(x)
    for node in table:
        node.value = x * x
    return nodes[0].value


def looped_over_keys(x):
    nodes, table = made(x)
    for node in table.keys():
        node.value = x * x
    return nodes[0].value


def looped_over_items(x):
    nodes, table = made(x)
    for node, factor in table.items():
        node.value = x * factor
    return nodes[0].value


def largest(x):
    nodes, table = made(x)
    max(table, key=table.get).value = x * x
    return nodes[0].value


def first(x):
    nodes, table = made(x)
    next(iter(table)).value = x * x
    return nodes[0].value


def popped(x):
    nodes, table = made(x)
    node, _ = table.popitem()
    node.value = x * x
    return nodes[1].value


def listed(x):
    nodes, table = made(x)
    list(table)[0].value = x * x  # noqa: RUF015
    return nodes[0].value


def ordered(x):
    nodes, table = made(x)
    sorted(table, key=lambda node: node.weight)[0].value = x * x
    return nodes[0].value


def unpacked(x):
    nodes, table = made(x)
    one, _ = table
    one.value = x * x
    return nodes[0].value


@pytest.mark.parametrize(
    "f",
    [looped, looped_over_keys, looped_over_items, largest, first, popped, listed, ordered, unpacked],
    ids=lambda f: f.__name__,
)
def test_taken_out(f):
    with pytest.raises(UnsupportedSyntaxError, match=r"keys of this dict are objects[\s\S]*test_keys_that_are_objects\.py"):
        grad(f)(1.5)


def test_as_advised():
    def f(x):
        nodes, table = made(x)
        for node in nodes:
            node.value = x * x * table[node]
        return nodes[0].value

    assert grad(f)(1.5) == pytest.approx(3.0)
