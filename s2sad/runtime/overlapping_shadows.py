"""Shadows of arrays that overlap in memory: they overlap in the same way."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from s2sad.errors import NonDifferentiableError, describe_location
from s2sad.runtime.overlap import addresses


def zeros_in_common(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> dict[int, Any]:
    """The shadows of the arrays in `pairs`, those that overlap, by the identities of the arrays.

    >>> x = np.ones((2, 3))
    >>> row, column = x[1], x[:, 2]
    >>> shadows = zeros_in_common([(row, column)])
    >>> shadows[id(row)] += 1.0
    >>> shadows[id(column)]
    array([0., 1.])
    """
    shadows: dict[int, Any] = {}
    for group in _groups(pairs):
        alike = _alike(group)
        shadows.update((id(array), NoShadow()) for array in group)
        shadows.update(_zeros_of_group(alike) if alike else {})
    return shadows


class NoShadow:
    """What stands for the shadow of an array that overlaps with one which has other elements there. It may stand as long as
    nothing active goes through the array: any use of it raises."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def _refuse(self, *_: object) -> NoReturn:
        raise NonDifferentiableError(
            "two arrays that a container or an object holds overlap in memory, and have other elements there: a view in another "
            "dtype, or one in which elements stand several times (np.broadcast_to); keep a copy in place of the view: x.copy()"
            f"{_place_in_program()}"
        )

    __getitem__ = __setitem__ = __len__ = __iter__ = __array__ = _refuse
    __add__ = __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = __mul__ = __rmul__ = __imul__ = _refuse


def _place_in_program() -> str:
    """The line of the program that the generated code which is running comes from: the last that its comments name."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and not frame.f_code.co_filename.startswith("<s2sad "):
        frame = frame.f_back
    filename = frame.f_globals.get("__file__") if frame is not None else None
    if frame is None or filename is None:
        return ""
    lines = linecache.getlines(frame.f_code.co_filename)[frame.f_code.co_firstlineno - 1 : frame.f_lineno]
    named = [found.group(1) for line in lines if (found := re.search(r"  # line (\d+)", line))]
    return f".\n{describe_location(filename, int(named[-1]))}" if named else ""


def _groups(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[list[np.ndarray]]:
    """The arrays in pairs, those together that are connected."""
    groups: list[dict[int, np.ndarray]] = []
    for pair in pairs:
        together = {id(array): array for array in pair}
        near = [group for group in groups if not group.keys().isdisjoint(together)]
        groups = [group for group in groups if group.keys().isdisjoint(together)]
        groups.append({key: array for group in (*near, together) for key, array in group.items()})
    return [[*group.values()] for group in groups]


def _alike(group: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Those arrays whose elements are the numbers of the one that owns the memory (or else of the first), each at one
    place."""
    single = [array for array in group if _has_elements_once(array)]
    if not single:
        return []
    whole = min(single, key=lambda array: array.base is not None)
    start, size = addresses(whole)[0], whole.itemsize
    return [
        array
        for array in single
        if array.dtype == whole.dtype
        and not (addresses(array)[0] - start) % size
        and not any(step % size for step in array.strides)
    ]


def _has_elements_once(array: np.ndarray) -> bool:
    """Whether no two elements lie in one place: each axis steps over all that the axes with shorter steps go through.

    >>> x = np.zeros(4)
    >>> _has_elements_once(x[::-2]), _has_elements_once(np.broadcast_to(x, (2, 4)))
    (True, False)
    """
    extent = array.itemsize
    for step, length in sorted((abs(step), length) for step, length in zip(array.strides, array.shape, strict=True)):
        if length > 1:
            if step < extent:
                return False
            extent += (length - 1) * step
    return True


def _zeros_of_group(group: Sequence[np.ndarray]) -> dict[int, Any]:
    """Views of one array of zeros, which lie in it as the arrays do in memory."""
    start = min(addresses(array)[0] for array in group)
    stop = max(addresses(array)[1] for array in group)
    zeros = np.zeros((stop - start) // group[0].itemsize, group[0].dtype)
    return {
        id(array): np.ndarray(array.shape, array.dtype, zeros, array.__array_interface__["data"][0] - start, array.strides)
        for array in group
    }
