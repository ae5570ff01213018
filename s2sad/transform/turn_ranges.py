"""Loops over ranges from their end, as loops over ranges: what runs backwards can then run forwards again.

Before::                                  After::

    t = range(n)                              t = sub(n, 1)
    r = reversed(t)                           r = range(t, -1, -1)
    for i in r:                               for i in r:

>>> import operator
>>> from s2sad.ir.nodes import Parameter, Return, Yield
>>> from s2sad.ir.types import INT, IteratorType
>>> n, i = Value("n", INT), Value("i", INT)
>>> t, r = Value("t", IteratorType(range, INT)), Value("r", IteratorType(reversed, INT))
>>> calls = (Call(t, Constant(range), (n,)), Call(r, Constant(reversed), (t,)))
>>> f = Function("f", (Parameter(n),), Block((*calls, For(i, r, (), Block((), Yield()))), Return(n)))
>>> [call.function.value.__name__ for call in turn_ranges(f).body.operations[:-1]]
['range', 'sub', 'range']

The range itself is left to be dropped as dead. Steps other than 1 and -1 are left alone: where they end takes a division.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping

from s2sad.ir.contents import functions_called
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Value, function_of
from s2sad.ir.types import INT, IteratorType
from s2sad.transform.rewrite import (
    count_uses,
    find_definitions,
    map_blocks,
    replace_operands,
    with_body,
    with_operations,
)


def turn_ranges(fn: Function) -> Function:
    """Replace ``reversed(range(a, b))`` that one loop runs over."""
    if not {reversed, range} <= functions_called(fn):
        return fn
    return with_body(fn, _Turning(find_definitions(fn), count_uses(fn)).visit(fn.body))


class _Turning:
    def __init__(self, definitions: Mapping[Value, Call], uses: Mapping[Value, int]) -> None:
        self.definitions = definitions
        self.uses = uses

    def visit(self, block: Block) -> Block:
        looped = {node.iterable for node in block.operations if isinstance(node, For)}
        turned: dict[Value, Operand] = {}
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call) and function_of(node) is reversed and node.result in looped and self.uses[node.result] == 1:
                made = self.range_of(node)
                operations += made or [node]
                if made:
                    turned[node.result] = made[-1].result
                continue
            operations.append(map_blocks(replace_operands(node, turned) if turned else node, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def range_of(self, call: Call) -> list[Call]:
        """The calls that make the range from the end of another; none where that is not one with a plain step."""
        whole = call.arguments[0]
        made = self.definitions.get(whole) if isinstance(whole, Value) else None
        if made is None or function_of(made) is not range or len(made.arguments) not in (1, 2, 3):
            return []
        start, stop = made.arguments[:2] if len(made.arguments) > 1 else (Constant(0), made.arguments[0])
        step = made.arguments[2] if len(made.arguments) == 3 else Constant(1)
        if not isinstance(step, Constant) or step.value.__class__ is not int or abs(step.value) != 1:
            return []
        last, before = _less(stop, step.value, call), _less(start, step.value, call)
        arguments = (_operand(last), _operand(before), Constant(-step.value))
        result = Call(Value("", IteratorType(range, INT), temporary=True), Constant(range), arguments, (), call.span)
        return [*(one for one in (last, before) if isinstance(one, Call)), result]


def _less(operand: Operand, step: int, call: Call) -> Call | Constant:
    """An end of a range, less one step."""
    if isinstance(operand, Constant) and operand.value.__class__ is int:
        return Constant(operand.value - step)
    function = operator.sub if step > 0 else operator.add
    return Call(Value("", INT, temporary=True), Constant(function), (operand, Constant(1)), (), call.span)


def _operand(made: Call | Constant) -> Operand:
    return made.result if isinstance(made, Call) else made
