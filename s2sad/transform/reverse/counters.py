"""What a loop runs over, and what counts its trips: the reverse sweep counts back."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import (
    Break,
    Call,
    Carried,
    Constant,
    For,
    Value,
    While,
    Yield,
    leaves_of_block,
)
from s2sad.ir.types import INT, ListType, OpaqueType, TupleType
from s2sad.transform.reverse.unchanged import Unchanged


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """A carried integer that changes by `step` in every trip: it can run backwards."""

    carried: Carried
    after: Value
    step: int


def find_range(loop: For | While, structure: Structure) -> Call | None:
    """The call of `range` that a loop runs over."""
    if isinstance(loop, For) and isinstance(loop.iterable, Value):
        definition = structure.definition.get(loop.iterable)
        if isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is range:
            return definition
    return None


def is_sequence(loop: For, unchanged: Unchanged) -> bool:
    """Whether a loop runs over something that can be run over again, from its end, since nothing changes it meanwhile."""
    if not isinstance(loop.iterable, Value):
        return isinstance(loop.iterable.value, (str, tuple, range))
    kind = loop.iterable.type
    if isinstance(kind, OpaqueType):
        return kind.cls in (str, range)
    return isinstance(kind, TupleType) or (isinstance(kind, ListType) and unchanged.since(loop, [loop.iterable]))


def find_counters(loop: For | While, structure: Structure) -> list[Counter]:
    """The carried integers that every trip changes by the same amount."""
    found = []
    leaves = [leaf for leaf in leaves_of_block(loop.body) if isinstance(leaf, (Yield, Break))]
    for position, item in enumerate(loop.carried):
        nexts = {leaf.values[position] for leaf in leaves}
        if item.parameter.type != INT or len(nexts) != 1:
            continue
        after = nexts.pop()
        if not isinstance(after, Value) or structure.home.get(after) is not loop.body:
            continue
        definition = structure.definition[after]
        if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
            continue
        match definition.function.value, definition.arguments:
            case ((operator.add | operator.iadd), (first, Constant(value=int(step)))) if first is item.parameter and step:
                found.append(Counter(item, after, step))
            case ((operator.sub | operator.isub), (first, Constant(value=int(step)))) if first is item.parameter and step:
                found.append(Counter(item, after, -step))
    return found


def has_break(loop: For | While) -> bool:
    """Whether a loop may be left in the middle of a trip."""
    return any(isinstance(leaf, Break) for leaf in leaves_of_block(loop.body))
