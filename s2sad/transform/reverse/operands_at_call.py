"""Lists and dicts that a rule reads in the reverse sweep, as they were at the call.

Axes, shapes, widths, indices: the reverse of a call reads them again, and a list may hold others by then. Where something may
change it after the call, the forward sweep keeps a copy, and the reverse sweep reads that::

    axes_used = axes.copy()                     u_bar += np.transpose(v_bar, np.argsort(axes_used))
    v = np.transpose(u, axes)
    axes.reverse()

Arrays that change are put back instead (:mod:`s2sad.transform.reverse.restoring`), unless a list holds them.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from s2sad.analysis.freezing import map_parts
from s2sad.analysis.memory import references_in
from s2sad.ir.nodes import Call, Constant, Operand, Value, blocks_of, operands_inside, operands_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, DictType, ListType, OptionalType, TupleType, Type
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.rewrite import replace_operands, substitute_block, with_blocks

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def read_as_at_call(engine: Engine, call: Call, frame: Frame, first: int) -> None:
    """Let the reverse of a call, which is in a frame from the operation at place `first` on, read containers as the call did."""
    if call in engine.halves or first == len(frame.operations):
        return
    changing = {operand for operand in operands_of(call) if isinstance(operand, Value) and _may_change(engine, call, operand)}
    if not changing:
        return
    kept: dict[Value, Operand] = {}
    for place in range(first, len(frame.operations)):
        operation = frame.operations[place]
        if isinstance(operation, (ReversedIf, ReversedLoop)):
            continue
        for operand in changing & operands_inside(operation):
            if operand not in kept:
                kept[operand] = _keep(engine, call, operand)
        if not kept.keys().isdisjoint(operands_inside(operation)):
            blocks = [substitute_block(block, kept) for block in blocks_of(operation)]
            operation = replace_operands(operation, kept)
            frame.operations[place] = with_blocks(operation, blocks) if blocks else operation


def _may_change(engine: Engine, call: Call, operand: Value) -> bool:
    """Whether an operand is a container, or a tuple of some, that may be another after a call."""
    if not isinstance(operand.type, (ListType, DictType, TupleType, OptionalType)):
        return False
    if isinstance(operand.type, (TupleType, OptionalType)) and operand in engine.activity:
        return False  # its parts have adjoints: what is read of it is how it is made up
    held = references_in(operand.type)
    containers = [region for region, kind in held.items() if isinstance(kind, (ListType, DictType))]
    if not containers or len(containers) + sum(isinstance(kind, ArrayType) for kind in held.values()) != len(held):
        return False
    # of arrays that a derivative passes through, rules read the shapes
    followed = containers if operand in engine.activity else held
    is_outside = engine.surroundings.may_change(operand)
    return is_outside or not all(engine.unchanged.is_stable(call, region) for region in followed)


def _keep(engine: Engine, call: Call, operand: Value) -> Value:
    """Let the forward sweep copy an operand before a call."""
    saved = Value(f"{operand.name}_used" if operand.name else "used", _apart(operand.type), temporary=True)
    kind = operand.type
    is_flat = isinstance(kind, (ListType, DictType)) and (operand in engine.activity or len(references_in(kind)) == 1)
    made = (
        Call(saved, Constant(call_method), (operand, Constant("copy")), (), call.span)
        if is_flat
        else Call(saved, Constant(copy.deepcopy), (operand,), (), call.span)
    )
    engine.additions.place_before(call, made)
    engine.structure.define(saved, engine.structure.home[call.result], call)
    return saved


def _apart(kind: Type) -> Type:
    """The type of a copy, which shares its memory with nothing."""
    match kind:
        case ListType():
            return ListType(_apart(kind.element))
        case DictType():
            fields = tuple((key, _apart(field)) for key, field in kind.fields)
            return DictType(kind.key, _apart(kind.value), 0, fields)
        case ArrayType():
            return replace(kind, region=0, fixed=True)
    return map_parts(kind, _apart)
