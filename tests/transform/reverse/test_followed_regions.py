"""Higher derivatives of programs whose halves hand out one container in several ways."""

import math

import pytest

from s2sad import grad


def squares(*values):
    total = 0.0
    for value in values:
        total += value * value
    return total


def named_product(**values):
    total = 1.0
    for value in values.values():
        total *= value
    return total


class Pair:
    def __init__(self, number, numbers):
        self.number = number
        self.numbers = numbers


def make_pairs(x):
    numbers = [1.0]
    return Pair(x, numbers), Pair(2.0 * x, numbers)


def pairs_of_one_list(x):
    first, second = make_pairs(x)
    first.numbers[0] = x * x
    return second.numbers[0] * second.number / 2.0


def make_cell_functions(x):
    numbers = [1.0]

    def put(z):
        numbers[0] = z

    def get():
        return numbers[0] + 0.0 * x

    return put, get


def functions_of_one_list(x):
    put, get = make_cell_functions(x)
    put(x * x * x)
    return get()


def cubic(x):
    return [3 * x * x, 6 * x, 6.0]


PROGRAMS = [
    (lambda x: squares(x, x * x), lambda x: [2 * x + 4 * x**3, 2 + 12 * x * x, 24 * x]),
    (lambda x: named_product(a=x, b=x * x), cubic),
    (lambda x: math.dist([x, 0.0], [0.0, 0.0]) * x * x, cubic),
    (lambda x: math.prod([x, x, x]), cubic),
    (lambda x: sum([x * x * x, 1.0]) + math.fsum([x, 2.0]) - x, cubic),
    (pairs_of_one_list, cubic),
    (functions_of_one_list, cubic),
]


@pytest.mark.parametrize(("function", "derivatives"), PROGRAMS)
def test_derivatives_up_to_the_third(function, derivatives):
    for want in derivatives(0.7):
        function = grad(function)
        assert function(0.7) == pytest.approx(want, rel=1e-12)
