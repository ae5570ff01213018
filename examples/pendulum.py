"""The period of a pendulum by integration until it comes to rest, with a last, shortened step: how it grows with amplitude."""

import math

from s2sad import value_and_grad


def acceleration(angle, length, gravity):
    return -gravity / length * math.sin(angle)


def period(amplitude, length, gravity=9.81, dt=1e-3):
    """Four times the time of a quarter swing, by the velocity Verlet scheme."""
    angle, velocity, time = amplitude, 0.0, 0.0
    while True:
        middle = velocity + dt / 2 * acceleration(angle, length, gravity)
        new_angle = angle + dt * middle
        if new_angle <= 0:
            # it passes the lowest point within this step, at nearly constant velocity
            return 4 * (time + angle / -middle)
        angle = new_angle
        velocity = middle + dt / 2 * acceleration(angle, length, gravity)
        time += dt


def complete_elliptic_integral(k):
    """K(k) by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while a - b > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (a + b)


def exact_period(amplitude, length, gravity=9.81):
    return 4 * math.sqrt(length / gravity) * complete_elliptic_integral(math.sin(amplitude / 2))


def main():
    value, (by_amplitude, by_length) = value_and_grad(period, argnums=(0, 1))(1.0, 2.0)
    print(f"period {value:.6f} s, {by_amplitude:.6f} s a radian, {by_length:.6f} s a metre")
    assert math.isclose(value, exact_period(1.0, 2.0), rel_tol=1e-5)
    # for any amplitude the period goes with the square root of the length
    assert math.isclose(by_length, exact_period(1.0, 2.0) / (2 * 2.0), rel_tol=1e-3)
    difference = (exact_period(1.001, 2.0) - exact_period(0.999, 2.0)) / 0.002
    assert math.isclose(by_amplitude, difference, rel_tol=1e-3)


if __name__ == "__main__":
    main()
