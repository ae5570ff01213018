# ruff: noqa: E501
"""Item 6: the functions of `math`, the operators, the built-in functions on numbers, NumPy's on scalars."""

import math
import sys

import numpy as np

from tests.corpus.reference import collector

ENTRIES = []
add = collector(ENTRIES)

# fmt: off
add(lambda x: math.sin(x) * math.cos(x) + math.tan(x), 0.7, -2.0, name="trigonometric")
add(lambda x: math.asin(x) * math.acos(x) + math.atan(x), 0.7, -0.2, name="inverse_trigonometric")
add(lambda x: math.sinh(x) * math.cosh(x) + math.tanh(x), 0.7, -1.2, name="hyperbolic")
add(lambda x: math.asinh(x) * math.acosh(1.5 + x) + math.atanh(x), 0.7, -0.2, name="inverse_hyperbolic")
add(lambda x: math.exp(x) * math.expm1(x) + math.exp2(x), 0.7, -1.2, name="exponentials")
add(lambda x: math.log(x) * math.log1p(x) + math.log2(x) * math.log10(x), 0.7, 3.0, name="logarithms")
add(lambda x, b: math.log(x, b) + math.log(b, 10) + math.log(2.0, x), (0.7, 3.0), argnums=(0, 1), name="logarithm_with_base")
add(lambda x: math.sqrt(x) * math.cbrt(x), 0.7, 3.0, name="roots")
add(lambda x: math.cbrt(x), -0.7, 3.0, name="cube_root")
add(lambda x: math.erf(x) * math.erfc(x), 0.7, -1.3, name="error_functions")
add(lambda x: math.gamma(x), 0.7, 4.2, -1.3, name="gamma")
add(lambda x: math.lgamma(x), 0.7, 4.2, -1.3, name="lgamma", rtol=1e-8)
add(lambda x, y: math.atan2(x, y), (0.7, 1.2), (0.7, -1.2), (-0.7, -1.2), (-0.7, 1.2), argnums=(0, 1), name="atan2")
add(lambda x, y: math.pow(x, y) + math.pow(y, 2), (0.7, 1.2), argnums=(0, 1), name="math_pow")
add(lambda x, y, z: math.hypot(x, y, z) + math.hypot(x) + math.hypot(x, 2.0), (0.7, -1.2, 3.0), argnums=(0, 1, 2), name="hypot")
add(lambda p, q: math.dist(p, q), ([0.7, -1.2, 3.0], [1.0, 2.0, 0.5]), ([0.7], [2.0]), argnums=(0, 1), name="dist")
add(lambda x, y: math.dist((x, 1.0), [y, x]), (0.7, -1.2), argnums=(0, 1), name="dist_of_displays")
add(lambda xs: math.fsum(xs) * math.prod(xs), [0.7, -1.2, 3.0], [2.0], name="fsum_and_prod")
add(lambda xs: math.fsum(x * x for x in xs) * math.prod([x + 1 for x in xs], start=xs[0]), [0.7, -1.2, 3.0], name="fsum_and_prod_of_iterables")
add(lambda xs: math.prod(xs), [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], name="prod_with_zeros")
add(lambda x, y: math.copysign(x, y) * x, (0.7, -1.2), (-0.7, 1.2), name="copysign")
add(lambda x, y: math.copysign(x, y) * x, (-0.7, -0.0), (0.7, -0.0), name="copysign_of_minus_zero", smooth=False, derivative=lambda x, y: -2 * abs(x))
add(lambda x, y: math.fmod(x, y) * x, (7.3, 2.1), (-7.3, 2.1), (7.3, -2.1), argnums=(0, 1), name="fmod")
add(lambda x, y: math.remainder(x, y) * x, (7.3, 2.1), (-7.3, 2.1), (3.1, -2.1), argnums=(0, 1), name="remainder")
add(lambda x, y: (x % y) * x, (7.3, 2.1), (-7.3, 2.1), (7.3, -2.1), (-7.3, -2.1), argnums=(0, 1), name="modulo")
add(lambda x, y: (x // y) * x + 7 // 2, (7.3, 2.1), (-7.3, 2.1), argnums=(0, 1), name="floor_division")
add(lambda x, y: divmod(x, y)[1] * x + divmod(x, y)[0] * y, (7.3, 2.1), (-7.3, 2.1), argnums=(0, 1), name="divmod")
add(lambda x: math.ldexp(x, 3) * math.ldexp(x, -1), 0.7, name="ldexp")
add(lambda x: math.degrees(x) * math.radians(x), 0.7, name="degrees_and_radians")
add(lambda x: math.fabs(x) * x + abs(x), 0.7, -0.7, name="absolute_values")
add(lambda x: x * math.floor(x) + x * math.ceil(x) * math.trunc(x), 2.7, -2.7, name="rounding_of_math")
add(lambda x: x * round(x) + x * round(x, 1) + round(x, 2), 2.718, -2.718, name="round", smooth=False,
    derivative=lambda x: round(x) + round(x, 1))
add(lambda x: x * int(x) + float(x) * x + float(2) * x + bool(x) * x, 2.7, -2.7, name="conversions")
add(lambda x: math.modf(x)[0] * x + math.modf(x)[1] * x, 2.7, -2.7, name="modf")
add(lambda x: x * math.factorial(4) + math.comb(5, 2) * x**2 + math.gcd(12, 18) * x + math.isqrt(17) * x, 0.7, name="integer_functions")
add(lambda x: x * math.pi + x**2 * math.e + math.tau, 0.7, name="constants")
add(lambda x: (x if math.isfinite(x) and not math.isnan(x) and not math.isinf(x) and math.isclose(x, x) else 0.0) * x, 0.7, name="predicates")
if sys.version_info >= (3, 12):
    add(lambda p, q: math.sumprod(p, q), ([0.7, -1.2], [1.0, 2.0]), argnums=(0, 1), name="sumprod")
if sys.version_info >= (3, 13):
    add(lambda x, y, z: math.fma(x, y, z) * x, (0.7, -1.2, 2.0), argnums=(0, 1, 2), name="fma")

add(lambda x, y: x + y - x * y / (x - y) + -x + +y, (0.7, 1.2), argnums=(0, 1), name="arithmetic")
add(lambda x, y: x**y + y**x, (0.7, 1.2), (2.0, 3.0), argnums=(0, 1), name="powers")
add(lambda x: x**2 + x**3 + x**-1 + x**-2 + x**0 + x**1 + x**0.5 + 2**x + 2.0**-x, 0.7, name="powers_of_and_to_constants")
add(lambda x: x**2 + x**3 + x**-1 + x**-2 + x**0, -0.7, name="negative_base_and_integer_exponent")
add(lambda x, n: x**n, (-0.7, 3), (-0.7, 2), (-0.7, -1), (0.7, 0), name="integer_exponent_in_a_variable")
add(lambda x, y: x**y, (-0.7, 3.0), (-0.7, 2.0), name="negative_base_and_whole_float_exponent")
add(lambda x, y: pow(x, y) + pow(x, 2) + pow(3, 2, 5) * x, (0.7, 1.2), argnums=(0, 1), name="built_in_pow")
add(lambda x, n: x * (n & 6) + x * (n | 1) + x * (n ^ 3) + x * (~n) + x * (n << 2) + x * (n >> 1), (0.7, 5), name="bit_operations", smooth=False,
    derivative=lambda x, n: float((n & 6) + (n | 1) + (n ^ 3) + ~n + (n << 2) + (n >> 1)))
add(lambda x, y: x * (x < y) + y * (x >= y) + (x != y) * x * y + (x == y), (0.7, 1.2), (1.2, 0.7), argnums=(0, 1), name="comparisons_as_numbers")
add(lambda x: x * (not x) + (not not x) * x * x, 0.7, name="not_as_a_number")
add(lambda x: (x + 1) * (x - 1) / 2 * 3 - x / 4 / 5, 0.7, name="precedence")
add(lambda x: x / 3 - (x - 1) - (x - (x - 2)) / (2 / (x / 4)), 0.7, name="parentheses_that_count")
add(lambda x: -x**2 + (-x)**2 + 2**-x, 0.7, name="unary_and_power")
add(lambda x, n: x * n + n / 3 + x**n / n, (0.7, 3), argnums=(0, 1), name="integer_asked_for")
add(lambda x: x * x, 3, True + 1, name="integer_argument")
add(lambda x: x.real + x.imag + x.conjugate() * x + x * x.is_integer(), 0.7, name="attributes_of_a_number", smooth=False,
    derivative=lambda x: 1 + 2 * x)
add(lambda x: 1e200 * x * 1e-200 + x * 1e-300, 0.7, name="extreme_literals")
add(lambda x: x * 10**20 / 10**20 + 0x10 * x + 1_000 * x, 0.7, name="integer_literals", derivative=lambda x: 1017.0)

add(lambda x: np.sin(x) * np.cos(x) + np.tan(x) * np.arctan(x), 0.7, name="numpy_trigonometric")
add(lambda x: np.arcsin(x) * np.arccos(x) + np.sinh(x) * np.cosh(x) + np.tanh(x), 0.7, name="numpy_inverse_and_hyperbolic")
add(lambda x: np.exp(x) * np.log(x) + np.expm1(x) * np.log1p(x) + np.log2(x) * np.log10(x) + np.exp2(x), 0.7, name="numpy_exponentials")
add(lambda x: np.sqrt(x) * np.cbrt(x) + np.square(x) + np.reciprocal(x), 0.7, name="numpy_roots")
add(lambda x: np.abs(x) * np.absolute(x) * x + np.fabs(x), 0.7, -0.7, name="numpy_absolute")
add(lambda x, y: np.maximum(x, y) * np.minimum(x, 0.2) + np.hypot(x, y) * np.arctan2(x, y), (0.7, 1.2), (1.2, 0.1), argnums=(0, 1), name="numpy_of_two")
add(lambda x, y: np.add(x, y) * np.subtract(x, y) + np.multiply(x, y) / np.divide(x, y) + np.power(x, y) + np.negative(x), (0.7, 1.2), argnums=(0, 1),
    name="numpy_operators")
add(lambda x, y: np.logaddexp(x, y) * np.copysign(x, y) + np.fmod(x, y) * x, (2.7, 1.2), argnums=(0, 1), name="numpy_more_of_two")
add(lambda x: np.pi * x + np.e * np.deg2rad(x) + np.rad2deg(x) * x + np.sign(x) * x + np.floor(x), 0.7, name="numpy_constants_and_degrees")
add(lambda x: np.where(x > 0.5, x * x, -x) * 2.0, 0.7, 0.3, name="numpy_where", smooth=False, derivative=lambda x: 4 * x if x > 0.5 else -2.0)
# fmt: on


def besselj(nu, z, atol=1e-8):
    k = 0
    s = (z / 2) ** nu / math.factorial(nu)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


add(
    besselj,
    (2, 1.0),
    argnums=(0, 1),
    derivative=lambda nu, z: (-0.07635849493801533, 0.21024361585183118),
    rtol=1e-13,
    smooth=False,
)
add(besselj, (2, 1.0), (3, 4.5, 1e-14), argnums="z", name="besselj_of_z")


def besselj_gamma(nu, z, atol=1e-14):
    k = 0
    s = (z / 2) ** nu / math.gamma(nu + 1)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


add(besselj_gamma, (1.5, 1.0), (0.3, 4.5), (7.2, 9.0), argnums=("nu", "z"), rtol=1e-9)


def agm(x, y):
    while abs(x - y) > 1e-14 * x:
        x, y = (x + y) / 2, math.sqrt(x * y)
    return x


add(agm, (1.0, 0.3), argnums=(0, 1), smooth=False, rtol=1e-8)


def simpson(a, b, n):
    h = (b - a) / n
    total = math.exp(-a * a) + math.exp(-b * b)
    for k in range(1, n):
        total += (4 if k % 2 else 2) * math.exp(-((a + k * h) ** 2))
    return total * h / 3


add(simpson, (0.2, 1.3, 10), argnums=(0, 1))


def horner(coefficients, x):
    total = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total


add(horner, ([1.0, -2.0, 0.5, 3.0], 0.7), ([], 0.7), argnums=(0, 1))


def runge_kutta(y, rate, steps):
    def slope(t, y):
        return rate * y * (1 - y) + math.sin(t)

    t, h = 0.0, 0.1
    for _ in range(steps):
        k1 = slope(t, y)
        k2 = slope(t + h / 2, y + h / 2 * k1)
        k3 = slope(t + h / 2, y + h / 2 * k2)
        k4 = slope(t + h, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


add(runge_kutta, (0.3, 1.1, 10), argnums=(0, 1))


def continued_fraction(x):
    value = 0.0
    for k in range(20, 0, -1):
        value = k * x / (1.0 + value)
    return value


add(continued_fraction, 0.7)


def lennard_jones(positions):
    energy = 0.0
    for i in range(len(positions)):
        for j in range(i):
            r2 = sum((a - b) ** 2 for a, b in zip(positions[i], positions[j]))
            s6 = 1.0 / r2**3
            energy += 4.0 * (s6 * s6 - s6)
    return energy


add(lennard_jones, [(0.0, 0.1, 0.0), (1.1, 0.0, 0.2), (0.3, 1.2, -0.4)])
