"""An integration that calls a helper in each step: sensitivities of a chemical decay of second order."""

import math

from s2sad import value_and_grad


def rate(concentration, k, order):
    """Change per unit of time."""
    if order == 1:
        return -k * concentration
    return -k * concentration**order


def concentration_at_end(start, k, order, duration, steps):
    dt = duration / steps
    c = start
    for _ in range(steps):
        c += dt * rate(c, k, order)
    return c


def main():
    value, (by_start, by_k) = value_and_grad(concentration_at_end, argnums=("start", "k"))(1.5, 0.7, 2, 2.0, 4000)
    print(f"c = {value:.6f}   dc/dstart = {by_start:.6f}   dc/dk = {by_k:.6f}")
    # exact solution of c' = -k c^2: c = start / (1 + start k t)
    denominator = 1 + 1.5 * 0.7 * 2.0
    assert math.isclose(by_start, 1 / denominator**2, rel_tol=1e-3)
    assert math.isclose(by_k, -(1.5**2) * 2.0 / denominator**2, rel_tol=1e-3)

    # first order: each step multiplies by 1 - k dt, so the derivatives of the scheme itself are known
    _, (by_start, by_k) = value_and_grad(concentration_at_end, argnums=("start", "k"))(1.5, 0.7, 1, 2.0, 100)
    factor = 1 - 0.7 * 0.02
    assert math.isclose(by_start, factor**100, rel_tol=1e-12)
    assert math.isclose(by_k, -1.5 * 100 * 0.02 * factor**99, rel_tol=1e-12)


if __name__ == "__main__":
    main()
