"""Arrays of integers whose derivative is asked for count as real numbers, and give no indices."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import NonDifferentiableError

N = np.array([0, 1, 1])
X = np.array([1.0, 2.0, 3.0])


def taken(x, n):
    return x[n]


def stored(n, x):
    y = x.copy()
    y[n] = 0.0
    return np.sum(y * n)


@pytest.mark.parametrize(
    "program",
    [
        lambda n, x: np.sum(n * x[n]),
        lambda n, x: sum(x[n[k]] * n[k] for k in range(3)),
        lambda n, x: np.sum(taken(x, n) * n),
        stored,
    ],
)
def test_an_index_taken_from_what_counts_as_real_is_refused(program):
    with pytest.raises(NonDifferentiableError, match="leave it out of argnums"):
        grad(program, argnums=(0, 1))(N, X)


def test_without_an_index_they_are_real_numbers():
    n_bar, x_bar = grad(lambda n, x: np.sum(n * x) + np.sum(n[1:] ** 2), argnums=(0, 1))(N, X)
    np.testing.assert_array_equal(n_bar, [1.0, 4.0, 5.0])
    np.testing.assert_array_equal(x_bar, [0.0, 1.0, 1.0])


def test_a_number_may_be_both():
    assert grad(lambda k, xs: xs[k] * k, argnums=(0, 1))(1, [1.0, 2.0]) == (2.0, [0.0, 1.0])
