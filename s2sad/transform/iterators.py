"""Iterators that are used a second time: Python finds them used up, an index into what they run over would not.

Refused::

    z = zip(x, y)
    for a, b in z: ...
    for a, b in z: ...      # runs zero times in Python

What :mod:`s2sad.analysis.given_once` found to be read once is a list here.
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from typing import Final

from s2sad.analysis.activity import Activity
from s2sad.analysis.places import describe_place
from s2sad.analysis.structure import Structure
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import calls_of, nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Return,
    Terminator,
    Value,
    While,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.ir.types import IteratorType, strip_optional
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule, model_with_body
from s2sad.transform.reverse.unchanged import regions_written

_ITERATORS: Final = (builtins.zip, builtins.enumerate, builtins.reversed, builtins.iter)


def refuse_used_up(fn: Function, structure: Structure, activity: Activity) -> None:
    """Raise for an iterator of active elements that is used more than once, or in a loop that it is made outside of."""
    iterators = {call.result: call for call in calls_of(fn) if call.result in activity and _makes_iterator(call)}
    if not iterators:
        return
    uses: defaultdict[Value, list[int]] = defaultdict(list)
    _note_uses(fn.body, structure, uses)
    handed_on = {operand for node in nodes_of(fn) for operand in _handed_on(node)}
    for value, depths in uses.items():
        definition = iterators.get(value)
        if definition is None:
            continue
        if value in handed_on:
            raise UnsupportedSyntaxError(
                f"{_what(definition)} gives its elements once, and is handed to a function here that may use them more than "
                f"once; make a list of it first: {_as_list(definition)}.\n{describe_place(definition.span)}"
            )
        if any(isinstance(node, Call) and node.arguments.count(value) > 1 for node in calls_of(fn)):
            raise UnsupportedSyntaxError(
                f"{_what(definition)} gives its elements once, and is used more than once in one call; take every other element: "
                f"xs[::2] and xs[1::2].\n{describe_place(definition.span)}"
            )
        made_at = structure.depth[structure.home[value]]
        if len(depths) > 1 or any(depth > made_at for depth in depths):
            raise UnsupportedSyntaxError(
                f"{_what(definition)} gives its elements once, and is used more than once here; make a list of it first: "
                f"{_as_list(definition)}.\n{describe_place(definition.span)}"
            )


def is_used_at_once(call: Call, region: int, structure: Structure) -> bool:
    """Whether nothing writes to a region between the call that makes an iterator and what goes over it, in one block."""
    home = structure.home[call.result]
    for node in home.operations[home.operations.index(call) + 1 :]:
        is_iterator = isinstance(node, Call) and isinstance(strip_optional(node.result.type), IteratorType)
        gone_over = (node.iterable,) if isinstance(node, For) else node.arguments if isinstance(node, Call) else ()
        if not is_iterator and any(_is_made_of(operand, call, structure) for operand in gone_over):
            return True
        inside = [inner for block in blocks_of(node) for inner in walk(block)]
        if any(isinstance(inner, Call) and region in regions_written(inner) for inner in (node, *inside)):
            return False
    return False


def _is_made_of(iterable: Operand, call: Call, structure: Structure) -> bool:
    """Whether an iterable is what a call gives, or an iterator over it."""
    made = structure.definition.get(iterable) if isinstance(iterable, Value) else None
    if not isinstance(made, Call) or not isinstance(strip_optional(made.result.type), IteratorType):
        return False
    return made is call or any(_is_made_of(operand, call, structure) for operand in made.arguments)


def _note_uses(block: Block, structure: Structure, uses: defaultdict[Value, list[int]]) -> None:
    nodes: tuple[Operation | Terminator, ...] = (*block.operations, block.terminator)
    for node in nodes:
        carried = isinstance(node, (For, While)) and {item.initial for item in node.carried}
        for operand in operands_of(node):
            if isinstance(operand, Value):
                # what a loop carries may be used in each of its trips
                uses[operand].append(structure.depth[block] + bool(carried and operand in carried))
        for inner in blocks_of(node):
            _note_uses(inner, structure, uses)


def _makes_iterator(call: Call) -> bool:
    if not isinstance(call.function, Constant):
        return False
    function = call.function.value
    rule = lookup(function)
    return function in _ITERATORS or (isinstance(rule, ModelRule) and rule.gives_iterator)


def _handed_on(node: Operation | Terminator) -> tuple[Operand, ...]:
    """What a node gives to code that may use it more than once: a function value, the caller, a function of the user."""
    if isinstance(node, (MakeFunction, Return)):
        return operands_of(node)
    if isinstance(node, Call) and isinstance(node.function, Constant) and isinstance(node.function.value, Callee):
        return () if model_with_body(getattr(node.function.value.unit, "python_function", None)) is not None else node.arguments
    return ()


def _what(call: Call) -> str:
    return "this iterator" if _name(call) == "iter" else f"{_name(call)}()"


def _as_list(call: Call) -> str:
    return "list(...)" if _name(call) == "iter" else f"list({_name(call)}(...))"


def _name(call: Call) -> str:
    assert isinstance(call.function, Constant)
    return str(getattr(call.function.value, "__name__", call.function.value))
