"""Updates of an item of an array whose number of axes only the running program knows.

``x[k] += e`` changes a row of a matrix in place, and gives an element of a vector another value. ``x[k, ...] += e`` does the
same to either: the item is a view, without axes where it is one element. So the derivative need not know which it is. ::

    held = [vector, matrix]
    held[i][0] *= 2.0             # held[i][0, ...] *= 2.0
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2sad.analysis.plain_updates import PLAIN
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Call, Constant, Operand, Value, operands_of
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


@dataclass(frozen=True, slots=True, eq=False)
class ItemUpdate:
    """An update, and the integers that are its index."""

    places: tuple[Operand, ...]


def item_updates(inference: Inference) -> dict[Call, ItemUpdate]:
    """The reads and the stores of these updates: two calls for each."""
    nodes = list(nodes_of(inference.definition))
    calls = {node.result: node for node in nodes if isinstance(node, Call)}
    uses = Counter(operand for node in nodes for operand in operands_of(node) if isinstance(operand, Value))
    found: dict[Call, ItemUpdate] = {}
    for store in calls.values():
        if _function_of(inference, store) is not operator.setitem or len(store.arguments) != 3:
            continue
        owner, key, stored = store.arguments
        update = calls.get(stored) if isinstance(stored, Value) else None
        if update is None or _function_of(inference, update) not in PLAIN:
            continue
        target = update.arguments[0]
        read = calls.get(target) if isinstance(target, Value) else None
        if read is None or _function_of(inference, read) is not operator.getitem or len(read.arguments) != 2:
            continue
        if any(one is not other for one, other in zip(read.arguments, (owner, key), strict=True)):
            continue
        places = _integers(inference, key, calls)
        if places and uses[read.result] == uses[update.result] == 1 and _is_of_floats(inference, owner):
            found[read] = found[store] = ItemUpdate(places)
    return found


def _function_of(inference: Inference, call: Call) -> object:
    resolution = inference.resolutions.get(call)
    function = None if resolution is None or resolution.specialisation is not None else resolution.function
    return function if isinstance(function, type(operator.iadd)) else None


def _is_of_floats(inference: Inference, owner: Operand) -> bool:
    """Whether an array has an unknown number of axes, and is one of floats: one of integers takes floats as elements only."""
    kind = inference.type_of(owner)
    return isinstance(kind, ArrayType) and kind.shape is None and kind.kind == "float"


def _integers(inference: Inference, key: Operand, calls: dict[Value, Call]) -> tuple[Operand, ...]:
    """The integers of an index, if there is nothing else in it."""
    definition = calls.get(key) if isinstance(key, Value) else None
    is_tuple = definition is not None and isinstance(definition.function, Constant) and definition.function.value is make_tuple
    parts = definition.arguments if definition is not None and is_tuple else (key,)
    kinds = [inference.type_of(part) for part in parts]
    return parts if all(isinstance(kind, ScalarType) and kind.kind == "int" for kind in kinds) else ()
