"""A loop over rows."""

import numpy as np


def rows(x):
    total = 0.0
    for row in x:
        total += row[0] * np.sum(row)
    return total


args = (np.array([[0.3, -0.8], [1.5, 0.2]]),)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def rows_adjoint(x):
    """Gradient of rows with respect to x."""
    # forward sweep
    len_x = len(x)                              # line 8: for row in x:
    # reverse sweep
    x_bar = np.zeros_like(x)                    # line 8
    for i in range(len_x - 1, -1, -1):
        row = x[i]
        row_bar = np.full_like(row, row[0])     # line 9: total += row[0] * np.sum(row)
        row_bar[0] += np.sum(row)
        x_bar[i] += row_bar                     # line 8
    return x_bar
