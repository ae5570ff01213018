"""How arrays lie in memory decides whether `reshape` gives a view or a copy, and in which order elements are added up."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad


def like_a_copy(x):
    z = np.zeros_like(x.copy())
    w = z.reshape(-1)
    w += x[0, 0] * 2.0
    return np.sum(z * x)


def like_what_is_computed_of_a_transpose(x):
    z = np.zeros_like(np.exp(x.T))
    w = z.reshape(-1)
    w += x[0, 0] * 2.0
    return np.sum(z * x)


def stored_through_a_reshaped_array(x):
    u = np.empty_like(x.copy())
    u[:] = 1.0
    u.reshape(-1)[:] = x[1, 1]
    return np.sum(u * x)


def stored_through_a_raveled_array(x):
    u = np.ones_like(x.copy())
    u.ravel()[:2] = x[1, 1] ** 2
    return np.sum(u * x)


def raveled_copy_in_rows(x):
    w = x.copy(order="C").ravel()
    w *= w[1]
    return w[1] * np.sum(w)


def like_a_sum_of_two_orders(x):
    z = np.full_like(x + x.T.copy(), 2.0)
    z.reshape(-1)[1:] *= x[0, 1]
    return np.sum(z * x**2)


def like_what_follows(x):
    z = np.zeros_like(np.sin(x) * 2.0)
    z.reshape(-1)[::2] = x[1, 0]
    return np.sum(z * x)


def like_an_array_in_a_loop(x):
    total = 0.0
    for _ in range(2):
        y = x.copy()
        z = np.zeros_like(y)
        z.reshape(-1)[:3] = x[0]
        total += np.sum(z * x)
    return total


PROGRAMS = [
    like_a_copy,
    like_what_is_computed_of_a_transpose,
    stored_through_a_reshaped_array,
    stored_through_a_raveled_array,
    raveled_copy_in_rows,
    like_a_sum_of_two_orders,
    like_what_follows,
    like_an_array_in_a_loop,
]
ORDERS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "rows with gaps": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "columns with gaps": lambda x: np.repeat(x.T, 2, axis=1)[:, ::2].T,
    "backwards": lambda x: x[::-1].copy()[::-1],
}
X = np.linspace(0.3, 1.7, 9).reshape(3, 3) ** 2


def by_differences(function, x, laid):
    """Of sixth order; the moved array lies in memory as `x` does."""
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):

        def at(distance, index=index):
            moved = np.array(x, order="C")
            moved[index] += distance
            return function(laid(moved))

        step = 1e-3
        near, middle, far = (at(k * step) - at(-k * step) for k in (1, 2, 3))
        slopes[index] = (45 * near - 9 * middle + far) / (60 * step)
    return slopes


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_first_and_second_derivatives(program, order):
    laid = ORDERS[order]
    x = laid(X)
    value, slopes = value_and_grad(program)(x)
    assert value == program(x)
    assert np.allclose(slopes, by_differences(program, X, laid), rtol=1e-9, atol=1e-9)
    total = grad(lambda x: np.sum(grad(program)(x)))
    want = by_differences(lambda x: np.sum(by_differences(program, x, laid)), X, np.ascontiguousarray)
    assert np.allclose(total(x), want, rtol=1e-6, atol=1e-6)
