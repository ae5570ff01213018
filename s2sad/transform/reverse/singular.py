"""Values that are infinite at one point only: the derivative there is nan, not that of a constant.

A derivative says where it is infinite, since Python's numbers raise there, and a second one meets this::

    slope = 0.5 / root if root else math.inf            if root: ...
                                                        else: root_bar = slope_bar * math.nan

The literal stands for what its neighbours tend to: where a number is tested for one value, the arm for this value is no function
of its own. Where an inequality is tested it is, and its derivative is zero.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from s2sad.ir.nodes import Block, Branch, Call, Constant, If, Operand, Value, Yield, blocks_of
from s2sad.ir.types import FLOAT, ScalarType
from s2sad.transform.reverse.frames import Frame

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


#: The names of numbers that are not finite, in modules and as text for `float`.
_NAMES: Final = ("inf", "nan", "-inf")


def contribute_at_point(engine: Engine, frame: Frame, operand: Operand, bar: Operand) -> None:
    """What a literal that an arm gives adds to the adjoints of the numbers whose values led there."""
    definition = engine.structure.definition.get(operand) if isinstance(operand, Value) else None
    arms: list[Operand] = []
    if isinstance(definition, If) and isinstance(operand, Value) and operand in definition.results:
        place = definition.results.index(operand)
        ends = [block.terminator for block in blocks_of(definition)]
        arms = [end.values[place] if isinstance(end, Yield) else Constant(0.0) for end in ends]
    if not is_infinite(engine, operand) and not any(is_infinite(engine, arm) for arm in arms):
        return
    values = dict.fromkeys(numbers_at_point(engine, frame.block))
    slope: Operand = Constant(math.nan)
    if values and isinstance(definition, If):  # infinite on one condition, such as a sign
        then, orelse = (Block((), Yield((slope if is_infinite(engine, arm) else Constant(0.0),))) for arm in arms)
        slope = Value("", FLOAT, temporary=True)
        frame.operations.append(If(definition.condition, then, orelse, (slope,), definition.span))
    for value in values:
        engine.accumulate(frame, (value, ()), engine.emit(frame, operator.mul, bar, slope))


def is_infinite(engine: Engine, operand: Operand) -> bool:
    """Whether an operand is known to be infinite or nan: ``math.inf``, with or without a sign."""
    if isinstance(operand, Constant):
        value = operand.value
        return value in _NAMES if isinstance(value, str) else isinstance(value, float) and not math.isfinite(value)
    definition = engine.structure.definition.get(operand)
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant) or not definition.arguments:
        return False
    function, (first, *others) = definition.function.value, definition.arguments
    if function is getattr and isinstance(first, Constant) and isinstance(others[0], Constant):
        return isinstance(first.value, types.ModuleType) and others[0].value in _NAMES
    return function in (operator.neg, math.copysign, float) and is_infinite(engine, first)


def numbers_at_point(engine: Engine, block: Block) -> Iterator[Value]:
    """The active numbers that are tested for one value around a block, which is run for this value alone."""
    while block is not engine.structure.root:
        node, parent = engine.structure.owner[block]
        if not isinstance(node, (If, Branch)):
            return
        yield from _tested_numbers(engine, node.condition, is_true=block is node.then)
        block = parent


def _tested_numbers(engine: Engine, condition: Operand, *, is_true: bool) -> Iterator[Value]:
    """The active numbers that a condition binds to one value."""
    definition = engine.structure.definition.get(condition) if isinstance(condition, Value) else None
    function = definition.function.value if isinstance(definition, Call) and isinstance(definition.function, Constant) else None
    if isinstance(definition, Call) and function in (operator.not_, operator.truth):
        yield from _tested_numbers(engine, definition.arguments[0], is_true=is_true == (function is operator.truth))
    elif isinstance(definition, Call) and function in (operator.eq, operator.ne):
        if is_true == (function is operator.eq):
            for operand in definition.arguments:
                yield from _active_numbers(engine, operand)
    elif not is_true:
        yield from _active_numbers(engine, condition)  # a number counts as true unless it is 0


def _active_numbers(engine: Engine, operand: Operand) -> Iterator[Value]:
    """The active numbers that a number is, or is computed from."""
    if not isinstance(operand, Value) or not isinstance(operand.type, ScalarType) or not operand.type.is_real:
        return
    if operand in engine.activity:
        yield operand
        return
    definition = engine.structure.definition.get(operand)
    for part in definition.arguments if isinstance(definition, Call) else ():
        yield from _active_numbers(engine, part)
