"""The types of arrays that are new: from lengths, from numbers, from other arrays joined, chosen, copied or put in order."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from s2sad.analysis.array_operands import (
    NotKnownError,
    Operands,
    Seen,
)
from s2sad.analysis.array_products import result_dtype_of_arrays
from s2sad.analysis.array_shapes import Shape, broadcast, joined, plus, product, total
from s2sad.analysis.array_types import transfer
from s2sad.analysis.memory import ELEMENT
from s2sad.ir.operations import handed_on
from s2sad.ir.types import BOOL, COMPLEX, FLOAT, INT, ArrayType, Extent, Length, ListType, TupleType, Type

_FLOAT64: Final = np.dtype(float)
_INT64: Final = np.dtype(int)


@transfer("shape dtype order", np.zeros, np.ones, np.empty)
def filled_alike(given: Operands) -> Type:
    return given.array_of(given.lengths("shape"), given.dtype(_FLOAT64))


@transfer("shape fill_value dtype order", np.full)
def filled(given: Operands) -> Type:
    seen = given.seen("fill_value")
    return given.array_of(given.lengths("shape"), given.dtype(seen.dtype))


@transfer("a dtype order subok shape", np.zeros_like, np.ones_like, np.empty_like)
@transfer("a fill_value dtype order subok shape", np.full_like)
def filled_like(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(given.lengths("shape") if given.has("shape") else seen.shape, given.dtype(seen.dtype))


@transfer("start stop step dtype", np.arange)
def evenly_spaced(given: Operands) -> Type:
    names = [name for name in ("start", "stop", "step") if given.has(name)]
    seen = [given.seen(name) for name in names]
    if any(part.shape != () for part in seen):
        raise NotKnownError
    dtype = given.dtype(np.result_type(*(part.dtype for part in seen), _INT64) if seen else _INT64)
    return given.array_of((_count(given, names),), dtype)


def _count(given: Operands, names: Sequence[str]) -> Length:
    if names == ["start"]:
        found = given.length("start")
        return max(0, found) if isinstance(found, int) else found
    numbers = [given.length(name) for name in names]
    if all(isinstance(number, int) for number in numbers):
        start, stop, *step = (number for number in numbers if isinstance(number, int))
        return len(range(start, stop, *step)) if step != [0] else None
    if names == ["start", "stop"] and isinstance(numbers[0], int) and numbers[0] >= 0 and isinstance(numbers[1], Extent):
        return plus(numbers[1], -numbers[0])
    return None


@functools.lru_cache
def _spaced_between(function: Any, first: np.dtype[Any] | None, last: np.dtype[Any] | None) -> np.dtype[Any]:
    """The dtype of numbers between two of these dtypes; None is a Python number."""
    ends = (1.0 if dtype is None else np.ones((), dtype) for dtype in (first, last))
    dtype: np.dtype[Any] = function(*ends, 2).dtype
    return dtype


def _spaced(function: Any) -> Any:
    def spaced(given: Operands) -> Type:
        first, last = given.seen("start"), given.seen("stop")
        dtypes = [part.dtype if part.weak is None else None for part in (first, last)]
        dtype = given.dtype(_spaced_between(function, *dtypes))
        count: Length = given.length("num") if "num" in given.named else 50
        if first.shape is None or last.shape is None or given.has("axis"):
            raise NotKnownError
        made = given.array_of((count, *broadcast(first.shape, last.shape)), dtype)
        return TupleType((made, given.new(broadcast(first.shape, last.shape), dtype))) if given.flag("retstep") else made

    return spaced


transfer("start stop num endpoint retstep dtype axis", np.linspace)(_spaced(np.linspace))
transfer("start stop num endpoint base dtype axis", np.logspace)(_spaced(np.logspace))
transfer("start stop num endpoint dtype axis", np.geomspace)(_spaced(np.geomspace))


@transfer("N M k dtype", np.eye)
@transfer("N dtype", np.identity)
def unit_matrix(given: Operands) -> Type:
    rows = given.length("N")
    return given.array_of((rows, given.length("M") if given.has("M") else rows), given.dtype(_FLOAT64))


@transfer("N M k dtype", np.tri)
def triangle(given: Operands) -> Type:
    return unit_matrix(given)


@transfer("a dtype copy order subok ndmin", np.array, way="either")
def array_of(given: Operands) -> Type:
    if given.has("subok"):
        raise NotKnownError
    seen = given.seen("a")
    least = given.constant("ndmin", 0)
    shape = None if seen.shape is None else (1,) * (least - len(seen.shape)) + seen.shape
    shares = given.constant("copy", True) is not True
    return given.array_of(shape, given.dtype(seen.dtype), seen.region if shares else None)


@transfer("a dtype order", np.ascontiguousarray, np.asfortranarray, way="either")
def in_layout(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of((1,) if seen.shape == () else seen.shape, given.dtype(seen.dtype), seen.region)


@transfer("a dtype order", np.asarray, np.asanyarray, np.asarray_chkfinite, way="either")
def as_array(given: Operands) -> Type:
    seen = given.seen("a")
    if given.constant("copy", None) is True:
        return given.array_of(seen.shape, given.dtype(seen.dtype))
    return given.array_of(seen.shape, given.dtype(seen.dtype), seen.region)


@transfer("a order subok", np.copy)
def copied(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of(seen.shape, seen.dtype)


@transfer("a order", np.ndarray.copy)
@transfer("a", handed_on)
def copied_by_method(given: Operands) -> Type:
    seen = given.seen("a")
    return copied(given) if seen.is_array else given.arranged(seen, seen.shape)


@transfer("a dtype order casting subok copy", np.ndarray.astype, way="either")
@transfer("a dtype copy", np.astype, way="either")
def cast(given: Operands) -> Type:
    seen = given.seen("a")
    dtype = given.dtype(seen.dtype)
    if seen.shape == () and not seen.is_array:
        return given.new((), dtype)
    may_share = given.constant("copy", True) is not True
    return given.array_of(seen.shape, dtype, seen.region if may_share else None)


@transfer("a *index", np.ndarray.item)
def number_of(given: Operands) -> Type:
    return {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}[given.seen("a").dtype.kind]


@transfer("a", np.ndarray.tolist)
def as_list(given: Operands) -> Type:
    seen = given.seen("a")
    number = number_of(given)
    if seen.shape is None:
        raise NotKnownError
    for depth in range(len(seen.shape)):
        number = given.list_of(number, depth)
    return number


# --- Several arrays made one ----------------------------------------------------------------------------------------------


def _members(given: Operands, name: str) -> tuple[list[Seen], bool]:
    """The arrays in a tuple or list, and whether these are all of them: in a list are any number like the one given."""
    kind = given.kind(name)
    match kind:
        case TupleType(elements=elements):
            return [given.see_type(element) for element in elements], True
        case ListType(region=region):
            operands = given.elements_of(given[name])
            if operands:
                return [given.see(operand) for operand in operands], True
            return [given.see_type(given.memory.load(region, ELEMENT))], False
        case ArrayType():
            seen = given.see_type(kind)
            if not seen.shape:
                raise NotKnownError
            return [Seen(seen.shape[1:], seen.dtype)], False
    raise NotKnownError


@transfer("arrays axis out dtype", np.concatenate)
def concatenated(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")
    axis = given.constant("axis", 0)
    return given.stored_in_out(_concatenated(given, members, are_all, axis))


def _concatenated(given: Operands, members: Sequence[Seen], are_all: bool, axis: int | None) -> ArrayType:
    dtype = given.dtype(result_dtype_of_arrays(*members))
    shapes = [member.shape for member in members]
    if axis is None:
        lengths = [None if shape is None else product(shape) for shape in shapes]
        return given.array_of((total(lengths) if are_all else None,), dtype)
    known = [shape for shape in shapes if shape is not None]
    if not known:
        return given.array_of(None, dtype)
    rank = len(known[0])
    axis %= rank
    shape = [joined([item[place] for item in known]) for place in range(rank)]
    shape[axis] = total([item[axis] for item in known]) if are_all and len(known) == len(shapes) else None
    return given.array_of(shape, dtype)


@transfer("arrays axis out dtype", np.stack)
def stacked(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")
    dtype = given.dtype(result_dtype_of_arrays(*members))
    known = [member.shape for member in members if member.shape is not None]
    if not known:
        return given.stored_in_out(given.array_of(None, dtype))
    shape: list[Length] = [joined(lengths) for lengths in zip(*known, strict=True)]
    axis = given.constant("axis", 0) % (len(shape) + 1)
    shape.insert(axis, len(members) if are_all else None)
    return given.stored_in_out(given.array_of(shape, dtype))


@transfer("arrays dtype", np.vstack)
def stacked_by_rows(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")
    matrices = [_with_rank(member, lambda shape: (1,) * (2 - len(shape)) + shape) for member in members]
    return _concatenated(given, matrices, are_all, 0)


@transfer("arrays dtype", np.hstack)
def stacked_by_columns(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")
    rows = [_with_rank(member, lambda shape: shape or (1,)) for member in members]
    if any(row.shape is None for row in rows):
        return given.array_of(None, given.dtype(result_dtype_of_arrays(*rows)))
    return _concatenated(given, rows, are_all, 0 if len(rows[0].shape or ()) == 1 else 1)


@transfer("arrays", np.column_stack)
def columns(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")
    matrices = [_with_rank(member, lambda shape: shape if len(shape) > 1 else (*(shape or (1,)), 1)) for member in members]
    return _concatenated(given, matrices, are_all, 1)


@transfer("arrays dtype", np.dstack)
def stacked_in_depth(given: Operands) -> Type:
    members, are_all = _members(given, "arrays")

    def deep(shape: Shape) -> Shape:
        return (*((1,) * (2 - len(shape)) + shape), 1) if len(shape) < 3 else shape

    return _concatenated(given, [_with_rank(member, deep) for member in members], are_all, 2)


def _with_rank(seen: Seen, change: Any) -> Seen:
    return Seen(None if seen.shape is None else change(seen.shape), seen.dtype)


@transfer("a values axis", np.append)
def appended(given: Operands) -> Type:
    return _concatenated(given, [given.seen("a"), given.seen("values")], True, given.constant("axis", None))


@transfer("a reps", np.tile)
def tiled(given: Operands) -> Type:
    seen, counts = given.seen("a"), given.lengths("reps")
    if seen.shape is None or counts is None:
        return given.array_of(None, seen.dtype)
    rank = max(len(seen.shape), len(counts))
    padded = [(1,) * (rank - len(part)) + part for part in (seen.shape, counts)]
    return given.array_of([product(pair) for pair in zip(*padded, strict=True)], seen.dtype)


@transfer("a repeats axis", np.repeat, np.ndarray.repeat)
def repeated(given: Operands) -> Type:
    seen = given.seen("a")
    count = given.length("repeats")
    if seen.shape is None:
        return given.array_of(None, seen.dtype)
    axis = given.constant("axis", None)
    if axis is None:
        return given.array_of((None if count is None else product((product(seen.shape), count)),), seen.dtype)
    lengths = list(seen.shape)
    lengths[axis] = None if count is None else product((lengths[axis], count))
    return given.array_of(lengths, seen.dtype)


@transfer("arrays", np.block)
def block(given: Operands) -> Type:
    seen = given.seen("arrays")
    depth = 0
    kind = given.kind("arrays")
    while isinstance(kind, ListType):
        depth += 1
        kind = given.memory.load(kind.region, ELEMENT)
    if seen.shape is None:
        raise NotKnownError
    return given.array_of((None,) * max(depth, len(seen.shape) - depth), seen.dtype)


@transfer("iterable dtype count", np.fromiter)
def from_iterator(given: Operands) -> Type:
    return given.array_of((given.length("count") if given.has("count") else None,), given.dtype(_FLOAT64))
