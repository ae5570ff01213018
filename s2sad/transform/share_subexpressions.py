"""Compute once what is computed twice: common subexpressions.

Before::

    a = mul(x, y)
    b = mul(x, y)
    c = add(a, b)

After::

    a = mul(x, y)
    c = add(a, a)

A call is replaced by an earlier one whose block encloses its own, so no value is kept alive from an arm that may not have run.
Reads of memory are shared too while nothing writes between them. Code that need not be exact takes ``x * y`` for ``y * x``; the
primal's calls never take their value from such code, which later passes may rearrange.

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
from collections.abc import Iterable
from typing import TypeVar

from s2sad.ir.nodes import Block, Branch, Call, For, Function, If, Operand, Operation, Value, While, blocks_of, operands_of, walk
from s2sad.transform.purity import (
    changed_container,
    changed_privately,
    find_private_containers,
    function_of,
    has_public_effect,
    is_number,
    is_shareable,
    is_shareable_read,
)
from s2sad.transform.rewrite import map_blocks, operand_key, replace_operands, with_blocks, with_body, with_operations

IfOrBranch = TypeVar("IfOrBranch", If, Branch)

_COMMUTATIVE = (operator.add, operator.mul)


def share_subexpressions(fn: Function, *, into_arms: bool = True) -> Function:
    """Replace repeated calls by the first of them; without `into_arms`, an arm computes by itself what it needs."""
    return with_body(fn, _Sharing(find_private_containers(fn), into_arms).visit(fn.body))


class _Sharing:
    """The calls that are available where the walk through the function stands."""

    def __init__(self, private: frozenset[Value], into_arms: bool) -> None:
        self.private = private
        self.into_arms = into_arms
        self.known: dict[Value, Operand] = {}
        self.available: dict[object, Call] = {}
        #: How often memory was written: that of everybody under None, that of each private container under its value.
        self.versions: dict[Value | None, int] = {}
        self.writes = 0

    def visit(self, block: Block) -> Block:
        outer: dict[object, Call | None] = {}  # what to restore at the end of the block
        operations: list[Operation] = []
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            if not isinstance(operation, Call):
                self.note_region(operation)
                operations.append(self.visit_arms(operation) if isinstance(operation, If) else map_blocks(operation, self.visit))
            elif not self.is_available(operation, outer):
                operations.append(operation)
            self.note_writes(operation)
        end = replace_operands(block.terminator, self.known)
        if isinstance(end, Branch):
            end = self.visit_arms(end)
        for key, call in outer.items():
            if call is None:
                del self.available[key]
            else:
                self.available[key] = call
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
            if any(has_public_effect(node, self.private) for node in nodes):
                self.touch({None})
        elif has_public_effect(operation, self.private):
            self.touch({None})

    def note_writes(self, operation: Operation) -> None:
        if isinstance(operation, Call):
            container = changed_container(operation)
            if container in self.private:
                self.touch({container})
            elif has_public_effect(operation, self.private):
                self.touch({None})
        else:
            self.note_region(operation)

    def touch(self, places: Iterable[Value | None]) -> None:
        for place in places:
            self.writes += 1
            self.versions[place] = self.writes

    def is_available(self, call: Call, outer: dict[object, Call | None]) -> bool:
        """Whether an earlier call gives the same; it is then known for later operands. Otherwise this one is noted."""
        pure = is_shareable(call)
        if not pure and not is_shareable_read(call):
            return False
        keys = self.keys_of(call, pure)
        for key in keys:
            earlier = self.available.get(key)
            if earlier is not None and (earlier.exact or not call.exact) and earlier.result.type == call.result.type:
                self.known[call.result] = earlier.result
                return True
        for key in keys if not call.exact else self.keys_of(call, pure, commuted=True):
            outer.setdefault(key, self.available.get(key))
            self.available[key] = call
        return False

    def keys_of(self, call: Call, pure: bool, *, commuted: bool = False) -> list[object]:
        """What identifies a call, first as it stands; for inexact calls also with the operands in any order."""
        versions: tuple[int, ...] = ()
        if not pure:
            memory = [operand for operand in operands_of(call) if not is_number(operand) and isinstance(operand, Value)]
            places = [operand if operand in self.private else None for operand in memory if isinstance(operand, Value)] or [None]
            versions = tuple(self.versions.get(place, 0) for place in places)
        arguments = tuple(map(operand_key, call.arguments))
        named = tuple((name, operand_key(operand)) for name, operand in call.keywords)
        function = operand_key(call.function)
        keys: list[object] = [(function, arguments, named, versions)]
        if (commuted or not call.exact) and function_of(call) in _COMMUTATIVE and all(map(is_number, call.arguments)):
            keys.append((function, frozenset(arguments), versions))
        return keys
