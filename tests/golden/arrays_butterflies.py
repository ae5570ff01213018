"""Slices whose bounds vary, that must be of one length since they are added and stored."""

import numpy as np


def wavelets(x):
    y = x.copy()
    size = 2
    while size <= len(x):
        half = size // 2
        c = np.cos(np.arange(half))
        for start in range(0, len(x), size):
            even = y[start : start + half].copy()
            odd = c * y[start + half : start + size]
            y[start : start + half] = even + odd
            y[start + half : start + size] = even - odd
        size *= 2
    return np.sum(y * y)


args = (np.array([0.3, -0.8, 1.0, 2.0]),)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def wavelets_adjoint(x):
    """Gradient of wavelets with respect to x."""
    # forward sweep
    size_saved = []
    y = x.copy()                                              # line 7
    len_x = len(x)                                            # line 9: while size <= len(x):
    size = 2
    while size <= len_x:
        size_saved.append(size)
        half = size // 2                                      # line 10
        c = np.cos(np.arange(half))                           # line 11
        for start in range(0, len_x, size):                   # line 12: for start in range(0, len(x), size):
            start_plus_half = start + half                    # line 13: even = y[start : start + half].copy()
            even = y[start:start_plus_half].copy()
            start_plus_size = start + size                    # line 14: odd = c * y[start + half : start + size]
            odd = c * y[start_plus_half:start_plus_size]
            y[start:start_plus_half] = even + odd             # line 15: y[start : start + half] = even + odd
            y[start_plus_half:start_plus_size] = even - odd   # line 16: y[start + half : start + size] = even - odd
        size *= 2                                             # line 17
    # reverse sweep
    y_bar = 2 * y                                             # line 18: return np.sum(y * y)
    size_saved.reverse()
    for size in size_saved:                                   # line 9
        half = size // 2                                      # line 10
        c = np.cos(np.arange(half))                           # line 11
        for start in range(0, len_x, size)[::-1]:             # line 12
            start_plus_half = start + half                    # line 13
            start_plus_size = start + size                    # line 14
            even_minus_odd_bar = y_bar[start_plus_half:start_plus_size]  # line 16
            even_plus_odd_bar = y_bar[start:start_plus_half]  # line 15
            even_bar = even_minus_odd_bar + even_plus_odd_bar
            y_bar[start_plus_half:start_plus_size] = (even_plus_odd_bar - even_minus_odd_bar) * c  # line 14
            y_bar[start:start_plus_half] = even_bar           # line 13
    return y_bar
