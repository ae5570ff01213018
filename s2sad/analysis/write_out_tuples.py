"""Tuples of the elements that a loop over a known number of things collects, written out: so their length is known.

Before, where `s` and `k` have two elements::

    elements = []
    for a, b in zip(s, k):
        elements.append(a + h * b)
    s = tuple(elements)

After::

    s = (s[0] + h * k[0], s[1] + h * k[1])

What is iterated over is taken apart first. In a loop, that it has another length in a later trip is seen when all types are
known; then inference starts again, and only what stands in no loop is written out.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2sad.analysis.implicit_calls import ExplicitError
from s2sad.analysis.iterator_loops import is_append
from s2sad.analysis.loop_elements import elements_of
from s2sad.analysis.structure import Structure
from s2sad.analysis.unroll import MOST_TRIPS, Copy, may_write_out
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Operand,
    Operation,
    Value,
    Yield,
    function_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import make_list, make_tuple
from s2sad.ir.types import AnyType, ScalarType, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


def check_tuple(inference: Inference, call: Call) -> None:
    """Raise `ExplicitError` for ``tuple(elements)``, if the elements are collected in a list that is used for nothing else, by
    statements of which it is known how often they are run."""
    elements, structure = call.arguments[0], Structure.of(inference.definition)
    if not may_write_out(inference, call, structure):
        return
    block = structure.home[call.result]
    made = structure.definition.get(elements) if isinstance(elements, Value) else None
    if not isinstance(elements, Value) or not isinstance(made, Call) or structure.home[elements] is not block:
        return
    if function_of(made) is not make_list:
        return
    start, end = block.operations.index(made), block.operations.index(call)
    used = sum(elements in operands_of(node) for node in walk(inference.definition.body))
    writer = _Writer(inference, elements)
    operations = writer.written(block.operations[start + 1 : end], None)
    if operations is None or not writer.appends or used != writer.appends + 1:
        return
    tuple_made = Call(call.result, Constant(make_tuple), (*made.arguments, *writer.elements), (), call.span)
    written = (*block.operations[:start], *operations, tuple_made, *block.operations[end + 1 :])
    raise ExplicitError(block, lambda found: Block(written, found.terminator))


def check_sum(inference: Inference, call: Call) -> None:
    """Raise `ExplicitError` for ``sum(tuples, ())`` of a known number of tuples: a sum is longer than what it is the sum of."""
    found = elements_of(inference, call.arguments[0], is_checked=True)
    if not may_write_out(inference, call) or found is None or found[0] > MOST_TRIPS:
        return
    count, element, _ = found
    operations: list[Operation] = []
    total = call.arguments[1]
    for trip in range(count):
        added = element(trip, operations)
        longer = call.result if trip == count - 1 else Value(call.result.name, temporary=True)
        operations.append(Call(longer, Constant(operator.add), (total, added), (), call.span))
        total = longer
    if operations:
        raise ExplicitError(call, lambda found: tuple(operations))


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
            if not any(self.collected in operands_of(node) for node in walk(Block((operation,), Yield()))):
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
