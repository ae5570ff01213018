"""Changes of lists and dicts made here that nobody looks at afterwards: shadows at the end of a reverse sweep.

Before::

    rows_bar = []
    ...
    for i in range(n):
        rows_bar.pop()              # as the program appended; there is nothing left to read
    return x_bar

After::

    rows_bar = []
    ...
    return x_bar

>>> from s2sad.ir.nodes import Constant, Parameter, Return
>>> from s2sad.ir.operations import make_list
>>> from s2sad.ir.types import FLOAT, INT, ListType
>>> rows, length, x = Value("rows", ListType(FLOAT)), Value("length", INT), Value("x", FLOAT)
>>> def method(name, *arguments):
...     return Call(Value(""), Constant(call_method), (rows, Constant(name), *arguments), exact=False)
>>> calls = (
...     Call(rows, Constant(make_list), ()),
...     method("append", x), Call(length, Constant(len), (rows,)), method("append", x), method("pop"),
... )
>>> f = drop_dead_changes(Function("f", (Parameter(x),), Block(calls, Return(length))))
>>> [call.arguments[1].value for call in f.body.operations if call.function.value is call_method]
['append']

Only what has no other name is followed, and only adjoint code is left out: a program may rely on what it raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    operands_of,
)
from s2sad.ir.operations import call_method
from s2sad.transform.purity import changed_container, find_private_containers
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations


def drop_dead_changes(fn: Function) -> Function:
    """Leave out changes of lists and dicts that nobody reads."""
    if call_method not in functions_called(fn) or any(isinstance(node, Try | With) for node in nodes_of(fn)):
        return fn
    own = find_private_containers(fn)
    if not own:
        return fn
    dropping = _Dropping(own, count_uses(fn))
    dropping.block(fn.body, frozenset(), frozenset())
    return with_body(fn, dropping.without(fn.body)) if dropping.dead else fn


class _Dropping:
    """Goes through the program backwards, with the containers that may be looked at later."""

    def __init__(self, own: frozenset[Value], uses: Mapping[Value, int]) -> None:
        self.own = own
        self.uses = uses
        self.dead: set[Operation] = set()

    def without(self, block: Block) -> Block:
        operations = [map_blocks(node, self.without) for node in block.operations if node not in self.dead]
        return with_operations(block, operations, map_blocks(block.terminator, self.without))

    def block(self, block: Block, on_yield: frozenset[Value], on_break: frozenset[Value]) -> frozenset[Value]:
        live = self.end(block.terminator, on_yield, on_break)
        for node in reversed(block.operations):
            live = self.operation(node, live, on_break)
        return live

    def end(self, end: Terminator, on_yield: frozenset[Value], on_break: frozenset[Value]) -> frozenset[Value]:
        read = self.read(operands_of(end))
        match end:
            case Yield():
                return on_yield | read
            case Break():
                return on_break | read
            case Branch(_, then, orelse):
                return self.block(then, on_yield, on_break) | self.block(orelse, on_yield, on_break) | read
        return read

    def operation(self, node: Operation, live: frozenset[Value], on_break: frozenset[Value]) -> frozenset[Value]:
        match node:
            case Call():
                return self.call(node, live)
            case If(_, then, orelse):
                return self.block(then, live, on_break) | self.block(orelse, live, on_break) | self.read(operands_of(node))
            case For() | While():
                return self.loop(node, live) | self.read(operands_of(node))
        return live | self.read(operands_of(node))

    def loop(self, loop: For | While, live: frozenset[Value]) -> frozenset[Value]:
        """What is read in a trip may be read after each one."""
        dead = set(self.dead)
        around = live
        while True:
            self.dead = set(dead)
            before = self.block(loop.body, around, live)
            if isinstance(loop, While):
                before = self.block(loop.header, around | before, live)
            if before <= around:
                return around
            around |= before

    def call(self, call: Call, live: frozenset[Value]) -> frozenset[Value]:
        changed = changed_container(call)
        if changed not in self.own:
            return live | self.read(operands_of(call))
        if changed in live or call.exact or self.uses.get(call.result):
            return live | self.read(operands_of(call))
        self.dead.add(call)
        return live

    def read(self, operands: Iterable[Operand]) -> frozenset[Value]:
        return self.own.intersection(operand for operand in operands if isinstance(operand, Value))
