"""What an array holds before its elements are set, each at most once: what it was made of.

Such stores keep nothing of what they overwrite, since that is known::

    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            low[i, j] = e                   low[i, j] = 0.0

Two trips never set the same element where the index of each loop around is part of the key, and no index is negative.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Block, Branch, Call, Constant, For, If, Operand, Value, While, walk
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ArrayType
from s2sad.transform.offsets import is_integer
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.rewrite import is_same

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_FILLS: Final[dict[object, float]] = {np.zeros: 0.0, np.zeros_like: 0.0, np.ones: 1.0, np.ones_like: 1.0}


def content_before(engine: Engine, call: Call) -> Constant | None:
    """What an element holds that a store sets, if that is the same for all; None if it is not known."""
    owner = call.arguments[0] if call.arguments else None
    origin = engine.origins.get(owner) if isinstance(owner, Value) else None
    if origin is None:
        return None
    if origin not in engine.filled_once:
        engine.filled_once[origin] = _filled_once(engine, origin)
    found = engine.filled_once[origin]
    if found is None:
        return None
    fill, writes = found
    is_alone = all(_is_elsewhere(engine.structure, call, write) for write in writes if write is not call)
    return Constant(fill) if is_alone else None


def _filled_once(engine: Engine, origin: Value) -> tuple[float, list[Call]] | None:
    """What an array is filled with where it is made, and the stores into it, if each sets no element twice."""
    made = engine.structure.definition.get(origin)
    if not isinstance(made, Call) or not isinstance(made.function, Constant) or not _is_float(origin):
        return None
    fill = _FILLS.get(made.function.value) if made.function.value.__hash__ is not None else None
    if fill is None:
        return None
    region = memory_of(origin)
    home = engine.structure.home[origin]
    writes = [node for node in walk(engine.function.body) if isinstance(node, Call) and region in engine.timeline.writes[node]]
    return (fill, writes) if all(_sets_element_once(engine, write, origin, home) for write in writes) else None


def _is_float(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.kind == "float"


def _sets_element_once(engine: Engine, call: Call, origin: Value, home: Block) -> bool:
    """Whether a store sets another element in each trip of the loops around it, of an array made outside of these."""
    function = call.function.value if isinstance(call.function, Constant) else None
    owner = call.arguments[0] if call.arguments else None
    if function is not operator.setitem or not isinstance(owner, Value) or engine.origins.get(owner) is not origin:
        return False
    parts = parts_of(call.arguments[1], engine.structure)
    if not all(is_integer(part) for part in parts):
        return False
    block = engine.structure.home[call.result]
    while block is not home:
        if block not in engine.structure.owner:
            return False
        node, block = engine.structure.owner[block]
        if isinstance(node, While):
            return False
        if isinstance(node, For) and not (counts_up(node, engine.structure) and any(part is node.target for part in parts)):
            return False
    return True


def counts_up(loop: For, structure: Structure) -> bool:
    """Whether the indices of a loop are different from each other, and none is negative."""
    definition = structure.definition.get(loop.iterable) if isinstance(loop.iterable, Value) else None
    if (
        not isinstance(definition, Call)
        or not isinstance(definition.function, Constant)
        or definition.function.value is not range
    ):
        return False
    start, step = Constant(0), Constant(1)
    if len(definition.arguments) > 1:
        first = definition.arguments[0]
        if not isinstance(first, Constant):
            return False
        start = first
    if len(definition.arguments) > 2:
        last = definition.arguments[2]
        if not isinstance(last, Constant):
            return False
        step = last
    return _is_at_least(start, 0) and _is_at_least(step, 1)


def _is_at_least(constant: Constant, least: int) -> bool:
    return isinstance(constant.value, int) and constant.value >= least


def parts_of(key: Operand, structure: Structure) -> Sequence[Operand]:
    """The indices of a key."""
    definition = structure.definition.get(key) if isinstance(key, Value) else None
    if isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is make_tuple:
        return definition.arguments
    if isinstance(key, Constant) and isinstance(key.value, tuple):
        return tuple(map(Constant, key.value))
    return (key,)


def _is_elsewhere(structure: Structure, first: Call, second: Call) -> bool:
    """Whether of two stores only one is run for the same indices: they stand in two arms, and set the same element there."""
    parts = [parts_of(call.arguments[1], structure) for call in (first, second)]
    if len(parts[0]) != len(parts[1]) or not all(map(is_same, *parts)):
        return False
    ways = [_way_to(structure, structure.home[call.result]) for call in (first, second)]
    for (node, block), (other_node, other_block) in zip(*ways, strict=False):
        if node is not other_node:
            return False
        if block is not other_block:
            return isinstance(node, (If, Branch))
    return False


def _way_to(structure: Structure, block: Block) -> list[tuple[object, Block]]:
    """The blocks around a block, from the outermost, with the nodes that they stand in."""
    way: list[tuple[object, Block]] = []
    while block in structure.owner:
        node, parent = structure.owner[block]
        way.append((node, block))
        block = parent
    return way[::-1]
