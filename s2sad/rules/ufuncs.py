"""Rules of NumPy's elementwise functions that `math` lacks, or that return inf or nan where `math` raises.

Bodies compute with NumPy, which never raises: where the primal was nan or inf, so is the derivative.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad.ir.effects import READS, declare_effects
from s2sad.rules.declare import pointwise, vjp_rule

Number = Any

# --- Arithmetic ---------------------------------------------------------------------------------------------


@pointwise(np.add)
def add(z: Number, x: Number, y: Number) -> Number:
    return 1.0, 1.0


@pointwise(np.subtract)
def subtract(z: Number, x: Number, y: Number) -> Number:
    return 1.0, -1.0


@pointwise(np.multiply)
def multiply(z: Number, x: Number, y: Number) -> Number:
    return y, x


@pointwise(np.divide)  # np.true_divide is the same object
def divide(z: Number, x: Number, y: Number) -> Number:
    return np.divide(1, y), np.divide(-z, y)


@pointwise(np.negative)
def negative(y: Number, x: Number) -> Number:
    return -1.0


@pointwise(np.positive, np.conjugate)  # of real numbers
def positive(y: Number, x: Number) -> Number:
    return 1.0


@pointwise(np.absolute, np.fabs, note="0 at 0")
def absolute(y: Number, x: Number) -> Number:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


@absolute.arrays()
def absolute_of_arrays(y: Number, x: Number) -> Number:
    return np.sign(x)


@pointwise(np.reciprocal)
def reciprocal(y: Number, x: Number) -> Number:
    return -y * y


@pointwise(np.square)
def square(y: Number, x: Number) -> Number:
    return 2 * x


@pointwise(np.power, np.float_power, domain={"x": (0.0, 3.0)}, note="as for **")
def power(z: Number, x: Number, y: Number) -> Number:
    dx = y * np.power(x, y - 1) if y >= 1 else y * z / x if x != 0 else math.copysign(math.inf, y) if y != 0 else 0.0
    dy = z * np.log(x) if x > 0 else 0.0 if x == 0 else math.nan
    return dx, dy


@power.literal("y")
def power_of_literal(z: Number, x: Number, y: Number) -> Number:
    if y == 0:
        return 0.0, 0.0
    if y == 1:
        return 1.0, 0.0
    if y == 2:
        return 2 * x, 0.0
    if y > 1:
        return y * np.power(x, y - 1), 0.0
    return y * z / x if x != 0 else math.copysign(math.inf, y), 0.0


@power.arrays()
def power_of_arrays(z: Number, x: Number, y: Number) -> Number:
    exponent = y - 1 if y != 0 else 0  # x ** 0 is 1 also where x ** -1 is inf
    return y * x**exponent, z * np.log(x if x != 0 else 1.0) if x != 0 else 0.0


@power.arrays("y")
def power_of_arrays_and_literal(z: Number, x: Number, y: Number) -> Number:
    if y == 0:
        return 0.0, 0.0
    if y == 1:
        return 1.0, 0.0
    if y == 2:
        return 2 * x, 0.0
    if y == 3:
        return 3 * x * x, 0.0
    if y == 4:
        return 4 * x * x * x, 0.0  # x ** 3 takes many times as long
    if y == 0.5:
        return 0.5 / z, 0.0
    if y < 0:
        return y * z / x, 0.0
    return y * x ** (y - 1), 0.0


@pointwise(np.remainder, note="as for %")  # np.mod is the same object
def remainder(z: Number, x: Number, y: Number) -> Number:
    return 1.0, -np.floor_divide(x, y)


@vjp_rule(np.divmod, samples=("A(3), A(3)", "A(2, 3), A(3)", "A(3), 0.7"), note="as for %; the quotient has derivative zero")
def divide_with_remainder(z_bar: Any, z: Any, x: Number, y: Number) -> Any:
    return z_bar[1], -z_bar[1] * z[0]


@vjp_rule(np.modf, samples=("A(3)", "A(2, 3)"), note="the whole part has derivative zero")
def part_behind_the_point(y_bar: Any, y: Any, x: Number) -> Any:
    return y_bar[0]


@pointwise(np.fmod, note="as for math.fmod")
def fmod(z: Number, x: Number, y: Number) -> Number:
    return 1.0, np.divide(z - x, y)


# --- Exponentials and logarithms ----------------------------------------------------------------------------


@pointwise(np.expm1)
def expm1(y: Number, x: Number) -> Number:
    return np.exp(x)


@pointwise(np.log, domain={"x": (0.0, 4.0)})
def log(y: Number, x: Number) -> Number:
    return np.divide(1, x)


@pointwise(np.log2, domain={"x": (0.0, 4.0)})
def log2(y: Number, x: Number) -> Number:
    return np.divide(1 / math.log(2), x)


@pointwise(np.log10, domain={"x": (0.0, 4.0)})
def log10(y: Number, x: Number) -> Number:
    return np.divide(1 / math.log(10), x)


@pointwise(np.log1p, domain={"x": (-1.0, 4.0)})
def log1p(y: Number, x: Number) -> Number:
    return np.divide(1, 1 + x)


@pointwise(np.logaddexp, note="-inf and -inf share equally")
def logaddexp(z: Number, x: Number, y: Number) -> Number:
    either = x != y or math.isfinite(x)  # the difference of two infinities is nan
    return np.exp(x - z) if either else 0.5, np.exp(y - z) if either else 0.5


@pointwise(np.logaddexp2, note="-inf and -inf share equally")
def logaddexp2(z: Number, x: Number, y: Number) -> Number:
    either = x != y or math.isfinite(x)  # the difference of two infinities is nan
    return np.exp2(x - z) if either else 0.5, np.exp2(y - z) if either else 0.5


# --- Trigonometric and hyperbolic functions -----------------------------------------------------------------


@pointwise(np.sin)
def sin(y: Number, x: Number) -> Number:
    return np.cos(x)


@pointwise(np.cos)
def cos(y: Number, x: Number) -> Number:
    return -np.sin(x)


@pointwise(np.arcsin, domain={"x": (-1.0, 1.0)}, note="inf at -1 and 1")
def arcsin(y: Number, x: Number) -> Number:
    return 1 / np.sqrt((1 - x) * (1 + x)) if abs(x) != 1 else math.inf


@arcsin.arrays()
def arcsin_of_arrays(y: Number, x: Number) -> Number:
    return 1 / np.sqrt((1 - x) * (1 + x))


@pointwise(np.arccos, domain={"x": (-1.0, 1.0)}, note="-inf at -1 and 1")
def arccos(y: Number, x: Number) -> Number:
    return -1 / np.sqrt((1 - x) * (1 + x)) if abs(x) != 1 else -math.inf


@arccos.arrays()
def arccos_of_arrays(y: Number, x: Number) -> Number:
    return -1 / np.sqrt((1 - x) * (1 + x))


@pointwise(np.sinh)
def sinh(y: Number, x: Number) -> Number:
    return np.cosh(x)


@pointwise(np.cosh)
def cosh(y: Number, x: Number) -> Number:
    return np.sinh(x)


@pointwise(np.arccosh, domain={"x": (1.0, 4.0)}, note="inf at 1")
def arccosh(y: Number, x: Number) -> Number:
    return 1 / (np.sqrt(x - 1) * np.sqrt(x + 1)) if x != 1 else math.inf


@arccosh.arrays()
def arccosh_of_arrays(y: Number, x: Number) -> Number:
    return 1 / (np.sqrt(x - 1) * np.sqrt(x + 1))


@pointwise(np.arctanh, domain={"x": (-1.0, 1.0)})
def arctanh(y: Number, x: Number) -> Number:
    return np.divide(1, (1 - x) * (1 + x))


@pointwise(np.sinc, note="0 at 0")
def sinc(y: Number, x: Number) -> Number:
    # the quotient loses all digits near 0, where three terms of the series have them all
    angle = math.pi * x
    return (
        (np.cos(angle) - y) / x if abs(x) > 0.02 else -math.pi * angle / 3 * (1 - angle * angle / 10 * (1 - angle * angle / 28))
    )


@sinc.arrays()
def sinc_of_arrays(y: Number, x: Number) -> Number:
    angle = math.pi * x
    away = x if abs(x) > 0.02 else 1.0
    near = -math.pi * angle / 3 * (1 - angle * angle / 10 * (1 - angle * angle / 28))
    return (np.cos(angle) - y) / away if abs(x) > 0.02 else near


# --- Selection ----------------------------------------------------------------------------------------------


@pointwise(np.maximum, note="ties share equally")
def maximum(z: Number, x: Number, y: Number) -> Number:
    return (
        1.0 if x > y else 0.5 if x == y else 0.0,
        1.0 if y > x else 0.5 if x == y else 0.0,
    )


@pointwise(np.minimum, note="ties share equally")
def minimum(z: Number, x: Number, y: Number) -> Number:
    return (
        1.0 if x < y else 0.5 if x == y else 0.0,
        1.0 if y < x else 0.5 if x == y else 0.0,
    )


@maximum.arrays()
def maximum_of_arrays(z: Number, x: Number, y: Number) -> Number:
    tie = 0.5 * (x == y)
    return (x > y) + tie, (y > x) + tie


@maximum.arrays("y")
def maximum_of_array_and_literal(z: Number, x: Number, y: Number) -> Number:
    return np.heaviside(x - y if y != 0 else x, 0.5), 0.0


@maximum.arrays("x")
def maximum_of_literal_and_array(z: Number, x: Number, y: Number) -> Number:
    return 0.0, np.heaviside(y - x if x != 0 else y, 0.5)


@minimum.arrays()
def minimum_of_arrays(z: Number, x: Number, y: Number) -> Number:
    tie = 0.5 * (x == y)
    return (x < y) + tie, (y < x) + tie


@minimum.arrays("y")
def minimum_of_array_and_literal(z: Number, x: Number, y: Number) -> Number:
    return np.heaviside(y - x if y != 0 else -x, 0.5), 0.0


@minimum.arrays("x")
def minimum_of_literal_and_array(z: Number, x: Number, y: Number) -> Number:
    return 0.0, np.heaviside(x - y if x != 0 else -y, 0.5)


@pointwise(np.fmax, note="ties share equally; nan never counts")
def fmax(z: Number, x: Number, y: Number) -> Number:
    return (
        1.0 if x > y or y != y else 0.5 if x == y else 0.0,
        1.0 if y > x or x != x else 0.5 if x == y else 0.0,
    )


@pointwise(np.fmin, note="ties share equally; nan never counts")
def fmin(z: Number, x: Number, y: Number) -> Number:
    return (
        1.0 if x < y or y != y else 0.5 if x == y else 0.0,
        1.0 if y < x or x != x else 0.5 if x == y else 0.0,
    )


@pointwise(np.clip, note="1 at the bounds, with respect to the number; 0 with respect to a bound that is met")
def clip(y: Number, a: Number, a_min: Number = None, a_max: Number = None) -> Number:
    below = a_min is not None and a < a_min
    above = a_max is not None and (a > a_max or (below and a_min > a_max))
    return (
        0.0 if below or above else 1.0,
        1.0 if below and not above else 0.0,
        1.0 if above else 0.0,
    )


@clip.arrays()
def clip_of_arrays(y: Number, a: Number, a_min: Number = None, a_max: Number = None) -> Number:
    below = a_min is not None and a < a_min
    above = a_max is not None and a > a_max
    crossed = a_min is not None and a_max is not None and a_min > a_max
    return (
        0.0 if below or above else 1.0,
        1.0 if below and not crossed else 0.0,
        1.0 if above or (below and crossed) else 0.0,
    )


@pointwise(np.ndarray.clip, note="as for np.clip")
def clip_method(y: Number, a: Number, min: Number = None, max: Number = None) -> Number:
    below = min is not None and a < min
    above = max is not None and a > max
    crossed = min is not None and max is not None and min > max
    return (
        0.0 if below or above else 1.0,
        1.0 if below and not crossed else 0.0,
        1.0 if above or (below and crossed) else 0.0,
    )


declare_effects(READS, np.sinc, np.clip)
