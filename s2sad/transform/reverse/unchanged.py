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
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from s2sad.analysis.memory import references_in
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, effects_of, is_immutable
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
    function_of,
    operands_of,
)
from s2sad.ir.operations import call_method, load_captured, load_global, new_object, store_cell
from s2sad.ir.types import DictType, ListType, ObjectType, strip_optional
from s2sad.transform.reverse.array_names import is_same_object, memory_of
from s2sad.transform.reverse.shadows import own_region, regions_changed_by


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a call says about the arguments. `stable`: for each argument, for each region that it refers to, in order, whether
    nobody changes it from the call on. `mirrored`: positions of arguments whose shadows the forward half must keep in step,
    because the caller's forward sweep has them. `restored`: regions, by number as in the signature, of arrays that the reverse
    half must leave as they were before the call. `saves_only`: the value is computed by another function, of which this is the
    model. `fresh`: positions of arguments that are objects made for this call, whose shadows nobody reads once it is reversed.
    `hiding`: regions, by number, and `hidden`: positions of arguments, whose parts without adjoint carry a derivative."""

    stable: tuple[tuple[bool, ...], ...] = ()
    mirrored: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()
    saves_only: bool = False
    fresh: tuple[int, ...] = ()
    hiding: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a function that is called finds outside of it: the `regions` of objects there, which of them some function of the
    program has `changed`, and whether objects that are not followed may be changed (`acts`). The next call may find them
    changed before this one is reversed."""

    regions: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    acts: bool = False

    def may_change(self, operand: Operand) -> bool:
        """Whether an operand is something outside that may be another by the time of the reverse sweep."""
        if isinstance(operand, Constant):
            return self.acts and not _is_literal(operand.value)
        regions = references_in(operand.type)
        if not regions:
            return self.acts and not is_immutable(operand)
        return any(region in self.changed or (self.acts and region in self.regions) for region in regions)


ALONE: Final = Surroundings()
_CHANGE_FIRST: Final = (operator.setitem, operator.delitem, setattr, store_cell, call_method)


class Unchanged:
    """The last write to each region of one function. `given` says what the caller promises; without it, the function runs on
    its own memory and nobody else writes to it."""

    def __init__(self, function: Function, given: Circumstances | None = None, surroundings: Surroundings = ALONE) -> None:
        #: Regions that callers or other calls may change.
        self.exposed = surroundings.changed | (_exposed(function, given) if given is not None else set())
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
                self._visit(inner, position if outermost is None and isinstance(node, (For, While)) else outermost)

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
        if isinstance(kind, (ListType, DictType, ObjectType)):  # what it is given stays as it is
            return {kind.region}
    return {region for operand in operands_of(call) if isinstance(operand, Value) for region in references_in(operand.type)}


def has_unknown_effects(function: Function, *, with_callees: bool = True) -> bool:
    """Whether anything in a function may change what it reads from outside."""
    return any(_has_unknown_effects(node, with_callees) for node in nodes_of(function))


def _has_unknown_effects(node: Operation | Terminator, with_callees: bool = True) -> bool:
    match node:
        case Call(function=Constant(value=called)) if not with_callees and (isinstance(called, Callee) or called is new_object):
            return False
        case Call(function=Constant(value=called)) if called is not print and not _is_plain_exception(called):
            if _changes_unfollowed(node, called):
                return True
            return effects_of(node).acts and not _known_container_method(node) and not _writes_array(node)
    return False


def regions_of_its_own(function: Function) -> frozenset[int]:
    """The regions of a function that nobody outside has, and that it gives to nothing whose effects are unknown."""
    given = [*(parameter.value for parameter in function.parameters), *function.captured]
    found: set[int] = set()
    for node in nodes_of(function):
        if not isinstance(node, Call):
            continue
        if _has_unknown_effects(node) or function_of(node) in (load_global, load_captured):
            given += [operand for operand in (*operands_of(node), node.result) if isinstance(operand, Value)]
        found.update(references_in(node.result.type))
    return frozenset(found.difference(*(references_in(value.type) for value in given)))


def _is_plain_exception(called: object) -> bool:
    """Whether it is a class of exceptions that keep what they are given, and do nothing else."""
    if not isinstance(called, type) or not issubclass(called, BaseException):
        return False
    return isinstance(called.__init__, types.WrapperDescriptorType) and isinstance(called.__new__, types.BuiltinFunctionType)


def _changes_unfollowed(call: Call, function: object) -> bool:
    """Whether a store goes into an object that is not followed: a class, a module, a container from C code."""
    if not any(function is known for known in (operator.setitem, operator.delitem, setattr, delattr)):
        return False
    return own_region(call.arguments[0]) is None and memory_of(call.arguments[0]) is None


def _writes_array(call: Call) -> bool:
    """Whether all that a call does is known: it changes the array that it is given."""
    return is_same_object(call) or (
        isinstance(call.function, Constant)
        and call.function.value is operator.setitem
        and memory_of(call.arguments[0]) is not None
    )


def _known_container_method(call: Call) -> bool:
    return (
        isinstance(call.function, Constant) and call.function.value is call_method and (own_region(call.arguments[0]) is not None)
    )


def _is_literal(value: object) -> bool:
    return (
        value is None
        or isinstance(value, (bool, int, float, complex, str, bytes, slice, range))
        or (isinstance(value, tuple) and all(map(_is_literal, value)))
    )


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
