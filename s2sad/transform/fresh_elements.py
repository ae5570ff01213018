"""Loops in which each trip has arrays of its own: it makes them, or takes them out of a list to which each was appended when it
was made.

The arrays of all trips have one root (:mod:`s2sad.transform.array_memory`), but what one trip writes no other trip reads::

    for _ in range(n):
        w = np.zeros_like(u)
        w_saved.append(w)
        ...
    for w in w_saved[::-1]:         # another array in each trip
        ...
        w[:] = 0.0
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Mapping, Set
from dataclasses import dataclass

from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operation, Terminator, Value, While, blocks_of, operands_of, walk
from s2sad.ir.operations import call_method
from s2sad.ir.types import ListType
from s2sad.transform.array_memory import ArrayMemory, is_array, makes_array
from s2sad.transform.purity import find_private_containers, function_of
from s2sad.transform.rewrite import defined_in


def find_fresh_elements(fn: Function, memory: ArrayMemory) -> Mapping[Operation, int]:
    """For each loop, the roots of arrays that are others in each trip."""
    places = _Places()
    places.visit(fn.body, ())
    made = [call for call in places.definition.values() if places.loops[call] and makes_array(call)]
    if not made:
        return {}
    lists = [value for value in find_private_containers(fn) if isinstance(value.type, ListType)]
    followed = {value: elements for value in lists if (elements := _follow(memory, places, value)) is not None}
    known = {one for elements in followed.values() for one in elements.names}
    held, seen = 0, 0
    for value, roots in memory.of.items():
        if value in places.readers and value not in known and not is_array(value):
            held |= memory.reach(roots)
    for elements in followed.values():
        held |= seen & elements.roots  # in two lists
        seen |= elements.roots
    found: dict[For | While, int] = {}
    for call in made:
        for loop in places.loops[call]:
            found[loop] = found.get(loop, 0) | memory.roots(call.result)
    taken: dict[For | While, int] = {}
    for elements in followed.values():
        for loop in elements.loops:
            taken[loop] = taken.get(loop, 0) | elements.roots
    held |= memory.returned | memory.public | ~memory.made
    fresh = {
        loop: (found.get(loop, 0) ^ taken.get(loop, 0)) & ~held & ~_read_from_outside(loop, memory, known)
        for loop in (*found, *taken)
    }
    return {loop: roots for loop, roots in fresh.items() if roots}


class _Places:
    """Who defines and reads what, and in which blocks and loops each operation stands."""

    def __init__(self) -> None:
        self.definition: dict[Value, Call] = {}
        self.readers: dict[Value, list[Operation | Terminator]] = {}
        self.home: dict[Operation | Terminator, Block] = {}
        self.loops: dict[Operation | Terminator, tuple[For | While, ...]] = {}

    def visit(self, block: Block, loops: tuple[For | While, ...]) -> None:
        for node in (*block.operations, block.terminator):
            self.home[node] = block
            self.loops[node] = loops
            if isinstance(node, Call):
                self.definition[node.result] = node
            for operand in operands_of(node):
                if isinstance(operand, Value):
                    self.readers.setdefault(operand, []).append(node)
            inside = (*loops, node) if isinstance(node, (For, While)) else loops
            for inner in blocks_of(node):
                self.visit(inner, inside)


@dataclass(frozen=True, slots=True)
class _Elements:
    """The arrays in one list: their roots, the loops in which each trip takes another one, and what else is called by the list's
    elements: slices, what `zip` gives."""

    roots: int
    loops: tuple[For | While, ...]
    names: frozenset[Value]


def _follow(memory: ArrayMemory, places: _Places, numbers: Value) -> _Elements | None:
    """The arrays in a list, if each is put there once, when it is made, and taken out once."""
    appended: list[Value] = []
    loops: list[For | While] = []
    names = {numbers}
    for node in places.readers.get(numbers, ()):
        element = _appended(node, numbers)
        if element is not None:
            made = places.definition.get(element)
            if made is None or not makes_array(made) or places.home[made] is not places.home[node] or element in appended:
                return None
            appended.append(element)
            continue
        if _is_pop(node, numbers):
            loops += places.loops[node]
            continue
        while isinstance(node, Call) and function_of(node) in (operator.getitem, builtins.zip):
            names.add(node.result)
            readers = places.readers.get(node.result, ())
            if len(readers) != 1:
                return None
            node = readers[0]
        if not isinstance(node, For) or places.loops[node]:
            return None  # or another loop runs over them again and again
        names.add(node.target)
        loops.append(node)
    roots = 0
    for element in appended:
        roots |= memory.roots(element)
    return _Elements(roots, tuple(loops), frozenset(names))


def _read_from_outside(loop: For | While, memory: ArrayMemory, known: Set[Value]) -> int:
    """The roots of arrays that a loop does not take out of such lists itself, or that it carries from trip to trip."""
    found = 0
    for item in loop.carried:
        found |= memory.reach(memory.roots(item.parameter))
    defined = {*defined_in(loop.body)}
    blocks = blocks_of(loop)
    for node in (node for block in blocks for node in walk(block)):
        for operand in operands_of(node):
            if isinstance(operand, Value) and operand not in defined and operand not in known:
                found |= memory.reach(memory.roots(operand))
    return found


def _appended(node: Operation | Terminator, numbers: Value) -> Value | None:
    if not isinstance(node, Call) or function_of(node) is not call_method or node.arguments[0] is not numbers:
        return None
    name, *rest = node.arguments[1:]
    is_append = isinstance(name, Constant) and name.value == "append"
    return rest[0] if is_append and isinstance(rest[0], Value) and rest[0] is not numbers else None


def _is_pop(node: Operation | Terminator, numbers: Value) -> bool:
    if not isinstance(node, Call) or function_of(node) is not call_method or node.arguments[0] is not numbers:
        return False
    return isinstance(node.arguments[1], Constant) and node.arguments[1].value == "pop"
