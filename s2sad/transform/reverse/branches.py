"""The mirrors of regions of which one arm is taken: ``if``, a branch that leaves, ``try``; and of ``with``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy

from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    If,
    Operand,
    Raise,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    function_of,
    leaves_of_block,
    operands_of,
)
from s2sad.ir.types import BOOL, INT
from s2sad.transform.reverse.additions import ExtraCarried, ExtraResult
from s2sad.transform.reverse.frames import ZERO, CarriedBar, Frame, ReversedIf, Slot, find_bar
from s2sad.transform.reverse.half_done import always_raises, refuse_half_way

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine, Leaving


def reverse_if(engine: Engine, node: If, frame: Frame) -> None:
    """The mirror of an `If`."""
    bars = engine.result_bars(frame, node.results)
    if not bars and not engine.touches_memory(node):
        return
    leave = engine.hand_on(bars)
    then, orelse = _reverse_arms(engine, node, frame, leave)
    if isinstance(node.orelse.terminator, Raise) or isinstance(node.then.terminator, Raise):
        only = then if isinstance(node.orelse.terminator, Raise) else orelse
        _join_one(engine, node, frame, only)
    else:
        _join(engine, node, lambda: node.condition, frame, then, orelse)


def _reverse_arms(engine: Engine, node: If | Branch, frame: Frame, leave: Leaving) -> tuple[Frame, Frame]:
    arms = Frame(node.then, frame), Frame(node.orelse, frame)
    for arm in arms:
        engine.reverse_block(arm, leave)
    return arms


def reverse_branch(engine: Engine, frame: Frame, node: Branch, leaving: Leaving) -> None:
    """The mirror of a branch at the end of a block."""
    then, orelse = _reverse_arms(engine, node, frame, leaving)
    ends = [always_raises(node.then), always_raises(node.orelse)]
    if any(ends):
        _join_one(engine, node, frame, orelse if ends[0] else then)
        return
    _join(engine, node, lambda: _exit_flag(engine, node, frame), frame, then, orelse)


def _exit_flag(engine: Engine, node: Branch, frame: Frame) -> Operand:
    """For a branch that leaves its loop: a flag that the reversed loop carries, which is what the condition was; that of a trip
    that leaves in the first reversed trip only."""
    if not (_always_breaks(node.then) or _always_breaks(node.orelse)) or not isinstance(node.condition, Value):
        return node.condition
    holder = _body_of_loop(frame)
    assert holder is not None
    assert holder.loop is not None
    reversed_loop, loop = holder.loop, holder.loop.loop
    if node in reversed_loop.flags:
        return reversed_loop.flags[node]
    on_then = _always_breaks(node.then)
    breaks = [leaf for leaf in leaves_of_block(node.then if on_then else node.orelse) if isinstance(leaf, Break)]
    assert holder.parent is not None
    left: Operand
    if (known := _known_flag(loop, breaks, on_then)) is not None:
        left = _flag_of_outer(engine, known, holder.parent)
    elif (known := _known_flag(loop, breaks, not on_then)) is not None:
        left = engine.emit(holder.parent, operator.not_, known, span=loop.span, kind=BOOL, name="is_last_trip")
    else:
        left = Value("is_last_trip", BOOL, temporary=True)
        parameter = Value("is_last_trip", BOOL, temporary=True)
        extra = ExtraCarried(
            Constant(not on_then), parameter, left, Constant(not on_then), {leaf: Constant(on_then) for leaf in breaks}
        )
        engine.additions.carried.setdefault(loop, []).append(extra)
        engine.structure.define(left, holder.parent.block, loop)
    bar = CarriedBar(left, Value("is_last_trip", BOOL, temporary=True), Value("is_last_trip", BOOL, temporary=True))
    bar.next = Constant(not on_then)
    reversed_loop.carried.append(bar)
    reversed_loop.flags[node] = bar.parameter
    return bar.parameter


def _body_of_loop(frame: Frame | None) -> Frame | None:
    """The frame of the body of the innermost loop around a frame."""
    while frame is not None and frame.loop is None:
        frame = frame.parent
    return frame


def _known_flag(loop: For | While, breaks: Sequence[Terminator], value: bool) -> Value | None:
    """A flag of the primal that has this value where the loop was left by these breaks, and the other one where it was not."""
    for position, item in enumerate(loop.carried):
        rest = (item.parameter, False) if value else (item.parameter, True)
        ends = [leaf for leaf in leaves_of_block(loop.body) if isinstance(leaf, (Yield, Break))]
        given = [leaf.values[position] for leaf in ends]
        is_set = [isinstance(operand, Constant) and operand.value is value for operand in given]
        is_rest = [operand is rest[0] or (isinstance(operand, Constant) and operand.value is rest[1]) for operand in given]
        starts = isinstance(item.initial, Constant) and item.initial.value is (not value)
        if starts and all(one if leaf in breaks else other for leaf, one, other in zip(ends, is_set, is_rest, strict=True)):
            return item.result
    return None


def _flag_of_outer(engine: Engine, left: Value, frame: Frame) -> Operand:
    """Where the loop around this one is left just when this one was: the flag of that."""
    outer = _body_of_loop(frame)
    end = outer.block.terminator if outer is not None else None
    if outer is not None and isinstance(end, Branch) and end.condition is left:
        return _exit_flag(engine, end, outer)
    return left


def _join(
    engine: Engine, node: If | Branch | Try, condition: Callable[[], Operand], frame: Frame, then: Frame, orelse: Frame
) -> None:
    """Put two reversed arms together: adjoints of values from outside become results. Where both arms do the same, the
    condition is not asked for."""
    slots = [
        slot
        for slot in dict.fromkeys([*then.bars, *orelse.bars])
        if not (engine.is_inside(slot[0], then.block) or engine.is_inside(slot[0], orelse.block))
    ]
    merged = ReversedIf(node, None, then, orelse, span=node.span)
    joined: dict[Slot, Operand] = {}
    for slot in slots:
        before = find_bar(frame, slot, engine.is_inside, engine.name_of_bar(slot))
        base = before if before is not None else ZERO
        first, second = then.bars.get(slot, base), orelse.bars.get(slot, base)
        if first is second:
            joined[slot] = first
            continue
        result = engine.arrays.joined_bar(slot, first, second)
        merged.results.append((result, first, second))
        joined[slot] = result
        frame.buffers.discard(slot)  # one arm may have added to it before the other needed an array to add to in place
    if then.operations or orelse.operations or merged.results:
        merged.condition = condition()
        frame.operations.append(merged)
    frame.bars.update(joined)


def _join_one(engine: Engine, node: If | Branch | Try | With, frame: Frame, arm: Frame) -> None:
    """The other arm raises: this one was taken."""
    if arm.operations:
        frame.operations.append(ReversedIf(node, None, arm, None, span=node.span))
    frame.bars.update({slot: bar for slot, bar in arm.bars.items() if not engine.is_inside(slot[0], arm.block)})


def reverse_try(engine: Engine, node: Try, frame: Frame) -> None:
    """The mirror of a `Try`: of the body or the handler that was completed."""
    bars = engine.result_bars(frame, node.results)
    if not bars and not engine.touches_memory(node):
        return
    refuse_half_way(engine, node)
    taken = Value("taken", INT, temporary=True)
    blocks = (node.body, *(handler.body for handler in node.handlers))
    operands: dict[Block, Operand] = {block: Constant(index) for index, block in enumerate(blocks)}
    engine.additions.results.setdefault(node, []).append(ExtraResult(taken, operands))
    engine.structure.define(taken, frame.block, node)
    leave = engine.hand_on(bars)
    arms = []
    for block in blocks:
        arm = Frame(block, frame)
        engine.reverse_block(arm, leave)
        arms.append((block, arm))
    live = [(index, arm) for index, (block, arm) in enumerate(arms) if not isinstance(block.terminator, Raise)]
    _join_several(engine, node, frame, taken, live)


def _join_several(engine: Engine, node: Try, frame: Frame, taken: Value, arms: list[tuple[int, Frame]]) -> None:
    """A chain of two-way joins."""
    if not arms:
        return
    if len(arms) == 1:
        _join_one(engine, node, frame, arms[0][1])
        return
    index, first = arms[0]
    rest = Frame(Block((), Yield()), frame)
    engine.structure.owner[rest.block] = (node, frame.block)
    engine.structure.depth[rest.block] = engine.structure.depth[frame.block]
    for _, arm in arms[1:]:
        arm.parent = rest
    _join_several(engine, node, rest, taken, arms[1:])
    condition = engine.emit(frame, operator.eq, taken, Constant(index), kind=INT)
    _join(engine, node, lambda: condition, frame, first, rest)


def reverse_with(engine: Engine, node: With, frame: Frame) -> None:
    """The mirror of the body. The context is entered and left in the forward sweep alone, but what it says about floating-point
    arithmetic goes for the adjoints as well."""
    bars = engine.result_bars(frame, node.results)
    if not bars and not engine.touches_memory(node):
        return
    arm = Frame(node.body, frame)
    engine.reverse_block(arm, engine.hand_on(bars))
    context = _arithmetic_context(engine, node)
    if context is None or not arm.operations:
        _join_one(engine, node, frame, arm)
        return
    mirror = ReversedIf(node, None, arm, None, span=node.span, context=context)
    for slot, bar in arm.bars.items():
        if not engine.is_inside(slot[0], arm.block):
            result = engine.arrays.joined_bar(slot, bar, bar)
            mirror.results.append((result, bar, bar))
            frame.bars[slot] = result
    frame.operations.append(mirror)


def _arithmetic_context(engine: Engine, node: With) -> Call | None:
    """The call that makes a context which only says what becomes of overflows, divisions by zero and the like."""
    context = node.context
    definition = engine.structure.definition.get(context) if isinstance(context, Value) else None
    if not isinstance(definition, Call) or function_of(definition) is not numpy.errstate or node.name is not None:
        return None
    return definition if all(isinstance(operand, Constant) for operand in operands_of(definition)) else None


def _always_breaks(block: Block) -> bool:
    return all(isinstance(leaf, (Break, Raise)) for leaf in leaves_of_block(block))
