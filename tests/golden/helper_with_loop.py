"""A helper that must keep something: it gets a forward half."""

import math


def relax(x, target):
    for _ in range(6):
        x = x - 0.3 * math.tanh(x - target)
    return x


def settle(x, a, b):
    y = relax(x, a)
    return relax(y * y, b) + y


args = (2.5, 0.3, 0.8)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def relax_forward(x, target):
    """relax(), and what relax_reverse() needs."""
    tanh_x_minus_target_saved = []
    for _ in range(6):                               # line 7
        tanh_x_minus_target = math.tanh(x - target)  # line 8: x = x - 0.3 * math.tanh(x - target)
        tanh_x_minus_target_saved.append(tanh_x_minus_target)
        x -= 0.3 * tanh_x_minus_target
    return x, tanh_x_minus_target_saved


def relax_reverse(tanh_x_minus_target_saved, relax_bar):
    """Reverse of relax(): gives the adjoints of x and target."""
    x_bar = relax_bar
    target_bar = 0.0
    for _ in range(6):                          # line 7
        tanh_x_minus_target = tanh_x_minus_target_saved.pop()
        x_minus_target_bar = -0.3 * x_bar * (1.0 - tanh_x_minus_target * tanh_x_minus_target)  # line 8
        x_bar += x_minus_target_bar
        target_bar -= x_minus_target_bar
    return x_bar, target_bar


def relax_2_forward(x, target):
    """relax(), and what relax_2_reverse() needs."""
    tanh_x_minus_target_saved = []
    for _ in range(6):                               # line 7
        tanh_x_minus_target = math.tanh(x - target)  # line 8: x = x - 0.3 * math.tanh(x - target)
        tanh_x_minus_target_saved.append(tanh_x_minus_target)
        x -= 0.3 * tanh_x_minus_target
    return x, tanh_x_minus_target_saved


def relax_2_reverse(tanh_x_minus_target_saved, relax_bar):
    """Reverse of relax(): gives the adjoint of x."""
    x_bar = relax_bar
    for _ in range(6):                          # line 7
        tanh_x_minus_target = tanh_x_minus_target_saved.pop()
        x_bar -= 0.3 * x_bar * (1.0 - tanh_x_minus_target * tanh_x_minus_target)
    return x_bar


def settle_adjoint(x, a, b):
    """Gradient of settle with respect to x and a."""
    # forward sweep
    y, relax_kept = relax_forward(x, a)          # line 13: y = relax(x, a)
    _, relax_2_kept = relax_2_forward(y * y, b)  # line 14: return relax(y * y, b) + y
    # reverse sweep
    return relax_reverse(relax_kept, 1.0 + 2.0 * relax_2_reverse(relax_2_kept, 1.0) * y)
