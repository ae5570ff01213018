"""A scratch buffer that is filled anew in each trip: what it held is neither saved nor put back."""

import numpy as np


def loss(u, n):
    work = np.empty_like(u)
    total = 0.0
    for k in range(n):
        work[:] = u * k
        work *= u
        total += np.sum(work)
    return total


args = (np.array([1.0, -0.5, 2.0]), 4)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(u, n):
    """Gradient of loss with respect to u."""
    # forward sweep
    work = np.empty_like(u)                     # line 7
    # reverse sweep
    work_bar = np.zeros_like(work)
    u_bar = np.zeros_like(u)                    # line 11: work *= u
    for k in range(n - 1, -1, -1):              # line 9: for k in range(n):
        work_bar += 1.0                         # line 12: total += np.sum(work)
        work[...] = u * k                       # line 11
        work_bar_times_work = work_bar * work
        work_bar *= u
        work_bar_times_k = work_bar * k         # line 10: work[:] = u * k
        work_bar[:] = 0.0
        u_bar += work_bar_times_work + work_bar_times_k
    return u_bar
