"""Which containers the reverse sweep may read again: those that nothing writes between the read and the end.

The reverse sweep finds memory as the forward sweep left it. What was read from a container can be read again only if no
store, no restructuring and no callee changed the container later, in this function or, for a function in two halves, in its
callers. ::

    def f(xs):
        n = len(xs)         # stays 3: may be asked for again only if nothing comes after
        xs.append(n * xs[0])
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from s2sad.analysis.memory import references_in
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Return,
    Terminator,
    Value,
    While,
    blocks_of,
    operands_of,
)
from s2sad.ir.operations import call_method, store_cell
from s2sad.ir.types import DictType, ListType, ObjectType, strip_optional
from s2sad.transform.reverse.shadows import regions_changed_by


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a call says about the arguments. `stable`: for each argument, for each region that it refers to, in order, whether
    nobody changes it from the call on. `mirrored`: positions of arguments whose shadows the forward half must keep in step,
    because the caller's forward sweep has them. `restored`: regions, by number as in the signature, of arrays that the reverse
    half must leave as they were before the call."""

    stable: tuple[tuple[bool, ...], ...] = ()
    mirrored: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()


_CHANGE_FIRST: Final = (operator.setitem, operator.delitem, setattr, store_cell, call_method)


class Unchanged:
    """The last write to each region of one function. `given` says what the caller promises; without it, the function runs on
    its own memory and nobody else writes to it."""

    def __init__(self, function: Function, given: Circumstances | None = None) -> None:
        #: Regions that callers may change.
        self.exposed = frozenset(_exposed(function, given)) if given is not None else frozenset()
        #: Where each node stands; in a loop, where the outermost loop stands, since another trip comes after this one.
        self.start: dict[Operation | Terminator, int] = {}
        self.last_write: dict[int, int] = {}
        self._visit(function.body, None)

    def _visit(self, block: Block, outermost: int | None) -> None:
        for node in (*block.operations, block.terminator):
            position = len(self.start)
            self.start[node] = position if outermost is None else outermost
            if isinstance(node, Call):
                for region in regions_written(node):
                    self.last_write[region] = position
            for inner in blocks_of(node):
                self._visit(inner, position if outermost is None and isinstance(node, For | While) else outermost)

    def is_written(self, region: int) -> bool:
        """Whether the function changes a region anywhere."""
        return region in self.last_write

    def since(self, node: Operation, operands: Iterable[Operand]) -> bool:
        """Whether the containers that operands refer to stay as they are from a node on."""
        return all(
            self.is_stable(node, region)
            for operand in operands
            for region in (references_in(operand.type) if isinstance(operand, Value) else ())
        )

    def promise(self, call: Call, arguments: Iterable[Operand]) -> tuple[tuple[bool, ...], ...]:
        """What the callee may rely on."""
        found = []
        for operand in arguments:
            regions = references_in(operand.type) if isinstance(operand, Value) else {}
            found.append(tuple(self.is_stable(call, region) for region in regions))
        return tuple(found)

    def is_stable(self, node: Operation, region: int) -> bool:
        """Whether a region stays as it is after a node."""
        return region not in self.exposed and self.last_write.get(region, -1) <= self.start.get(node, -1)


def regions_written(call: Call) -> set[int]:
    """The regions that a call may change."""
    effects = effects_of(call)
    if not (effects.writes or effects.acts):
        return set()
    if isinstance(call.function, Constant) and isinstance(call.function.value, Callee) and call.function.value.unit is not None:
        return regions_changed_by(call.function.value.unit, call.arguments)
    container = call.arguments[0] if call.arguments else None
    function = call.function.value if isinstance(call.function, Constant) else None
    if isinstance(container, Value) and any(function is known for known in _CHANGE_FIRST):
        kind = strip_optional(container.type)
        if isinstance(kind, ListType | DictType | ObjectType):  # what it is given stays as it is
            return {kind.region}
    return {region for operand in operands_of(call) if isinstance(operand, Value) for region in references_in(operand.type)}


def _exposed(function: Function, given: Circumstances) -> set[int]:
    """Regions of arguments without a promise, and what is returned."""
    found: set[int] = set()
    safe: set[int] = set()
    for index, parameter in enumerate(function.parameters):
        regions = list(references_in(parameter.value.type))
        promised = given.stable[index] if index < len(given.stable) else ()
        if len(promised) != len(regions):
            found.update(regions)
            continue
        for region, holds in zip(regions, promised, strict=True):
            (safe if holds else found).add(region)
    for node in nodes_of(function):
        if isinstance(node, Return) and isinstance(node.value, Value):
            found.update(set(references_in(node.value.type)) - safe)
    return found
