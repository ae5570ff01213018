"""Variables that one way through the program leaves unbound, where their value is copied all the same.

A copy under the same name is no statement, and nothing need be bound for it. One under another name is, and so is what the
forward half of a function hands over, or what is saved::

    if returned:
        value = x * x
    else:
        value = None        # added here: else the next line fails
    kept = value
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence, Set

from s2sad.emit.liveness import is_append_of_sweep
from s2sad.ir.nodes import (
    UNBOUND,
    Block,
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
    Yield,
    walk,
)
from s2sad.ir.operations import make_tuple
from s2sad.transform.rewrite import map_blocks, map_leaves, with_body, with_operations
from s2sad.transform.unbound_values import copies_between_blocks, find_unbound_values


def bind_copied(function: Function, variable: Callable[[Value], object]) -> Function:
    """Bind to None, on the ways that leave them unbound, the values that are copied from one variable to another."""
    unbound = find_unbound_values(function.body)
    if not unbound:
        return function
    copies = list(copies_between_blocks(function.body))
    wanted = {
        source
        for target, source in copies
        # what the user left unbound and reads all the same raises, as in Python
        if isinstance(source, Value)
        and source in unbound
        and (source.temporary or source.name == target.name)  # a variable that is handed on is not read
        and variable(source) is not variable(target)
    }
    results = set(_results(function.body))
    wanted.update(value for value in _handed_over(function.body) if value in unbound and value not in results)
    before = 0
    while len(wanted) > before:
        before = len(wanted)
        wanted.update(source for target, source in copies if target in wanted and isinstance(source, Value) and source in unbound)
    return with_body(function, _bind(function.body, wanted)) if wanted else function


def _handed_over(block: Block) -> Iterator[Value]:
    """The values of the primal that are read for the reverse sweep alone: kept in a tuple, or saved in a list."""
    for node in walk(block):
        if isinstance(node, Call) and not node.exact:
            kept = node.arguments if _makes_tuple(node) else node.arguments[2:] if is_append_of_sweep(node) else ()
            yield from (operand for operand in kept if isinstance(operand, Value))


def _results(block: Block) -> Iterator[Operand]:
    """What the primal returns: where that is unbound, the read raises as in Python."""
    tuples = {node.result: node for node in walk(block) if isinstance(node, Call) and _makes_tuple(node)}
    for node in walk(block):
        if isinstance(node, Return):
            made = tuples.get(node.value) if isinstance(node.value, Value) else None
            yield made.arguments[0] if made is not None and made.arguments else node.value


def _makes_tuple(node: Call) -> bool:
    return isinstance(node.function, Constant) and node.function.value is make_tuple


def _bind(block: Block, wanted: Set[Value]) -> Block:
    """The block in which these values are bound on every way."""

    def visit(node: Operation) -> Operation:
        if isinstance(node, (For, While)):
            carried = tuple(
                Carried(Constant(None), item.parameter, item.result)
                if item.initial is UNBOUND and not wanted.isdisjoint((item.parameter, item.result))
                else item
                for item in node.carried
            )
            node = dataclasses.replace(node, carried=carried)
        if isinstance(node, (If, Try)):
            positions = [index for index, result in enumerate(node.results) if result in wanted]
            node = map_blocks(node, lambda arm: map_leaves(arm, lambda end: _bound(end, positions)))
        return map_blocks(node, lambda inner: _bind(inner, wanted))

    operations = [visit(node) for node in block.operations]
    return with_operations(block, operations, map_blocks(block.terminator, lambda inner: _bind(inner, wanted)))


def _bound(end: Terminator, positions: Sequence[int]) -> Terminator:
    if not isinstance(end, Yield) or not any(end.values[index] is UNBOUND for index in positions):
        return end
    values = enumerate(end.values)
    return Yield(tuple(Constant(None) if index in positions and value is UNBOUND else value for index, value in values))
