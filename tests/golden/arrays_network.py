"""A network of two layers."""

import numpy as np


def loss(w1, b1, w2, b2, x, y):
    hidden = np.tanh(x @ w1 + b1)
    error = hidden @ w2 + b2 - y
    return np.mean(error**2)


args = (
    np.array([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]]),
    np.array([0.1, 0.0, -0.1]),
    np.array([0.7, -0.2, 0.3]),
    0.2,
    np.array([[1.0, 2.0], [0.3, -1.0]]),
    np.array([1.0, 0.5]),
)
argnums = (0, 1, 2, 3)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(w1, b1, w2, b2, x, y):
    """Gradient of loss with respect to w1, b1, w2 and b2."""
    # forward sweep
    hidden = np.tanh(x @ w1 + b1)                              # line 7
    error = hidden @ w2 + b2 - y                               # line 8
    # reverse sweep
    product = 2 / max(y.size, 1) * error                       # line 9: return np.mean(error**2)
    product_2 = product[:, None] * w2 * (1 - hidden * hidden)  # line 7
    float_b2_bar = float(np.sum(product))
    matmul_T_product = hidden.T @ product                      # line 8
    return x.T @ product_2, np.sum(product_2, axis=0), matmul_T_product, float_b2_bar
