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
    b_saved = []
    for _ in range(n):                              # line 5
        a_saved.append(a)
        b_saved.append(b)
        a, b = b, a * b + a
    # reverse sweep
    a_bar = 1.0
    b_bar = 0.0
    for a, b in zip(a_saved[::-1], b_saved[::-1]):  # line 5
        a_bar, b_bar = b_bar + b_bar * b, a_bar + b_bar * a
    return a_bar, b_bar
