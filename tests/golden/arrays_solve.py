"""A linear system."""

import numpy as np


def solve(a, b):
    x = np.linalg.solve(a, b)
    return x @ x


args = (np.array([[2.0, 0.5], [0.3, 1.5]]), np.array([1.0, -1.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def solve_adjoint(a, b):
    """Gradient of solve with respect to a and b."""
    # forward sweep
    x = np.linalg.solve(a, b)                           # line 7
    # reverse sweep
    b_bar = np.linalg.solve(a.swapaxes(-1, -2), 2 * x)  # line 7
    return -b_bar[..., None] * x[..., None, :], b_bar
