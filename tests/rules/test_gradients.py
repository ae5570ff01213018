"""Rules through the whole pipeline: gradients and second derivatives of functions of numbers, and at singular points."""

from __future__ import annotations

import linecache
import math
import operator

import mpmath
import numpy as np
import pytest

from s2sad import grad

NAMES = "acos asin atan asinh atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 gamma lgamma log log10 log1p log2 radians"
NAMES += " sin sinh sqrt tan tanh"
MPMATH = {
    "degrees": mpmath.degrees,
    "radians": mpmath.radians,
    "exp2": lambda x: mpmath.power(2, x),
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "lgamma": mpmath.loggamma,
}


def function_of(expression, *names):
    """A function with source, as it would stand in a file."""
    text = f"def f({', '.join(names)}):\n    return {expression}\n"
    filename = f"<{expression}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {"math": math, "np": np, "operator": operator}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("name", NAMES.split())
def test_first_second_and_third_derivative(name):
    f = function_of(f"math.{name}(x)", "x")
    reference = MPMATH.get(name) or getattr(mpmath, name)
    with mpmath.workdps(40):
        exact = [float(mpmath.diff(reference, mpmath.mpf("0.4"), n)) for n in (1, 2, 3)]
    for n, derivative in enumerate((grad(f), grad(grad(f)), grad(grad(grad(f))))):
        assert derivative(0.4) == pytest.approx(exact[n], rel=1e-11, abs=1e-13)


inf, nan = math.inf, math.nan


@pytest.mark.parametrize(
    ("expression", "point", "expected"),
    [
        ("math.sqrt(x)", (0.0,), (inf,)),
        ("abs(x)", (0.0,), (0.0,)),
        ("x ** 0", (0.0,), (0.0,)),
        ("x ** 0.5", (0.0,), (inf,)),
        ("x ** 1", (0.0,), (1.0,)),
        ("x ** 2", (0.0,), (0.0,)),
        ("x ** y", (0.0, 2.0), (0.0, 0.0)),
        ("x ** y", (0.0, 0.0), (0.0, 0.0)),
        ("x ** y", (-2.0, 3.0), (12.0, nan)),
        ("max(x, y)", (1.0, 1.0), (0.5, 0.5)),
        ("min(x, y, 1.0)", (1.0, 1.0), (1 / 3, 1 / 3)),
        ("max([x, y])", (1.0, 1.0), (0.5, 0.5)),
        ("math.hypot(x, y)", (0.0, 0.0), (0.0, 0.0)),
        ("math.dist([x], [y])", (1.0, 1.0), (0.0, 0.0)),
        ("math.atan2(x, y)", (0.0, 0.0), (nan, nan)),
        ("math.asin(x)", (1.0,), (inf,)),
        ("math.acos(x)", (-1.0,), (-inf,)),
        ("math.acosh(x)", (1.0,), (inf,)),
        ("math.cbrt(x)", (0.0,), (inf,)),
        ("math.copysign(x, y)", (-3.0, -0.0), (1.0, 0.0)),
        ("math.ldexp(x, 1100)", (1e-300,), (inf,)),
        ("math.fmod(x, y)", (-7.5, 2.0), (1.0, 3.0)),
        ("x % y", (-7.5, 2.0), (1.0, 4.0)),
        ("x // y", (-7.5, 2.0), (0.0, 0.0)),
        ("round(x)", (2.5,), (0.0,)),
        ("math.modf(x)[0]", (-2.25,), (1.0,)),
        ("divmod(x, y)[1]", (7.5, 2.0), (1.0, -3.0)),
    ],
)
def test_conventions(expression, point, expected):
    f = function_of(expression, "x", "y"[: len(point) - 1] or "z=None")
    assert grad(f, argnums=tuple(range(len(point))))(*point) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("abs(x) * x", 0.0), ("x ** 2", 2.0), ("x ** 3", 0.0), ("x ** 1", 0.0), ("max(x, -x)", 0.0)],
)
def test_second_derivatives_at_kinks_are_finite(expression, expected):
    assert grad(grad(function_of(expression, "x")))(0.0) == expected
