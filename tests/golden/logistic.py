"""One float a step is saved, and the reversed loop runs over the list."""


def logistic(x, r, steps):
    for _ in range(steps):
        x = r * x * (1 - x)
    return x


args = (0.3, 3.7, 12)
argnums = 1


# ---------------------------------------- generated ----------------------------------------

def logistic_adjoint(x, r, steps):
    """Gradient of logistic with respect to r."""
    # forward sweep
    x_saved = []
    for _ in range(steps):                      # line 5
        x_saved.append(x)
        x = r * x * (1 - x)                     # line 6
    # reverse sweep
    x_saved.reverse()
    x_bar = 1.0
    r_bar = 0.0
    for x in x_saved:                           # line 5
        r_times_x_bar = x_bar * (1 - x)         # line 6
        x_bar = r * (r_times_x_bar - x_bar * x)
        r_bar += r_times_x_bar * x
    return r_bar
