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

def power_forward(x, n):
    if n == 0:                                             # line 5
        result = 1.0
        power_kept = None
        power_forward_result_0 = None
        power_kept_2 = None
        half = None
    elif n % 2 == 1:                                       # line 7: if n % 2 == 1:
        power_forward_result = power_forward(x, n - 1)     # line 8: return x * power(x, n - 1)
        power_forward_result_0 = power_forward_result[0]
        result = x * power_forward_result_0
        power_kept = power_forward_result[1]
        power_kept_2 = None
        half = None
    else:
        power_forward_result_2 = power_forward(x, n // 2)  # line 9: half = power(x, n // 2)
        half = power_forward_result_2[0]
        result = half * half
        power_kept = None
        power_forward_result_0 = None
        power_kept_2 = power_forward_result_2[1]
    return result, (power_kept, power_forward_result_0, power_kept_2, half)


def power_reverse(x, n, kept, power_bar):
    power_kept = kept[0]
    power_kept_2 = kept[2]
    if n == 0:                                  # line 5
        x_bar = 0.0
    elif n % 2 == 1:                            # line 7: if n % 2 == 1:
        power_reverse_result = power_reverse(x, n - 1, power_kept, power_bar * x)  # line 8: return x * power(x, n - 1)
        x_bar = power_bar * kept[1] + power_reverse_result
    else:
        half = kept[3]
        x_bar = power_reverse(x, n // 2, power_kept_2, 2.0 * power_bar * half)
    return x_bar


def curve_adjoint(x, n):
    # forward sweep
    power_kept = power_forward(x, n)[1]         # line 14: return power(x, n) / n + x
    # reverse sweep
    return 1.0 + power_reverse(x, n, power_kept, 1 / n)
