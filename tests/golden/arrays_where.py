"""A choice for each element."""

import numpy as np


def clipped(x, limit):
    return np.sum(np.where(x > limit, limit * x, x * x))


args = (np.array([0.3, -0.8, 1.5]), 1.0)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def clipped_adjoint(x, limit):
    """Gradient of clipped with respect to x and limit."""
    # forward sweep
    x_above_limit = x > limit  # line 7: return np.sum(np.where(x > limit, limit * x, x * x))
    # reverse sweep
    where_x_above_limit = np.where(x_above_limit, 1.0, 0.0)  # line 7
    x_bar = 2 * np.where(x_above_limit, 0.0, 1.0) * x + where_x_above_limit * limit
    return x_bar, float(where_x_above_limit @ x)
