"""Arrays and lists that are indices, and change after they were used: each statement is reversed with the index that it had."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from tests.pipeline.test_sequences_as_arrays import by_differences

X = np.array([[0.3, -0.4, 0.7, 1.1], [-0.9, 0.5, 0.2, -1.3], [0.6, 1.4, -0.8, 0.1]])


def list_in_a_tuple(u):
    u = u.copy()
    k = [0, 2]
    t = (k, [1, 1])
    u[t] *= u[0, 0]
    k[0] = 1
    return np.sum(u**2)


def list_in_a_tuple_that_is_read(u):
    k = [0, 2]
    t = (k, [1, 1])
    a = u[t]
    k[0] = 1
    b = u[t]
    k.append(0)
    return np.sum(a * b * b)


def array_in_a_tuple(u):
    u = u.copy()
    k = np.array([0, 2])
    t = (k, np.array([1, 1]))
    u[t] *= u[0, 0]
    k[0] = 1
    u[t] += 5 * u[2, 3]
    k += 0
    return np.sum(u**2)


def array(u):
    u = u.copy()
    k = np.array([0, 2])
    u[k] *= u[0, 0]
    k[0] = 1
    v = u[k]
    k[1] = 0
    u[k, 1] = v[0, 0] ** 2
    return np.sum(u**2) + v.sum()


def in_a_loop(u):
    u = u.copy()
    k = np.arange(3)
    for i in range(3):
        u[k, k] *= 1 + u[2, 3]
        k[:] = k[::-1]
        k[i] = 0
        u[k[:2], 1] += u[0, 3]
    return np.sum(u**2)


def list_of_a_dict(u):
    u = u.copy()
    d = {"rows": [0, 1]}
    for i in range(3):
        u[d["rows"]] *= 1 + u[2, 2]
        d["rows"][0] = i
        u[(d["rows"], [0, 1])] += u[0, 3]
    return np.sum(u**2)


class Places:
    def __init__(self):
        self.rows = [0, 1]
        self.both = (self.rows, [2, 3])


def list_of_an_object(u):
    u = u.copy()
    places = Places()
    u[places.both] *= u[0, 0]
    places.rows[0] = 2
    u[places.both] *= u[1, 1]
    places.rows[:] = [1, 1]
    return np.sum(u**2)


def mask(u):
    u = u.copy()
    m = np.zeros((3, 4), bool)
    m[1] = True
    v = u[m]
    m[:] = False
    m[2, 1] = True
    u[m] = v[0] ** 2
    return np.sum(u**2) + v.sum()


def mask_in_a_tuple(u):
    u = u.copy()
    m = np.zeros(4, bool)
    m[1] = True
    u[:, m] *= u[1, 1]
    m[0] = True
    u[1:, m] += u[0, 0]
    m[1] = False
    return np.sum(u**2)


def mask_that_is_set_twice(u):
    u = u.copy()
    m = np.zeros((3, 4), bool)
    m[0] = True
    u[m] *= u[1, 1]
    m[1] = True
    v = u[m]
    m[:] = False
    m[2, 1] = True
    u[m] = v[0] ** 2
    t = (m,)
    u[t] *= 2
    m[0, 0] = True
    return np.sum(u**2) + v.sum()


def taken(u):
    k = [0, 1]
    a = np.take(u, k, axis=1)
    k[0] = 2
    return np.sum(a**2) + np.sum(np.take(u, [2, 2], 0) ** 3) + np.sum(np.take(u, []))


FUNCTIONS = [
    *(list_in_a_tuple, list_in_a_tuple_that_is_read, array_in_a_tuple, array, in_a_loop),
    *(list_of_a_dict, list_of_an_object, mask, mask_in_a_tuple, mask_that_is_set_twice, taken),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_indices_that_change(function):
    value, gradient = value_and_grad(function)(X)
    assert value == function(X)
    expected = by_differences(function, X)
    assert gradient == pytest.approx(expected, rel=1e-7, abs=1e-8)
    assert grad(function)(X) == pytest.approx(expected, rel=1e-7, abs=1e-8)


def read_twice(u):
    i, j = np.array([0, 1]), np.array([2, 3])
    s = u[i, j]
    i += 1
    t = u[i, j]
    return np.sum(s * t * s)


@pytest.mark.parametrize("function", [read_twice, array, array_in_a_tuple, mask_in_a_tuple])
def test_second_derivatives_with_indices_that_change(function):
    """What is loaded by an index in a tuple is not loaded again after the index has changed."""

    def of_gradient(u):
        return np.sum(grad(function)(u) ** 2)

    assert grad(of_gradient)(X) == pytest.approx(by_differences(of_gradient, X), rel=1e-6, abs=1e-6)
