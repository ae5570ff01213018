"""Rows, columns and numbers, and adjoints of the shapes of each."""

import numpy as np


def spread(row, column, scale):
    table = scale * row + column[:, None] * row
    return np.sum(np.sin(table))


args = (np.array([0.3, -0.8, 0.5]), np.array([1.0, 2.0]), 0.7)
argnums = (0, 1, 2)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def spread_adjoint(row, column, scale):
    """Gradient of spread with respect to row, column and scale."""
    # forward sweep
    scale_times_row = scale * row                    # line 7: table = scale * row + column[:, None] * row
    element = column[:, None]
    table = scale_times_row + element * row
    # reverse sweep
    cos_table = np.cos(table)                        # line 8: return np.sum(np.sin(table))
    scale_times_row_bar = np.sum(cos_table, axis=0)  # line 7
    row_bar = np.sum(cos_table * element, axis=0) + scale_times_row_bar * scale
    return row_bar, np.sum(cos_table * row, axis=1), float(scale_times_row_bar @ row)
