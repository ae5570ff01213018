"""Reductions along an axis."""

import numpy as np


def spread(x):
    centred = x - np.mean(x, axis=0)
    return np.sum(np.mean(centred * centred, axis=0) ** 0.5)


args = (np.array([[0.3, -0.8], [1.5, 0.2], [0.7, 0.9]]),)
argnums = 0

