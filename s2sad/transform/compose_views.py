"""Axes of length 1 that adjoint code takes away and puts back, or keeps in a sum to take them away.

Before::

    s ~= np.sum(x, axis=1, keepdims=True)
    t ~= getitem(s, (slice(None), 0))
    u ~= getitem(y, (slice(None), 0))
    v ~= np.expand_dims(u, 1)

After::

    t ~= np.sum(x, axis=1)
    v = y

So are views of all elements, and axes in front that broadcasting adds anyway.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import Extent
>>> n = Extent("n")
>>> column = ArrayType("float64", (n, 1))
>>> y, u, v = Value("y", column), Value("u", ArrayType("float64", (n,))), Value("v", column)
>>> calls = (
...     Call(u, Constant(operator.getitem), (y, Constant((slice(None), 0))), exact=False),
...     Call(v, Constant(numpy.expand_dims), (u, Constant(1)), exact=False),
... )
>>> compose_views(Function("f", (Parameter(y),), Block(calls, Return(v)))).body.terminator.value
<y: float64[n, 1]>
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy

from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import ArrayType, Length
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import summed_axis
from s2sad.transform.array_memory import find_array_memory, is_alike, is_array
from s2sad.transform.known_indices import KnownIndices
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, replace_operands, with_body, with_operations

_ALL = slice(None)


def compose_views(fn: Function) -> Function:
    """Leave axes of length 1 where they are."""
    if not find_array_memory(fn).has_arrays:
        return fn
    return with_body(fn, _Composing(fn).visit(fn.body))


class _Composing:
    def __init__(self, fn: Function) -> None:
        self.uses = count_uses(fn)
        self.indices = KnownIndices()
        self.known: dict[Value, Operand] = {}
        #: The calls of adjoint code around.
        self.calls: dict[Value, Call] = {}

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        outside, self.calls = self.calls, self.calls.copy()
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            if not isinstance(operation, Call):
                operations.append(map_blocks(operation, self.visit))
                continue
            self.indices.note(operation)
            new = operation if operation.exact else self.composed(self.without_leading_axes(operation), operations)
            if new is operation.result:  # made where its operand was
                continue
            if isinstance(new, Call):
                operations.append(new)
                if not new.exact:
                    self.calls[new.result] = new
            else:
                self.known[operation.result] = new
        self.calls = outside
        return with_operations(block, operations, map_blocks(replace_operands(block.terminator, self.known), self.visit))

    def composed(self, call: Call, before: list[Operation]) -> Call | Operand:
        """What a view is made of at once."""
        array = call.arguments[0] if call.arguments else None
        if array is not None and self.is_all(call) and is_alike(array, call.result):
            return array
        inserted = self.inserted_axis(call)
        dropped = self.dropped_axis(call)
        inner = self.calls.get(array) if isinstance(array, Value) else None
        if inner is not None and (inserted, dropped) != (None, None):
            source = inner.arguments[0] if inner.arguments else None
            turns_back = inserted is not None and inserted == self.dropped_axis(inner)
            if (turns_back or (dropped is not None and dropped == self.inserted_axis(inner))) and is_alike(source, call.result):
                assert source is not None
                return source
            summed = summed_axis(inner)
            is_single = isinstance(array, Value) and self.uses.get(array) == 1 and any(inner is other for other in before)
            if summed is not None and is_single and summed[1] == (dropped if summed[2] else inserted) and summed[1] is not None:
                keywords = (("axis", Constant(summed[1])), *(() if summed[2] else (("keepdims", Constant(value=True)),)))
                made = replace(inner, result=call.result, function=Constant(numpy.sum), arguments=(summed[0],), keywords=keywords)
                before[:] = [made if other is inner else other for other in before]  # what it reads may have changed since
                self.calls[made.result] = made
                return made.result
        if function_of(call) is numpy.expand_dims and inserted is not None:
            key = (*(_ALL,) * inserted, None, *(_ALL,) * (len(_shape_of(call.result) or ()) - inserted - 1))
            while key[-1] == _ALL and len(key) > 1:
                key = key[:-1]
            key_operand = Constant(key)
            return replace(call, function=Constant(operator.getitem), arguments=(call.arguments[0], key_operand), keywords=())
        return call

    def is_all(self, call: Call) -> bool:
        """``x[:]``"""
        return function_of(call) is operator.getitem and self.indices.is_whole(call.arguments[1])

    def without_leading_axes(self, call: Call) -> Call:
        """``a * b`` for ``a[None] * b``: broadcasting adds the axis."""
        if symbol_of(call) is None or is_one_of(function_of(call), IN_PLACE) or len(call.arguments) != 2:
            return call
        operands = [self.base_without_axis(operand) for operand in call.arguments]
        if all(new is old for new, old in zip(operands, call.arguments, strict=True)):
            return call
        kind = type_of_operation(function_of(call), operands)
        return replace(call, arguments=tuple(operands)) if is_alike(Value("", kind), call.result) else call

    def base_without_axis(self, operand: Operand) -> Operand:
        """The array that an operand is with one more axis in front."""
        view = self.calls.get(operand) if isinstance(operand, Value) else None
        return view.arguments[0] if view is not None and self.inserted_axis(view) == 0 else operand

    def inserted_axis(self, call: Call) -> int | None:
        """The axis of length 1 that a view adds to an array."""
        array = call.arguments[0] if call.arguments else None
        shape = _shape_of(array)
        if shape is None or len(call.arguments) != 2 or call.keywords or _shape_of(call.result) is None:
            return None
        index = self.indices.index(call.arguments[1])
        if function_of(call) is numpy.expand_dims:
            is_known = isinstance(index, int) and -len(shape) - 1 <= index <= len(shape)
            return index % (len(shape) + 1) if isinstance(index, int) and is_known else None
        if function_of(call) is operator.getitem and index is None:
            return 0
        if function_of(call) is not operator.getitem or not isinstance(index, tuple):
            return None
        return index.index(None) if _counts(index, None) == 1 and _counts(index, _ALL) == len(index) - 1 else None

    def dropped_axis(self, call: Call) -> int | None:
        """The axis of length 1 that a view takes away from an array."""
        array = call.arguments[0] if call.arguments else None
        shape = _shape_of(array)
        if shape is None or function_of(call) is not operator.getitem or _shape_of(call.result) is None:
            return None
        index = self.indices.index(call.arguments[1])
        parts = index if isinstance(index, tuple) else (index,)
        places = [place for place, part in enumerate(parts) if part.__class__ is int]
        if len(places) != 1 or _counts(parts, _ALL) != len(parts) - 1 or shape[places[0]] != 1:
            return None
        return places[0] if parts[places[0]] in (0, -1) else None


def _counts(parts: tuple[object, ...], wanted: object) -> int:
    return sum(1 for part in parts if part.__class__ is wanted.__class__ and part == wanted)


def _shape_of(operand: Operand | None) -> tuple[Length, ...] | None:
    if not isinstance(operand, Value) or not is_array(operand) or not isinstance(operand.type, ArrayType):
        return None
    return operand.type.shape
