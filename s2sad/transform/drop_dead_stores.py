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

>>> from s2sad.ir.nodes import Block, Parameter, Return
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

Only arrays that nobody outside sees, and that are made once, outside of loops, or taken out of a list, another in each trip.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping

from s2sad.ir.contents import calls_of, nodes_of
from s2sad.ir.nodes import (
    Call,
    Constant,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Try,
    Value,
    With,
    operands_of,
)
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.array_memory import (
    ArrayMemory,
    asked_for_shape,
    changes_array,
    find_array_memory,
    is_array,
    makes_array,
    makes_view,
)
from s2sad.transform.dead_calls import DeadCalls
from s2sad.transform.fresh_elements import find_fresh_elements
from s2sad.transform.known_indices import KnownIndices
from s2sad.transform.purity import find_private_containers, function_of, is_one_of
from s2sad.transform.rewrite import count_uses, with_body


def drop_dead_stores(fn: Function) -> Function:
    """Leave out stores of what nobody reads."""
    memory = find_array_memory(fn)
    if not memory.has_arrays or not any(map(changes_array, calls_of(fn))):
        return fn
    if any(isinstance(node, (Try, With, MakeFunction)) for node in nodes_of(fn)):
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
    fresh = find_fresh_elements(fn, memory)
    if not own and not fresh:
        return fn
    dropping = _Dropping(fn, memory, own, fresh)
    dropping.block(fn.body, 0, 0)
    return with_body(fn, dropping.without(fn.body)) if dropping.dead else fn


class _Dropping(DeadCalls):
    """Goes through the program backwards, with the roots of the arrays whose content may be read later."""

    def __init__(self, fn: Function, memory: ArrayMemory, own: Mapping[Value, int], fresh: Mapping[Operation, int]) -> None:
        super().__init__()
        self.fresh = fresh
        self.memory = memory
        self.own = own
        self.uses = count_uses(fn)
        self.watched = 0
        for root in (*own.values(), *fresh.values()):
            self.watched |= root
        #: An array that is taken out of a list is not the list.
        self.containers = 0
        for container in find_private_containers(fn):
            self.containers |= memory.roots(container)
        self.indices = KnownIndices()
        for node in nodes_of(fn):
            if isinstance(node, Call):
                self.indices.note(node)

    def call(self, call: Call, live: int) -> int:
        function = function_of(call)
        target = call.arguments[0] if call.arguments else None
        whole = self.memory.roots(target) & ~self.containers if isinstance(target, Value) and is_array(target) else 0
        roots = whole & self.watched
        is_own = whole == roots != 0
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
