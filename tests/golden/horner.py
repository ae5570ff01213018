"""`reversed`, a starred argument and a keyword with a default."""


def horner(x, *coefficients, scale=2.0):
    y = 0.0
    for c in reversed(coefficients):
        y = y * x + c
    return y * scale


args = (0.5, 1.0, 2.0, 3.0)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def horner_adjoint(x, coefficients, scale=2.0):
    """Gradient of horner with respect to x."""
    # forward sweep
    y_saved = []
    y = 0.0
    for c in reversed(coefficients):            # line 6
        y_saved.append(y)
        y = y * x + c                           # line 7
    # reverse sweep
    y_saved.reverse()
    y_bar = scale
    x_bar = 0.0
    for y in y_saved:                           # line 6
        x_bar += y_bar * y
        y_bar *= x
    return x_bar
