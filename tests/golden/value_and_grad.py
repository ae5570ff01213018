"""`value_and_grad`: value and gradient from one sweep."""

import math


def wave(x, n):
    s = 0.0
    for k in range(1, n):
        s += math.sin(k * x) / k
    return s * s


args = (0.7, 5)
argnums = 0
with_value = True


# ---------------------------------------- generated ----------------------------------------

import math


def wave_value_and_adjoint(x, n):
    """Value of wave, and its gradient with respect to x."""
    # forward sweep
    s = 0.0
    for k in range(1, n):                       # line 8
        s += math.sin(k * x) / k                # line 9
    # reverse sweep
    s_bar = 2.0 * s                             # line 10: return s * s
    x_bar = 0.0
    for k in range(n - 1, 0, -1):               # line 8
        x_bar += s_bar / k * math.cos(k * x) * k
    return s * s, x_bar
