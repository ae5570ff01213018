"""What comes from a function that is not known counts as a number: where it is an array when the program runs, the derivative is
right, or refused; never one of another shape, or zero."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import S2sadError

X = np.linspace(0.3, 1.1, 6)
ROW = np.arange(6.0) + 1.0
TABLE = np.arange(12.0).reshape(2, 6)
ROW_KEPT, TABLE_KEPT, NUMBER_KEPT = pickle.dumps(ROW), pickle.dumps(TABLE), pickle.dumps(2.0)


def by_differences(f, x, h=1e-3):
    """By central differences of the fourth order."""
    steps = h * np.eye(np.size(x)).reshape(np.size(x), *np.shape(x))
    return np.array([(8 * (f(x + e) - f(x - e)) - f(x + 2 * e) + f(x - 2 * e)) / (12 * h) for e in steps]).reshape(np.shape(x))


OF_ARRAYS = [
    lambda x: np.sum(x * (pickle.loads(ROW_KEPT) > 3)),
    lambda x: np.sum(x * (pickle.loads(TABLE_KEPT) > 3)),
    lambda x: np.sum(np.where(pickle.loads(TABLE_KEPT) > 3, x, 1.0) ** 2),
    lambda x: np.sum(x**2 * np.logical_not(pickle.loads(TABLE_KEPT) > 3)),
    lambda x: np.sum(x * np.sqrt(pickle.loads(TABLE_KEPT))),
    lambda x: np.sum(x * (2 * pickle.loads(TABLE_KEPT))),
    lambda x: x @ (pickle.loads(ROW_KEPT) > 3),
    lambda x: x @ (pickle.loads(ROW_KEPT) * 2.0),
    lambda x: np.einsum("i,i", x, pickle.loads(ROW_KEPT) * 2.0),
    lambda x: sum(x[k] * (pickle.loads(ROW_KEPT) * 2.0)[k] for k in range(3)),
]


def masked_in_place(x):
    y = x.copy()
    mask = pickle.loads(ROW_KEPT) > 3
    y[mask] *= x[mask]
    return np.sum(y * y)


def carried(x):
    weights = 1.0
    for _ in range(2):
        weights = weights * pickle.loads(TABLE_KEPT)
    return np.sum(x * weights)


def listed(x):
    weights = []
    weights.append(pickle.loads(TABLE_KEPT) * 2.0)
    return np.sum(x * weights[0])


def loaded(scale):
    return pickle.loads(TABLE_KEPT) * scale


def from_a_function(x):
    return np.sum(x * loaded(2.0))


@pytest.mark.parametrize("f", [*OF_ARRAYS, masked_in_place, carried, listed, from_a_function])
def test_arrays(f):
    try:
        found = grad(f)(X)
    except S2sadError:
        return
    assert found.shape == X.shape
    assert found == pytest.approx(by_differences(f, X), rel=1e-8, abs=1e-9)


OF_NUMBERS = [
    lambda s: ROW @ (pickle.loads(ROW_KEPT) * s),
    lambda s: np.matmul(pickle.loads(ROW_KEPT) * s, ROW),
    lambda s: np.exp(-s * pickle.loads(ROW_KEPT)) @ ROW,
    lambda s: np.einsum("i,i", ROW, pickle.loads(ROW_KEPT) * s),
    lambda s: np.sum(pickle.loads(TABLE_KEPT) * s, axis=1)[0],
    lambda s: np.sum(s * ROW * (pickle.loads(ROW_KEPT) > 3)),
    lambda s: np.sum(s * (pickle.loads(ROW_KEPT) > 3)),
    lambda s: np.sum(s * ROW * (pickle.loads(ROW_KEPT) > 3) / (1 - s)),
    lambda s: np.sum(s * (pickle.loads(ROW_KEPT) * 2.0)),
]


@pytest.mark.parametrize("f", OF_NUMBERS)
def test_numbers_that_meet_arrays(f):
    try:
        found = grad(f)(0.7)
    except S2sadError:
        return
    assert found == pytest.approx(by_differences(f, 0.7), rel=1e-8)


@pytest.mark.parametrize(
    "f",
    [
        lambda s: s * (pickle.loads(NUMBER_KEPT) * 3.0),
        lambda s: s * (pickle.loads(NUMBER_KEPT) > 1.0),
        lambda s: np.sum(s * ROW * (2.0 * pickle.loads(NUMBER_KEPT))),
        lambda s: s * s if pickle.loads(NUMBER_KEPT) > 1.0 else s,
        lambda s: np.sum(ROW ** (s * np.exp(pickle.loads(NUMBER_KEPT)))),
    ],
)
def test_numbers_that_are_numbers(f):
    assert grad(f)(0.7) == pytest.approx(by_differences(f, 0.7), rel=1e-8)


def test_what_the_derivative_does_not_depend_on_may_be_an_array():
    lines = []

    def logged(x):
        seen = pickle.loads(TABLE_KEPT) * 2.0
        lines.append(str(seen))
        return np.sum(x * x)

    assert np.array_equal(grad(logged)(X), 2 * X)


def asked_for_its_size(x):
    weights = pickle.loads(TABLE_KEPT) * 2.0
    return np.sum(x) * np.size(weights)


def asked_for_its_axes(x):
    weights = pickle.loads(TABLE_KEPT) * 2.0
    return np.sum(x) if np.ndim(weights) == 0 else np.sum(x**2)


def asked_for_its_shape(x):
    weights = -np.sin(pickle.loads(TABLE_KEPT))
    return np.sum(x) * np.shape(weights)[0]


def asked_for_its_class(x):
    weights = pickle.loads(TABLE_KEPT) * 2.0
    return np.sum(x**2) if isinstance(weights, np.ndarray) else np.sum(x)


def asked_in_another_way_for_its_class(x):
    weights = pickle.loads(TABLE_KEPT) * 2.0
    return np.sum(x) if isinstance(weights, float | int) else np.sum(x**2)


def asked_after_a_loop(x):
    weights = pickle.loads(TABLE_KEPT)
    for _ in range(2):
        weights = weights * 2.0
    return np.sum(x) * np.size(weights)


def asked_after_two_ways(x):
    weights = pickle.loads(TABLE_KEPT) * 2.0 if x[0] > 0 else 1.0
    return np.sum(x) * np.size(weights)


def asked_of_what_a_function_gives(x):
    return np.sum(x) * np.size(loaded(2.0))


def asked_by_a_function(x):
    def size(values):
        return np.size(values)

    return np.sum(x) * size(pickle.loads(TABLE_KEPT) * 2.0)


@pytest.mark.parametrize(
    "f",
    [
        asked_for_its_size,
        asked_for_its_axes,
        asked_for_its_shape,
        asked_for_its_class,
        asked_in_another_way_for_its_class,
        asked_after_a_loop,
        asked_after_two_ways,
        asked_of_what_a_function_gives,
        asked_by_a_function,
    ],
)
def test_what_arrays_are_asked_for(f):
    try:
        found = grad(f)(X)
    except S2sadError:
        return
    assert found == pytest.approx(by_differences(f, X), rel=1e-8, abs=1e-9)
