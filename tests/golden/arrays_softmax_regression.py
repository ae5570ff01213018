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

