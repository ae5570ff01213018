"""Diffusion along a rod: an array updated in place, two buffers that swap their names.

`diffuse` is differentiated by the state at the beginning and by the coefficient, and the latter compared with the
difference of two runs.
"""

import numpy as np

from s2sad import value_and_grad


def diffuse(u, nu, steps=7):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = u[1:-1] + nu * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


if __name__ == "__main__":
    start = 1 + 0.5 * np.sin(np.linspace(0.0, 6.0, 40))
    value, (by_start, by_nu) = value_and_grad(diffuse, argnums=("u", "nu"))(start, 0.1)
    print(f"sum of squares {value:.6f}, by nu {by_nu:.6f}, by the middle of the start {by_start[20]:.6f}")
    step = 1e-6
    from_runs = (diffuse(start, 0.1 + step) - diffuse(start, 0.1 - step)) / (2 * step)
    print(f"by nu, from two runs: {from_runs:.6f}")
    assert abs(by_nu - from_runs) < 1e-6
