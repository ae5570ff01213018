"""Arrays that are joined."""

import numpy as np


def join(x, y):
    both = np.concatenate((x, y * y))
    return np.sum(np.cumsum(both) ** 2)


args = (np.array([0.3, -0.8]), np.array([1.0, 2.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def join_adjoint(x, y):
    """Gradient of join with respect to x and y."""
    # forward sweep
    both = np.concatenate((x, y * y))                   # line 7
    cumsum_both = np.cumsum(both)                       # line 8: return np.sum(np.cumsum(both) ** 2)
    # reverse sweep
    element = np.cumsum((2 * cumsum_both)[::-1])[::-1]  # line 8
    stop_2 = x.shape[0]                                 # line 7
    stop = stop_2 + x.shape[0]
    full_like = np.full_like(x, element[0:stop_2])
    return full_like, 2 * (element[stop_2:stop] * y)
