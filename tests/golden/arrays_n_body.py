"""Steps of bodies that attract each other: what takes effort is kept, factors leave the sums, products are summed as they are made."""

import numpy as np


def energy(x, v, masses, dt, steps):
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        r2 = np.sum(d * d, axis=2) + 0.01
        a = np.sum(masses[None, :, None] * d / r2[:, :, None] ** 1.5, axis=1)
        v = v + dt * a
        x = x + dt * v
    return np.sum(masses * np.sum(v * v, axis=1)) / 2


args = (
    np.array([[0.0, 1.0, 0.5], [1.0, -0.5, 0.2], [-1.0, 0.3, -0.4]]),
    np.array([[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, -0.1]]),
    np.array([1.0, 0.5, 2.0]),
    0.01,
    3,
)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def energy_adjoint(x, v, masses, dt, steps):
    """Gradient of energy with respect to x and v."""
    # forward sweep
    d_saved = []
    element_saved = []
    power_saved = []
    for _ in range(steps):                                      # line 7
        d = x[None, :, :] - x[:, None, :]                       # line 8
        d_saved.append(d)
        r2 = np.sum(d * d, axis=2) + 0.01                       # line 9
        scaled_d = masses[None, :, None] * d                    # line 10
        element = r2[:, :, None]
        element_saved.append(element)
        power = element ** 1.5
        power_saved.append(power)
        a = np.sum(scaled_d / power, axis=1)
        v = v + dt * a                                          # line 11
        x = x + dt * v                                          # line 12
    # reverse sweep
    x_bar = np.zeros_like(v)                                    # line 7
    v_bar = 2 * (0.5 * masses)[:, None] * v  # line 13: return np.sum(masses * np.sum(v * v, axis=1)) / 2
    d_saved.reverse()
    element_saved.reverse()
    power_saved.reverse()
    for d, saved_element, saved_power in zip(d_saved, element_saved, power_saved):  # line 7
        element_2 = masses[None, :, None]                       # line 10
        v_bar = v_bar + x_bar * dt                              # line 12
        element_3 = (v_bar * dt)[:, None]                       # line 10
        element_4 = np.einsum("ijk,ijk->ij", element_3, d)[:, :, None]
        ratio = -3.0 * element_2 * element_4 * saved_element ** 0.5 / saved_power  # line 9
        d_bar = element_3 * (element_2 / saved_power) + ratio / saved_power * d
        x_bar += np.sum(d_bar, axis=0) - np.sum(d_bar, axis=1)  # line 8
    return x_bar, v_bar
