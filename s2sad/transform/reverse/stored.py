"""Numbers that were stored into an array or a list: while they are there, they need not be saved.

The reverse of a store puts back what it has overwritten; before, the array holds what was stored::

    low[i, j] = math.sqrt(s)                root = low[i, j]
                                            low[i, j] = 0.0
                                            s_bar = low_bar[i, j] * 0.5 / root

Where no later store sets that element again, it is there at the end as well, and nothing has to be put back.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2sad.analysis.memory import references_in
from s2sad.ir.nodes import Call, Constant, Operation, Value, blocks_of, operands_of, results_of, walk
from s2sad.ir.types import FLOAT, ArrayType, ListType, ScalarType
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.timeline import END

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def find_stored(engine: Engine, restored: frozenset[int]) -> dict[Value, Call]:
    """The numbers that arrays and lists hold at the end of the block in which they were stored, with the stores."""
    found: dict[Value, Call] = {}
    for node in walk(engine.function.body):
        if not isinstance(node, Call) or not isinstance(node.function, Constant) or node.function.value is not operator.setitem:
            continue
        owner, key, stored = node.arguments
        if not isinstance(stored, Value) or not isinstance(owner, Value) or not _holds(owner, stored):
            continue
        home = engine.structure.home[node.result]
        if engine.structure.home[stored] is not home or engine.structure.definition[stored] is None:
            continue
        region = memory_of(owner)
        if region is not None and not isinstance(engine.type_of_item(owner, key), ScalarType):
            continue
        if region is not None and region in restored:
            is_there = not engine.timeline.is_written_between(frozenset({region}), home, node, END)
        else:
            is_there = engine.unchanged.exposed.isdisjoint(references_in(owner.type)) and engine.settled.stays(node)
        if is_there:
            found[stored] = node
    return found


def _holds(owner: Value, stored: Value) -> bool:
    """Whether a container holds a number just as it is stored."""
    if isinstance(owner.type, ListType):
        return owner.type.element == stored.type == FLOAT
    return isinstance(owner.type, ArrayType) and owner.type.dtype == "float64" and _is_double(stored)


def _is_double(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.kind == "float" and value.type.dtype in ("", "float64")


def load_of(store: Call) -> list[Operation]:
    """The operations that read what a store has stored: a float where it was one."""
    owner, key, stored = store.arguments
    assert isinstance(owner, Value)
    assert isinstance(stored, Value)
    if stored.type != FLOAT or isinstance(owner.type, ListType):
        return [Call(stored, Constant(operator.getitem), (owner, key), (), store.span, exact=False)]
    element = Value("", ScalarType("float", "float64"), temporary=True)
    return [
        Call(element, Constant(operator.getitem), (owner, key), (), store.span, exact=False),
        Call(stored, Constant(float), (element,), (), store.span, exact=False),
    ]


def loads_before_uses(operations: Sequence[Operation]) -> list[Operation]:
    """Operations in the order of the program, but what an array holds is loaded before it is used: in the program it was stored
    only later."""
    definition = {result: operation for operation in operations for result in results_of(operation)}
    found: dict[Operation, None] = {}

    def place(operation: Operation) -> None:
        if operation in found:
            return
        for node in [operation, *(node for block in blocks_of(operation) for node in walk(block))]:
            for operand in operands_of(node):
                if isinstance(operand, Value) and definition.get(operand, operation) is not operation:
                    place(definition[operand])
        found[operation] = None

    for operation in operations:
        place(operation)
    return list(found)
