"""Numbers beside texts in tuples, and what library functions find among them: the best of named numbers, folds over iterators."""

from __future__ import annotations

import functools
import math
import operator

import pytest

from s2sad import grad, value_and_grad


def second_of(records, i):
    return records[i][1]


def record_of(records, i):
    return records[i]


def by_a_function(x):
    records = [("a", x), ("b", x * x)]
    return record_of(records, 1)[1] * second_of(records, 0)


def best_by_key(x):
    records = [("a", x), ("b", x * x), ("c", math.sin(x))]
    name, best = max(records, key=lambda record: record[1])
    return best * best + len(name)


def least_by_getter(x):
    records = [("a", x), ("b", x * x), ("c", math.sin(x))]
    return min(records, key=operator.itemgetter(1))[1] * x


def least_of_items(x):
    table = {"a": x, "b": x * x, "c": math.sin(x)}
    name, least = min(table.items(), key=lambda item: item[1])
    return least * table["a"] + max(table.items(), key=lambda item: item[1], default=("", x))[1] * len(name)


def sorted_items(x):
    table = {"a": x, "b": x * x, "c": math.sin(x)}
    ranked = sorted(table.items(), key=lambda item: -item[1])
    return sum(place * value**2 for place, (_, value) in enumerate(ranked))


def best_of_values(x):
    table = {"a": x, "b": x * x}
    return max(table.values(), key=lambda value: -value) * min(map(math.sin, table.values()), key=abs)


def folded_backwards(x):
    coefficients = [1.0, x, x * x]
    return functools.reduce(lambda s, c: s * x + c, reversed(coefficients)) + functools.reduce(
        lambda s, c: s + c * x, reversed(coefficients), 1.0
    )


def folded_over_pairs(x):
    values = [x, x * x, 2.0]
    first = functools.reduce(lambda s, pair: s + pair[0] * pair[1], enumerate(values), 0.0)
    return first * functools.reduce(lambda s, pair: s + pair[0] * pair[1], zip(values, values[1:], strict=False), x)


def best_of_reversed(x):
    values = [x, x * x, 2.0]
    return max(reversed(values), key=lambda value: -value) + max(enumerate(values), key=lambda pair: pair[1])[1]


PROGRAMS = [
    by_a_function,
    best_by_key,
    least_by_getter,
    least_of_items,
    sorted_items,
    best_of_values,
    folded_backwards,
    folded_over_pairs,
    best_of_reversed,
]


def differences(function, x, h=1e-5):
    ends = [function(x + k * h) for k in (-2, -1, 1, 2)]
    return (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_value_and_derivatives(function):
    value, x_bar = value_and_grad(function)(1.7)
    assert value == function(1.7)
    assert x_bar == pytest.approx(differences(function, 1.7), rel=1e-9)
    first = grad(function)
    assert grad(first)(1.7) == pytest.approx(differences(first, 1.7), rel=1e-7)
