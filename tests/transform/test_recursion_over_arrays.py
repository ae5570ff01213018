"""Functions that call themselves with parts of their arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

import s2sad

X = np.array([0.7, -1.3, 1.9, 0.4])


def product_of_all(v):
    if len(v) == 0:
        return 1.0
    return v[0] * product_of_all(v[1:])


def of_copies(v):
    if len(v) == 1:
        return v[0] ** 2
    return v[-1] * of_copies(v[:-1].copy())


def of_neighbours(v):
    if v.size < 2:
        return v[0]
    return of_neighbours(v[1:] * v[:-1])


def scaled_again(v):
    if len(v) == 1:
        return v
    return scaled_again(v[1:]) * np.array([2.0])


def determinant(m):
    if m.shape[0] == 1:
        return m[0, 0]
    total = 0.0
    for j in range(m.shape[1]):
        total += (-1) ** j * m[0, j] * determinant(np.delete(m[1:], j, axis=1))
    return total


@pytest.mark.parametrize("function", [product_of_all, of_copies, of_neighbours, scaled_again])
def test_recursion_over_parts(function):
    def program(x):
        return np.sum(function(x) ** 2)

    s2sad.check_grads(program, (X,))
    s2sad.check_grads(lambda x: np.sum(s2sad.grad(program)(x) * np.arange(1.0, 5.0)), (X,))


def test_a_product_has_the_other_factors_for_a_gradient():
    want = [math.prod(X[k] for k in range(4) if k != j) for j in range(4)]
    np.testing.assert_allclose(s2sad.grad(product_of_all)(X), want, rtol=1e-14)


def test_a_determinant_by_minors_has_the_cofactors_for_a_gradient():
    m = np.array([[2.0, 1.0, 0.5], [0.3, -1.0, 4.0], [1.5, 0.2, 0.9]])
    np.testing.assert_allclose(s2sad.grad(determinant)(m), np.linalg.det(m) * np.linalg.inv(m).T, rtol=1e-12)
