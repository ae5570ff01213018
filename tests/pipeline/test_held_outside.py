"""Containers that are not followed, outside or among the arguments, and hold what the function uses by another name."""

from collections import OrderedDict, deque

import pytest

from s2sad import grad
from s2sad.errors import NonDifferentiableError, UnsupportedSyntaxError


class Box:
    value = 0.0


VALUES = []
QUEUE = deque([VALUES])
TABLE = {}
ORDERED = OrderedDict(table=TABLE)
BOX = Box()
BOXES = {BOX}
INNER = deque()
OUTER = deque([INNER])


def put(v):
    QUEUE[0].append(v)


def get():
    return VALUES[0]


def by_the_queue(x):
    VALUES.clear()
    QUEUE[0].append(x * x)
    return VALUES[0] + x


def put_by_a_helper(x):
    VALUES.clear()
    put(x * x)
    return VALUES[0] + x


def read_by_a_helper(x):
    VALUES.clear()
    QUEUE[0].append(x * x)
    return get() + x


def both_by_helpers(x):
    VALUES.clear()
    put(x * x)
    return get() + x


def read_by_the_queue(x):
    VALUES.clear()
    VALUES.append(x * x)
    return QUEUE[0][0] + x


def by_an_ordered_dict(x):
    ORDERED["table"]["k"] = x * x
    return TABLE["k"] + x


def by_a_set(x):
    for box in BOXES:
        box.value = x * x
    return BOX.value + x


def by_another_queue(x):
    INNER.clear()
    OUTER[0].append(x * x)
    return INNER[0] + x


@pytest.mark.parametrize(
    "f",
    [
        *(by_the_queue, put_by_a_helper, read_by_a_helper, both_by_helpers, read_by_the_queue),
        *(by_an_ordered_dict, by_a_set, by_another_queue),
    ],
    ids=lambda f: f.__name__,
)
def test_refused(f):
    assert f(1.5) == 1.5**2 + 1.5
    with pytest.raises(UnsupportedSyntaxError, match="outside of the functions"):
        grad(f)(1.5)


def test_without_a_derivative_it_goes_on_working():
    def f(x):
        VALUES.clear()
        QUEUE[0].append(2.0)
        return VALUES[0] * x

    assert grad(f)(1.5) == 2.0


def test_arguments():
    def f(x, values, queue):
        queue[0].append(x * x)
        return values[-1] * x

    derivative = grad(f)
    assert derivative(1.5, [2.0], deque([[1.0]])) == 2.0
    values = [2.0]
    with pytest.raises(NonDifferentiableError, match="'queue', a deque, holds the argument 'values'"):
        derivative(1.5, values, deque([values]))
    assert derivative(1.5, [2.0], deque([[1.0]])) == 2.0


def test_numbers_in_both_are_no_containers():
    def f(x, limit, queue):
        return x**2 * limit * len(queue)

    assert grad(f)(1.5, 3, deque([3])) == 9.0
