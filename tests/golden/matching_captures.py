"""`match` with patterns that capture: names are bound in the arm."""


def energy(shape, stiffness):
    match shape:
        case [a, b]:
            return stiffness * a * b
        case [first, *_, last] if first > last:
            return stiffness * first * first
        case [first, *rest]:
            return stiffness * first * len(rest)
    return stiffness


args = ([1.5, 2.0, 0.5], 2.0)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def energy_adjoint(shape, stiffness):
    """Gradient of energy with respect to shape and stiffness."""
    # forward sweep
    len_shape = len(shape)                               # line 6: case [a, b]:
    len_shape_is_2 = len_shape == 2
    if len_shape_is_2:
        a = shape[0]
        b = shape[1]
        stiffness_times_a = stiffness * a
    else:
        len_shape_at_least_2 = len_shape >= 2            # line 8: case [first, *_, last] if first > last:
        if len_shape_at_least_2:
            first = shape[0]
            last = shape[-1]
            first_above_last = first > last
        else:
            first_above_last = False
        if first_above_last:
            stiffness_times_first = stiffness * first
        else:
            len_shape_at_least_1 = len_shape >= 1        # line 10: case [first, *rest]:
            if len_shape_at_least_1:
                first_2 = shape[0]
                rest = list(shape[1:])
                len_rest = len(rest)
    # reverse sweep
    shape_bar = [0.0] * len_shape
    if len_shape_is_2:                                   # line 6
        shape_bar[1] += stiffness_times_a
        shape_bar[0] += b * stiffness
        stiffness_bar = b * a
    else:
        if first_above_last:                             # line 8
            first_bar = stiffness_times_first + first * stiffness
            stiffness_bar = first * first
        else:
            if len_shape_at_least_1:                     # line 10
                product_bar = 1.0 * len_rest             # line 11: return stiffness * first * len(rest)
                shape_bar[0] += product_bar * stiffness  # line 10
                stiffness_bar = product_bar * first_2
            else:
                stiffness_bar = 1.0
            first_bar = 0.0
        if len_shape_at_least_2:                         # line 8
            shape_bar[0] += first_bar
    return shape_bar, float(stiffness_bar)
