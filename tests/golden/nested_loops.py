"""Nested loops whose inner bound depends on the outer index."""


def triangle(x, n):
    total = 0.0
    for i in range(n):
        y = x + i
        for j in range(i, n):
            y = y * x + j
        total += y * y
    return total


args = (0.4, 5)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def triangle_adjoint(x, n):
    """Gradient of triangle with respect to x."""
    # forward sweep
    y_saved = []
    y_saved_2 = []
    for i in range(n):                          # line 6
        y = x + i                               # line 7
        for j in range(i, n):                   # line 8
            y_saved.append(y)
            y = y * x + j                       # line 9
        y_saved_2.append(y)                     # line 8
    # reverse sweep
    x_bar = 0.0
    for i in range(n - 1, -1, -1):              # line 6
        y = y_saved_2.pop()
        y_bar = 2.0 * y
        for _ in range(i, n):                   # line 8
            y = y_saved.pop()
            x_bar += y_bar * y
            y_bar *= x
        x_bar += y_bar
    return x_bar
