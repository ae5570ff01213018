"""Loops that try until a statement no longer raises: what the `try` binds first is bound when the loop is over."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import value_and_grad


def until_it_works(x):
    shift = 0.0
    while True:
        try:
            y = math.log(x - 3 + shift)
            break
        except ValueError:
            shift += 1
    return y * x


def with_else(x):
    shift = 0.0
    for _ in range(9):
        try:
            y = math.log(x - 3 + shift)
        except ValueError:
            shift += 1
        else:
            break
    return y * x


def with_continue(x):
    shift = 0.0
    for _ in range(9):
        try:
            y = math.log(x - 3 + shift)
        except ValueError:
            shift += 1
            continue
        break
    return y * x


def with_flag(x):
    done = False
    n = 0
    while not done:
        try:
            y = math.log(x - 3 + n)
            done = True
        except ValueError:
            n += 1
    return y * x


def skipping(x):
    for k in range(3):
        try:
            y = math.log(x - 1 + k)
        except ValueError:
            continue
        x = x * y
    return y * x


def two_in_a_body(x):
    shift = 0.0
    while True:
        try:
            y = math.sqrt(x + shift)
            z = math.log(y - 2.0)
            break
        except ValueError:
            shift += 1
    return y * z


@pytest.mark.parametrize("function", [until_it_works, with_else, with_continue, with_flag, skipping, two_in_a_body])
def test_gradients(function):
    step = 1e-6
    value, gradient = value_and_grad(function)(0.7)
    assert value == function(0.7)
    assert gradient == pytest.approx((function(0.7 + step) - function(0.7 - step)) / (2 * step), rel=1e-8)


def decomposed(x):
    jitter = 1e-6
    matrix = np.diag(x)
    for _ in range(40):
        try:
            factor = np.linalg.cholesky(matrix + jitter * np.eye(3))
            break
        except np.linalg.LinAlgError:
            jitter *= 10
    return np.sum(np.log(np.diag(factor)))


def test_a_factorisation_that_takes_several_tries():
    x, step = np.array([0.5, -0.2, 0.8]), 1e-6
    value, gradient = value_and_grad(decomposed)(x)
    assert value == decomposed(x)
    differences = [(decomposed(x + step * unit) - decomposed(x - step * unit)) / (2 * step) for unit in np.eye(3)]
    np.testing.assert_allclose(gradient, differences, rtol=1e-7)


def never(x):
    for _ in range(2):
        try:
            y = math.log(x - 3)
        except ValueError:
            pass
    return y * x


def test_what_nothing_bound_is_no_number():
    with pytest.raises((UnboundLocalError, TypeError)):
        value_and_grad(never)(0.7)
