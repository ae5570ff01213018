"""What Python does by itself for objects of the user's classes, where it cannot be followed, is refused by name."""

import bisect
import contextlib
import heapq
import math
import random
from typing import NamedTuple

import pytest

from s2sad import S2sadError, grad, value_and_grad
from tests.corpus.implicit import Counted, Powers


class Sweep:
    def __init__(self, x):
        self.x = self.y = x

    def __iter__(self):
        for i in range(3):
            self.y *= self.x
            yield i


class Items:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, place):
        if place == 3:
            raise IndexError
        self.x *= 2
        return place


class Steps:
    """Another function tells when it ends."""

    def __init__(self, values):
        self.values = iter(values)
        self.y = values[0]

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.values)
        self.y *= value
        return value


class Found:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        if name != "zap":
            raise AttributeError(name)
        self.v *= self.v
        return 2


def over_a_generator(x):
    o = Sweep(x)
    for _ in o:
        pass
    return o.y


def over_items(x):
    o = Items(x)
    for _ in o:
        pass
    return o.x


def list_of_items(x):
    o = Items(x)
    list(o)
    return o.x


def over_steps(x):
    o = Steps([x, x * x])
    for _ in o:
        pass
    return o.y


def enumerated(x):
    o = Powers(x, 2)
    total = 0.0
    for k, _ in enumerate(o):
        total += k
    return total * o.y


def any_of(x):
    o = Powers(x, 2)
    any(o)
    return o.y


def searched(x):
    o = Powers(x, 2)
    3 in o
    return o.y


def compared_in_a_list(x):
    o = Counted(x)
    [1.0, 2.0].count(o)
    return o.x


def compared_in_a_tuple(x):
    o = Counted(x)
    (1, o) == (1, 2)
    return o.x


def key(x):
    o = Counted(x)
    table = {o: 1.0}
    return o.x * len(table)


def text(x):
    o = Counted(x)
    f"{o}"
    return o.x


def printed(x):
    o = Counted(x)
    print(o)
    return o.x


def asked_for_an_attribute(x):
    o = Found(x)
    hasattr(o, "zap")
    return o.v


def asked_with_default(x):
    o = Found(x)
    getattr(o, "zap", 3)
    return o.v


def shuffle(values):
    random.Random(1).shuffle(values)


def shuffled_by_a_helper(x):
    values = [3 * x, x]
    shuffle(values)
    return values[0]


def called_at_the_end_of_a_context(x):
    values = [x]
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: values.append(x * x))
    return sum(values)


def called_by_a_search(x):
    values = [x]

    def key(v):
        values[0] *= x
        return v

    bisect.bisect([1, 2, 3], 2, key=key)
    return values[0]


def test_a_search_calls_its_key_where_it_looks():
    assert value_and_grad(called_by_a_search)(1.3) == (pytest.approx(1.3**3), pytest.approx(3 * 1.3**2))


def called_by_a_merge(x):
    values = [x]

    def key(v):
        values[0] *= x
        return v

    list(heapq.merge([1, 3], [2], key=key))
    return values[0]


REFUSED = (
    shuffled_by_a_helper,
    called_at_the_end_of_a_context,
    called_by_a_merge,
    over_a_generator,
    over_items,
    list_of_items,
    over_steps,
    enumerated,
    any_of,
    searched,
    compared_in_a_list,
    compared_in_a_tuple,
    key,
    text,
    printed,
    asked_for_an_attribute,
    asked_with_default,
)


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_effects_that_are_not_followed_are_refused(function):
    with pytest.raises(S2sadError, match=r"(?s)File .*test_corpus_implicit.*\^"):
        grad(function)(1.3)


class Point:
    """Its methods only look."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return isinstance(other, Point) and math.isclose(self.x, other.x) and self.y == other.y

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Point({self.x!r}, {self.y})"

    def __bool__(self):
        return self.x != 0


def test_methods_that_only_look_stay_as_they_are(capsys):
    def f(x):
        points = [Point(x, 1), Point(2 * x, 2)]
        total = 0.0
        for point in points:
            if point and point == points[0] and point in points:
                total += point.x
            print(point)
        return total * x

    assert value_and_grad(f)(1.5) == (1.5 * 1.5, 2 * 1.5)
    assert capsys.readouterr().out == "Point(1.5, 1)\nPoint(3.0, 2)\n"


@pytest.mark.parametrize("function", [math.exp, float, round], ids=lambda function: function.__name__)
def test_a_list_in_place_of_a_number_is_an_error_as_in_the_primal(function):
    with pytest.raises(TypeError) as primal:
        function([1.0])
    with pytest.raises(TypeError) as derivative:
        grad(lambda x: function([x]))(1.0)
    assert str(derivative.value) == str(primal.value)


class Quantity:
    def __init__(self, v):
        self.v = v

    def __float__(self):
        return self.v * self.v

    def __round__(self, digits=0):
        return self.v * (2 + digits)

    def __floor__(self):
        return self.v * 3

    def __ceil__(self):
        return self.v * 4

    def __trunc__(self):
        return self.v * 5

    def __divmod__(self, other):
        return self.v * other, 0

    def __rdivmod__(self, other):
        return other * other * self.v, 0

    def __radd__(self, other):
        return self.v + other


def numbers_of_objects(x):
    q = Quantity(x)
    whole = round(q) + round(q, 2) + math.floor(q) + math.ceil(q) + math.trunc(q)
    return whole + float(q) + divmod(q, x)[0] + divmod(x, q)[0]


def functions_of_objects(x):
    q = Quantity(x)
    return math.exp(q) + math.hypot(q, x) + math.pow(q, 2) + math.fsum([q, x]) + sum(map(float, [q, Quantity(2 * x)]))


def test_objects_are_converted_by_their_methods():
    x = 1.3
    assert grad(numbers_of_objects)(x) == pytest.approx(18 + 4 * x + 3 * x * x, rel=1e-14)
    expected = 2 * x * math.exp(x * x) + (2 * x**3 + x) / math.hypot(x * x, x) + 4 * x**3 + 2 * x + 1 + 10 * x
    assert grad(functions_of_objects)(x) == pytest.approx(expected, rel=1e-14)


def list_of_an_object(x):
    powers = Powers(x, 3)
    elements = list(powers)
    return powers.y + elements[0]


def test_a_list_of_what_an_object_gives():
    assert grad(list_of_an_object)(1.3) == pytest.approx(4 * 1.3**3 + 2 * 1.3, rel=1e-14)


class Span(NamedTuple):
    low: float
    high: float

    def __lt__(self, other):
        return self.high < other.high

    def __eq__(self, other):
        return self.low == other.low

    __hash__ = None


class Reversed(NamedTuple):
    x: float
    y: float

    def __iter__(self):
        return iter((self.y, self.x))


class Weighted(NamedTuple):
    x: float
    y: float

    def __getitem__(self, place):
        return 10 * tuple.__getitem__(self, place)


class Partly:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        if self.x > 1:
            return NotImplemented
        return Partly(self.x + other.x)

    def __radd__(self, other):
        return Partly(7 * self.x)


class Whole(Partly):
    def __radd__(self, other):
        return Partly(9 * self.x)


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda x: sorted([Span(x, 2.0), Span(1.0, x)])[0].low, "Span.__lt__"),
        (lambda x: max(Span(x, 2.0), Span(1.0, x)).low, "Span.__lt__"),
        (lambda x: x if Span(x, 2.0) in [Span(1.0, x), Span(x, 1.0)] else 2 * x, "Span.__eq__"),
        (lambda x: [Span(1.0, x), Span(x, 1.0)].index(Span(x, 0.0)) * x, "Span.__eq__"),
        (lambda x: x if (Span(x, 2.0), 1) == (Span(x, x), 1) else 2 * x, "Span.__eq__"),
        (lambda x: list(Reversed(x, 2.0))[1] * x, "Reversed"),
        (lambda x: Weighted(x, 2.0)[0] * x, "Weighted"),
        (lambda x: (Partly(x) + Partly(2 * x)).x, "Partly.__add__"),
    ],
)
def test_methods_that_are_not_followed_are_named(function, named):
    for x in (0.7, 1.3):
        with pytest.raises(S2sadError, match=rf"{named}(.|\n)*\^"):
            grad(function)(x)


def test_of_named_tuples_that_are_gone_through_in_a_way_of_their_own():
    """Where no derivative passes through them, they are what they are."""
    assert value_and_grad(lambda x: sum(k * 10**n for n, k in enumerate(Reversed(1.0, 2.0))) * x)(3.0) == (36.0, 12.0)
    assert value_and_grad(lambda x, pair: pair[0] * x)(3.0, Weighted(1.0, 2.0)) == (30.0, 10.0)


class Once:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


class Thrice(Once):
    def __iter__(self):
        return iter([3 * v for v in self.values])


class TwoByTwo(Powers):
    def __next__(self):
        if self.count <= 0:
            raise StopIteration
        self.count -= 2
        self.y *= 5
        return self.y


def loop_over_one_then_another(x):
    values, total = Once([1.0, 2.0]), 0.0
    for k in range(3):
        for v in values:
            total += v * x * (k + 1)
        values = Thrice([1.0, 2.0])
    return total


def enumerate_one_then_another(x):
    values, total = Once([1.0, 2.0]), 0.0
    for _ in range(3):
        for k, v in enumerate(values):
            total += v * x * (k + 1)
        values = Thrice([1.0, 2.0])
    return total


def sum_of_one_then_another(x):
    values, total = Once([1.0, 2.0]), 0.0
    for _ in range(3):
        total += sum(values) * x
        values = Thrice([1.0, 2.0])
    return total


def steps_of_one_then_another(x):
    powers, total = Powers(2.0, 5), 0.0
    for _ in range(3):
        for v in powers:
            total += v * x
        powers = TwoByTwo(2.0, 5)
    return total


def steps_and_then_a_list(x):
    values, total = Powers(2.0, 5), 0.0
    for _ in range(3):
        for v in values:
            total += v * x
        values = Once([1.0, 2.0])
    return total


@pytest.mark.parametrize(
    "function",
    [
        *(loop_over_one_then_another, enumerate_one_then_another, sum_of_one_then_another),
        *(steps_of_one_then_another, steps_and_then_a_list),
    ],
)
def test_a_loop_over_objects_of_one_class_and_then_of_another(function):
    """What is gone over was that of the first class, in each trip."""
    slope = function(2.0) - function(1.0)  # it is linear
    assert value_and_grad(function)(1.5) == (function(1.5), pytest.approx(slope, rel=1e-14))


def elements_of_one_then_another(x):
    values, total = Once([x, 2.0]), 0.0
    for _ in range(3):
        for v in values:
            total += v
        values = Thrice([x, 2.0])
    return total


def test_elements_of_two_classes_are_refused_where_a_derivative_passes():
    with pytest.raises(S2sadError, match=r"test_corpus_implicit\.py"):
        grad(elements_of_one_then_another)(1.5)
