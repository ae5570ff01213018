"""Shapes whose lengths are numbers, symbols or not known: what broadcasting and slicing make of them.

An operation that raises has no result, so a result's shape may rest on its having worked: where the axes `n` and `m` meet, and
neither is 1, they are equal.

>>> n = Extent("n")
>>> broadcast((n, 1), (n,))
(Extent(name='n', less=0), Extent(name='n', less=0))
>>> sliced(n, Bounds(1, -1, None))
Extent(name='n', less=2)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from s2sad.ir.types import Extent, Length

Shape = tuple[Length, ...]

#: Stands for a bound that is there and not known.
SOME: Final = "some"
Bound = int | Extent | str | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A slice, as far as it is known: None where nothing is written. Where it `is_named`, every length that it leaves gets a
    name, also one that is no sum of what is known."""

    start: Bound
    stop: Bound
    step: Bound
    is_named: bool = field(default=False, kw_only=True)

    @property
    def literal(self) -> slice | None:
        """The slice itself, if its bounds are numbers."""
        start, stop, step = (part if isinstance(part, int) else None for part in (self.start, self.stop, self.step))
        return slice(start, stop, step) if (start, stop, step) == (self.start, self.stop, self.step) else None


#: An integer that may be 1, or negative, is no length of an argument; this much more is taken for one.
_OFFSET: Final = 1000


@dataclass(frozen=True, slots=True)
class Count:
    """An integer that is `more` than a parameter, which is one number throughout a call.

    >>> str(Count("n").length), str(plus(Count("n", -1).length, -1))
    ('(n + 1000) - 1000', '(n + 1000) - 1002')
    """

    name: str
    more: int = 0

    @property
    def length(self) -> Length:
        """The length of an axis made with it: not known to be other than 1."""
        return Extent(f"({self.name} + {_OFFSET})", _OFFSET - self.more) if abs(self.more) < _OFFSET // 2 else None


def is_not_one(length: Length) -> bool:
    """Whether an axis of this length is never stretched by broadcasting."""
    if isinstance(length, Extent):
        return length.less == 0 or length.less < -1
    return length is not None and length != 1


def broadcast(*shapes: Sequence[Length]) -> Shape:
    """The shape of the result of an elementwise operation that works."""
    return functools.reduce(_broadcast_two, map(tuple, shapes), ())


def _broadcast_two(first: Shape, second: Shape) -> Shape:
    count = max(len(first), len(second))
    padded = [(1,) * (count - len(shape)) + shape for shape in (first, second)]
    return tuple(_broadcast_lengths(a, b) for a, b in zip(*padded, strict=True))


def _broadcast_lengths(first: Length, second: Length) -> Length:
    if first == second:
        return first
    if first == 1:
        return second
    if second == 1:
        return first
    if isinstance(first, int) and isinstance(second, int):
        return first  # it raises
    for length in (second, first):
        if isinstance(length, int):
            return length
    for length in (first, second):
        if is_not_one(length):
            return length
    return None


def joined(lengths: Sequence[Length]) -> Length:
    """The length of axes that must all be equal: the most that is known of any."""
    known = [length for length in lengths if length is not None]
    return next((length for length in known if isinstance(length, int)), known[0] if known else None)


def total(lengths: Sequence[Length]) -> Length:
    """The sum of lengths.

    >>> n, m = Extent("n"), Extent("m")
    >>> total([n, 2]), total([n, m]) == total([m, n]), total([n, None]) is None
    (Extent(name='n', less=-2), True, True)
    """
    numbers = [length for length in lengths if isinstance(length, int)]
    others = [length for length in lengths if not isinstance(length, int)]
    if not others:
        return sum(numbers)
    if len(others) == 1:
        return plus(others[0], sum(numbers))
    if None in others:
        return None
    # the sum of two lengths is one number, which may be 1
    return Count(" + ".join([*sorted(map(str, others)), *([str(sum(numbers))] if any(numbers) else [])])).length


def product(lengths: Sequence[Length]) -> Length:
    """The number of elements."""
    others = [length for length in lengths if not isinstance(length, int)]
    number = 1
    for length in lengths:
        number *= length if isinstance(length, int) else 1
    if number == 0 or not others:
        return number
    return others[0] if len(others) == 1 and number == 1 else None


def plus(length: Length, number: int) -> Length:
    """A length and a number. `n - 3`, when it is 0, may stand for a difference below 0, to which nothing can be added."""
    match length:
        case int():
            return length + number
        case Extent(name, less) if number <= 0 or less <= 0:
            return Extent(name, less - number)
    return None


def sliced(length: Length, bounds: Bounds) -> Length:
    """The length of ``x[start:stop:step]``.

    >>> n, k = Extent("n"), Count("k", 1).length
    >>> slices = [(None, -2, 2), (2, None, 2), (1, None, 2), (k, None, None)]
    >>> [str(sliced(n, Bounds(*bounds, is_named=True))) for bounds in slices]
    ['(n/2 + 1000) - 1001', '(n/2 + 1000) - 1001', '((n - 1)/2 + 1000) - 1000', '(n[(k + 1000) - 999:] + 1000) - 1000']
    """
    found = _known_after_slicing(length, bounds)
    if found is not None or not bounds.is_named or length is None or SOME in (bounds.start, bounds.stop, bounds.step):
        return found
    start, stop, step = bounds.start, bounds.stop, bounds.step
    if isinstance(step, int) and step > 1:
        return _every(sliced(length, Bounds(start, stop, None, is_named=True)), step)
    written = ":".join(
        "" if part is None else str(part) for part in ((start, stop) if step in (None, 1) else (start, stop, step))
    )
    return Count(f"{_in_brackets(length)}[{written}]").length


def _every(length: Length, step: int) -> Length:
    """How many there are if every second, third, … one of so many is taken."""
    if not isinstance(length, Extent):
        return None if length is None else -(-length // step)
    fewer, rest = divmod(length.less, step)
    return Count(f"{_in_brackets(Extent(length.name, rest))}/{step}", -fewer).length


def _in_brackets(length: Length) -> str:
    return f"({length})" if isinstance(length, Extent) and length.less else str(length)


def _known_after_slicing(length: Length, bounds: Bounds) -> Length:
    start, stop, step = bounds.start, bounds.stop, bounds.step
    if (start, stop) == (None, None) and step in (None, 1, -1):
        return length
    if isinstance(length, int):
        literal = bounds.literal
        return None if literal is None or step == 0 else len(range(length)[literal])
    if not isinstance(length, Extent):
        return 0 if step in (None, 1) and stop == 0 else None
    if step in (None, 1):
        return _between(length, 0 if start is None else start, stop)
    if step == -1:
        dropped = -1 - start if isinstance(start, int) and start < 0 else 0 if start is None else None
        kept_out = stop + 1 if isinstance(stop, int) and stop >= 0 else 0 if stop is None else None
        return None if dropped is None or kept_out is None else plus(length, -dropped - kept_out)
    return None


def _between(length: Extent, start: Bound, stop: Bound) -> Length:
    if not isinstance(start, int) or start < 0:
        return None
    if stop is None:
        return plus(length, -start)
    if isinstance(stop, int):
        return 0 if stop == 0 else plus(length, -start + stop) if stop < 0 else None
    if isinstance(stop, Extent) and stop.name == length.name:
        # a stop below 0 counts from the end; up to two less than the length it makes no difference
        distance = stop.less - length.less
        return plus(stop, -start) if 0 <= distance <= 2 else None
    return None
