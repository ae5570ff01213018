"""Stores to arrays made here, where all is stored anew before anybody reads.

Before::

    work = np.empty_like(u)
    for k in range(n):
        work[:] = saved.pop()       # nobody reads it in the same trip, and the next one begins with a store
        ...

After::

    work = np.empty_like(u)
    for k in range(n):
        ...

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import FLOAT, NONE, ArrayType, Extent
>>> import s2sad.analysis.array_creation, s2sad.analysis.array_reductions  # declare what `np.empty_like` and `np.sum` do
>>> import numpy
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> u, w, s = Value("u", vector), Value("w", vector), Value("s", FLOAT)
>>> def store(value):
...     return Call(Value("", NONE), Constant(operator.setitem), (w, Constant(...), Constant(value)))
>>> calls = (
...     Call(w, Constant(numpy.empty_like), (u,)), store(1.0), store(2.0), Call(s, Constant(numpy.sum), (w,)), store(3.0)
... )
>>> f = drop_dead_stores(Function("f", (Parameter(u),), Block(calls, Return(s))))
>>> [call.arguments[2].value for call in f.body.operations if call.function.value is operator.setitem]
[2.0]

Only arrays that are made once, outside of loops, and that nobody outside sees.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping

from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
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
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.array_memory import (
    ArrayMemory,
    asked_for_shape,
    find_array_memory,
    is_array,
    makes_array,
    makes_view,
)
from s2sad.transform.known_indices import KnownIndices
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations


def drop_dead_stores(fn: Function) -> Function:
    """Leave out stores of what nobody reads."""
    memory = find_array_memory(fn)
    if not memory.has_arrays or any(isinstance(node, (Try, With, MakeFunction)) for node in nodes_of(fn)):
        return fn
    held = 0
    for content in memory.contents.values():
        held |= content
    made = {
        call.result: memory.roots(call.result)
        for call in fn.body.operations
        if isinstance(call, Call) and is_array(call.result) and makes_array(call) and memory.is_owned(call.result)
    }
    own = {value: root for value, root in made.items() if root.bit_count() == 1 and not root & (memory.returned | held)}
    if not own:
        return fn
    dropping = _Dropping(fn, memory, own)
    dropping.block(fn.body, 0, 0)
    return with_body(fn, dropping.without(fn.body)) if dropping.dead else fn


class _Dropping:
    """Goes through the program backwards, with the roots of the arrays whose content may be read later."""

    def __init__(self, fn: Function, memory: ArrayMemory, own: Mapping[Value, int]) -> None:
        self.memory = memory
        self.own = own
        self.uses = count_uses(fn)
        self.watched = 0
        for root in own.values():
            self.watched |= root
        self.indices = KnownIndices()
        for node in nodes_of(fn):
            if isinstance(node, Call):
                self.indices.note(node)
        self.dead: set[Operation] = set()

    def without(self, block: Block) -> Block:
        operations = [map_blocks(node, self.without) for node in block.operations if node not in self.dead]
        return with_operations(block, operations, map_blocks(block.terminator, self.without))

    def block(self, block: Block, on_yield: int, on_break: int) -> int:
        live = self.end(block.terminator, on_yield, on_break)
        for node in reversed(block.operations):
            live = self.operation(node, live, on_break)
        return live

    def end(self, end: Terminator, on_yield: int, on_break: int) -> int:
        match end:
            case Yield():
                return on_yield
            case Break():
                return on_break
            case Branch(_, then, orelse):
                return self.block(then, on_yield, on_break) | self.block(orelse, on_yield, on_break)
        return self.read(operands_of(end))

    def operation(self, node: Operation, live: int, on_break: int) -> int:
        match node:
            case Call():
                return self.call(node, live)
            case If(_, then, orelse):
                return self.block(then, live, on_break) | self.block(orelse, live, on_break)
            case For() | While():
                return self.loop(node, live)
        return live | self.read(operands_of(node))

    def loop(self, loop: For | While, live: int) -> int:
        """What is read in a trip may be read after each one."""
        dead = set(self.dead)
        around = live
        while True:
            self.dead = set(dead)
            before = self.block(loop.body, around, live)
            if isinstance(loop, While):
                before = self.block(loop.header, around | before, live)
            if before | around == around:
                return around
            around |= before

    def call(self, call: Call, live: int) -> int:
        function = function_of(call)
        target = call.arguments[0] if call.arguments else None
        roots = self.memory.roots(target) & self.watched if isinstance(target, Value) else 0
        is_own = isinstance(target, Value) and self.memory.roots(target) == roots and roots.bit_count() == 1
        if function is operator.setitem and is_own:
            if not live & roots and self.cannot_fail(call):
                self.dead.add(call)
                return live
            read = self.read(call.arguments[1:])
            assert isinstance(target, Value)
            return ((live & ~roots) if target in self.own and self.indices.is_whole(call.arguments[1]) else live) | read
        if is_one_of(function, IN_PLACE) and is_own:
            if not live & roots and not self.uses.get(call.result) and self.cannot_fail(call):
                self.dead.add(call)
                return live
        elif asked_for_shape(call) is not None or makes_view(call):
            return live | self.read(call.arguments[1:])
        return live | self.read(operands_of(call))

    def read(self, operands: tuple[Operand, ...]) -> int:
        found = 0
        for operand in operands:
            found |= self.memory.reach(self.memory.roots(operand))
        return found & self.watched

    def cannot_fail(self, call: Call) -> bool:
        """Whether a store is adjoint code, or what is stored fits."""
        if not call.exact:
            return True
        target, value = call.arguments[0], call.arguments[-1]
        if function_of(call) is operator.setitem and not self.indices.is_whole(call.arguments[1]):
            return False
        kinds = [operand.type if isinstance(operand, Value) else None for operand in (target, value)]
        if isinstance(value, Constant) or isinstance(kinds[1], ScalarType):
            return True
        shapes = [kind.shape if isinstance(kind, ArrayType) else None for kind in kinds]
        return shapes[0] is not None and None not in shapes[0] and shapes[0] == shapes[1]
