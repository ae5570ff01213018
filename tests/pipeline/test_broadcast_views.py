"""Views in which elements stand several times: adjoints are sums, and where a view leaves the function it is refused."""

import numpy as np
import pytest

from s2sad import value_and_grad
from s2sad.errors import UnsupportedSyntaxError

X = np.array([0.3, -0.4, 0.7, 1.1, -0.9])


def of_two(x):
    a, b = np.broadcast_arrays(x, x[:3, None])
    return np.sum(a * b * b)


def of_three(x):
    a, b, c = np.broadcast_arrays(x, 2.0 * x, x[0])
    return np.sum(a * b * c)


def of_one_that_changes(x):
    y = x * 1.0
    a, _ = np.broadcast_arrays(y, np.ones((2, 1)))
    s = np.sum(a * a)
    y[0] *= 2
    return s + np.sum(a * np.arange(5.0))


def to_a_shape_of_several(x):
    return np.sum(np.broadcast_to(x, np.broadcast_shapes(x.shape, (3, 1))) ** 2)


def squared(a):
    return a * a


def handed_over(x):
    return np.sum(squared(np.broadcast_to(x, (2, 5))) * np.arange(5.0))


@pytest.mark.parametrize("function", [of_two, of_three, of_one_that_changes, to_a_shape_of_several, handed_over])
def test_broadcast_views(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = np.zeros(5)
    for i in range(5):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(5)[i]
            expected[i] += weight * (function(X + change) - function(X - change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)


def wide(x):
    return np.broadcast_to(x, (2, 5))


def listed(x):
    return [np.broadcast_to(x, (2, 5))]


def first_of(a):
    return a[0]


@pytest.mark.parametrize(
    "function",
    [lambda x: np.sum(wide(x)), lambda x: np.sum(first_of(np.broadcast_to(x, (2, 5)))), lambda x: np.sum(listed(x)[0])],
)
def test_a_broadcast_view_that_leaves_is_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"elements stand several times in this view.*shape\).copy\(\)"):
        value_and_grad(function)(X)


def wide_copy(x):
    return np.broadcast_to(x, (2, 5)).copy()


def test_the_advice():
    assert value_and_grad(lambda x: np.sum(wide_copy(x)))(X)[1] == pytest.approx(np.full(5, 2.0))
