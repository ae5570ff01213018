"""Numeric derivatives of a function of one real number, with an estimate of their error.

>>> import math
>>> estimate = differentiate(math.sin, 1.0)
>>> estimate.method, abs(estimate.value - math.cos(1.0)) <= 10 * estimate.error, estimate.error < 1e-9
('central differences', True, True)

Where the function has a kink, the two one-sided derivatives are the answer:

>>> estimate = differentiate(abs, 0.0)
>>> estimate.method, round(estimate.left, 9), round(estimate.right, 9)
('not smooth here', -1.0, 1.0)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

CENTRAL: Final = "central differences"
ONE_SIDED: Final = "one-sided differences"
COMPLEX_STEP: Final = "complex step"
NOT_SMOOTH: Final = "not smooth here"
NOT_COMPARED: Final = "not compared"

#: Each step of the grid is this fraction of the one before.
_RATIO: Final = 4.0
_LARGEST_STEP: Final = 0.125
_SMALLEST_STEP: Final = 1e-9
#: How often a step is extrapolated: beyond, noise is amplified more than the error shrinks.
_EXTRAPOLATIONS: Final = 4
#: A difference counts as seen when it is so many times what rounding explains.
_ABOVE_NOISE: Final = 1e3


@dataclass(frozen=True, slots=True)
class Estimate:
    """A derivative, and how far it may be off. `left` and `right` are given where the two sides differ."""

    value: float
    error: float
    method: str
    left: float = math.nan
    right: float = math.nan
    #: Why there is no value.
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Sample:
    """The function at one step to both sides of the point; None where it cannot be evaluated."""

    right_step: float
    left_step: float
    right: float | None
    left: float | None


@dataclass(frozen=True, slots=True)
class _Quotient:
    """A difference quotient, and what rounding alone may add to it."""

    value: float
    noise: float


def differentiate(f: Callable[[float], object], x: float, eps: float = 2.0**-52) -> Estimate:
    """The derivative of `f` at `x` by differences over a grid of steps, extrapolated; `eps` is the precision of `f`."""
    here, reason = _evaluate(f, x)
    if here is None:
        return Estimate(math.nan, math.inf, NOT_COMPARED, reason=reason)
    samples, reason = _take_samples(f, x)
    right = _extrapolate_side([(s.right_step, s.right) for s in samples], here, eps)
    left = _extrapolate_side([(-s.left_step, s.left) for s in samples], here, eps)
    if right is None and left is None:
        return Estimate(math.nan, math.inf, NOT_COMPARED, reason=reason)
    if right is None or left is None:
        side = right if right is not None else left
        assert side is not None
        return replace(side, method=ONE_SIDED) if math.isfinite(side.value) else replace(side, method=NOT_SMOOTH)
    if not (math.isfinite(left.value) and math.isfinite(right.value)) or _has_kink(samples, here, eps):
        return Estimate(math.nan, math.inf, NOT_SMOOTH, left=left.value, right=right.value)
    return _extrapolate_central(samples, eps) or replace(right, method=ONE_SIDED)


def complex_step(f: Callable[[complex], object], x: float, expected: Estimate) -> Estimate:
    """The derivative of `f` at `x` by a step along the imaginary axis, which knows no cancellation.

    `expected` comes back instead where `f` takes no complex numbers, or drops their imaginary part on the way (`abs`).
    """
    step = 1e-30 * max(1.0, abs(x))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)  # the imaginary part does not fit into an array
            result = f(complex(x, step))
    except Exception:  # whatever the function does with a number that it was not written for
        return expected
    if not isinstance(result, complex):
        return expected
    value = float(result.imag / step)
    if not abs(value - expected.value) <= min(10 * expected.error, 1e-4 * abs(value)) + 1e-12 * abs(value):
        return expected
    return Estimate(value, 1e-13 * abs(value), COMPLEX_STEP)


def _evaluate(f: Callable[[float], object], x: float) -> tuple[float | None, str]:
    try:
        value = float(f(x))  # type: ignore[arg-type]
    except Exception as error:  # outside of its domain a function may raise anything
        return None, f"{type(error).__name__}: {error}"
    return (value, "") if math.isfinite(value) else (None, f"the function returns {value}")


def _take_samples(f: Callable[[float], object], x: float) -> tuple[list[_Sample], str]:
    samples: list[_Sample] = []
    reason = "no step was possible"
    for step in _steps(x):
        above, below = type(x)(x + step), type(x)(x - step)
        if above == x or below == x:
            break
        right, why_right = _evaluate(f, above)
        left, why_left = _evaluate(f, below)
        samples.append(_Sample(float(above - x), float(x - below), right, left))
        reason = why_right or why_left or reason
    return samples, reason


def _steps(x: float) -> list[float]:
    step = _LARGEST_STEP * max(1.0, abs(float(x)))
    smallest = _SMALLEST_STEP * max(1.0, abs(float(x)))
    if 1e-20 < abs(x) < 1.0:
        # a kink, or the end of the domain, may be as near as zero is
        smallest = min(smallest, 1e-4 * abs(float(x)))
    steps = []
    while step >= smallest:
        steps.append(step)
        step /= _RATIO
    return steps


def _extrapolate_side(points: Sequence[tuple[float, float | None]], here: float, eps: float) -> Estimate | None:
    """The derivative to one side: infinite where the function jumps or is steeper than any line; None without points."""
    known = [(step, value) for step, value in points if value is not None]
    if len(known) < 4:
        return None
    changes = [abs(value - here) if abs(value - here) > _ABOVE_NOISE * eps * abs(here) else 0.0 for _, value in known]
    # from step to step the change of a smooth function shrinks by 4, that of a square root by 2
    if _shrinks_by_less_than(2.5, changes):
        return Estimate(math.copysign(math.inf, (known[-1][1] - here) * known[-1][0]), math.inf, NOT_SMOOTH)
    quotients = [
        None if value is None else _Quotient((value - here) / step, eps * max(abs(value), abs(here)) / abs(step))
        for step, value in points
    ]
    return _extrapolate(quotients, _RATIO, ONE_SIDED)


def _extrapolate_central(samples: Sequence[_Sample], eps: float) -> Estimate | None:
    quotients: list[_Quotient | None] = []
    for s in samples:
        if s.right is None or s.left is None:
            quotients.append(None)
            continue
        width = s.right_step + s.left_step
        quotients.append(_Quotient((s.right - s.left) / width, 2 * eps * max(abs(s.right), abs(s.left)) / width))
    return _extrapolate(quotients, _RATIO**2, CENTRAL)


def _extrapolate(quotients: Sequence[_Quotient | None], ratio: float, method: str) -> Estimate | None:
    """Richardson's table over the grid; the entry that its neighbours confirm best is the answer.

    From one order to the next the error falls by `ratio`: by the ratio of the steps for one-sided differences, by its square
    for central ones, whose error has even powers only.
    """
    best: Estimate | None = None
    above: list[float] = []
    for quotient in quotients:
        if quotient is None:
            above = []
            continue
        row = [quotient.value]
        for order, previous in enumerate(above[:_EXTRAPOLATIONS], 1):
            row.append(row[-1] + (row[-1] - previous) / (ratio**order - 1))
            error = max(abs(row[-1] - row[-2]), abs(row[-1] - previous)) + 2 * quotient.noise
            if best is None or error < best.error:
                best = Estimate(row[-1], error, method)
        above = row
    return best


def _has_kink(samples: Sequence[_Sample], here: float, eps: float) -> bool:
    """Whether the one-sided quotients stay apart at the finest steps, where those of a smooth function close in on each other."""
    gaps = [
        abs((s.right - here) / s.right_step - (here - s.left) / s.left_step)
        for s in samples
        if s.right is not None and s.left is not None
    ]
    noise = eps * abs(here) / samples[-1].left_step
    # from step to step the gap of a smooth function shrinks by 4
    return _shrinks_by_less_than(1.5, [gap if gap > 100 * noise else 0.0 for gap in gaps])


def _shrinks_by_less_than(factor: float, sizes: Sequence[float]) -> bool:
    """Whether this holds from one to the next of the last four; one alone may be near zero, or large, by coincidence."""
    last = sizes[-4:]
    return len(last) == 4 and all(narrow > 0 and wide < factor * narrow < factor**2 * wide for wide, narrow in pairwise(last))
