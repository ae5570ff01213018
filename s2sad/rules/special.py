"""Rules of the special functions: `math.gamma`, `lgamma`, `erf`, `erfc`, and those of `scipy.special` of the same names.

The derivative of the gamma function needs digamma, which the standard library lacks: `s2sad.runtime` takes it from SciPy, when
it is needed and not before. Nothing here imports SciPy.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import READS, declare_effects
from s2sad.rules.core import REGISTRY
from s2sad.rules.declare import pointwise

Number = Any


def _gamma(y: Number, x: Number) -> Number:
    return y * runtime.digamma(x)


def _lgamma(y: Number, x: Number) -> Number:
    return runtime.digamma(x)


def _digamma(y: Number, x: Number) -> Number:
    return runtime.polygamma(1, x)


def _polygamma(y: Number, n: Number, x: Number) -> Number:
    return 0.0, runtime.polygamma(n + 1, x)


def _i0(y: Number, x: Number) -> Number:
    return runtime.bessel_i(1, x)


def _bessel_i(y: Number, n: Number, x: Number) -> Number:
    return 0.0, 0.5 * (runtime.bessel_i(n - 1, x) + runtime.bessel_i(n + 1, x))


def _erf(y: Number, x: Number) -> Number:
    return 2 / math.sqrt(math.pi) * math.exp(-x * x)


def _erfc(y: Number, x: Number) -> Number:
    return -2 / math.sqrt(math.pi) * math.exp(-x * x)


gamma = pointwise(math.gamma, domain={"x": (0.0, 5.0)})(_gamma)
lgamma = pointwise(math.lgamma, domain={"x": (0.0, 5.0)})(_lgamma)
digamma = pointwise(runtime.digamma, domain={"x": (0.0, 5.0)})(_digamma)
polygamma = pointwise(runtime.polygamma, domain={"x": (0.0, 5.0)}, note="the order is an integer: derivative zero")(_polygamma)
i0 = pointwise(np.i0)(_i0)
bessel_i = pointwise(runtime.bessel_i, note="the order is an integer: derivative zero")(_bessel_i)
erf = pointwise(math.erf)(_erf)
erfc = pointwise(math.erfc)(_erfc)

_SCIPY: Final[dict[str, Callable[..., Any]]] = {
    "gamma": _gamma,
    "gammaln": _lgamma,
    "loggamma": _lgamma,
    "digamma": _digamma,  # psi is the same object
    "polygamma": _polygamma,
    "erf": _erf,
    "erfc": _erfc,
}


def _declare_scipy() -> None:
    """Rules for `scipy.special`, once the user has imported it."""
    special = sys.modules["scipy.special"]
    for name, body in _SCIPY.items():
        function = getattr(special, name, None)
        if function is not None:  # None while SciPy is still being imported
            pointwise(function, domain={"x": (0.0, 5.0)} if "erf" not in name else {})(body)


declare_effects(READS, runtime.digamma, runtime.polygamma, runtime.bessel_i)
REGISTRY.when_imported("scipy.special", _declare_scipy)
