"""Rules of Python's operators and of the built-in functions of numbers."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import RAISES, declare_effects
from s2sad.rules.declare import model, pointwise, symmetric, zero_derivative

# The types of operands are whatever the primal took; mypy need not know.
Number = Any


@pointwise(operator.add, operator.iadd)
def add(z: Number, x: Number, y: Number) -> Number:
    return 1.0, 1.0


@pointwise(operator.sub, operator.isub)
def subtract(z: Number, x: Number, y: Number) -> Number:
    return 1.0, -1.0


@pointwise(operator.mul, operator.imul)
def multiply(z: Number, x: Number, y: Number) -> Number:
    return y, x


@pointwise(operator.truediv, operator.itruediv)
def divide(z: Number, x: Number, y: Number) -> Number:
    return 1 / y, -z / y


@pointwise(runtime.real_part)
def real_part(y: Number, x: Number, line: int) -> Number:
    return 1.0, 0.0


@pointwise(operator.mod, operator.imod, note="the quotient is a step function of both operands, its derivative zero")
def modulo(z: Number, x: Number, y: Number) -> Number:
    return 1.0, -(x // y)


@pointwise(
    operator.pow,
    operator.ipow,
    builtins.pow,
    math.pow,
    domain={"x": (0.0, 3.0)},
    note="x ** 0 has derivative 0, also at x = 0; 0 ** y has derivative 0 with respect to y; "
    "with respect to the exponent, the derivative at a negative base is nan",
)
def power(z: Number, x: Number, y: Number, mod: Number = None) -> Number:
    if mod is not None:  # integers only
        return 0.0, 0.0, 0.0
    # x ** (y - 1) overflows where x ** y does not if y < 1, and z / x loses digits where z underflows if y > 1
    dx = y * x ** (y - 1) if y >= 1 else y * z / x if x else math.inf if y > 0 else 0.0
    dy = z * math.log(x) if x > 0 else 0.0 if x == 0 else math.nan
    return dx, dy, 0.0


@power.literal("y")
def power_of_literal(z: Number, x: Number, y: Number, mod: Number = None) -> Number:
    if mod is not None or y == 0:
        return 0.0, 0.0, 0.0
    if y == 1:
        return 1.0, 0.0, 0.0
    if y == 2:
        return 2 * x, 0.0, 0.0
    if y > 1:
        return y * x ** (y - 1), 0.0, 0.0
    if y > 0:
        return y * z / x if x else math.inf, 0.0, 0.0
    return y * z / x, 0.0, 0.0


@power.integers("y")
def power_of_integer(z: Number, x: Number, y: Number, mod: Number = None) -> Number:
    if mod is not None:
        return 0.0, 0.0, 0.0
    dx = y * x ** (y - 1) if y >= 1 else y * z / x if y else 0.0  # for y < 0, x is not 0
    dy = z * math.log(x) if x > 0 else 0.0 if x == 0 else math.nan
    return dx, dy, 0.0


@power.arrays()
def power_of_arrays(z: Number, x: Number, y: Number, mod: Number = None) -> Number:
    exponent = y - 1 if y != 0 else 0  # x ** 0 is 1 also where x ** -1 is inf
    return y * x**exponent, z * np.log(x if x != 0 else 1.0) if x != 0 else 0.0, 0.0


@power.arrays("y")
def power_of_arrays_and_literal(z: Number, x: Number, y: Number, mod: Number = None) -> Number:
    if y == 0:
        return 0.0, 0.0, 0.0
    if y == 1:
        return 1.0, 0.0, 0.0
    if y == 2:
        return 2 * x, 0.0, 0.0
    if y == 3:
        return 3 * x * x, 0.0, 0.0
    if y == 4:
        return 4 * x * x * x, 0.0, 0.0  # x ** 3 takes many times as long
    if y == 0.5:
        return 0.5 / z, 0.0, 0.0
    if y < 0:
        return y * z / x, 0.0, 0.0
    return y * x ** (y - 1), 0.0, 0.0


@pointwise(operator.neg)
def negative(y: Number, x: Number) -> Number:
    return -1.0


@pointwise(operator.pos, builtins.float, np.float64, np.float32, np.float16)
def positive(y: Number, x: Number) -> Number:
    return 1.0


declare_effects(RAISES, np.float64, np.float32, np.float16)


@pointwise(builtins.abs, operator.abs, math.fabs, note="0 at 0")
def absolute(y: Number, x: Number) -> Number:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


@absolute.arrays()
def absolute_of_arrays(y: Number, x: Number) -> Number:
    return np.sign(x)


def _maximum_of_two(z: Number, x: Number, other: Number) -> Number:
    return 1.0 if x > other else 0.5 if x == other else 0.0


def _minimum_of_two(z: Number, x: Number, other: Number) -> Number:
    return 1.0 if x < other else 0.5 if x == other else 0.0


@symmetric(builtins.max, at_least=2, pair=_maximum_of_two, note="ties share equally")
def maximum(z: Number, x: Number, *operands: Number) -> Number:
    share = 1.0 / (operands.count(z) or 1)  # none of a nan
    return share if x == z else 0.0


@symmetric(builtins.min, at_least=2, pair=_minimum_of_two, note="ties share equally")
def minimum(z: Number, x: Number, *operands: Number) -> Number:
    share = 1.0 / (operands.count(z) or 1)  # none of a nan
    return share if x == z else 0.0


@model(builtins.divmod)
def divide_with_remainder(x: Number, y: Number) -> Number:
    return x // y, x % y


zero_derivative(operator.floordiv, operator.ifloordiv)
zero_derivative(builtins.round, builtins.int, builtins.bool, operator.index, math.floor, math.ceil, math.trunc)
zero_derivative(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
zero_derivative(operator.not_, operator.truth, operator.is_, operator.is_not, operator.contains)
zero_derivative(operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor)
zero_derivative(operator.invert, operator.lshift, operator.rshift, operator.ilshift, operator.irshift)
zero_derivative(
    builtins.len, builtins.isinstance, builtins.issubclass, builtins.type, builtins.callable, builtins.id, builtins.hash
)
zero_derivative(builtins.str, builtins.repr, builtins.format, builtins.print, builtins.ord, builtins.chr, builtins.range)
zero_derivative(builtins.hasattr, builtins.any, builtins.all, builtins.bin, builtins.hex, builtins.oct, builtins.slice)
