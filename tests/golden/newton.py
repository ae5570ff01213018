"""A loop that ends by `break`."""


def newton(a, tol=1e-12):
    x = a
    for _ in range(50):
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < tol:
            break
    return x


args = (2.0,)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def newton_adjoint(a, tol=1e-12):
    """Gradient of newton with respect to a."""
    # forward sweep
    x_saved = []
    x = a
    for _ in range(50):                         # line 6
        x_saved.append(x)
        step = (x * x - a) / (2 * x)            # line 7
        x -= step                               # line 8: x = x - step
        if abs(step) < tol:                     # line 9
            break                               # line 10
    # reverse sweep
    x_saved.reverse()
    x_bar = 1.0
    a_bar = 0.0
    for x in x_saved:                           # line 6
        two_x = 2 * x                           # line 7
        step = (x * x - a) / two_x
        x_bar_over_two_x = x_bar / two_x
        x_bar += 2.0 * x_bar_over_two_x * (step - x)
        a_bar += x_bar_over_two_x
    return a_bar + x_bar
