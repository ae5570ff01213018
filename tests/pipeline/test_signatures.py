"""How derivatives are called: every kind of parameter, every way to say what is asked for, and the door that checks types."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
from typing import Any

import numpy as np
import pytest

from s2sad import errors, grad, value_and_grad
from s2sad.pipeline.entry import Entry, is_list_of_floats


def plain(a, b, c=2.0):
    return a * a + 3 * b * c


def positional_only(a, b, /, c=2.0):
    return a * a + 3 * b * c


def all_positional_only(a, b, c=2.0, /):
    return a * a + 3 * b * c


def keyword_only(a, *, b, c=2.0):
    return a * a + 3 * b * c


def every_kind(a, /, b, *rest, c=2.0, **others):
    total = a * a + 3 * b * c
    for item in rest:
        total += item * item * item
    for name in others:
        total += 5 * others[name]
    return total


# how it is called, argnums, gradient (by hand)
CALLS: list[tuple[Any, Any, Any, tuple[Any, ...], dict[str, Any]]] = [
    (plain, 0, 8.0, (4.0, 5.0), {}),
    (plain, 1, 6.0, (4.0, 5.0), {}),
    (plain, 1, 21.0, (4.0, 5.0, 7.0), {}),
    (plain, 1, 21.0, (4.0,), {"c": 7.0, "b": 5.0}),
    (plain, "b", 21.0, (), {"c": 7.0, "b": 5.0, "a": 1.0}),
    (plain, 2, 15.0, (4.0, 5.0), {}),
    (plain, "c", 15.0, (4.0, 5.0), {}),
    (plain, -1, 15.0, (4.0, 5.0), {}),  # counted from the last parameter, also where its default is meant
    (plain, -1, 15.0, (4.0, 5.0, 7.0), {}),
    (plain, -2, 6.0, (4.0, 5.0), {}),
    (plain, -3, 8.0, (4.0,), {"b": 5.0}),
    (plain, (0, 1), (8.0, 6.0), (4.0, 5.0), {}),
    (plain, (1, 0), (6.0, 8.0), (4.0, 5.0), {}),
    (plain, ("c", 0), (15.0, 8.0), (4.0, 5.0), {}),
    (plain, (0,), (8.0,), (4.0, 5.0), {}),
    (plain, (0, -1), (8.0, 15.0), (4.0, 5.0, 7.0), {}),
    (positional_only, 0, 8.0, (4.0, 5.0), {}),
    (positional_only, "c", 15.0, (4.0, 5.0), {"c": 7.0}),
    (all_positional_only, (0, 2), (8.0, 15.0), (4.0, 5.0), {}),
    (all_positional_only, "a", 8.0, (4.0, 5.0, 7.0), {}),
    (keyword_only, 0, 8.0, (4.0,), {"b": 5.0}),
    (keyword_only, "b", 21.0, (4.0,), {"b": 5.0, "c": 7.0}),
    (keyword_only, ("a", "b", "c"), (8.0, 6.0, 15.0), (), {"b": 5.0, "a": 4.0}),
    (every_kind, 0, 8.0, (4.0, 5.0), {}),
    (every_kind, 1, 6.0, (4.0, 5.0, 1.0, 2.0), {"z": 1.0}),
    (every_kind, 3, 12.0, (4.0, 5.0, 1.0, 2.0), {"z": 1.0}),
    (every_kind, -1, 12.0, (4.0, 5.0, 1.0, 2.0), {}),
    (every_kind, "c", 15.0, (4.0, 5.0, 1.0), {"c": 7.0}),
    (every_kind, "others", {"y": 5.0, "z": 5.0}, (4.0, 5.0), {"z": 1.0, "y": 2.0}),
    (every_kind, "rest", (3.0, 12.0), (4.0, 5.0, 1.0, 2.0), {}),
]


@pytest.mark.parametrize(("function", "argnums", "gradient", "args", "kwargs"), CALLS)
def test_calls(function, argnums, gradient, args, kwargs):
    derivative = grad(function, argnums)
    for _ in range(3):  # generated, through the door, through the door
        assert derivative(*args, **kwargs) == gradient
    assert value_and_grad(function, argnums)(*args, **kwargs) == (function(*args, **kwargs), gradient)


@pytest.mark.parametrize("function", [plain, positional_only, all_positional_only, keyword_only, every_kind])
def test_the_derivative_has_the_signature_of_the_primal(function):
    derivative = grad(function)
    assert inspect.signature(derivative) == inspect.signature(function)
    assert derivative.__name__ == function.__name__
    assert derivative.primal is function


WRONG_CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (plain, (1.0,), {}),
    (plain, (1.0, 2.0, 3.0, 4.0), {}),
    (plain, (1.0, 2.0), {"d": 1.0}),
    (plain, (1.0, 2.0), {"a": 1.0}),
    (positional_only, (1.0,), {"b": 2.0}),
    (keyword_only, (1.0, 2.0), {}),
    (keyword_only, (1.0,), {}),
    (every_kind, (), {"a": 1.0, "b": 2.0}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), WRONG_CALLS)
def test_wrong_calls_are_the_type_errors_of_the_primal(function, args, kwargs):
    with pytest.raises(TypeError):
        function(*args, **kwargs)
    derivative = grad(function)
    with pytest.raises(TypeError):
        derivative(*args, **kwargs)
    right = {"b": 2.0} if function is keyword_only else {}
    derivative(1.0, *((2.0,) if function is not keyword_only else ()), **right)
    with pytest.raises(TypeError):  # and with the check of a signature at the door
        derivative(*args, **kwargs)


@pytest.mark.parametrize(
    ("argnums", "message"),
    [
        ("z", r"plain\(\) has no parameter 'z'; it has a, b, c"),
        (3, r"plain\(\) has no positional parameter number 3; it has 3, counted from 0"),
        (-4, r"plain\(\) has no positional parameter number -4"),
        ((0, "z"), r"no parameter 'z'"),
    ],
)
def test_wrong_argnums(argnums, message):
    with pytest.raises(errors.NonDifferentiableError, match=message):
        grad(plain, argnums)(1.0, 2.0)


def test_an_element_of_args_that_was_not_given():
    with pytest.raises(errors.NonDifferentiableError, match="fewer arguments than argnums asks for"):
        grad(every_kind, 4)(1.0, 2.0, 3.0)
    assert grad(every_kind, 3)(1.0, 2.0, 3.0, 2.0) == 12.0


# --- what is behind the function ------------------------------------------------------------------------------------------------


class Model:
    factor = 3.0

    def __init__(self, power):
        self.power = power

    def method(self, x, y=1.0):
        return self.factor * x**self.power * y

    def __call__(self, x):
        return x**self.power

    @staticmethod
    def static(x):
        return 4.0 * x

    @classmethod
    def of_class(cls, x):
        return cls.factor * x


@pytest.mark.parametrize(
    ("function", "argument", "gradient"),
    [
        (Model(2).method, 5.0, 30.0),
        (Model(3), 5.0, 75.0),
        (Model.static, 5.0, 4.0),
        (Model(1).static, 5.0, 4.0),
        (Model.of_class, 5.0, 3.0),
        (functools.partial(plain, b=3.0), 5.0, 10.0),
        (functools.partial(plain, 3.0), 5.0, 6.0),
        (functools.partial(functools.partial(plain, 3.0), c=1.0), 5.0, 3.0),
        (functools.partial(Model(2).method, y=2.0), 5.0, 60.0),
        (grad(lambda x: x * x * x), 5.0, 6 * 5.0),
        (functools.partial(grad(plain, 1), 3.0), 5.0, 0.0),
        (math.sin, 0.5, math.cos(0.5)),
        (math.exp, 0.5, math.exp(0.5)),
        (np.tanh, 0.5, 1 - math.tanh(0.5) ** 2),
    ],
)
def test_what_can_be_differentiated(function, argument, gradient):
    derivative = grad(function)
    for _ in range(2):
        assert derivative(argument) == pytest.approx(gradient, rel=1e-15)


def test_an_unbound_method_and_its_objects():
    derivative = grad(Model.method, "x")
    assert derivative(Model(2), 5.0) == 30.0
    assert derivative(Model(3), 5.0, 2.0) == 450.0
    bound = grad(Model(2).method)
    bound(5.0)
    bound.primal.__self__.power = 3
    assert bound(5.0) == 225.0


def test_functions_of_two_arguments_with_a_rule():
    assert grad(math.atan2, (0, 1))(1.0, 2.0) == pytest.approx((0.4, -0.2), rel=1e-15)
    assert grad(math.pow, (0,))(2.0, 3.0) == pytest.approx((12.0,), rel=1e-15)
    assert grad(grad(math.sin))(0.5) == pytest.approx(-math.sin(0.5), rel=1e-15)


@pytest.mark.parametrize("function", [int.bit_length, print, "text".join, object, dict])
def test_without_source_or_rule(function):
    with pytest.raises(errors.S2sadError):
        grad(function)(1.0)


# --- the door -------------------------------------------------------------------------------------------------------------------


class Kelvin(float):
    def __mul__(self, other):
        return 1000.0


ARGUMENTS: dict[str, Any] = {
    "bool": True,
    "int": 3,
    "float": 3.0,
    "float64": np.float64(3.0),
    "float32": np.float32(3.0),
    "int64": np.int64(3),
    "none": None,
    "text": "abc",
    "tuple": (1.0, 2.0),
    "list": [1.0, 2.0],
    "mixed": [1, 2.0],
    "integers": [1, 2],
}


def kind_of(x, y):
    """The derivative with respect to x is a number that says what y is."""
    if isinstance(y, bool):
        return 2.0 * x
    if isinstance(y, int):
        return 3.0 * x
    if isinstance(y, float):
        return 5.0 * x
    if y is None:
        return 7.0 * x
    if isinstance(y, str):
        return 11.0 * x
    if isinstance(y, tuple):
        return 13.0 * x
    if isinstance(y, list):
        return 17.0 * x
    return 19.0 * x


SLOPES = {"bool": 2.0, "int": 3.0, "float": 5.0, "float64": 5.0, "float32": 19.0, "int64": 19.0}
SLOPES |= {"none": 7.0, "text": 11.0, "tuple": 13.0, "list": 17.0, "mixed": 17.0, "integers": 17.0}


def test_types_in_every_order():
    """One door, and all ordered pairs of types through it: never the code of another type."""
    derivative = grad(kind_of)
    for first, second in itertools.permutations(ARGUMENTS, 2):
        assert derivative(1.0, ARGUMENTS[first]) == SLOPES[first], (first, second)
        assert derivative(1.0, ARGUMENTS[second]) == SLOPES[second], (first, second)


def test_a_subclass_of_float_computes_as_it_likes():
    derivative = grad(lambda x, y: x + y * x)
    assert derivative(2.0, 3.0) == 4.0
    with pytest.raises(errors.UnsupportedSyntaxError, match="of an object of class Kelvin"):
        derivative(2.0, Kelvin(3.0))
    assert derivative(2.0, 3.0) == 4.0


@pytest.mark.parametrize(
    ("argument", "cls"),
    [(3.0, float), (3, float), (np.float64(3.0), np.float64), (np.float32(3.0), np.float32)],
)
def test_a_gradient_has_the_type_of_its_argument(argument, cls):
    derivative = grad(lambda x: x * x)
    derivative(1.0)
    for _ in range(2):
        result = derivative(argument)
        assert result == 6.0
        assert type(result) is cls


@pytest.mark.parametrize("argument", [True, 1j, None, "text", object(), len, b"bytes"])
def test_arguments_that_have_no_derivative(argument):
    derivative = grad(lambda x: x)
    derivative(1.0)
    for _ in range(2):
        with pytest.raises(errors.NonDifferentiableError, match="cannot be differentiated with respect to 'x'"):
            derivative(argument)


def test_two_lists_that_are_one_object():
    def f(xs, ys):
        xs[0] = 3.0 * ys[0]
        return xs[0] * ys[0]

    derivative = grad(f, (0, 1))
    two = derivative([2.0], [5.0])
    assert two == ([0.0], [30.0])  # 3 y^2
    one = [2.0]
    first, second = derivative(one, one)  # (3 y)^2
    assert first[0] + second[0] == 36.0 or first is second or first == second == [36.0]
    assert derivative([2.0], [5.0]) == ([0.0], [30.0])
    assert one == [2.0]


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ([], False),
        ([1.0], True),
        ([1, 2.0], True),
        ([1], False),
        ((1.0,), False),
        ([1.0, None], False),
        ([1.0, "a"], False),
        (1.0, False),
    ],
)
def test_lists_of_floats(value, is_one):
    assert is_list_of_floats(value) is is_one


def test_names_of_the_entry_meet_no_parameter():
    def f(s2sad_dispatch, s2sad_adjoint_0, entry, float_0):
        return s2sad_dispatch * s2sad_adjoint_0 * entry * float_0

    derivative = grad(f, (0, 1, 2, 3))
    for _ in range(2):
        assert derivative(2.0, 3.0, 5.0, 7.0) == (105.0, 70.0, 42.0, 30.0)


def test_classes_of_any_name():
    strange = type("not a name", (), {"__slots__": ()})
    derivative = grad(lambda x, other: 3.0 * x)
    for _ in range(2):
        assert derivative(1.0, strange()) == 3.0
        assert derivative(1.0, type("import", (), {"__slots__": ()})()) == 3.0


def test_an_entry_without_a_check_passes_everything_on():
    signature = inspect.signature(every_kind)
    entry = Entry(signature, lambda *args, **kwargs: (args, kwargs))
    assert entry.function(1, 2, 3, c=4, d=5) == ((1, 2, 3), {"c": 4, "d": 5})
    assert entry.function(1, b=2) == ((1, 2), {"c": 2.0})
    assert entry.name("value", first := object()) == "s2sad_value_0"
    assert entry.name("value", object()) == "s2sad_value_1"
    assert entry.name("value", first) == "s2sad_value_0"


def test_the_door_keeps_its_identity_and_defaults():
    derivative = grad(plain)
    before = derivative.__code__
    derivative(1.0, 2.0)
    assert derivative.__code__ is not before
    assert derivative.__code__.co_name == derivative.__code__.co_qualname == "entry"
    assert inspect.signature(derivative).parameters["c"].default == 2.0


@pytest.mark.parametrize("argnums", [0.5, None, [0, 1.5], (0, 1.5), {"a"}])
def test_argnums_of_another_kind(argnums):
    with pytest.raises(TypeError, match="argnums is a position, the name of a parameter, or a tuple or list of these"):
        grad(lambda a, b: a * b, argnums=argnums)
