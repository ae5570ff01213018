"""Nested functions that call themselves by their name, without the cell that the name lives in.

Before::

    walk = make_cell(unbound)
    t = function captures (x, walk):
      def walk[x][walk](n):
        walk_1 = load_cell(walk)
        return walk_1(n - 1) * x
    store_cell(walk, t)
    walk_2 = load_cell(walk)
    return walk_2(3)

After::

    t = function captures (x):
      def walk[x](n):
        walk_1 = itself()
        return walk_1(n - 1) * x
    return t(3)

``itself()`` is the function value that is being called: what it has captured is at hand. So the cell, which holds a function that
holds the cell, needs no shadow. It is done where the variable is bound once, in the block that makes the cell, and is not read
before: functions defined earlier (two that call each other) share the cell. Where the function has default arguments, it captures
their values as well.

>>> from s2sad.frontend.lower import lower_source
>>> outer = lower_source('''
... def outer(x):
...     def walk(n):
...         return x if n == 0 else walk(n - 1) * x
...     return walk(3)
... ''')
>>> function, called = call_themselves(outer).body.operations
>>> [value.name for value in function.captured], called.function is function.result
(['x'], True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.analysis.known_cells import known_cells, visible_users
from s2sad.analysis.unroll import Copy
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.memo import MOST_FUNCTIONS, remembered
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Value,
    blocks_of,
    function_of,
    operands_of,
)
from s2sad.ir.operations import load_cell, make_cell, store_cell


@dataclass(slots=True, eq=False)
class Itself:
    """The operation ``itself()`` in a nested function. `definition` is that function, and is set when it is complete."""

    definition: Function | None = None


@remembered(MOST_FUNCTIONS)
def call_themselves(function: Function) -> Function:
    """The function, with the names of nested functions in no cells where that can be."""
    while make_cell in functions_called(function):
        known = known_cells(function)
        users = visible_users(function, known) if known else {}
        found = next((one for one in known.items() if _may_go(function, *one, users)), None)
        if found is None:
            break
        function = _without_cell(function, *found)
    return function


def with_own_name(definition: Function) -> tuple[Function, Value] | None:
    """A function that calls itself without ``itself()``, and the value that stands for it there, which it captures last. None for
    other functions."""
    for node in definition.body.operations:
        if isinstance(node, Call) and isinstance(function_of(node), Itself):
            rest = tuple(one for one in definition.body.operations if one is not node)
            captured = (*definition.captured, node.result)
            return replace(definition, captured=captured, body=Block(rest, definition.body.terminator)), node.result
    return None


def _may_go(function: Function, cell: Value, maker: MakeFunction, users: Mapping[Call | MakeFunction, MakeFunction]) -> bool:
    """Whether all who read a cell can be given the function that it holds."""
    readers = [node for node in nodes_of(function) if cell in operands_of(node) and not _is_of(store_cell, node, cell)]
    home = next(block for block in _blocks(function.body) for node in block.operations if _is_of(store_cell, node, cell))
    makes_it = any(isinstance(node, Call) and node.result is cell for node in home.operations)
    return makes_it and all(node is maker or node in users for node in readers)


def _without_cell(function: Function, cell: Value, maker: MakeFunction) -> Function:
    made = _calling_itself(maker, cell) if cell in maker.captured else maker
    values: dict[Value, Operand] = {cell: maker.result}
    loads = [node for node in nodes_of(function) if isinstance(node, Call) and _is_of(load_cell, node, cell)]
    values.update((node.result, maker.result) for node in loads)
    gone = {cell, *(node.result for node in nodes_of(function) if isinstance(node, Call) and _is_of(store_cell, node, cell))}
    return replace(function, body=_Given(values, gone, {maker.result: made}, cell).block(function.body))


def _calling_itself(maker: MakeFunction, cell: Value) -> MakeFunction:
    """A function that does not capture its own cell, but the values of its default arguments."""
    definition = maker.definition
    inner = definition.captured[maker.captured.index(cell)]
    names = [parameter.value.name for parameter in definition.parameters if parameter.has_default]
    defaults = tuple(Value(name, temporary=True) for name in names)
    own, itself = Value(definition.name, temporary=True), Itself()
    body = _given(definition.body, inner, own)
    named = Call(own, Constant(itself), (), (), definition.span)
    itself.definition = replace(
        definition,
        name=definition.name.strip("<>"),  # a lambda that has a name
        captured=(*(value for value in definition.captured if value is not inner), *defaults),
        body=Block((named, *body.operations), body.terminator),
    )
    captured = (*(operand for operand in maker.captured if operand is not cell), *maker.defaults)
    return replace(maker, definition=itself.definition, captured=captured)


def _given(body: Block, cell: Value, value: Value) -> Block:
    """A body in which a value takes the place of the cell that holds it."""
    calls = [node for block in _blocks(body) for node in block.operations if isinstance(node, Call)]
    values: dict[Value, Operand] = {node.result: value for node in calls if _is_of(load_cell, node, cell)}
    return _Given(values | {cell: value}, set(), {}, cell).block(body)


class _Given(Copy):
    """The same blocks with other operands, without some operations: nobody reads `cell`."""

    def __init__(self, values: dict[Value, Operand], gone: set[Value], made: Mapping[Value, MakeFunction], cell: Value) -> None:
        super().__init__(values)
        self.gone = gone
        self.made = made
        self.cell = cell

    def new(self, value: Value) -> Value:
        return value

    def block(self, block: Block) -> Block:
        kept = tuple(node for node in block.operations if not self.is_gone(node))
        return super().block(Block(kept, block.terminator))

    def is_gone(self, node: Operation) -> bool:
        return isinstance(node, Call) and (node.result in self.gone or _is_of(load_cell, node, self.cell))

    def operation(self, operation: Operation) -> Operation:
        if not isinstance(operation, MakeFunction):
            return super().operation(operation)
        operation = self.made.get(operation.result, operation)
        for outer, inner in zip(operation.captured, operation.definition.captured, strict=True):
            if outer is self.cell:
                definition = operation.definition
                given = replace(definition, body=_given(definition.body, inner, inner))
                for node in nodes_of(given):
                    if isinstance(node, Call) and isinstance(own := function_of(node), Itself) and own.definition is definition:
                        own.definition = given
                operation = replace(operation, definition=given)
        return super().operation(operation)


def _is_of(function: object, node: object, cell: Value) -> bool:
    """Whether a node is a call of `load_cell` or `store_cell` on this cell."""
    return isinstance(node, Call) and function_of(node) is function and node.arguments[0] is cell


def _blocks(body: Block) -> Iterator[Block]:
    yield body
    for node in (*body.operations, body.terminator):
        for inner in blocks_of(node):
            yield from _blocks(inner)
