"""`zip` and `enumerate`."""


def weighted(x, w):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, w)):
        total += i * a * b * b
    return total


args = ([1.0, 2.0, 3.0], [0.5, 0.7, 0.9])
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def weighted_adjoint(x, w):
    """Gradient of weighted with respect to x and w."""
    # forward sweep
    len_x = len(x)                                # line 6: for i, (a, b) in enumerate(zip(x, w)):
    len_w = len(w)
    min_len_x_len_w = min(len_x, len_w)
    # reverse sweep
    w_bar = [0.0] * len_w
    x_bar = [0.0] * len_x
    for i in range(min_len_x_len_w - 1, -1, -1):  # line 6
        b = w[i]
        w_bar[i] += 2 * i * x[i] * b
        x_bar[i] += b * b * i
    return x_bar, w_bar
