"""Every rule with partial derivatives, over the whole range of its operands, against mpmath: no digits are lost.

A partial derivative may be off by a few units in the last place of itself, or by what it changes if its operands are off by as
much: nobody can ask for more than that of numbers that are rounded. What a rule loses beyond that is stated in `LOSSES`.
"""

from __future__ import annotations

import itertools
import math
import operator
import sys

import numpy as np
import pytest
import scipy.special
from mpmath import mp

from s2sad import grad, runtime
from s2sad.rules import registered_rules
from s2sad.rules.core import PointwiseRule, SymmetricRule
from s2sad.testing.extended import extended_math, extended_numpy
from tests.rules.test_partials import check, is_of_numbers

EPSILON = 2.0**-52
LARGEST, LEAST = sys.float_info.max, sys.float_info.min
#: How many roundings a rule may make.
UNITS = 16

#: For what these do not compute: a choice, a sign, a shift, a whole number; their slopes are 0, 1 or whole numbers.
WITHOUT_DIGITS = {"absolute", "maximum", "minimum", "fmax", "fmin", "clip", "clip_method", "nextafter", "positive", "copysign"}
WITHOUT_DIGITS |= {"modulo", "remainder", "fmod", "ldexp", "real", "real_part", "nan_to_num"}
#: Of an order, which is an integer; `test_partials` has its values.
OF_INTEGERS = {"_polygamma", "_bessel_i"}

#: Rules that lose more: by how many units, and why.
LOSSES = {
    "sinc": (2e4, "near 0 the difference of two numbers that are almost equal; a series takes over at 0.02"),
    "logaddexp": (None, "the result is rounded, and with it the difference to it"),
    "logaddexp2": (None, "the result is rounded, and with it the difference to it"),
    "tanh": (None, "1 - y * y, as in handwritten code: exact to 1e-16, not in its digits"),
}
#: Where the function itself has no digits left: NumPy rounds pi * x. Where mpmath has no value.
FURTHEST = {"sinc": 1e4, "_erf": 1e3, "_erfc": 1e3}
LOSSES_OF_ARRAYS = {
    "sinc": LOSSES["sinc"],
    "tanh": LOSSES["tanh"],
}

SCALES = [1e-300, 2.7e-150, 1e-20, 2.7e-8, 1e-3, 2.7e-3, 0.01, 0.019, 0.021, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1 - 2.0**-40]
SCALES += [1 - 2.0**-53, 1.0, 1 + 2.0**-52, 1 + 2.0**-30, 1.1, 1.5707963, 2.3, 3.1415926, 4.7, 6.2, 9.9, 15.0, 20.0, 26.5, 55.0]
SCALES += [101.7, 300.0, 354.0, 356.0, 709.0, 1e4, 1e15, 1e100, 1e250]
POINTS = [(sign * scale,) for scale in SCALES for sign in (1.0, -1.0)]
OF_PAIRS = [1e-200, 1e-9, 0.4, 0.999, 1.3, 2.0, 3.7, 19.0, 60.5, 1e4, 1e90]
PAIRS = [(a, b) for a, b in itertools.product(OF_PAIRS, repeat=2)]
PAIRS = [pair for a, b in PAIRS[::2] for pair in ((a, b), (-a, b), (b, -a))]
TRIPLES = [(*pair, third) for pair in PAIRS[::2] for third in (1.7e-30, -0.6, 3.1e40)]


def reference_of(function):
    """The same function of mpmath numbers, None if there is none."""
    scipy_functions = {
        scipy.special.gammaln: lambda x: mp.log(abs(mp.gamma(x))),
        scipy.special.loggamma: mp.loggamma,
        scipy.special.gamma: mp.gamma,
        scipy.special.digamma: lambda x: mp.psi(0, x),
        runtime.digamma: lambda x: mp.psi(0, x),
        scipy.special.erf: mp.erf,
        scipy.special.erfc: mp.erfc,
        np.logaddexp2: lambda x, y: mp.log(mp.mpf(2) ** x + mp.mpf(2) ** y) / mp.log(2),
        np.sinc: mp.sincpi,
        np.i0: lambda x: mp.besseli(0, x),
        np.float_power: operator.pow,
        math.log: lambda x, *base: mp.log(x) / (mp.log(base[0]) if base else 1),
    }
    if function in scipy_functions:
        return scipy_functions[function]
    name = getattr(function, "__name__", "")
    if getattr(operator, name, None) is function or function in (abs, float, pow):
        return function
    for module, extended in ((math, extended_math()), (np, extended_numpy())):
        if getattr(module, name, None) is function:
            return vars(extended).get(name)
    return None


def slope(reference, arguments, index):
    """The partial derivative by a central difference, in as many digits as that takes."""
    width = min(abs(arguments[index]), 1) * mp.mpf(10) ** -25
    upper, lower = (mp.mpc(reference(*moved(arguments, index, sign * width))) for sign in (1, -1))
    if upper.imag or lower.imag:
        return mp.nan
    if mp.dps < 400 and abs(upper - lower) < abs(upper) * mp.mpf(10) ** (40 - mp.dps):
        with mp.workdps(420):
            return slope(reference, arguments, index)
    return (upper.real - lower.real) / (2 * width)


def moved(arguments, index, width):
    return [mp.mpf(x) + (width if place == index else 0) for place, x in enumerate(arguments)]


def allowed(reference, arguments, index, partial):
    """What a partial derivative may be off by."""
    total = abs(partial)
    for other, x in enumerate(arguments):
        width = min(abs(x), 1) * mp.mpf(10) ** -20
        upper, lower = (slope(reference, moved(arguments, other, sign * width), index) for sign in (1, -1))
        total += abs(upper - lower) / (2 * width) * abs(x)
    return total * EPSILON


def greatest_loss(function, partials, points):
    """The greatest error in units of what is allowed, where it is, and how many were compared."""
    reference = reference_of(function)
    loss, place, compared = 0.0, None, 0
    for arguments in points:
        y = check.evaluate(function, arguments)
        if y is None or not math.isfinite(y) or not any(map(math.isfinite, arguments)):
            continue
        with np.errstate(all="ignore"):
            given = partials(y, arguments)
        with mp.workdps(80 + max(0, int(math.log10(max(map(abs, arguments)))))):
            for index, value in enumerate(given[: len(arguments)]):
                expected = slope(reference, arguments, index)
                if not LEAST < abs(expected) < LARGEST:
                    continue
                error = mp.inf if not math.isfinite(value) else abs(mp.mpf(float(value)) - expected)
                units = float(error / allowed(reference, arguments, index, expected)) if error else 0.0
                compared += 1
                if not units <= loss:
                    loss, place = units, (arguments, index, float(value), float(expected))
    return loss, place, compared


def points_of(rule):
    counts = check.counts(rule)
    if 1 not in counts:
        return PAIRS if isinstance(rule, SymmetricRule) or 2 in counts else TRIPLES
    return [point for point in POINTS if abs(point[0]) <= FURTHEST.get(rule.name, LARGEST)]


def with_reference(rule):
    return next((function for function in rule.functions if reference_of(function) is not None), None)


RULES = [rule for rule in registered_rules() if isinstance(rule, (PointwiseRule, SymmetricRule)) and is_of_numbers(rule)]
RULES = [rule for rule in RULES if rule.name not in WITHOUT_DIGITS | OF_INTEGERS]


def test_every_rule_has_a_reference():
    assert [rule.name for rule in RULES if with_reference(rule) is None] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.body.__module__.rpartition('.')[2]}.{rule.name}")
def test_no_digits_are_lost(rule):
    loss, place, compared = greatest_loss(with_reference(rule), lambda y, xs: check.partials_of(rule, y, xs), points_of(rule))
    most, _ = LOSSES.get(rule.name, (UNITS, ""))
    assert compared >= 10
    assert most is None or loss <= most, place


ON_ARRAYS = [rule for rule in RULES if isinstance(rule, PointwiseRule) and rule.array_variants]


@pytest.mark.parametrize("rule", ON_ARRAYS, ids=lambda rule: f"{rule.body.__module__.rpartition('.')[2]}.{rule.name}")
def test_no_digits_are_lost_on_arrays(rule):
    body = rule.body_for(arrays=True)

    def partials(y, arguments):
        result = body(np.float64(y), *map(np.float64, arguments))
        return result if isinstance(result, tuple) else (result,)

    loss, place, compared = greatest_loss(with_reference(rule), partials, points_of(rule))
    most, _ = LOSSES_OF_ARRAYS.get(rule.name, (UNITS, ""))
    assert compared >= 10
    assert most is None or loss <= most, place


def test_a_rule_that_loses_digits_is_caught():
    assert greatest_loss(math.tanh, lambda y, xs: (1 - y * y,), POINTS)[0] > 1e6
    assert greatest_loss(math.expm1, lambda y, xs: (y + 1,), POINTS)[0] > 1e6


@pytest.mark.parametrize("x", [0.0, 0.3, -1.4, 5.0])
def test_all_derivatives_of_tanh(x):
    """Also at 0, where the second is 0."""
    derivative = lambda x: math.tanh(x)
    with mp.workdps(400):
        for order in (1, 2, 3):
            derivative = grad(derivative)
            expected = float(mp.diff(mp.tanh, x, order, h=mp.mpf(10) ** -60))
            assert derivative(x) == pytest.approx(expected, rel=1e-11, abs=1e-15)
