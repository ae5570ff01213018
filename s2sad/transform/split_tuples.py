"""Let tuples whose making is known go through branches and loops element by element.

Before::

    pair = if c:
      p = make_tuple(x, y)
      yield p
    else:
      q = make_tuple(y, x)
      yield q
    a = getitem(pair, 0)

After, with dead code gone::

    pair_0 = if c:
      yield x
    else:
      yield y
    a = pair_0

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, If, Parameter, Return, Value, Yield
>>> from s2sad.ir.operations import make_tuple
>>> import operator
>>> c, x, y, p, q, pair, a = (Value(name) for name in ("c", "x", "y", "p", "q", "pair", "a"))
>>> then = Block((Call(p, Constant(make_tuple), (x, y)),), Yield((p,)))
>>> orelse = Block((Call(q, Constant(make_tuple), (y, x)),), Yield((q,)))
>>> read = Call(a, Constant(operator.getitem), (pair, Constant(0)))
>>> body = Block((If(c, then, orelse, (pair,)), read), Return(a))
>>> f = Function("f", (Parameter(c), Parameter(x), Parameter(y)), body)
>>> choice, again, _ = split_tuples(f).body.operations
>>> [value.name for value in choice.results], again.arguments == choice.results, again.result is pair
(['pair_0', 'pair_1'], True, True)

The tuple is made again behind the node, and at the head of a loop's body, where `fold_constants` takes it apart. A tuple that
is read as a whole gains nothing, so only those are split of which an element is read.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final

from s2sad.ir.contents import functions_called, nodes_of
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
    Raise,
    Terminator,
    Value,
    While,
    Yield,
    operands_of,
    walk,
)
from s2sad.ir.operations import make_tuple, unpack
from s2sad.ir.types import UNKNOWN, TupleType, Type
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import find_definitions, leaves, map_blocks, map_leaves, substitute_block, with_body, with_operations

_READS: Final = (operator.getitem, unpack, len)


def split_tuples(fn: Function) -> Function:
    """Replace results and carried values that are known tuples by one for each element."""
    if functions_called(fn).isdisjoint(_READS):
        return fn
    splitting = _Splitting(fn)
    return with_body(fn, splitting.visit(fn.body)) if splitting.read else fn


class _Splitting:
    def __init__(self, fn: Function) -> None:
        self.calls = dict(find_definitions(fn))
        #: The values of which an element is read, here or where they go.
        self.read: set[Value] = set()
        reads = [call for call in self.calls.values() if function_of(call) in _READS]
        pending: list[Operand] = [call.arguments[0] for call in reads]
        sources = _sources_of(fn) if pending else {}
        while pending:
            operand = pending.pop()
            if isinstance(operand, Value) and operand not in self.read:
                self.read.add(operand)
                pending += sources.get(operand, ())

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            operation = map_blocks(operation, self.visit)
            operations += self.split(operation) if isinstance(operation, (If, For, While)) else [operation]
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def elements_of(self, operand: Operand) -> tuple[Operand, ...] | None:
        call = self.calls.get(operand) if isinstance(operand, Value) else None
        return call.arguments if call is not None and function_of(call) is make_tuple else None

    def split(self, node: If | For | While) -> list[Operation]:
        """The node with its tuples split, and the calls that make them again."""
        rows = [end.values for end in _ends_of(node) if isinstance(end, (Yield, Break))]
        carried = () if isinstance(node, If) else node.carried
        after: list[Operation] = []
        for position in range(len(node.results) - 1, -1, -1):
            result = node.results[position]
            parameter = carried[position].parameter if carried else None
            if result not in self.read and parameter not in self.read:
                continue
            operands = [row[position] for row in rows] + [item.initial for item in carried[position : position + 1]]
            width = self.common_width([operand for operand in operands if operand is not parameter])
            if width is None:
                continue
            node = self.split_position(node, position, width)
            after.insert(0, self.remake(result, node.results[position : position + width]))
        return [node, *after]

    def common_width(self, operands: Sequence[Operand]) -> int | None:
        widths = {None if (elements := self.elements_of(operand)) is None else len(elements) for operand in operands}
        return widths.pop() if len(widths) == 1 else None

    def remake(self, result: Value, elements: tuple[Value, ...]) -> Call:
        call = self.calls[result] = Call(result, Constant(make_tuple), elements)
        return call

    def split_position(self, node: If | For | While, position: int, width: int) -> If | For | While:
        """The node with the value at a position replaced by its elements."""

        def expand(block: Block) -> Block:
            return map_leaves(block, lambda end: self.expand_end(end, position, known))

        known: dict[Value, tuple[Value, ...]] = {}
        if isinstance(node, If):
            results = _with_parts(node.results, position, _parts_of(node.results[position], width))
            return If(node.condition, expand(node.then), expand(node.orelse), results, node.span)
        item = node.carried[position]
        initial = self.elements_of(item.initial)
        assert initial is not None
        parameters = known[item.parameter] = _parts_of(item.parameter, width)
        parts = tuple(map(Carried, initial, parameters, _parts_of(item.result, width)))
        carried = (*node.carried[:position], *parts, *node.carried[position + 1 :])
        body = expand(node.body)
        if isinstance(node, For):
            return For(node.target, node.iterable, carried, self.with_tuple(body, item.parameter, parameters), node.span)
        header = node.header
        if _is_read(header, item.parameter):
            if _is_read(body, item.parameter):  # each block makes its own
                twin = Value(item.parameter.name, item.parameter.type, item.parameter.temporary)
                header = self.with_tuple(substitute_block(header, {item.parameter: twin}), twin, parameters)
            else:
                return While(self.with_tuple(header, item.parameter, parameters), carried, body, node.span)
        return While(header, carried, self.with_tuple(body, item.parameter, parameters), node.span)

    def with_tuple(self, block: Block, value: Value, elements: tuple[Value, ...]) -> Block:
        return Block((self.remake(value, elements), *block.operations), block.terminator)

    def expand_end(self, end: Terminator, position: int, known: dict[Value, tuple[Value, ...]]) -> Terminator:
        if not isinstance(end, (Yield, Break)):
            return end
        operand = end.values[position]
        elements = known.get(operand) if isinstance(operand, Value) else None
        parts = elements or self.elements_of(operand)
        assert parts is not None
        values = (*end.values[:position], *parts, *end.values[position + 1 :])
        return Yield(values) if isinstance(end, Yield) else Break(values, end.span)


def _sources_of(fn: Function) -> dict[Value, list[Operand]]:
    """The operands that reach a result or carried value."""
    sources: dict[Value, list[Operand]] = {}
    for node in nodes_of(fn):
        if isinstance(node, (If, For, While)):
            rows = [end.values for end in _ends_of(node) if isinstance(end, (Yield, Break))]
            for position, result in enumerate(node.results):
                reaching = [row[position] for row in rows]
                if not isinstance(node, If):
                    item = node.carried[position]
                    reaching += [item.initial, item.parameter]
                    sources[item.parameter] = reaching
                sources[result] = reaching
    return sources


def _ends_of(node: If | For | While) -> list[Terminator]:
    blocks = (node.then, node.orelse) if isinstance(node, If) else (node.body,)
    return [end for block in blocks for end in leaves(block) if not isinstance(end, Raise)]


def _parts_of(value: Value, width: int) -> tuple[Value, ...]:
    """A value for each element of a tuple."""
    kinds: tuple[Type, ...] = value.type.elements if isinstance(value.type, TupleType) else ()
    kinds = kinds if len(kinds) == width else (UNKNOWN,) * width
    stem = f"{value.name}_" if value.name else ""
    return tuple(Value(f"{stem}{index}" if stem else "", kind, value.temporary) for index, kind in enumerate(kinds))


def _with_parts(values: tuple[Value, ...], position: int, parts: tuple[Value, ...]) -> tuple[Value, ...]:
    return (*values[:position], *parts, *values[position + 1 :])


def _is_read(block: Block, value: Value) -> bool:
    return any(value in operands_of(node) for node in walk(block))
