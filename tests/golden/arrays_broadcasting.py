"""Rows, columns and numbers, and adjoints of the shapes of each."""

import numpy as np


def spread(row, column, scale):
    table = scale * row + column[:, None] * row
    return np.sum(np.sin(table))


args = (np.array([0.3, -0.8, 0.5]), np.array([1.0, 2.0]), 0.7)
argnums = (0, 1, 2)

