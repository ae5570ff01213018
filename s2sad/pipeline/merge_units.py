"""Functions that are generated twice to the letter are one.

A helper is transformed once for each signature. Where two signatures (an array that is made here, one that is given) make no
difference to the text, the second is dropped, and what calls it calls the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, operands_of
from s2sad.pipeline.units import Unit
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def twin_of(unit: Unit, units: Sequence[Unit]) -> Unit | None:
    """An earlier function of the same text; None where the new one is called by one that is made already (recursion)."""
    neighbours = [other for other in units if other.context is unit.context]
    key = _key_of(unit) if neighbours else None
    twin = next((other for other in neighbours if _key_of(other) == key), None)
    is_called = twin is not None and any(unit.callee in callees_of(other.function) for other in units)
    return None if is_called else twin


def _key_of(unit: Unit) -> object:
    """Equal for functions of which one may stand for the other: the text, and what its names mean."""
    own = unit.emitted.name
    meanings = {
        ("" if value is unit.callee else name): (0 if value is unit.callee else id(value))
        for name, value in unit.emitted.references.items()
    }
    return re.sub(rf"\b{re.escape(own)}\b", "", unit.emitted.text), meanings, unit.emitted.builtins


def callees_of(function: Function) -> set[Callee]:
    """The functions that a function calls or hands on."""
    operands = [operand for node in nodes_of(function) for operand in operands_of(node)]
    return {operand.value for operand in operands if isinstance(operand, Constant) and isinstance(operand.value, Callee)}


def redirect(function: Function, merged: Mapping[Callee, object]) -> Function:
    """The function with calls of what was dropped going to what stands for it: another function, or a class."""
    if not merged or merged.keys().isdisjoint(callees_of(function)):
        return function

    def new(operand: Operand) -> Operand:
        match operand:
            case Constant(Callee() as callee) if callee in merged:
                return Constant(merged[callee])
            case _:
                return operand

    def one(operation: Operation) -> Operation:
        if not isinstance(operation, Call):
            return map_blocks(operation, visit)
        keywords = tuple((name, new(operand)) for name, operand in operation.keywords)
        return replace(
            operation, function=new(operation.function), arguments=tuple(map(new, operation.arguments)), keywords=keywords
        )

    def visit(block: Block) -> Block:
        return with_operations(block, [one(operation) for operation in block.operations], map_blocks(block.terminator, visit))

    return with_body(function, visit(function.body))
