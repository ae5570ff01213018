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

