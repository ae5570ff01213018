"""`check_grads`: the derivative of a function against numeric differences, number by number.

>>> def area(size):
...     return size["width"] * size["height"]
>>> right = lambda size: {"width": size["height"], "height": size["width"]}
>>> print(check_grads(area, ({"width": 2.0, "height": 3.0},), gradient=right))
parameter  index       ours  numeric  difference  method
size       ['width']      3        3     0.0e+00  complex step  ok
size       ['height']     2        2     0.0e+00  complex step  ok
>>> wrong = lambda size: {"width": size["height"], "height": 1.0}
>>> check_grads(area, ({"width": 2.0, "height": 3.0},), gradient=wrong)
Traceback (most recent call last):
...
s2sad.errors.GradientCheckError: the gradient of area differs from numeric differences
parameter  index       ours  numeric  difference  method
size       ['width']      3        3     0.0e+00  complex step  ok
size       ['height']     1        2     1.0e+00  complex step  DIFFERS
"""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from s2sad.errors import GradientCheckError, NonDifferentiableError
from s2sad.testing.differences import NOT_COMPARED, NOT_SMOOTH, Estimate, complex_step, differentiate

#: How to get from an argument to one number in it: the indices and keys, in order; a `Direction` comes last.
Path = tuple[Any, ...]

#: Arrays of up to so many elements are checked element by element.
_FEW_ELEMENTS: Final = 24
_DIRECTIONS: Final = 3
_SOME_ELEMENTS: Final = 6


@dataclass(frozen=True, slots=True)
class Direction:
    """All elements of an array moved at once, each by its own random share: one number tells of all of them."""

    number: int

    def of(self, array: np.ndarray) -> np.ndarray:
        """The shares, between -1 and 1; the same at every call."""
        return np.random.default_rng(self.number).uniform(-1.0, 1.0, array.shape)

    def __str__(self) -> str:
        return f"direction {self.number}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of one argument: the derivative with respect to it, ours and numeric."""

    parameter: str
    index: str
    ours: float
    numeric: float
    #: How far the numeric derivative may be off.
    error: float
    method: str
    #: None where there is nothing to compare with.
    agrees: bool | None
    note: str = ""

    @property
    def difference(self) -> float:
        return abs(self.ours - self.numeric)


@dataclass(frozen=True, slots=True)
class GradientReport:
    """What `check_grads` found. `str()` of it is a table."""

    function: str
    entries: tuple[Entry, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return all(entry.agrees is not False for entry in self.entries)

    @property
    def compared(self) -> int:
        """How many numbers were compared."""
        return sum(entry.agrees is not None for entry in self.entries)

    @property
    def largest_difference(self) -> float:
        """The largest difference, relative to the larger of the two derivatives (of 1 where both are smaller)."""
        compared = [e for e in self.entries if e.agrees is not None and not math.isnan(e.numeric)]
        return max((e.difference / max(1.0, abs(e.ours), abs(e.numeric)) for e in compared), default=0.0)

    def __str__(self) -> str:
        return _format_table(self.entries)


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    argnums: int | str | Sequence[int | str] | None = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    gradient: Callable[..., Any] | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
) -> GradientReport:
    """Compare the derivative of `f` at `args` with numeric ones, and raise `GradientCheckError` where they differ.

    Each number in the arguments chosen by `argnums` (all that hold floats, unless given) is moved by a grid of steps;
    central differences are extrapolated, and where `f` takes complex numbers, a complex step is used as well. A number
    differs when it is further off than `rtol` and `atol` allow and the numeric error explains. Where `f` is not smooth, a
    value between the one-sided derivatives is right. Of a large array some elements are moved, and all of them together in some
    random directions. `gradient` checks a derivative that was written by hand.
    """
    if not isinstance(args, Sequence) or isinstance(args, str):
        raise NonDifferentiableError(
            f"args is the tuple of the arguments, and was given {type(args).__name__}: write check_grads(f, (x,)) for f(x)"
        )
    keywords = dict(kwargs or {})
    chosen = _choose(f, args, argnums)
    ours = _call_gradient(f, args, keywords, [number for number, _ in chosen], gradient)
    entries = []
    for (number, parameter), derivative in zip(chosen, ours, strict=True):
        _check_structure(args[number], derivative, parameter)
        for path in _leaves(args[number]):
            estimate = _estimate(f, args, keywords, number, path)
            entries.append(_compare(parameter, path, _follow(derivative, path, parameter), estimate, rtol, atol))
    report = GradientReport(getattr(f, "__name__", type(f).__name__), tuple(entries))
    if not report.ok:
        raise GradientCheckError(f"the gradient of {report.function} differs from numeric differences\n{report}")
    return report


def _choose(f: Callable[..., Any], args: Sequence[Any], argnums: int | str | Sequence[int | str] | None) -> list[tuple[int, str]]:
    """The positions and names of the arguments to check."""
    names = _parameter_names(f, len(args))
    wanted: list[int | str]
    if argnums is None:
        wanted = [number for number, arg in enumerate(args) if holds_float(arg)]
        if not wanted:
            raise NonDifferentiableError("no argument holds a float: say with argnums which integers to treat as real numbers")
    elif isinstance(argnums, int | str):
        wanted = [argnums]
    else:
        wanted = list(argnums)
    chosen = []
    for one in wanted:
        if isinstance(one, str) and one not in names:
            raise ValueError(f"no argument was given for a parameter {one!r}; there are {', '.join(names) or 'none'}")
        number = names.index(one) if isinstance(one, str) else one
        if not -len(args) <= number < len(args):
            raise ValueError(f"argnums {number} is out of range: {len(args)} arguments were given")
        chosen.append((number % len(args), names[number]))
    return chosen


def _parameter_names(f: Callable[..., Any], count: int) -> list[str]:
    """A name for each positional argument."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return [f"argument {number}" for number in range(count)]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    rest = next((f"*{p.name}" for p in parameters if p.kind is p.VAR_POSITIONAL), "argument ")
    return names + [f"{rest}{number}" for number in range(count - len(names))]


def _call_gradient(
    f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], numbers: list[int], gradient: Callable[..., Any] | None
) -> tuple[Any, ...]:
    if gradient is None:
        # late: this module must be importable without the transformer
        from s2sad.api import grad

        gradient = grad(f, argnums=tuple(numbers))
        result = gradient(*copy.deepcopy(list(args)), **copy.deepcopy(kwargs))
        return tuple(result)
    result = gradient(*copy.deepcopy(list(args)), **copy.deepcopy(kwargs))
    return (result,) if len(numbers) == 1 and not (isinstance(result, tuple) and len(result) == 1) else tuple(result)


def holds_float(value: Any) -> bool:
    """Whether a float (of Python or NumPy) is somewhere in a value."""
    match value:
        case float() | np.floating():
            return True
        case np.ndarray():
            return bool(np.issubdtype(value.dtype, np.floating))
        case dict():
            return any(map(holds_float, value.values()))
        case list() | tuple():
            return any(map(holds_float, value))
        case _:
            return False


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to each real number in a value."""
    match value:
        case bool() | np.bool_():
            return
        case int() | float() | np.integer() | np.floating():
            yield path
        case np.ndarray() if value.dtype.kind in "fiu":
            positions = [*np.ndindex(value.shape)]
            if len(positions) > _FEW_ELEMENTS:
                yield from ((*path, Direction(number)) for number in range(1, _DIRECTIONS + 1))
                among = np.random.default_rng(0).choice(len(positions), _SOME_ELEMENTS - 2, replace=False)
                positions = [positions[index] for index in sorted({0, len(positions) - 1, *map(int, among)})]
            yield from ((*path, position) for position in positions)
        case dict():
            for key, item in value.items():
                yield from _leaves(item, (*path, key))
        case list() | tuple():
            for index, item in enumerate(value):
                yield from _leaves(item, (*path, index))


def _check_structure(value: Any, derivative: Any, parameter: str) -> None:
    """An array's gradient is an array of its shape (of its dtype, too, unless that is of integers)."""
    match value:
        case np.ndarray() if value.dtype.kind in "fiu":
            dtype = value.dtype if value.dtype.kind == "f" else np.dtype(float)
            found = (getattr(derivative, "shape", None), getattr(derivative, "dtype", None))
            if found != (value.shape, dtype):
                raise GradientCheckError(
                    f"the gradient has not the structure of its argument: {parameter} is an array of shape {value.shape}, its "
                    f"gradient should be of that shape and {dtype}, and is {type(derivative).__name__} {found[0]} of {found[1]}"
                )
        case dict() if isinstance(derivative, dict):
            for key, item in value.items():
                _check_structure(item, derivative.get(key), f"{parameter}[{key!r}]")
        case list() | tuple() if isinstance(derivative, list | tuple):
            for index, (item, part) in enumerate(zip(value, derivative, strict=False)):
                _check_structure(item, part, f"{parameter}[{index}]")


def _follow(derivative: Any, path: Path, parameter: str) -> float:
    for step in path:
        if isinstance(step, Direction):
            return float(np.sum(np.asarray(derivative, dtype=float) * step.of(derivative)))
        try:
            derivative = derivative[step]
        except (TypeError, LookupError) as error:
            where = parameter + _format_path(path)
            raise GradientCheckError(f"the gradient has not the structure of its argument: {where} is missing in it") from error
    # an integer in a container (a count, an index) may have no derivative
    return math.nan if derivative is None else float(derivative)


def _replace(value: Any, path: Path, new: Any) -> Any:
    """A copy of a value with one number exchanged."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    match value:
        case np.ndarray() if isinstance(first, Direction):
            moved = value + new * first.of(value)
            return moved.astype(value.dtype) if value.dtype.kind == "f" and not isinstance(new, complex) else moved
        case np.ndarray():
            # a complex step, and a real one in an array of integers, need a dtype that can hold them
            changed = value.astype(
                np.result_type(value.dtype, np.asarray(new).dtype)
                if value.dtype.kind != "f" or isinstance(new, complex)
                else value.dtype
            )
            changed[first] = new
            return changed
        case dict():
            changed_dict = copy.copy(value)
            changed_dict[first] = _replace(value[first], rest, new)
            return changed_dict
        case list():
            changed_list = copy.copy(value)
            changed_list[first] = _replace(value[first], rest, new)
            return changed_list
        case _:
            items = [*value[:first], _replace(value[first], rest, new), *value[first + 1 :]]
            return value._make(items) if hasattr(value, "_make") else tuple(items)


def _estimate(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], number: int, path: Path) -> Estimate:
    point = args[number]
    for step in path:
        point = point.dtype.type(0) if isinstance(step, Direction) else point[step]

    def at(x: Any) -> Any:
        # a fresh copy each time: the function may change its arguments
        moved = copy.deepcopy([*args[:number], _replace(args[number], path, x), *args[number + 1 :]])
        return f(*moved, **copy.deepcopy(kwargs))

    eps = float(np.finfo(point.dtype).eps) if isinstance(point, np.floating) else 2.0**-52
    # a float32 is moved as a float32: `type(x)(x + step)`
    estimate = differentiate(at, point if isinstance(point, np.floating) else float(point), eps)  # type: ignore[arg-type]
    if not math.isfinite(estimate.value) or (isinstance(point, np.floating) and point.dtype != np.float64):
        return estimate
    return complex_step(at, float(point), estimate)


def _compare(parameter: str, path: Path, ours: float, estimate: Estimate, rtol: float, atol: float) -> Entry:
    numeric, agrees, note = estimate.value, None, estimate.reason
    if estimate.method == NOT_SMOOTH:
        note = f"one-sided derivatives {estimate.left:.6g} and {estimate.right:.6g}"
        if math.isfinite(estimate.left) and math.isfinite(estimate.right):
            low, high = sorted((estimate.left, estimate.right))
            slack = atol + rtol * max(abs(low), abs(high))
            agrees = bool(low - slack <= ours <= high + slack)
        elif math.isnan(estimate.left):
            note = "the function is steeper than any line, or ends here"
    elif estimate.method != NOT_COMPARED and not math.isnan(ours):
        agrees = bool(abs(ours - numeric) <= atol + rtol * max(abs(ours), abs(numeric)) + 10 * estimate.error)
        if estimate.error > 1e-3 * max(abs(numeric), 1e-3):
            note = f"numeric derivative is known to {estimate.error:.1g} only"
    elif estimate.method != NOT_COMPARED and not path:
        agrees = False
    return Entry(parameter, _format_path(path), ours, numeric, estimate.error, estimate.method, agrees, note)


def _format_path(path: Path) -> str:
    return "".join(
        f" {step}"
        if isinstance(step, Direction)
        else f"[{', '.join(map(str, step))}]"
        if isinstance(step, tuple)
        else f"[{step!r}]"
        for step in path
    ).lstrip()


def _format_table(entries: Sequence[Entry]) -> str:
    """Numbers to the right, words to the left."""
    head = ("parameter", "index", "ours", "numeric", "difference", "method", "")
    verdict = {True: "ok", False: "DIFFERS", None: "-"}
    rows = [head]
    for e in entries:
        note = f"{verdict[e.agrees]}  ({e.note})" if e.note else verdict[e.agrees]
        numeric = "-" if math.isnan(e.numeric) else f"{e.numeric:.12g}"
        difference = "-" if math.isnan(e.difference) else f"{e.difference:.1e}"
        rows.append((e.parameter, e.index, f"{e.ours:.12g}", numeric, difference, e.method, note))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    right = (2, 3, 4)
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
