"""A nonlinear update in place: one slice is saved a step."""

import numpy as np


def burgers(u, dt, dx, steps):
    u = u.copy()
    for _ in range(steps):
        flux = 0.5 * u * u
        u[1:-1] -= dt / (2 * dx) * (flux[2:] - flux[:-2])
    return np.sum(u * u) * dx


args = (np.array([1.0, 1.3, 1.5, 1.2, 0.8, 0.6, 0.9]), 0.02, 0.1, 4)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def burgers_adjoint(u, dt, dx, steps):
    """Gradient of burgers with respect to u and dt."""
    # forward sweep
    overwritten_saved = []
    u = u.copy()                                     # line 7
    two_dx = 2 * dx                                  # line 10: u[1:-1] -= dt / (2 * dx) * (flux[2:] - flux[:-2])
    dt_over_two_dx = dt / two_dx if steps > 0 else 0.0
    for _ in range(steps):                           # line 8
        flux = 0.5 * u * u                           # line 9
        u_part = u[1:-1]                             # line 10
        scaled_dt_over_two_dx = dt_over_two_dx * (flux[2:] - flux[:-2])
        overwritten = u_part.copy()
        u_part -= scaled_dt_over_two_dx
        overwritten_saved.append(overwritten)
    # reverse sweep
    u_bar = 2.0 * dx * u                             # line 11: return np.sum(u * u) * dx
    overwritten_saved.reverse()
    dt_bar_sum = 0.0
    for overwritten in overwritten_saved:            # line 8
        u[1:-1] = overwritten                        # line 10
        minus_u_part_bar = -u_bar[1:-1]
        half_u = 0.5 * u                             # line 9
        flux = half_u * u
        product = minus_u_part_bar * dt_over_two_dx  # line 10
        two_half_u = 2 * half_u                      # line 9
        u_bar[:-2] -= product * two_half_u[:-2]
        u_bar[2:] += product * two_half_u[2:]
        dt_bar_sum += minus_u_part_bar @ (flux[2:] - flux[:-2])
    return u_bar, float(dt_bar_sum / two_dx)
