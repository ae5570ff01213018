"""Shapes that nobody asks for after all: what brings an adjoint to the shape of a sum, where the terms are brought to theirs at
once.

Before::                                        After::

    t_bar = unbroadcast(s_bar, t)                   a_bar = unbroadcast(s_bar, a)
    a_bar = unbroadcast(s_bar, a)

Without it `t` need not be saved. This comes before it is decided what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2sad import runtime
from s2sad.ir.nodes import Call, Constant, Operand, blocks_of, operands_of, walk
from s2sad.transform.reverse.frames import Frame, ReversedIf, ReversedLoop


def drop_idle(frames: Sequence[Frame]) -> None:
    """Leave out what brings an adjoint to a shape, and is not read."""
    if not any(_is_to_shape(operation) for frame in frames for operation in frame.operations):
        return
    while True:
        read = {operand for frame in frames for operand in _read(frame)}
        dropped = [_drop(frame, read) for frame in frames]
        if not any(dropped):
            return


def _is_to_shape(operation: object) -> bool:
    if not isinstance(operation, Call) or not isinstance(operation.function, Constant):
        return False
    return operation.function.value is runtime.unbroadcast or operation.function.value is runtime.broadcast_like


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


def _drop(frame: Frame, read: set[Operand | None]) -> bool:
    """Whether something was left out of a frame."""
    idle = [
        position
        for position, operation in enumerate(frame.operations)
        if _is_to_shape(operation) and isinstance(operation, Call) and operation.result not in read
    ]
    if idle:
        frame.marks = [(place - sum(position < place for position in idle), node) for place, node in frame.marks]
        frame.operations = [operation for position, operation in enumerate(frame.operations) if position not in idle]
    return bool(idle)
