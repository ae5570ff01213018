"""What is changed in place is changed under all of its names, whatever class it is of and however the change is written."""

from __future__ import annotations

import collections
import copy
import math
import operator

import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import S2sadError


def set_joined(x, kept):
    same = kept
    same |= {3.0}
    return x * sum(kept)


def set_reduced(x, kept):
    same = kept
    same -= {1.0}
    same &= {2.0, 5.0}
    same ^= {4.0}
    return x * sum(kept) * len(kept)


def add_seven(some):
    some |= {7.0}


def set_changed_by_a_callee(x, kept):
    add_seven(kept)
    return x * sum(kept)


def set_made_here(x, kept):
    some = set(kept)
    other = some
    for k in range(3):
        some |= {float(k)}
    return x * sum(other) + len(some) * x


def queue_lengthened(x, kept):
    queue = collections.deque([1.0])
    other = queue
    queue += [2.0]
    queue *= 2
    return x * sum(other)


def counter_added_to(x, kept):
    counts = collections.Counter("ab")
    other = counts
    counts += collections.Counter("b")
    counts -= collections.Counter("a")
    return x * sum(other.values())


def bytes_lengthened(x, kept):
    data = bytearray(b"a")
    other = data
    data += b"b"
    data *= 2
    return x * len(other)


def dict_joined(x, kept):
    table = {"a": 1.0}
    other = table
    table |= {"a": x * x}
    return other["a"] * x + len(other)


def join(table, more):
    table |= more


def dict_joined_by_a_callee(x, kept):
    table = {"a": 1.0}
    join(table, {"a": x * x, "b": x})
    return table["a"] * table["b"]


def dict_joined_in_a_loop(x, kept):
    table = {}
    other = table
    for k in "ab":
        table |= {k: x * x}
        x = x * 1.5
    return other["a"] * x + sum(other.values())


def dict_joined_as_a_function(x, kept):
    table = {}
    same = operator.ior(table, {"a": x * x})
    same["b"] = x
    return sum(table.values()) * x


def ordered_dict_joined(x, kept):
    table = collections.OrderedDict(a=1)
    other = table
    table |= {"b": 2}
    return x * len(other)


def updated_with_pairs(x, kept):
    table = {}
    table.update([("a", x * x), ("b", x)])
    return x * table["a"] + sum(table.values())


def updated_with_a_zip(x, kept):
    table = {"b": 5.0}
    table.update(zip("ab", [x, x * x], strict=True))
    return x * table["a"] + table["b"]


def updated_with_a_generator(x, kept):
    table = {}
    table.update((k, x * i) for i, k in enumerate("abc"))
    return table["b"] + sum(math.sin(value) for value in table.values())


def updated_with_pairs_of_another(x, kept):
    table = {}
    table.update(collections.OrderedDict(a=3.0, b=2.0))
    return sum(x * len(key) * value for key, value in table.items()) + x * table["a"]


def updated_by_a_bound_method(x, kept):
    table = {"b": 1.0}
    update = table.update
    update(a=x * x)
    update({"b": x})
    return table["a"] * table["b"]


def extended_by_a_bound_method(x, kept):
    found = []
    extend, append = found.extend, found.append
    extend(iter([x * x, x]))
    append(x)
    return found[0] * found[2]


def lengthened_by_the_methods_of_operators(x, kept):
    found = [1.0]
    same = found.__iadd__([x * x])
    same.append(x)
    found.__imul__(2)
    return sum(found) * len(found)


EXACT = [
    set_joined,
    set_reduced,
    set_changed_by_a_callee,
    set_made_here,
    queue_lengthened,
    counter_added_to,
    bytes_lengthened,
    dict_joined,
    dict_joined_by_a_callee,
    dict_joined_in_a_loop,
    dict_joined_as_a_function,
    ordered_dict_joined,
    updated_with_pairs,
    updated_with_a_zip,
    updated_with_a_generator,
    updated_with_pairs_of_another,
    updated_by_a_bound_method,
    extended_by_a_bound_method,
    lengthened_by_the_methods_of_operators,
]
KEPT = frozenset({1.0, 2.0})


def differences(function, x, h=1e-5):
    ends = [function(x + k * h) for k in (-2, -1, 1, 2)]
    return (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)


@pytest.mark.parametrize("function", EXACT, ids=lambda function: function.__name__)
def test_value_and_gradient(function):
    value, x_bar = value_and_grad(function)(1.3, set(KEPT))
    assert value == function(1.3, set(KEPT))
    assert x_bar == pytest.approx(differences(lambda x: function(x, set(KEPT)), 1.3), rel=1e-9)


@pytest.mark.parametrize("function", EXACT, ids=lambda function: function.__name__)
def test_second_derivative(function):
    first = grad(function)
    expected = differences(lambda x: first(x, set(KEPT)), 1.3)
    assert grad(first)(1.3, set(KEPT)) == pytest.approx(expected, rel=1e-7, abs=1e-7)


def made_again(x):
    found = [1.0]
    list.__init__(found, [x, x * x])
    return sum(found)


def dict_made_again(x):
    table = {}
    dict.__init__(table, a=x * x)
    return sum(table.values())


def joined_by_its_method(x):
    table = {}
    table.__ior__({"a": x * x})
    return table["a"] * x


def updated_with_lists(x):
    table = {}
    table.update([["a", x], ["b", x * x]])
    return sum(table.values())


@pytest.mark.parametrize("function", [made_again, dict_made_again, joined_by_its_method, updated_with_lists])
def test_what_is_not_followed_is_refused(function):
    with pytest.raises(S2sadError, match="a derivative passes through"):
        grad(function)(1.3)


NOT_FOLLOWED = [
    collections.deque([3.0]),
    type("Stack", (list,), {})([3.0]),
    type("Table", (dict,), {})({0: 3.0}),
    collections.OrderedDict({0: 3.0}),
    collections.defaultdict(float, {0: 3.0}),
]


def name_of_class(held):
    return type(held).__name__


@pytest.mark.parametrize("held", NOT_FOLLOWED, ids=name_of_class)
@pytest.mark.parametrize("place", ["list", "tuple", "dict"])
def test_numbers_in_containers_that_are_not_followed(held, place):
    def from_list(parts):
        return parts[0][0] ** 2 + parts[1]

    argument = {"list": [held, 1.0], "tuple": (held, 1.0), "dict": {0: held, 1: 1.0}}[place]
    with pytest.raises(S2sadError):
        grad(from_list)(argument)


@pytest.mark.parametrize(
    "held", [{1.0, 2.0}, frozenset({1.0}), collections.deque([1.0, 2.0])], ids=lambda held: type(held).__name__
)
def test_sums_of_containers_that_are_not_followed(held):
    def of_all(parts):
        return sum(parts["held"]) * parts["x"]

    with pytest.raises(S2sadError):
        grad(of_all)({"held": held, "x": 2.0})


def test_what_is_beside_them_has_a_gradient():
    def scaled(parts):
        return parts["x"] ** 2 * len(parts["log"]) + ("a" in parts["names"])

    argument = {"x": 3.0, "log": collections.deque([1, 2]), "names": {"a"}}
    assert grad(scaled)(copy.copy(argument))["x"] == 12.0
