"""Logistic regression."""

import numpy as np


def loss(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


args = (np.array([0.5, -0.3]), np.array([[1.0, 2.0], [0.3, -1.0], [-0.7, 0.4]]), np.array([1.0, 0.0, 1.0]))
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(w, x, y):
    """Gradient of loss with respect to w."""
    # forward sweep
    exp_minus_matmul_x_w = np.exp(-(x @ w))      # line 7: p = 1 / (1 + np.exp(-(x @ w)))
    total = 1 + exp_minus_matmul_x_w
    p = 1 / total
    one_minus_y = 1 - y                          # line 8: return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    one_minus_p = 1 - p
    # reverse sweep
    minus_over_max_size = -1.0 / max(y.size, 1)  # line 8
    scaled_p_bar_times_p = (minus_over_max_size * y / p - minus_over_max_size * one_minus_y / one_minus_p) * p * exp_minus_matmul_x_w  # line 7
    return x.T @ (scaled_p_bar_times_p / total)
