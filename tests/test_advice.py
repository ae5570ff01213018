"""What is said of containers that cannot be followed: the place in the user's file, and advice that helps."""

from __future__ import annotations

import dataclasses
import functools
import heapq
import math
import operator
import random
import re
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import s2sad
from s2sad import grad
from s2sad.errors import MissingRuleError, S2sadError, SourceUnavailableError, UnsupportedSyntaxError


@dataclass(frozen=True)
class Frozen:
    x: float
    y: float


class Named(NamedTuple):
    x: float
    y: float


def of_frozen(x: float) -> float:
    point = Frozen(x, 2.0)
    return point.x * point.y


def of_named(x: float) -> float:
    point = Named(x, 2.0)
    return point.x * point.y


def of_deque(x: float) -> float:
    return sum(deque([x, 2 * x], maxlen=len(str(x)) - 2))


def of_set(x: float) -> float:
    return sum({x, 2 * x})


def noted(v: float) -> float:
    print(v)
    return v * v


def of_generator(x: float) -> float:
    squares = (noted(v) for v in [x, 2 * x])
    return next(squares) + sum(squares)


def of_list(x: float) -> float:
    squares = [v * v for v in [x, 2 * x]]
    return sum(squares)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (of_deque, "collections.deque"),
        (of_set, "elements of a set; use a list"),
        (of_generator, "make a list of it first if all elements are wanted"),
    ],
)
def test_messages(function, words):  # type: ignore[no-untyped-def]
    with pytest.raises(UnsupportedSyntaxError, match=rf"{words}(.|\n)*test_advice.py") as caught:
        grad(function)(1.5)
    assert not str(caught.value).endswith(")")  # the place is told once


def test_as_advised() -> None:
    assert grad(of_frozen)(1.5) == 2.0
    assert grad(of_named)(1.5) == 2.0
    assert grad(of_list)(1.5) == 15.0


# --- functions without a rule, and values that only the running program knows ---------------------------------------------------


@dataclass(order=True)
class Ordered:
    x: float
    y: float


class Held:
    def __init__(self, x: object) -> None:
        self.x = x

    def __array__(self, dtype: object = None, copy: object = None) -> object:
        return self.x


class Table(np.ndarray):
    pass


A = np.array([1.0, -2.0, 0.5])


_heapify_max = getattr(heapq, "heapify_max", None) or getattr(heapq, "_heapify_max", None)


def of_heap(x):
    heap = [3.0, 5.0]
    heap.append(-x)
    _heapify_max(heap)
    return x * heap[0]


def of_heap_as_advised(x):
    heap = [3.0, 5.0]
    heap.append(-x)
    heap.sort(reverse=True)
    return x * heap[0]


def of_smallest(x):
    return sum(heapq.nsmallest(2, [x, 2 * x, 3 * x]))


def of_smallest_as_advised(x):
    return sum(sorted([x, 2 * x, 3 * x])[:2])


def of_ordered(x):
    other = Ordered(2 * x, 1.0) if x > 0.0 else None
    return x if Ordered(x, 1.0) < other else 3 * x


def of_ordered_as_advised(x):
    a, b = Ordered(x, 1.0), Ordered(2 * x, 1.0)
    return x if (a.x, a.y) < (b.x, b.y) else 3 * x


def of_fields(x):
    return dataclasses.asdict(Ordered(x, 1.0))["x"]


def of_fields_as_advised(x):
    point = Ordered(x, 1.0)
    return {"x": point.x, "y": point.y}["x"]


def of_starred(x):
    powers = [x**i for i in range(3)]
    return math.atan2(*powers[1:])


def angle(sides):
    return math.atan2(sides[0], sides[1])


def of_starred_as_advised(x):
    powers = [x**i for i in range(3)]
    return angle(powers[1:])


def of_cache(x):
    @functools.lru_cache(None)
    def power(n):
        return 1.0 if n < 1 else x * power(n - 1)

    return power(3)


def of_cache_as_advised(x):
    known = {}

    def power(n):
        if n in known:
            return known[n]
        known[n] = 1.0 if n < 1 else x * power(n - 1)
        return known[n]

    return power(3)


def of_cache_taken_away(x):
    def power(n):
        return 1.0 if n < 1 else x * power(n - 1)

    return power(3)


def of_ring(x):
    ring = deque([0.0, 0.0], maxlen=int(x * 0.0) + 2)
    for k in range(1, 4):
        ring.append(k * x)
    return ring[0] * ring[1]


def of_ring_as_advised(x):
    ring = deque([0.0, 0.0])
    for k in range(1, 4):
        ring.append(k * x)
        if len(ring) > 2:
            ring.popleft()
    return ring[0] * ring[1]


def of_shuffled(x):
    xs = [x, x]
    random.shuffle(xs)
    return xs[0]


def of_shuffled_as_advised(x):
    places = [0, 1]
    random.shuffle(places)
    return [x, x][places[0]]


def of_held(x):
    return np.sum(np.asarray(Held(x * A)))


def of_held_as_advised(x):
    return np.sum(np.asarray(Held(x * A).x))


def of_masked(x):
    return np.sum(np.ma.masked_less(x * A, 0.0))


def of_masked_as_advised(x):
    return np.sum(np.where(x * A < 0.0, 0.0, x * A))


def of_masked_array(x):
    return np.sum(np.ma.masked_array(x * A, mask=[0, 1, 0]))


def of_masked_by_hand(x):
    return np.sum((x * A)[[0, 2]])


def of_matrix(x):
    return np.sum(np.asmatrix(x * A))


def of_matrix_as_advised(x):
    return np.sum(np.asarray(x * A))


def of_objects(x):
    xs = np.empty(2, dtype=object)
    xs[0], xs[1] = x, 2 * x
    return xs[0] * xs[1]


def of_objects_as_advised(x):
    xs = np.empty(2, dtype=float)
    xs[0], xs[1] = x, 2 * x
    return xs[0] * xs[1]


def of_records(x):
    xs = np.zeros(2, dtype=[("position", "f8"), ("speed", "f8")])
    xs["position"][0] = x
    return np.sum(xs["position"])


def of_subscripts(x):
    return np.sum(np.einsum(x * A, [0], A, [0], []))


def of_subscripts_as_advised(x):
    return np.sum(np.einsum("i,i->", x * A, A))


def weighted(x, w):
    return np.sum(x * x * w)


def of_fraction_as_advised(x, w=Fraction(1, 4)):
    return x * float(w)


def of_a_tuple_of_unknown_length(x, n=3):
    scaled = tuple(x * k for k in range(n))
    return sum(scaled) * sum(a * b for a, b in zip(scaled, scaled)) * max(scaled)


def of_a_list_of_unknown_length(x, n=3):
    scaled = list(x * k for k in range(n))
    return sum(scaled) * sum(a * b for a, b in zip(scaled, scaled)) * max(scaled)


@pytest.mark.parametrize(
    ("function", "error", "words", "advised", "expected"),
    [
        (of_heap, MissingRuleError, r"heapq\.\w+\(\).*xs\.append\(x\), xs\.pop\(i\)", of_heap_as_advised, 5.0),
        (
            of_smallest,
            UnsupportedSyntaxError,
            r"heapq\.nsmallest\(\), and inside of it: this iterator",
            of_smallest_as_advised,
            3.0,
        ),
        (of_ordered, SourceUnavailableError, r"compare the fields: \(a\.x, a\.y\) < \(b\.x, b\.y\)", of_ordered_as_advised, 1.0),
        (of_fields, UnsupportedSyntaxError, r"dataclasses\.asdict\(\), and inside of it: ", of_fields_as_advised, 1.0),
        (of_starred, UnsupportedSyntaxError, "let a function take the list as one argument", of_starred_as_advised, -4 / 13),
        (of_cache, UnsupportedSyntaxError, r"take the decorator away, or keep .* in a dict", of_cache_as_advised, 6.75),
        (of_cache, UnsupportedSyntaxError, r"take the decorator away, or keep .* in a dict", of_cache_taken_away, 6.75),
        (
            of_ring,
            UnsupportedSyntaxError,
            r"has a maxlen that is computed here; make it without, and call popleft\(\)",
            of_ring_as_advised,
            18.0,
        ),
        (of_shuffled, MissingRuleError, r"random\.shuffle\(\) draws from; draw or shuffle indices", of_shuffled_as_advised, 1.0),
        (of_held, MissingRuleError, r"np\.asarray\(\) of an object of class Held; hand over", of_held_as_advised, -0.5),
        (of_masked, UnsupportedSyntaxError, r"np\.ma\.masked_less\(\), and inside of it", of_masked_as_advised, 1.5),
        (of_masked_array, UnsupportedSyntaxError, r"np\.ma\.MaskedArray\(\), which makes no plain array", of_masked_by_hand, 1.5),
        (of_matrix, UnsupportedSyntaxError, r"what np\.asmatrix\(\) gives, .*np\.asarray", of_matrix_as_advised, -0.5),
        (of_objects, UnsupportedSyntaxError, r"dtype=object; use .*dtype=float", of_objects_as_advised, 6.0),
        (of_records, UnsupportedSyntaxError, r"np\.zeros\(\) with dtype=\[\.\.\.\]", of_objects_as_advised, 6.0),
        (
            of_a_tuple_of_unknown_length,
            UnsupportedSyntaxError,
            r"tuple whose length .*list\(",
            of_a_list_of_unknown_length,
            405.0,
        ),
        (of_subscripts, MissingRuleError, r"write them so: np\.einsum\('ij,j->i'", of_subscripts_as_advised, 5.25),
    ],
)
def test_the_way_out(function, error, words, advised, expected):  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=words) as caught:
        grad(function)(1.5)
    assert "rule.pointwise" not in str(caught.value)
    (place,) = re.findall(r'File "(.+)", line (\d+)', str(caught.value))
    code = function.__code__
    assert place[0] == code.co_filename
    assert int(place[1]) in {line for *_, line in code.co_lines()} | {line for *_, line in of_cache.__code__.co_lines()}
    assert grad(advised)(1.5) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("weights", [np.ma.masked_less(A, 0.0), A.view(Table)])
def test_weights_of_other_classes(weights):  # type: ignore[no-untyped-def]
    x = np.array([0.5, 2.0, -1.0])
    with pytest.raises(S2sadError, match=r"np\.asarray\(x\)"):
        grad(weighted)(x, weights)
    np.testing.assert_array_equal(grad(weighted)(x, np.asarray(weights)), 2 * x * A)


def test_a_number_of_another_class() -> None:
    with pytest.raises(S2sadError, match=r"class Fraction, .*float\(x\)"):
        grad(lambda x, w: x * w)(1.5, Fraction(1, 4))
    assert grad(of_fraction_as_advised)(1.5) == 0.25


def test_the_rule_that_is_shown_for_arrays() -> None:
    """Partial derivatives are of what works element by element, which a function of arrays need not."""

    def packed(x):  # type: ignore[no-untyped-def]
        return np.sum(last_two(x) ** 2)

    with pytest.raises(MissingRuleError) as caught:
        grad(packed)(A)
    shown = re.search(r"@s2sad\.rule\.model\((.+)\)\n +def model\((.+)\):", str(caught.value))
    assert shown is not None, str(caught.value)
    assert shown[2] == "x"

    @s2sad.rule.model(last_two)
    def model(x):  # type: ignore[no-untyped-def]
        return x[1:]

    np.testing.assert_array_equal(grad(lambda x: np.sum(last_two(x) ** 2))(A), [0.0, -4.0, 1.0])


#: Without rule and without source.
last_two = operator.itemgetter(slice(1, None)).__call__


def test_the_model_that_is_shown_for_a_function_of_a_library() -> None:
    with pytest.raises(UnsupportedSyntaxError, match=r"@s2sad\.rule\.model\(heapq\.nlargest\)"):
        grad(lambda x: sum(heapq.nlargest(2, [x, 2 * x, 3 * x])))(1.5)

    @s2sad.rule.model(heapq.nlargest)
    def model(n, xs):  # type: ignore[no-untyped-def]
        return sorted(xs, reverse=True)[:n]

    assert grad(lambda x: sum(heapq.nlargest(2, [x, 2 * x, 3 * x])))(1.5) == 5.0
