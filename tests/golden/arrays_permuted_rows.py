"""Rows that change places, under indices that are written out."""

import numpy as np


def loss(x, n):
    x = x.reshape(3, -1).copy()
    for _ in range(n):
        x[[0, 1, 2]] = x[[2, 0, 1]]
        x[0] *= 0.5
    return np.sum(x[0] * x[1])


args = (np.array([1.0, -0.5, 2.0, 0.3, 1.5, -1.0]), 4)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(x, n):
    """Gradient of loss with respect to x."""
    # forward sweep
    indices = np.array([2, 0, 1])               # line 9: x[[0, 1, 2]] = x[[2, 0, 1]]
    indices_2 = np.array([0, 1, 2])
    x_2 = x.reshape(3, -1).copy()               # line 7: x = x.reshape(3, -1).copy()
    for _ in range(n):                          # line 8
        x_2[indices_2] = x_2[indices]           # line 9
        x_2_0 = x_2[0]                          # line 10: x[0] *= 0.5
        x_2_0 *= 0.5
    x_2_0_2 = x_2[0]                            # line 11: return np.sum(x[0] * x[1])
    x_2_1 = x_2[1]
    # reverse sweep
    x_bar = np.zeros_like(x_2)
    x_bar[0] = x_2_1                            # line 11
    x_bar[1] += x_2_0_2
    for _ in range(n):                          # line 8
        x_0_bar = x_bar[0]                      # line 10
        x_0_bar *= 0.5
        x_indices_bar = x_bar[indices_2]        # line 9
        x_bar[indices_2] = 0.0
        x_bar[indices] += x_indices_bar
    return x_bar.reshape(np.shape(x))
