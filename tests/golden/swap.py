"""Two variables that swap in a loop."""


def fibonacci(a, b, n):
    for _ in range(n):
        a, b = b, a * b + a
    return a


args = (0.6, 0.9, 7)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def fibonacci_adjoint(a, b, n):
    """Gradient of fibonacci with respect to a and b."""
    # forward sweep
    a_saved = []
    for _ in range(n):                          # line 5
        a_saved.append(a)
        a, b = b, a * b + a
    # reverse sweep
    a_saved.reverse()
    b = a
    a_bar = 1.0
    b_bar = 0.0
    for a in a_saved:                           # line 5
        b, a_bar, b_bar = a, b_bar + b_bar * b, a_bar + b_bar * a
    return a_bar, b_bar
