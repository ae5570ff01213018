"""Numbers that a derivative passes through as keys of a dict or elements of a set have no adjoint: right or refused, never 0."""

# ruff: noqa: RUF015 - the ways to take the first element are what is tested

from __future__ import annotations

import collections

import pytest

from s2sad import errors, grad


class Table:
    """Has methods by the names of those of dicts, lists and numbers."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def index(self, x):
        return self.scale * x

    def count(self, x):
        return self.scale * x

    def keys(self):
        return [self.scale]

    def is_integer(self):
        return self.scale


class Row(Table):
    """Which of the two it is, only the running program knows."""


TABLES = [Table(1.0), Row(1.0)]


def stored(x):
    d = collections.OrderedDict()
    d[x] = 1.0
    return d


def counted(x):
    d = collections.defaultdict(float)
    d[x] += 1.0
    return d


def changed(x):
    s = {x}
    s |= {x}
    return s


def loop(keys):
    total = 0.0
    for key in keys:
        total += key
    return total


def put(table, x):
    table[x] = 1.0
    return table


def set_default(table, x):
    table.setdefault(x, 1.0)
    return table


def last_key(table):
    return list(table)[-1]


def key_put_by_a_function(x):
    table = {"a": 2.0, None: 1.0}
    put(table, x)
    return list(table)[2]


def key_put_by_a_function_beside_numbers(x):
    table = {0.5: 2.0}
    put(table, x)
    return list(table)[1]


def key_put_by_a_nested_function(x):
    table = {"a": 2.0, 3: 1.0}

    def note(y):
        table[y] = 1.0

    note(x)
    return last_key(table)


ONE = [
    key_put_by_a_function,
    key_put_by_a_function_beside_numbers,
    key_put_by_a_nested_function,
    lambda x: [k for k in {x: 3.0}.keys()][0],
    lambda x: [k for k in {x: 3.0}][0],
    lambda x: [k for k, v in {x: 3.0}.items()][0],
    lambda x: list({x: 3.0}.keys())[0],
    lambda x: tuple({x: 3.0}.keys())[0],
    lambda x: sorted({x: 3.0}.keys())[0],
    lambda x: sum({x: 3.0}.keys()),
    lambda x: sum(k for k in {x: 3.0}.keys()),
    lambda x: max({x: 3.0}.keys()),
    lambda x: loop({x: 3.0}.keys()),
    lambda x: next(iter({x: 3.0})),
    lambda x: next(iter({x: 3.0}.keys())),
    lambda x: next(reversed({x: 3.0}.keys())),
    lambda x: [*{x: 3.0}.keys()][0],
    lambda x: {(x, 1): 3.0}.popitem()[0][0],
    lambda x: [k for k in {(x, 1): 3.0}.keys()][0][0],
    lambda x: list(zip({x: 3.0}.keys(), [1.0]))[0][0],
    lambda x: list(enumerate({x: 3.0}.keys()))[0][1],
    lambda x: list(map(lambda k: k, {x: 3.0}.keys()))[0],
    lambda x: {x: 3.0}.keys().__iter__().__next__(),
    lambda x: list(dict.fromkeys([x]))[0],
    lambda x: [float(k) for k in {str(x): 1.0}.keys()][0],
    lambda x: [float(k) for k in {str(x): 1.0}][0],
    lambda x: list(({x: 1.0} | {x: 3.0}).keys())[0],
    lambda x: [k for k in stored(x)][0],
    lambda x: [k for k in counted(x).keys()][0],
    lambda x: collections.Counter([x]).most_common(1)[0][0],
    lambda x: [k for k in {x} | {x}][0],
    lambda x: [k for k in {x} & {x}][0],
    lambda x: [k for k in {x} ^ set()][0],
    lambda x: [k for k in {x} - {2.0}][0],
    lambda x: [k for k in changed(x)][0],
    lambda x: [k for k in {x: 1.0}.keys() & {x}][0],
    lambda x: [k for k in {x: 1.0}.keys() | {x}][0],
    lambda x: [k for k in frozenset([x])][0],
    # keys of several types
    lambda x: [k for k in {"a": 2.0, x: 3.0}][1],
    lambda x: list({"a": 2.0, x: 3.0})[1],
    lambda x: list({"a": 2.0, None: 1.0, x: 3.0})[2],
    lambda x: list({"a": 2.0, (x, 1): 3.0})[1][0],
    lambda x: sum(k for k in {x: 1.0, "a": 2.0} if k != "a"),
    lambda x: next(k for k in {x: 1.0, "a": 2.0} if k != "a"),
    lambda x: next(k for k, v in {x: 1.0, "a": 2.0}.items() if v == 1.0),
    lambda x: max(k for k in ({"a": 2.0, None: 1.0} | {x: 3.0}) if isinstance(k, float)),
    lambda x: {v: k for k, v in {"a": 1.0, None: 2.0, x: 3.0}.items()}[3.0],
    lambda x: {"a": 2.0, None: 1.0, x: 3.0}.popitem()[0],
    lambda x: list(dict([("a", 2.0), (x, 2.0), (None, 1.0)]))[1],
    lambda x: last_key(put({"a": 2.0, None: 1.0}, x)),
    lambda x: last_key(put({0.5: 2.0}, x)),
    lambda x: last_key(set_default({"a": 2.0, 1: 2.0}, x)),
]


@pytest.mark.parametrize("function", ONE, ids=range(len(ONE)))
def test_a_key_is_the_argument(function):
    assert function(0.7) == 0.7
    try:
        gradient = grad(function)(0.7)
    except errors.S2sadError:
        return
    assert gradient == 1.0


@pytest.mark.parametrize(
    "function",
    [
        lambda x, i: TABLES[i].index(x),
        lambda x, i: TABLES[i].count(x),
        lambda x, i: (Table(x), Row(x))[i].count(1.0),
        lambda x, i: (Table(x), Row(x))[i].keys()[0],
        lambda x, i: (Table(x), Row(x))[i].is_integer(),
    ],
)
def test_methods_of_unknown_objects_by_the_names_of_those_of_containers(function):
    assert function(0.7, 0) == 0.7
    try:
        gradient = grad(function)(0.7, 0)
    except errors.S2sadError:
        return
    assert gradient == 1.0


def test_keys_without_derivative():
    assert grad(lambda x: sum(d[k] * k for d in [{0.5: x, 2.5: x * x}] for k in d.keys()))(0.7) == pytest.approx(0.5 + 5 * 0.7)
    assert grad(lambda x: x * len({1.0: x, 2.0: x}.keys()))(0.7) == 2.0
    assert grad(lambda x: sum(x * k for k in {1} | {2}))(0.7) == 3.0
    assert grad(lambda x, d: sum(x * k for k in d.keys() & {1.0}))(0.7, {1.0: 2.0}) == 1.0
