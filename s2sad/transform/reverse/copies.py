"""Copies that may be views: what is added to the adjoint of an array by what was, perhaps, made of it.

The shadow of a view is a view of the shadow, and there is nothing to add. Whether ``y = x.reshape(…)`` gave a view, only the
running program knows; where it gave a copy, the copy has an adjoint as any other result.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import way_on_arrays
from s2sad.ir.nodes import Block, Call, Constant, If, Operand, Value, Yield
from s2sad.ir.operations import call_method
from s2sad.ir.types import ANY, BOOL
from s2sad.transform.hold_numbers import is_held
from s2sad.transform.reverse.array_names import (
    is_always_view,
    is_copied_in_order,
    is_indexing,
    is_same_object,
    is_view,
    memory_of,
)
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop
from s2sad.transform.reverse.shadow_calls import shadows_among
from s2sad.transform.rewrite import count_uses

if TYPE_CHECKING:
    from s2sad.transform.reverse.arrays import ArrayReverser
    from s2sad.transform.reverse.engine import Engine


def reverse_held(arrays: ArrayReverser, call: Call, frame: Frame) -> None:
    """A number stands for an array: its adjoint is the one element of the shadow."""
    if call.arguments[0] in arrays.engine.activity:
        shadow = arrays.engine.containers.shadow(call.result, frame)
        bar = arrays.engine.emit(frame, call_method, shadow, Constant("item"), span=call.span)
        arrays.contribute(call.arguments[0], bar, frame, call.span)


def reverse_adding(arrays: ArrayReverser, call: Call, function: object, places: tuple[int, ...], frame: Frame) -> None:
    """A shadow is added to another one."""
    engine = arrays.engine
    operands = [call.arguments[place] for place in places]
    if any(map(engine.containers.is_active, operands)):
        shadows = [engine.containers.shadow(operand, frame) for operand in operands]
        rest = call.arguments[len(places) :]
        engine.emit(frame, function, *shadows, *rest, span=call.span, kind=ANY)


def reverse_view_or_copy(arrays: ArrayReverser, call: Call, frame: Frame) -> None:
    """``y = x.reshape(…)`` and the like. The shadow of a view is a view of the shadow; where the running program finds that a
    copy was made, the adjoint of the copy is added as that of any other result."""
    engine, owner = arrays.engine, call.arguments[0]
    is_done = is_always_view(call) or shadows_among(call) is not None  # zeros, where it is no view
    if not isinstance(owner, Value) or owner not in engine.activity or is_done:
        return
    shadows = [engine.containers.shadow(operand, frame) for operand in (owner, call.result)]
    order = is_copied_in_order(call)
    if order is not None:
        options = [Constant(order)] if order != "C" else []
        engine.emit(frame, runtime.add_copied, *shadows, *options, span=call.span, kind=ANY)
        return
    shares = engine.emit(frame, np.may_share_memory, *shadows, span=call.span, kind=BOOL)
    is_copy = engine.emit(frame, operator.not_, shares, span=call.span, kind=BOOL)
    inner = Frame(frame.block, frame)
    if is_indexing(call):
        arrays.add_to_part(owner, call.arguments[1], shadows[1], call.result, inner, call.span)
    else:
        engine.calls.reverse_by_rule(call, shadows[1], inner)
    added = [node for node in inner.operations if not isinstance(node, (ReversedLoop, ReversedIf))]
    frame.operations.append(If(is_copy, Block(tuple(added), Yield()), Block((), Yield()), (), call.span))


def has_one_name(engine: Engine, owner: Operand) -> bool:
    """Whether nothing but one operation reads a value that was made anew, in a straight line or in the arms of an `if`."""
    if not isinstance(owner, Value) or count_uses(engine.function).get(owner, 0) > 1:
        return False
    definition = engine.structure.definition.get(owner)
    if isinstance(definition, If):
        place = definition.results.index(owner)
        leaves = [arm.terminator for arm in (definition.then, definition.orelse)]
        return all(has_one_name(engine, leaf.values[place]) for leaf in leaves if isinstance(leaf, Yield))
    if not isinstance(definition, Call):
        return False
    if is_same_object(definition):
        return has_one_name(engine, definition.arguments[0])
    is_element = (
        is_indexing(definition) and memory_of(definition.arguments[0]) is not None
    )  # of an array: a new number, or a view
    return is_element or is_held(definition) or way_on_arrays(definition) == "make"


def is_surely_array(engine: Engine, value: Value) -> bool:
    """Whether a value is no number for certain, though it is not known how many axes it has."""
    definition = engine.structure.definition.get(engine.origins.get(value) or value)
    return isinstance(definition, Call) and is_view(definition)
