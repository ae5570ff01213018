"""Two values a step are saved, and unpacked together."""

import math


def predator(x, y, dt, steps):
    for _ in range(steps):
        rate = math.exp(-x * y)
        x, y = x + dt * rate * x, y - dt * rate * x * y
    return x * y


args = (1.0, 0.5, 0.1, 6)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def predator_adjoint(x, y, dt, steps):
    """Gradient of predator with respect to x and y."""
    # forward sweep
    x_saved = []
    y_saved = []
    for _ in range(steps):                                   # line 7
        x_saved.append(x)
        y_saved.append(y)
        rate = math.exp(-x * y)                              # line 8
        dt_times_rate_times_x = dt * rate * x                # line 9: x, y = x + dt * rate * x, y - dt * rate * x * y
        x += dt_times_rate_times_x
        y -= dt_times_rate_times_x * y
    # reverse sweep
    x_saved.reverse()
    y_saved.reverse()
    x_bar = y
    y_bar = x
    for x, y in zip(x_saved, y_saved):                       # line 7
        minus_x = -x                                         # line 8
        rate = math.exp(minus_x * y)
        dt_times_rate = dt * rate                            # line 9
        product_bar = -y_bar
        product_bar_2 = product_bar * y + x_bar
        minus_x_times_y_bar = product_bar_2 * x * dt * rate  # line 8
        y_bar += product_bar * (dt_times_rate * x) + minus_x_times_y_bar * minus_x
        x_bar += product_bar_2 * dt_times_rate - minus_x_times_y_bar * y
    return x_bar, y_bar
