"""Reductions along an axis."""

import numpy as np


def spread(x):
    centred = x - np.mean(x, axis=0)
    return np.sum(np.mean(centred * centred, axis=0) ** 0.5)


args = (np.array([[0.3, -0.8], [1.5, 0.2], [0.7, 0.9]]),)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def spread_adjoint(x):
    """Gradient of spread with respect to x."""
    # forward sweep
    centred = x - np.mean(x, axis=0)                   # line 7
    power = np.mean(centred * centred, axis=0) ** 0.5  # line 8
    # reverse sweep
    centred_bar = 2.0 * (0.5 / max(x.shape[0], 1)) / power * centred  # line 8
    return centred_bar - 1 / max(x.shape[0], 1) * np.sum(centred_bar, axis=0)
