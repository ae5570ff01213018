"""Logistic regression."""

import numpy as np


def loss(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


args = (np.array([0.5, -0.3]), np.array([[1.0, 2.0], [0.3, -1.0], [-0.7, 0.4]]), np.array([1.0, 0.0, 1.0]))
argnums = 0

