"""The energy of bodies, by broadcasting."""

import numpy as np


def energy(x, m):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d * d, axis=2) + 0.01
    return -np.sum(m[:, None] * m[None, :] / np.sqrt(r2))


args = (np.array([[0.0, 0.1], [1.0, 0.3], [-0.5, 0.8]]), np.array([1.0, 0.5, 2.0]))
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def energy_adjoint(x, m):
    """Gradient of energy with respect to x and m."""
    # forward sweep
    d = x[:, None, :] - x[None, :, :]           # line 7
    r2 = np.sum(d * d, axis=2) + 0.01           # line 8
    element = m[:, None]                        # line 9: return -np.sum(m[:, None] * m[None, :] / np.sqrt(r2))
    element_2 = m[None, :]
    sqrt_r2 = np.sqrt(r2)
    # reverse sweep
    minus_over_sqrt_r2 = -1.0 / sqrt_r2         # line 9
    result = np.sum(minus_over_sqrt_r2 * element, axis=0)
    element_3 = (0.5 * element * element_2 / sqrt_r2 / sqrt_r2 / sqrt_r2)[:, :, None]  # line 8
    d_bar = 2 * element_3 * d
    m_bar = result + np.sum(minus_over_sqrt_r2 * element_2, axis=1)  # line 9
    return np.sum(d_bar, axis=1) - np.sum(d_bar, axis=0), m_bar
