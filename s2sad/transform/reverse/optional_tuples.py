"""Tuples of numbers that may be None, in containers: what is done with the parts of a shadow is done where there is a tuple.

The shadow of such a tuple is a list, that of None is None (or 0.0 where the whole shadow was made of zeros)::

    t = v[i]                      if t is not None:
    if t is not None:                 v_bar[i][0] += t_0_bar
        y = t[0]
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from s2sad.ir.nodes import Block, Call, Constant, If, Operand, Span, Value, Yield
from s2sad.ir.types import ANY, BOOL, OptionalType, TupleType, Type
from s2sad.transform.reverse.frames import Frame, leaves_of

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def may_be_no_tuple(kind: Type | None) -> bool:
    """Whether values of a type are tuples of numbers, or None."""
    return isinstance(kind, OptionalType) and isinstance(kind.inner, TupleType) and any(True for _ in leaves_of(kind.inner))


def where_it_is_one(
    engine: Engine,
    frame: Frame,
    operand: Operand,
    span: Span | None,
    make: Callable[[Frame], Sequence[Operand]],
    otherwise: Sequence[Operand] = (),
) -> Sequence[Operand]:
    """What `make` gives where an operand is a tuple, and `otherwise` where it is None."""
    if not isinstance(operand, Value) or not may_be_no_tuple(operand.type):
        return make(frame)
    is_there = engine.emit(frame, operator.is_not, operand, Constant(None), span=span, kind=BOOL)
    arm = Frame(Block((), Yield()), frame)
    values = make(arm)
    operations = tuple(item for item in arm.operations if isinstance(item, Call | If))
    assert len(operations) == len(arm.operations)
    results = tuple(Value("", getattr(value, "type", ANY), temporary=True) for value in values)
    arms = Block(operations, Yield(tuple(values))), Block((), Yield(tuple(otherwise)))
    frame.operations.append(If(is_there, *arms, results, span))
    return results
