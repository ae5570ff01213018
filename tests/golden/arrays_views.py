"""A view that is stored through."""

import numpy as np


def through_views(x):
    y = x * x
    corner = y[1:].T[:, ::2]
    corner *= 3.0
    return np.sum(y * y)


args = (np.array([[0.3, -0.8], [1.5, 0.2], [0.7, 0.9]]),)
argnums = 0

