"""Iterators that are used a second time: Python finds them used up, an index into what they run over would not.

Refused::

    z = zip(x, y)
    for a, b in z: ...
    for a, b in z: ...      # runs zero times in Python

A `map` or `filter` that is handed to a function of the user is refused too: there it would be a list, which may be read twice.
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from typing import Final

from s2sad.analysis.activity import Activity
from s2sad.analysis.places import describe_place
from s2sad.analysis.structure import Structure
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Function,
    MakeFunction,
    Operation,
    Return,
    Terminator,
    Value,
    While,
    blocks_of,
    operands_of,
    walk,
)
from s2sad.rules.core import REGISTRY, ModelRule
from s2sad.rules.iteration import MODELS_OF_ITERATORS

_ITERATORS: Final = (builtins.zip, builtins.enumerate, builtins.reversed, builtins.iter, builtins.map, builtins.filter)


def refuse_used_up(fn: Function, structure: Structure, activity: Activity) -> None:
    """Raise for an iterator of active elements that is used more than once, or in a loop that it is made outside of."""
    uses: defaultdict[Value, list[int]] = defaultdict(list)
    _note_uses(fn.body, structure, uses)
    handed_on = {operand for node in walk(fn.body) if _is_of_user(node) for operand in operands_of(node)}
    for value, depths in uses.items():
        definition = structure.definition.get(value)
        if not isinstance(definition, Call) or value not in activity or not _makes_iterator(definition):
            continue
        if value in handed_on:
            raise UnsupportedSyntaxError(
                f"{_name(definition)}() gives its elements once, and is handed to a function here that may use them more than "
                f"once; make a list of it first: list({_name(definition)}(...)).\n{describe_place(definition.span)}"
            )
        made_at = structure.depth[structure.home[value]]
        if len(depths) > 1 or any(depth > made_at for depth in depths):
            raise UnsupportedSyntaxError(
                f"{_name(definition)}() gives its elements once, and is used more than once here; make a list of it first: "
                f"list({_name(definition)}(...)).\n{describe_place(definition.span)}"
            )


def _note_uses(block: Block, structure: Structure, uses: defaultdict[Value, list[int]]) -> None:
    nodes: tuple[Operation | Terminator, ...] = (*block.operations, block.terminator)
    for node in nodes:
        carried = isinstance(node, For | While) and {item.initial for item in node.carried}
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
    if isinstance(function, Callee):
        return any(getattr(function.unit, "python_function", None) is rule.body for rule in MODELS_OF_ITERATORS)
    return any(function is iterator for iterator in _ITERATORS)


def _is_of_user(node: object) -> bool:
    """Whether a node calls a function that has no rule, or makes one: what it is given may be used anywhere."""
    if not isinstance(node, Call) or not isinstance(node.function, Constant):
        return isinstance(node, MakeFunction | Return)
    if not isinstance(node.function.value, Callee):
        return False
    function = getattr(node.function.value.unit, "python_function", None)
    return not any(isinstance(rule, ModelRule) and rule.body is function for rule in REGISTRY)


def _name(call: Call) -> str:
    assert isinstance(call.function, Constant)
    function = call.function.value
    for rule in MODELS_OF_ITERATORS:
        if getattr(getattr(function, "unit", None), "python_function", None) is rule.body:
            return str(getattr(rule.functions[0], "__name__", rule.functions[0]))
    return str(getattr(function, "__name__", function))
