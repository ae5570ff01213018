"""A function that changes its argument; the array of the caller stays as it is."""

import numpy as np


def scale(y, factor):
    y *= factor


def changed(x, factor):
    scale(x, factor)
    scale(x, factor)
    return np.sum(np.sin(x))


args = (np.array([0.3, -0.8]), 1.5)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def scale_reverse(y, factor, y_overwritten, y_bar):
    """Reverse of scale(): gives the adjoint of factor, adds to y_bar."""
    y[...] = y_overwritten                      # line 7: y *= factor
    factor_bar = y_bar @ y
    y_bar *= factor
    return factor_bar


def scale_3_forward(y, factor):
    """scale(), and what scale_3_reverse() needs."""
    y_overwritten = y.copy()                    # line 7: y *= factor
    y *= factor
    return y_overwritten


def scale_4_forward(y, factor):
    """scale(), and what scale_4_reverse() needs."""
    y_overwritten = y.copy()                    # line 7: y *= factor
    y *= factor
    return y_overwritten


def changed_adjoint(x, factor):
    """Gradient of changed with respect to x and factor."""
    # forward sweep
    x = x.copy()
    scale_3_kept = scale_3_forward(x, factor)   # line 11: scale(x, factor)
    scale_4_kept = scale_4_forward(x, factor)   # line 12: scale(x, factor)
    # reverse sweep
    x_bar = np.cos(x)                           # line 13: return np.sum(np.sin(x))
    float_factor_bar = float(scale_reverse(x, factor, scale_4_kept, x_bar) + scale_reverse(x, factor, scale_3_kept, x_bar))
    return x_bar.copy(), float_factor_bar
