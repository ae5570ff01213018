"""Functions of NumPy that are given functions, and iterators: gradients against differences."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import NonDifferentiableError, UnsupportedSyntaxError

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


@np.vectorize
def product_or_half(a, b):
    return a * b if a > b else 0.5 * a


def whole_below_two(v):
    return 0 if v < 2.0 else v * v


#: Function, point, and its gradient in closed form.
VECTORIZED = {
    "one array": (lambda x: np.sum(np.vectorize(square)(x) * x), X, 3 * X**2),
    "a matrix": (lambda x: np.vectorize(square)(x.reshape(1, -1))[0, 2], X, 2 * X * (np.arange(5) == 2)),
    "an array and a number": (lambda x: np.sum(product_or_half(x, 0.3)), X, np.where(X > 0.3, 0.3, 0.5)),
    "arrays that broadcast": (lambda x: np.sum(np.vectorize(lambda a, b: a * b)(x[:, None], x)), X, np.full(5, 2 * np.sum(X))),
    "a closure": (lambda x: np.sum(np.vectorize(lambda v: v * x[0])(x[1:])), X, np.array([np.sum(X[1:]), *[X[0]] * 4])),
    "a number": (lambda x: float(np.vectorize(square)(x[1])), X, 2 * X * (np.arange(5) == 1)),
    "a function of NumPy": (lambda x: np.sum(np.vectorize(np.sin)(x)), X, np.cos(X)),
    "the first is no integer": (lambda x: np.sum(np.vectorize(whole_below_two)(x)), np.array([3.0, 1.0]), np.array([6.0, 0.0])),
    # the first result is the integer 0: NumPy cuts off the others
    "the first is an integer": (lambda x: np.sum(np.vectorize(whole_below_two)(x)), np.array([1.0, 3.5]), np.zeros(2)),
    "truth values": (lambda x: np.sum(np.vectorize(lambda v: v > 1.0)(x) * x), np.array([1.5, 0.5]), np.array([1.0, 0.0])),
    # the call that asks for the dtype has no part in the derivative: where its slope is infinite, zero times it would be nan
    "a singular first element": (
        lambda x: np.sum(np.vectorize(lambda v: np.sqrt(v) if v > 0 else 2 * v)(x)),
        np.array([0.0, 4.0]),
        np.array([2.0, 0.25]),
    ),
}


@pytest.mark.parametrize("name", VECTORIZED)
def test_vectorize(name):
    function, point, expected = VECTORIZED[name]
    value, gradient = value_and_grad(function)(point)
    assert value == function(point)
    assert gradient == pytest.approx(expected, rel=1e-13, abs=1e-15)


def test_vectorize_asks_the_first_element_twice_as_numpy_does():
    def summed(x, seen):
        def told(v):
            seen.append(1)
            return v * v

        return np.sum(np.vectorize(told)(x)) * len(seen)

    assert summed(X, []) == 6 * np.sum(X * X)
    assert grad(summed)(X, []) == pytest.approx(12 * X)


def test_vectorize_with_options_is_refused_by_name():
    vectorized = np.vectorize(square, otypes=[float])
    for function in (
        lambda x: np.sum(np.vectorize(square, otypes=[float])(x)),
        lambda x: np.sum(vectorized(x)),
        lambda x: np.sum(np.vectorize(square)(v=x)),
        lambda x: np.sum(np.vectorize(lambda a, b, c: a)(x, x, x)),
    ):
        with pytest.raises(UnsupportedSyntaxError, match=r"np\.vectorize is followed with .*np\.array\(\[f\(v\) for v in x\]\)"):
            value_and_grad(function)(X)
    assert value_and_grad(lambda x: np.sum(np.array([square(v) for v in x])))(X)[1] == pytest.approx(2 * X)


def test_vectorize_of_several_results_is_refused_when_it_runs():
    with pytest.raises(NonDifferentiableError, match="its function gives a real number"):
        value_and_grad(lambda x: np.sum(np.vectorize(lambda v: (v, v))(x)[0]))(X)
