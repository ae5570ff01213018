"""Finds how much of a sequence of operations one unpacking covers: ``a, (b, *c) = x``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from s2sad.emit.expressions import name
from s2sad.emit.folding import Plan
from s2sad.emit.forms import number_of_targets, unpacking_target
from s2sad.ir import operations
from s2sad.ir.nodes import Call, Constant, Operation, Value


@dataclass(frozen=True, slots=True)
class Unpacking:
    """The target, the values that it binds, and how many operations after the unpacking it covers."""

    target: ast.expr
    assigned: list[Value]
    consumed: int


def find_unpacking(
    plan: Plan, nodes: Sequence[Operation], index: int, target_of: Callable[[Value], ast.expr]
) -> Unpacking | None:
    """The target of an unpacking whose elements are taken at once."""
    root = nodes[index]
    assert isinstance(root, Call)
    slots: dict[Value, list[Value | None]] = {root.result: [None] * number_of_targets(root)}
    calls = {root.result: root}
    nested: dict[Value, Call] = {}
    position = index + 1
    while position < len(nodes):
        match nodes[position]:
            case Call(result, Constant(operator.getitem), (Value() as whole, Constant(int() as place))) if (
                whole in slots and 0 <= place < len(slots[whole]) and slots[whole][place] is None
            ):
                slots[whole][place] = result
            case Call(result, Constant(operations.unpack), (Value() as part, *_)) as inner if (
                any(part in group for group in slots.values()) and plan.assignment.uses[part] == 1
            ):
                slots[result] = [None] * number_of_targets(inner)
                calls[result] = nested[part] = inner
            case _:
                break
        position += 1
    for whole, group in slots.items():
        if sum(slot is not None for slot in group) != plan.assignment.uses[whole]:
            return None

    def target(whole: Value) -> ast.expr:
        elements: list[ast.expr] = []
        for slot in slots[whole]:
            if slot is None:
                elements.append(name(plan.names.variable(plan.throwaway)))
            elif slot in nested:
                elements.append(target(nested[slot].result))
            else:
                elements.append(target_of(slot))
        return unpacking_target(calls[whole], elements)

    assigned = [slot for group in slots.values() for slot in group if slot is not None and slot not in nested]
    return Unpacking(target(root.result), assigned, position - index - 1)
