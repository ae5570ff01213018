"""Iterators that are used a second time: Python finds them used up, an index into what they run over would not.

Refused::

    z = zip(x, y)
    for a, b in z: ...
    for a, b in z: ...      # runs zero times in Python

A `map` or `filter` is a list in what it is handed to, so a function of the user must read it just once.
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
from s2sad.rules.core import model_with_body
from s2sad.rules.iteration import MODELS_OF_ITERATORS

#: How the file names of generated code begin.
_GENERATED: Final = "<s2sad "
_ITERATORS: Final = (builtins.zip, builtins.enumerate, builtins.reversed, builtins.iter, builtins.map, builtins.filter)


def refuse_used_up(fn: Function, structure: Structure, activity: Activity) -> None:
    """Raise for an iterator of active elements that is used more than once, or in a loop that it is made outside of."""
    uses: defaultdict[Value, list[int]] = defaultdict(list)
    _note_uses(fn.body, structure, uses)
    handed_on = {operand for node in walk(fn.body) for operand in _handed_on(node)}
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
        if call.span is not None and call.span.filename.startswith(_GENERATED):
            return False  # it calls the model by name, and means the list that this gives
        return any(getattr(function.unit, "python_function", None) is rule.body for rule in MODELS_OF_ITERATORS)
    return any(function is iterator for iterator in _ITERATORS)


def _handed_on(node: Operation | Terminator) -> tuple[Operand, ...]:
    """What a node gives to code that may use it more than once: a function value, the caller, a function without rule."""
    if isinstance(node, MakeFunction | Return):
        return operands_of(node)
    if not isinstance(node, Call) or not isinstance(node.function, Constant) or not isinstance(node.function.value, Callee):
        return ()
    unit = node.function.value.unit
    if model_with_body(getattr(unit, "python_function", None)) is not None:
        return ()
    function = getattr(unit, "function", None)
    once = _read_once(function) if isinstance(function, Function) else set()
    return tuple(operand for index, operand in enumerate(node.arguments) if index not in once)


def _read_once(fn: Function) -> set[int]:
    """The parameters that a function uses up itself, once and not in a loop."""
    structure = Structure.of(fn)
    uses: defaultdict[Value, list[int]] = defaultdict(list)
    _note_uses(fn.body, structure, uses)
    further = {
        operand
        for node in walk(fn.body)
        if isinstance(node, MakeFunction | Return)
        or (isinstance(node, Call) and isinstance(node.function, Constant) and isinstance(node.function.value, Callee))
        for operand in operands_of(node)
    }
    outside = structure.depth[fn.body]
    return {
        index
        for index, parameter in enumerate(fn.parameters)
        if uses[parameter.value] in ([], [outside]) and parameter.value not in further
    }


def _name(call: Call) -> str:
    assert isinstance(call.function, Constant)
    function = call.function.value
    for rule in MODELS_OF_ITERATORS:
        if getattr(getattr(function, "unit", None), "python_function", None) is rule.body:
            return str(getattr(rule.functions[0], "__name__", rule.functions[0]))
    return str(getattr(function, "__name__", function))
