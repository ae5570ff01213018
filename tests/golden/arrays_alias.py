"""One buffer under two names."""

import numpy as np


def alias(x, y):
    y = y.copy()
    z = y
    z += x
    return np.sum(y * y)


args = (np.array([0.3, -0.8]), np.array([1.0, 2.0]))
argnums = (0, 1)

