"""Memory outside that one function hands out, and another changes: it is one memory, by whatever way it is reached."""

import functools
from typing import ClassVar

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError

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


@functools.lru_cache
def kernel(n):
    made = np.zeros(n)
    made[:] = 2.0
    return made


def kernel_by_another(n):
    return [kernel(n)]


def changes_what_is_cached(x):
    kernel(2)[:] = x
    return np.sum(kernel(2) ** 2)


def changes_what_another_took_from_a_cache(x):
    work = kernel_by_another(2)[0]
    work *= x
    return np.sum(work)


def changes_a_copy(x):
    work = kernel(2).copy()
    work *= x
    return np.sum(work * kernel(2))


@pytest.mark.parametrize("function", [changes_what_is_cached, changes_what_another_took_from_a_cache])
def test_what_comes_out_of_a_cache_is_not_to_be_changed(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"(?s)kernel\(\) is decorated with lru_cache.*change a copy.*line \d+"):
        grad(function)(np.ones(2))


def test_a_copy_of_it_may_be_changed():
    np.testing.assert_allclose(grad(changes_a_copy)(np.ones(2)), [4.0, 4.0])


PAIR = (np.zeros(2), [0.0])


def pair():
    return PAIR


def stored_in_a_tuple(x):
    PAIR[0][:] = x
    return np.sum(PAIR[0] ** 2)


def stored_in_the_list_of_a_tuple(x):
    PAIR[1][0] = x[0]
    first = PAIR[1][0] ** 2
    PAIR[1][0] = x[1]
    return first + PAIR[1][0] ** 2


def stored_in_a_tuple_that_is_handed_out(x):
    pair()[0][:] = x
    return np.sum(PAIR[0] ** 2)


def stored_by_default(x):
    return np.sum(filled(x) * 0.0) + np.sum(filled(x) ** 2)


def filled(x, buffers=(np.zeros(2), np.zeros(2))):
    buffers[0][:] = x
    return buffers[0]


@pytest.mark.parametrize(
    "function", [stored_in_a_tuple, stored_in_the_list_of_a_tuple, stored_in_a_tuple_that_is_handed_out, stored_by_default]
)
def test_tuples_outside_hold_memory_too(function):
    x = np.array([1.5, -2.0])
    assert function(x) == np.sum(x * x)
    np.testing.assert_allclose(grad(function)(x), 2 * x, rtol=1e-14)
