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

