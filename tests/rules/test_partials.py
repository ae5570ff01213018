"""Every rule with partial derivatives, against numeric differences and at singular points."""

from __future__ import annotations

import builtins
import functools
import importlib.util
import math
import operator
import pathlib
import sys

import mpmath
import numpy as np
import pytest
import scipy.special  # noqa: F401 (registers the rules of its functions)
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad import runtime
from s2sad.rules import registered_rules
from s2sad.rules.core import PointwiseRule, SymmetricRule, lookup

_spec = importlib.util.spec_from_file_location("rules_check", pathlib.Path(__file__).with_name("check.py"))
assert _spec is not None
assert _spec.loader is not None
check = importlib.util.module_from_spec(_spec)
sys.modules["rules_check"] = check
_spec.loader.exec_module(check)


def is_of_numbers(rule):
    """Whether any of its functions takes a number: methods of arrays do not."""
    return any(getattr(function, "__objclass__", None) is not np.ndarray for function in rule.functions)


RULES = [rule for rule in registered_rules() if isinstance(rule, (PointwiseRule, SymmetricRule)) and is_of_numbers(rule)]
NAMES = [f"{rule.body.__module__.rpartition('.')[2]}.{rule.name}" for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_partials_agree_with_numeric_differences(rule):
    assert check.check_rule(rule) > 0


SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 2.3e-308, 1e-200, 1e200]
SPECIAL_FLOATS += [1.7e308, -1.7e308, 1 - 2**-53, 1 + 2**-52, -1 + 2**-53, 710.0, -745.0, 171.0, -170.5, 1e16, 1e-17]
NUMBERS = st.one_of(st.sampled_from(SPECIAL_FLOATS), st.floats(), st.floats(-4, 4), st.integers(-40, 40), st.booleans())
LARGE = st.one_of(NUMBERS, st.integers(-(2**31), 2**31))


@functools.cache
def examples(numbers, count):
    """Tuples of numbers, as hypothesis draws them; the same for all functions."""
    found = []

    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(st.tuples(*[numbers] * count))
    def draw(arguments):
        found.append(arguments)

    draw()
    return found


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_partials_raise_nothing_where_the_primal_returns(rule):
    numbers = NUMBERS if rule.name == "power" else LARGE  # the power of two large integers takes for ever
    for count in check.counts(rule):
        for function in rule.functions:
            for arguments in examples(numbers, count):
                check.check_raises_nothing(rule, function, arguments)
            for x in SPECIAL_FLOATS:
                for y in SPECIAL_FLOATS if count > 1 else [0.0]:
                    check.check_raises_nothing(rule, function, (x, y, 1.5, -0.0, math.inf)[:count])


@pytest.mark.parametrize("literal", [-3, -2.5, -1, -1.0, -0.5, 0, 0.0, 0.25, 0.5, 1, 1.0, 1.5, 2, 2.0, 3, 7, 7.5, 1024])
@pytest.mark.parametrize("function", [operator.pow, math.pow, np.power, np.float_power])
def test_power_with_a_literal_exponent(function, literal):
    rule = lookup(function)
    body = rule.body_for({"y"})
    assert body is not rule.body
    for x in [*SPECIAL_FLOATS, 0.7, 1.3, -1.3]:
        y = check.evaluate(function, (x, literal))
        if y is None:
            continue
        with np.errstate(all="ignore"):
            partial = body(y, x, literal)[0]
        if math.isfinite(y) and 1e-3 < abs(x) < 2:
            expected = float(mpmath.diff(lambda t: mpmath.power(t, literal), mpmath.mpf(x)).real) if x > 0 else None
            assert expected is None or partial == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("function", [operator.pow, math.pow])
def test_power_with_an_integer_exponent(function):
    rule = lookup(function)
    body = rule.body_for(integers={"y"})
    assert body not in (rule.body, rule.body_for({"y"}))
    compared = 0
    for x in [*SPECIAL_FLOATS, 0.7, 1.3, -1.3, 3e5, -1e-160]:
        for n in [*range(-5, 8), 171, -171, 1024, -1074, 2**40]:
            y = check.evaluate(function, (x, n))
            if y is None:
                continue
            partial = body(y, x, n)[0]
            if n == 0:
                assert partial == 0.0
            elif math.isfinite(y) and math.isfinite(x) and (x != 0 or n > 0):
                with mpmath.workdps(40):
                    expected = n * mpmath.mpf(x) ** (n - 1)
                if 1e-300 < abs(expected) < 1e300 and abs(y) > 1e-300:
                    assert abs(mpmath.mpf(partial) - expected) <= abs(expected) * 4e-16
                    compared += 1
    assert compared > 100


# Values from mpmath with 40 digits: (function, arguments, the function in mpmath)
REFERENCES = [
    (math.sqrt, mpmath.sqrt),
    (math.cbrt, mpmath.cbrt),
    (math.exp, mpmath.exp),
    (math.exp2, lambda x: mpmath.power(2, x)),
    (math.expm1, mpmath.expm1),
    (math.log, mpmath.log),
    (math.log2, lambda x: mpmath.log(x, 2)),
    (math.log10, mpmath.log10),
    (math.log1p, mpmath.log1p),
    (math.sin, mpmath.sin),
    (math.cos, mpmath.cos),
    (math.tan, mpmath.tan),
    (math.asin, mpmath.asin),
    (math.acos, mpmath.acos),
    (math.atan, mpmath.atan),
    (math.sinh, mpmath.sinh),
    (math.cosh, mpmath.cosh),
    (math.tanh, mpmath.tanh),
    (math.asinh, mpmath.asinh),
    (math.acosh, mpmath.acosh),
    (math.atanh, mpmath.atanh),
    (math.erf, mpmath.erf),
    (math.erfc, mpmath.erfc),
    (math.gamma, mpmath.gamma),
    (math.lgamma, mpmath.loggamma),
    (np.sinc, mpmath.sincpi),
    (runtime.digamma, mpmath.digamma),
]


@pytest.mark.parametrize(("function", "reference"), REFERENCES, ids=lambda f: getattr(f, "__name__", ""))
def test_partials_to_machine_precision(function, reference):
    rule = lookup(function)
    compared = 0
    with mpmath.workdps(40):
        for x in (1e-6, 0.0199, 0.021, 0.3, 0.999, 1.001, 1.7, 5.3, 20.1, -1e-6, -0.4, -0.97, -1.6, -2.7, -30.0):
            y = check.evaluate(function, (x,))
            if y is None or not math.isfinite(y):
                continue
            expected = mpmath.diff(reference, mpmath.mpf(x), h=mpmath.mpf(10) ** -15)
            if abs(mpmath.im(expected)) > 1e-12:  # loggamma left of 0 has an imaginary part that is constant
                continue
            compared += 1
            tolerance = 1e-11 if function is not math.tanh else 1e-11 + 1e-16 / abs(float(expected.real))
            assert check.partials_of(rule, y, (x,))[0] == pytest.approx(float(mpmath.re(expected)), rel=tolerance), x
    assert compared >= 3


inf, nan = math.inf, math.nan
CONVENTIONS = [
    (math.sqrt, (0.0,), (inf,)),
    (np.sqrt, (0.0,), (inf,)),
    (math.cbrt, (0.0,), (inf,)),
    (abs, (0.0,), (0.0,)),
    (abs, (-0.0,), (0.0,)),
    (math.fabs, (0,), (0.0,)),
    (np.absolute, (0.0,), (0.0,)),
    (max, (1.0, 1.0), (0.5, 0.5)),
    (min, (1.0, 1.0), (0.5, 0.5)),
    (max, (2.0, 2.0, 1.0, 2.0), (1 / 3, 1 / 3, 0.0, 1 / 3)),
    (min, (2.0, 1.0, 1.0), (0.0, 0.5, 0.5)),
    (np.maximum, (1.0, 1.0), (0.5, 0.5)),
    (np.minimum, (1.0, 1.0), (0.5, 0.5)),
    (operator.pow, (0.0, 0.0), (0.0, 0.0)),
    (operator.pow, (0.0, 1.0), (1.0, 0.0)),
    (operator.pow, (0.0, 2.0), (0.0, 0.0)),
    (operator.pow, (0.0, 0.5), (inf, 0.0)),
    (operator.pow, (3.0, 0), (0.0, math.log(3))),
    (operator.pow, (-2.0, 3), (12.0, nan)),
    (operator.pow, (-2.0, -1), (-0.25, nan)),
    (operator.pow, (1e-160, -1.9), (-inf, 1e304 * math.log(1e-160))),
    (operator.pow, (1e-200, 2.0), (2e-200, -0.0)),
    (math.pow, (-2.0, 3.0), (12.0, nan)),
    (np.power, (-2.0, 3), (12.0, nan)),
    (np.power, (0.0, 0.0), (0.0, 0.0)),
    (math.hypot, (0.0, 0.0), (0.0, 0.0)),
    (math.hypot, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    (math.hypot, (3e-200, 4e-200), (0.6, 0.8)),
    (math.asin, (1.0,), (inf,)),
    (math.asin, (-1.0,), (inf,)),
    (math.acos, (1.0,), (-inf,)),
    (math.acos, (-1.0,), (-inf,)),
    (math.acosh, (1.0,), (inf,)),
    (math.acosh, (1e200,), (1e-200,)),
    (math.asinh, (1e200,), (1e-200,)),
    (math.atan2, (0.0, 0.0), (nan, nan)),
    (math.atan2, (0.0, -0.0), (nan, nan)),
    (math.atan2, (3e-200, 4e-200), (0.16e200, -0.12e200)),
    (math.fmod, (-7.5, 2.0), (1.0, 3.0)),
    (math.fmod, (1e308, 1e-10), (1.0, -inf)),
    (math.remainder, (7.5, 2.0), (1.0, -4.0)),
    (operator.mod, (-7.5, 2.0), (1.0, 4.0)),
    (operator.mod, (1e308, 1e-10), (1.0, -inf)),
    (math.copysign, (-3.0, -2.0), (1.0, 0.0)),
    (math.copysign, (3.0, -0.0), (-1.0, 0.0)),
    (math.copysign, (0.0, 1.0), (0.0, 0.0)),
    (math.ldexp, (3.0, 4), (16.0, 0.0)),
    (math.ldexp, (1e-300, 1100), (inf, 0.0)),
    (math.log, (5e-324,), (inf,)),
    (np.log, (0.0,), (inf,)),
    (np.divide, (1.0, 0.0), (inf, -inf)),
    (np.sinc, (0.0,), (0.0,)),
    (np.clip, (1.0, 1.0, 2.0), (1.0, 0.0, 0.0)),
    (np.clip, (3.0, 1.0, 2.0), (0.0, 0.0, 1.0)),
    (np.clip, (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)),
    (np.clip, (0.0, 3.0, 2.0), (0.0, 0.0, 1.0)),
    (np.logaddexp, (-inf, -inf), (0.5, 0.5)),
]


@pytest.mark.parametrize(("function", "arguments", "expected"), CONVENTIONS)
def test_conventions_at_singular_points(function, arguments, expected):
    rule = lookup(function, len(arguments))
    with np.errstate(all="ignore"):
        partials = check.partials_of(rule, function(*arguments), arguments)
    assert partials == pytest.approx(expected, rel=1e-12, nan_ok=True)


# --- Rules that are wrong on purpose must be caught ----------------------------------------------------------------------------


def wrong(function, body, **options):
    return PointwiseRule(body.__name__, (function,), body, **options)


def wrong_sign(y, x):
    return -math.cos(x)


def wrong_factor(y, x):
    return 1 / y


def swapped(z, x, y):
    return x, y


def right_for_positive_only(y, x):
    return 1.0


def one_partial_missing(z, x, y):
    return y


def slightly_off(y, x):
    return y * (1 + 1e-6)


def wrong_for_negative_base(z, x, y, mod=None):
    return y * abs(x) ** (y - 1), 0.0, 0.0


@pytest.mark.parametrize(
    ("function", "body"),
    [
        (math.sin, wrong_sign),
        (math.sqrt, wrong_factor),
        (operator.mul, swapped),
        (builtins.abs, right_for_positive_only),
        (operator.mul, one_partial_missing),
        (math.exp, slightly_off),
        (operator.pow, wrong_for_negative_base),
    ],
)
def test_wrong_rules_are_caught(function, body):
    with pytest.raises(check.RuleMismatch):
        check.check_rule(wrong(function, body, domain={"x": (0.1, 2.0)}))


@pytest.mark.parametrize(
    ("function", "body", "arguments"),
    [
        (math.sqrt, lambda y, x: 0.5 / y, (0.0,)),
        (operator.pow, lambda z, x, y: (y * x ** (y - 1), 0.0), (1e-160, -1.9)),
        (math.atan2, lambda z, y, x: (x / (x * x + y * y), -y / (x * x + y * y)), (1e-200, 1e-200)),
        (math.ldexp, lambda y, x, i: (math.ldexp(1.0, i), 0.0), (1e-300, 1100)),
    ],
)
def test_rules_that_raise_are_caught(function, body, arguments):
    with pytest.raises(check.RuleMismatch, match="raises"):
        check.check_raises_nothing(wrong(function, body), function, arguments)


def test_a_wrong_symmetric_rule_is_caught():
    def picks_first(z, x, *operands):
        return 1.0 if x == z else 0.5

    with pytest.raises(check.RuleMismatch):
        check.check_rule(SymmetricRule("picks_first", (max,), picks_first, at_least=2))


def test_every_function_of_math_has_a_rule():
    missing = [name for name, f in vars(math).items() if callable(f) and lookup(f) is None]
    assert missing == []
