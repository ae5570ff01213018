"""Lists, dicts and arrays that NumPy is given as axes, shapes, widths, counts, indices or masks, and that change after the call:
each call is reversed with what it was given."""

import numpy as np
import pytest

from s2sad import grad, show, value_and_grad
from tests.pipeline.test_sequences_as_arrays import by_differences

X = np.array([[0.3, -0.4, 0.7, 1.1], [-0.9, 0.5, 0.2, -1.3], [0.6, 1.4, -0.8, 0.1], [0.9, -1.2, 0.25, 0.35]])
W = np.arange(1, 17.0).reshape(4, 4)
AXES = [1, 0]


def reverse(k):
    k.reverse()


def transposed(u, axes):
    return np.transpose(u, axes) * W


def axes_of_a_method(u):
    axes = [1, 0]
    v = u.transpose(axes) * W
    axes.reverse()
    return np.sum(v**3)


def axes_of_a_view_used_twice(u):
    axes = [1, 0]
    v = np.transpose(u, axes) * W
    axes.reverse()
    w = np.transpose(u, axes) * W
    return np.sum(v * v * w)


def axes_in_an_array(u):
    axes = np.array([1, 0])
    v = u.transpose(axes) * W
    axes[:] = [0, 1]
    return np.sum(v * v * u.transpose(axes))


def axes_in_a_loop(u):
    axes = [1, 0]
    s = 0.0
    for i in range(3):
        v = np.sin(np.transpose(u, axes) * W * (i + 1))
        axes.reverse()
        s = s + np.sum(v * v)
    return s


def array_of_axes_in_a_loop(u):
    axes = np.array([1, 0])
    s = 0.0
    for i in range(3):
        v = np.sin(np.transpose(u, axes) * W * (i + 1))
        axes[:] = axes[::-1].copy()
        s = s + np.sum(v * v)
    return s


def axes_in_a_dict(u):
    options = {"axes": [1, 0]}
    v = np.transpose(u, **options) * W
    options["axes"].reverse()
    return np.sum(v**3)


def axes_outside(u):
    AXES[:] = [1, 0]
    v = np.transpose(u, AXES) * W
    AXES.reverse()
    return np.sum(v**3)


def axes_changed_by_a_callee(u):
    axes = [1, 0]
    v = np.transpose(u, axes) * W
    reverse(axes)
    return np.sum(v**3)


def axes_given_to_a_callee(u):
    axes = [1, 0]
    v = transposed(u, axes)
    axes.reverse()
    return np.sum(v**3)


def moved(u):
    source, place = [0], [1]
    v = np.moveaxis(u, source, place) * W
    source[0] = 1
    return np.sum(v**3)


def moved_in_a_loop(u):
    source = [0]
    s = 0.0
    for i in range(3):
        s = s + np.sum(np.sin(np.moveaxis(u, source, [1]) * W * (i + 1)) ** 2)
        source[0] = 1 - source[0]
    return s


def reduced(u):
    axes = [(0,)]
    v = np.sum(u, axis=axes[0]) * np.flip(u, axes[0]) * np.mean(u, axes[0])
    axes[0] = (1,)
    return np.sum(v**3)


def rotated(u):
    axes = [0, 1]
    v = np.rot90(u, 1, axes) * W
    axes.reverse()
    return np.sum(v**3)


def rolled(u):
    shift, axes = [1, 2], [0, 1]
    v = np.roll(u, shift, axes) * W
    shift[0] = 2
    axes.reverse()
    return np.sum(v**3)


def rolled_by_an_array(u):
    shift = np.array([1, 2])
    v = np.roll(u, shift, (0, 1)) * W
    shift[0] = 2
    return np.sum(v**3)


def expanded(u):
    axes = [0, 2]
    v = np.expand_dims(u, axes) * W
    axes[1] = 1
    return np.sum(v**3)


def given_another_shape(u):
    shape = [2, 8]
    v = np.reshape(u, shape) * W.reshape(2, 8)
    w = np.resize(u, shape) * W.reshape(2, 8)
    shape.reverse()
    return np.sum(v**3) + np.sum(w**2)


def given_other_shapes_in_a_loop(u):
    shape = [2, 8]
    s = 0.0
    for i in range(3):
        s = s + np.sum(np.sin(u.reshape(shape) * (i + 1))[:, i] ** 2)
        shape.reverse()
        if i == 0:
            shape[:] = [4, 4]
    return s


def tiled(u):
    counts = [2, 1]
    v = np.tile(u, counts) * np.tile(W, [2, 1])
    counts.reverse()
    return np.sum(v**3)


def repeated(u):
    counts = [2, 1, 0, 1]
    v = np.repeat(u, counts, axis=0) * W
    counts.reverse()
    return np.sum(v**3)


def padded(u):
    widths = [[1, 0], [0, 1]]
    v = np.pad(u, widths) * np.arange(25.0).reshape(5, 5)
    widths[0].reverse()
    w = np.pad(u, widths, "edge") * np.arange(25.0).reshape(5, 5)
    widths.reverse()
    return np.sum(v**3) + np.sum(w**2)


def padded_by_arrays(u):
    widths = np.array([[1, 0], [0, 1]])
    v = np.pad(u, widths) * np.arange(25.0).reshape(5, 5)
    widths[0] = [0, 1]
    w = np.pad(u, widths[1]) * np.pad(u, np.int64(1))[:5, :5]
    return np.sum(v**3) + np.sum(w**2)


def split(u):
    places = [1, 3]
    a, b, c = np.split(u, places)
    places[0] = 2
    return np.sum(a**3) + 2 * np.sum(b**3) + 3 * np.sum(c**3)


def chosen(u):
    mask, rows = [True, False, True, False], np.array([1, 0, 1, 0])
    v = np.where(mask, u, u * u)
    w = np.choose(rows, [u, u * u])
    mask[0] = False
    rows[:] = 0
    return np.sum(v**3) + np.sum(w**3)


def edited(u):
    places = [1, 0]
    v = np.delete(u, places, 0) * W[:2]
    w = np.insert(u, places, u[:2], 0)[1:5] * W
    places[0] = 2
    return np.sum(v**3) + np.sum(w**3)


def on_a_mesh(u):
    a, b, c = [0, 1], [2, 3], np.array([0, 1])
    v = u[np.ix_(a, b)] * W[:2, :2]
    mesh = np.ix_(c, b)
    w = u[mesh]
    a[0] = 2
    c[0] = 3
    return np.sum(v**3) + np.sum(w**3 * W[:2, :2])


def taken(u):
    places = [0, 1]
    v = u.take(places, 0)
    w = np.take(u, indices=places, axis=1)
    places[0] = 2
    return np.sum(v**3 * W[:2]) + np.sum(w**3 * W[:, :2])


def compressed(u):
    mask = [True, False, True]
    v = np.compress(mask, u, 0)
    w = u.compress(mask, 1)
    mask.reverse()
    mask[1] = True
    return np.sum(v**3 * W[:2]) + np.sum(w**3 * W[:, :2])


def put(u):
    u = u.copy()
    values, places, mask = u[0] * u[1], [3, 4, 5, 6], u > 0.22
    np.put(u, places, values)
    np.place(u, mask, values)
    np.putmask(u, mask, u * u)
    np.copyto(u, u * u, where=mask)
    places[0] = 0
    mask[:] = False
    return np.sum(u**3 * W)


def added_at(u):
    z = np.zeros((4, 4))
    rows = [0, 0, 1, 2]
    np.add.at(z, rows, u * u)
    np.add.at(z, (rows, [0, 1, 2, 3]), u[0] * u[1])
    rows[0] = 1
    return np.sum(z**3 * W)


def added_in_parts(u):
    places = [0, 2]
    v = np.add.reduceat(u, places)
    places[1] = 1
    return np.sum(v**3 * W[:2])


def where_it_counts(u):
    mask, known = u > 0, [True, False, True, False]
    v = np.multiply(u, u, where=mask, out=np.zeros((4, 4)))
    s = np.sum(v * v) * np.mean(u * u, where=mask) * np.sum(u, where=known)
    mask[:] = False
    known.reverse()
    return s


def at_distances(u):
    places = [1.0, 2.0, 4.0, 5.0]
    v = np.gradient(u, places, axis=0) * W
    places[1] = 3.0
    return np.sum(v**3)


def joined_then_reversed(u):
    parts = [u[:1] * 1, u[1:] * 2]
    v = np.concatenate(parts)
    parts.reverse()
    return np.sum(v**3 * W)


def joined_then_shortened(u):
    parts = [u[:1] * 1, u[1:] * 2]
    v = np.concatenate(parts)
    parts.pop()
    return np.sum(v**3 * W)


def joined_twice(u):
    parts = [u[:1] * 1, u[1:] * 2]
    v = np.vstack(parts)
    parts[0] = u[:2] * 3
    w = np.vstack(parts)
    return np.sum(v**3 * W) + np.sum(w**3)


FUNCTIONS = [
    *(axes_of_a_method, axes_of_a_view_used_twice, axes_in_an_array, axes_in_a_loop, array_of_axes_in_a_loop, axes_in_a_dict),
    *(axes_outside, axes_changed_by_a_callee, axes_given_to_a_callee, moved, moved_in_a_loop, reduced, rotated, rolled),
    *(rolled_by_an_array, expanded, given_another_shape, given_other_shapes_in_a_loop, tiled, repeated, padded),
    *(padded_by_arrays, split, chosen, edited, on_a_mesh, taken, compressed, put, added_at, added_in_parts, where_it_counts),
    *(at_distances, joined_then_reversed, joined_then_shortened, joined_twice),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_options_that_change(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = by_differences(function, X)
    assert gradient == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert grad(function)(X) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert grad(function)(X) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_a_list_that_stays_is_not_copied():
    def function(u):
        axes = [1, 0]
        axes.reverse()
        return np.sum(np.transpose(u, axes) ** 2 * W)

    assert "axes.copy()" not in show(function, X)
    assert grad(function)(X) == pytest.approx(by_differences(function, X), rel=1e-7)
