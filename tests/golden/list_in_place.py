"""A list that is changed in place: the caller's stays as it is."""


def smooth(x, rounds):
    for _ in range(rounds):
        for i in range(1, len(x) - 1):
            x[i] = (x[i - 1] + x[i] * x[i] + x[i + 1]) / 3
    return x[1] * x[len(x) - 2]


args = ([0.3, 0.8, 0.5, 1.1, 0.9], 3)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def smooth_adjoint(x, rounds):
    """Gradient of smooth with respect to x."""
    # forward sweep
    x = x.copy()
    x_i_saved = []
    len_x_minus_one_saved = []
    for _ in range(rounds):                                # line 5
        len_x_minus_one = len(x) - 1                       # line 6: for i in range(1, len(x) - 1):
        len_x_minus_one_saved.append(len_x_minus_one)
        for i in range(1, len_x_minus_one):
            x_i_minus_one = x[i - 1]                       # line 7: x[i] = (x[i - 1] + x[i] * x[i] + x[i + 1]) / 3
            x_i = x[i]
            x_i_saved.append(x_i)
            x[i] = (x_i_minus_one + x_i * x_i + x[i + 1]) / 3
    x_1 = x[1]                                             # line 8: return x[1] * x[len(x) - 2]
    len_x = len(x)
    x_len_x_minus_two = x[len_x - 2]
    # reverse sweep
    x_bar = [0.0] * len_x
    x_bar[len_x - 2] += x_1                                # line 8
    x_bar[1] += x_len_x_minus_two
    len_x_minus_one_saved.reverse()
    one_over_three = 1 / 3                                 # line 7
    for saved_len_x_minus_one in len_x_minus_one_saved:    # line 5
        for i in range(saved_len_x_minus_one - 1, 0, -1):  # line 6
            sum_bar = x_bar[i] * one_over_three            # line 7
            x_bar[i] = 2.0 * sum_bar * x_i_saved.pop()
            x_bar[i + 1] += sum_bar
            x_bar[i - 1] += sum_bar
    return x_bar
