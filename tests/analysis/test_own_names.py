"""Nested functions that call themselves: their names need no cells, so the generated code has no shadows of these."""

import bisect
import heapq

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


def powers(x, n):
    def power(k, scale=2.0):
        return scale if k == 0 else x * power(k - 1)

    return power(n)


def given_away(x, n):
    def product(k):
        return n if k == 0 else k * product(k - 1)

    return x * next(heapq.merge([5], [3, 6], key=product))


def test_a_name_is_in_no_cell():
    text = grad(powers).source(1.5, 3)
    assert "[None]" not in text
    assert grad(powers)(1.5, 3) == 2.0 * 3 * 1.5**2
    assert grad(grad(powers))(1.5, 3) == 2.0 * 6 * 1.5


def test_a_function_that_is_given_to_other_code_calls_itself_there():
    assert "def product(k):" in grad(given_away).source(1.5, 2.0)
    assert grad(given_away)(1.5, 2.0) == given_away(1.0, 2.0)


def two_by_two(x, n):
    def first(k):
        return x if k == 0 else first(k - 1) * x

    def second(k):
        return first(k) if k == 0 else second(k - 1) + first(k)

    return second(n)


def test_one_function_may_call_the_other():
    assert "[None]" not in grad(two_by_two).source(1.5, 2)
    assert grad(two_by_two)(1.5, 2) == 1 + 2 * 1.5 + 3 * 1.5**2
    assert grad(grad(two_by_two))(1.5, 2) == 2 + 6 * 1.5


def by_turns(x, n):
    def even(k, scale=x):
        return scale if k == 0 else odd(k - 1) * x

    y = x * x

    def odd(k):
        return y if k == 0 else even(k - 1, 2.0)

    return even(n)


def test_functions_that_call_each_other_are_in_no_cells():
    assert "[None]" not in grad(by_turns).source(1.5, 2)
    assert grad(by_turns)(1.5, 2) == 2.0
    assert grad(by_turns)(1.5, 1) == 3 * 1.5**2
    assert grad(grad(by_turns))(1.5, 1) == 6 * 1.5
    assert grad(grad(grad(by_turns)))(1.5, 1) == 6.0


def called_before(x, n):
    def even(k):
        return x if k == 0 else odd(k - 1) * x

    first = even(0)

    def odd(k):
        return first if k == 0 else even(k - 1) * first

    return odd(n)


def test_a_function_may_be_called_before_the_other_is_made():
    assert grad(called_before)(1.5, 0) == 1.0
    assert grad(called_before)(1.5, 1) == 2 * 1.5
    assert grad(called_before)(1.5, 2) == 3 * 1.5**2


def fails_early(x, n):
    def even(k):
        return x if k == 0 else odd(k - 1) * x

    first = even(n)

    def odd(k):
        return first if k == 0 else even(k - 1) * first

    return odd(n)


def test_a_function_that_is_called_too_early_fails_as_in_python():
    with pytest.raises(NameError, match="free variable 'odd'"):
        grad(fails_early)(1.5, 1)
    assert grad(fails_early)(1.5, 0) == 1.0


def given_in_turn(x, n):
    def even(k, one=n):
        return one if k == 0 else odd(k - 1) + 1

    def odd(k):
        return 2 if k == 0 else even(k - 1) * 2

    return x ** (bisect.bisect_left([0, 1, 2, 3], 2, key=even) + bisect.bisect_left([0, 1, 2, 3], 3, key=odd))


def test_functions_that_are_given_to_other_code_call_each_other_there():
    power = sum([bisect.bisect_left([1, 3, 3, 5], 2), bisect.bisect_left([2, 2, 6, 6], 3)])
    assert grad(given_in_turn)(1.5, 1) == power * 1.5 ** (power - 1)


def changed_later(x, n):
    total = x
    for i in range(n):

        def product(k, start=i):
            return start if k == 0 else k * product(k - 1) + 1

        total = total * x + next(heapq.merge([5], [3, 6], key=product))
    return total


def test_a_function_that_finds_another_later_is_not_given_to_other_code():
    with pytest.raises(UnsupportedSyntaxError, match=r"product\(\) is handed to code .* bound to another function later"):
        grad(changed_later)(1.5, 3)


def kept_from_trips(x, n):
    functions = []
    for i in range(n):

        def walk(k, start=i):
            return x * start if k == 0 else walk(k - 1) + 10.0 * x * start

        functions.append(walk)
    total = 0.0
    for function in functions:
        total += function(2)
    return total


def test_functions_kept_from_the_trips_of_a_loop_find_the_last_one():
    assert grad(kept_from_trips)(1.5, 3) == kept_from_trips(1.0, 3)
