"""The derivative of a derivative."""

import math


def f(x):
    return x * math.sin(x) ** 2


args = (0.7,)
argnums = 0
order = 2


# ---------------------------------------- generated ----------------------------------------

import math


def f_adjoint_adjoint(x):
    """Gradient of f_adjoint with respect to x."""
    # forward sweep
    sin_x = math.sin(x)                         # line 7
    two_sin_x = 2.0 * sin_x                     # line 10: return sin_x_squared + x * (2.0 * sin_x) * math.cos(x)
    cos_x = math.cos(x)
    # reverse sweep
    return two_sin_x * (cos_x - sin_x * x) + (2.0 * cos_x * x + two_sin_x) * cos_x
