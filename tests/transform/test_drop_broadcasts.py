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


# --- Lengths that are the same within one trip of a loop --------------------------------------------------------------------


def every_second(u, f, sweeps):
    """Red and black points in turn: slices that take every second one, written in several ways."""
    u = u.copy()
    for _ in range(sweeps):
        u[1:-1:2] = np.cos(u[:-2:2] * u[2::2]) - f[1:-1:2]
        u[2:-1:2] = np.cos(u[1:-2:2] * u[3::2]) - f[2:-1:2]
    return np.sum(u**3)


def every_third(u, k):
    """Parts that are equally long or not, as it happens."""
    return np.sum(np.sin(u[::3]) * u[2::3]) + np.sum(u[::3] * u[k::3])


def factorise(a):
    """A matrix less the product of two of its parts, which become shorter in each trip."""
    a = a.copy()
    for k in range(min(a.shape) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.sum(np.sin(a))


def reflect(a):
    """A vector that is copied from a part, and its products with parts of two arrays."""
    r, q = a.copy(), np.eye(a.shape[0])
    for k in range(a.shape[1]):
        v = r[k:, k].copy()
        v[0] += np.sqrt(np.sum(v**2))
        v /= np.sqrt(v @ v)
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ v, v)
    return np.sum(q**3) + np.sum(np.sin(r))


def chosen(x, count):
    """What a mask leaves has one length in each trip, whatever it is."""
    total = 0.0
    for k in range(count):
        y = x[x > 0.1 * k]
        z = np.exp(y)
        total += np.sum(z * y / (1.0 + z))
    return total


def ahead(x, count):
    """The part that a trip hands on is shorter in the next one."""
    y = x[1:]
    total = 0.0
    for k in range(count):
        z = x[k + 1 :] * y
        total += np.sum(np.sin(z))
        y = x[k + 2 :]
    return total


def until(x, most):
    """Lengths that a loop which ends on a condition counts."""
    total, k = 0.0, 1
    while k < len(x) and total < most:
        total += np.sum(np.sin(x[:-k] * x[k:]) * x[:1])
        k += 1
    return total


EVERY = [(every_second, (random(n), random(n), 3), (0, 1)) for n in range(4, 9)]
THIRD = [(every_third, (random(n), k), (0,)) for n, k in [(6, 2), (6, 1), (5, 2), (4, 3), (3, 1)]]
FACTORS = [(factorise, (random(n, m) + 4 * np.eye(n, m),), (0,)) for n, m in [(2, 2), (4, 4), (3, 5), (5, 2)]]
REFLECTED = [(reflect, (random(n, m),), (0,)) for n, m in [(1, 1), (3, 3), (5, 2)]]
OTHERS = [
    (chosen, (random(7), 3), (0,)),
    (ahead, (random(5), 4), (0,)),
    (until, (random(6), 1e9), (0,)),
    (until, (random(2), 9.0), (0,)),
]


@pytest.mark.parametrize(("function", "arguments", "wanted"), [*EVERY, *THIRD, *FACTORS, *REFLECTED, *OTHERS])
def test_gradients_where_lengths_are_those_of_a_trip(function, arguments, wanted):
    test_gradients(function, arguments, wanted)


@pytest.mark.parametrize(("function", "arguments", "wanted"), [EVERY[-1], FACTORS[1], REFLECTED[1], OTHERS[0]])
def test_lengths_within_a_trip_are_known_to_be_equal(function, arguments, wanted):
    source = grad(function, argnums=wanted).source(*arguments)
    assert "broadcast" not in source
    assert "outer_saved" not in source


def several_terms(u, i, j, k, count):
    """Nobody knows which of the terms are repeated."""
    u = u.copy()
    for _ in range(count):
        u[i] = u[i] + u[j] + u[k] + 1.5
    return np.sum(u**2)


@pytest.mark.parametrize("parts", [((0, 3), (1, 2), (2, 5)), ((0, 1), (0, 1), (1, 2)), ((1, 4), (2, 5), (4, 5))])
def test_of_terms_that_may_be_repeated_the_sum_is_not_kept(parts):
    arguments = (random(6), *(slice(*part) for part in parts), 2)
    test_gradients(several_terms, arguments, (0,))
    assert "_saved" not in grad(several_terms).source(*arguments)
