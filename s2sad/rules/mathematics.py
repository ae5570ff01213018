"""Rules of the module `math`, shared with NumPy's elementwise functions where these behave alike.

`math` raises where NumPy returns inf or nan, so a rule that relies on what `math` guarantees of its operands (``x > 0`` for
a logarithm) has a twin in `s2sad.rules.ufuncs`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad.rules.declare import model, not_implemented, pointwise, symmetric, zero_derivative

Number = Any

# --- Powers, exponentials, logarithms -----------------------------------------------------------------------


@pointwise(math.sqrt, np.sqrt, domain={"x": (0.0, 4.0)}, note="inf at 0")
def sqrt(y: Number, x: Number) -> Number:
    return 0.5 / y if y else math.inf


@sqrt.arrays()
def sqrt_of_arrays(y: Number, x: Number) -> Number:
    return 0.5 / y


@pointwise(math.cbrt, np.cbrt, note="inf at 0")
def cbrt(y: Number, x: Number) -> Number:
    return 1 / (3 * y * y) if y else math.inf


@cbrt.arrays()
def cbrt_of_arrays(y: Number, x: Number) -> Number:
    return 1 / (3 * y * y)


@pointwise(math.exp, np.exp)
def exp(y: Number, x: Number) -> Number:
    return y


@pointwise(math.exp2, np.exp2)
def exp2(y: Number, x: Number) -> Number:
    return y * math.log(2)


@pointwise(math.expm1)
def expm1(y: Number, x: Number) -> Number:
    return math.exp(x)  # y + 1 has no digits left where x is far below 0


@pointwise(math.log, domain={"x": (0.0, 4.0), "base": (1.0, 4.0)})
def log(y: Number, x: Number, base: Number = None) -> Number:
    if base is None:
        return 1 / x, 0.0
    return 1 / x / math.log(base), -y / base / math.log(base)


@pointwise(math.log2, domain={"x": (0.0, 4.0)})
def log2(y: Number, x: Number) -> Number:
    return 1 / x / math.log(2)


@pointwise(math.log10, domain={"x": (0.0, 4.0)})
def log10(y: Number, x: Number) -> Number:
    return 1 / x / math.log(10)


@pointwise(math.log1p, domain={"x": (-1.0, 4.0)})
def log1p(y: Number, x: Number) -> Number:
    return 1 / (1 + x)


# --- Trigonometry -------------------------------------------------------------------------------------------


@pointwise(math.sin)
def sin(y: Number, x: Number) -> Number:
    return math.cos(x)


@pointwise(math.cos)
def cos(y: Number, x: Number) -> Number:
    return -math.sin(x)


@pointwise(math.tan, np.tan)
def tan(y: Number, x: Number) -> Number:
    return 1 + y * y


@pointwise(math.asin, domain={"x": (-1.0, 1.0)}, note="inf at -1 and 1")
def asin(y: Number, x: Number) -> Number:
    return 1 / math.sqrt((1 - x) * (1 + x)) if abs(x) != 1 else math.inf


@pointwise(math.acos, domain={"x": (-1.0, 1.0)}, note="-inf at -1 and 1")
def acos(y: Number, x: Number) -> Number:
    return -1 / math.sqrt((1 - x) * (1 + x)) if abs(x) != 1 else -math.inf


@pointwise(math.atan, np.arctan)
def atan(y: Number, x: Number) -> Number:
    return 1 / (1 + x * x)


@pointwise(math.atan2, np.arctan2, note="nan at (0, 0)")
def atan2(z: Number, y: Number, x: Number) -> Number:
    radius = math.hypot(x, y)
    return x / radius / radius if radius else math.nan, -y / radius / radius if radius else math.nan


@atan2.arrays()
def atan2_of_arrays(z: Number, y: Number, x: Number) -> Number:
    radius = math.hypot(x, y)
    return x / radius / radius, -y / radius / radius


@pointwise(math.degrees, np.degrees, np.rad2deg)
def degrees(y: Number, x: Number) -> Number:
    return 180 / math.pi


@pointwise(math.radians, np.radians, np.deg2rad)
def radians(y: Number, x: Number) -> Number:
    return math.pi / 180


# --- Hyperbolic functions -----------------------------------------------------------------------------------


@pointwise(math.sinh)
def sinh(y: Number, x: Number) -> Number:
    return math.cosh(x)


@pointwise(math.cosh)
def cosh(y: Number, x: Number) -> Number:
    return math.sinh(x)


@pointwise(math.tanh, np.tanh, note="exact to 1e-16, and 0 beyond 19")
def tanh(y: Number, x: Number) -> Number:
    return 1 - y * y  # as in handwritten code; a form with all its digits takes a branch and `exp`, and x would be kept for it


@pointwise(math.asinh, np.arcsinh)
def asinh(y: Number, x: Number) -> Number:
    return 1 / math.hypot(1.0, x)


@pointwise(math.acosh, domain={"x": (1.0, 4.0)}, note="inf at 1")
def acosh(y: Number, x: Number) -> Number:
    return 1 / (math.sqrt(x - 1) * math.sqrt(x + 1)) if x != 1 else math.inf


@pointwise(math.atanh, domain={"x": (-1.0, 1.0)})
def atanh(y: Number, x: Number) -> Number:
    return 1 / ((1 - x) * (1 + x))


# --- Several operands ---------------------------------------------------------------------------------------


def _hypot_of_two(z: Number, x: Number, other: Number) -> Number:
    return x / z if z else 0.0


@symmetric(math.hypot, np.hypot, at_least=0, pair=_hypot_of_two, note="0 at the origin")
def hypot(z: Number, x: Number, *operands: Number) -> Number:
    return x / z if z else 0.0


@pointwise(math.copysign, np.copysign, note="0 at x = 0, as for abs")
def copysign(z: Number, x: Number, y: Number) -> Number:
    return math.copysign(1.0, y) if x > 0 else -math.copysign(1.0, y) if x < 0 else 0.0, 0.0


@copysign.arrays()
def copysign_of_arrays(z: Number, x: Number, y: Number) -> Number:
    return np.sign(x) * np.copysign(1.0, y), 0.0


@pointwise(math.fmod, note="the quotient is a step function of both operands, its derivative zero")
def fmod(z: Number, x: Number, y: Number) -> Number:
    return 1.0, (z - x) / y if y else math.nan  # only nan has a remainder by 0


@pointwise(math.remainder, note="the quotient is a step function of both operands, its derivative zero")
def remainder(z: Number, x: Number, y: Number) -> Number:
    return 1.0, (z - x) / y if y else math.nan  # only nan has a remainder by 0


@pointwise(math.ldexp, np.ldexp, note="the exponent is an integer: derivative zero")
def ldexp(y: Number, x: Number, i: Number) -> Number:
    return math.ldexp(1.0, i) if i < 1024 else math.inf, 0.0


@pointwise(math.nextafter, np.nextafter)
def nextafter(z: Number, x: Number, y: Number, steps: Number = None) -> Number:
    return 1.0, 0.0, 0.0


@model(math.modf)
def modf(x: Number) -> Number:
    if x < 0:
        return -(-x % 1.0), -(-x // 1.0)
    return x % 1.0, x // 1.0


if hasattr(math, "fma"):  # Python 3.13

    @pointwise(math.fma)
    def fma(w: Number, x: Number, y: Number, z: Number) -> Number:
        return y, x, 1.0


not_implemented(math.frexp, np.frexp, reason="it splits a number at a discontinuity", instead="math.ldexp with a known exponent")

zero_derivative(math.factorial, math.comb, math.perm, math.gcd, math.lcm, math.isqrt, math.ulp)
zero_derivative(math.isclose, math.isfinite, math.isinf, math.isnan)
zero_derivative(np.floor, np.ceil, np.trunc, np.rint, np.sign, np.floor_divide, np.spacing, np.signbit, np.heaviside)
zero_derivative(np.isfinite, np.isinf, np.isnan, np.isclose, np.equal, np.not_equal, np.less, np.less_equal, np.greater)
zero_derivative(np.greater_equal, np.logical_and, np.logical_or, np.logical_not, np.logical_xor)
zero_derivative(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift, np.gcd, np.lcm)
