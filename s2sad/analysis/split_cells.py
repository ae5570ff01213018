"""Variables that are bound to one nested function in each arm of an ``if``: each arm has a cell of its own.

Before::

    walk = make_cell(unbound)
    if c:
      t = function captures (x, walk): …
      store_cell(walk, t)
    else:
      u = function captures (x, walk): …
      store_cell(walk, u)
    walk_1 = load_cell(walk)
    return walk_1(3)

After::

    walk_1 = if c:
      walk_2 = make_cell(unbound)
      t = function captures (x, walk_2): …
      store_cell(walk_2, t)
      yield t
    else:
      walk_3 = make_cell(unbound)
      u = function captures (x, walk_3): …
      store_cell(walk_3, u)
      yield u
    return walk_1(3)

So it is known of each function which one it calls by that name. Not in loops: there a function may be called when the cell holds
the one of a later trip.
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.analysis.known_cells import cells_of_functions
from s2sad.analysis.replace_cells import GivenFunction, all_nodes, is_of
from s2sad.analysis.unroll import Copy
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
    Branch,
    Call,
    Constant,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Terminator,
    Value,
    Yield,
    operands_of,
)
from s2sad.ir.operations import make_cell, store_cell


def split_cells(function: Function) -> Function:
    """The function with a cell in each arm, for variables that only ever hold nested functions."""
    for cell, makers in cells_of_functions(function).items():
        is_captured = any(isinstance(node, MakeFunction) and cell in node.captured for node in nodes_of(function))
        if len(makers) > 1 and is_captured:
            function = replace(function, body=_split(function.body, cell))
    return function


def _split(block: Block, cell: Value) -> Block:
    """A block that makes a cell, with cells in the arms where this is done once."""
    nodes = [*block.operations, block.terminator]
    places = [place for place, node in enumerate(nodes) if _reads(node, cell)]
    node = nodes[places[0]] if places else block.terminator
    if not isinstance(node, If | Branch) or not places or any(_stores(nodes[place], cell) for place in places[1:]):
        return block
    before, after = block.operations[: places[0]], block.operations[places[0] + 1 :]
    if isinstance(node, Branch):
        return Block(before, replace(node, then=_with_own_cell(node.then, cell), orelse=_with_own_cell(node.orelse, cell)))
    if len(places) == 1:
        arms = _with_own_cell(node.then, cell), _with_own_cell(node.orelse, cell)
        return Block((*before, replace(node, then=arms[0], orelse=arms[1]), *after), block.terminator)
    chosen = _with_result(node, cell)
    if chosen is None:
        return block
    rest = GivenFunction.of(Block(after, block.terminator), cell, chosen.results[-1])
    return Block((*before, chosen, *rest.operations), rest.terminator)


def _with_result(node: If, cell: Value) -> If | None:
    """An ``if`` that gives what its arms put into a cell, if all do; each uses a cell of its own."""
    arms = []
    for arm in (node.then, node.orelse):
        if isinstance(arm.terminator, Raise):
            arms.append(_with_own_cell(arm, cell))
            continue
        found = _content(arm, cell)
        if found is None or not isinstance(arm.terminator, Yield):
            return None
        block, content = found
        arms.append(Block(block.operations, Yield((*arm.terminator.values, content))))
    return replace(node, then=arms[0], orelse=arms[1], results=(*node.results, Value(cell.name, temporary=True)))


def _content(arm: Block, cell: Value) -> tuple[Block, Operand] | None:
    """An arm with a cell of its own, and what that holds at its end; None where this is not known."""
    for place, node in enumerate(arm.operations):
        if isinstance(node, Call) and is_of(store_cell, node, cell):
            if any(_stores(other, cell) for other in arm.operations[place + 1 :]):
                return None
            return _with_own_cell(arm, cell), node.arguments[1]
        if isinstance(node, If) and _stores(node, cell):
            chosen = _with_result(node, cell)
            before, after = arm.operations[:place], arm.operations[place + 1 :]
            if chosen is None or any(_reads(other, cell) for other in before) or any(_stores(other, cell) for other in after):
                return None
            rest = GivenFunction.of(Block(after, arm.terminator), cell, chosen.results[-1])
            return Block((*before, chosen, *rest.operations), rest.terminator), chosen.results[-1]
        if _stores(node, cell):
            return None
    return None


def _with_own_cell(arm: Block, cell: Value) -> Block:
    """An arm that makes the cell which it uses."""
    if not any(_reads(node, cell) for node in (*arm.operations, arm.terminator)):
        return arm
    own = Value(cell.name)
    made = Call(own, Constant(make_cell), (UNBOUND,))
    inside = _split(_Renamed({cell: own}).block(arm), own)
    return Block((made, *inside.operations), inside.terminator)


class _Renamed(Copy):
    """The same block with other operands."""

    def new(self, value: Value) -> Value:
        return value


def _reads(node: Operation | Terminator, cell: Value) -> bool:
    """Whether a node, or one inside it, has to do with a cell that is made before it."""
    return any(cell in operands_of(inner) for inner in all_nodes(node))


def _stores(node: Operation | Terminator, cell: Value) -> bool:
    return any(is_of(store_cell, inner, cell) for inner in all_nodes(node))
