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

import itertools
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import has_places, places_of
from s2sad.analysis.memory import Memory
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
from s2sad.ir.operations import call_method, make_list, make_tuple, unpack
from s2sad.ir.types import (
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OptionalType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

MOST_TRIPS: Final = 32
_CONTAINERS: Final = (ListType, DictType, ObjectType, TupleType)

#: Gives the element for one trip, with the operations that make it.
Element = Callable[[int, list[Operation]], Operand]


@dataclass(frozen=True, slots=True)
class HasLength:
    """A list with a type for each place, gone over as one with so many. It stands for the list, and does nothing."""

    count: int


@dataclass(frozen=True, slots=True)
class HasKeys:
    """A dict gone over as one with these keys, in this order. It stands for the dict, and does nothing."""

    keys: tuple[object, ...]


class UnrollError(Exception):
    """Type inference has to start again, with one loop written out."""

    def __init__(self, loop: For, count: int, element: Element) -> None:
        super().__init__(loop)
        self.loop = loop
        self.count = count
        self.element = element


def check_loop(inference: Inference, loop: For) -> None:
    """Raise `UnrollError` for a loop over several functions."""
    found = elements_of(inference, loop.iterable)
    if found is None or not may_write_out(inference, loop):
        return
    count, element, kinds = found
    if 0 < count <= MOST_TRIPS and (inference.analyser.writes_out_loops or _are_several(inference.memory, kinds)):
        if is_repeated(Structure.of(inference.definition), loop):
            count, element, _ = elements_of(inference, loop.iterable, is_checked=True) or found
        raise UnrollError(loop, count, element)


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
            if not isinstance(kind, DictType) or not _are_same(inference.memory.keys_of(kind.region), function.keys):
                return True
        if function is not unpack:
            continue
        count = inference.constant_of(node.arguments[1])
        length = len(kind.elements) if isinstance(kind, TupleType) else None
        if isinstance(kind, AnyType) or (length is not None and count is not None and length != count.value):
            return True
    return False


def _are_several(memory: Memory, kinds: list[Type]) -> bool:
    """Whether there are functions among the elements, and not always the same; or elements that have no type in common, such as
    objects of several classes."""
    if kinds and all(isinstance(kind, TupleType) for kind in kinds):
        columns = zip(*(kind.elements for kind in kinds if isinstance(kind, TupleType)), strict=False)
        return any(_are_several(memory, list(column)) for column in columns)
    if len(set(map(type, map(strip_optional, kinds)))) > 1 and any(
        isinstance(strip_optional(kind), _CONTAINERS) for kind in kinds
    ):
        return True  # numbers beside containers
    if len({kind.cls for kind in map(strip_optional, kinds) if isinstance(kind, ObjectType)}) > 1:
        return True
    arrays = [kind for kind in map(strip_optional, kinds) if isinstance(kind, ArrayType)]
    if arrays and (len(arrays) < len(kinds) or len({(kind.dtype, kind.dimensions) for kind in arrays}) > 1):
        return True
    functions = [kind for kind in map(strip_optional, kinds) if isinstance(kind, FunctionType | ConstantType)]
    return bool(functions and len(functions) < len(kinds)) or len({_functions_in(memory, kind, ()) for kind in kinds}) > 1


def _functions_in(memory: Memory, kind: Type, within: tuple[int, ...]) -> object:
    """The functions in a value of this type, by where they stand; None of one that has none."""
    parts: Iterable[tuple[object, Type]] = ()
    match strip_optional(kind):
        case FunctionType(key=key):
            return key
        case ConstantType(identity=identity):
            return identity
        case TupleType(elements=elements):
            parts = enumerate(elements)
        case ListType(region=region) | DictType(region=region) | ObjectType(region=region) if memory.find(region) not in within:
            within = (*within, memory.find(region))
            parts = [*memory.content[memory.find(region)].items()]
    found = [(slot, inner) for slot, part in parts if (inner := _functions_in(memory, part, within)) is not None]
    return tuple(found) or None


def _are_same(first: tuple[object, ...] | None, second: tuple[object, ...]) -> bool:
    """Whether keys are the same: True and 1 are equal."""
    return first is not None and [*map(type, first), *first] == [*map(type, second), *second]


def _part_of_places(inference: Inference, call: Call, part: ListType) -> tuple[ObjectType, range] | None:
    """The list with a type for each place that a call takes a part of, and which places, if neither list changes."""
    function = inference.constant_of(call.function)
    if function is None or function.value is not operator.getitem or isinstance(call.arguments[1], Constant):
        return None
    owner, key = strip_optional(inference.type_of(call.arguments[0])), inference.slices.get(call.arguments[1])
    memory, part_of = inference.memory, key.value if key is not None else None
    if not isinstance(owner, ObjectType) or owner.cls is not list or not has_places(memory, owner.region):
        return None
    flags = memory.flags[memory.find(owner.region)] | memory.flags[memory.find(part.region)]
    if flags & {"stored", "restructured", "unknown"} or not isinstance(part_of, slice):
        return None
    return owner, range(len(places_of(memory, owner.region)))[part_of]


def elements_of(
    inference: Inference, iterable: Operand, *, is_checked: bool = False, with_ranges: bool = False
) -> tuple[int, Element, list[Type]] | None:
    """The number of elements of an iterable, how to get each, and their types. With `is_checked`, to get one fails where a tuple
    turns out to have another length; with `with_ranges`, ranges between constants count."""
    kind = inference.type_of(iterable)
    if isinstance(kind, OptionalType):
        return None
    if isinstance(kind, ObjectType) and kind.cls is list:
        if not has_places(inference.memory, kind.region):
            return None
        places = places_of(inference.memory, kind.region)
        return len(places), _element_of_places(iterable, range(len(places)), len(places) if is_checked else None), places
    if isinstance(kind, DictType):
        return _elements_of_dict(inference, iterable, "keys", is_checked)
    if isinstance(kind, TupleType):
        length = Constant(len(kind.elements))

        def element_of_tuple(index: int, out: list[Operation]) -> Operand:
            elements = _emit(out, unpack, iterable, length) if is_checked else iterable
            return _emit(out, operator.getitem, elements, Constant(index))

        return len(kind.elements), element_of_tuple, list(kind.elements)
    call = _definition(inference, iterable)
    if isinstance(kind, ListType) and call is not None and (part := _part_of_places(inference, call, kind)) is not None:
        owner, taken = part
        places = places_of(inference.memory, owner.region)
        element = _element_of_places(call.arguments[0], taken, len(places) if is_checked else None)
        return len(taken), element, [places[place] for place in taken]
    if call is None or not isinstance(call.function, Constant | Value):
        return None
    function = inference.constant_of(call.function)
    if function is None or (call.keywords and (function.value is not zip or [name for name, _ in call.keywords] != ["strict"])):
        return None
    if (
        isinstance(kind, ListType)
        and function.value is make_list
        and not inference.memory.flags[inference.memory.find(kind.region)]
    ):
        return len(call.arguments), lambda index, out: call.arguments[index], [inference.type_of(a) for a in call.arguments]
    if with_ranges and function.value is range:
        bounds = [inference.constant_of(argument) for argument in call.arguments]
        numbers = [bound.value for bound in bounds if bound is not None and type(bound.value) is int]
        if len(numbers) < len(bounds) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
            return None
        trips = range(*numbers)
        return len(trips), lambda index, out: Constant(trips[index]), [inference.type_of(Constant(0))] * len(trips)
    if function.value is call_method and len(call.arguments) == 2:
        name = inference.constant_of(call.arguments[1])
        return _elements_of_dict(inference, call.arguments[0], str(name.value), is_checked) if name is not None else None
    if not isinstance(function.value, type) or function.value not in (enumerate, zip, reversed):
        return None
    parts = [
        elements_of(inference, argument, is_checked=is_checked, with_ranges=with_ranges)
        for argument in call.arguments[: 1 if function.value is enumerate else None]
    ]
    known = [part for part in parts if part is not None]
    if not known or len(known) != len(parts):
        return None
    if function.value is reversed:
        count, element, kinds = known[0]
        return count, lambda index, out: element(count - 1 - index, out), kinds[::-1]
    if function.value is enumerate:
        start = inference.constant_of(call.arguments[1]) if len(call.arguments) > 1 else Constant(0)
        if start is None or not isinstance(start.value, int):
            return None
        first = start.value
        count, element, kinds = known[0]
        return (
            count,
            lambda index, out: _emit(out, make_tuple, Constant(first + index), element(index, out)),
            [TupleType((inference.type_of(Constant(0)), part)) for part in kinds],
        )
    count = min(part[0] for part in known)
    if call.keywords and any(part[0] != count for part in known):
        return None  # an error, if it is strict
    return (
        count,
        lambda index, out: _emit(out, make_tuple, *(part[1](index, out) for part in known)),
        # types join over all elements, those too that are left over
        [TupleType(tuple(row)) for row in itertools.zip_longest(*(part[2] for part in known), fillvalue=UNKNOWN)],
    )


def _elements_of_dict(
    inference: Inference, items: Operand, name: str, is_checked: bool
) -> tuple[int, Element, list[Type]] | None:
    """The same of the keys of a dict that are known, or of what it has for them."""
    kind = strip_optional(inference.type_of(items))
    keys = inference.memory.keys_of(kind.region) if isinstance(kind, DictType) else None
    if keys is None or not isinstance(kind, DictType) or name not in ("keys", "values", "items"):
        return None
    known = keys

    def element(index: int, out: list[Operation]) -> Operand:
        key = Constant(known[index])
        if is_checked:
            _emit(out, HasKeys(known), items)
        if name == "keys":
            return key
        value = _emit(out, operator.getitem, items, key)
        return value if name == "values" else _emit(out, make_tuple, key, value)

    values = [inference.memory.load(kind.region, ("field", key)) for key in known]
    if name == "keys":
        return len(keys), element, [inference.type_of(Constant(key)) for key in known]
    if name == "values":
        return len(keys), element, values
    return (
        len(keys),
        element,
        [TupleType((inference.type_of(Constant(key)), value)) for key, value in zip(known, values, strict=True)],
    )


def _element_of_places(items: Operand, taken: range, count: int | None) -> Element:
    """How to get an element of a list with a type for each place; `count`: so many there must always be."""

    def element(index: int, out: list[Operation]) -> Operand:
        if count is not None:
            _emit(out, HasLength(count), items)
        return _emit(out, operator.getitem, items, Constant(taken[index]))

    return element


def _definition(inference: Inference, operand: Operand) -> Call | None:
    for node in walk(inference.definition.body):
        if isinstance(node, Call) and node.result is operand:
            return node
    return None


def _emit(out: list[Operation], function: object, *arguments: Operand) -> Value:
    result = Value("", temporary=True)
    out.append(Call(result, Constant(function), arguments))
    return result


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
