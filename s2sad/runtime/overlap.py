"""Arrays that share memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2sad.errors import NonDifferentiableError


def is_same_view(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays are the same elements in the same places.

    >>> import numpy as np
    >>> x = np.zeros(3)
    >>> is_same_view(x, x[:]), is_same_view(x, x[::-1])
    (True, False)
    """
    one, other = first.__array_interface__, second.__array_interface__
    return all(one[key] == other[key] for key in ("data", "shape", "typestr")) and first.strides == second.strides


#: Arrays are compared pair by pair up to this number, beyond that by the order of their addresses.
#: What to say of two arrays that overlap, of which one is changed.
OVERLAP = "two arrays overlap in memory, and the function changes one of them: pass a copy in place of the one, x.copy()"
_FEW_ARRAYS = 6


def overlapping(arrays: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The pairs of arrays that share memory, the one that comes first in front.

    >>> import numpy as np
    >>> x = np.zeros((3, 2))
    >>> len(overlapping([x, x[1:], np.zeros(3)])), len(overlapping([x[:, 0], x[:, 1]]))
    (1, 0)
    """
    if len(arrays) <= _FEW_ARRAYS:
        return [(a, b) for index, b in enumerate(arrays) for a in arrays[:index] if _share_memory(a, b)]
    pairs = []
    under_way: list[tuple[int, int]] = []
    for start, stop, index in sorted((*addresses(array), index) for index, array in enumerate(arrays) if array.size):
        under_way = [(end, other) for end, other in under_way if end > start]
        pairs += [sorted((index, other)) for _, other in under_way if _share_memory(arrays[index], arrays[other])]
        under_way.append((stop, index))
    return [(arrays[first], arrays[second]) for first, second in sorted(pairs)]


def check_one_array(*arrays: np.ndarray) -> None:
    """Refuse arrays that overlap, and are not the same elements in the same order.

    >>> import numpy as np
    >>> x = np.zeros(3)
    >>> check_one_array(x, x[:])
    """
    if not all(is_same_view(arrays[0], other) for other in arrays[1:]):
        raise NonDifferentiableError(OVERLAP)


def _share_memory(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays share memory; they count as if they did where that is hard to tell."""
    most: Any = 10_000
    try:
        return np.may_share_memory(first, second) and np.shares_memory(first, second, max_work=most)
    except np.exceptions.TooHardError:
        return True


def addresses(array: np.ndarray) -> tuple[int, int]:
    """The addresses of the first byte of an array and behind its last."""
    start = stop = array.__array_interface__["data"][0]
    for length, stride in zip(array.shape, array.strides, strict=True):
        way = (length - 1) * stride
        start, stop = start + min(way, 0), stop + max(way, 0)
    return start, stop + array.itemsize
