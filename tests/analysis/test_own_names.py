"""Nested functions that call themselves: their names need no cells, so the generated code has no shadows of these."""

import bisect

from s2sad import grad


def powers(x, n):
    def power(k, scale=2.0):
        return scale if k == 0 else x * power(k - 1)

    return power(n)


def given_away(x, n):
    def product(k):
        return n if k == 0 else k * product(k - 1)

    return x * bisect.bisect_left([0, 1, 2, 3], 5.5, key=product)


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
