"""`min`, `max` and `abs`: ties share equally."""


def limited(x, y, z):
    top = max(x, y, z)
    low = min(x * y, z)
    return abs(low - top) * min(max(x, 0.1), 0.9)


args = (0.4, 1.2, 0.3)
argnums = (0, 1, 2)


# ---------------------------------------- generated ----------------------------------------

def limited_adjoint(x, y, z):
    """Gradient of limited with respect to x, y and z."""
    # forward sweep
    top = max(x, y, z)                          # line 5
    x_times_y = x * y                           # line 6: low = min(x * y, z)
    low = min(x_times_y, z)
    low_minus_top = low - top                   # line 7: return abs(low - top) * min(max(x, 0.1), 0.9)
    max_x = max(x, 0.1)
    min_max_x = min(max_x, 0.9)
    # reverse sweep
    max_x_bar = abs(low_minus_top) * (1.0 if max_x < 0.9 else 0.5 if max_x == 0.9 else 0.0)  # line 7
    low_minus_top_bar = min_max_x * (1.0 if low_minus_top > 0 else -1.0 if low_minus_top < 0 else 0.0)
    top_bar = -low_minus_top_bar
    x_times_y_bar = low_minus_top_bar * (1.0 if x_times_y < z else 0.5 if x_times_y == z else 0.0)  # line 6
    operands = x, y, z                          # line 5
    share = 1.0 / (operands.count(top) or 1)
    x_bar = max_x_bar * (1.0 if x > 0.1 else 0.5 if x == 0.1 else 0.0) + x_times_y_bar * y  # line 6
    z_bar = low_minus_top_bar * (1.0 if z < x_times_y else 0.5 if z == x_times_y else 0.0)
    y_bar = x_times_y_bar * x + top_bar * (share if y == top else 0.0)  # line 5
    x_bar += top_bar * (share if x == top else 0.0)
    return x_bar, y_bar, z_bar + top_bar * (share if z == top else 0.0)
