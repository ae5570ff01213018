"""`try` in a loop: its body saves when it has come to its end."""

import math


def damped(x, n):
    total = 0.5
    for k in range(n):
        try:
            s = math.sin(total) * total
            y = s * s / (k - 3)
        except ZeroDivisionError:
            y = x * x * total
        total += y + x
    return total


args = (0.3, 6)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import math


def damped_adjoint(x, n):
    """Gradient of damped with respect to x."""
    # forward sweep
    total_saved = []
    taken_saved = []
    total = 0.5
    for k in range(n):                          # line 8
        total_saved.append(total)
        try:                                    # line 9
            s = math.sin(total) * total         # line 10
            y = s * s / (k - 3)                 # line 11
            taken = 0
        except ZeroDivisionError:
            y = x * x * total                   # line 13
            taken = 1
        taken_saved.append(taken)               # line 9
        total += y + x                          # line 14
    # reverse sweep
    total_bar = 1.0
    x_bar = 0.0
    for k in range(n - 1, -1, -1):              # line 8
        total = total_saved.pop()
        x_bar += total_bar                      # line 14
        if taken_saved.pop() == 0:              # line 9
            sin_total = math.sin(total)         # line 10
            s = sin_total * total
            total_2 = sin_total + total * math.cos(total)
            total_bar += 2.0 * (total_bar / (k - 3)) * s * total_2
        else:
            total_bar_times_x = total_bar * x   # line 13
            total_bar += total_bar_times_x * x
            x_bar += 2.0 * total_bar_times_x * total
    return x_bar
