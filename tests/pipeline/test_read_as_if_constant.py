"""Numbers that are put into a list, dict or object by way of something that is not followed, where types tell of no number with a
derivative: of integers, of None, of texts, of nothing. The derivative is right, or refused."""

from collections import Counter, OrderedDict, deque
from types import SimpleNamespace

import pytest

from s2sad import grad
from s2sad.errors import S2sadError


class Counted:
    def __init__(self):
        self.value = 0

    def put(self, value):
        self.value = value


class Queued:
    def __init__(self, values):
        self.queue = deque([values])


def link(queue, values):
    queue.append(values)


def poke(values, value):
    values[0] = value


def read(values):
    return values[0]


def attribute_of_an_element(x):
    counted = Counted()
    one = {counted}.pop()
    one.value = x * x
    return counted.value + x


def attribute_by_a_method(x):
    counted = Counted()
    deque([counted])[0].put(x * x)
    return counted.value + x


def element(x):
    values = [0]
    deque([values])[0][0] = x * x
    return values[0] + x


def element_that_was_none(x):
    values = [None]
    deque([values])[0][0] = x * x
    return values[0] + x


def element_that_was_a_text(x):
    values = ["a"]
    deque([values])[0][0] = x * x
    return values[0] + x


def value_of_a_dict(x):
    values = {"a": True}
    deque([values])[0]["a"] = x * x
    return values["a"] + x


def one_of_two(x):
    values = [0]
    either = values if x > 0 else {0: 1.0}
    either[0] = x * x
    return values[0] + x


def appended(x):
    values = [1]
    deque([values])[0].append(x * x)
    return sum(values) - 1 + x


def in_place(x):
    values = [0]
    deque([values])[0][0] += x * x
    return values[0] + x


def attribute_by_its_name(x):
    values = SimpleNamespace()
    values.n = 1
    setattr(deque([values])[0], "n", x * x)
    return values.n + x


def attribute_in_the_dict(x):
    counted = Counted()
    deque([counted])[0].__dict__["value"] = x * x
    return counted.value + x


def put_by_a_helper(x):
    queue, values = deque(), [1]
    link(queue, values)
    poke(queue[0], x * x)
    return read(values) + x


def put_by_a_constructor(x):
    values = [1]
    Queued(values).queue[0][0] = x * x
    return read(values) + x


def read_through_a_helper(x):
    values = [1]
    queued = Queued(values)
    poke(queued.queue[0], x * x)
    return read(values) + x


PROGRAMS = [
    one for name, one in list(globals().items()) if getattr(one, "__code__", None) and one.__code__.co_varnames[:1] == ("x",)
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_nothing_is_lost(f):
    assert f(1.25) == 1.25**2 + 1.25
    try:
        assert grad(f)(1.25) == pytest.approx(2 * 1.25 + 1)
    except S2sadError:
        assert f in REFUSED, "supported before"


REFUSED = [
    *(attribute_of_an_element, element_that_was_a_text, one_of_two, attribute_in_the_dict),
    *(put_by_a_helper, put_by_a_constructor, read_through_a_helper),
]


def test_integers_that_stay_integers():
    """Other objects that are not followed, beside numbers with a derivative."""

    def f(x):
        values, queue = [2, 3], deque()
        queue.append(values)
        queue[0].append(4)
        counts, order = Counter("abca"), OrderedDict(a=1)
        return x ** values[1] * len(values) * counts["a"] * order["a"] * values[2]

    assert grad(f)(1.25) == pytest.approx(3 * 1.25**2 * 3 * 2 * 4)
