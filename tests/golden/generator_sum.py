"""`sum` of a generator expression over `zip`."""


def misfit(x, y, slope):
    return sum((b - slope * a) ** 2 for a, b in zip(x, y))


args = ([1.0, 2.0, 3.0], [1.1, 2.3, 2.9], 0.9)
argnums = (0, 2)


# ---------------------------------------- generated ----------------------------------------

def sum_of_reverse(iterable, sum_of_bar, iterable_bar):
    """Reverse of sum(): adds to iterable_bar."""
    for i in range(len(iterable) - 1, -1, -1):  # line 35: for element in iterable:
        iterable_bar[i] += sum_of_bar


def misfit_adjoint(x, y, slope):
    """Gradient of misfit with respect to x and slope."""
    # forward sweep
    items = []                                  # line 5: return sum((b - slope * a) ** 2 for a, b in zip(x, y))
    min_2 = min(len(x), len(y))
    for i in range(min_2):
        slope_times_x_i = slope * x[i]
        items.append((y[i] - slope_times_x_i) ** 2)
    # reverse sweep
    product = [0.0] * len(items)
    x_bar = [0.0] * len(x)
    sum_of_reverse(items, 1.0, product)         # line 5
    slope_bar = 0.0
    for i in range(min_2 - 1, -1, -1):
        x_i = x[i]
        product_2 = 2.0 * (y[i] - slope * x_i)
        product_bar = -(product.pop() * product_2)
        x_bar[i] += product_bar * slope
        slope_bar += product_bar * x_i
    return x_bar, slope_bar
