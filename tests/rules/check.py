"""Checks that hold for every rule; the tests run them over the registry, and over rules that are wrong on purpose.

Partial derivatives are compared with Ridders' extrapolation of central differences, in each rule's own domain and in every
sign quadrant where the primal is defined.
"""

from __future__ import annotations

import inspect
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from s2sad.rules.core import PointwiseRule, SymmetricRule

MAGNITUDES = (0.3141, 0.7307, 1.2718, 2.2361)
TOLERANCE = 2e-7


class RuleMismatch(AssertionError):
    """A rule's partial derivative differs from numeric differences."""


def evaluate(function: Callable[..., Any], arguments: Sequence[Any]) -> float | None:
    """The primal's value, or None where it is not defined or not real."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = function(*arguments)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return None
    if isinstance(value, (complex, np.complexfloating)):
        return None
    if isinstance(value, int) and abs(value) > 2**1000:  # no float can hold what its derivative may be
        return None
    return float(value)


def numeric_partial(function: Callable[..., Any], arguments: Sequence[float], index: int) -> float | None:
    """Ridders' method: the extrapolation of central differences whose error estimate is least."""

    def difference(step: float) -> float:
        values = []
        for sign in (1, -1):
            moved = list(arguments)
            moved[index] += sign * step
            value = evaluate(function, moved)
            if value is None or not math.isfinite(value):
                return math.nan
            values.append(value)
        return (values[0] - values[1]) / (2 * step)

    best, least = math.nan, math.inf
    step = 0.05 * max(0.1, abs(arguments[index]))
    row = [difference(step)]
    for _ in range(12):
        step /= 1.6
        new = [difference(step)]
        for order, old in enumerate(row, start=1):
            factor = 1.6 ** (2 * order)
            new.append((new[-1] * factor - old) / (factor - 1))
            error = max(abs(new[-1] - new[-2]), abs(new[-1] - old))
            if error < least:
                best, least = new[-1], error
        row = new
    return best if least < TOLERANCE / 10 * max(1.0, abs(best)) else None


def sample(rule: PointwiseRule | SymmetricRule, count: int) -> Iterator[tuple[float, ...]]:
    """Points in the rule's domain, and with every choice of signs."""
    names = rule.operands if isinstance(rule, PointwiseRule) else tuple(f"x{i}" for i in range(count))
    for shift in range(4):
        base = [MAGNITUDES[(shift + 3 * i) % 4] + 0.01 * i for i in range(count)]
        for signs in itertools.product((1.0, -1.0), repeat=count):
            yield tuple(sign * value for sign, value in zip(signs, base, strict=True))
        fractions = [(0.15 + 0.23 * shift + 0.11 * i) % 1 for i in range(count)]
        bounds = [rule.domain.get(name, (-3.0, 3.0)) for name in names[:count]]
        yield tuple(low + fraction * (high - low) for fraction, (low, high) in zip(fractions, bounds, strict=True))


def counts(rule: PointwiseRule | SymmetricRule) -> Sequence[int]:
    """The numbers of operands to try."""
    if isinstance(rule, SymmetricRule):
        return (2,) if any(isinstance(f, np.ufunc) for f in rule.functions) and rule.at_least else (1, 2, 3, 5)
    parameters = list(inspect.signature(rule.body).parameters.values())[1:]
    required = sum(parameter.default is inspect.Parameter.empty for parameter in parameters)
    return range(required, len(parameters) + 1)


def partials_of(rule: PointwiseRule | SymmetricRule, y: Any, arguments: Sequence[Any]) -> tuple[Any, ...]:
    """The partials, by running the rule's body."""
    if isinstance(rule, PointwiseRule):
        result = rule.body(y, *arguments)
        partials = result if isinstance(result, tuple) else (result,)
        if len(partials) != len(rule.operands):
            raise RuleMismatch(f"{rule.name}: {len(partials)} partial derivatives for {len(rule.operands)} operands")
        return partials[: len(arguments)]
    body = rule.body_for(len(arguments))
    return tuple(body(y, *rule.arguments_for(i, arguments)) for i in range(len(arguments)))


def as_accepted(function: Callable[..., Any], point: tuple[float, ...]) -> tuple[tuple[Any, ...], frozenset[int]] | None:
    """The point with as few operands made integers as the function asks for, and which those are."""
    for size in range(len(point) + 1):
        for chosen in itertools.combinations(range(len(point)), size):
            arguments = tuple(math.ceil(x) if i in chosen else x for i, x in enumerate(point))
            value = evaluate(function, arguments)
            if value is not None and not math.isnan(value):
                return arguments, frozenset(chosen)
            if size == 0 and value is None and not _is_type_error(function, arguments):
                return None  # a float will do, but not this one
    return None


def _is_type_error(function: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*arguments)
    except TypeError:
        return True
    except (ValueError, OverflowError, ZeroDivisionError):
        return False
    return False


def check_rule(rule: PointwiseRule | SymmetricRule) -> int:
    """Compare every partial of every function of a rule; returns how many were compared."""
    compared = 0
    for function, count in itertools.product(rule.functions, counts(rule)):
        if isinstance(function, type) and issubclass(function, np.floating) and np.finfo(function).eps > TOLERANCE / 10:
            continue  # a cast that rounds: differences tell nothing
        for point in sample(rule, count):
            accepted = as_accepted(function, point)
            if accepted is None:
                continue
            arguments, integers = accepted
            y = evaluate(function, arguments)
            if y is None or not math.isfinite(y):
                continue
            with np.errstate(all="ignore"):
                partials = partials_of(rule, y, arguments)
            for i, partial in enumerate(partials):
                if i in integers:
                    continue
                expected = numeric_partial(function, arguments, i)
                if expected is None:
                    continue
                compared += 1
                if not abs(partial - expected) <= TOLERANCE * max(1.0, abs(expected)):
                    raise RuleMismatch(
                        f"{rule.name}: {function} at {arguments}: partial {i} is {partial}, numerically {expected}"
                    )
    return compared


def check_raises_nothing(rule: PointwiseRule | SymmetricRule, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Where the primal returns a value, the partials raise nothing; returns whether it did."""
    y = evaluate(function, arguments)
    if y is None:
        return False
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        y = function(*arguments)
        try:
            partials = partials_of(rule, y, arguments)
            for partial in partials:
                complex(1.0 * partial)
        except (ArithmeticError, ValueError, TypeError) as error:
            raise RuleMismatch(f"{rule.name}: {function} at {arguments} is {y}, and the rule raises {error!r}") from error
    return True
