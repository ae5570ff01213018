"""Carry a sum round a loop in place of what the same number is added to before every use.

Before::                                          After::

    b, q = for i in r carried (b_1 = 0.0, …):         w, q = for i in r carried (w_1 = 1.0, …):
      s ~= add(b_1, 1.0)                                b_2 ~= mul(w_1, x)
      b_2 ~= mul(s, x)                                  w_2 ~= add(b_2, 1.0)
      yield b_2, …                                      yield w_2, …
    t ~= add(b, 1.0)

The adjoint of a sum that a loop adds to is like this: one addition less, and one name less.

>>> import operator
>>> from s2sad.ir.nodes import Block, Call, Carried, Constant, For, Function, Parameter, Return, Value, Yield
>>> from s2sad.ir.types import FLOAT
>>> x, i, b, b_1, b_2, s, t = (Value(name, FLOAT) for name in ("x", "i", "b", "b_1", "b_2", "s", "t"))
>>> one, add, mul = Constant(1.0), Constant(operator.add), Constant(operator.mul)
>>> body = Block((Call(s, add, (b_1, one), exact=False), Call(b_2, mul, (s, x), exact=False)), Yield((b_2,)))
>>> loop = For(i, Constant(range(3)), (Carried(Constant(0.0), b_1, b),), body)
>>> f = Function("f", (Parameter(x),), Block((loop, Call(t, add, (b, one), exact=False)), Return(t)))
>>> loop, = carry_sums(f).body.operations
>>> loop.carried[0].initial.value, [call.function.value.__name__ for call in loop.body.operations]
(1.0, ['mul', 'add'])
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from s2sad.ir.contents import nodes_of, regions_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    Yield,
    operands_of,
)
from s2sad.ir.types import FLOAT
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import map_blocks, replace_operands, with_body, with_operations


@dataclass(frozen=True, slots=True)
class _Sum:
    """A carried value that a number is always added to, and the additions."""

    item: Carried
    number: float
    additions: tuple[Call, ...]


def carry_sums(fn: Function) -> Function:
    """Carry sums where the addition after the loop goes, too."""
    loops = [node for node in regions_of(fn) if isinstance(node, (For, While))]
    users: defaultdict[Value, list[object]] = defaultdict(list)
    if not any(_may_be_sum(item) for loop in loops for item in loop.carried):
        return fn
    for node in nodes_of(fn):
        for operand in operands_of(node):
            if isinstance(operand, Value):
                users[operand].append(node)
    sums = {loop: found for loop in loops if (found := [s for item in loop.carried if (s := _sum_of(item, users)) is not None])}
    return with_body(fn, _Carrying(sums).block(fn.body)) if sums else fn


def _may_be_sum(item: Carried) -> bool:
    return isinstance(item.initial, Constant) and type(item.initial.value) is float and item.parameter.type == FLOAT


def _sum_of(item: Carried, users: Mapping[Value, list[object]]) -> _Sum | None:
    """The sum to carry in place of a value, if all that is done with it, in the loop and after it, is to add one number."""
    inside, after = users.get(item.parameter, []), users.get(item.result, [])
    if not _may_be_sum(item) or not inside or not after:
        return None
    additions = [call for node in (*inside, *after) if (call := _addition(node)) is not None]
    numbers = {repr(call.arguments[1].value) for call in additions if isinstance(call.arguments[1], Constant)}
    if len(additions) != len(inside) + len(after) or len(numbers) != 1:
        return None
    number = additions[0].arguments[1]
    assert isinstance(number, Constant)
    assert isinstance(number.value, float)
    return _Sum(item, number.value, tuple(additions))


def _addition(node: object) -> Call | None:
    """A call of adjoint code that adds a literal."""
    if not isinstance(node, Call) or node.exact or function_of(node) is not operator.add:
        return None
    _, number = node.arguments
    return node if isinstance(number, Constant) and type(number.value) is float else None


class _Carrying:
    def __init__(self, sums: dict[For | While, list[_Sum]]) -> None:
        self.sums = sums
        self.dropped = {call for found in sums.values() for one in found for call in one.additions}
        self.known: dict[Value, Operand] = {
            call.result: call.arguments[0] for found in sums.values() for one in found for call in one.additions
        }

    def block(self, block: Block) -> Block:
        operations = [self.node(node) for node in block.operations if node not in self.dropped]
        end = map_blocks(replace_operands(block.terminator, self.known), self.block)
        return with_operations(block, operations, end)

    def node(self, node: Operation) -> Operation:
        found = self.sums.get(node, ()) if isinstance(node, (For, While)) else ()
        node = map_blocks(replace_operands(node, self.known), self.block)
        if not found or not isinstance(node, (For, While)):
            return node
        by_place = {
            index: one for index, item in enumerate(node.carried) for one in found if one.item.parameter is item.parameter
        }
        carried = list(node.carried)
        for index, one in by_place.items():
            item, initial = carried[index], carried[index].initial
            assert isinstance(initial, Constant)
            assert isinstance(initial.value, float)
            carried[index] = Carried(Constant(initial.value + one.number), item.parameter, item.result)
        body = self.with_sums(node.body, by_place)
        if isinstance(node, For):
            return For(node.target, node.iterable, tuple(carried), body, node.span)
        return While(node.header, tuple(carried), body, node.span)

    def with_sums(self, block: Block, by_place: Mapping[int, _Sum]) -> Block:
        """The tree in which each end adds the numbers to what it hands on."""
        end = block.terminator
        if isinstance(end, Branch):
            arms = Branch(end.condition, self.with_sums(end.then, by_place), self.with_sums(end.orelse, by_place), end.span)
            return Block(block.operations, arms)
        if not isinstance(end, (Yield, Break)):
            return block
        operations, values = list(block.operations), list(end.values)
        for index, one in by_place.items():
            total = Value(one.item.parameter.name, FLOAT, temporary=True)
            operations.append(Call(total, Constant(operator.add), (values[index], Constant(one.number)), exact=False))
            values[index] = total
        new: Terminator = Yield(tuple(values)) if isinstance(end, Yield) else Break(tuple(values), end.span)
        return Block(tuple(operations), new)
