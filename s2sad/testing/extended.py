"""Stand-ins for `math` (and NumPy's scalar functions) on other numbers: mpmath's, and complex ones for the complex step.

A program runs on them unchanged when they take the place of the module ``math`` in its namespace, which gives derivatives by
means that have nothing in common with the transformer.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable
from typing import Any

#: Decimal digits of the high-precision references; the steps below are chosen for it.
DIGITS = 60


class StepComplex(complex):
    """A complex number that compares, truncates and takes `abs` by its real part: programs take the branches of the real run."""

    def __new__(cls, real: complex = 0.0, imaginary: float = 0.0) -> StepComplex:
        return super().__new__(cls, real, imaginary) if imaginary else super().__new__(cls, real)

    def __lt__(self, other: Any) -> bool:
        return bool(self.real < _real(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.real <= _real(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.real > _real(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.real >= _real(other))

    def __eq__(self, other: object) -> bool:
        return bool(self.real == _real(other))

    def __ne__(self, other: object) -> bool:
        return bool(self.real != _real(other))

    def __hash__(self) -> int:
        return hash(self.real)

    def __bool__(self) -> bool:
        return self.real != 0

    def __int__(self) -> int:
        return int(self.real)

    def __abs__(self) -> Any:
        return self if self.real >= 0 else -self

    def __format__(self, specification: str) -> str:
        return format(self.real, specification)


def _real(number: Any) -> Any:
    return number.real


def _wrap(name: str) -> Callable[..., Any]:
    operation = getattr(complex, name)

    def wrapped(self: StepComplex, *others: Any) -> Any:
        result = operation(self, *others)
        return result if result is NotImplemented else StepComplex(result)

    wrapped.__name__ = name
    return wrapped


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "neg", "pos"):
    setattr(StepComplex, f"__{_name}__", _wrap(f"__{_name}__"))


class _Namespace:
    """A module-like object; unknown names fall back to the real module."""

    def __init__(self, module: Any, **functions: Any) -> None:
        self._module = module
        self.__dict__.update(functions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def step_math() -> Any:
    """`math` for `StepComplex` arguments: the functions that are analytic."""

    def lift(function: Callable[[complex], complex]) -> Callable[[Any], Any]:
        return lambda x: StepComplex(function(x))

    names = ("sin", "cos", "tan", "exp", "log", "sqrt", "atan", "asin", "acos", "sinh", "cosh", "tanh", "asinh", "atanh")
    functions = {name: lift(getattr(cmath, name)) for name in names}
    functions["fabs"] = abs
    functions["hypot"] = lambda *xs: StepComplex(cmath.sqrt(sum(x * x for x in xs)))
    functions["log1p"] = lambda x: StepComplex(cmath.log(1 + x))
    functions["fsum"] = sum
    functions["floor"] = lambda x: math.floor(_real(x))
    return _Namespace(math, **functions)


def _mp() -> Any:
    import mpmath

    return mpmath.mp


def extended_math() -> Any:
    """`math` for mpmath numbers, every function of it that has a derivative."""
    mp = _mp()

    def number(x: Any) -> Any:
        return mp.mpf(x)

    def whole(x: Any) -> int:
        return int(mp.nint(x))

    def product(xs: Iterable[Any], *, start: Any = 1) -> Any:
        for x in xs:
            start = start * x
        return start

    def hypot(*xs: Any) -> Any:
        return mp.sqrt(sum((number(x) ** 2 for x in xs), mp.mpf(0)))

    def cbrt(x: Any) -> Any:
        return mp.sign(x) * mp.cbrt(abs(number(x)))

    def fmod(x: Any, y: Any) -> Any:
        quotient = number(x) / y
        return x - y * (mp.floor(quotient) if quotient >= 0 else mp.ceil(quotient))

    def truncate(x: Any) -> int:
        return int(mp.floor(x) if x >= 0 else mp.ceil(x))

    def modf(x: Any) -> tuple[Any, Any]:
        return x - truncate(x), mp.mpf(truncate(x))

    functions: dict[str, Any] = {
        name: getattr(mp, name)
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
    }
    functions |= {
        name: getattr(mp, name) for name in ("exp", "expm1", "log1p", "sqrt", "erf", "erfc", "gamma", "degrees", "radians")
    }
    functions |= {
        "pi": mp.pi,
        "tau": 2 * mp.pi,
        "e": mp.e,
        "log": lambda x, base=None: mp.log(x) if base is None else mp.log(x) / mp.log(base),
        "log2": lambda x: mp.log(x) / mp.log(2),
        "log10": lambda x: mp.log(x) / mp.log(10),
        "exp2": lambda x: number(2) ** x,
        "pow": lambda x, y: number(x) ** y,
        "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
        "hypot": hypot,
        "dist": lambda p, q: hypot(*(a - b for a, b in zip(p, q, strict=True))),
        "cbrt": cbrt,
        "copysign": lambda x, y: abs(number(x)) * (-1 if number(y) < 0 or math.copysign(1.0, float(y)) < 0 else 1),
        "fabs": lambda x: abs(number(x)),
        "fmod": fmod,
        "remainder": lambda x, y: x - y * mp.nint(number(x) / y),
        "ldexp": lambda x, i: number(x) * number(2) ** i,
        "modf": modf,
        "fsum": lambda xs: sum(xs, mp.mpf(0)),
        "prod": product,
        "sumprod": lambda p, q: sum((a * b for a, b in zip(p, q, strict=True)), mp.mpf(0)),
        "fma": lambda x, y, z: number(x) * y + z,
        "factorial": lambda n: mp.factorial(whole(n)),
        "floor": lambda x: int(mp.floor(x)),
        "ceil": lambda x: int(mp.ceil(x)),
        "trunc": truncate,
        "isnan": mp.isnan,
        "isinf": mp.isinf,
        "isfinite": mp.isfinite,
        "isclose": lambda a, b, rel_tol=1e-9, abs_tol=0.0: abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol),
    }
    return _Namespace(math, **functions)


def extended_numpy() -> Any:
    """NumPy's elementwise functions on mpmath scalars."""
    import numpy

    scalar = extended_math()
    same = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt")
    functions: dict[str, Any] = {
        name: getattr(scalar, name) for name in (*same, "hypot", "copysign", "fabs", "fmod", "degrees", "radians")
    }
    functions |= {f"arc{name}": getattr(scalar, f"a{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")}
    functions |= {
        "pi": scalar.pi,
        "e": scalar.e,
        "deg2rad": scalar.radians,
        "rad2deg": scalar.degrees,
        "abs": abs,
        "absolute": abs,
        "square": lambda x: x * x,
        "reciprocal": lambda x: 1 / x,
        "negative": lambda x: -x,
        "positive": lambda x: +x,
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: x / y,
        "power": lambda x, y: x**y,
        "maximum": max,
        "minimum": min,
        "sign": lambda x: (x > 0) - (x < 0),
        "where": lambda condition, x, y: x if condition else y,
        "logaddexp": lambda x, y: scalar.log(scalar.exp(x) + scalar.exp(y)),
        "floor": scalar.floor,
        "ceil": scalar.ceil,
        "float64": lambda x: x,
    }
    return _Namespace(numpy, **functions)
