"""Special functions that the standard library lacks: taken from SciPy where they are needed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.errors import MissingExtraError


def _special(name: str) -> Callable[..., Any]:
    """A function of `scipy.special`, imported when it is first needed."""
    try:
        import scipy.special
    except ImportError as error:
        raise MissingExtraError(f"the derivative needs {name}, which comes with SciPy: pip install s2sad[scipy]") from error
    function: Callable[..., Any] = getattr(scipy.special, name)
    return function


def digamma(x: Any) -> Any:
    """The logarithmic derivative of the gamma function, of a number or of each element of an array.

    >>> digamma(1.0)
    -0.5772156649015329
    """
    if isinstance(x, np.ndarray):
        return _of_elements(digamma, x)
    if x < 0 and x != np.floor(x):  # SciPy has no digits left beside the poles
        return float(_special("digamma")(1 - x) - np.pi / np.tan(np.pi * (x - np.round(x))))  # x - round(x) is exact
    return float(_special("digamma")(x))


def polygamma(n: int, x: Any) -> Any:
    """The n-th derivative of digamma.

    >>> polygamma(1, 1.0)
    1.6449340668482266
    """
    if isinstance(x, np.ndarray):
        return _of_elements(lambda element: polygamma(n, element), x)
    if n == 0:
        return digamma(x)
    if x > 0:
        return float(_special("polygamma")(n, x))
    return _polygamma_reflected(n, x)


def bessel_i(n: int, x: Any) -> Any:
    """The modified Bessel function of the first kind, of integer order: `np.i0` is that of order 0.

    >>> bessel_i(1, 1.0)
    0.565159103992485
    """
    if isinstance(x, np.ndarray):
        return _of_elements(lambda element: bessel_i(n, element), x)
    return float(_special("iv")(operator.index(n), x))


def _of_elements(function: Callable[[float], float], x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    dtype = x.dtype if x.dtype.kind == "f" else np.float64
    return np.array([function(float(element)) for element in x.ravel()], dtype).reshape(x.shape)


def _polygamma_reflected(n: int, x: float) -> float:
    """polygamma left of 0 by the reflection formula; the derivatives of the cotangent are polynomials in it."""
    if x == np.floor(x) or x != x or n % 1 != 0 or not 0 < n < 150:  # a pole, no order, coefficients beyond all bounds
        return float("nan")
    cotangent = 1 / np.tan(np.pi * (x - np.round(x)))  # x - round(x) is exact
    polynomial = np.polynomial.Polynomial([0.0, 1.0])  # in c = cot(pi x); dc/dx = -pi (1 + c ** 2)
    for _ in range(int(n)):
        polynomial = -np.pi * np.polynomial.Polynomial([1.0, 0.0, 1.0]) * polynomial.deriv()
    derivative = np.pi * float(polynomial(cotangent))
    # psi(1 - x) - psi(x) = pi cot(pi x), differentiated n times
    return float((-1) ** int(n) * polygamma(n, 1 - x) - derivative)
