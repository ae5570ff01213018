"""An operation whose operands overlap."""

import numpy as np


def shifted(x):
    y = x * x
    y[1:] += y[:-1]
    y[::2] *= 0.5
    return np.sum(y)


args = (np.array([0.3, -0.8, 1.5, 0.4]),)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def shifted_adjoint(x):
    """Gradient of shifted with respect to x."""
    y_bar = np.full_like(x, 1.0)                # line 10: return np.sum(y)
    y_part_bar = y_bar[::2]                     # line 9: y[::2] *= 0.5
    y_part_bar *= 0.5
    y_part_bar_2 = y_bar[1:]                    # line 8: y[1:] += y[:-1]
    copy_y_part_bar_2 = y_part_bar_2.copy()
    y_bar[1:] = 0.0
    y_bar[:-1] += copy_y_part_bar_2
    y_part_bar_2 += copy_y_part_bar_2
    return 2 * y_bar * x
