"""Memory outside that one function hands out, and another changes: it is one memory, by whatever way it is reached."""

from typing import ClassVar

import numpy as np
import pytest

from s2sad import grad

WORK = np.zeros(2)
BUFFERS = [np.zeros(2), np.zeros(2)]
SPACES = {}
STATE = {"s": [0.0]}
TABLE = {"b": np.zeros(2)}


class Box:
    """Holds an array, and adds to it."""

    shared: ClassVar = {"q": np.zeros(2)}
    only = None

    def __init__(self):
        self.held = np.zeros(2)
        self.several = [np.zeros(2)]

    def add(self, x):
        self.held += x

    @classmethod
    def of_class(cls, key):
        return cls.shared[key]

    @staticmethod
    def without_class(key):
        return Box.shared[key]

    @classmethod
    def get(cls):
        if cls.only is None:
            cls.only = cls()
        return cls.only


BOX = Box()
Box.get()


def get():
    return WORK


def get_by_another():
    return get()


def view():
    return WORK[:]


def fill(x):
    get()[:] = x


def current(t):
    return BUFFERS[t % 2]


def space(n):
    if n not in SPACES:
        SPACES[n] = np.zeros(n)
    return SPACES[n]


def state():
    return STATE["s"]


def get_box():
    return BOX


def search(wanted):
    for key, value in TABLE.items():
        if key == wanted:
            return value


def stored_and_read_by_name(x):
    get()[:] = x
    return np.sum(WORK**2)


def stored_and_read(x):
    get()[:] = x
    return np.sum(get() ** 2)


def through_two_functions(x):
    get_by_another()[:] = x
    return np.sum(WORK**2)


def stored_in_a_view(x):
    view()[:] = x
    return np.sum(view() ** 2)


def stored_by_a_helper(x):
    fill(x)
    return np.sum(get() ** 2)


def kept_in_a_variable(x):
    work = get()
    work[:] = x
    return np.sum(work**2)


def put_into_a_list(x):
    several = [x * 1.0, get()]
    several[1][:] = several[0]
    return np.sum(WORK**2)


def one_of_several(x):
    current(0)[:] = 1.0
    current(1)[:] = current(0) * x
    return np.sum(current(1) ** 2)


def made_at_the_first_call(x):
    work = space(2)
    work[:] = x
    return np.sum(space(2) ** 2)


def number_in_a_list(x):
    state()[0] = x[0]
    first = state()[0] ** 2
    state()[0] = x[1]
    return first + state()[0] ** 2


def attribute_of_an_object(x):
    get_box().held[:] = x
    return np.sum(BOX.held**2)


def attribute_bound_again(x):
    get_box().held = x * x
    return np.sum(get_box().held)


def method_of_an_object(x):
    BOX.held = np.zeros(2)
    get_box().add(x)
    return np.sum(get_box().held ** 2)


def item_of_a_dict(x):
    search("b")[:] = x
    return np.sum(search("b") ** 2)


def through_a_class_method(x):
    Box.of_class("q")[:] = x
    return np.sum(Box.of_class("q") ** 2)


def through_a_static_method(x):
    Box.without_class("q")[:] = x
    return np.sum(Box.without_class("q") ** 2)


def of_a_single_object(x):
    Box.get().held[:] = x
    return np.sum(Box.get().held ** 2)


def in_a_closure():
    buffers = [np.zeros(2), np.zeros(2)]

    def buffer(i):
        return buffers[i]

    def function(x):
        buffer(0)[:] = x
        return np.sum(buffer(0) ** 2)

    return function


FUNCTIONS = [
    *(stored_and_read_by_name, stored_and_read, through_two_functions, stored_in_a_view, stored_by_a_helper, kept_in_a_variable),
    *(put_into_a_list, one_of_several, made_at_the_first_call, number_in_a_list, attribute_of_an_object, attribute_bound_again),
    *(method_of_an_object, item_of_a_dict, through_a_class_method, through_a_static_method, of_a_single_object, in_a_closure()),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_stored_there_counts(function):
    x = np.array([1.5, -2.0])
    assert function(x) == np.sum(x * x)
    for _ in range(2):
        np.testing.assert_allclose(grad(function)(x), 2 * x, rtol=1e-14)


def test_what_is_only_read_there_is_a_constant():
    WORK[:] = 3.0
    np.testing.assert_array_equal(grad(lambda x: np.sum((get() + 1) * x))(np.ones(2)), [4.0, 4.0])
