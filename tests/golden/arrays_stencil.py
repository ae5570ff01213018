"""Two buffers that swap names, filled in turn by a linear stencil."""

import numpy as np


def stencil(u, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u
    return np.sum(u * u)


args = (np.array([0.3, -0.8, 0.5, 1.1, 0.9, -0.2]), 3)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def stencil_adjoint(u, steps):
    """Gradient of stencil with respect to u."""
    # forward sweep
    u = u.copy()                                           # line 7
    u_bar = np.zeros_like(u)
    v = u.copy()                                           # line 8
    v_bar = np.zeros_like(v)
    u_bar_2 = u_bar
    v_bar_2 = v_bar
    for _ in range(steps):                                 # line 9
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3           # line 10
        u, v, u_bar_2, v_bar_2 = v, u, v_bar_2, u_bar_2
    # reverse sweep
    u_bar_2 += 2 * u                                       # line 12: return np.sum(u * u)
    one_over_three = 1 / 3                                 # line 10
    u_bar_2, v_bar_2 = v_bar_2, u_bar_2
    for _ in range(steps):                                 # line 9
        scaled_ratio_bar = v_bar_2[1:-1] * one_over_three  # line 10
        v_bar_2[1:-1] = 0.0
        u_bar_2[2:] += scaled_ratio_bar
        u_bar_2[:-2] += scaled_ratio_bar
        u_bar_2[1:-1] += scaled_ratio_bar
        u_bar_2, v_bar_2 = v_bar_2, u_bar_2
    u_bar += v_bar                                         # line 8
    return u_bar
