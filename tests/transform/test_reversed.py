"""A loop over `reversed(list)`: what the elements hold may change meanwhile, the list may not."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


class Layer:
    def __init__(self, W):
        self.W = W
        self.gW = np.zeros_like(W)

    def backward(self, g):
        self.gW += np.outer(g, g)
        return self.W.T @ g


def step(W, x):
    """One step of training, with the backward pass written by hand: sum(W) - 0.1 (x W 1)**2."""
    layers = [Layer(W), Layer(0.5 * W)]
    g = 2 * x
    for layer in reversed(layers):
        g = layer.backward(g)
    for layer in layers:
        layer.W = layer.W - 0.1 * layer.gW
    return np.sum(layers[0].W)


def test_a_backward_pass_written_by_hand():
    W, x = np.array([[1.0, 2.0], [-0.5, 0.25]]), np.array([1.0, 2.0])
    total = x @ W @ np.ones(2)
    value, (W_bar, x_bar) = value_and_grad(step, argnums=[0, 1])(W, x)
    assert value == step(W, x)
    np.testing.assert_allclose(W_bar, 1.0 - 0.2 * total * np.outer(x, np.ones(2)), rtol=1e-13)
    np.testing.assert_allclose(x_bar, -0.2 * total * W.sum(1), rtol=1e-13)
    second = grad(lambda W: np.sum(grad(step)(W, x)))(W)  # - 0.2 x_i sum_j: twice 3 * total
    np.testing.assert_allclose(second, np.outer(x, np.ones(2)) * -0.2 * 6.0, rtol=1e-13)


def rows_change(x):
    rows = [[x, 1.0], [2.0, x]]
    total = x
    for row in reversed(rows):
        row[0] *= total
        total += row[0] * row[1]
    return total


def test_rows_that_change():
    # x + 2 x x = t, then x t
    x = 1.5
    value, slope = value_and_grad(rows_change)(x)
    t = x + 2 * x * x
    assert value == t + x * t
    assert slope == pytest.approx((1 + 4 * x) * (1 + x) + t, rel=1e-15)


def stores(x):
    xs = [x, 2 * x, 3 * x]
    total = 0.0
    for v in reversed(xs):
        total += v * xs[0]
        xs[0] = v
    return total


def as_advised(x):
    xs = [x, 2 * x, 3 * x]
    total = 0.0
    for k in range(len(xs) - 1, -1, -1):
        v = xs[k]
        total += v * xs[0]
        xs[0] = v
    return total


def stores_before(x):
    xs = [x, 2 * x, 3 * x]
    backwards = reversed(xs)
    xs.append(x)
    total = 0.0
    for v in backwards:
        total += v * xs[0]
        xs[0] = v
    return total


def test_a_list_that_changes():
    assert stores(1.5) == as_advised(1.5)
    for program in (stores, as_advised):
        assert grad(program)(1.5) == 2 * 1.5 * (3 + 6 + 4)  # x**2 (3 + 2 * 3 + 2 * 2)


def test_a_list_that_changes_before_it_is_gone_over():
    with pytest.raises(UnsupportedSyntaxError, match=r"a list changes after `reversed`.*range of indices"):
        grad(stores_before)(1.5)
    assert stores_before(1.5) == as_advised(1.5)
