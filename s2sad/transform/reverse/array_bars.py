"""Adjoints of arrays while they are on their way: of which shape they are, and how they come to fit what they are added to.

The adjoint of an array may be smaller than the array, as long as it broadcasts to its shape: that of `u` in ``np.sum(u * u)`` is
``2 * u``, and the one of the product is the number 1.0. Where an operand was broadcast, its adjoint is a sum::

    z = x + b        # 5 x 3, and 3            b_bar = np.sum(z_bar, axis=0)
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_shapes import Shape, broadcast, is_not_one
from s2sad.analysis.array_types import UFUNCS
from s2sad.analysis.memory import joined_dtype
from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Call, Constant, Function, Operand, Span, Value, operands_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import ANY, FLOAT, INT, AnyType, ArrayType, Length, ScalarType, Type, strip_optional
from s2sad.transform.reverse.array_names import is_indexing, is_view
from s2sad.transform.reverse.frames import Frame, bar_type

#: The dtypes of less than double precision.
_NARROW: Final = ("float16", "float32")

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def type_of(operand: Operand) -> Type:
    """The type of an operand, None left out."""
    return strip_optional(operand.type if isinstance(operand, Value) else type_of_constant(operand))


def is_array(operand: Operand) -> bool:
    """Whether an operand is an array (or may be one)."""
    return isinstance(type_of(operand), ArrayType)


def shape_of(kind: Type) -> Shape | None:
    """The shape of an array or a number; None where it is not known."""
    if isinstance(kind, ScalarType):
        return ()
    return kind.shape if isinstance(kind, ArrayType) else None


def elementwise_type(operands: Sequence[Operand]) -> Type:
    """What arithmetic on numbers and arrays gives."""
    kinds = [type_of(operand) for operand in operands]
    arrays = [kind for kind in kinds if isinstance(kind, ArrayType)]
    if not arrays:
        return ANY if any(isinstance(kind, AnyType) for kind in kinds) else FLOAT
    dtype = arrays[0].dtype
    for kind in kinds:
        other = kind.dtype if isinstance(kind, (ArrayType, ScalarType)) else ""
        dtype = joined_dtype(dtype, other) if other else dtype
    if np.dtype(dtype).kind != "f":
        dtype = "float64"
    shapes = [shape_of(kind) for kind in kinds]
    if all(shape == () for shape in shapes):
        return ScalarType("float", dtype)  # NumPy makes numbers of arrays without axes
    known = [shape for shape in shapes if shape is not None]
    return ArrayType(dtype, broadcast(*known) if len(known) == len(shapes) else None, 0, fixed=True)


def in_shape_of(whole: Operand, kind: Type) -> Type:
    """The type of an adjoint that has the shape of a value, as far as that is known."""
    shape = shape_of(type_of(whole))
    is_known = isinstance(kind, ArrayType) and shape and None not in shape
    return replace(kind, shape=shape) if is_known and isinstance(kind, ArrayType) else kind


def is_zero(bar: Operand) -> bool:
    """Whether an adjoint is the number 0."""
    return isinstance(bar, Constant) and bar.value == 0.0


def is_full(bar: Operand, kind: Type) -> bool:
    """Whether an adjoint is known to have the shape of the value of this type."""
    shape = shape_of(type_of(bar))
    return shape is not None and None not in shape and shape == shape_of(kind)


def is_whole(engine: Engine, bar: Operand, value: Operand) -> bool:
    """Whether an adjoint has the shape of a value, known or not."""
    return is_full(bar, type_of(value)) or (isinstance(bar, Value) and engine.whole.get(bar) is value)


def real_dtype(engine: Engine, kind: Type) -> tuple[tuple[str, Operand], ...]:
    """The ``dtype=`` of an array for the adjoint of one like it, where that may be one of integers when the program runs."""
    if not isinstance(kind, ArrayType) or (kind.is_real and not engine.has_integers):
        return ()
    return (("dtype", Constant(np.dtype(kind.dtype).type if kind.is_real and kind.dtype != "float64" else float)),)


def is_number_for(bar: Operand, kind: Type) -> bool:
    """Whether an adjoint is a number that serves for that of an array without axes, where nothing is stored into it: one of
    NumPy, which has the methods of arrays."""
    number = type_of(bar)
    return isinstance(number, ScalarType) and bool(number.dtype) and shape_of(kind) == ()


def filled(engine: Engine, frame: Frame, bar: Operand, value: Operand, span: Span | None, name: str = "") -> Operand:
    """An adjoint in the full shape of an array."""
    # a number has the shape of an array without axes, and not its methods
    if bar is value or not is_array(value) or (is_array(bar) and is_whole(engine, bar, value)):
        return bar
    kind = bar_type(type_of(value))
    keywords = real_dtype(engine, type_of(value))
    if isinstance(bar, Constant) and bar.value == 0.0:
        return engine.emit(frame, np.zeros_like, value, span=span, kind=kind, name=name, keywords=keywords)
    return spread(engine, frame, bar, value, kind, span, name)


def spread(engine: Engine, frame: Frame, bar: Operand, value: Operand, kind: Type, span: Span | None, name: str) -> Value:
    """An adjoint as a new array in the shape of a value."""
    if is_array(value) and isinstance(type_of(bar), ScalarType):
        keywords = real_dtype(engine, type_of(value))
        return engine.emit(frame, np.full_like, value, bar, span=span, kind=kind, name=name, keywords=keywords)
    made = engine.emit(frame, runtime.broadcast_like, bar, value, span=span, kind=kind, name=name)
    engine.whole[made] = value
    return made


def reduced(engine: Engine, frame: Frame, bar: Operand, operand: Value, result: Operand, span: Span | None) -> Operand:
    """The part of an adjoint that belongs to an operand which was broadcast to the shape of the result."""
    whole, part = shape_of(type_of(result)), shape_of(type_of(operand))
    if isinstance(type_of(result), ScalarType) or (whole is not None and whole == part and None not in whole):
        return bar
    name = engine.name_of_bar((operand, ()))
    if part == () and not is_array(operand):
        if isinstance(type_of(bar), ScalarType):
            size = engine.emit(frame, getattr, result, Constant("size"), span=span, kind=INT)
            return engine.emit(frame, operator.mul, bar, size, span=span, name=name)
        full = filled(engine, frame, bar, result, span)
        return engine.emit(frame, np.sum, full, span=span, name=name)
    if whole is None or part is None:
        return unbroadcast(engine, frame, bar, operand, result, span, name)
    leading = len(whole) - len(part)
    if leading < 0:  # it was stored without its first axes, which have the length 1
        full = filled(engine, frame, bar, result, span)
        if whole == part[-leading:] and None not in whole:
            axes = Constant((*([None] * -leading), Ellipsis) if leading < -1 else None)
            return engine.emit(frame, operator.getitem, full, axes, span=span, kind=_with_dtype_of(full, operand), name=name)
        return engine.emit(frame, runtime.unbroadcast, full, operand, span=span, kind=bar_type(operand.type), name=name)
    stretched = [leading + axis for axis, length in enumerate(part) if length == 1 and whole[leading + axis] != 1]
    unknown = [
        axis
        for axis, length in enumerate(part)
        if length != 1 and not is_not_one(length) and (length is None or whole[leading + axis] != length)
    ]
    if unknown:
        return unbroadcast(engine, frame, bar, operand, result, span, name)
    if not leading and not stretched:
        return bar
    full = filled(engine, frame, bar, result, span)
    kind = _with_dtype_of(full, operand)
    assert isinstance(kind, ArrayType)
    if stretched:
        kept = tuple(1 if axis in stretched else length for axis, length in enumerate(whole))
        axes = Constant(tuple(stretched) if len(stretched) > 1 else stretched[0])
        inner = ArrayType(kind.dtype, kept, 0, fixed=True)
        full = emit_sum(engine, frame, full, axes, span, inner, name if not leading else "", keepdims=True)
    if leading:
        axes = Constant(tuple(range(leading)) if leading > 1 else 0)
        full = emit_sum(engine, frame, full, axes, span, kind, name)
    return full


def _with_dtype_of(bar: Operand, operand: Value) -> Type:
    """The type of an adjoint that has the shape of an operand, and is still in the precision of what it is computed from."""
    kind, have = bar_type(operand.type), type_of(bar)
    return replace(kind, dtype=have.dtype) if isinstance(kind, ArrayType) and isinstance(have, ArrayType) else kind


def at_hand(engine: Engine, value: Value) -> Value:
    """What an array that a loop makes was computed from element by element, if that is of the same shape and dtype, and a part of
    an array from outside of the loop: it can be asked for its shape where the array itself would have to be saved."""
    found = value
    while not _is_at_hand(engine, found):
        definition = engine.structure.definition.get(found)
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant) or definition.keywords:
            return value
        function, kind = definition.function.value, type_of(found)
        if not isinstance(kind, ArrayType) or (function not in UFUNCS and not isinstance(function, np.ufunc)):
            return value
        alike = [other for other in definition.arguments if isinstance(other, Value) and _is_alike(type_of(other), kind)]
        if not alike:
            return value
        found = next((other for other in alike if _is_at_hand(engine, other)), alike[0])
    return found


def _is_at_hand(engine: Engine, value: Value) -> bool:
    structure = engine.structure
    if value not in structure.home or structure.home[value] is structure.root:
        return True
    definition = structure.definition.get(value)
    owner = definition.arguments[0] if isinstance(definition, Call) and is_indexing(definition) and is_view(definition) else None
    return isinstance(owner, Value) and _is_at_hand(engine, owner)


def _is_alike(kind: Type, other: ArrayType) -> bool:
    is_known = isinstance(kind, ArrayType) and kind.shape is not None and None not in kind.shape
    return is_known and isinstance(kind, ArrayType) and (kind.dtype, kind.shape) == (other.dtype, other.shape)


def unbroadcast(
    engine: Engine, frame: Frame, bar: Operand, operand: Value, result: Operand, span: Span | None, name: str
) -> Operand:
    """The part that belongs to an operand, where the running program knows along which axes it was broadcast. What has been
    summed so to the shape of the result is summed at once: the terms of ``a + b + c`` need no shape of ``a + b``."""
    full = filled(engine, frame, bar, result, span)
    is_known = isinstance(full, Value) and engine.whole.get(full) is result
    source = engine.summed_from.get(full, full) if is_known and isinstance(full, Value) else full
    if source is not full and isinstance(full, Value):
        engine.passed_over.add(full)
    like = at_hand(engine, operand)
    made = engine.emit(frame, runtime.unbroadcast, source, like, span=span, kind=bar_type(operand.type), name=name)
    if shape_of(type_of(operand)) is not None:  # it is no number
        engine.whole[made] = operand
        engine.summed_from[made] = source
    return made


def emit_sum(
    engine: Engine,
    frame: Frame,
    bar: Operand,
    axes: Constant,
    span: Span | None,
    kind: Type,
    name: str,
    *,
    keepdims: bool = False,
) -> Value:
    """``np.sum(bar, axis=axes)``"""
    keywords = (("axis", axes), *([("keepdims", Constant(True))] if keepdims else []))
    return engine.emit(frame, np.sum, bar, span=span, kind=kind, name=name, keywords=keywords)


def in_precision_of(engine: Engine, frame: Frame, bar: Operand, kind: Type, span: Span | None) -> Operand:
    """An adjoint in the precision of its value: what met an array of double precision on its way comes back to single."""
    have, want = type_of(bar), bar_type(kind)
    if isinstance(want, ArrayType) and isinstance(have, ArrayType) and have.dtype != want.dtype:
        made = ArrayType(want.dtype, have.shape, 0, fixed=True)
        if have.shape is None or None in have.shape:  # it may be a number of Python
            return engine.emit(frame, getattr(np, want.dtype), bar, span=span, kind=made)
        return engine.emit(frame, call_method, bar, Constant("astype"), Constant(want.dtype), span=span, kind=made)
    return bar


def find_widened(function: Function) -> frozenset[Value]:
    """NumPy's numbers of less than double precision that meet numbers or arrays of more: their adjoints come back as those."""
    return frozenset(
        operand
        for node in nodes_of(function)
        if isinstance(node, Call) and _dtype_of(node.result) == "float64"
        for operand in operands_of(node)
        if isinstance(operand, Value) and isinstance(operand.type, ScalarType) and operand.type.dtype in _NARROW
    )


def _dtype_of(value: Value) -> str:
    kind = type_of(value)
    return kind.dtype if isinstance(kind, (ArrayType, ScalarType)) else ""


def narrowed(engine: Engine, frame: Frame, bar: Operand, value: Value, span: Span | None) -> Operand:
    """The adjoint of a number in the number's precision: ``np.float32(s_bar)``"""
    if value not in engine.widened or isinstance(bar, Constant):
        return bar
    assert isinstance(value.type, ScalarType)
    return engine.emit(
        frame, getattr(np, value.type.dtype), bar, span=span, kind=value.type, name=engine.name_of_bar((value, ()))
    )


def _may_be_smaller(here: Length, length: Length) -> bool:
    """Whether an axis of an adjoint may have one element where that of the operand has more, or more where that has one."""
    return not (length == 1 or is_not_one(here) or is_not_one(length) or (here == length and length is not None))


def fitted(engine: Engine, frame: Frame, bar: Operand, operand: Value, span: Span | None) -> Operand:
    """An adjoint that a rule gives: of a shape that broadcasts to the operand's, or of what the operand was broadcast to."""
    have, want = shape_of(type_of(bar)), shape_of(type_of(operand))
    if have == ():
        return bar
    if have is not None and want is not None and want != ():
        padded = (1,) * (len(want) - len(have)) + have
        if len(padded) == len(want) and all(a == 1 or (a == b and a is not None) for a, b in zip(padded, want, strict=True)):
            return bar
        if len(have) < len(want):  # fewer axes: it broadcasts to the operand's shape
            return engine.emit(frame, runtime.broadcast_like, bar, operand, span=span, kind=bar_type(operand.type))
        pairs = [*zip(have[len(have) - len(want) :], want, strict=True)]
        kind = bar_type(operand.type)
        if any(_may_be_smaller(here, length) for here, length in pairs) and isinstance(kind, ArrayType):
            lengths = tuple([length if length in (1, here) or is_not_one(here) else None for here, length in pairs])
            kind = ArrayType(kind.dtype, lengths, 0, fixed=True)
            return engine.emit(frame, runtime.unbroadcast, bar, at_hand(engine, operand), span=span, kind=kind)
        return reduced(engine, frame, bar, operand, bar, span)
    if isinstance(type_of(operand), ScalarType):
        return engine.emit(frame, np.sum, bar, span=span, name=engine.name_of_bar((operand, ())))
    kind = bar_type(operand.type)
    kind = ArrayType(kind.dtype, None, 0, fixed=True) if isinstance(kind, ArrayType) else kind  # it may have fewer elements
    return engine.emit(frame, runtime.unbroadcast, bar, operand, span=span, kind=kind)
