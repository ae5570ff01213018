"""A copy that lies in memory in another way than what it copies stays where sums would be rounded otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, value_and_grad

RNG = np.random.default_rng(3)


def sum_of_copies(m):
    c = np.transpose(m)
    c = c.copy() + c.copy()
    return np.sum(c)


def copy_of_what_was_made(m):
    c = np.sin(m.T)
    return np.sum(c.copy())


def copy_of_an_argument(m):
    c = m.copy()
    return np.sum(np.exp(c))


def copy_of_columns(m):
    c = m[:, ::2].copy()
    return np.sum(c) + np.sum(c * c)


def product_with_a_copy(m):
    c = m.T.copy()
    return np.sum(c @ m)


def copy_of_a_vector_with_gaps(m):
    c = m[:, 1].copy()
    return np.sum(np.sin(c)) + c @ c


def handed_on(m):
    c = m.T
    for _ in range(3):
        c = c.copy()
    return np.mean(c)


def copy_in_one_arm(m):
    c = m.T.copy() if m[0, 0] > 0 else m.T
    return np.sum(c * 0.1)


@pytest.mark.parametrize(
    "function",
    [
        sum_of_copies,
        copy_of_what_was_made,
        copy_of_an_argument,
        copy_of_columns,
        product_with_a_copy,
        copy_of_a_vector_with_gaps,
        handed_on,
        copy_in_one_arm,
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_value_is_that_of_the_primal_to_the_last_bit(function, order) -> None:
    derivative = value_and_grad(function)
    for _ in range(60):
        m = np.asarray(RNG.normal(size=(7, 5)), order=order)
        assert derivative(m)[0] == function(m)
    check_grads(function, (m,))


def test_copies_that_lie_as_what_they_copy_are_left_out() -> None:
    def spread(x, n):
        u = np.zeros((n, n))
        u[1:, :] = x
        v = u.copy()
        return np.sum(v * v)

    assert "copy()" not in value_and_grad(spread).source(np.ones(3), 3)
    check_grads(spread, (np.array([0.3, 0.7, 0.2]), 3))
