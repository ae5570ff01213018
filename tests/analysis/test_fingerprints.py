"""Fingerprints of arguments: equal ones come from arguments of equal types."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import types
from typing import Any

import numpy as np
import pytest

from s2sad import grad
from s2sad.analysis import fingerprints
from s2sad.analysis.fingerprints import fingerprint
from s2sad.analysis.signatures import types_of


@dataclasses.dataclass
class Layer:
    weights: Any
    bias: Any


class Slotted:
    __slots__ = ("bias", "weights")

    def __init__(self, weights, bias):
        self.weights, self.bias = weights, bias


class Colour(enum.Enum):
    RED = 1


class Pair(tuple):
    def __len__(self):
        return 3


def of_length(n, m=2):
    return np.arange(1.0, n * m + 1).reshape(n, m).copy()


SHARED, OTHER, ROW = of_length(3), of_length(3), [1.0]
HOLDING_ITSELF: list[Any] = [1.0]
HOLDING_ITSELF.append(HOLDING_ITSELF)

ARGUMENTS: list[tuple[Any, ...]] = [
    (1.0, 2),
    (1.0, True),
    (1, None, "text", b"", range(3), 1j),
    (np.float64(1.0), np.float32(1.0), np.int64(1)),
    ([1.0, 2.0],),
    ([1.0],),
    ([1],),
    ([],),
    ([1.0, 2],),
    ([2, 1.0],),
    ([1.0, None],),
    ([1.0, [2.0]],),
    ([[2.0], 1.0],),
    ([1.0, (2.0, 3.0)],),
    ([ROW, ROW],),
    ([ROW, [1.0]],),
    (ROW, ROW),
    (ROW, [1.0]),
    ([ROW], ROW, [1.0]),
    ([ROW], [1.0], ROW),
    (HOLDING_ITSELF,),
    ([1.0, [1.0]],),
    ((1.0, 2.0),),
    ((1.0, (2.0,)),),
    ((1.0, 2.0, ()),),
    ([SHARED, OTHER],),
    ([OTHER, SHARED],),
    ([SHARED, SHARED],),
    ([SHARED], OTHER),
    ([SHARED], SHARED),
    ([SHARED, of_length(4)],),
    ([SHARED, of_length(1)],),
    ([SHARED, of_length(3, 3)],),
    ([SHARED, of_length(3).ravel()],),
    ([SHARED, of_length(3).astype(np.float32)],),
    ([SHARED, of_length(3).astype(int)],),
    ([SHARED, OTHER.astype(">f8")],),
    ([SHARED[1:], SHARED[:1]],),
    ([SHARED[1:], SHARED[:2]],),
    ([SHARED[1:], OTHER[:2]],),
    ([SHARED[1:], OTHER[1:]],),
    ({"a": SHARED, "b": OTHER},),
    ({"b": SHARED, "a": OTHER},),
    ({"a": SHARED, "c": OTHER},),
    ({"a": SHARED, "b": 1.0},),
    ({"a": SHARED},),
    ({1: 1.0},),
    ({True: 1.0},),
    ({1.0: 1.0},),
    ({(1, 2): 1.0},),
    ({},),
    (Layer(SHARED, 1.0),),
    (Layer(OTHER, 2.0),),
    (Layer(OTHER, [2.0]),),
    (Layer(1.0, OTHER),),
    (Slotted(SHARED, 1.0),),
    (Slotted(SHARED, SHARED),),
    (types.SimpleNamespace(weights=SHARED, bias=1.0),),
    (types.SimpleNamespace(bias=1.0, weights=SHARED),),
    (np.sin, SHARED),
    (np.cos, SHARED),
    (len, SHARED),
    (of_length, SHARED),
    (Layer, SHARED),
    (np, SHARED),
    (SHARED.sum, OTHER),
    (Colour.RED, SHARED),
    (Pair((1.0, 2.0)),),
    (np.ma.array([1.0]),),
    (np.array(["a"]),),
    (np.array([object()]),),
    (object(),),
    ([object()],),
]


@pytest.mark.parametrize("first", range(len(ARGUMENTS)))
def test_equal_fingerprints_come_from_equal_types(first):
    found = fingerprint(ARGUMENTS[first])
    for other in ARGUMENTS[first:]:
        if found is not None and found == fingerprint(other):
            assert types_of(ARGUMENTS[first]) == types_of(other)


@pytest.mark.parametrize(
    "arguments",
    [
        ([of_length(3), of_length(4)], 1.0),
        ({"w": of_length(2), "b": (1.0, [2.0, 3])},),
        (Layer(of_length(2), [1.0]), Slotted(1.0, 2.0)),
        (types.SimpleNamespace(w=of_length(2)), np.sin),
        ([of_length(4)[1:3], of_length(4)[:1]],),
        (HOLDING_ITSELF,),
    ],
    ids=["list", "dict", "objects", "namespace", "views", "list in itself"],
)
def test_what_programs_are_given_has_a_fingerprint(arguments):
    assert fingerprint(arguments) is not None


def squares_of_all(weights, factor):
    total = 0.0
    for w in weights:
        w *= factor
        total += np.sum(w * w)
    return total


def test_a_loop_of_calls_asks_for_types_once(monkeypatch):
    gradient = grad(squares_of_all)
    gradient([of_length(2), of_length(3)], 3.0)
    gradient([of_length(2), of_length(3)], 3.0)

    def refuse(arguments):
        raise AssertionError

    monkeypatch.setattr(fingerprints, "types_of", refuse)
    found = gradient([of_length(2), 2 * of_length(3)], 3.0)
    assert np.array_equal(found[0], 18 * of_length(2))
    assert np.array_equal(found[1], 36 * of_length(3))


def test_what_differs_is_noticed_after_any_number_of_calls():
    a, b = of_length(2), of_length(2)
    gradient = grad(squares_of_all)
    lists = {"two": [a, b], "one twice": [a, a], "three": [a, b, of_length(3)], "columns": [a[:, 0], b[:, 0]]}
    # of an array that stands twice, w := 3 w is done twice: f = 9 w² + 81 w², and each place has the sum of both
    factors = {"two": 18.0, "one twice": 180.0, "three": 18.0, "columns": 18.0}
    for name, _ in itertools.product(lists, range(3)):
        for x, x_bar in zip(lists[name], gradient(lists[name], 3.0), strict=True):
            assert np.array_equal(x_bar, factors[name] * x)
