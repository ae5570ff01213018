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


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def prefix_adjoint(x):
    """Gradient of prefix with respect to x."""
    # forward sweep
    len_x = len(x)                              # line 7: y = np.zeros(len(x))
    # reverse sweep
    y_bar = np.full_like(x, 1.0)                # line 11: return np.sum(y)
    x_bar = np.zeros_like(x)                    # line 10: y[i] = y[i - 1] + x[i] * x[i]
    for i in range(len_x - 1, 0, -1):           # line 9: for i in range(1, len(x)):
        y_i_bar = y_bar[i]                      # line 10
        y_bar[i] = 0.0
        x_bar[i] = 2.0 * y_i_bar * x[i]
        y_bar[i - 1] += y_i_bar
    x_bar[0] += y_bar[0]                        # line 8: y[0] = x[0]
    return x_bar
