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
    x_above_limit = x > limit                   # line 7: return np.sum(np.where(x > limit, limit * x, x * x))
    # reverse sweep
    full_like_x = np.full_like(x, 1.0)          # line 7
    where = np.where(x_above_limit, full_like_x, 0.0)
    x_bar = 2 * np.where(x_above_limit, 0.0, full_like_x) * x + where * limit
    return x_bar, float(where @ x)
