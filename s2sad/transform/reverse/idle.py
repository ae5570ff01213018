"""Shapes that nobody asks for after all: what brings an adjoint to the shape of a sum, where the terms are brought to theirs at
once.

Before::                                        After::

    t_bar = unbroadcast(s_bar, t)                   a_bar = unbroadcast(s_bar, a)
    a_bar = unbroadcast(s_bar, a)

Without it `t` need not be saved. This comes before it is decided what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from s2sad.ir.nodes import Call, Operand, Value, blocks_of, operands_of, walk
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop


def drop_idle(frames: Sequence[Frame], passed_over: Set[Value]) -> None:
    """Leave out what was `passed_over`, if nobody reads it."""
    while passed_over:
        read = {operand for frame in frames for operand in _read(frame)}
        idle = passed_over - read
        dropped = [_drop(frame, idle) for frame in frames]
        if not any(dropped):
            return


def _read(frame: Frame) -> Iterable[Operand | None]:
    """All that a frame reads or hands on."""
    yield from frame.bars.values()
    for operation in frame.operations:
        match operation:
            case ReversedLoop():
                for bar in operation.carried:
                    yield from (bar.initial, bar.next)
            case ReversedIf():
                yield operation.condition
                for _, first, second in operation.results:
                    yield from (first, second)
            case _:
                for inner in (operation, *(node for block in blocks_of(operation) for node in walk(block))):
                    yield from operands_of(inner)


def _drop(frame: Frame, idle: Set[Value]) -> bool:
    """Whether something was left out of a frame."""
    places = [
        place for place, operation in enumerate(frame.operations) if isinstance(operation, Call) and operation.result in idle
    ]
    if places:
        frame.marks = [(start - sum(place < start for place in places), node) for start, node in frame.marks]
        frame.operations = [operation for place, operation in enumerate(frame.operations) if place not in places]
    return bool(places)
