"""Stores through a view are stores to the array, and an array is not stored into itself.

Before::

    v = getitem(u, slice(1, -1))
    setitem(v, ..., e)
    w = getitem(u, slice(1, -1))
    isub(w, t)
    setitem(u, slice(1, -1), w)

After::

    setitem(u, slice(1, -1), e)
    w = getitem(u, slice(1, -1))
    isub(w, t)

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import NONE, ArrayType, Extent
>>> x, v = Value("x", ArrayType("float64", (Extent("n"),), 1)), Value("v", ArrayType("float64", (Extent("n", 2),), 1))
>>> calls = (
...     Call(v, Constant(operator.getitem), (x, Constant(slice(1, -1, None)))),
...     Call(Value("", NONE), Constant(operator.setitem), (v, Constant(Ellipsis), Constant(1.0))),
... )
>>> f = store_directly(Function("f", (Parameter(x),), Block(calls, Return(x))))
>>> f.body.operations[1].arguments
(<x: float64[n]>, Constant(slice(1, -1, None)), Constant(1.0))
"""

from __future__ import annotations

import operator
from dataclasses import replace

from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.transform.accumulations import Keys
from s2sad.transform.array_memory import changes_array, find_array_memory, makes_view
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def store_directly(fn: Function) -> Function:
    """Store to arrays instead of to views of them, and not what is there already."""
    if not find_array_memory(fn).has_arrays or not any(map(changes_array, calls_of(fn))):
        return fn
    keys = Keys()
    views: dict[Value, Call] = {}

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call):
                keys.note(operation)
                if function_of(operation) is operator.getitem and makes_view(operation):
                    views[operation.result] = operation
                if function_of(operation) is operator.setitem and changes_array(operation):
                    operation = _without_view(operation, views)
                    if _is_there(operation, views, keys):
                        continue
                operations.append(operation)
            else:
                operations.append(map_blocks(operation, visit))
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


def _without_view(call: Call, views: dict[Value, Call]) -> Call:
    """A store to all of a view is a store to that part of the array."""
    target, key, value = call.arguments
    view = views.get(target) if isinstance(target, Value) else None
    if view is None or not _is_whole(key):
        return call
    return _without_view(replace(call, arguments=(*view.arguments, value)), views)


def _is_whole(key: Operand) -> bool:
    return isinstance(key, Constant) and (key.value is Ellipsis or key.value == slice(None, None, None))


def _is_there(call: Call, views: dict[Value, Call], keys: Keys) -> bool:
    """Whether what is stored is the very part of the array where it is stored."""
    target, key, value = call.arguments
    view = views.get(value) if isinstance(value, Value) else None
    return view is not None and view.arguments[0] is target and keys.key_of(view.arguments[1]) == keys.key_of(key)
