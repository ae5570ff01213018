"""A loop over rows."""

import numpy as np


def rows(x):
    total = 0.0
    for row in x:
        total += row[0] * np.sum(row)
    return total


args = (np.array([[0.3, -0.8], [1.5, 0.2]]),)
argnums = 0

