"""Iterators that are read in several places: what is left is a list, and what Python would tell apart is refused."""

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


def first_times_rest(xs):
    squares = (x * x for x in xs)
    first = next(squares)
    return first * sum(squares)


def rest_of_nothing(xs):
    numbers = iter(xs)
    return next(numbers) * next(numbers)


def divided(x, ws):
    ratios = (x / w for w in ws)
    return next(ratios) + next(ratios)


def grown(x):
    numbers = [x, 2.0 * x]
    values = iter(numbers)
    first = next(values)
    numbers.append(first * first)
    return first + sum(values)


def test_each_reader_takes_from_what_is_left():
    assert ".pop()" in grad(first_times_rest).source([3.0, 2.0, 1.0])
    assert grad(first_times_rest)([3.0, 2.0, 1.0]) == [6.0 * 5.0, 9.0 * 4.0, 9.0 * 2.0]


def test_an_iterator_that_has_nothing_left_stops():
    for function in (rest_of_nothing, grad(rest_of_nothing)):
        with pytest.raises(StopIteration):
            function([1.0])
    assert grad(rest_of_nothing)([2.0, 3.0]) == [3.0, 2.0]


def test_elements_that_may_raise_are_not_computed_too_early():
    with pytest.raises(UnsupportedSyntaxError, match="computed all at once"):
        grad(divided)(1.0, [1.0, 2.0, 0.0])


def test_a_list_that_changes_meanwhile_is_refused():
    assert grown(1.5) == 1.5 + 3.0 + 1.5**2
    with pytest.raises(UnsupportedSyntaxError, match="gives its elements once"):
        grad(grown)(1.5)
