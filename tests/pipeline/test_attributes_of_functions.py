"""Attributes of functions that are made in the program, which are no objects of their own when the derivative runs."""

import functools
import types

import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError


def own_name(x):
    def inner():
        return len(inner.__name__)

    return x * inner()


def name_of_lambda(x):
    square = lambda v: v * v
    return square(x) * len(square.__name__)


def names_of_several(x):
    def one():
        return x

    def three():
        return x * x

    return sum(len(f.__name__) * f() for f in (one, three))


def name_as_key(x):
    def scaled(v):
        return v * x

    table = {scaled.__name__: scaled}
    return table["scaled"](x)


def with_default(x):
    def inner():
        return x

    return inner() * getattr(inner, "count", 5)


def asked_for(x):
    def inner():
        return x

    return inner() * (2 if hasattr(inner, "__name__") and not hasattr(inner, "count") else 3)


def asked_for_its_class(x):
    def inner():
        return x * x

    return inner() if isinstance(inner, types.FunctionType) and type(inner) is types.FunctionType else x


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (own_name, lambda x: 5.0),
        (name_of_lambda, lambda x: 16 * x),
        (names_of_several, lambda x: 3 + 10 * x),
        (name_as_key, lambda x: 2 * x),
        (with_default, lambda x: 5.0),
        (asked_for, lambda x: 2.0),
        (asked_for_its_class, lambda x: 2 * x),
    ],
    ids=lambda f: f.__name__,
)
def test_what_is_known(function, derivative):
    assert grad(function)(1.5) == derivative(1.5)


def stored(x):
    def inner():
        return x

    inner.n = x * x
    return inner() * inner.n


def docstring(x):
    def inner():
        "Some text."
        return x

    return inner() * len(inner.__doc__)


def renamed(x):
    def decorated(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args) * len(wrapper.__name__)

        return wrapper

    @decorated
    def inner(v):
        return v * x

    return inner(x)


def code(x):
    def inner(a):
        return a * x

    return inner(x) * inner.__code__.co_argcount


@pytest.mark.parametrize("function", [stored, docstring, renamed, code])
def test_what_is_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"of a function that is made here(.|\n)*File"):
        grad(function)(1.5)
