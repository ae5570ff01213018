"""Takes a tuple apart where it is made, when only its elements are read.

Before::                                  After::

    t_1 = decay_reverse(u, k, r)              t_1 = decay_reverse(u, k, r)
    t_2 = getitem(t_1, 0)                     t_5 = unpack(t_1, 2)
    u_bar_3 = add(u_bar_1, t_2)               t_2 = getitem(t_5, 0)
    t_4 = getitem(t_1, 1)                     t_4 = getitem(t_5, 1)
    …                                         u_bar_3 = add(u_bar_1, t_2)
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from s2sad.ir import operations
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Function,
    If,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    With,
    operands_of,
    walk,
)
from s2sad.ir.types import TupleType


def unpack_results(function: Function) -> Function:
    readers: defaultdict[Value, list[object]] = defaultdict(list)
    calls: list[Call] = []
    for node in walk(function.body):
        for operand in operands_of(node):
            if isinstance(operand, Value):
                readers[operand].append(node)
        if isinstance(node, Call) and isinstance(node.result.type, TupleType) and node.result.temporary:
            calls.append(node)
    groups: dict[Value, tuple[Call, ...]] = {}
    for node in calls:
        elements = _elements(node, readers[node.result])
        if elements:
            groups[node.result] = tuple(elements)
    return replace(function, body=_Rewriter(groups).block(function.body)) if groups else function


def _elements(node: Call, readers: list[object]) -> list[Call]:
    """The reads of the elements in their order; none unless each is read just once and nothing else is."""
    assert isinstance(node.result.type, TupleType)
    if isinstance(node.function, Constant) and node.function.value in (operations.make_tuple, operations.unpack):
        return []
    by_place: dict[int, Call] = {}
    for reader in readers:
        match reader:
            case Call(_, Constant(operator.getitem), (whole, Constant(int() as place))) if whole is node.result:
                by_place[place] = reader
            case _:
                return []
    length = len(node.result.type.elements)
    if length < 2 or len(readers) != length or set(by_place) != set(range(length)):
        return []
    return [by_place[place] for place in range(length)]


@dataclass(frozen=True, slots=True)
class _Rewriter:
    groups: Mapping[Value, tuple[Call, ...]]

    def block(self, block: Block) -> Block:
        kept: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call):
                if _is_element(node) and node.arguments[0] in self.groups:
                    continue
                kept.append(node)
                if node.result in self.groups:
                    kept += self.parts(node)
            else:
                kept.append(self.region(node))
        return Block(tuple(kept), self.terminator(block.terminator))

    def parts(self, node: Call) -> list[Operation]:
        group = self.groups[node.result]
        parts = Value("", node.result.type, temporary=True)
        taken = Call(parts, Constant(operations.unpack), (node.result, Constant(len(group))), (), node.span, node.exact)
        return [taken, *(replace(element, arguments=(parts, element.arguments[1])) for element in group)]

    def terminator(self, node: Terminator) -> Terminator:
        if isinstance(node, Branch):
            return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
        return node

    def region(self, node: Operation) -> Operation:
        match node:
            case If():
                return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
            case For():
                return replace(node, body=self.block(node.body))
            case While():
                return replace(node, header=self.block(node.header), body=self.block(node.body))
            case Try():
                handlers = tuple(replace(handler, body=self.block(handler.body)) for handler in node.handlers)
                return replace(node, body=self.block(node.body), handlers=handlers)
            case With():
                return replace(node, body=self.block(node.body))
            case _:
                return node


def _is_element(node: Call) -> bool:
    return isinstance(node.function, Constant) and node.function.value is operator.getitem
