"""Straight-line code: nothing is saved."""

import math


def well(x, y):
    u = x * y + math.sin(x)
    v = math.exp(-u) / (1 + y * y)
    return u * v - math.sqrt(v)


args = (0.7, 1.3)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def well_adjoint(x, y):
    """Gradient of well with respect to x and y."""
    # forward sweep
    u = x * y + math.sin(x)                     # line 7
    one_plus_y_squared = 1 + y * y              # line 8: v = math.exp(-u) / (1 + y * y)
    v = math.exp(-u) / one_plus_y_squared
    sqrt_v = math.sqrt(v)                       # line 9: return u * v - math.sqrt(v)
    # reverse sweep
    minus_u_bar = v * (u - (0.5 / sqrt_v if sqrt_v else math.inf))  # line 8
    u_bar = v - minus_u_bar
    y_bar = u_bar * x - 2.0 * minus_u_bar * y / one_plus_y_squared  # line 7
    return u_bar * (math.cos(x) + y), y_bar
