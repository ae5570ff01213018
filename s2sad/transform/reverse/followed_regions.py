"""Containers that hold no active number, and have a shadow that must be kept in step: those that hold other containers, and those
that may be active for a caller and of which a function hands out more than one shadow.

In ``kept = (x, p); return (p, kept), kept`` the list `p` may hold constants as far as this function goes; a caller that stores
an active number into it needs one shadow, whichever way it takes to the list. Such a container is treated as an active one:
its shadow is made together with it, and is the same wherever the container stands. ::

    p_bar = zeros_like(p)
    kept_bar = 0.0, p_bar
    return (p, kept), (p_bar, kept_bar)
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2sad.analysis.memory import references_in
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, MakeFunction, Operand, Value, walk
from s2sad.ir.operations import call_method, make_cell, make_dict, make_list, make_tuple
from s2sad.ir.types import NONE
from s2sad.transform.reverse.mirror import STORES, name_of_method
from s2sad.transform.reverse.shadows import MIRRORED, note_nesting, own_region, regions_restructured_by

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine

_DISPLAYS = (make_tuple, make_list, make_dict, make_cell)
_RESTRUCTURE = (call_method, operator.delitem, operator.iadd, operator.imul)


def find_regions_to_follow(engine: Engine) -> set[int]:
    """Regions that are not active, and whose shadows must be kept in step all the same."""
    found = _shared(engine) | _holders(engine)
    return {region for region in found if not engine.activity.is_region_active(region)}


def _holders(engine: Engine) -> set[int]:
    """Regions that hold references to active containers: what is taken out of one is put back."""
    parents: dict[int, set[int | None]] = {}
    for value in engine.structure.home:
        note_nesting(value.type, None, parents)
    active = filter(engine.activity.is_region_active, parents)
    return {holder for region in active for holder in parents[region] if holder is not None}


def _shared(engine: Engine) -> set[int]:
    """Regions that have several shadows, or one that gets out of step."""
    changed = _restructured(engine)
    counts: Counter[int] = Counter()
    for node, home in _places(engine):
        repeated = 2 if engine.structure.depth.get(home, 0) else 1
        operands = dict.fromkeys(leaf for operand in _given_shadows(engine, node) for leaf in _untupled(engine, operand))
        for operand in operands:
            for region in references_in(operand.type):
                counts[region] += 2 if region in changed else repeated
    return {region for region, count in counts.items() if count > 1}


def _places(engine: Engine) -> Iterator[tuple[Call | MakeFunction, Block]]:
    for node in walk(engine.function.body):
        if isinstance(node, (Call, MakeFunction)):
            yield node, engine.structure.home[node.result]


def _given_shadows(engine: Engine, node: Call | MakeFunction) -> tuple[Operand, ...]:
    """The operands that get a shadow at `node`, if they have none."""
    mirrors = engine.containers.needs_mirror
    if isinstance(node, MakeFunction):
        return (*node.captured, *node.defaults) if mirrors(node.result.type) else ()
    if node in engine.halves:
        return (node.result,) if engine.halves[node].result_shadow == MIRRORED else ()
    function = node.function.value if isinstance(node.function, Constant) else None
    if function in _DISPLAYS:
        return node.arguments if mirrors(node.result.type) else ()
    if function in STORES or (function is call_method and name_of_method(node) == "append"):
        receiver = node.arguments[0]
        return node.arguments[-1:] if isinstance(receiver, Value) and mirrors(receiver.type) else ()
    return ()


def _untupled(engine: Engine, operand: Operand) -> Iterator[Value]:
    """The operand, or those of the display that makes it."""
    if not isinstance(operand, Value) or not references_in(operand.type):
        return
    definition = engine.structure.definition[operand]
    if isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is make_tuple:
        for part in definition.arguments:
            yield from _untupled(engine, part)
    else:
        yield operand


def _restructured(engine: Engine) -> set[int]:
    """Regions whose number of elements changes, or in which references are moved."""
    found: set[int] = set()
    for node in walk(engine.function.body):
        if not isinstance(node, Call) or not isinstance(node.function, Constant):
            continue
        function, arguments = node.function.value, node.arguments
        if isinstance(function, Callee):
            if isinstance(function.unit, Specialisation):
                found |= regions_restructured_by(function.unit, arguments)
        elif function in _RESTRUCTURE or (function in STORES and references_in(getattr(arguments[-1], "type", NONE))):
            found.update([own_region(arguments[0]) or 0])
    return found
