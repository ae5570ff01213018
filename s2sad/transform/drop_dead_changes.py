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

>>> from s2sad.ir.nodes import Block, Constant, Parameter, Return
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

import operator
from collections.abc import Mapping
from typing import Final

from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import (
    Call,
    Function,
    Operand,
    Try,
    Value,
    With,
    operands_of,
)
from s2sad.ir.operations import call_method
from s2sad.transform.dead_calls import DeadCalls
from s2sad.transform.purity import changed_container, find_private_containers
from s2sad.transform.rewrite import count_uses, with_body

#: What changes a list, a dict or the shadow of an object.
_CHANGES: Final = frozenset((call_method, operator.setitem, setattr))


def drop_dead_changes(fn: Function) -> Function:
    """Leave out changes of lists and dicts that nobody reads."""
    if _CHANGES.isdisjoint(functions_called(fn)) or any(isinstance(node, Try | With) for node in nodes_of(fn)):
        return fn
    own = find_private_containers(fn)
    if not own:
        return fn
    dropping = _Dropping(own, count_uses(fn))
    dropping.block(fn.body, 0, 0)
    return with_body(fn, dropping.without(fn.body)) if dropping.dead else fn


class _Dropping(DeadCalls):
    """Each container is a bit."""

    def __init__(self, own: frozenset[Value], uses: Mapping[Value, int]) -> None:
        super().__init__()
        self.bits = {value: 1 << place for place, value in enumerate(own)}
        self.uses = uses

    def call(self, call: Call, live: int) -> int:
        changed = changed_container(call)
        bit = self.bits.get(changed, 0) if changed is not None else 0
        if not bit or bit & live or call.exact or self.uses.get(call.result):
            return live | self.read(operands_of(call))
        self.dead.add(call)
        return live

    def read(self, operands: tuple[Operand, ...]) -> int:
        found = 0
        for operand in operands:
            if isinstance(operand, Value):
                found |= self.bits.get(operand, 0)
        return found
