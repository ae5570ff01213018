"""What generated code may call: functions that the standard library lacks, and shadows of containers.

A *shadow* holds the adjoints of a container: a list for a list or a tuple, a dict for a dict, a float for a number, None for
what has no derivative. One object has one shadow, so aliases within the arguments stay aliases.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sad.errors import MissingExtraError, NonDifferentiableError

# --- Special functions --------------------------------------------------------------------------------------


def _special(name: str) -> Callable[..., Any]:
    """A function of `scipy.special`, imported when it is first needed."""
    try:
        import scipy.special
    except ImportError as error:
        raise MissingExtraError(f"the derivative needs {name}, which comes with SciPy: pip install s2sad[scipy]") from error
    function: Callable[..., Any] = getattr(scipy.special, name)
    return function


def digamma(x: float) -> float:
    """The logarithmic derivative of the gamma function.

    >>> digamma(1.0)
    -0.5772156649015329
    """
    return float(_special("digamma")(x))


def polygamma(n: int, x: float) -> float:
    """The n-th derivative of digamma.

    >>> polygamma(1, 1.0)
    1.6449340668482266
    """
    if n == 0:
        return digamma(x)
    if x > 0:
        return float(_special("polygamma")(n, x))
    return _polygamma_reflected(n, x)


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


# --- Order --------------------------------------------------------------------------------------------------


def order_of(keys: Sequence[Any], reverse: bool = False) -> list[int]:
    """The indices that sort `keys`; stable, as `sorted` is.

    >>> order_of([3.0, 1.0, 2.0])
    [1, 2, 0]
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def indices_of(part: slice, length: int) -> range:
    """The indices that a slice takes from a sequence of this length.

    >>> indices_of(slice(None, None, -2), 5)
    range(4, -1, -2)
    """
    return range(*part.indices(length))


def bounds_of(part: slice, length: int) -> tuple[int, int]:
    """Where a slice with step 1 begins and ends in a sequence of this length; an empty one ends where it begins.

    >>> bounds_of(slice(1, -1), 5), bounds_of(slice(4, 2), 5)
    ((1, 4), (4, 4))
    """
    start, stop, _ = part.indices(length)
    return start, max(start, stop)


# --- Shadows ------------------------------------------------------------------------------------------------


#: What is known by its identity, and has no shadow; other objects may be callable as well.
_IDENTITIES = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, np.ufunc)


def zeros_like(x: Any, memo: dict[int, Any] | None = None) -> Any:
    """A shadow of zeros: the same containers, lists in place of tuples. Pass one `memo` for objects that may be shared.

    >>> zeros_like((1.0, [2, 3.0], {"a": 4.0, "name": "b"}))
    [0.0, [0.0, 0.0], {'a': 0.0, 'name': None}]
    """
    if isinstance(x, (bool, str, bytes)) or x is None:
        return None
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (int, float)):
        return 0.0
    if isinstance(x, np.generic):
        return _zero_of_dtype(x)
    memo = {} if memo is None else memo
    if id(x) in memo:
        return memo[id(x)]
    match x:
        case list():
            shadow: Any = []
            memo[id(x)] = shadow  # before the elements: a list may hold itself
            shadow.extend(zeros_like(element, memo) for element in x)
        case tuple():
            shadow = memo[id(x)] = [zeros_like(element, memo) for element in x]
        case dict():
            shadow = memo[id(x)] = {}
            shadow.update((key, zeros_like(value, memo)) for key, value in x.items())
        case np.ndarray():
            shadow = memo[id(x)] = np.zeros_like(x, dtype=x.dtype if x.dtype.kind in "fc" else float)
        case _ if isinstance(attributes := getattr(x, "__dict__", None), dict) and not isinstance(x, _IDENTITIES):
            shadow = memo[id(x)] = Shadow()
            shadow.__dict__.update((name, zeros_like(value, memo)) for name, value in attributes.items())
        case _:
            return None
    return shadow


def zeros_like_all(*arguments: Any) -> tuple[Any, ...]:
    """Shadows of several objects: what two of them share has one shadow.

    >>> x = [1.0]
    >>> a, b = zeros_like_all(x, [x, 2.0])
    >>> a is b[0], b
    (True, [[0.0], 0.0])
    """
    memo: dict[int, Any] = {}
    return tuple(zeros_like(argument, memo) for argument in arguments)


def _zero_of_dtype(x: np.generic) -> Any:
    """The zero for a NumPy scalar: of its type, float64 for integers."""
    if x.dtype.kind in "fc":
        return x.dtype.type(0)
    return np.float64(0) if x.dtype.kind in "iu" else None


def as_gradient(shadow: Any, primal: Any) -> Any:
    """A gradient with the structure of the argument: tuples and named tuples are made again from their shadows.

    >>> as_gradient([1.0, [2.0], None], (5.0, (6.0,), "name"))
    (1.0, (2.0,), None)
    """
    match primal:
        case list():
            return _restore_list(shadow, primal, {})
        case tuple() | dict():
            return _restore(shadow, primal, {})
        case _:
            return shadow


def _restore_list(shadow: list[Any], primal: list[Any], memo: dict[int, Any]) -> list[Any]:
    restored: list[Any] = []
    memo[id(primal)] = restored
    restored.extend(_restore(part, element, memo) for part, element in zip(shadow, primal, strict=True))
    return restored


def _restore(shadow: Any, primal: Any, memo: dict[int, Any]) -> Any:
    if id(primal) in memo and isinstance(primal, (list, tuple, dict)):
        return memo[id(primal)]
    match primal:
        case list():
            return _restore_list(shadow, primal, memo)
        case tuple():
            parts = [_restore(part, element, memo) for part, element in zip(shadow, primal, strict=True)]
            memo[id(primal)] = type(primal)(*parts) if hasattr(primal, "_fields") else tuple(parts)
            return memo[id(primal)]
        case dict():
            restored: dict[Any, Any] = {}
            memo[id(primal)] = restored
            restored.update((key, _restore(shadow[key], value, memo)) for key, value in primal.items())
            return restored
        case _:
            return shadow


def copy_containers(*arguments: Any) -> tuple[Any, ...]:
    """Copies of the containers among the arguments, all the way down; two names of one object become two of one copy.

    >>> x = [1.0]
    >>> a, (b, c) = copy_containers(x, (x, 2.0))
    >>> a is b, a is x
    (True, False)
    """
    memo: dict[int, Any] = {}
    return tuple(_copy(argument, memo) for argument in arguments)


def _copy(x: Any, memo: dict[int, Any]) -> Any:
    if not isinstance(x, (list, tuple, dict, np.ndarray)):
        return x
    if id(x) in memo:
        return memo[id(x)]
    if isinstance(x, list):
        copied: Any = []
        memo[id(x)] = copied
        copied.extend(_copy(element, memo) for element in x)
    elif isinstance(x, tuple):
        parts = [_copy(element, memo) for element in x]
        copied = memo[id(x)] = type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    elif isinstance(x, dict):
        copied = memo[id(x)] = {}
        copied.update((key, _copy(value, memo)) for key, value in x.items())
    else:
        copied = memo[id(x)] = x.copy()
    return copied


class Shadow(types.SimpleNamespace):
    """The shadow of an object: one attribute for each of its attributes that holds a number or a container."""


# --- Checks -------------------------------------------------------------------------------------------------


def check_number(x: Any) -> None:
    """Refuse what is not a number where a derivative passes by: the value comes from a function that is not known."""
    if not isinstance(x, (int, float, complex, np.generic)):
        raise NonDifferentiableError(
            f"a number was expected where a derivative passes through, and there is {type(x).__name__}: "
            "convert it with float(), or give the function that makes it a rule"
        )
