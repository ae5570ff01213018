"""Short reverse halves of what is built in are written out where they are called: nobody knows them by a name.

Before::                                                    After::

    def list_of_reverse(iterable, elements_bar, iterable_bar):
        for i in range(len(iterable) - 1, -1, -1):
            iterable_bar[i] += elements_bar.pop()

    ...                                                         ...
    list_of_reverse(xs, ys_bar, xs_bar)                         for i in range(len(xs) - 1, -1, -1):
                                                                    xs_bar[i] += ys_bar.pop()
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from s2sad import runtime
from s2sad.emit.generate import is_model
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Raise, Span, Terminator, Value, function_of
from s2sad.transform.rewrite import (
    NodeT,
    find_definitions,
    inline_function,
    leaves,
    map_blocks,
    rename_values,
    replace_operands,
    with_body,
    with_operations,
)
from s2sad.transform.turn_ranges import turn_ranges

#: Longer ones are better read once, under their name.
_LONGEST: Final = 16


def find_models(functions: Mapping[Callee, Function]) -> Mapping[Callee, Function]:
    """Those that are short, adjoints of built-in functions, and call none of their kind."""
    return {
        callee: function
        for callee, function in functions.items()
        if is_model(function)
        and len(nodes_of(function)) <= _LONGEST
        and not any(isinstance(called, Callee) for called in functions_called(function))
        and not any(isinstance(leaf, Raise) for leaf in leaves(function.body))
    }


def inline_models(fn: Function, models: Mapping[Callee, Function]) -> Function:
    """The function with these written out where it calls them."""
    if not models:
        return fn
    known: dict[Value, Operand] = {}
    definitions = find_definitions(fn)

    def visit(block: Block, around: frozenset[str]) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            operation = replace_operands(operation, known)
            model = models.get(called) if isinstance(called := _called(operation), Callee) else None
            if isinstance(operation, Call) and model is not None and not operation.exact:
                inlined, result = inline_function(_with_other_indices(model, around), operation.arguments)
                operations += [_with_span(_for_whole_lists(one, definitions), operation.span) for one in inlined]
                known[operation.result] = result
            else:
                inside = around | {operation.target.name} if isinstance(operation, For) else around
                operations.append(map_blocks(operation, partial(visit, around=inside)))
        end = map_blocks(replace_operands(block.terminator, known), partial(visit, around=around))
        return with_operations(block, operations, end)

    return turn_ranges(with_body(fn, visit(fn.body, frozenset())))


def _called(operation: Operation) -> object:
    return function_of(operation) if isinstance(operation, Call) else None


def _with_other_indices(model: Function, around: frozenset[str]) -> Function:
    """A function whose loops have other indices than those around."""
    names = [name for name in ("i", "j", "k", "l") if name not in around]
    targets = [node.target for node in nodes_of(model) if isinstance(node, For) and node.target.name in around]
    return rename_values(model, {one: Value(name, one.type, one.temporary) for one, name in zip(targets, names, strict=False)})


def _for_whole_lists(operation: Operation, definitions: Mapping[Value, Call]) -> Operation:
    """The indices that ``[:]`` takes are all there are."""
    if isinstance(operation, Call) and function_of(operation) is runtime.indices_of:
        part, length = operation.arguments
        if _is_whole(part, definitions):
            return replace(operation, function=Constant(range), arguments=(length,))
    return operation


def _is_whole(part: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether a slice is ``[:]``."""
    if isinstance(part, Constant):
        return part.value == slice(None)
    made = definitions.get(part)
    if made is None or function_of(made) is not slice:
        return False
    return all(isinstance(bound, Constant) and bound.value is None for bound in made.arguments)


def _with_span(node: NodeT, span: Span | None) -> NodeT:
    """A node that comes from another line."""
    moved = map_blocks(node, lambda block: _block_with_span(block, span))
    return replace(moved, span=span) if hasattr(moved, "span") else moved  # type: ignore[arg-type]


def _block_with_span(block: Block, span: Span | None) -> Block:
    end: Terminator = _with_span(block.terminator, span)
    return Block(tuple([_with_span(operation, span) for operation in block.operations]), end)
