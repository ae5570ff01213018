"""Real and imaginary parts and conjugates of real arrays, which may be the array itself."""

import numpy as np
import pytest

from s2sad import S2sadError, grad, value_and_grad
from s2sad.errors import NonDifferentiableError

X = np.array([0.3, -0.4, 0.7])


def through_the_conjugate(x):
    y = x * 1.0
    z = y.conj()  # the same array
    z[0] = 2 * z[1]
    z *= z
    return np.sum(y * np.arange(1.0, 4.0))


def through_the_real_part(x):
    y = x * 1.0
    z = y.real
    z[0] = 2 * z[1]
    w = y.imag
    return np.sum(y**2 * np.arange(1.0, 4.0)) + np.sum(w * y)


def of_a_copy(x):
    y = np.conjugate(x)
    z = y.conjugate()
    z[0] = 2 * z[1]
    return np.sum(y * x * np.arange(1.0, 4.0)) + np.sum(np.imag(x) + np.real(x))


@pytest.mark.parametrize("function", [through_the_conjugate, through_the_real_part, of_a_copy])
def test_parts_of_reals(function):
    steps = 1e-3 * np.eye(3)
    expected = [sum(w * (function(X + k * h) - function(X - k * h)) for k, w in ((1, 8), (2, -1))) / 12e-3 for h in steps]
    assert grad(function)(X) == pytest.approx(np.array(expected), rel=1e-8)


def test_parts_of_complex_numbers_that_do_not_depend_on_the_argument():
    phases = np.exp(1j * np.arange(3.0))

    def weighted(x):
        w = phases.copy()
        w.imag[0] = 3.0
        return np.sum(w.real * x + w.imag * x + w.conj().imag * x)

    assert grad(weighted)(X) == pytest.approx(phases.real)


def test_imaginary_parts_of_active_numbers_are_refused():
    with pytest.raises(S2sadError, match="complex numbers"):
        grad(lambda x: np.sum((x * 1j).imag))(X)


def test_parts_of_numbers_that_may_be_complex():
    def parts(x, exponent):
        y = x**exponent
        return y.real * y.conjugate() + y.imag

    assert grad(parts)(2.0, 1.5) == pytest.approx(12.0)
    assert grad(grad(parts))(2.0, 1.5) == pytest.approx(12.0)
    with pytest.raises(NonDifferentiableError, match=r"complex numbers are not supported[^$]*return y.real"):
        grad(parts)(-2.0, 1.5)


PARTS = [
    lambda x: x + ((x - 3) ** 0.5).imag,
    lambda x: x + ((x - 3) ** 0.5).real,
    lambda x: x + pow(x - 3, 0.5).conjugate().imag,
    lambda x: x + (2 * [x, (x - 3) ** 1.5][1]).imag,
]


@pytest.mark.parametrize("function", PARTS)
def test_parts_of_complex_roots_are_refused(function):
    with pytest.raises(NonDifferentiableError, match="complex numbers are not supported"):
        value_and_grad(function)(1.0)
    with pytest.raises(NonDifferentiableError, match="complex numbers are not supported"):
        grad(function)(1.0)
    value, slope = value_and_grad(function)(5.0)
    assert value == function(5.0)
    assert slope == pytest.approx((function(5.001) - function(4.999)) / 0.002, rel=1e-6)
