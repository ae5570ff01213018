"""A buffer that is read and written element by element."""

import numpy as np


def prefix(x):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i] * x[i]
    return np.sum(y)


args = (np.array([0.3, -0.8, 0.5]),)
argnums = 0

