"""Arrays that are starred into parameters, and unpacked: Python checks that there are as many elements."""

import numpy as np
import pytest

from s2sad import check_grads, errors, grad


def model(t, a, b):
    return a * np.exp(-b * t)


def fit(p):
    t = np.linspace(0.0, 1.0, 3)
    return np.sum(model(t, *p) ** 2)


def three(a, b, c):
    return a * b - c * a * a


def all_three(p):
    return three(*p)


def the_first_two(p):
    return three(*p[:2], 3.0)


def rows(m):
    total = 0.0
    for row in m:
        total += three(*row)
    return total


def computed(p):
    return three(*(2 * p))


def any_number(*parts):
    return parts[0] * parts[1] + sum(parts)


def handed_on(p):
    return any_number(*p)


class Volume:
    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c

    def value(self):
        return self.a * self.b * self.c


def object_of(p):
    return Volume(*p).value()


def unpacked(p):
    a, b, c = p
    return a * b - c * a * a


def unpacked_rows(m):
    first, second = m
    first[0] = second[1] * 2.0
    return np.sum(m * m)


P = np.array([1.1, 0.3, 0.7])
M = np.arange(6.0).reshape(2, 3) + 0.1


@pytest.mark.parametrize(
    ("program", "given"),
    [
        (fit, P[:2]),
        (all_three, P),
        (the_first_two, P),
        (rows, M),
        (computed, P),
        (handed_on, P),
        (object_of, P),
        (unpacked, P),
        (unpacked_rows, M),
    ],
)
def test_elements_are_arguments(program, given):
    check_grads(program, (given,))


@pytest.mark.parametrize("program", [all_three, unpacked])
@pytest.mark.parametrize("kind", [list, np.array])
@pytest.mark.parametrize("given", [(1.0, 2.0), (1.0, 2.0, 3.0, 4.0)])
def test_too_few_and_too_many_are_refused_as_by_python(program, kind, given):
    with pytest.raises((TypeError, ValueError)):
        program(kind(given))
    with pytest.raises((TypeError, ValueError)):
        grad(program)(kind(given))


def with_default(a, b, c=2.0):
    return a * b * c


def ambiguous(p):
    return with_default(p[0], *p)


def test_where_several_numbers_of_elements_fit_they_are_passed_one_by_one():
    with pytest.raises(errors.UnsupportedSyntaxError, match="pass them one by one"):
        grad(ambiguous)(P[:2])
