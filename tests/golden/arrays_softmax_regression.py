"""Softmax regression, with a maximum that is taken off."""

import numpy as np


def loss(w, x, y):
    z = x @ w
    z = z - np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(y * log_p) / x.shape[0]


args = (
    np.array([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]]),
    np.array([[1.0, 2.0], [0.3, -1.0]]),
    np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(w, x, y):
    """Gradient of loss with respect to w."""
    # forward sweep
    z = x @ w                                   # line 7
    z = z - np.max(z, axis=1, keepdims=True)    # line 8
    exp_z = np.exp(z)                           # line 9: log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    sum_exp_z = np.sum(exp_z, axis=1, keepdims=True)
    shape_0 = x.shape[0]                        # line 10: return -np.sum(y * log_p) / x.shape[0]
    # reverse sweep
    product = -1.0 / np.float64(shape_0) * y    # line 10
    z_bar = product - np.sum(product, axis=1, keepdims=True) / sum_exp_z * exp_z  # line 9
    return x.T @ z_bar
