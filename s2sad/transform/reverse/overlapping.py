"""Stores of a part of an array into another part of it.

NumPy makes a copy of what it stores first, if there are several axes, or where one part runs backwards. With one axis it goes
element by element, and where the parts have different steps it may read what it has stored already::

    y[::2] = y[:4]               # y[0], y[1], and y[1] again, which now stands in y[2], ...

Then the reverse asks NumPy which element came from where, by doing the same to integers that lie in memory as the shadows do::

    sources = runtime.sources_of_store(y_bar[::2], y_bar[:4])
    y_bar_part = y_bar[::2].copy()
    y_bar[::2] = 0.0
    np.add.at(y_bar[:4], sources, y_bar_part)
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_shapes import Bounds
from s2sad.ir.nodes import Call, Constant, Operand, Span, Value
from s2sad.ir.operations import call_method, make_tuple
from s2sad.ir.types import ANY, ArrayType, OpaqueType, ScalarType, TupleType
from s2sad.transform.reverse.array_bars import type_of
from s2sad.transform.reverse.array_names import is_indexing, is_view, is_view_or_copy, memory_of
from s2sad.transform.reverse.frames import ZERO, Frame, shadow_array_type
from s2sad.transform.reverse.restoring import ALL

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

#: An axis of an array, and the step along it.
Way = tuple[int, int]


def may_overlap(engine: Engine, owner: Value, key: Operand, stored: Operand) -> bool:
    """Whether a store may read elements that it has set already."""
    if not isinstance(stored, Value) or memory_of(stored) is None or memory_of(stored) != memory_of(owner):
        return False
    kind = type_of(stored)
    if isinstance(kind, ArrayType) and kind.shape is not None and len(kind.shape) > 1:
        return False
    definition = engine.structure.definition.get(engine.origins.get(stored) or stored)
    if isinstance(definition, Call) and not is_view(definition) and not is_view_or_copy(definition):
        return False  # it has been made anew
    if not isinstance(definition, Call) or not is_indexing(definition) or definition.arguments[0] is not owner:
        return True
    target, source = _way(engine, owner, key), _way(engine, owner, definition.arguments[1])
    # parts that run the same way are moved as a whole; for one that runs backwards there is a copy
    return target is None or source is None or (target != source and target[1] * source[1] > 0)


def is_basic(engine: Engine, key: Operand) -> bool:
    """Whether an index is one of integers and slices, which gives a view."""
    return all(_is_basic_part(part) for part in _parts(engine, key))


def _is_basic_part(part: Operand) -> bool:
    if isinstance(part, Constant):
        return part.value is None or (isinstance(part.value, int | slice | type(...)) and not isinstance(part.value, bool))
    kind = part.type
    return isinstance(kind, ScalarType) or (isinstance(kind, OpaqueType) and kind.cls in (slice, type(...)))


def _way(engine: Engine, owner: Value, key: Operand) -> Way | None:
    """The way that an index with one axis goes through an array; None where that is not known."""
    kind = type_of(owner)
    if not isinstance(kind, ArrayType) or kind.shape is None:
        return None
    ways: list[Way] = []
    axis = 0
    for part in _parts(engine, key):
        if part is ALL or (isinstance(part, Constant) and part.value is Ellipsis):
            if len(_parts(engine, key)) > 1:
                return None
            break
        if isinstance(type_of(part), ScalarType):
            axis += 1
            continue
        bounds = engine.fact_of(part)
        step = 1 if isinstance(bounds, Bounds) and bounds.step is None else getattr(bounds, "step", None)
        if not isinstance(step, int) or step == 0:
            return None
        ways.append((axis, step))
        axis += 1
    ways += [(rest, 1) for rest in range(axis, len(kind.shape))]
    return ways[0] if len(ways) == 1 else None


def _parts(engine: Engine, key: Operand) -> Sequence[Operand]:
    """What an index says of each axis."""
    if isinstance(key, Constant):
        return tuple(map(Constant, key.value)) if isinstance(key.value, tuple) else (key,)
    definition = engine.structure.definition.get(key)
    if isinstance(key.type, TupleType) and isinstance(definition, Call) and isinstance(definition.function, Constant):
        return definition.arguments if definition.function.value is make_tuple else (key,)
    return (key,)


def reverse_overlapping(engine: Engine, owner: Value, key: Operand, stored: Value, frame: Frame, span: Span | None) -> None:
    """See the module's docstring."""
    shadow, source = engine.containers.shadow(owner, frame), engine.containers.shadow(stored, frame)
    kind = engine.type_of_item(owner, key)
    if not isinstance(stored.type, ArrayType) or stored.type.shape is None:  # it may be a number
        source = engine.emit(frame, np.atleast_1d, source, span=span, kind=ArrayType("float64", None))
    part = shadow_array_type(kind) if isinstance(kind, ArrayType) else None
    part = part if isinstance(part, ArrayType) else ArrayType("float64", None)
    target = engine.emit(frame, operator.getitem, shadow, key, span=span, kind=part)
    places = ArrayType("int64", part.shape, 0, fixed=True)
    sources = engine.emit(frame, runtime.sources_of_store, target, source, span=span, kind=places)
    copied = ArrayType(part.dtype, part.shape, 0, fixed=True)
    bar = engine.emit(frame, call_method, target, Constant("copy"), span=span, kind=copied)
    engine.emit(frame, operator.setitem, shadow, key, ZERO, span=span, kind=ANY)
    engine.emit(frame, np.add.at, source, sources, bar, span=span, kind=ANY)
