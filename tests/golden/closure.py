"""A nested function that captures active variables, and a lambda."""

import math


def layered(x, w):
    scale = w * w

    def layer(y):
        return math.tanh(scale * y + x)

    shift = lambda y: y - w
    return layer(layer(shift(x)))


args = (0.4, 0.9)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def shift_reverse(shift_bar):
    """Reverse of shift(): gives the adjoints of w and y."""
    return -shift_bar, shift_bar


def layer_reverse(scale, x, y, layer_bar):
    """Reverse of layer(): gives the adjoints of scale, x and y."""
    tanh = math.tanh(scale * y + x)             # line 10: return math.tanh(scale * y + x)
    sum_bar = layer_bar * (1.0 - tanh * tanh)
    return sum_bar * y, sum_bar, sum_bar * scale


def shift(w, y):
    return y - w                                # line 12: shift = lambda y: y - w


def layer(scale, x, y):
    return math.tanh(scale * y + x)             # line 10


def layered_adjoint(x, w):
    """Gradient of layered with respect to x and w."""
    # forward sweep
    scale = w * w                                    # line 7
    shift_w_x = shift(w, x)                          # line 13: return layer(layer(shift(x)))
    layer_shift_w_x = layer(scale, x, shift_w_x)
    # reverse sweep
    scale_bar, x_bar, layer_bar = layer_reverse(scale, x, layer_shift_w_x, 1.0)  # line 13
    scale_bar_part, x_bar_part, result_bar = layer_reverse(scale, x, shift_w_x, layer_bar)
    w_bar, x_bar_part_2 = shift_reverse(result_bar)
    w_bar += 2.0 * (scale_bar + scale_bar_part) * w  # line 7
    return x_bar + x_bar_part + x_bar_part_2, w_bar
