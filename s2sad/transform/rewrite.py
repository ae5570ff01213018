"""The machinery that passes share: look at uses, substitute operands, rebuild nodes, copy blocks.

IR nodes are immutable; everything here returns the same object when nothing changed, so a pass (and the list of passes) can
tell by identity whether it did anything::

    >>> from s2sad.ir.nodes import Block, Call, Constant, Return, Value
    >>> import operator
    >>> x, y, t = Value("x"), Value("y"), Value("t", temporary=True)
    >>> block = Block((Call(t, Constant(operator.mul), (x, x)),), Return(t))
    >>> substitute_block(block, {y: x}) is block
    True
    >>> substitute_block(block, {x: y}).operations[0].arguments == (y, y)
    True
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from s2sad.ir.contents import nodes_of
from s2sad.ir.memo import MOST_FUNCTIONS, remembered
from s2sad.ir.nodes import (
    UNBOUND,
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
    Parameter,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
    walk,
)
from s2sad.ir.types import UNKNOWN, ArrayType, Type

Substitution = Mapping[Value, Operand]
Node = Operation | Terminator
NodeT = TypeVar("NodeT", bound=Operation | Terminator)

_LITERALS = (bool, int, float, complex, str, type(None))
#: Two of one of these classes are the same if they are equal.
_PLAIN_LITERALS = (bool, int, str, type(None))


def operand_key(operand: Operand) -> object:
    """Equal for operands that are the same for certain: ``1``, ``1.0``, ``True`` and ``-0.0``, ``0.0`` are all different."""
    if isinstance(operand, Value):
        return operand
    value = operand.value
    if value.__class__ in _LITERALS:
        return (value.__class__, value if value.__class__ in _PLAIN_LITERALS else repr(value))
    return (Constant, id(value))


def is_same(first: Operand, second: Operand) -> bool:
    """Whether two operands are one value for certain."""
    return first is second or operand_key(first) == operand_key(second)


def replace_operand(operand: Operand, substitution: Substitution) -> Operand:
    return substitution.get(operand, operand) if isinstance(operand, Value) else operand


def _replace_all(operands: tuple[Operand, ...], substitution: Substitution) -> tuple[Operand, ...]:
    return tuple([substitution.get(operand, operand) if isinstance(operand, Value) else operand for operand in operands])


def _replace_carried(carried: tuple[Carried, ...], substitution: Substitution) -> tuple[Carried, ...]:
    return tuple(Carried(replace_operand(c.initial, substitution), c.parameter, c.result) for c in carried)


def replace_operands(node: NodeT, substitution: Substitution) -> NodeT:
    """The node with the operands that it reads itself replaced; the blocks inside are left as they are."""
    if not substitution:
        return node
    if isinstance(node, Call) and not node.keywords:  # most nodes
        if node.function not in substitution and substitution.keys().isdisjoint(node.arguments):
            return node
    elif substitution.keys().isdisjoint(operands_of(node)):
        return node
    return cast(NodeT, _with_operands(node, substitution))


def _with_operands(node: Node, substitution: Substitution) -> Node:
    if isinstance(node, Call):  # most nodes
        named = node.keywords and tuple([(name, replace_operand(operand, substitution)) for name, operand in node.keywords])
        function, arguments = replace_operand(node.function, substitution), _replace_all(node.arguments, substitution)
        return Call(node.result, function, arguments, named, node.span, node.exact)

    def new(operand: Operand) -> Operand:
        return replace_operand(operand, substitution)

    def maybe(operand: Operand | None) -> Operand | None:
        return None if operand is None else replace_operand(operand, substitution)

    match node:
        case MakeFunction(result, definition, captured, defaults, span):
            captured, defaults = _replace_all(captured, substitution), _replace_all(defaults, substitution)
            return MakeFunction(result, definition, captured, defaults, span)
        case If(condition, then, orelse, results, span):
            return If(new(condition), then, orelse, results, span)
        case For(target, iterable, carried, body, span):
            return For(target, new(iterable), _replace_carried(carried, substitution), body, span)
        case While(header, carried, body, span):
            return While(header, _replace_carried(carried, substitution), body, span)
        case Try(body, handlers, results, span):
            return Try(body, tuple(Handler(maybe(h.exception), h.name, h.body) for h in handlers), results, span)
        case With(context, name, body, results, span):
            return With(new(context), name, body, results, span)
        case Yield(values):
            return Yield(_replace_all(values, substitution))
        case Break(values, span):
            return Break(_replace_all(values, substitution), span)
        case Return(value, span):
            return Return(new(value), span)
        case Raise(exception, cause, span):
            return Raise(maybe(exception), maybe(cause), span)
        case Branch(condition, then, orelse, span):
            return Branch(new(condition), then, orelse, span)


def with_blocks(node: NodeT, blocks: Sequence[Block]) -> NodeT:
    """The node with other blocks, in the order of `blocks_of`."""
    if all(new is old for new, old in zip(blocks, blocks_of(node), strict=True)):
        return node
    return cast(NodeT, _with_blocks(node, blocks))


def _with_blocks(node: Node, blocks: Sequence[Block]) -> Node:
    match node:
        case If(condition, _, _, results, span):
            return If(condition, blocks[0], blocks[1], results, span)
        case For(target, iterable, carried, _, span):
            return For(target, iterable, carried, blocks[0], span)
        case While(_, carried, _, span):
            return While(blocks[0], carried, blocks[1], span)
        case Try(_, handlers, results, span):
            new = tuple(Handler(h.exception, h.name, block) for h, block in zip(handlers, blocks[1:], strict=True))
            return Try(blocks[0], new, results, span)
        case With(context, name, _, results, span):
            return With(context, name, blocks[0], results, span)
        case Branch(condition, _, _, span):
            return Branch(condition, blocks[0], blocks[1], span)
        case _:
            return node


def with_operations(block: Block, operations: Sequence[Operation], terminator: Terminator) -> Block:
    """The block with this content; the same block if it is the same content."""
    old = block.operations
    if terminator is block.terminator and len(old) == len(operations) and all(map(operator.is_, old, operations)):
        return block
    return Block(tuple(operations), terminator)


def with_body(fn: Function, body: Block) -> Function:
    """The function with another body."""
    if body is fn.body:
        return fn
    return Function(fn.name, fn.parameters, body, fn.captured, fn.span, fn.docstring)


def map_blocks(node: NodeT, function: Callable[[Block], Block]) -> NodeT:
    """The node with a function applied to the blocks directly inside it."""
    if isinstance(node, Call):  # most nodes
        return node
    blocks = blocks_of(node)
    return with_blocks(node, [function(block) for block in blocks]) if blocks else node


def substitute_block(block: Block, substitution: Substitution) -> Block:
    """The block with operands replaced, also in the blocks inside it."""
    if not substitution:
        return block

    def visit(inner: Block) -> Block:
        operations = [map_blocks(replace_operands(operation, substitution), visit) for operation in inner.operations]
        return with_operations(inner, operations, map_blocks(replace_operands(inner.terminator, substitution), visit))

    return visit(block)


def map_definitions(block: Block, function: Callable[[Function], Function]) -> Block:
    """The block with a function applied to the nested functions made in it."""

    def one(operation: Operation) -> Operation:
        if isinstance(operation, MakeFunction):
            definition = function(operation.definition)
            if definition is operation.definition:
                return operation
            return MakeFunction(operation.result, definition, operation.captured, operation.defaults, operation.span)
        return map_blocks(operation, visit)

    def visit(inner: Block) -> Block:
        return with_operations(inner, [one(op) for op in inner.operations], map_blocks(inner.terminator, visit))

    return visit(block)


def leaves(block: Block) -> Iterator[Terminator]:
    """How a tree ends: every terminator that is not a `Branch`."""
    if isinstance(block.terminator, Branch):
        yield from leaves(block.terminator.then)
        yield from leaves(block.terminator.orelse)
    else:
        yield block.terminator


def map_leaves(block: Block, function: Callable[[Terminator], Terminator]) -> Block:
    """The tree with other leaves."""
    end = block.terminator
    new = map_blocks(end, lambda inner: map_leaves(inner, function)) if isinstance(end, Branch) else function(end)
    return block if new is end else Block(block.operations, new)


def keep_positions(block: Block, positions: Sequence[int]) -> Block:
    """The tree whose `Yield` and `Break` leaves list only the values at these positions."""

    def select(end: Terminator) -> Terminator:
        match end:
            case Yield(values) if len(values) != len(positions):
                return Yield(tuple(values[i] for i in positions))
            case Break(values, span) if len(values) != len(positions):
                return Break(tuple(values[i] for i in positions), span)
            case _:
                return end

    return map_leaves(block, select)


def with_results(node: Operation, positions: Sequence[int]) -> Operation:
    """A structured node that keeps only some of its results or carried values."""
    if len(positions) == len(results_of(node)):
        return node
    match node:
        case If(condition, then, orelse, results, span):
            results = tuple(results[i] for i in positions)
            return If(condition, keep_positions(then, positions), keep_positions(orelse, positions), results, span)
        case For(target, iterable, carried, body, span):
            return For(target, iterable, tuple(carried[i] for i in positions), keep_positions(body, positions), span)
        case While(header, carried, body, span):
            return While(header, tuple(carried[i] for i in positions), keep_positions(body, positions), span)
        case Try(body, handlers, results, span):
            handlers = tuple(Handler(h.exception, h.name, keep_positions(h.body, positions)) for h in handlers)
            return Try(keep_positions(body, positions), handlers, tuple(results[i] for i in positions), span)
        case With(context, name, body, results, span):
            return With(context, name, keep_positions(body, positions), tuple(results[i] for i in positions), span)
        case _:
            return node


@remembered(MOST_FUNCTIONS)
def count_uses(fn: Function) -> Mapping[Value, int]:
    """How often each value is read, by any node of the function."""
    read: list[Operand] = []
    for node in nodes_of(fn):
        if isinstance(node, Call) and not node.keywords:  # most nodes
            read.append(node.function)
            read += node.arguments
        else:
            read += operands_of(node)
    return Counter([operand for operand in read if isinstance(operand, Value)])


def find_readers(fn: Function) -> Mapping[Value, list[Operation | Terminator]]:
    """The nodes that read each value; one that reads a value twice is there twice."""
    readers: dict[Value, list[Operation | Terminator]] = {}
    for node in nodes_of(fn):
        for operand in operands_of(node):
            if isinstance(operand, Value):
                readers.setdefault(operand, []).append(node)
    return readers


@remembered(MOST_FUNCTIONS)
def find_definitions(fn: Function) -> Mapping[Value, Call]:
    """The call that computes each value which a call computes."""
    return {node.result: node for node in nodes_of(fn) if isinstance(node, Call)}


def defined_in(block: Block) -> Iterator[Value]:
    """Every value that is defined in a block or in the blocks inside it."""
    for node in walk(block):
        if not isinstance(node, (Yield, Break, Return, Raise, Branch)):
            yield from results_of(node)
            yield from parameters_of(node)


# --- copies -----------------------------------------------------------------------------------------------------------------


def copy_block(block: Block, substitution: Substitution, retype: Callable[[Type], Type] = lambda kind: kind) -> Block:
    """A copy in which every value defined inside is a new one, and the operands of `substitution` are replaced."""
    mapping: dict[Value, Operand] = dict(substitution)
    mapping.update((value, Value(value.name, retype(value.type), value.temporary)) for value in defined_in(block))
    return _copy(block, mapping)


class _Renaming(dict[Value, Operand]):
    """Values that are not listed keep their names."""

    def __missing__(self, value: Value) -> Operand:
        return value


def rename_values(fn: Function, renamed: Mapping[Value, Value]) -> Function:
    """The function with other values for some that are defined in its body, also where they are defined."""
    inside = {value: renamed[value] for value in defined_in(fn.body) if value in renamed} if renamed else {}
    mapping = _Renaming(inside)

    def one(node: NodeT) -> NodeT:
        node = map_blocks(replace_operands(node, inside), visit)
        if isinstance(node, (Yield, Break, Return, Raise, Branch)):
            return node
        defined = (*results_of(node), *parameters_of(node))
        return node if inside.keys().isdisjoint(defined) else cast(NodeT, _with_definitions(node, mapping))

    def visit(block: Block) -> Block:
        return with_operations(block, [one(operation) for operation in block.operations], one(block.terminator))

    return with_body(fn, visit(fn.body)) if inside else fn


def hand_over_names(fn: Function, known: Substitution) -> Function:
    """Name what has no name after the values that turned out to be nothing else: variables of the user, and arrays, as in
    ``x_bar = 2 * x``."""
    named: dict[Value, Value] = {}
    for value, operand in known.items():
        if not isinstance(operand, Value) or operand.name or not value.name:
            continue
        if not value.temporary or isinstance(operand.type, ArrayType):
            named.setdefault(operand, Value(value.name, operand.type, temporary=True))
    return rename_values(fn, named)


def _fresh(value: Value) -> Value:
    return Value(value.name, value.type, value.temporary)


def _renamed(value: Value, mapping: Substitution) -> Value:
    new = mapping[value]
    assert isinstance(new, Value)
    return new


def _copy(block: Block, mapping: Substitution) -> Block:
    operations = tuple(_copy_node(operation, mapping) for operation in block.operations)
    return Block(operations, _copy_node(block.terminator, mapping))


def _copy_node(node: NodeT, mapping: Substitution) -> NodeT:
    copied = _with_operands(node, mapping)
    if isinstance(copied, Call):  # most nodes
        result = _renamed(copied.result, mapping)
        return cast(NodeT, Call(result, copied.function, copied.arguments, copied.keywords, copied.span, copied.exact))
    copied = _with_blocks(copied, [_copy(block, mapping) for block in blocks_of(node)])
    return cast(NodeT, _with_definitions(copied, mapping))


def _with_definitions(node: Node, mapping: Substitution) -> Node:
    """The node with the values that it defines renamed."""

    def new(value: Value) -> Value:
        return _renamed(value, mapping)

    match node:
        case Call(result, function, arguments, keywords, span, exact):
            return Call(new(result), function, arguments, keywords, span, exact)
        case MakeFunction(result, definition, captured, defaults, span):
            return MakeFunction(new(result), copy_function(definition), captured, defaults, span)
        case If(condition, then, orelse, results, span):
            return If(condition, then, orelse, tuple(map(new, results)), span)
        case For(target, iterable, carried, body, span):
            return For(
                new(target), iterable, tuple(Carried(c.initial, new(c.parameter), new(c.result)) for c in carried), body, span
            )
        case While(header, carried, body, span):
            return While(header, tuple(Carried(c.initial, new(c.parameter), new(c.result)) for c in carried), body, span)
        case Try(body, handlers, results, span):
            handlers = tuple(Handler(h.exception, h.name and new(h.name), h.body) for h in handlers)
            return Try(body, handlers, tuple(map(new, results)), span)
        case With(context, name, body, results, span):
            return With(context, name and new(name), body, tuple(map(new, results)), span)
        case _:
            return node


def copy_function(fn: Function) -> Function:
    """A copy that shares no value with the original."""
    renamed = {value: _fresh(value) for value in (*(p.value for p in fn.parameters), *fn.captured)}
    parameters = tuple(Parameter(renamed[p.value], p.kind, p.has_default) for p in fn.parameters)
    captured = tuple(renamed[value] for value in fn.captured)
    return Function(fn.name, parameters, copy_block(fn.body, renamed), captured, fn.span, fn.docstring)


def inline_function(
    function: Function, arguments: Sequence[Operand], captured: Sequence[Operand] = ()
) -> tuple[tuple[Operation, ...], Operand]:
    """The operations of a function applied to operands, and the operand that it returns.

    The function's tree ends with `Return` and `Raise`; a `Branch` in it becomes an `If` with one result."""
    given = [parameter.value for parameter in function.parameters]
    mapping: dict[Value, Operand] = dict(zip(given, arguments, strict=True))
    mapping.update(zip(function.captured, captured, strict=True))
    end = function.body.terminator
    if isinstance(end, Return) and not function.body.operations:
        return (), replace_operand(end.value, mapping)
    copied = copy_block(function.body, mapping)
    if isinstance(copied.terminator, Return):
        return copied.operations, copied.terminator.value
    block, value = _as_region(copied)
    if value is None:  # every path raises: a region that never gives a value
        empty = Block((), Yield())
        return (If(Constant(True), block, empty),), UNBOUND
    return block.operations, value


def _as_region(block: Block) -> tuple[Block, Operand | None]:
    """A tree of returns as a block that ends with `Yield` of one value (or with `Raise`), and that value."""
    match block.terminator:
        case Return(value):
            return Block(block.operations, Yield((value,))), value
        case Branch(condition, then, orelse, span):
            then, first = _as_region(then)
            orelse, second = _as_region(orelse)
            result = _result_for(first, second)
            if result is None:
                # both arms raise: the second goes without saying after the first
                node = If(condition, then, Block((), Yield()), (), span)
                return Block((*block.operations, node, *orelse.operations), orelse.terminator), None
            node = If(condition, then, orelse, (result,), span)
            return Block((*block.operations, node), Yield((result,))), result
        case _:
            return block, None


def _result_for(first: Operand | None, second: Operand | None) -> Value | None:
    operands = [operand for operand in (first, second) if operand is not None]
    if not operands:
        return None
    types: set[Type] = {operand.type if isinstance(operand, Value) else UNKNOWN for operand in operands}
    names = {operand.name for operand in operands if isinstance(operand, Value)}
    return Value(names.pop() if len(names) == 1 else "", types.pop() if len(types) == 1 else UNKNOWN, temporary=True)
