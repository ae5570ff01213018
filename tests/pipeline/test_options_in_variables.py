"""Sequences of arrays, axes, dtypes and other options of NumPy's functions that are held in variables."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import MissingRuleError, UnsupportedSyntaxError

X = np.array([[0.3, 0.7, 1.1], [0.2, 0.52, -0.4], [1.0, -0.35, 0.9]])
PLACES = np.array([[0, 1, 1], [1, 0, 0], [1, 2, 1]])
AXES = ([1], [0])
AXES_IN_LISTS = [[1], [0]]
DTYPE = "float64"
SUBSCRIPTS = "ij,jk->ik"
MODE = "edge"
ORDER = "F"
OPTIONS = {"axis": 0, "keepdims": True}


class Settings:
    dtype = "float64"


def by_differences(function, x, h=1e-4):
    found = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        for step, weight in ((1, 8), (2, -1)):
            change = np.zeros_like(x)
            change[index] = step * h
            found[index] += weight * (function(x + change) - function(x - change)) / (12 * h)
    return found


def lists_of_axes(x):
    first, second = [1], [0]
    return np.sum(np.tensordot(x, x, axes=(first, second)) ** 2)


def a_list_of_lists_of_axes(x):
    axes = [[1], [0]]
    return np.sum(np.tensordot(x, x, axes) ** 2) + np.sum(np.tensordot(x, x * x, axes))


def axes_that_are_collected(x):
    axes = []
    for axis in (1, 0):
        axes.append([axis])
    return np.sum(np.tensordot(x, x, axes) ** 2)


def axes_outside(x):
    return np.sum(np.tensordot(x, x, AXES) ** 2) + np.sum(np.tensordot(x, x * x, AXES_IN_LISTS) ** 2)


def select_from_lists(x):
    conditions = [x > 0.6, x < 0.1]
    choices = [x * x, x**3]
    return np.sum(np.select(conditions, choices, x) ** 2)


def select_twice(x):
    conditions = [x > 0.6, x < 0.1]
    choices = [x * x, x**3]
    return np.sum(np.select(conditions, choices) * np.select(conditions, choices, 2.0 * x))


def select_from_what_is_collected(x):
    conditions, choices = [], []
    for k in range(2):
        conditions.append(x > 0.6 - 0.32 * k)
        choices.append(x ** (k + 2))
    return np.sum(np.select(conditions, choices, x[0, 0]) ** 2)


def select_rows(x):
    conditions, choices = [], []
    for k in range(2):
        conditions.append(x[0] > 0.6 - 0.32 * k)
        choices.append(x[k] ** (k + 2))
    return np.sum(np.select(conditions, choices, x) ** 2)


def choose_from_a_list(x):
    choices = [x * x, x**3, x[0]]
    return np.sum(np.choose(PLACES, choices) ** 2)


def choose_from_what_is_collected(x):
    choices, rows, numbers = [], [], []
    for k in range(3):
        choices.append(x ** (k + 2))
        rows.append(x[k] ** (k + 2))
        numbers.append(x[0, k] ** (k + 2))
    return np.sum(np.choose(PLACES, choices) * np.choose(PLACES, rows) * np.choose(PLACES, numbers))


def piecewise_from_lists(x):
    conditions = [x < 0.5, x >= 0.5]
    functions = [lambda v: v * v, lambda v: v**3]
    return np.sum(np.piecewise(x, conditions, functions))


def block_of_rows(x):
    first = [x, x * x]
    rows = [first, [x, x**3]]
    return np.sum(np.block(rows) ** 2)


def product_of_what_is_collected(x):
    matrices = []
    for k in range(4):
        matrices.append(x ** (k + 1))
    return np.sum(np.linalg.multi_dot(matrices) ** 2)


def dtype_outside(x):
    whole = np.sum(x, axis=0, dtype=DTYPE) + x.mean(axis=1, dtype=Settings.dtype) + np.zeros(3, DTYPE)
    return np.sum(whole**3) + np.sum(x.astype(DTYPE) ** 2) + np.sum(np.asarray(x, dtype=DTYPE) ** 3)


def texts_outside(x):
    product = np.einsum(SUBSCRIPTS, x, x)
    return np.sum(np.pad(product, 1, mode=MODE) ** 2) + np.sum(x.reshape(9, order=ORDER) * product.ravel(ORDER))


def options_in_a_dict(x):
    options = {"axis": 0, "keepdims": True}
    return np.sum((x - np.mean(x, **options)) ** 3) + np.sum((x - x.max(**options)) ** 2)


def options_made_by_dict(x):
    options = dict(axis=1)
    options["keepdims"] = True
    return np.sum((x - x.sum(**options)) ** 3)


def options_handed_on(x):
    def centred(u, **options):
        return u - np.mean(u, **options)

    return np.sum(centred(x, axis=0, keepdims=True) ** 3) + np.sum(centred(x, **OPTIONS) ** 3)


PROGRAMS = [
    *(lists_of_axes, a_list_of_lists_of_axes, axes_that_are_collected, axes_outside),
    *(select_from_lists, select_twice, select_from_what_is_collected, select_rows),
    *(choose_from_a_list, choose_from_what_is_collected, piecewise_from_lists, block_of_rows, product_of_what_is_collected),
    *(dtype_outside, texts_outside, options_in_a_dict, options_made_by_dict, options_handed_on),
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_options_in_variables(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    assert gradient == pytest.approx(by_differences(function, X), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(function):
    weights = np.arange(1.0, 10.0).reshape(3, 3)

    def weighted(x):
        return np.sum(weights * grad(function)(x))

    assert grad(weighted)(X) == pytest.approx(by_differences(weighted, X), rel=1e-7, abs=1e-7)


def of_dtype_outside(x):
    return np.sum(np.sum(x, axis=0, dtype=DTYPE) ** 2)


def test_a_text_outside_that_changes(monkeypatch):
    derivative = grad(of_dtype_outside)
    wide = derivative(X)
    monkeypatch.setitem(globals(), "DTYPE", "float32")
    narrow = derivative(X)
    assert narrow == pytest.approx(wide, rel=1e-6)
    assert not np.array_equal(narrow, wide)


def a_dtype_that_is_given(x, dtype="float64"):
    return np.sum(np.sum(x, axis=0, dtype=dtype) ** 2)


def a_method_with_a_dtype_in_a_dict(x):
    options = {"axis": 0, "dtype": "float64"}
    return np.sum(x.sum(**options) ** 2)


def a_product_of_what_has_several_shapes(x):
    matrices = [x, x * x]
    matrices.append(x[0])
    return np.sum(np.linalg.multi_dot(matrices))


def subscripts_that_are_given(x, subscripts="ij,jk->ik"):
    return np.sum(np.einsum(subscripts, x, x))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (a_dtype_that_is_given, r"np.sum\(\) with dtype=.*write it out in the call"),
        (a_method_with_a_dtype_in_a_dict, r".sum\(\) with dtype=.*write it out in the call"),
        (a_product_of_what_has_several_shapes, r"np.linalg.multi_dot\(\) of a list.*list the arrays in the call"),
        (subscripts_that_are_given, r"subscripts are no literal text"),
    ],
)
def test_what_is_not_known_is_named(function, said):
    with pytest.raises(MissingRuleError, match=said + r"(.|\n)*File .*test_options_in_variables"):
        grad(function)(X)


def functions_used_twice(x):
    conditions = [x < 0.5, x >= 0.5]
    functions = [lambda v: v * v, lambda v: v**3]
    return np.sum(np.piecewise(x, conditions, functions)) + np.sum(np.piecewise(2 * x, conditions, functions))


def test_functions_that_are_not_listed_in_the_call():
    with pytest.raises(UnsupportedSyntaxError, match=r"np.piecewise\(x, (.|\n)*File .*test_options_in_variables"):
        grad(functions_used_twice)(X)
