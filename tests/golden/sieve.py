"""A nested loop with branches."""


def sieve(a, b, n):
    total = 0.0
    for i in range(n):
        x = a * i
        for _ in range(i):
            if x > b:
                total += x * x
                x = x / 2
            else:
                x = x + a * b
        total += x
    return total


args = (0.7, 3.0, 9)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def sieve_adjoint(a, b, n):
    """Gradient of sieve with respect to a and b."""
    # forward sweep
    x_saved = []
    for i in range(n):                          # line 6
        x = a * i                               # line 7
        for _ in range(i):                      # line 8
            x_saved.append(x)
            if x > b:                           # line 9
                x /= 2                          # line 11: x = x / 2
            else:
                x += a * b                      # line 13: x = x + a * b
    # reverse sweep
    a_bar = 0.0
    b_bar = 0.0
    for i in range(n - 1, -1, -1):              # line 6
        x_bar = 1.0
        for _ in range(i):                      # line 8
            x = x_saved.pop()
            if x > b:                           # line 9
                x_bar = 0.5 * x_bar + 2.0 * x
            else:
                a_bar += x_bar * b
                b_bar += x_bar * a
        a_bar += x_bar * i
    return a_bar, b_bar
