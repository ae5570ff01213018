"""Arrays that code which is not followed may change: contexts, and objects of which nothing is known. They are refused."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from s2sad import grad
from s2sad.errors import S2sadError

X = np.array([0.371, 1.213, -0.643, 0.817])


@contextlib.contextmanager
def doubled(a):
    a *= 2
    yield a
    a += 1


@contextlib.contextmanager
def numbered(k):
    yield k


class Doubling:
    def __init__(self, a):
        self.a = a

    def __enter__(self):
        self.a *= 2
        return self.a

    def __exit__(self, *exception):
        self.a += 1


def generator_with_name(x):
    y = x * x
    with doubled(y) as v:
        v[0] *= x[1]
    return np.sum(y * x)


def generator(x):
    y = x * x
    with doubled(y):
        y[0] *= x[1]
    return np.sum(y * x)


def read_only_in_the_context(x):
    y = x * x
    with doubled(y):
        z = y * 2
    return np.sum(y * z)


def of_a_class(x):
    y = x * x
    with Doubling(y):
        z = y * 2
    return np.sum(y * z)


def array_of_objects(x):
    y = x * x
    kept = np.empty(2, dtype=object)
    kept[0] = y
    kept[0][1] = 7.0
    return np.sum(y * x)


@pytest.mark.parametrize("function", [generator_with_name, generator, read_only_in_the_context, of_a_class, array_of_objects])
def test_what_is_changed_elsewhere_is_refused(function):
    with pytest.raises(S2sadError):
        grad(function)(X)


def test_contexts_without_active_numbers():
    def function(x):
        y = x * x
        with numbered("name") as name, np.errstate(all="ignore"):
            y[1] *= x[1] if name == "name" else 0.0
        return np.sum(y * x)

    expected = 3 * X**2
    expected[1] = 4 * X[1] ** 3
    np.testing.assert_allclose(grad(function)(X), expected, rtol=1e-14)
