"""Arrays that are joined."""

import numpy as np


def join(x, y):
    both = np.concatenate((x, y * y))
    return np.sum(np.cumsum(both) ** 2)


args = (np.array([0.3, -0.8]), np.array([1.0, 2.0]))
argnums = (0, 1)

