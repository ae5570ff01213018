"""Gradients of random array programs by differences in extended precision, and the comparison with ours.

The program itself is run, on `longdouble` arrays; `np` in its module makes `longdouble` buffers. A reference is trusted where the
extrapolated differences agree, which they do not near a kink or a jump.
"""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.errors import S2sadError
from s2sad.testing.array_programs import ArrayProgram
from s2sad.testing.references import Mismatch, Reference, UnsureReferenceError, describe_error

_WIDE = np.longdouble
_STEP, _LEVELS = 2.0**-13, 4
#: A value that differs by more from the one in extended precision has lost digits, and so has the derivative in double precision.
_ROUNDING = 1e-10
_MAKERS = ("zeros", "ones", "empty", "full")


class _WideNumpy(types.ModuleType):
    """NumPy, with buffers of `longdouble` by default."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if name not in _MAKERS:
            return function
        return lambda *args, **keywords: function(*args, **{"dtype": _WIDE, **keywords})


def _flat(value: Any) -> np.ndarray[Any, Any]:
    return np.ravel(np.asarray(value))


def array_reference(program: ArrayProgram) -> Reference:
    """The gradient of a program at its point, all parts one after the other. Of one that overflows on its way there is none: zero
    times infinity is nan in double precision, and not in a wider one."""
    wide = program.load(np=_WideNumpy("numpy"))
    point = [np.asarray(part, dtype=_WIDE) for part in program.arguments()]

    def run(place: int, index: tuple[int, ...], step: Any) -> Any:
        moved = [part.copy() for part in point]
        moved[place][index] += step
        return _WIDE(wide(*(part if part.ndim else part[()] for part in moved)))

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            with np.errstate(over="raise"):
                value = float(program.load()(*program.arguments()))
            gradient, error = [], 0.0
            middle = run(0, (0,) * point[0].ndim, _WIDE(0))
            if abs(float(middle) - value) > _ROUNDING * (1 + abs(value)):
                raise UnsureReferenceError(
                    "in extended precision the value is another: digits cancel, or equal elements are sorted"
                )
            for place, part in enumerate(point):
                for index in np.ndindex(part.shape):
                    best, spread = _extrapolate(functools.partial(run, place, index))
                    least = _WIDE(_STEP) / 2**_LEVELS
                    right, left = (run(place, index, least) - middle) / least, (middle - run(place, index, -least)) / least
                    if abs(right - left) > 1e-2 * (1 + abs(best)):
                        raise UnsureReferenceError(f"kink: {float(left)} on the left, {float(right)} on the right")
                    gradient.append(best)
                    error = max(error, spread)
    except (ArithmeticError, ValueError, IndexError, UnboundLocalError) as problem:
        raise UnsureReferenceError(f"{type(problem).__name__}: {problem}") from problem
    scale = 1.0 + max(map(abs, gradient), default=0.0)
    if not (np.isfinite(value) and scale < 1e6 and abs(value) < 1e6 and error < 1e-8 * scale):
        raise UnsureReferenceError(f"differences are off by {error} of {scale}")
    return Reference(value, tuple(gradient), 1e-8 * scale + 100 * error)


def _extrapolate(run: Callable[[Any], Any]) -> tuple[float, float]:
    """The derivative at 0 by central differences (Neville), and the distance of the best two."""
    previous: list[Any] = []
    best, error = np.nan, np.inf
    for level in range(_LEVELS):
        h = _WIDE(_STEP) / 2**level
        row = [(run(h) - run(-h)) / (2 * h)]
        for k, old in enumerate(previous):
            row.append(row[k] + (row[k] - old) / (4 ** (k + 1) - 1))
            spread = max(abs(row[-1] - row[-2]), abs(row[-1] - old))
            if spread < error:
                best, error = row[-1], spread
        previous = row
    return float(best), float(error)


def find_array_mismatch(
    program: ArrayProgram, value_and_grad: Callable[..., Any], reference: Reference | None = None
) -> Mismatch | None:
    """Compares value, gradient, its shapes and types, and what is left of the arguments. A refusal is a kind that says so."""
    reference = reference or array_reference(program)
    function = program.load()
    arguments, untouched = program.arguments(), program.arguments()
    primal = function(*program.arguments())
    argnums = tuple(range(len(arguments)))
    try:
        value, gradient = value_and_grad(function, argnums)(*arguments)
    except S2sadError as error:
        return Mismatch(f"refused: {describe_error(error)}", reference.gradient, error)
    except Exception as error:  # whatever it is, it is a finding
        return Mismatch(f"raises {describe_error(error)}", reference.gradient, error)
    if type(value) is not type(primal) or np.float64(value).tobytes() != np.float64(primal).tobytes():
        return Mismatch("value differs from the primal's", primal, value)
    if not all(np.array_equal(a, b) for a, b in zip(arguments, untouched, strict=True)):
        return Mismatch("an argument was changed", untouched, arguments)
    got = np.concatenate([_flat(part) for part in gradient])
    if got.shape != (len(reference.gradient),) or not np.all(np.abs(got - np.array(reference.gradient)) <= reference.tolerance):
        return Mismatch("gradient differs", reference.gradient, tuple(map(float, got)))
    for part, argument in zip(gradient, arguments, strict=True):
        if type(part) is not type(argument) or np.shape(part) != np.shape(argument):
            return Mismatch("the gradient has another type or shape than the argument", argument, part)
        if isinstance(part, np.ndarray) and (part.dtype != argument.dtype or any(np.shares_memory(part, a) for a in arguments)):
            return Mismatch("the gradient has another dtype than the argument, or its memory", argument, part)
    return None
