"""Arrays that are joined."""

import numpy as np


def join(x, y):
    both = np.concatenate((x, y * y))
    return np.sum(np.cumsum(both) ** 2)


args = (np.array([0.3, -0.8]), np.array([1.0, 2.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np
from s2sad.runtime import broadcast_like, unbroadcast


def join_adjoint(x, y):
    """Gradient of join with respect to x and y."""
    # forward sweep
    both = np.concatenate((x, y * y))           # line 7
    cumsum_both = np.cumsum(both)               # line 8: return np.sum(np.cumsum(both) ** 2)
    # reverse sweep
    cumsum = np.cumsum(broadcast_like(2 * cumsum_both, cumsum_both)[::-1])  # line 8
    cumsum_part = cumsum[::-1]
    broadcast_like_2 = broadcast_like(unbroadcast(broadcast_like(cumsum_part, cumsum_part), both), both)  # line 7
    shape_0 = x.shape[0]
    stop = shape_0 + x.shape[0]
    full_like = np.full_like(x, broadcast_like_2[0:shape_0])
    return full_like, 2 * (broadcast_like_2[shape_0:stop] * y)
