"""The logistic map: how fast neighbouring orbits part, from the derivative of the last point by the first."""

import math

from s2sad import grad


@grad
def after(x, r, steps):
    """The point that the orbit of x reaches."""
    for _ in range(steps):
        x = r * x * (1 - x)
    return x


def main():
    # On the orbit through x = sin(t)^2 the map for r = 4 doubles t, so the n-th point is sin(2^n t)^2.
    t, steps = 0.3, 20
    slope = after(math.sin(t) ** 2, 4.0, steps)
    exponent = math.log(abs(slope)) / steps
    print(f"d x_{steps} / d x_0 = {slope:.6g}; Lyapunov exponent about {exponent:.4f} (log 2 = {math.log(2):.4f})")
    expected = 2**steps * math.sin(2 ** (steps + 1) * t) / math.sin(2 * t)
    assert math.isclose(slope, expected, rel_tol=1e-6)


if __name__ == "__main__":
    main()
