"""A loop over the elements of an array, with branches."""

import numpy as np


def hinge(x, limit):
    total = 0.0
    for i in range(len(x)):
        if x[i] > limit:
            total += x[i] * x[i]
        else:
            total -= limit * x[i]
    return total


args = (np.array([0.3, -0.8, 0.5, 1.1]), 0.1)
argnums = (0, 1)

