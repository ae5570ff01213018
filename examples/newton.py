"""A root found by Newton's method, differentiated through the iteration: how a planet's place depends on its orbit.

Kepler's equation E - e sin E = M has no closed solution; its derivatives follow from the implicit function theorem, which
the example uses as a check, and which the program itself knows nothing of.
"""

import math

from s2sad import value_and_grad


def eccentric_anomaly(mean_anomaly, eccentricity, tol=1e-14):
    anomaly = mean_anomaly
    for _ in range(50):
        step = (anomaly - eccentricity * math.sin(anomaly) - mean_anomaly) / (1 - eccentricity * math.cos(anomaly))
        anomaly -= step
        if abs(step) < tol:
            break
    else:
        raise ArithmeticError("Newton's method did not converge")
    return anomaly


def main():
    anomaly, (by_time, by_shape) = value_and_grad(eccentric_anomaly, argnums=(0, 1))(1.2, 0.3)
    print(f"E = {anomaly:.12f}   dE/dM = {by_time:.12f}   dE/de = {by_shape:.12f}")
    slope = 1 - 0.3 * math.cos(anomaly)
    assert math.isclose(by_time, 1 / slope, rel_tol=1e-12)
    assert math.isclose(by_shape, math.sin(anomaly) / slope, rel_tol=1e-12)


if __name__ == "__main__":
    main()
