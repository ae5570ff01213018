"""A view that is stored through."""

import numpy as np


def through_views(x):
    y = x * x
    corner = y[1:].T[:, ::2]
    corner *= 3.0
    return np.sum(y * y)


args = (np.array([[0.3, -0.8], [1.5, 0.2], [0.7, 0.9]]),)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def through_views_adjoint(x):
    """Gradient of through_views with respect to x."""
    # forward sweep
    y = x * x                                   # line 7
    corner = y[1:].T[:, ::2]                    # line 8
    corner *= 3.0                               # line 9
    # reverse sweep
    y_bar = 2 * y                               # line 10: return np.sum(y * y)
    corner_bar = y_bar[1:].T[:, ::2]            # line 8
    corner_bar *= 3.0                           # line 9
    return 2 * y_bar * x
