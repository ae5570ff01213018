"""Functions of NumPy with several results, which they store into arrays that they are given."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import UnsupportedSyntaxError

X = np.array([1.0, 2.3])


def by_name(x):
    quotient, rest = np.empty(2), np.empty(2)
    np.divmod(x, 0.7, out=(quotient, rest))
    return rest @ x + quotient @ x


def by_place(x):
    fraction, whole = np.empty(2), np.empty(2)
    np.modf(x * 2.0, fraction, whole)
    return fraction @ x


def with_the_result(x):
    quotient, rest = np.empty(2), np.ones(2)
    given = np.divmod(x, 0.7, out=(quotient, rest))
    return given[1] @ x + np.sum(rest)


def into_one_only(x):
    fraction = np.empty(2)
    _, whole = np.modf(x, out=(fraction, None))
    return fraction @ x + whole @ x


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (by_name, np.floor(X / 0.7) + X % 0.7 + X),
        (by_place, (2 * X) % 1 + 2 * X),
        (with_the_result, X % 0.7 + X + 1),
    ],
)
def test_each_array_has_its_result(function, slope):
    np.testing.assert_allclose(grad(function)(X), slope, rtol=1e-14)


def test_a_place_that_is_none_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match=r"(?s)np\.modf\(\) stores its results.*assign them.*line \d+"):
        grad(into_one_only)(X)


KEPT = np.zeros(2)


def through_the_memory(x):
    np.frombuffer(KEPT)[:] = x
    return np.sum(KEPT**2)


def of_bytes(x):
    return np.sum(np.frombuffer(bytes(16)) + x)


def test_the_memory_of_an_array_by_another_name_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match=r"(?s)np\.frombuffer\(\).*use the array itself.*line \d+"):
        grad(through_the_memory)(X)
    np.testing.assert_array_equal(grad(of_bytes)(X), [1.0, 1.0])
