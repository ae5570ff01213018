"""Numbers where an array may be, in memory that is changed in place or that containers hold.

A name may be a number first and an array later, and a list may hold both. Where such arrays are memory, each of them has a
shadow, and so has the number: an array without axes, from which the number's own adjoint is taken. The operation that stands for
this, `held`, gives what it is given; it is there while a function is reversed, and gone before it is printed. ::

    s = 0.5                              s = 0.5
    for row in rows:                     s_held = held(s)
        kept.append(s)                   for row in rows carried (s_1 = s_held):
        s = s + row
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from s2sad.analysis.memory import ELEMENT as _ELEMENT
from s2sad.ir.contents import functions_called, is_of_numbers, nodes_of
from s2sad.ir.nodes import (
    Block,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
)
from s2sad.ir.operations import call_method, handed_on, held, make_cell, make_dict, make_list, set_frozen, store_cell
from s2sad.ir.types import ANY, ArrayType, DictType, ListType, ObjectType, ScalarType, Type, strip_optional
from s2sad.transform.rewrite import map_blocks, substitute_block, with_blocks, with_body, with_operations

#: The place of the elements of a list, or of what a cell holds.
ELEMENT: Final = Constant(_ELEMENT)
_MARKS: Final = (held, handed_on)
#: For a `Yield` and for a `Break`, what it hands its values on to.
Targets = tuple[Sequence[Value], ...]


def hold_numbers(function: Function, returned: Type = ANY) -> Function:
    """Mark the numbers that come together with arrays; `returned` is the type of what the function gives."""
    return with_body(function, _block(function.body, (), returned))


def release_marks(function: Function) -> Function:
    """The function without operations that give what they are given: these marks, and those of arrays that are handed on."""
    released: dict[Value, Operand] = {}
    if functions_called(function).isdisjoint(_MARKS):
        return function
    for node in nodes_of(function):
        if isinstance(node, Call) and _is_mark(node):
            marked = node.arguments[0]
            released[node.result] = released.get(marked, marked) if isinstance(marked, Value) else marked
    return with_body(function, substitute_block(_without_marks(function.body), released)) if released else function


def _is_mark(call: Call) -> bool:
    return isinstance(call.function, Constant) and call.function.value in _MARKS


def is_held(call: Call) -> bool:
    """Whether a call marks a number."""
    return isinstance(call.function, Constant) and call.function.value is held


def _without_marks(block: Block) -> Block:
    kept = [node for node in block.operations if not (isinstance(node, Call) and _is_mark(node))]
    operations = tuple(map_blocks(node, _without_marks) for node in kept)
    return Block(operations, map_blocks(block.terminator, _without_marks))


def _block(block: Block, targets: Targets, returned: Type = ANY) -> Block:
    operations: list[Operation] = []
    for node in block.operations:
        before, new = _operation(node)
        operations += [*before, new]
    end = block.terminator
    match end:
        case Yield(values) | Break(values) if targets:
            taking = targets[-1 if isinstance(end, Break) else 0]
            marks, values = _marked(values, [target.type for target in taking])
            operations += marks
            end = _with_values(end, values) if marks else end
        case Return(value, span):
            marks, (value,) = _marked([value], [returned])
            operations += marks
            end = Return(value, span) if marks else end
        case _:
            end = map_blocks(end, lambda arm: _block(arm, targets, returned))
    return with_operations(block, operations, end)


def _with_values(end: Yield | Break, values: tuple[Operand, ...]) -> Terminator:
    return Yield(values) if isinstance(end, Yield) else Break(values, end.span)


def _operation(node: Operation) -> tuple[list[Call], Operation]:
    """An operation, and what marks the numbers that it is given."""
    match node:
        case Call() if is_of_numbers(node):  # most nodes
            return [], node
        case Call(result, function, arguments, keywords, span, exact):
            marks, arguments = _marked(arguments, _places(node))
            return marks, Call(result, function, arguments, keywords, span, exact) if marks else node
        case If() | Try() | With():
            return [], map_blocks(node, lambda inner: _block(inner, (node.results,)))
        case For() | While():
            marks, carried = _carried(node.carried)
            header = [_block(node.header, ())] if isinstance(node, While) else []
            marked = with_blocks(node, [*header, _block(node.body, _targets(node.carried))])
            return marks, replace(marked, carried=carried) if marks else marked
    return [], node


def _targets(carried: Iterable[Carried]) -> Targets:
    return tuple(item.parameter for item in carried), tuple(item.result for item in carried)


def _carried(carried: tuple[Carried, ...]) -> tuple[list[Call], tuple[Carried, ...]]:
    marks, initials = _marked([item.initial for item in carried], [item.parameter.type for item in carried])
    new = [Carried(initial, item.parameter, item.result) for initial, item in zip(initials, carried, strict=True)]
    return marks, tuple(new)


def _places(call: Call) -> list[Type | None]:
    """What the operands of a call are put into: elements of a list or dict, attributes, variables that closures share."""
    arguments = call.arguments
    places: list[Type | None] = [None] * len(arguments)
    function = call.function.value if isinstance(call.function, Constant) else None
    if function in (make_list, make_cell):
        return [slot_of(call.result, ELEMENT)] * len(arguments)
    if function is make_dict:
        places[1::2] = [slot_of(call.result, key) for key in arguments[::2]]
    elif function in (operator.setitem, setattr, set_frozen):
        places[2] = slot_of(arguments[0], arguments[1])
    elif function is store_cell:
        places[1] = slot_of(arguments[0], ELEMENT)
    elif function is call_method and isinstance(getattr(arguments[0], "type", None), ListType):
        places[2:] = [slot_of(arguments[0], ELEMENT)] * (len(arguments) - 2)
    return places


def slot_of(owner: Operand, key: Operand) -> Type | None:
    """The type of what a container may hold in a place."""
    kind = strip_optional(owner.type) if isinstance(owner, Value) else None
    match kind:
        case ListType(element=element):
            return element
        case DictType(value=value, fields=fields):
            return dict(fields).get(key.value, value) if isinstance(key, Constant) else value
        case ObjectType(fields=fields):
            return dict(fields).get(str(key.value)) if isinstance(key, Constant) else None
    return None


def _marked(operands: Sequence[Operand], places: Sequence[Type | None]) -> tuple[list[Call], tuple[Operand, ...]]:
    """Operands with marks, where a number goes to the place of an array that is memory."""
    marks: list[Call] = []
    found: list[Operand] = []
    for operand, place in zip(operands, places, strict=True):
        kind = strip_optional(place) if place is not None else None
        if isinstance(kind, ArrayType) and not kind.fixed and _is_number(operand):
            name = operand.name if isinstance(operand, Value) else ""
            marks.append(Call(Value(name, kind, temporary=True), Constant(held), (operand,)))
            operand = marks[-1].result
        found.append(operand)
    return marks, tuple(found)


def _is_number(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return type(operand.value) in (int, float)
    return isinstance(strip_optional(operand.type), ScalarType)
