"""The loops that read iterators, with the elements computed inside.

Before (the loop of a generator expression, and one over what it gives)::

    for x in xs:
        if x > 0:
            elements.append(x * x)
    for y in elements:
        s += y

After::

    for x in xs:
        if x > 0:
            y = x * x
            s += y
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from s2sad.analysis.unroll import Copy
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Return,
    Span,
    Value,
    Yield,
    function_of,
    walk,
)
from s2sad.ir.operations import call_method, make_list

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def emit(
    out: list[Operation],
    function: object,
    *arguments: Operand,
    keywords: tuple[tuple[str, Operand], ...] = (),
    result: Value | None = None,
    span: Span | None = None,
) -> Value:
    """Append a call, and give its result."""
    made = Value("", temporary=True) if result is None else result
    callee = function if isinstance(function, Value | Constant) else Constant(function)
    out.append(Call(made, callee, arguments, keywords, span))
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """The list of the elements of a generator expression: where it is made, and the loop that fills it."""

    made: Call
    loop: For
    given: Call


def collected(block: Block, call: Call) -> Collected | None:
    """The loop behind a generator expression in the same block, unless it was written out."""
    if call not in block.operations:
        return None
    made = [one for one in block.operations if isinstance(one, Call) and one.result is call.arguments[0]]
    loops = [one for one in block.operations if isinstance(one, For) and fills(one.body, call.arguments[0])]
    if len(made) != 1 or len(loops) != 1 or loops[0].carried or function_of(made[0]) is not make_list or made[0].arguments:
        return None
    return Collected(made[0], loops[0], call)


def fills(block: Block, elements: Operand) -> bool:
    """Whether something in a block appends to this list."""
    return any(isinstance(node, Call) and is_append(node, elements) for node in walk(block))


def is_append(node: Operation, elements: Operand) -> bool:
    """Whether a node appends to this list (nothing else is done with it)."""
    return isinstance(node, Call) and function_of(node) is call_method and node.arguments[0] is elements


def write_out_lambda(maker: MakeFunction, arguments: Sequence[Operand], out: list[Operation]) -> Operand | None:
    """The body of a nested function for these arguments, if it is one expression; its value."""
    definition = maker.definition
    is_plain = all(parameter.kind in _POSITIONAL for parameter in definition.parameters)
    fits = is_plain and len(definition.parameters) == len(arguments)
    if not fits or maker.defaults or not isinstance(definition.body.terminator, Return):
        return None
    values = dict(zip(definition.captured, maker.captured, strict=True))
    values.update(zip((parameter.value for parameter in definition.parameters), arguments, strict=True))
    copy = Copy(values)
    out.extend(map(copy.operation, definition.body.operations))
    return copy.use(definition.body.terminator.value)


def first_element(call: Call, element: Value) -> list[Operation]:
    """``next(iterator)`` or ``next(iterator, default)``."""
    iterator, *default = call.arguments
    if default:
        carried: tuple[Carried, ...] = (Carried(default[0], Value("", temporary=True), call.result),)
        return [For(element, iterator, carried, Block((), Break((element,), call.span)), call.span)]
    found = Value("found", temporary=True)
    carried = (
        Carried(FALSE, Value("", temporary=True), found),
        Carried(UNBOUND, Value("", temporary=True), call.result),
    )
    failed: list[Operation] = []
    error = emit(failed, StopIteration, span=call.span)
    missing = Block(tuple(failed), Raise(error, None, call.span))
    loop = For(element, iterator, carried, Block((), Break((TRUE, element), call.span)), call.span)
    return [loop, If(found, Block((), Yield()), missing, (), call.span)]


def with_element(loop: For, element: Operand, inside: Sequence[Operation], target: Value, iterable: Operand) -> For:
    """A loop whose element is computed `inside`, from that of another iterable."""
    last = inside[-1] if inside else None
    if isinstance(last, Call) and last.result is element:
        inside = [*inside[:-1], replace(last, result=loop.target)]
        body = loop.body
    else:
        body = Copy({loop.target: element}).block(loop.body)
    return replace(loop, target=target, iterable=iterable, body=Block((*inside, *body.operations), body.terminator))


def collecting_loop(maker: Call) -> list[Operation]:
    """A loop that makes a list of what an iterator gives."""
    elements, element = Value("", temporary=True), Value("element", temporary=True)
    operations: list[Operation] = []
    emit(operations, make_list, result=elements, span=maker.span)
    inside: list[Operation] = []
    emit(inside, call_method, elements, Constant("append"), element)
    return [*operations, For(element, maker.result, (), Block(tuple(inside), Yield()), maker.span)]


def dropping_loop(loop: For, source: Operand, test: Operand, operations: Sequence[Operation]) -> For:
    """A loop over ``dropwhile(predicate, source)``."""
    drops, skips = Value("drops", temporary=True), Value("", temporary=True)
    asked = If(drops, Block(tuple(operations), Yield((test,))), Block((), Yield((FALSE,))), (skips,), loop.span)
    go_on = Block((), Yield((*(item.parameter for item in loop.carried), TRUE)))
    body = Block((asked,), Branch(skips, go_on, with_value(loop.body, FALSE), loop.span))
    carried = (*loop.carried, Carried(TRUE, drops, Value("", temporary=True)))
    return For(loop.target, source, carried, body, loop.span)


def with_value(block: Block, value: Operand) -> Block:
    """The body of a loop that hands on one more value."""
    match block.terminator:
        case Yield(values):
            return Block(block.operations, Yield((*values, value)))
        case Break(values, span):
            return Block(block.operations, Break((*values, value), span))
        case Branch(condition, then, orelse, span):
            return Block(block.operations, Branch(condition, with_value(then, value), with_value(orelse, value), span))
    return block


def breaks(block: Block) -> bool:
    """Whether a loop with this body may end before its iterable does."""
    match block.terminator:
        case Break() | Return():
            return True
        case Branch(_, then, orelse):
            return breaks(then) or breaks(orelse)
    return False


def with_operand(call: Call, old: Operand, new: Operand) -> Call:
    """The same call of another operand."""

    def use(operand: Operand) -> Operand:
        return new if operand is old else operand

    keywords = tuple((name, use(operand)) for name, operand in call.keywords)
    return Call(call.result, use(call.function), tuple(map(use, call.arguments)), keywords, call.span, call.exact)


def _another(value: Value) -> Value:
    return Value(value.name, temporary=value.temporary)


class Consumer:
    """The body of a loop over the elements that the loops of a generator expression append to a list."""

    def __init__(self, loop: For, elements: Value) -> None:
        self.loop = loop
        self.elements = elements
        self.is_placed = False

    def block(self, block: Block, carried: tuple[Operand, ...]) -> Block | None:
        """A block of the expression, in which the carried values of the loop are these; None where it does not fit."""
        last = block.operations[-1] if block.operations else None
        rest = Block(block.operations[:-1], Yield())
        if not fills(block, self.elements):
            return _yielding(block, carried)
        if fills(rest, self.elements):
            return None
        match block.terminator, last:
            case Branch(condition, then, orelse, span), _ if last is None or not fills(Block((last,), Yield()), self.elements):
                arms = [self.block(arm, carried) for arm in (then, orelse)]
                if arms[0] is None or arms[1] is None:
                    return None
                return Block(block.operations, Branch(condition, arms[0], arms[1], span))
            case Yield(()), Call() as append if is_append(append, self.elements):
                return self.placed(rest.operations, append.arguments[2], carried)
            case Yield(()), If(condition, then, orelse, (), span):
                arms = [self.block(arm, carried) for arm in (then, orelse)]
                if arms[0] is None or arms[1] is None:
                    return None
                return Block(rest.operations, Branch(condition, arms[0], arms[1], span))
            case Yield(()), For(carried=()) as inner if not breaks(self.loop.body):
                return self.nested(rest.operations, inner, carried)
        return None

    def nested(self, before: tuple[Operation, ...], inner: For, carried: tuple[Operand, ...]) -> Block | None:
        items = [
            Carried(
                initial, Value(item.parameter.name, temporary=item.parameter.temporary), Value(item.result.name, temporary=True)
            )
            for initial, item in zip(carried, self.loop.carried, strict=True)
        ]
        body = self.block(inner.body, tuple(item.parameter for item in items))
        if body is None:
            return None
        loop = For(inner.target, inner.iterable, tuple(items), body, inner.span)
        return Block((*before, loop), Yield(tuple(item.result for item in items)))

    def placed(self, before: tuple[Operation, ...], element: Operand, carried: tuple[Operand, ...]) -> Block | None:
        if self.is_placed:
            return None
        self.is_placed = True
        loop, last = self.loop, before[-1] if before else None
        values: dict[Value, Operand] = dict(zip((item.parameter for item in loop.carried), carried, strict=True))
        if isinstance(last, Call) and last.result is element:
            before = (*before[:-1], replace(last, result=loop.target))
        else:
            values[loop.target] = element
        body = Copy(values).block(loop.body)
        return Block((*before, *body.operations), body.terminator)


def _yielding(block: Block, values: tuple[Operand, ...]) -> Block | None:
    match block.terminator:
        case Yield(()):
            return Block(block.operations, Yield(values))
        case Branch(condition, then, orelse, span):
            arms = _yielding(then, values), _yielding(orelse, values)
            if arms[0] is None or arms[1] is None:
                return None
            return Block(block.operations, Branch(condition, arms[0], arms[1], span))
        case Raise():
            return block
    return None
