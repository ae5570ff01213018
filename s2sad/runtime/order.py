"""The order of elements, and the elements that slices take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def order_of(keys: Sequence[Any], reverse: bool = False) -> list[int]:
    """The indices that sort `keys`; stable, as `sorted` is.

    >>> order_of([3.0, 1.0, 2.0])
    [1, 2, 0]
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def largest(elements: Iterable[Any]) -> Any:
    """`max`, as a number without derivative.

    >>> largest([1.0, 3.0, 2.0])
    3.0
    """
    return max(elements)


def least(elements: Iterable[Any]) -> Any:
    """`min`, as a number without derivative.

    >>> least([1.0, 3.0, 2.0])
    1.0
    """
    return min(elements)


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
