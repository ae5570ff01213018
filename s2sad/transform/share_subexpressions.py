"""Compute once what is computed twice: common subexpressions.

Before::

    a = mul(x, y)
    b = mul(x, y)
    c = add(a, b)

After::

    a = mul(x, y)
    c = add(a, a)

A call is replaced by an earlier one whose block encloses its own, so no value is kept alive from an arm that may not have run.
Reads of memory are shared too while nothing writes between them, and so are arrays that nobody ever writes to. Code that need
not be exact takes ``x * y`` for ``y * x``; the primal's calls never take their value from such code, which later passes may
rearrange.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, a, b, c = (Value(name, FLOAT) for name in "xabc")
>>> calls = (
...     Call(a, Constant(operator.mul), (x, x)),
...     Call(b, Constant(operator.mul), (x, x)),
...     Call(c, Constant(operator.add), (a, b)),
... )
>>> f = Function("f", (Parameter(x),), Block(calls, Return(c)))
>>> [call.arguments for call in share_subexpressions(f).body.operations]
[(<x: float>, <x: float>), (<a: float>, <a: float>)]
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy

from s2sad.ir.memo import remembered
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.ir.types import ArrayType, Type
from s2sad.transform.array_memory import (
    ArrayMemory,
    bits,
    changes_array,
    find_array_memory,
    holds_memory,
    is_array,
    makes_array,
    makes_view,
)
from s2sad.transform.purity import (
    changed_container,
    changed_privately,
    find_private_containers,
    function_of,
    has_public_effect,
    is_display,
    is_number,
    is_one_of,
    is_shareable,
    is_shareable_read,
    region_of,
    touched_container,
)
from s2sad.transform.rewrite import map_blocks, operand_key, replace_operands, with_blocks, with_body, with_operations

IfOrBranch = TypeVar("IfOrBranch", If, Branch)


@dataclass(frozen=True, slots=True)
class Region:
    """The lists or dicts that type inference takes for one; without a number, all of them."""

    number: int | None


#: What a write of something that is not followed goes to.
ANYWHERE: Final = Region(None)
Place = Value | Region | int | None
#: What was available before, by the number of its key, in the order in which it was replaced.
Replaced = list[tuple[int, Call | If | None]]

_COMMUTATIVE = (operator.add, operator.mul)

#: What fills arrays with a number or a pattern: the name of a variable that happens to be made so is wrong for another.
_FILLED: frozenset[object] = frozenset(
    {numpy.zeros, numpy.ones, numpy.empty, numpy.full, numpy.eye, numpy.identity, numpy.arange}
    | {numpy.zeros_like, numpy.ones_like, numpy.empty_like, numpy.full_like}
)


def share_subexpressions(fn: Function, *, into_arms: bool = True) -> Function:
    """Replace repeated calls by the first of them; without `into_arms`, an arm computes by itself what it needs."""
    return with_body(fn, _Sharing(find_private_containers(fn), find_array_memory(fn), into_arms).visit(fn.body))


class _Sharing:
    """The calls that are available where the walk through the function stands."""

    def __init__(self, private: frozenset[Value], memory: ArrayMemory, into_arms: bool) -> None:
        self.private = private
        self.memory = memory
        self.into_arms = into_arms
        self.known: dict[Value, Operand] = {}
        #: Keys are tuples of tuples, which compute their hashes each time that they are looked up: once each is enough.
        self.numbers: dict[object, int] = {}
        self.available: dict[int, Call | If] = {}
        #: What indices and views are made of: two that are made alike are one.
        self.shapes: dict[Value, object] = {}
        #: How often memory was written: that of each private container under its value, that of arrays under their roots, that of
        #: lists and dicts under their regions, that of everything else, these included, under None.
        self.versions: dict[Place, int] = {}
        self.writes = 0

    def visit(self, block: Block) -> Block:
        outer: Replaced = []  # what to restore at the end of the block
        operations: list[Operation] = []
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            if isinstance(operation, If) and self.is_made_choice(operation, outer):
                continue
            if not isinstance(operation, Call):
                self.note_region(operation)
                operations.append(self.visit_arms(operation) if isinstance(operation, If) else map_blocks(operation, self.visit))
                self.note_region(operation)
                continue
            pure = is_shareable(operation)
            if not self.is_available(operation, pure, outer):
                operations.append(operation)
            if not pure:
                self.note_writes(operation)
        end = replace_operands(block.terminator, self.known)
        if isinstance(end, Branch):
            end = self.visit_arms(end)
        for number, before in reversed(outer):
            if before is None:
                del self.available[number]
            else:
                self.available[number] = before
        return with_operations(block, operations, end)

    def visit_arms(self, node: IfOrBranch) -> IfOrBranch:
        """Two arms, of which one runs: the second sees no write of the first, what follows sees those of both."""
        before, available = self.versions.copy(), self.available
        self.available = available if self.into_arms else {}
        then = self.visit(node.then)
        written, self.versions = self.versions, before.copy()
        orelse = self.visit(node.orelse)
        self.available = available
        self.touch([place for place in {**written, **self.versions} if self.versions.get(place) != written.get(place)])
        return with_blocks(node, (then, orelse))

    def note_region(self, operation: Operation) -> None:
        """What a loop writes in one trip is seen by the next; `with` and `try` act by themselves."""
        if isinstance(operation, (For, While)):
            nodes = [node for block in blocks_of(operation) for node in walk(block)]
            self.touch(changed_privately(nodes, self.private))
            for node in nodes:
                self.note_public(node)
        elif has_public_effect(operation, self.private):
            self.touch([None, ANYWHERE, *bits(self.memory.public)])

    def note_writes(self, call: Call) -> None:
        container = changed_container(call)
        if container in self.private:
            self.touch([container])
        else:
            self.note_public(call)

    def note_public(self, node: Operation | Terminator) -> None:
        """A node writes to arrays, or to what others see."""
        self.touch(bits(self.memory.written_by(node)))
        if not changes_array(node) and has_public_effect(node, self.private):
            self.touch([None, _region_of(changed_container(node)) or ANYWHERE])

    def touch(self, places: Iterable[Place]) -> None:
        for place in places:
            self.writes += 1
            self.versions[place] = self.writes

    def is_available(self, call: Call, pure: bool, outer: Replaced) -> bool:
        """Whether an earlier call gives the same; it is then known for later operands. Otherwise this one is noted."""
        if not pure and (is_display(call) or makes_view(call)):
            self.shapes[call.result], _ = self.keys_of(call, True)
            return False
        if not pure and not is_shareable_read(call) and not (makes_array(call) and self.memory.is_constant(call.result)):
            return False
        key, commuted = self.keys_of(call, pure)
        number = self.number_of(key)
        known = self.available.get(number)
        if isinstance(known, Call) and _may_stand_for(known, call):
            self.known[call.result] = known.result
            return True
        if commuted is not None:
            other = self.number_of(commuted)
            known = self.available.get(other)
            if isinstance(known, Call) and not call.exact and _may_stand_for(known, call):
                self.known[call.result] = known.result
                return True
            self.offer(other, call, outer)
        self.offer(number, call, outer)
        return False

    def number_of(self, key: object) -> int:
        """One number for all keys that are equal."""
        return self.numbers.setdefault(key, len(self.numbers))

    def offer(self, number: int, node: Call | If, outer: Replaced) -> None:
        """From here to the end of the block, a node gives what a key asks for."""
        outer.append((number, self.available.get(number)))
        self.available[number] = node

    def is_made_choice(self, node: If, outer: Replaced) -> bool:
        """The same for an `If` that computes nothing, and only chooses."""
        ends = [arm.terminator for arm in (node.then, node.orelse) if not arm.operations]
        values = [tuple(map(self.key_of, end.values)) for end in ends if isinstance(end, Yield)]
        if len(values) < 2:
            return False
        key = self.number_of(("if", self.key_of(node.condition), *values, tuple(result.type for result in node.results)))
        earlier = self.available.get(key)
        if isinstance(earlier, If):
            self.known.update(zip(node.results, earlier.results, strict=True))
            return True
        self.offer(key, node, outer)
        return False

    def keys_of(self, call: Call, pure: bool) -> tuple[object, object]:
        """What identifies a call as it stands, and with its operands in any order, where inexact code may have them so."""
        if pure and not self.shapes:
            return _keys_of_pure(call)
        versions: tuple[int, ...] = ()
        if not pure:
            versions = tuple(self.versions.get(place, 0) for place in self.places_read(call))
        return _keys_of(call, self.key_of, versions)

    def key_of(self, operand: Operand) -> object:
        """Equal for operands that are the same."""
        shape = self.shapes.get(operand) if isinstance(operand, Value) else None
        return operand_key(operand) if shape is None else shape

    def places_read(self, call: Call) -> list[Place]:
        """The memory that a call may read."""
        container = touched_container(call)
        region = _region_of(container)
        if region is not None and container not in self.private:
            return [region, ANYWHERE]
        return [place for operand in operands_of(call) for place in self.places_of(operand)] or [None]

    def places_of(self, operand: Operand) -> list[Place]:
        """The memory that a call may read through an operand."""
        if not isinstance(operand, Value) or is_number(operand):
            return []
        if operand in self.private:
            return [operand]
        if not holds_memory(operand.type):
            return []
        arrays: list[Place] = [*bits(self.memory.reach(self.memory.roots(operand)))]
        return arrays if is_array(operand) else [None, *arrays]


def _region_of(container: Value | None) -> Region | None:
    number = region_of(container) if container is not None else None
    return None if number is None else Region(number)


@remembered()
def _keys_of_pure(call: Call) -> tuple[object, object]:
    """The same for a call that reads no memory, of operands that are what they are called."""
    return _keys_of(call, operand_key, ())


def _keys_of(call: Call, key_of: Callable[[Operand], object], versions: tuple[int, ...]) -> tuple[object, object]:
    arguments = tuple(map(key_of, call.arguments))
    named = tuple([(name, key_of(operand)) for name, operand in call.keywords]) if call.keywords else ()
    function = operand_key(call.function)
    key = (function, arguments, named, versions)
    if function_of(call) in _COMMUTATIVE and all(map(_commutes, call.arguments)):
        return key, (function, frozenset(arguments), tuple(sorted(versions)))
    return key, None


def _commutes(operand: Operand) -> bool:
    return is_number(operand) or is_array(operand)


def _may_stand_for(earlier: Call, call: Call) -> bool:
    """Whether a call that computes the same may be read in the place of another."""
    is_other_meaning = is_one_of(function_of(call), _FILLED) and not earlier.result.temporary
    return (earlier.exact or not call.exact) and not is_other_meaning and _is_one_type(earlier.result.type, call.result.type)


def _is_one_type(first: Type, second: Type) -> bool:
    """Whether one value may stand for another of these types: new arrays are each in a region of its own. An array whose adjoint
    is a value has no shadow to hand on where one that is memory is wanted."""
    if isinstance(first, ArrayType) and isinstance(second, ArrayType):
        return (first.dtype, first.shape, first.fixed) == (second.dtype, second.shape, second.fixed)
    return first == second
