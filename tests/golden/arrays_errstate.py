"""Divisions by zero that are left out, under `numpy.errstate`."""

import numpy as np


def weighted(x, y, w):
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(y > 0, x / y, 0.0)
    return np.sum(w * ratio**2)


args = (np.array([1.0, 0.5, 2.0]), np.array([2.0, 1.0, 3.0]), np.array([1.0, 2.0, 3.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def weighted_adjoint(x, y, w):
    """Gradient of weighted with respect to x and y."""
    # forward sweep
    with np.errstate(divide="ignore", invalid="ignore"):     # line 7
        y_above_0 = y > 0                                    # line 8: ratio = np.where(y > 0, x / y, 0.0)
        x_over_y = x / y
        ratio = np.where(y_above_0, x_over_y, 0.0)
    # reverse sweep
    w_times_two_ratio = w * (2 * ratio)                      # line 9: return np.sum(w * ratio**2)
    with np.errstate(divide="ignore", invalid="ignore"):     # line 7
        where = np.where(y_above_0, w_times_two_ratio, 0.0)  # line 8
        x_bar = where / y
        y_bar = where * (-x_over_y / y)
    return x_bar, y_bar
