"""Moves the step of a carried variable to the end of the loop body, where the variable is not read any more.

Before::                                  After::

    body:                                     body:
      k_4 = sub(k_2, 1)                         … k_2 …
      … k_2 …                                   k_4 = sub(k_2, 1)
      yield k_4                                 yield k_4

so that both values are one Python variable, and the step is ``k -= 1``. The same for any expression of the old value.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sad.emit.coalesce import count_uses
from s2sad.ir.contents import regions_of
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import Block, Branch, Call, For, Function, If, Operation, Try, Value, While, With, Yield, operands_of, walk


def sink_steps(function: Function) -> Function:
    if not any(isinstance(region, (For, While)) for region in regions_of(function)):
        return function
    return replace(function, body=_block(function.body, count_uses(function)))


def _block(block: Block, uses: Counter[Value], parameters: tuple[Value, ...] = ()) -> Block:
    """A block in which steps stand last; `parameters` are what its `Yield` sets."""
    names = tuple(parameter.name for parameter in parameters)
    operations = tuple(_operation(operation, uses) for operation in block.operations)
    match block.terminator:
        case Branch(_, then, orelse) as branch:
            return Block(
                operations, replace(branch, then=_block(then, uses, parameters), orelse=_block(orelse, uses, parameters))
            )
        case Yield(values) if names:
            carried = {value: name for value, name in zip(values, names, strict=True) if isinstance(value, Value)}
            # in `a, b = b, a + b` the old value of a variable goes to another
            swapped = {value for value, own in zip(values, parameters, strict=True) if own in values and own is not value}
            later: set[Value] = set()
            kept: list[Operation] = []
            steps: list[Call] = []
            for node in reversed(operations):
                if isinstance(node, Call) and uses[node.result] == 1 and node.result in swapped and _is_quiet(node):
                    result = replace(node.result, temporary=True)
                    values = tuple(result if value is node.result else value for value in values)
                    kept.append(replace(node, result=result))
                elif isinstance(node, Call) and uses[node.result] == 1 and _is_step(node, carried.get(node.result), later):
                    steps.insert(0, replace(node, result=replace(node.result, temporary=True)))
                    values = tuple(steps[0].result if value is node.result else value for value in values)
                else:
                    kept.append(node)
                later |= _read(node)
            return Block((*reversed(kept), *steps), Yield(values))
        case _:
            return Block(operations, block.terminator)


def _is_step(node: Call, target: str | None, later: set[Value]) -> bool:
    """Whether a call makes the next value of the variable `target` before the last use of the old one, without effect."""
    old = [operand for operand in node.arguments if isinstance(operand, Value) and operand.name == target != ""]
    return not later.isdisjoint(old) and _is_quiet(node)


def _is_quiet(node: Call) -> bool:
    effects = effects_of(node)
    return effects.is_pure and not (effects.raises and node.exact)


def _read(node: Operation) -> set[Value]:
    """What an operation reads, itself and inside."""
    inner = walk(Block((node,), Yield()))
    return {operand for item in inner for operand in operands_of(item) if isinstance(operand, Value)}


def _parameters(loop: For | While) -> tuple[Value, ...]:
    return tuple(item.parameter for item in loop.carried)


def _operation(node: Operation, uses: Counter[Value]) -> Operation:
    match node:
        case If() as conditional:
            return replace(conditional, then=_block(conditional.then, uses), orelse=_block(conditional.orelse, uses))
        case For() as loop:
            return replace(loop, body=_block(loop.body, uses, _parameters(loop)))
        case While() as loop:
            return replace(loop, header=_block(loop.header, uses), body=_block(loop.body, uses, _parameters(loop)))
        case Try() as guarded:
            handlers = tuple(replace(handler, body=_block(handler.body, uses)) for handler in guarded.handlers)
            return replace(guarded, body=_block(guarded.body, uses), handlers=handlers)
        case With() as entered:
            return replace(entered, body=_block(entered.body, uses))
        case _:
            return node
