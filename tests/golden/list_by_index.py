"""A list argument, read by index: nothing of the forward sweep is needed."""


def roughness(x):
    total = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[i - 1]
        total += d * d * x[i]
    return total


args = ([1.0, 1.5, 0.7, 2.2, 1.1],)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def roughness_adjoint(x):
    """Gradient of roughness with respect to x."""
    # forward sweep
    len_x = len(x)                              # line 6: for i in range(1, len(x)):
    # reverse sweep
    x_bar = [0.0] * len_x
    for i in range(len_x - 1, 0, -1):           # line 6
        x_i = x[i]                              # line 7: d = x[i] - x[i - 1]
        d = x_i - x[i - 1]
        d_bar = 2.0 * x_i * d                   # line 8: total += d * d * x[i]
        x_bar[i - 1] -= d_bar                   # line 7
        x_bar[i] += d * d + d_bar
    return x_bar
