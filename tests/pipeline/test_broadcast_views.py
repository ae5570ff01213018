"""Views in which elements stand several times: adjoints are sums, and where a view leaves the function it is refused."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
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


def parts_of_parts(x):
    y = x.copy()
    w = np.broadcast_to(y, (3, 5))
    v = w[1:, ::-1].T
    u = v[1:4]
    y[2] *= y[0]
    s = np.sum(u * u * v[2:5])
    y[0] = s
    return np.sum(v**2) + u[0, 1]


def means_of_windows(x):
    return np.sum(np.lib.stride_tricks.sliding_window_view(x, 3).mean(axis=1) ** 2)


def windows_of_two_axes(x):
    image = np.outer(x, x * x)
    windows = np.lib.stride_tricks.sliding_window_view(image, (2, 3))
    return np.sum(np.einsum("ijkl,kl->ij", windows, image[:2, :3]) ** 2)


def windows_along_an_axis(x):
    windows = np.lib.stride_tricks.sliding_window_view(np.outer(x, x), 2, axis=1)
    return np.sum(np.median(windows, axis=-1) ** 2) + np.sum((windows[..., ::-1] * x[:, None, None]) ** 2)


def windows_of_what_changes(x):
    y = x.copy()
    windows = np.lib.stride_tricks.sliding_window_view(y, 3)
    part = windows[1:, ::-1].T[1:]
    y[2:] *= y[:-2]
    s = windows.sum(axis=-1)
    y[0] = 0
    return np.sum(s**2) + windows[0, 1] * windows[1].prod() + np.sum(part**3)


def handed_over(x):
    return np.sum(squared(np.broadcast_to(x, (2, 5))) * np.arange(5.0))


VIEWS = [
    *(of_two, of_three, of_one_that_changes, to_a_shape_of_several, handed_over, parts_of_parts),
    *(means_of_windows, windows_of_two_axes, windows_along_an_axis, windows_of_what_changes),
]


@pytest.mark.parametrize("function", VIEWS)
def test_broadcast_views(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = np.zeros(5)
    for i in range(5):
        for step, weight in ((1, 45), (2, -9), (3, 1)):
            change = step * 1e-3 * np.eye(5)[i]
            expected[i] += weight * (function(X + change) - function(X - change)) / 60e-3
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("function", [parts_of_parts, means_of_windows, windows_of_what_changes])
def test_second_derivatives_through_such_views(function):
    def of_gradient(x):
        return np.sum(grad(function)(x) ** 2)

    step = 1e-5
    changes = step * np.eye(5)
    expected = [(of_gradient(X + change) - of_gradient(X - change)) / (2 * step) for change in changes]
    assert grad(of_gradient)(X) == pytest.approx(expected, rel=1e-6, abs=1e-6)


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
