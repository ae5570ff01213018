"""The trace of a product."""

import numpy as np


def trace(a, b):
    return np.trace(a @ b)


args = (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, -1.0], [0.3, 2.0]]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def trace_adjoint(a, b):
    """Gradient of trace with respect to a and b."""
    return b.T.copy(), a.T.copy()
