"""Branches: conditions are asked again, where their operands are still there."""


def huber(x, delta):
    if x > delta:
        y = delta * (x - delta / 2)
    elif x < -delta:
        y = -delta * (x + delta / 2)
    else:
        y = x * x / 2
    return y * y


args = (1.9, 0.8)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def huber_adjoint(x, delta):
    """Gradient of huber with respect to x and delta."""
    # forward sweep
    x_above_delta = x > delta                        # line 5: if x > delta:
    if x_above_delta:
        x_minus_half_delta = x - delta / 2           # line 6: y = delta * (x - delta / 2)
        y = delta * x_minus_half_delta
    else:
        minus_delta = -delta                         # line 7: elif x < -delta:
        x_below_minus_delta = x < minus_delta
        if x_below_minus_delta:
            x_plus_half_delta = x + delta / 2        # line 8: y = -delta * (x + delta / 2)
            y = minus_delta * x_plus_half_delta
        else:
            y = x * x / 2                            # line 10
    # reverse sweep
    y_bar = 2.0 * y                                  # line 11: return y * y
    if x_above_delta:                                # line 5
        x_minus_half_delta_bar = y_bar * delta       # line 6
        delta_bar = y_bar * x_minus_half_delta - 0.5 * x_minus_half_delta_bar
        x_bar = x_minus_half_delta_bar
    elif x_below_minus_delta:                        # line 7
        x_plus_half_delta_bar = y_bar * minus_delta  # line 8
        x_bar = x_plus_half_delta_bar
        delta_bar = 0.5 * x_plus_half_delta_bar - y_bar * x_plus_half_delta
    else:
        x_bar = y_bar * x
        delta_bar = 0.0
    return x_bar, delta_bar
