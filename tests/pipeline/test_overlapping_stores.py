"""A part of an array is stored into another part of it: NumPy may read what it has stored already, and so says the gradient."""

import itertools

import numpy as np
import pytest

from s2sad import grad, value_and_grad

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9, 0.2, 1.3, -1.2])
WEIGHTS = np.arange(1.0, 9.0)
STEPS = (1, 2, 3, -1, -2)


def part(start, step):
    stop = start + 3 * step
    return slice(start, None if stop < 0 else stop, step)


def parts():
    for step in STEPS:
        yield from (part(start, step) for start in range(8) if 0 <= start + 2 * step < 8)


def stored(x, to, of):
    y = x * 1.0
    y[to] = y[of]
    return np.sum(y * y * WEIGHTS)


def weights_by_numpy(to, of):
    """Which element each comes from: NumPy's answer."""
    numbers = np.arange(8)
    numbers[to] = numbers[of]
    return numbers


@pytest.mark.parametrize("step", STEPS)
def test_every_pair_of_parts(step):
    gradient = grad(stored)
    for to, of in itertools.product(parts(), parts()):
        if to.step == step:
            sources = weights_by_numpy(to, of)
            expected = np.zeros(8)
            np.add.at(expected, sources, 2 * X[sources] * WEIGHTS)
            assert gradient(X, to, of) == pytest.approx(expected), (to, of)


def literal_parts(x):
    y = x * 1.0
    y[::2] = y[:4]
    y[::-2] = y[:3:-1]
    return np.sum(y * y * WEIGHTS)


def through_names(x):
    y = x * 1.0
    a, b = y[1:7:2], y[:3]
    a[...] = b
    b[:] = a
    return np.sum(y * y * WEIGHTS)


def rows_and_columns(x):
    y = np.outer(x[:3], x[1:4])
    y[0], y[1] = y[1], y[0]
    y[:, 0], y[:, 2] = y[:, 2], y[:, 0]
    y[1] = y[:, 1]
    y[:, 0] = y[2]
    y[0] = y.T[1]
    y[:2] = y[1:]
    y[1:, ::2] = y[:2, :2]
    return np.sum(y * y * WEIGHTS[:3])


def in_a_loop(x):
    y = x * 1.0
    for k in range(1, 4):
        y[k:] = y[:-k]
        y[::k] = y[: len(y[::k])]
        y[0] = x[k] * y[1]
    return np.sum(y * y * WEIGHTS)


def row_of_which_only_the_run_knows(x, i, j):
    y = np.outer(x[:3], x[1:4])
    y[i], y[j] = y[j], y[i]
    y[i] = y[j] * 2.0
    return np.sum(y**3 * WEIGHTS[:3])


def in_one_branch(x):
    y = x * 1.0
    z = y if x[0] > 0 else x * 2.0
    z[::2] = y[:4]
    return np.sum(y * z * WEIGHTS)


@pytest.mark.parametrize(
    ("function", "more"),
    [
        *((literal_parts, ()), (through_names, ()), (rows_and_columns, ()), (in_a_loop, ()), (in_one_branch, ())),
        *((row_of_which_only_the_run_knows, (0, 2)), (row_of_which_only_the_run_knows, (1, 1))),
    ],
)
def test_against_differences(function, more):
    value, gradient = value_and_grad(function)(X, *more)
    assert value == function(X, *more)
    expected = np.zeros(8)
    for i in range(8):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(8)[i]
            expected[i] += weight * (function(X + change, *more) - function(X - change, *more)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_in_single_precision():
    x = X.astype(np.float32)

    def literal(x):
        y = x * x
        y[::2] = y[:4]
        return np.sum(y)

    gradient = grad(literal)(x)
    sources = weights_by_numpy(slice(None, None, 2), slice(4))
    expected = np.zeros(8)
    np.add.at(expected, sources, 2 * X[sources])
    assert gradient.dtype == np.float32
    assert gradient == pytest.approx(expected, rel=1e-6)
