"""Gradients of random programs by two means that share nothing with the transformer, and the comparison with a third.

A reference is trusted where the complex step and differences with 60 digits agree and no kink is near; elsewhere
`UnsureReferenceError` is raised, and the program is left out.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from s2sad.errors import S2sadError
from s2sad.testing.extended import DIGITS, StepComplex, extended_math, step_math
from s2sad.testing.programs import Program

Leaves = list[Any]
_STEP = 1e-30


class UnsureReferenceError(S2sadError):
    """The program has no derivative here that the references agree on: a kink, a jump, an overflow."""


def _flatten(structure: Any) -> Leaves:
    if isinstance(structure, (list, tuple)):
        return [leaf for part in structure for leaf in _flatten(part)]
    return [structure]


def _rebuild(structure: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(structure, (list, tuple)):
        return type(structure)(_rebuild(part, leaves) for part in structure)
    return next(leaves)


def complex_step_gradient(program: Program) -> tuple[complex, Leaves]:
    """The value and, in order, the derivatives with respect to every number of the point."""
    function = program.load(math=step_math())
    point = program.arguments()
    leaves = _flatten(point)
    gradient = []
    value: complex = 0.0
    for position in range(len(leaves)):
        moved = [StepComplex(leaf, _STEP if place == position else 0.0) for place, leaf in enumerate(leaves)]
        value = complex(function(*_rebuild(point, iter(moved))))
        gradient.append(value.imag / _STEP)
    return value.real, gradient


def high_precision_gradient(program: Program) -> tuple[float, Leaves]:
    """The same by central differences with a step of 1e-20 in 60 digits; one-sided differences must agree."""
    from mpmath import mp

    function = program.load(math=extended_math())
    point = program.arguments()
    with mp.workdps(DIGITS):
        leaves = [mp.mpf(leaf) for leaf in _flatten(point)]

        def at(position: int, step: Any) -> Any:
            moved = [leaf + step if place == position else leaf for place, leaf in enumerate(leaves)]
            return mp.mpf(function(*_rebuild(point, iter(moved))))

        middle = at(-1, 0)
        gradient = []
        for position in range(len(leaves)):
            step = mp.mpf(10) ** -20
            above, below = at(position, step), at(position, -step)
            right, left = (above - middle) / step, (middle - below) / step
            if abs(right - left) > mp.mpf(10) ** -8 * (1 + abs(right)):
                raise UnsureReferenceError(f"kink: {float(left)} on the left, {float(right)} on the right")
            gradient.append(float((above - below) / (2 * step)))
        return float(middle), gradient


@dataclass(frozen=True, slots=True)
class Reference:
    """The trusted answer, and how far one may be from it (what the references differ by tells how the problem is conditioned)."""

    value: float
    gradient: tuple[float, ...]
    tolerance: float


def reference_gradient(program: Program) -> Reference:
    """The gradient of a program at its point."""
    try:
        value = float(program.load()(*program.arguments()))
        step_value, by_step = complex_step_gradient(program)
        high_value, by_differences = high_precision_gradient(program)
    except (ArithmeticError, ValueError, LookupError, UnboundLocalError) as error:
        raise UnsureReferenceError(f"{type(error).__name__}: {error}") from error
    scale = 1.0 + max(map(abs, by_differences), default=0.0)
    differ = max((abs(a - b) for a, b in zip(by_step, by_differences, strict=True)), default=0.0)
    drift = max(abs(value - high_value), abs(value - step_value.real)) / (1.0 + abs(value))
    if not (scale < 1e8 and differ < 1e-7 * scale and drift < 1e-9):
        raise UnsureReferenceError(f"references differ by {differ} of {scale}, values by {drift}")
    return Reference(value, tuple(by_differences), 1e-9 * scale + 100 * differ)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What went wrong with one program: `kind` is the same for failures of one sort."""

    kind: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.kind}\nexpected: {self.expected}\ngot:      {self.got}"


def describe_error(error: BaseException) -> str:
    """The kind of an error: its class, and its first line without numbers."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {re.sub(r'[0-9]+', '0', lines[0])[:160]}"


def find_mismatch(program: Program, value_and_grad: Callable[..., Any], reference: Reference | None = None) -> Mismatch | None:
    """Compares value, gradient, its structure, and what is left of the arguments."""
    reference = reference or reference_gradient(program)
    function = program.load()
    arguments, untouched = program.arguments(), program.arguments()
    primal = function(*program.arguments())
    argnums = tuple(range(len(arguments)))
    try:
        value, gradient = value_and_grad(function, argnums)(*arguments)
    except Exception as error:  # whatever it is, it is a finding
        return Mismatch(f"raises {describe_error(error)}", reference.gradient, error)
    if type(value) is not type(primal) or struct.pack("d", value) != struct.pack("d", primal):
        return Mismatch("value differs from the primal's", primal, value)
    if arguments != untouched:
        return Mismatch("an argument was changed", untouched, arguments)
    if [len(part) if isinstance(part, list) else 0 for part in gradient] != [
        len(part) if isinstance(part, list) else 0 for part in arguments
    ]:
        return Mismatch("the gradient has another structure than the arguments", arguments, gradient)
    got = _flatten(gradient)
    if not all(type(leaf) is float for leaf in got):
        return Mismatch("the gradient has parts that are not floats", reference.gradient, gradient)
    if not all(abs(a - b) <= reference.tolerance for a, b in zip(got, reference.gradient, strict=True)):
        return Mismatch("gradient differs", reference.gradient, tuple(got))
    return None
