"""Recursion."""


def power(x, n):
    if n == 0:
        return 1.0
    if n % 2 == 1:
        return x * power(x, n - 1)
    half = power(x, n // 2)
    return half * half


def curve(x, n):
    return power(x, n) / n + x


args = (1.2, 11)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def power_forward(x, n, kept):
    """power(), and what power_reverse() needs."""
    if n == 0:                                               # line 5
        result = 1.0
    elif n % 2 == 1:                                         # line 7: if n % 2 == 1:
        power_x_n_minus_one = power_forward(x, n - 1, kept)  # line 8: return x * power(x, n - 1)
        kept.append(power_x_n_minus_one)
        result = x * power_x_n_minus_one
    else:
        half = power_forward(x, n // 2, kept)                # line 9: half = power(x, n // 2)
        kept.append(half)
        result = half * half
    return result


def power_reverse(x, n, power_bar, kept):
    """Reverse of power(): gives the adjoint of x."""
    if n == 0:                                  # line 5
        x_bar = 0.0
    elif n % 2 == 1:                            # line 7: if n % 2 == 1:
        x_bar = power_bar * kept.pop() + power_reverse(x, n - 1, power_bar * x, kept)
    else:
        half = kept.pop()
        x_bar = power_reverse(x, n // 2, 2.0 * power_bar * half, kept)
    return x_bar


def curve_adjoint(x, n):
    """Gradient of curve with respect to x."""
    # forward sweep
    power_kept = []
    power_forward(x, n, power_kept)             # line 14: return power(x, n) / n + x
    # reverse sweep
    return 1.0 + power_reverse(x, n, 1 / n, power_kept)
