"""`sum` of a generator expression over `zip`."""


def misfit(x, y, slope):
    return sum((b - slope * a) ** 2 for a, b in zip(x, y))


args = ([1.0, 2.0, 3.0], [1.1, 2.3, 2.9], 0.9)
argnums = (0, 2)


# ---------------------------------------- generated ----------------------------------------

def misfit_adjoint(x, y, slope):
    """Gradient of misfit with respect to x and slope."""
    # forward sweep
    len_x = len(x)                                # line 5: return sum((b - slope * a) ** 2 for a, b in zip(x, y))
    min_len_x_len_y = min(len_x, len(y))
    # reverse sweep
    x_bar = [0.0] * len_x
    slope_bar = 0.0
    for i in range(min_len_x_len_y - 1, -1, -1):  # line 5
        a = x[i]
        slope_times_a_bar = -2.0 * (y[i] - slope * a)
        x_bar[i] = slope_times_a_bar * slope
        slope_bar += slope_times_a_bar * a
    return x_bar, slope_bar
