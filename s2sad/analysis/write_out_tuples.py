"""Tuples of the elements that a loop over a known number of things collects, written out: so their length is known.

Before, where `s` and `k` have two elements::

    elements = []
    for a, b in zip(s, k):
        elements.append(a + h * b)
    s = tuple(elements)

After::

    s = (s[0] + h * k[0], s[1] + h * k[1])

What is iterated over is taken apart first, which fails where it has another length, as the element of a loop may in a later trip.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2sad.analysis.fuse_iterators import FusionError
from s2sad.analysis.iterator_loops import is_append
from s2sad.analysis.unroll import MOST_TRIPS, Copy, elements_of, with_blocks
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Operand,
    Operation,
    Terminator,
    Value,
    Yield,
    blocks_of,
    function_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import make_list, make_tuple
from s2sad.ir.types import AnyType, ScalarType, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


def check_tuple(inference: Inference, call: Call) -> None:
    """Raise `FusionError` for ``tuple(elements)``, if the elements are collected in a list that is used for nothing else, by
    statements of which it is known how often they are run."""
    elements = call.arguments[0]
    if not isinstance(elements, Value) or (block := _block_with(inference.definition.body, call)) is None:
        return
    made = next((node for node in block.operations if isinstance(node, Call) and node.result is elements), None)
    if made is None or function_of(made) is not make_list:
        return
    start, end = block.operations.index(made), block.operations.index(call)
    within = block.operations[start + 1 : end]
    used = sum(elements in operands_of(node) for node in walk(inference.definition.body))
    writer = _Writer(inference, elements)
    operations = writer.written(within, None)
    if operations is None or not writer.appends or used != writer.appends + 1:
        return
    tuple_made = Call(call.result, Constant(make_tuple), (*made.arguments, *writer.elements), (), call.span)
    new = (*block.operations[:start], *operations, tuple_made, *block.operations[end + 1 :])
    raise FusionError(replace(inference.definition, body=_with(inference.definition.body, block, new)))


class _Writer:
    """Writes the statements that collect elements once for each trip."""

    def __init__(self, inference: Inference, collected: Value) -> None:
        self.inference = inference
        self.collected = collected
        #: What is appended, in order, and how many statements append.
        self.elements: list[Operand] = []
        self.appends = 0
        self.seen: set[Call] = set()

    def written(self, operations: Sequence[Operation], copy: Copy | None) -> list[Operation] | None:
        """The statements as they are, or copied for one trip. None: how many elements there are is open, or they have no
        derivative."""
        written: list[Operation] = []
        for operation in operations:
            if not any(self.collected in operands_of(node) for node in _within(operation)):
                written.append(operation if copy is None else copy.operation(operation))
            elif isinstance(operation, Call) and self.is_plain_append(operation):
                element = operation.arguments[2]
                self.elements.append(element if copy is None else copy.use(element))
                self.appends += operation not in self.seen
                self.seen.add(operation)
            elif isinstance(operation, For):
                trips = self.trips(operation, copy)
                if trips is None:
                    return None
                written += trips
            else:
                return None
        return written

    def is_plain_append(self, call: Call) -> bool:
        if not is_append(call, self.collected) or len(call.arguments) != 3 or call.keywords:
            return False
        name, element = call.arguments[1:]
        kind = self.inference.type_of(element)
        is_worth_it = not isinstance(kind, UnknownType | AnyType) and not (isinstance(kind, ScalarType) and kind.kind != "float")
        return isinstance(name, Constant) and name.value == "append" and is_worth_it

    def trips(self, loop: For, copy: Copy | None) -> list[Operation] | None:
        """A loop, trip by trip."""
        if loop.carried or not isinstance(loop.body.terminator, Yield):
            return None
        found = elements_of(self.inference, loop.iterable, is_checked=True)
        if found is None or not 0 < found[0] <= MOST_TRIPS:
            return None
        count, element, _ = found
        written: list[Operation] = []
        for trip in range(count):
            out: list[Operation] = []
            target = element(trip, out)
            inner = Copy({} if copy is None else dict(copy.values))
            written += map(inner.operation, out)
            inner.values[loop.target] = inner.use(target)
            body = self.written(loop.body.operations, inner)
            if body is None:
                return None
            written += body
        return written


def _within(operation: Operation) -> Iterator[Operation | Terminator]:
    yield operation
    for block in blocks_of(operation):
        yield from walk(block)


def _block_with(block: Block, call: Call) -> Block | None:
    """The block that has a call among its operations."""
    if any(operation is call for operation in block.operations):
        return block
    inner = [one for operation in block.operations for one in blocks_of(operation)]
    if isinstance(block.terminator, Branch):
        inner += [block.terminator.then, block.terminator.orelse]
    return next((found for one in inner if (found := _block_with(one, call)) is not None), None)


def _with(block: Block, target: Block, operations: tuple[Operation, ...]) -> Block:
    """The same block with other operations in one that it has."""
    if block is target:
        return Block(operations, block.terminator)
    new = tuple(
        with_blocks(operation, [_with(inner, target, operations) for inner in blocks_of(operation)])
        for operation in block.operations
    )
    end = block.terminator
    if isinstance(end, Branch):
        end = replace(end, then=_with(end.then, target, operations), orelse=_with(end.orelse, target, operations))
    same = end is block.terminator and all(map(operator.is_, new, block.operations))
    return block if same else Block(new, end)
