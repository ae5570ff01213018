"""Products with the identity, and transposes of transposes."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad


def trace_of_product(a, b):
    return np.trace(a @ b)


def scaled_trace(a, b, s):
    return s * np.trace(a @ b)


def trace_of_rectangle(a, b):
    return np.trace((a @ b)[:2])


A, B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, -1.0], [2.0, 7.0]])


def test_the_identity_is_not_multiplied_by():
    a_bar, b_bar = s2sad.grad(trace_of_product, argnums=(0, 1))(A, B)
    assert np.array_equal(a_bar, B.T)
    assert np.array_equal(b_bar, A.T)
    source = s2sad.show(trace_of_product, A, B, argnums=(0, 1))
    assert "eye" not in source
    assert "@" not in source


def test_a_factor_stays():
    a_bar, b_bar, s_bar = s2sad.grad(scaled_trace, argnums=(0, 1, 2))(A, B, 3.0)
    assert np.array_equal(a_bar, 3 * B.T)
    assert np.array_equal(b_bar, 3 * A.T)
    assert s_bar == np.trace(A @ B)


def test_the_gradient_is_an_array_of_its_own():
    a_bar = s2sad.grad(trace_of_product)(A, B)
    assert not np.shares_memory(a_bar, B)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_rectangles_are_multiplied(shape):
    a, b = np.arange(1.0, 7.0).reshape(shape), np.arange(6.0).reshape(shape[::-1])
    a_bar = s2sad.grad(trace_of_rectangle)(a, b)
    kept = np.eye(shape[0])[:, :2] if shape[0] > 2 else np.eye(2)
    assert np.array_equal(a_bar, (b @ kept @ kept.T).T)
