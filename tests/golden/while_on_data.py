"""Bisection: which branch is taken depends on data."""

import math


def root(c, low, high):
    while high - low > 1e-3:
        middle = (low + high) / 2
        if math.exp(middle) > c:
            high = middle
        else:
            low = middle
    x = (low + high) / 2
    return x - (math.exp(x) - c) / math.exp(x)


args = (2.0, 0.0, 1.0)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import math


def root_adjoint(c, low, high):
    """Gradient of root with respect to c."""
    # forward sweep
    while high - low > 0.001:                   # line 7: while high - low > 1e-3:
        middle = (low + high) / 2               # line 8
        if math.exp(middle) > c:                # line 9
            high = middle
        else:
            low = middle
    x = (low + high) / 2                        # line 13
    exp_x = math.exp(x)                         # line 14: return x - (math.exp(x) - c) / math.exp(x)
    # reverse sweep
    return 1.0 / exp_x
