"""Derivatives of derivatives, and `grad` inside a differentiated function."""

import math

import pytest

from s2sad import grad, stop_gradient, value_and_grad


def power_by_loop(x):
    y = 1.0
    for k in range(4):
        y = y * x + k
    return y


def test_derivatives_to_the_fifth():
    derivative = grad(grad(grad(power_by_loop)))
    assert derivative(1.5) == pytest.approx(36.0, rel=1e-12)
    assert grad(derivative)(1.5) == pytest.approx(24.0, rel=1e-12)
    assert grad(grad(derivative))(1.5) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("function", "derivatives"),
    [
        (lambda x: math.sin(x), [math.cos, lambda x: -math.sin(x), lambda x: -math.cos(x), math.sin]),
        (lambda x: math.exp(2 * x), [lambda x, n=n: 2**n * math.exp(2 * x) for n in (1, 2, 3, 4)]),
        (lambda x: x**5, [lambda x: 5 * x**4, lambda x: 20 * x**3, lambda x: 60 * x**2, lambda x: 120 * x]),
        (lambda x: math.log(x), [lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3, lambda x: -6 / x**4]),
        (lambda x: 1 / (1 + x), [lambda x, n=n: (-1) ** n * math.factorial(n) / (1 + x) ** (n + 1) for n in (1, 2, 3, 4)]),
    ],
)
def test_repeated_derivatives(function, derivatives):
    for derivative in derivatives:
        function = grad(function)
        for x in (0.7, 1.9):
            assert function(x) == pytest.approx(derivative(x), rel=1e-11)


def confused(x):
    slope = grad(lambda y: x**2 + y)
    return x * slope(1.0)


def confused_product(x):
    return x * grad(lambda y: x**2 * y)(3.0)


def classic(x):
    return x * grad(lambda y: x + y)(1.0)


def triple(x):
    return grad(lambda y: x * grad(lambda z: x * y * z * z)(y))(x)


def test_no_perturbation_confusion():
    assert grad(confused)(1.5) == 1.0
    assert grad(confused_product)(2.0) == pytest.approx(12.0, rel=1e-14)
    assert grad(classic)(1.0) == 1.0
    # d/dz = 2 x y z at z=y: 2 x y^2; times x: 2 x^2 y^2; d/dy = 4 x^2 y at y=x: 4 x^3; then 12 x^2
    assert triple(1.5) == pytest.approx(4 * 1.5**3, rel=1e-13)
    assert grad(triple)(1.5) == pytest.approx(12 * 1.5**2, rel=1e-13)


def inner_loss(w, y):
    return (w - y) ** 2 + w**3 / 3


def descent(y):
    w = 0.5
    for _ in range(3):
        w = w - 0.1 * grad(inner_loss)(w, y)
    return w * w


def test_through_gradient_descent():
    h = 1e-5
    expected = (descent(1.0 + h) - descent(1.0 - h)) / (2 * h)
    assert grad(descent)(1.0) == pytest.approx(expected, rel=1e-8)


def newton_by_grad(a):
    def residual(x):
        return x * x * x - a

    slope = grad(residual)
    x = 1.0
    for _ in range(30):
        x = x - residual(x) / slope(x)
    return x


def test_newton_that_differentiates_its_residual():
    assert newton_by_grad(2.0) == pytest.approx(2 ** (1 / 3), rel=1e-14)
    assert grad(newton_by_grad)(2.0) == pytest.approx(2 ** (-2 / 3) / 3, rel=1e-9)


def test_value_and_grad_inside():
    def f(x):
        value, slope = value_and_grad(lambda y: y * y * x)(x)
        return value + slope

    assert f(1.5) == pytest.approx(1.5**3 + 2 * 1.5**2)
    assert grad(f)(1.5) == pytest.approx(3 * 1.5**2 + 4 * 1.5)


def test_mixed_derivatives_are_symmetric():
    def f(x, y):
        z = x
        for k in range(4):
            z = math.sin(z * y) + k * x if z > 0 else z * y - x
        return z * x

    mixed = grad(grad(f, 0), 1)(0.7, 0.4)
    other = grad(grad(f, 1), 0)(0.7, 0.4)
    h = 1e-5
    assert mixed == pytest.approx(other, rel=1e-11)
    assert mixed == pytest.approx((grad(f)(0.7, 0.4 + h) - grad(f)(0.7, 0.4 - h)) / (2 * h), rel=1e-8)


def runge_kutta_step(slope, y, h, p):
    rows = [[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]]
    slopes = []
    for _, row in enumerate(rows):
        slopes.append(slope(y + h * sum(a * k for a, k in zip(row, slopes, strict=False)), p))
    return y + h * sum(b * k for b, k in zip((1 / 6, 1 / 3, 1 / 3, 1 / 6), slopes, strict=True))


def decay_by_a_tableau(x):
    y = 1.0
    for _ in range(3):
        y = runge_kutta_step(lambda y, p: -p * y * y, y, 0.1, x)
    return y


def test_rows_of_constants_in_a_helper():
    """y' = -p y**2 with y(0) = 1: y(t) = 1 / (1 + p t)."""
    t, x = 0.3, 1.1
    assert decay_by_a_tableau(x) == pytest.approx(1 / (1 + x * t), rel=1e-6)
    assert grad(decay_by_a_tableau)(x) == pytest.approx(-t / (1 + x * t) ** 2, rel=1e-4)
    assert grad(grad(decay_by_a_tableau))(x) == pytest.approx(2 * t**2 / (1 + x * t) ** 3, rel=1e-3)
    step = 1e-5
    differences = (grad(decay_by_a_tableau)(x + step) - grad(decay_by_a_tableau)(x - step)) / (2 * step)
    assert grad(grad(decay_by_a_tableau))(x) == pytest.approx(differences, rel=1e-8)


def test_hessian_of_a_list():
    def rosenbrock(x):
        return sum(100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2 for i in range(len(x) - 1))

    def row(x, k):
        return grad(rosenbrock)(x)[k]

    hessian = [grad(row)([1.0, 1.0, 1.0], k) for k in range(3)]
    assert hessian == [[802.0, -400.0, 0.0], [-400.0, 1002.0, -400.0], [0.0, -400.0, 200.0]]


def test_stop_gradient():
    assert grad(lambda x: x * stop_gradient(x))(3.0) == 3.0
    assert grad(lambda x: stop_gradient(x * x) + x)(3.0) == 1.0
    assert stop_gradient(3.0) == 3.0
    assert grad(grad(lambda x: x * x * stop_gradient(x)))(3.0) == 6.0


def test_size_of_the_second_derivative_is_readable():
    first = len(grad(power_by_loop).source(1.5).splitlines())
    second = len(grad(grad(power_by_loop)).source(1.5).splitlines())
    assert second < 6 * first
