"""A comprehension and `sum`."""


def norm(x, p):
    squares = [abs(e) ** p for e in x if e != 0]
    return sum(squares) ** (1 / p)


args = ([3.0, -4.0, 0.5], 2.5)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math


def norm_adjoint(x, p):
    """Gradient of norm with respect to x and p."""
    # forward sweep
    squares = []                                # line 5: squares = [abs(e) ** p for e in x if e != 0]
    len_x = len(x)
    for i in range(len_x):
        e = x[i]
        if e != 0:
            squares.append(abs(e) ** p)
    sum_squares = sum(squares)                  # line 6: return sum(squares) ** (1 / p)
    one_over_p = 1 / p
    power = sum_squares ** one_over_p
    # reverse sweep
    x_bar = [0.0] * len_x
    if one_over_p >= 1:                         # line 6
        dx = one_over_p * sum_squares ** (one_over_p - 1.0)
    elif sum_squares:
        dx = one_over_p * power / sum_squares
    else:
        dx = math.inf if one_over_p > 0 else 0.0
    if sum_squares > 0:
        dy = power * math.log(sum_squares)
    else:
        dy = 0.0 if sum_squares == 0 else math.nan
    p_bar = -one_over_p / p * dy
    for i in range(len_x - 1, -1, -1):          # line 5
        e = x[i]
        if e != 0:
            abs_e = abs(e)
            abs_e_to_p = abs_e ** p
            if p >= 1:
                dx_2 = p * abs_e ** (p - 1.0)
            elif abs_e:
                dx_2 = p * abs_e_to_p / abs_e
            else:
                dx_2 = math.inf if p > 0 else 0.0
            if abs_e > 0:
                dy = abs_e_to_p * math.log(abs_e)
            else:
                dy = 0.0 if abs_e == 0 else math.nan
            e_bar = dx * dx_2 * (1.0 if e > 0 else -1.0 if e < 0 else 0.0)
            p_bar += dx * dy
        else:
            e_bar = 0.0
        x_bar[i] = e_bar
    return x_bar, p_bar
