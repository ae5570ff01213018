"""A linear update element by element: the reverse sweep needs nothing of the forward sweep."""

import numpy as np


def gauss_seidel(a, sweeps):
    a = a.copy()
    n = a.shape[0]
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
    return a[n // 2, n // 2]


args = (np.arange(16.0).reshape(4, 4) ** 1.5, 2)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def gauss_seidel_adjoint(a, sweeps):
    """Gradient of gauss_seidel with respect to a."""
    # forward sweep
    n = a.shape[0]                               # line 8
    quotient = n // 2                            # line 13: return a[n // 2, n // 2]
    # reverse sweep
    a_bar = np.zeros_like(a)
    a_bar[quotient, quotient] = 1.0              # line 13
    n_minus_two = n - 2
    for _ in range(sweeps):                      # line 9
        for i in range(n_minus_two, 0, -1):      # line 10: for i in range(1, n - 1):
            for j in range(n_minus_two, 0, -1):  # line 11: for j in range(1, n - 1):
                element = a_bar[i, j]  # line 12: a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
                a_bar[i, j] = 0.0
                sum_bar = 0.25 * element
                a_bar[i, j + 1] += sum_bar
                a_bar[i, j - 1] += sum_bar
                a_bar[i + 1, j] += sum_bar
                a_bar[i - 1, j] += sum_bar
    return a_bar
