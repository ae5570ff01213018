"""One buffer under two names."""

import numpy as np


def alias(x, y):
    y = y.copy()
    z = y
    z += x
    return np.sum(y * y)


args = (np.array([0.3, -0.8]), np.array([1.0, 2.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def alias_adjoint(x, y):
    """Gradient of alias with respect to x and y."""
    # forward sweep
    y = y.copy()                                # line 7
    y += x                                      # line 9: z += x
    # reverse sweep
    y_bar = 2 * y                               # line 10: return np.sum(y * y)
    return y_bar, y_bar.copy()
