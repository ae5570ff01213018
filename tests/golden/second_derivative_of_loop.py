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
    # forward sweep
    x_saved_2 = []
    saved = []
    saved_2 = []
    x_saved = []                                   # line 3
    for _ in range(steps):                         # line 4: for _ in range(steps):                      # line 5
        x_saved_2.append(x)
        x_saved.append(x)                          # line 5
        x = 3.6 * x * (1 - x)                      # line 6: x = 3.6 * x * (1 - x)                   # line 6
    len_x_saved = len(x_saved)                     # line 9: for x in x_saved[::-1]:                     # line 5
    difference = len_x_saved - 1
    x_bar = 1.0
    for i in range(difference, -1, -1):
        x = x_saved[i]
        product = 3.6 * x_bar                      # line 10: x_bar = 3.6 * x_bar * (1.0 - 2.0 * x)
        saved.append(product)
        one_minus_two_x = 1.0 - 2.0 * x
        saved_2.append(one_minus_two_x)
        x_bar = product * one_minus_two_x
    # reverse sweep
    x_saved_bar = [0.0] * len_x_saved
    x_bar_bar = 1.0
    for i in range(difference + 1):                # line 9
        product_2 = 2.0 * x_bar_bar * saved.pop()  # line 10
        x_bar_bar = 3.6 * x_bar_bar * saved_2.pop()
        x_saved_bar[i] -= product_2                # line 9
    x_bar = 0.0
    for x in x_saved_2[::-1]:                      # line 4
        x_bar = 3.6 * x_bar * (1.0 - 2.0 * x) + x_saved_bar.pop()
    return x_bar
