"""A value that is made anew in each step."""

import numpy as np


def decay(u, k, dt, steps):
    for _ in range(steps):
        u = u - dt * k * u * u
    return np.sum(u)


args = (np.array([1.0, 0.5, 2.0]), 0.7, 0.1, 3)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def decay_adjoint(u, k, dt, steps):
    """Gradient of decay with respect to u and k."""
    # forward sweep
    u_saved = []
    dt_times_k = dt * k                         # line 8: u = u - dt * k * u * u
    u_2 = u
    for _ in range(steps):                      # line 7
        u_saved.append(u_2)
        u_2 = u_2 - dt_times_k * u_2 * u_2      # line 8
    # reverse sweep
    u_bar = np.full_like(u, 1.0)                # line 7
    u_saved.reverse()
    k_bar_sum = 0.0
    for u in u_saved:
        minus_u_bar = -u_bar                    # line 8
        minus_u_bar_times_u = minus_u_bar * u
        u_bar = u_bar + minus_u_bar * (dt_times_k * u) + minus_u_bar_times_u * dt_times_k
        k_bar_sum += minus_u_bar_times_u @ u
    return u_bar, float(k_bar_sum * dt)
