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
from collections.abc import Iterable, Mapping
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
from s2sad.transform.element_places import Place, place_of
from s2sad.transform.purity import changed_container, find_private_containers, function_of, is_number
from s2sad.transform.rewrite import count_uses, with_body

#: What changes a list, a dict or the shadow of an object.
_CHANGES: Final = frozenset((call_method, operator.setitem, setattr))


def drop_dead_changes(fn: Function, forgotten: Iterable[Value] = ()) -> Function:
    """Leave out changes of lists and dicts that nobody reads. `forgotten` are parameters, shadows of objects, that nobody reads
    once the function has returned."""
    if _CHANGES.isdisjoint(functions_called(fn)) or any(isinstance(node, Try | With) for node in nodes_of(fn)):
        return fn
    own = find_private_containers(fn)
    shadows = _known_here(fn, forgotten)
    if not own and not shadows:
        return fn
    dropping = _Dropping((*own, *_attributes(fn, shadows)), count_uses(fn))
    dropping.block(fn.body, 0, 0)
    return with_body(fn, dropping.without(fn.body)) if dropping.dead else fn


def _known_here(fn: Function, shadows: Iterable[Value]) -> frozenset[Value]:
    """Those that the function does nothing with but to read and to set attributes that are numbers."""
    kept = set(shadows)
    for node in nodes_of(fn):
        operands = operands_of(node)
        if isinstance(node, Call) and _place_of(node) is not None:
            last = node.result if function_of(node) is getattr else node.arguments[-1]
            operands = node.arguments[1:] if is_number(last) else operands
        kept.difference_update(operand for operand in operands if isinstance(operand, Value))
    return frozenset(kept)


def _attributes(fn: Function, shadows: frozenset[Value]) -> set[Place]:
    """The attributes of shadows that a function reads or sets."""
    places = (_place_of(node) for node in nodes_of(fn) if isinstance(node, Call))
    return {place for place in places if place is not None and place[0] in shadows}


def _place_of(call: Call) -> Place | None:
    """The attribute of a shadow that a call reads or sets."""
    return place_of(call, stored=function_of(call) is setattr) if function_of(call) in (getattr, setattr) else None


class _Dropping(DeadCalls):
    """Each container is a bit; of shadows that are forgotten, each attribute."""

    def __init__(self, own: Iterable[Value | Place], uses: Mapping[Value, int]) -> None:
        super().__init__()
        self.bits = {value: 1 << place for place, value in enumerate(own)}
        self.uses = uses

    def call(self, call: Call, live: int) -> int:
        place = _place_of(call)
        if place is not None and place in self.bits:
            return self.attribute(call, self.bits[place], live)
        changed = changed_container(call)
        bit = self.bits.get(changed, 0) if changed is not None else 0
        if not bit or bit & live or call.exact or self.uses.get(call.result):
            return live | self.read(operands_of(call))
        self.dead.add(call)
        return live

    def attribute(self, call: Call, bit: int, live: int) -> int:
        """What is live before an attribute is read or set."""
        if function_of(call) is getattr:
            return live | bit
        if not bit & live and not call.exact:
            self.dead.add(call)
            return live
        return (live & ~bit) | self.read(call.arguments[2:])

    def read(self, operands: tuple[Operand, ...]) -> int:
        found = 0
        for operand in operands:
            if isinstance(operand, Value):
                found |= self.bits.get(operand, 0)
        return found
