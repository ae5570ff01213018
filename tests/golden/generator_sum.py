"""`sum` of a generator expression over `zip`."""


def misfit(x, y, slope):
    return sum((b - slope * a) ** 2 for a, b in zip(x, y))


args = ([1.0, 2.0, 3.0], [1.1, 2.3, 2.9], 0.9)
argnums = (0, 2)


# ---------------------------------------- generated ----------------------------------------

def sum_of_reverse(iterable, sum_of_bar, iterable_bar):
    """Reverse of sum(): adds to iterable_bar."""
    for i in range(len(iterable) - 1, -1, -1):
        iterable_bar[i] += sum_of_bar


def misfit_adjoint(x, y, slope):
    """Gradient of misfit with respect to x and slope."""
    # forward sweep
    items = []                                  # line 5: return sum((b - slope * a) ** 2 for a, b in zip(x, y))
    len_x = len(x)
    min_len_x_len_y = min(len_x, len(y))
    for i in range(min_len_x_len_y):
        slope_times_x_i = slope * x[i]
        items.append((y[i] - slope_times_x_i) ** 2)
    # reverse sweep
    items_bar = [0.0] * len(items)
    x_bar = [0.0] * len_x
    sum_of_reverse(items, 1.0, items_bar)       # line 5
    slope_bar = 0.0
    for i in range(min_len_x_len_y - 1, -1, -1):
        x_i = x[i]
        product = 2.0 * (y[i] - slope * x_i)
        slope_times_x_i_bar = -items_bar.pop() * product
        x_bar[i] += slope_times_x_i_bar * slope
        slope_bar += slope_times_x_i_bar * x_i
    return x_bar, slope_bar
