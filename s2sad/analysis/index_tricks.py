"""``np.r_[…]``, ``np.c_[…]``, ``np.s_[…]``, ``np.index_exp[…]``, ``np.mgrid[…]`` and ``np.ogrid[…]``: what indexing them means.

>>> from s2sad.ir.types import Extent
>>> str(length_of_axis(0, Extent("n"), 1)), length_of_axis(2, 7, 3), length_of_axis(-1.0, 1.0, 20j)
('n', 2, 20)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from s2sad.analysis.array_operands import NotKnownError, Operands, PendingError
from s2sad.analysis.array_shapes import plus, total
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import NONE, UNKNOWN, ConstantType, Extent, Length, TupleType, Type

#: The bounds of a slice.
Slice = tuple[Operand, Operand, Operand]

_DTYPES: Final = (np.dtype(np.int64), np.dtype(np.float64))


def _is_one_of(kind: Type, *objects: object) -> bool:
    """Whether it is one of these objects."""
    return isinstance(kind, ConstantType) and any(kind.value is one for one in objects)


def shorthand(kind: Type) -> Callable[..., object] | None:
    """The function that ``np.r_[…]`` and ``np.c_[…]`` stand for."""
    return np.hstack if _is_one_of(kind, np.r_) else np.column_stack if _is_one_of(kind, np.c_) else None


def gives_index(kind: Type) -> bool:
    """Whether indexing it gives the index."""
    return _is_one_of(kind, np.s_, np.index_exp)


def makes_tuple(kind: Type) -> bool:
    """Whether indexing it always gives a tuple."""
    return _is_one_of(kind, np.index_exp)


def makes_grid(kind: Type) -> bool:
    """Whether indexing it gives the coordinates of a grid."""
    return _is_one_of(kind, np.mgrid, np.ogrid)


def makes_row(kind: Type) -> bool:
    """Whether indexing it puts ranges, numbers and vectors one after the other."""
    return _is_one_of(kind, np.r_)


def type_of_row(given: Operands, parts: Sequence[Slice | Operand]) -> Type:
    """The type of ``np.r_[…]`` where all in it are whole numbers, vectors of such, or ranges."""
    found = [_range(given, part) if isinstance(part, tuple) else _vector(given, part) for part in parts]
    if any(dtype != np.int64 for _, dtype in found):
        raise NotKnownError
    return given.array_of((total([length for length, _ in found]),), np.dtype(np.int64))


def _range(given: Operands, part: Slice) -> tuple[Length, np.dtype[Any]]:
    return _length(given, part), np.result_type(*(_number(given, bound) for bound in part))


def _vector(given: Operands, part: Operand) -> tuple[Length, np.dtype[Any]]:
    seen = given.see(part)
    if seen.shape is None or len(seen.shape) > 1:
        raise NotKnownError
    return seen.shape[0] if seen.shape else 1, seen.dtype


def type_of_grid(given: Operands, grid: Type, parts: Sequence[Slice], is_tuple: bool) -> Type:
    """The type of ``np.mgrid[…]`` or ``np.ogrid[…]``: of one array or, of the latter and a tuple, a tuple of arrays."""
    try:
        lengths = [_length(given, part) for part in parts]
        dtype = np.result_type(*(_number(given, bound) for part in parts for bound in part))
    except PendingError:
        return UNKNOWN
    if dtype not in _DTYPES:
        raise NotKnownError
    if not is_tuple:
        return given.array_of(lengths, dtype)
    if _is_one_of(grid, np.mgrid):
        return given.array_of((len(lengths), *lengths), dtype)
    places = range(len(lengths))
    return TupleType(tuple(given.array_of([lengths[k] if k == axis else 1 for k in places], dtype) for axis in places))


def _number(given: Operands, bound: Operand) -> Any:
    """What a bound of a slice is to NumPy's rules for dtypes."""
    if given.kind_of(bound) == NONE:
        return 0
    if isinstance(bound, Constant) and isinstance(bound.value, complex):
        return abs(bound.value)
    seen = given.see(bound)
    if seen.shape != ():
        raise NotKnownError
    return seen.dtype if seen.weak is None else seen.weak()


def _length(given: Operands, part: Slice) -> Length:
    numbers: list[object] = []
    for bound, usual in zip(part, (0, None, 1), strict=True):
        if given.kind_of(bound) == NONE:
            bound = Constant(usual)
        numbers.append(bound.value if isinstance(bound, Constant) else given.length_of(bound))
    return length_of_axis(*numbers)


def length_of_axis(start: object, stop: object, step: object) -> Length:
    """The length of the axis that a slice makes. None: a bound that is not known."""
    if isinstance(step, complex):
        return int(abs(step))
    if isinstance(start, int) and start >= 0 and isinstance(stop, Extent) and step == 1:
        return plus(stop, -start)
    if isinstance(start, int | float) and isinstance(stop, int | float) and isinstance(step, int | float) and step:
        return max(0, math.ceil((stop - start) / step))
    return None
