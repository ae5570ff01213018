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

