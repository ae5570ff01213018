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


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def hinge_adjoint(x, limit):
    """Gradient of hinge with respect to x and limit."""
    # forward sweep
    len_x = len(x)                              # line 8: for i in range(len(x)):
    # reverse sweep
    x_bar = np.zeros_like(x)                    # line 10: total += x[i] * x[i]
    limit_bar = 0.0
    for i in range(len_x - 1, -1, -1):          # line 8
        x_i = x[i]                              # line 9: if x[i] > limit:
        if x_i > limit:
            x_bar[i] += 2.0 * x_i               # line 10
        else:
            x_bar[i] -= limit                   # line 12: total -= limit * x[i]
            limit_bar -= x_i
    return x_bar, float(limit_bar)
