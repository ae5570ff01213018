"""Reverse of sums that are written out: each element gets the adjoint of the whole sum.

Before::                          After::

    s = summed(s_1, a)                a_bar += s_bar       # summed along the axes along which `a` was broadcast
                                      s_1_bar = s_bar

What the sum so far is when the program runs may have fewer elements than the whole, or be the number 0. That is not asked: its
adjoint is that of the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import call_method, modelled, summed
from s2sad.ir.types import ListType, ScalarType, TupleType, strip_optional
from s2sad.transform.reverse.array_bars import filled, is_array, is_full, reduced, type_of
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.frames import Frame, bar_type

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def reverse_sum(engine: Engine, call: Call, frame: Frame) -> bool:
    """Write the reverse of a sum or of one of its steps. False: a call is neither."""
    assert isinstance(call.function, Constant)
    if call.function.value is modelled:
        bar = engine.arrays.bar(call.result, frame)
        if bar is not None:
            if is_array(call.result):
                bar = _whole(engine, call, bar, frame)
            engine.accumulate_operand(frame, call.arguments[-1], (), bar, call.span)
        return True
    if call.function.value is summed:
        total, element = call.arguments
        bar = engine.take(frame, (call.result, ()))
        if bar is not None:
            engine.accumulate_operand(frame, total, (), bar, call.span)
            if isinstance(element, Value) and element in engine.activity:
                part = bar if isinstance(type_of(bar), ScalarType) else reduced(engine, frame, bar, element, bar, call.span)
                engine.arrays.contribute(element, part, frame, call.span)
        return True
    return False


def _whole(engine: Engine, call: Call, bar: Operand, frame: Frame) -> Operand:
    """The adjoint of a sum in its shape; a number where all elements have that shape."""
    if memory_of(call.result) is not None:  # it goes on to change
        return engine.emit(frame, call_method, bar, Constant("copy"), span=call.span, kind=bar_type(type_of(bar)))
    if isinstance(type_of(bar), ScalarType) and all(is_full(element, type_of(call.result)) for element in _elements(call)):
        return bar
    return filled(engine, frame, bar, call.result, call.span)


def _elements(call: Call) -> tuple[Value, ...]:
    """What stands for the elements that a sum adds up: values of their types."""
    _, items, *start = call.arguments[:-1]
    kind = strip_optional(items.type) if isinstance(items, Value) else None
    kinds = kind.elements if isinstance(kind, TupleType) else (kind.element,) if isinstance(kind, ListType) else ()
    return (*(Value("", kind) for kind in kinds), *(one for one in start if isinstance(one, Value)))
