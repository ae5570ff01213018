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
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    walk,
)
from s2sad.ir.operations import call_method, held, make_list
from s2sad.ir.types import ArrayType, ListType, ScalarType, Type, strip_optional
from s2sad.transform.rewrite import map_blocks, substitute_block, with_body

#: For a `Yield` and for a `Break`, what it hands its values on to.
Targets = tuple[Sequence[Value], ...]


def hold_numbers(function: Function) -> Function:
    """Mark the numbers that come together with arrays."""
    return with_body(function, _block(function.body, ()))


def release_numbers(function: Function) -> Function:
    """The function without the marks."""
    released: dict[Value, Operand] = {
        node.result: node.arguments[0] for node in walk(function.body) if isinstance(node, Call) and is_held(node)
    }
    return with_body(function, substitute_block(_without_marks(function.body), released)) if released else function


def is_held(call: Call) -> bool:
    """Whether a call marks a number."""
    return isinstance(call.function, Constant) and call.function.value is held


def _without_marks(block: Block) -> Block:
    kept = [node for node in block.operations if not (isinstance(node, Call) and is_held(node))]
    operations = tuple(map_blocks(node, _without_marks) for node in kept)
    return Block(operations, map_blocks(block.terminator, _without_marks))


def _block(block: Block, targets: Targets) -> Block:
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
            end = _with_values(end, values)
        case _:
            end = map_blocks(end, lambda arm: _block(arm, targets))
    return Block(tuple(operations), end)


def _with_values(end: Yield | Break, values: tuple[Operand, ...]) -> Terminator:
    return Yield(values) if isinstance(end, Yield) else Break(values, end.span)


def _operation(node: Operation) -> tuple[list[Call], Operation]:
    """An operation, and what marks the numbers that it is given."""
    match node:
        case Call(result, function, arguments, keywords, span, exact):
            marks, arguments = _marked(arguments, _places(node))
            return marks, Call(result, function, arguments, keywords, span, exact) if marks else node
        case If() | Try() | With():
            return [], map_blocks(node, lambda inner: _block(inner, (node.results,)))
        case For(target, iterable, _, body, span):
            marks, carried = _carried(node.carried)
            return marks, For(target, iterable, carried, _block(body, _targets(carried)), span)
        case While(header, _, body, span):
            marks, carried = _carried(node.carried)
            return marks, While(_block(header, ()), carried, _block(body, _targets(carried)), span)
    return [], node


def _targets(carried: Iterable[Carried]) -> Targets:
    return tuple(item.parameter for item in carried), tuple(item.result for item in carried)


def _carried(carried: tuple[Carried, ...]) -> tuple[list[Call], tuple[Carried, ...]]:
    marks, initials = _marked([item.initial for item in carried], [item.parameter.type for item in carried])
    new = [Carried(initial, item.parameter, item.result) for initial, item in zip(initials, carried, strict=True)]
    return marks, tuple(new)


def _places(call: Call) -> list[Type | None]:
    """What the operands of a call are put into: the elements of a list."""
    nothing: list[Type | None] = [None] * len(call.arguments)
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is make_list and isinstance(call.result.type, ListType):
        return [call.result.type.element] * len(call.arguments)
    owner = call.arguments[0].type if call.arguments and isinstance(call.arguments[0], Value) else None
    if (function is operator.setitem or function is call_method) and isinstance(owner, ListType):
        return [None, None, *[owner.element] * (len(call.arguments) - 2)]
    return nothing


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
