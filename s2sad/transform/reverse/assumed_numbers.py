"""What was taken for a number, without being known to be one: checked where the derivative depends on it.

What comes from a function that is not known counts as a number where arithmetic or a comparison meets it. If it is an array when
the program runs, shapes were taken for what they are not; so it is asked in the forward sweep::

    weights = loads(data)             # nobody knows
    mask = weights > 0.5              # a truth value, or an array of them
    return np.sum(x * mask)           # x_bar = mask, of the shape of x?
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from s2sad.analysis.array_types import is_elementwise
from s2sad.analysis.result_types import COMPARISONS
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Break, Call, Constant, For, Operation, Terminator, Value, While, Yield, operands_of
from s2sad.ir.types import ArrayType, ScalarType, Type, UnknownType, may_be_anything
from s2sad.transform.purity import is_one_of

if TYPE_CHECKING:
    from s2sad.transform.reverse.engine import Engine


def check_assumed_numbers(engine: Engine) -> None:
    """Check, in the forward sweep, the operands that were taken for numbers, where the derivative depends on the result."""
    nodes = nodes_of(engine.function)
    assuming = [(node, _assumed(node)) for node in nodes if isinstance(node, Call)]
    if not any(assumed for _, assumed in assuming):
        return
    needed = _needed(engine, nodes)
    for call, assumed in assuming:
        if call.result in needed:
            for value in assumed:
                engine.calls.check_number(call, value)


def _assumed(call: Call) -> list[Value]:
    """What a call takes for numbers, though it may be arrays: operands, or what another function makes of such operands."""
    if not isinstance(call.result.type, ScalarType) or not isinstance(call.function, Constant):
        return []
    function = call.function.value
    if isinstance(function, Callee):
        return [call.result] if isinstance(function.unit, Specialisation) and function.unit.assumes else []
    if is_one_of(function, COMPARISONS):  # of what is no array (a text, None, a date) gives a truth value
        return [call.result] if any(map(is_unknown, call.arguments)) else []
    if not is_elementwise(function):
        return []
    return [operand for operand in call.arguments if isinstance(operand, Value) and is_unknown(operand)]


def is_unknown(operand: object) -> bool:
    """Whether an operand may be anything."""
    return isinstance(operand, Value) and may_be_anything(operand.type)


def _needed(engine: Engine, nodes: Iterable[Operation | Terminator]) -> set[Value]:
    """What the derivative may depend on: operands of what is active, or of what never ends if the operands are numbers, and what
    they are computed from. What is handed on from block to block, or stored beside something that is needed, counts."""
    calls = [node for node in nodes if isinstance(node, Call)]
    handed_on = [operand for node in nodes if isinstance(node, (Yield, Break)) for operand in operands_of(node)]
    handed_on += [carried.initial for node in nodes if isinstance(node, (For, While)) for carried in node.carried]
    needed: set[Value] = set()
    waiting = [
        operand
        for call in calls
        if call.result in engine.activity
        or isinstance(call.result.type, UnknownType)
        or any(isinstance(operand, Value) and operand in engine.activity for operand in operands_of(call))
        for operand in operands_of(call)
    ]
    users: dict[Value, list[Call]] = {}
    for call in calls:
        for operand in operands_of(call):
            if isinstance(operand, Value) and _may_be_stored_into(operand.type):
                users.setdefault(operand, []).append(call)
    while waiting:
        value = waiting.pop()
        if not isinstance(value, Value) or value in needed:
            continue
        needed.add(value)
        definition = engine.structure.definition.get(value)
        if isinstance(definition, Call):
            waiting.extend(operands_of(definition))
        elif definition is not None or engine.structure.home.get(value) is not engine.structure.root:
            waiting.extend(handed_on)
        for user in users.get(value, ()):
            waiting.extend(operands_of(user))
    return needed


def _may_be_stored_into(kind: Type) -> bool:
    return isinstance(kind, ArrayType) or not isinstance(kind, ScalarType)
