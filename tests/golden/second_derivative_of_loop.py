"""The derivative of a derivative of a loop."""


def logistic(x, steps):
    for _ in range(steps):
        x = 3.6 * x * (1 - x)
    return x


args = (0.3, 5)
argnums = 0
order = 2


# ---------------------------------------- generated ----------------------------------------

def logistic_adjoint_adjoint(x, steps):
    """Gradient of logistic_adjoint with respect to x."""
    # forward sweep
    x_saved_2 = []
    scaled_x_bar_saved = []
    x_saved = []                                # line 4
    for _ in range(steps):                      # line 5
        x_saved_2.append(x)
        x_saved.append(x)                       # line 6
        x = 3.6 * x * (1 - x)                   # line 7
    len_x_saved = len(x_saved)                  # line 11: for x in x_saved:
    x_bar = 1.0
    for i in range(len_x_saved - 1, -1, -1):
        x = x_saved[i]
        scaled_x_bar = 3.6 * x_bar              # line 12: x_bar = 3.6 * x_bar * (1.0 - 2.0 * x)
        scaled_x_bar_saved.append(scaled_x_bar)
        x_bar = scaled_x_bar * (1.0 - 2.0 * x)
    # reverse sweep
    x_saved_bar = [0.0] * len_x_saved
    x_bar_bar = 1.0
    for i in range(len_x_saved):                # line 11
        x = x_saved[i]
        x_saved_bar[i] = -2.0 * x_bar_bar * scaled_x_bar_saved.pop()
        x_bar_bar = 3.6 * x_bar_bar * (1.0 - 2.0 * x)
    x_saved_2.reverse()
    x_bar = 0.0
    for x in x_saved_2:                         # line 5
        x_bar = 3.6 * x_bar * (1.0 - 2.0 * x) + x_saved_bar.pop()
    return x_bar
