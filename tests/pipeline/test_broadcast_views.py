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


def changes_one_of_two(x):
    a, b = np.broadcast_arrays(x * 2.0, x * x)
    a[0] = x[1] * x[2]
    b *= a
    return np.sum(a * b)


def changes_the_first(x):
    a = np.broadcast_arrays(x * 2.0, x * x)[0]
    a += x
    np.multiply(a, x, out=a)
    return np.sum(a * a)


def changes_both_names_of_one(x):
    y = x * 2.0
    a, b = np.broadcast_arrays(y, y)
    a[1:][::2] = x[0] * x[3]
    return np.sum(b * y * x)


def changes_the_whole_one(x):
    a, b, c = np.broadcast_arrays(x[:, None] * x, x, 2.0)
    np.add.at(a, ([0, 0], [1, 1]), x[0])
    a[2].fill(x[1])
    return np.sum(a * a * b * c)


def keeps_them_in_a_list(x):
    parts = list(np.broadcast_arrays(x * 2.0, x * x))
    parts[0][0] = x[1] * x[2]
    return np.sum(parts[0] * parts[1])


def changes_what_is_spread(x):
    y = np.zeros(1)
    b = np.broadcast_arrays(y, x)[0]
    y[:] = x[0] * x[1]
    return np.sum(b * x)


CHANGED = [
    *(changes_one_of_two, changes_the_first, changes_both_names_of_one, changes_the_whole_one),
    *(keeps_them_in_a_list, changes_what_is_spread),
]


@pytest.mark.parametrize("function", CHANGED)
def test_arrays_that_have_the_shape_of_all_are_not_spread(function):
    test_broadcast_views(function)
    test_second_derivatives_through_such_views(function)


def stores_into_a_spread_one(x):
    a, b = np.broadcast_arrays(x * 2.0, np.zeros((2, 1)))
    b[0] = x
    return np.sum(a * b)


def adds_to_a_part_of_a_spread_one(x):
    b = np.broadcast_arrays(x * 2.0, x[:1])[-1]
    b[1:][0] += 1.0
    return np.sum(b)


def multiplies_what_may_be_spread(x):
    chosen = x[x > 0.0]
    a, b = np.broadcast_arrays(chosen, chosen[:1])
    np.multiply(a, 2.0, out=b)
    return np.sum(a * b)


@pytest.mark.parametrize("function", [stores_into_a_spread_one, adds_to_a_part_of_a_spread_one, multiplies_what_may_be_spread])
def test_stores_into_spread_arrays_are_refused(function):
    with pytest.raises(UnsupportedSyntaxError, match=r"np.broadcast_arrays\(\) gives is changed(.|\n)*copy\(\)(.|\n)*File"):
        value_and_grad(function)(X)


def stores_into_a_copy(x):
    a, b = np.broadcast_arrays(x * 2.0, np.zeros((2, 1)))
    b = b.copy()
    b[0] = x
    return np.sum(a * b)


def test_a_copy_of_a_spread_array_may_be_changed():
    assert grad(stores_into_a_copy)(X) == pytest.approx(4 * X)


def of_a_diagonal(x):
    matrix = np.ones((5, 5))
    diagonal = np.diagonal(matrix)
    matrix[0, 0] = x[0] * x[1]
    return np.sum(diagonal * x)


def of_a_window(x):
    numbers = np.ones(9)
    window = np.lib.stride_tricks.sliding_window_view(numbers, 5)[2]
    numbers[2] = x[0] * x[1]
    return np.sum(window * x)


@pytest.mark.parametrize("function", [changes_what_is_spread, of_a_diagonal, of_a_window])
def test_adjoints_are_not_added_to_a_view_that_cannot_be_written_to(function):
    test_broadcast_views(function)
