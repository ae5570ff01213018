"""Functions of NumPy that are given functions, and iterators: gradients against differences."""

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.errors import UnsupportedSyntaxError

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9])
M = np.linspace(-1.0, 1.3, 12).reshape(3, 4) ** 3 + 0.1


def square(v):
    return v * v


def pieces_that_capture(x):
    a = x[0]
    return np.sum(np.piecewise(x, [x < 0, x >= 0], [lambda v: a * v, lambda v: v / a]))


def summed_up(function, count):
    return sum(function(i) for i in range(count))


FUNCTIONS = {
    "pieces": lambda x: np.sum(np.piecewise(x, [x < 0, x > 0.5], [lambda v: v * v, lambda v: np.sin(v), lambda v: 3 * v]) ** 2),
    "pieces that are numbers": lambda x: np.sum(np.piecewise(x, [x < 0, x > 0.5], [-1.0, lambda v: np.sin(v), 2.0]) * x),
    "one condition": lambda x: np.sum(np.piecewise(x, x < 0, [lambda v: v * v, np.exp]) * x),
    "named functions": lambda x: np.sum(np.piecewise(x, [x < 0], [square, np.cos])),
    "pieces that capture": pieces_that_capture,
    "along the first axis": lambda x: np.sum(np.apply_along_axis(lambda v: v * v[0], 0, M * x[0])),
    "along the last axis": lambda x: np.sum(np.apply_along_axis(np.sum, 1, M * x[0]) ** 2),
    "a function that captures, along an axis": lambda x: np.sum(np.apply_along_axis(lambda row: np.sum(row * x[:4]) ** 2, 1, M)),
    "along the only axis": lambda x: np.sum(np.apply_along_axis(square, 0, x)),
    "a generator": lambda x: np.sum(np.fromiter((v * v for v in x), float, 5) * np.arange(5.0)),
    "a map": lambda x: np.sum(np.fromiter(map(lambda v: v**2, x), dtype=np.float64) * np.arange(5.0)),
    "an array captured, in a loop": lambda x: summed_up(lambda i: np.sum(i * x[:4]) ** 2, 3),
    "more axes": lambda x: np.sum(np.array(x, ndmin=2) @ np.ones((5, 2))) + np.sum(np.array([x[0], 2.0], ndmin=3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_applied_functions(name):
    function = FUNCTIONS[name]
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = np.zeros(5)
    for i in range(5):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(5)[i]
            expected[i] += weight * (function(X + change) - function(X - change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)


def test_vectorize_is_refused_by_name():
    vectorized = np.vectorize(square)
    for function in (lambda x: np.sum(np.vectorize(square)(x)), lambda x: np.sum(vectorized(x))):
        with pytest.raises(UnsupportedSyntaxError, match=r"np\.vectorize makes an array.*np\.array\(\[f\(v\) for v in x\]\)"):
            value_and_grad(function)(X)
    assert value_and_grad(lambda x: np.sum(np.array([square(v) for v in x])))(X)[1] == pytest.approx(2 * X)
