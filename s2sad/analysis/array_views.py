"""The types of other arrangements of the same elements. What may share the memory of its operand has the operand's region."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_operands import NotKnownError, Operands
from s2sad.analysis.array_shapes import Count, Shape, broadcast, plus, product
from s2sad.analysis.array_types import transfer
from s2sad.ir.types import NONE, ArrayType, Extent, Length, TupleType, Type


@transfer("a *shape", np.ndarray.reshape, way="either")
@transfer("a shape order copy", np.reshape, way="either")
def reshaped(given: Operands) -> Type:
    seen = given.seen("a")
    shape = given.lengths("shape")
    if shape is not None and shape.count(-1) == 1:
        known = [length for length in shape if length != -1]
        place = shape.index(-1)
        shape = (*shape[:place], quotient(seen.shape, known), *shape[place + 1 :])
    return given.arranged(seen, shape)


def quotient(shape: Shape | None, known: Sequence[Length]) -> Length:
    """The length that is left for ``-1``."""
    if shape is None:
        return None
    rest = list(shape)
    for length in known:
        if length == 1:
            continue
        if length is not None and length in rest:
            if length == 0:
                return None
            rest.remove(length)
        else:
            numbers = [item for item in rest if isinstance(item, int)]
            whole = product(numbers)
            if len(rest) == 1 and isinstance(rest[0], Extent) and isinstance(length, int) and length > 1:
                rest = [Count(f"{rest[0]} / {length}").length]  # it may be 1
                continue
            if not isinstance(length, int) or length == 0 or not isinstance(whole, int) or whole % length:
                return None
            rest = [whole // length, *(item for item in rest if not isinstance(item, int))]
    return product(rest)


@transfer("a order", np.ravel, np.ndarray.ravel, way="either")
def flat(given: Operands) -> Type:
    seen = given.seen("a")
    return given.view(seen, (None if seen.shape is None else product(seen.shape),))


@transfer("a line", runtime.flat_view, way="view")
def flat_while_it_changes(given: Operands) -> Type:
    return flat(given)


@transfer("a order", np.ndarray.flatten)
def flattened(given: Operands) -> Type:
    seen = given.seen("a")
    return given.array_of((None if seen.shape is None else product(seen.shape),), seen.dtype)


@transfer("a *axes", np.ndarray.transpose, way="view")
@transfer("a axes", np.transpose, way="view")
@transfer("a", np.ndarray.T, way="view")
def transposed(given: Operands) -> Type:
    seen = given.seen("a")
    axes = given.named.get("axes")
    order: Any = None
    if isinstance(axes, tuple):
        order = tuple(map(_integer, map(given.length_of, axes))) if len(axes) != 1 else given.fact_of(axes[0])
        if len(axes) == 1 and order is None and given.kind_of(axes[0]) != NONE:
            raise NotKnownError
    else:
        order = given.constant("axes", None)
    if seen.shape is None:
        return given.view(seen, None)
    if not order and order != 0:
        return given.arranged(seen, seen.shape[::-1])
    order = (order,) if isinstance(order, int) else order
    return given.arranged(seen, [seen.shape[axis] for axis in map(_integer, order)])


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise NotKnownError
    return value


@transfer("a", np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT, way="view")
def transposed_matrices(given: Operands) -> Type:
    seen = given.seen("a")
    return given.view(seen, None if seen.shape is None else (*seen.shape[:-2], *seen.shape[:-3:-1]))


@transfer("a axis1 axis2", np.swapaxes, np.ndarray.swapaxes, way="view")
def swapped(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        return given.view(seen, None)
    order = list(range(len(seen.shape)))
    first, second = _integer(given.constant("axis1", None)), _integer(given.constant("axis2", None))
    order[first], order[second] = order[second], order[first]
    return given.view(seen, [seen.shape[axis] for axis in order])


@transfer("a source destination", np.moveaxis, way="view")
@transfer("a axis start", np.rollaxis, way="view")
def moved(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        return given.view(seen, None)
    if "source" in given.named:
        order: Any = np.moveaxis(_numbered(len(seen.shape)), given.constant("source", 0), given.constant("destination", 0)).shape
    else:
        order = np.rollaxis(_numbered(len(seen.shape)), given.constant("axis", 0), given.constant("start", 0)).shape
    return given.view(seen, [seen.shape[length - 1] for length in order])


def _numbered(rank: int) -> Any:
    """An array whose lengths tell the axes."""
    return np.broadcast_to(0, range(1, rank + 1))


@transfer("a axis", np.squeeze, np.ndarray.squeeze, way="view")
def squeezed(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        return given.view(seen, None)
    axes = given.axes(len(seen.shape))
    if axes is None:
        if any(length is None or (isinstance(length, Extent) and length.less) for length in seen.shape):
            return given.view(seen, None)  # the rank depends on the lengths
        axes = tuple(axis for axis, length in enumerate(seen.shape) if length == 1)
    return given.arranged(seen, [length for axis, length in enumerate(seen.shape) if axis not in axes])


@transfer("a axis", np.expand_dims, way="view")
def expanded(given: Operands) -> Type:
    seen = given.seen("a")
    axis = given.constant("axis", 0)
    if seen.shape is None:
        return given.view(seen, None)
    added = axis if isinstance(axis, tuple) else (axis,)
    rank = len(seen.shape) + len(added)
    rest = iter(seen.shape)
    places = [place % rank for place in added]
    return given.view(seen, [1 if place in places else next(rest) for place in range(rank)])


def _at_least(least: int) -> Any:
    def padded(given: Operands) -> Type:
        arrays = given.all("arrays")
        results = []
        for operand in arrays:
            seen = given.see(operand)
            shape = None if seen.shape is None else _padded(seen.shape, least)
            results.append(given.view(seen, shape))
        return results[0] if len(results) == 1 else TupleType(tuple(results))

    return padded


def _padded(shape: Shape, least: int) -> Shape:
    match least, shape:
        case 3, (length,):
            return (1, length, 1)
        case 3, (first, second):
            return (first, second, 1)
    return (1,) * (least - len(shape)) + shape


_FUNCTIONS_AT_LEAST: tuple[Callable[..., Any], ...] = (np.atleast_1d, np.atleast_2d, np.atleast_3d)
for _least, _function in enumerate(_FUNCTIONS_AT_LEAST, 1):
    transfer("*arrays", _function, way="either")(_at_least(_least))


@transfer("a shape subok", np.broadcast_to, way="view")
def stretched(given: Operands) -> Type:
    return given.view(given.seen("a"), given.lengths("shape"))


@transfer("x window_shape axis", np.lib.stride_tricks.sliding_window_view, way="view")
def windows(given: Operands) -> Type:
    seen, lengths, axes = given.seen("x"), given.lengths("window_shape"), given.constant("axis", None)
    if seen.shape is None or lengths is None:
        return given.view(seen, None)
    whole = list(seen.shape)
    places = range(len(whole)) if axes is None else axes if isinstance(axes, tuple) else (axes,)
    for place, length in zip(places, lengths, strict=True):
        before = whole[place]
        whole[place] = plus(before, 1 - length) if isinstance(length, int) else None
    return given.view(seen, (*whole, *lengths))


@transfer("*arrays", np.broadcast_arrays, way="view")
def stretched_together(given: Operands) -> Type:
    seen = [given.see(operand) for operand in given.all("arrays")]
    shapes = [part.shape for part in seen if part.shape is not None]
    shape = broadcast(*shapes) if len(shapes) == len(seen) else None
    return TupleType(tuple(given.view(part, shape) for part in seen))


@transfer("a offset axis1 axis2", np.diagonal, np.ndarray.diagonal, way="view")
def diagonal(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        return given.view(seen, None)
    axes = [_integer(given.constant(name, default)) % len(seen.shape) for name, default in (("axis1", 0), ("axis2", 1))]
    lengths = [seen.shape[axis] for axis in axes]
    length = lengths[0] if lengths[0] == lengths[1] and given.constant("offset", 0) == 0 else None
    if all(isinstance(item, int) for item in lengths):
        length = len(np.diagonal(np.broadcast_to(0, lengths), given.constant("offset", 0)))  # type: ignore[arg-type]
    return given.view(seen, (*(item for axis, item in enumerate(seen.shape) if axis not in axes), length))


@transfer("v k", np.diag, way="either")
def matrix_of_diagonal(given: Operands) -> Type:
    seen, offset = given.seen("v"), _integer(given.constant("k", 0))
    if seen.shape is None:
        raise NotKnownError
    if len(seen.shape) == 1:
        length = seen.shape[0]
        side = length if offset == 0 else length + abs(offset) if isinstance(length, int) else None
        return given.array_of((side, side), seen.dtype)
    lengths = seen.shape
    length = lengths[0] if lengths[0] == lengths[1] and offset == 0 else None
    return given.view(seen, (length,))


@transfer("a indices_or_sections axis", np.split, np.array_split, way="either")
def parts(given: Operands) -> Type:
    seen = given.seen("a")
    if seen.shape is None:
        return given.list_of(given.view(seen, None))
    lengths: list[Length] = list(seen.shape)
    lengths[_integer(given.constant("axis", 0))] = None
    return given.list_of(given.view(seen, lengths))


@transfer("a indices_or_sections", np.vsplit, np.hsplit, np.dsplit, way="either")
def parts_along_an_axis(given: Operands) -> Type:
    seen = given.seen("a")
    return given.list_of(given.view(seen, None if seen.shape is None else (None,) * len(seen.shape)))


@transfer("a k axes", np.rot90, way="view")
@transfer("m axis", np.flip, way="view")
@transfer("m", np.flipud, np.fliplr, way="view")
def flipped(given: Operands) -> Type:
    name = "a" if "a" in given.named else "m"
    seen = given.seen(name)
    if name == "a" and seen.shape is not None:
        return given.view(seen, (None,) * len(seen.shape))
    if seen.shape == ():
        return given.new((), seen.dtype)  # an index without axes makes a number of it
    return given.view(seen, seen.shape)


@transfer("a", np.real, np.ndarray.real, way="view")
def real_part(given: Operands) -> Type:
    seen = given.seen("a")
    real = np.dtype(seen.dtype.type(0).real.dtype)
    if seen.shape == () and not isinstance(given.kind("a"), ArrayType):
        return given.new((), real)
    return given.array_of(seen.shape, real, seen.region)


@transfer("a", np.imag, np.ndarray.imag, way="view")
def imaginary_part(given: Operands) -> Type:
    return real_part(given)


@transfer("a", np.ndarray.conjugate, np.ndarray.conj, way="either")
def conjugated(given: Operands) -> Type:
    """Of real numbers, the array itself."""
    seen = given.seen("a")
    if seen.shape == () and not isinstance(given.kind("a"), ArrayType):
        return given.new((), seen.dtype)
    return given.array_of(seen.shape, seen.dtype, seen.region)
