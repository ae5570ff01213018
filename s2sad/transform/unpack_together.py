"""Elements that are taken one by one from what has been unpacked to see that there are as many.

Before::

    unpack(p, 2)
    a = getitem(p, 0)
    b = getitem(p, 1)

After::

    t = unpack(p, 2)
    a = getitem(t, 0)
    b = getitem(t, 1)

which is printed as ``a, b = p``.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import FLOAT, ListType
>>> p, t, a, b = Value("p", ListType(FLOAT, 1)), Value("t", TupleType((FLOAT, FLOAT))), Value("a", FLOAT), Value("b", FLOAT)
>>> calls = (
...     Call(t, Constant(unpack), (p, Constant(2))),
...     Call(a, Constant(operator.getitem), (p, Constant(0))),
...     Call(b, Constant(operator.getitem), (p, Constant(1))),
... )
>>> new = unpack_together(Function("f", (Parameter(p),), Block(calls, Return(b))))
>>> [call.arguments[0] for call in new.body.operations]
[<p: list[float]>, <t: tuple[float, float]>, <t: tuple[float, float]>]
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.contents import calls_beyond_numbers
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Value, function_of
from s2sad.ir.operations import unpack
from s2sad.ir.types import TupleType
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations


def unpack_together(fn: Function) -> Function:
    """Take elements from what is unpacked anyway."""
    if not any(function_of(call) is unpack for call in calls_beyond_numbers(fn)):
        return fn
    return with_body(fn, _visit(fn.body, count_uses(fn)))


def _visit(block: Block, uses: Mapping[Value, int]) -> Block:
    operations = [map_blocks(operation, lambda inner: _visit(inner, uses)) for operation in block.operations]
    for place, operation in enumerate(operations):
        if isinstance(operation, Call) and _is_check(operation, uses):
            _take_from(operation, operations, place)
    return with_operations(block, operations, map_blocks(block.terminator, lambda inner: _visit(inner, uses)))


def _is_check(call: Call, uses: Mapping[Value, int]) -> bool:
    """Whether something is unpacked, and nobody reads the parts."""
    return function_of(call) is unpack and len(call.arguments) == 2 and not uses.get(call.result)


def _take_from(check: Call, operations: list[Operation], place: int) -> None:
    """Let the elements that are taken next be those of `check`, as long as nothing changes."""
    whole = check.arguments[0]
    assert isinstance(check.result.type, TupleType)
    count = len(check.result.type.elements)
    taken: set[object] = set()
    for index in range(place + 1, len(operations)):
        call = operations[index]
        if not isinstance(call, Call) or effects_of(call).writes or effects_of(call).acts:
            break
        if function_of(call) is not operator.getitem or call.arguments[0] is not whole:
            continue
        key = call.arguments[1]
        if isinstance(key, Constant) and type(key.value) is int and 0 <= key.value < count and key.value not in taken:
            taken.add(key.value)
            operations[index] = replace(call, arguments=(check.result, key))
