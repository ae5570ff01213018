"""Loops over elements that have no type in common, written out: each trip has types of its own. So it is with several known
functions, with numbers beside containers, and with arrays of several dtypes or numbers of axes.

Before::

    for f in (math.sin, math.cos):
        x = f(x)

After::

    f = (math.sin, math.cos)[0]
    x = f(x)
    f = (math.sin, math.cos)[1]
    x = f(x)
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import has_places, places_of
from s2sad.analysis.loop_elements import Element, HasKeys, HasLength, are_same_keys, elements_of, have_several_kinds
from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    Handler,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    function_of,
    walk,
)
from s2sad.ir.operations import unpack
from s2sad.ir.types import (
    UNKNOWN,
    AnyType,
    DictType,
    ObjectType,
    TupleType,
    UnknownType,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

MOST_TRIPS: Final = 32


class UnrollError(Exception):
    """Type inference has to start again, with one loop written out; it may end earlier, with the first of some lists."""

    def __init__(self, loop: For, count: int, element: Element, lists: tuple[Operand, ...] = ()) -> None:
        super().__init__(loop)
        self.loop = loop
        self.count = count
        self.element = element
        self.lists = lists


def check_loop(inference: Inference, loop: For) -> None:
    """Raise `UnrollError` for a loop over several functions."""
    lists: list[Operand] = []
    found = elements_of(inference, loop.iterable, beside=lists)
    if found is None or not may_write_out(inference, loop):
        return
    count, element, kinds = found
    is_wanted = inference.analyser.writes_out_loops and not lists
    if 0 < count <= MOST_TRIPS and (is_wanted or have_several_kinds(inference.memory, kinds)):
        if is_repeated(Structure.of(inference.definition), loop):
            count, element, _ = elements_of(inference, loop.iterable, is_checked=True, beside=[]) or found
        raise UnrollError(loop, count, element, tuple(lists))


def check_carried(inference: Inference, loop: For) -> None:
    """Raise `UnrollError` for a loop that makes a tuple longer, trip by trip: written out, each has a length of its own."""
    is_growing = any(
        isinstance(inference.type_of(item.initial), TupleType) and isinstance(inference.type_of(item.parameter), AnyType)
        for item in loop.carried
    )
    is_possible = is_growing and may_write_out(inference, loop)
    found = elements_of(inference, loop.iterable, is_checked=True, with_ranges=True) if is_possible else None
    if found is not None and 0 < found[0] <= MOST_TRIPS:
        raise UnrollError(loop, *found[:2])


def may_write_out(inference: Inference, node: Operation, structure: Structure | None = None) -> bool:
    """Whether a length that is seen in a node's operand now is taken for what it always is."""
    misses = inference.specialisation.missed_lengths
    return misses == 0 or (misses == 1 and not is_repeated(structure or Structure.of(inference.definition), node))


def is_repeated(structure: Structure, node: Operation) -> bool:
    """Whether a node stands in a loop."""
    block = next(block for block in structure.depth if node in block.operations)
    return structure.depth[block] > 0


def has_other_lengths(inference: Inference) -> bool:
    """Whether something that was written out for a length has another one: in a later trip of a loop, or of a later call."""
    for node in walk(inference.definition.body):
        if not isinstance(node, Call) or node.span is not None:
            continue
        function = function_of(node)
        kind = inference.type_of(node.arguments[0]) if node.arguments else UNKNOWN
        if isinstance(function, HasLength) and not isinstance(kind, UnknownType):
            region = kind.region if isinstance(kind, ObjectType) and kind.cls is list else None
            if region is None or not has_places(inference.memory, region):
                return True
            if len(places_of(inference.memory, region)) != function.count:
                return True
        if isinstance(function, HasKeys) and not isinstance(kind, UnknownType):
            keys = inference.memory.keys_of(kind.region) if isinstance(kind, DictType) else None
            if not are_same_keys(keys, function.keys):
                return True
        if function is not unpack:
            continue
        count = inference.constant_of(node.arguments[1])
        length = len(kind.elements) if isinstance(kind, TupleType) else None
        if isinstance(kind, AnyType) or (length is not None and count is not None and length != count.value):
            return True
    return False


def unroll(definition: Function, request: UnrollError) -> Function:
    """The function with one loop written out."""
    body = _replaced(definition.body, request)
    return Function(definition.name, definition.parameters, body, definition.captured, definition.span, definition.docstring)


def _replaced(block: Block, request: UnrollError) -> Block:
    operations: list[Operation] = []
    for operation in block.operations:
        if operation is request.loop:
            trip = _trip(request, 0, [item.initial for item in request.loop.carried])
            operations.append(If(Constant(True), trip, Block((), Raise(None)), request.loop.results, request.loop.span))
        else:
            operations.append(with_blocks(operation, [_replaced(inner, request) for inner in blocks_of(operation)]))
    end = block.terminator
    if isinstance(end, Branch):
        end = Branch(end.condition, _replaced(end.then, request), _replaced(end.orelse, request), end.span)
    return Block(tuple(operations), end)


def with_blocks(operation: Operation, blocks: list[Block]) -> Operation:
    """The same operation around other blocks."""
    if all(new is old for new, old in zip(blocks, blocks_of(operation), strict=True)):
        return operation
    match operation:
        case If():
            return If(operation.condition, blocks[0], blocks[1], operation.results, operation.span)
        case For():
            return For(operation.target, operation.iterable, operation.carried, blocks[0], operation.span)
        case While():
            return While(blocks[0], operation.carried, blocks[1], operation.span)
        case Try():
            handlers = tuple(
                Handler(handler.exception, handler.name, block)
                for handler, block in zip(operation.handlers, blocks[1:], strict=True)
            )
            return Try(blocks[0], handlers, operation.results, operation.span)
        case With():
            return With(operation.context, operation.name, blocks[0], operation.results, operation.span)
    return operation


def _trip(request: UnrollError, index: int, carried: list[Operand]) -> Block:
    """One trip and those after it; it yields what the loop gives."""
    if index == request.count:
        return Block((), Yield(tuple(carried)))
    return _if_longer(request, index, _written_trip(request, index, carried), request.lists, carried)


def _if_longer(request: UnrollError, index: int, trip: Block, lists: Sequence[Operand], carried: list[Operand]) -> Block:
    """A trip that is made if lists are long enough."""
    if not lists:
        return trip
    length, test = Value("", temporary=True), Value("", temporary=True)
    results = tuple(Value(item.result.name) for item in request.loop.carried)
    inner = _if_longer(request, index, trip, lists[1:], carried)
    operations = (
        Call(length, Constant(len), (lists[0],), (), request.loop.span),
        Call(test, Constant(operator.gt), (length, Constant(index)), (), request.loop.span),
        If(test, inner, Block((), Yield(tuple(carried))), results, request.loop.span),
    )
    return Block(operations, Yield(results))


def _written_trip(request: UnrollError, index: int, carried: list[Operand]) -> Block:
    operations: list[Operation] = []
    element = request.element(index, operations)
    loop = request.loop
    values: dict[Value, Operand] = dict(zip([item.parameter for item in loop.carried], carried, strict=True))
    values[loop.target] = element
    copied = Copy(values).block(loop.body)
    rest = _ended(request, index, copied)
    return Block((*operations, *rest.operations), rest.terminator)


def _ended(request: UnrollError, index: int, block: Block) -> Block:
    """A trip's block with what follows each way out of it."""
    match block.terminator:
        case Yield(values):
            rest = _trip(request, index + 1, list(values))
            return Block((*block.operations, *rest.operations), rest.terminator)
        case Break(values):
            return Block(block.operations, Yield(values))
        case Branch(condition, then, orelse, span):
            arms = _ended(request, index, then), _ended(request, index, orelse)
            results = tuple(Value(item.result.name) for item in request.loop.carried)
            return Block((*block.operations, If(condition, *arms, results, span)), Yield(results))
    return block


class Copy:
    """A copy of a block, with values of its own."""

    def __init__(self, values: dict[Value, Operand]) -> None:
        self.values = values

    def use(self, operand: Operand) -> Operand:
        return self.values.get(operand, operand) if isinstance(operand, Value) else operand

    def all(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple(map(self.use, operands))

    def new(self, value: Value) -> Value:
        made = Value(value.name, value.type, value.temporary)
        self.values[value] = made
        return made

    def block(self, block: Block) -> Block:
        operations = tuple(map(self.operation, block.operations))
        return Block(operations, self.terminator(block.terminator))

    def terminator(self, end: Terminator) -> Terminator:
        match end:
            case Yield(values):
                return Yield(self.all(values))
            case Break(values, span):
                return Break(self.all(values), span)
            case Return(value, span):
                return Return(self.use(value), span)
            case Raise(exception, cause, span):
                return Raise(exception and self.use(exception), cause and self.use(cause), span)
            case Branch(condition, then, orelse, span):
                return Branch(self.use(condition), self.block(then), self.block(orelse), span)

    def carried(self, items: tuple[Carried, ...]) -> list[tuple[Operand, Value, Value]]:
        return [(self.use(item.initial), self.new(item.parameter), item.result) for item in items]

    def operation(self, operation: Operation) -> Operation:
        match operation:
            case Call(result, function, arguments, keywords, span, exact):
                named = tuple((name, self.use(operand)) for name, operand in keywords)
                called, given = self.use(function), self.all(arguments)
                return Call(self.new(result), called, given, named, span, exact)
            case MakeFunction(result, definition, captured, defaults, span):
                parts = self.all(captured), self.all(defaults)
                return MakeFunction(self.new(result), definition, *parts, span)
            case If(condition, then, orelse, results, span):
                test, arms = self.use(condition), (self.block(then), self.block(orelse))
                return If(test, *arms, tuple(map(self.new, results)), span)
            case For(target, iterable, items, body, span):
                source, item, pairs = self.use(iterable), self.new(target), self.carried(items)
                inner = self.block(body)
                return For(item, source, tuple(Carried(a, b, self.new(c)) for a, b, c in pairs), inner, span)
            case While(header, items, body, span):
                pairs = self.carried(items)
                head, inner = self.block(header), self.block(body)
                return While(head, tuple(Carried(a, b, self.new(c)) for a, b, c in pairs), inner, span)
            case Try(body, handlers, results, span):
                inner = self.block(body)
                caught = tuple(
                    Handler(h.exception and self.use(h.exception), h.name and self.new(h.name), self.block(h.body))
                    for h in handlers
                )
                return Try(inner, caught, tuple(map(self.new, results)), span)
            case With(context, name, body, results, span):
                manager = self.use(context)
                bound = None if name is None else self.new(name)
                return With(manager, bound, self.block(body), tuple(map(self.new, results)), span)


def copied_function(function: Function) -> Function:
    """A copy of a function with values of its own, and of the functions nested in it."""
    copy = _CopyToDepth({})
    captured = tuple(map(copy.new, function.captured))
    parameters = tuple(replace(parameter, value=copy.new(parameter.value)) for parameter in function.parameters)
    return replace(function, captured=captured, parameters=parameters, body=copy.block(function.body))


class _CopyToDepth(Copy):
    """A copy that shares nothing."""

    def operation(self, operation: Operation) -> Operation:
        if isinstance(operation, MakeFunction):
            operation = replace(operation, definition=copied_function(operation.definition))
        return super().operation(operation)
