"""Adjoints that have their shape already are taken as they are; where lengths may differ, they are brought to it."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad


def eliminate(A):
    """Slices with the same bounds of rows of one array are equally long."""
    A = A.copy()
    for k in range(len(A)):
        for i in range(k + 1, len(A)):
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
    return np.sum(A * A)


def part_by_part(a, b, k):
    """A slice of one argument beside the same slice of another, which may be shorter: then it is repeated."""
    total = 0.0
    for j in range(k):
        total += np.sum(np.sin(a[j:]) * b[j:])
    return total


def other_bounds(a, k, m):
    """Slices with different bounds, of which one has one element."""
    return np.sum(a[k:] * a[m:])


def numbers_beside(a, k):
    """The last element as a slice, as a number, and as a column."""
    return np.sum(a[:, k:] * a[:, -1:]) + np.sum(a[:, k:] * a[0, -1])


def by_differences(function, arguments, place):
    step, found = 1e-6, np.zeros(arguments[place].shape)
    for index in np.ndindex(found.shape):
        values = []
        for way in (step, -step):
            moved = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
            moved[place][index] += way
            values.append(function(*moved))
        found[index] = (values[0] - values[1]) / (2 * step)
    return found


def random(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape)


@pytest.mark.parametrize(
    ("function", "arguments", "wanted"),
    [
        (eliminate, (random(4, 4),), (0,)),
        (part_by_part, (random(4), random(4), 3), (0, 1)),
        (part_by_part, (random(4), random(1), 1), (0, 1)),
        (part_by_part, (random(1), random(4), 1), (0, 1)),
        (other_bounds, (random(5), 1, 1), (0,)),
        (other_bounds, (random(5), 1, 4), (0,)),
        (other_bounds, (random(5), 4, 2), (0,)),
        (numbers_beside, (random(3, 4), 1), (0,)),
        (numbers_beside, (random(3, 4), 3), (0,)),
    ],
)
def test_gradients(function, arguments, wanted):
    gradients = grad(function, argnums=wanted)(*arguments)
    for place, gradient in zip(wanted, gradients):
        assert gradient.shape == arguments[place].shape
        np.testing.assert_allclose(gradient, by_differences(function, arguments, place), rtol=1e-7, atol=1e-8)


def repeated(x):
    """The adjoint of the sum along the axis that is repeated is smaller than the array that was summed."""
    return np.sum(np.broadcast_arrays(x, np.ones((2, 1)))[0] ** 2)


def test_an_adjoint_smaller_than_its_array_is_repeated_before_it_is_summed():
    second = grad(lambda x: np.sum(grad(repeated)(x)))
    np.testing.assert_allclose(second(np.array([1.0, 2.0, 3.0])), [4.0, 4.0, 4.0], rtol=1e-14)


def products(x):
    """`np.matmul` is a ufunc that keeps no shape."""
    y = x[1:]
    return np.sum(np.matmul(y, y) * np.ones((1, 1))) + np.sum(np.matmul(x[:, 1:], x[:, :-1].T) ** 2)


def test_products_of_matrices_have_shapes_of_their_own():
    x = random(3, 2)
    gradient = grad(products)(x)
    np.testing.assert_allclose(gradient, by_differences(products, (x,), 0), rtol=1e-7, atol=1e-8)
