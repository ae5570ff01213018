"""A value that is made anew in each step."""

import numpy as np


def decay(u, k, dt, steps):
    for _ in range(steps):
        u = u - dt * k * u * u
    return np.sum(u)


args = (np.array([1.0, 0.5, 2.0]), 0.7, 0.1, 3)
argnums = (0, 1)

