"""A tuple of numbers: the gradient is a tuple."""


def distance(p, q):
    (a, b), c = p, q
    dx, dy = a - c[0], b - c[1]
    return (dx * dx + dy * dy) ** 0.5


args = ((1.0, 2.0), (0.3, 0.4))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def distance_adjoint(p, q):
    """Gradient of distance with respect to p and q."""
    # forward sweep
    a = p[0]                                    # line 5: (a, b), c = p, q
    b = p[1]
    dx = a - q[0]                               # line 6: dx, dy = a - c[0], b - c[1]
    dy = b - q[1]
    total = dx * dx + dy * dy                   # line 7: return (dx * dx + dy * dy) ** 0.5
    # reverse sweep
    product = 2.0 * (0.5 * total ** 0.5 / total if total else math.inf)  # line 7
    dy_bar = product * dy
    dx_bar = product * dx
    return (dx_bar, dy_bar), (-dx_bar, -dy_bar)
