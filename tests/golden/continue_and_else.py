"""`continue`, `while True` with `break`, and `else` on a loop."""


def accept(x, c):
    total = 0.0
    n = 0
    while True:
        n += 1
        x = c * x * (1 - x)
        if x < 0.5:
            continue
        total += x * x
        if n > 12:
            break
    for i in range(5):
        total = total * x + i
        if total > 1e6:
            break
    else:
        total = total * c
    return total


args = (0.3, 3.7)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def accept_adjoint(x, c):
    """Gradient of accept with respect to x and c."""
    # forward sweep
    x_saved = []
    total_saved = []
    n = 0
    total = 0.0
    while True:                                 # line 7
        x_saved.append(x)
        n += 1                                  # line 8
        x = c * x * (1 - x)                     # line 9
        if x < 0.5:                             # line 10
            continue
        total += x * x                          # line 12
        if n > 12:                              # line 13
            break                               # line 14
    completed = True
    for i in range(5):                          # line 15
        total_saved.append(total)
        total = total * x + i                   # line 16
        if total > 1000000.0:                   # line 17: if total > 1e6:
            completed = False
            break                               # line 18
    # reverse sweep
    if completed:                               # line 15
        c_bar = total
        total_bar = c
    else:
        c_bar = 0.0
        total_bar = 1.0
    total_saved.reverse()
    x_bar = 0.0
    for total in total_saved:
        x_bar += total_bar * total
        total_bar *= x
    x_saved.reverse()
    for x in x_saved:                           # line 7
        c_times_x = c * x                       # line 9
        one_minus_x = 1 - x
        x_2 = c_times_x * one_minus_x
        if not x_2 < 0.5:                       # line 10
            x_bar += 2.0 * total_bar * x_2
        c_times_x_bar = x_bar * one_minus_x     # line 9
        x_bar = c_times_x_bar * c - x_bar * c_times_x
        c_bar += c_times_x_bar * x
    return x_bar, c_bar
