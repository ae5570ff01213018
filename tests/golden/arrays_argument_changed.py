"""A function that changes its argument; the array of the caller stays as it is."""

import numpy as np


def scale(y, factor):
    y *= factor


def changed(x, factor):
    scale(x, factor)
    scale(x, factor)
    return np.sum(np.sin(x))


args = (np.array([0.3, -0.8]), 1.5)
argnums = (0, 1)

