"""Lists that are reversed in place: in the text that is generated, and in programs that do it."""

from __future__ import annotations

import pytest

import s2sad


def logistic(x, steps):
    for _ in range(steps):
        x = 3.6 * x * (1 - x)
    return x


def test_the_reverse_sweep_makes_no_copy():
    text = s2sad.grad(logistic).source(0.3, 10)
    assert "x_saved.reverse()\n" in text
    assert "for x in x_saved:" in text


def turned_once(x):
    found = []
    for power in range(4):
        found.append(x**power)
    found.reverse()
    total = 0.0
    for place, term in enumerate(found):
        total += (place + 1) * term
    return total


def read_by_place_afterwards(x):
    found = []
    while x < 5.0:
        found.append(x * x)
        x *= 1.7
    found.reverse()
    return found[0] * found[-1] + 3 * len(found) * found[1]


def turned_twice(x):
    found = []
    for power in range(4):
        found.append(x**power)
    found.reverse()
    found.append(7 * x)
    found.reverse()
    return found[0] + 2 * found[1] + 3 * found[-1]


def two_names(x):
    found = []
    other = found
    for power in range(4):
        found.append(x**power)
    found.reverse()
    return sum((place + 1) * term for place, term in enumerate(other))


def held_by_another(x):
    found = []
    holder = [found, found]
    for power in range(4):
        found.append(x**power)
    found.reverse()
    return 2 * holder[0][0] + holder[1][3] * x


def read_before(x):
    found = []
    for power in range(1, 4):
        found.append(x**power)
    first = found[0]
    found.reverse()
    return 5 * first + found[0] * found[1]


def made_before_the_loop(x):
    found = []
    total = 0.0
    for power in range(1, 4):
        found.append(x**power)
        found.reverse()
        total = 2 * total + found[0]
    return total


def turned_where_a_condition_says(x):
    found = []
    for power in range(1, 4):
        found.append(x**power)
    if x > 1.0:
        found.reverse()
    return found[0] * (1 + found[1])


def handed_on(x):
    def first_of(items):
        items.append(x)
        return items[0] * items[-1]

    found = []
    for power in range(1, 4):
        found.append(x**power)
    found.reverse()
    return first_of(found) + len(found)


def captured(x):
    found = []

    def keep(value):
        found.append(value)
        return found[0]

    for power in range(1, 4):
        found.append(x**power)
    found.reverse()
    return keep(2 * x) * found[-1]


PROGRAMS = (
    turned_once,
    read_by_place_afterwards,
    turned_twice,
    two_names,
    held_by_another,
    read_before,
    made_before_the_loop,
    turned_where_a_condition_says,
    handed_on,
    captured,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("x", [0.6, 1.3])
def test_programs_that_reverse_a_list(program, x):
    assert s2sad.value_and_grad(program)(x)[0] == program(x)
    s2sad.check_grads(program, (x,))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_their_second_derivatives(program):
    s2sad.check_grads(s2sad.grad(program), (1.3,))
