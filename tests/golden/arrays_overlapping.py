"""An operation whose operands overlap."""

import numpy as np


def shifted(x):
    y = x * x
    y[1:] += y[:-1]
    y[::2] *= 0.5
    return np.sum(y)


args = (np.array([0.3, -0.8, 1.5, 0.4]),)
argnums = 0

