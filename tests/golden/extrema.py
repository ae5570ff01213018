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
    max_2 = max(x, 0.1)
    min_2 = min(max_2, 0.9)
    # reverse sweep
    if max_2 < 0.9:                             # line 7
        value = 1.0
    else:
        value = 0.5 if max_2 == 0.9 else 0.0
    if x > 0.1:
        value_2 = 1.0
    else:
        value_2 = 0.5 if x == 0.1 else 0.0
    if low_minus_top > 0:
        value_3 = 1.0
    else:
        value_3 = -1.0 if low_minus_top < 0 else 0.0
    difference_bar = min_2 * value_3
    top_bar = -difference_bar
    if x_times_y < z:                           # line 6
        value_4 = 1.0
    else:
        value_4 = 0.5 if x_times_y == z else 0.0
    product_bar = difference_bar * value_4
    if z < x_times_y:
        value_5 = 1.0
    else:
        value_5 = 0.5 if z == x_times_y else 0.0
    if x == top:                                # line 5
        others = y, z
        ratio = 1.0 / (1 + others.count(top))
    else:
        ratio = 0.0
    x_bar = abs(low_minus_top) * value * value_2 + product_bar * y  # line 6
    if y == top:                                # line 5
        others = x, z
        ratio_2 = 1.0 / (1 + others.count(top))
    else:
        ratio_2 = 0.0
    if z == top:
        others = x, y
        ratio_3 = 1.0 / (1 + others.count(top))
    else:
        ratio_3 = 0.0
    z_bar = difference_bar * value_5 + top_bar * ratio_3
    y_bar = product_bar * x + top_bar * ratio_2
    return x_bar + top_bar * ratio, y_bar, z_bar
