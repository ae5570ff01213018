"""Finds what is added to arrays in place: ``x += e``, and ``x[k] += e`` as it is written in IR.

    v = getitem(x, k)
    r ~= add(v, e)
    setitem(x, k, r)

Such additions commute as long as nobody reads the array in between.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from s2sad.ir.nodes import Call, Operand, Operation, Value, blocks_of, operands_of, walk
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_memory import ArrayMemory, is_array, makes_view
from s2sad.transform.purity import function_of, is_display
from s2sad.transform.rewrite import operand_key

#: The key of a whole array.
WHOLE: Final = "whole"


@dataclass(frozen=True, slots=True, eq=False)
class Accumulation:
    """``target[key] += value``, or ``-=``; `calls` are all that it consists of, the last one writes."""

    target: Value
    key: object
    value: Operand
    is_minus: bool
    calls: tuple[Call, ...]

    @property
    def place(self) -> tuple[Value, object]:
        return self.target, self.key


class Keys:
    """Tells which indices are the same: those that are made alike of the same values."""

    def __init__(self) -> None:
        self.shapes: dict[Value, object] = {}

    def note(self, call: Call) -> None:
        if is_display(call) or makes_view(call):
            function = operand_key(call.function)
            self.shapes[call.result] = (function, tuple(map(self.key_of, call.arguments)))

    def key_of(self, operand: Operand) -> object:
        shape = self.shapes.get(operand) if isinstance(operand, Value) else None
        return operand_key(operand) if shape is None else shape


def find_accumulations(
    operations: Sequence[Operation], uses: Mapping[Value, int], memory: ArrayMemory, keys: Keys
) -> dict[Call, Accumulation]:
    """The additions in place among the operations of a block, under the call that writes."""
    found: dict[Call, Accumulation] = {}
    calls: dict[Value, tuple[int, Call]] = {}
    #: The position of the last write to each root.
    written: list[tuple[int, int]] = []

    def is_written_since(position: int, roots: int) -> bool:
        return any(where > position and roots & what for where, what in written)

    for position, operation in enumerate(operations):
        if isinstance(operation, Call):
            keys.note(operation)
            calls[operation.result] = position, operation
            accumulation = _in_place(operation, uses, memory)
            if accumulation is None and function_of(operation) is operator.setitem and is_array(operation.arguments[0]):
                accumulation = _at_index(operation, calls, uses, memory, keys)
                if accumulation is not None:
                    start = calls[accumulation.calls[0].result][0]
                    touched = memory.roots(accumulation.target) | memory.reach(memory.roots(accumulation.value))
                    if is_written_since(start, touched):
                        accumulation = None
            if accumulation is not None:
                found[operation] = accumulation
        what = written_in(operation, memory)
        if what:
            written.append((position, what))
    return found


def written_in(operation: Operation, memory: ArrayMemory) -> int:
    """The memory of arrays that an operation, or something inside it, may write to."""
    found = memory.written_inside.get(operation)
    if found is None:
        found = memory.written_by(operation)
        for block in blocks_of(operation):
            for node in walk(block):
                found |= memory.written_by(node)
        memory.written_inside[operation] = found
    return found


def read_in(operation: Operation, memory: ArrayMemory) -> int:
    """The memory of arrays that an operation, or something inside it, may read."""
    found = 0
    for node in (operation, *(node for block in blocks_of(operation) for node in walk(block))):
        if isinstance(node, Call):
            found |= memory.read_by(node)
        else:
            for operand in operands_of(node):
                found |= memory.reach(memory.roots(operand))
    return found


def _in_place(call: Call, uses: Mapping[Value, int], memory: ArrayMemory) -> Accumulation | None:
    function = function_of(call)
    if function not in (operator.iadd, operator.isub) or call.exact or uses.get(call.result):
        return None
    target, value = call.arguments
    if not isinstance(target, Value) or not is_array(target) or not is_plain(value, memory, target):
        return None
    return Accumulation(target, WHOLE, value, function is operator.isub, (call,))


def _at_index(
    store: Call, calls: dict[Value, tuple[int, Call]], uses: Mapping[Value, int], memory: ArrayMemory, keys: Keys
) -> Accumulation | None:
    target, key, value = store.arguments
    if not isinstance(target, Value) or not isinstance(value, Value) or uses.get(value) != 1 or value not in calls:
        return None
    step = calls[value][1]
    symbol = symbol_of(step)
    if symbol not in ("+", "-") or step.exact or function_of(step) in (operator.iadd, operator.isub):
        return None
    for old, added in (step.arguments, step.arguments[::-1]) if symbol == "+" else (step.arguments,):
        if not isinstance(old, Value) or uses.get(old) != 1 or old not in calls:
            continue
        load = calls[old][1]
        if function_of(load) is not operator.getitem or load.arguments[0] is not target:
            continue
        if keys.key_of(load.arguments[1]) == keys.key_of(key) and is_plain(added, memory, target):
            return Accumulation(target, keys.key_of(key), added, symbol == "-", (load, step, store))
    return None


def is_plain(operand: Operand, memory: ArrayMemory, target: Value) -> bool:
    """Whether what is added is a real number, or an array that shares no memory with the target."""
    if not isinstance(operand, Value):
        return operand.value.__class__ in (int, float)
    if isinstance(operand.type, ScalarType):
        return operand.type.kind in ("int", "float")
    is_real = isinstance(operand.type, ArrayType) and operand.type.kind == "float"
    return is_real and not memory.roots(operand) & memory.roots(target)
