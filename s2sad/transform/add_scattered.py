"""Arrays of zeros with some elements set, in adjoint code: what they sum up to is known, and they are added where they are set.

Before::

    z = np.zeros_like(y)
    z[np.arange(n), k] = v
    s ~= np.sum(z, axis=1, keepdims=True)
    p ~= mul(s, e)
    r ~= sub(z, p)

After::

    p ~= mul(v, e)
    r ~= neg(p)
    r[np.arange(n), k] += v

>>> import numpy
>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import INT, NONE, Extent
>>> import s2sad.analysis.array_creation  # declares what `np.zeros_like` does
>>> vector = ArrayType("float64", (Extent("n"),))
>>> e, z, r, k = (*(Value(name, vector) for name in "ezr"), Value("k", INT))
>>> calls = (
...     Call(z, Constant(numpy.zeros_like), (e,), exact=False),
...     Call(Value("", NONE), Constant(operator.setitem), (z, k, Constant(2.0)), exact=False),
...     Call(r, Constant(operator.sub), (z, e), exact=False),
... )
>>> f = add_scattered(Function("f", (Parameter(e), Parameter(k)), Block(calls, Return(r))))
>>> [call.function.value.__name__ for call in f.body.operations]
['neg', 'getitem', 'add', 'setitem']

Only where the index names no element twice, and nobody else needs the array.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

from s2sad.analysis.array_shapes import is_not_one
from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE, call_method
from s2sad.ir.types import NONE, ArrayType, ScalarType
from s2sad.transform.accumulations import written_in
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import is_float_array, summed_axis
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_alike, unfix
from s2sad.transform.assign_first_contributions import makes_zeros
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.reverse.repeated_indices import length_counted, may_repeat, parts_of_key
from s2sad.transform.rewrite import count_uses, find_definitions, map_blocks, with_body, with_operations


def add_scattered(fn: Function) -> Function:
    """Set elements where an array that is zero elsewhere would be added."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    body = _Adding(fn, memory).visit(fn.body)
    return fn if body is fn.body else unfix(with_body(fn, body))


@dataclass(frozen=True, slots=True)
class _Scattered:
    """An array of zeros, and the store that sets some elements."""

    made: Call
    store: Call

    @property
    def key(self) -> Operand:
        return self.store.arguments[1]

    @property
    def value(self) -> Operand:
        return self.store.arguments[2]


class _Adding:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.uses = count_uses(fn)
        self.definitions = find_definitions(fn)
        #: Sums that are one number all over.
        self.numbers: dict[Value, Operand] = {}

    def visit(self, block: Block) -> Block:
        zeros: dict[Value, Call] = {}
        scattered: dict[Value, _Scattered] = {}
        operations: list[Operation] = []
        dropped: set[Operation] = set()
        for operation in block.operations:
            if not isinstance(operation, Call):
                operations.append(map_blocks(operation, self.visit))
            elif (item := self.added(operation, scattered)) is not None:
                dropped |= {item.made, item.store}
                operations += self.add(operation, item)
            else:
                operations.append(self.use_sum(operation, scattered))
            item = self.set_in(operation, zeros)
            written = written_in(operation, self.memory)
            for value in [value for value in (*zeros, *scattered) if self.memory.roots(value) & written]:
                zeros.pop(value, None)
                scattered.pop(value, None)
            for value, known in [*scattered.items()]:
                if written & self.memory.reach(self.memory.roots(known.key) | self.memory.roots(known.value)):
                    del scattered[value]
            if item is not None:
                scattered[item.made.result] = item
            if isinstance(operation, Call) and makes_zeros(operation) and is_float_array(operation.result):
                zeros[operation.result] = operation
        kept = [operation for operation in operations if operation not in dropped]
        return with_operations(block, kept, map_blocks(block.terminator, self.visit))

    def set_in(self, operation: Operation, zeros: dict[Value, Call]) -> _Scattered | None:
        """The first store into an array of zeros, if its index names no element twice."""
        if not isinstance(operation, Call) or function_of(operation) is not operator.setitem:
            return None
        target, key, value = operation.arguments
        made = zeros.get(target) if isinstance(target, Value) else None
        if made is None or may_repeat(key, self.definitions) or not (is_number(value) or is_float_array(value)):
            return None
        return None if self.memory.roots(value) & self.memory.roots(target) else _Scattered(made, operation)

    def added(self, call: Call, scattered: dict[Value, _Scattered]) -> _Scattered | None:
        """The array with some elements set that a call adds to another one, if that is all it is there for."""
        if call.exact or symbol_of(call) not in ("+", "-") or is_one_of(function_of(call), IN_PLACE):
            return None
        for operand, other in (call.arguments, call.arguments[::-1]):
            item = scattered.get(operand) if isinstance(operand, Value) else None
            is_whole = isinstance(other, Value) and is_float_array(other) and is_alike(other, call.result)
            # an array that the sum spreads has elements at other places than the sum
            is_whole = is_whole and item is not None and is_alike(item.made.result, call.result)
            if item is None or item.made.exact or item.store.exact:
                continue
            if is_whole and other is not operand and self.uses.get(item.made.result) == 2:
                return item
        return None

    def add(self, call: Call, item: _Scattered) -> list[Operation]:
        """``r = -e; r[k] += v`` for ``r = z - e``"""
        first, second = call.arguments
        is_first, is_minus = first is item.made.result, symbol_of(call) == "-"
        result = call.result
        if is_first and is_minus:
            made = replace(call, function=Constant(operator.neg), arguments=(second,))
        else:
            other = second if is_first else first
            made = replace(call, function=Constant(call_method), arguments=(other, Constant("copy")))
        kind = type_of_operation(operator.getitem, (result, item.key))
        old, new = Value("", kind, temporary=True), Value("", kind, temporary=True)
        function = operator.sub if is_minus and not is_first else operator.add
        return [
            made,
            Call(old, Constant(operator.getitem), (result, item.key), (), item.store.span, exact=False),
            Call(new, Constant(function), (old, item.value), (), item.store.span, exact=False),
            Call(Value("", NONE), Constant(operator.setitem), (result, item.key, new), (), item.store.span, exact=False),
        ]

    def use_sum(self, call: Call, scattered: dict[Value, _Scattered]) -> Call:
        """What a call is where it is the sum of an array with some elements set, or computes with one."""
        if call.exact:
            return call
        summed = summed_axis(call)
        item = scattered.get(summed[0]) if summed is not None else None
        if summed is not None and item is not None:
            return self.sum(call, item, summed[1], keeps=summed[2])
        operands = tuple(map(self.as_number, call.arguments))
        if operands == call.arguments or symbol_of(call) not in ("*", "/") or is_one_of(function_of(call), IN_PLACE):
            return call
        kind = type_of_operation(function_of(call), operands)
        result = call.result.type
        if not isinstance(kind, ArrayType) or not isinstance(result, ArrayType):
            return call
        is_same = (kind.dtype, kind.shape) == (result.dtype, result.shape)
        return replace(call, arguments=operands) if is_same else call

    def as_number(self, operand: Operand) -> Operand:
        """The number that a sum is all over; itself otherwise."""
        return self.numbers.get(operand, operand) if isinstance(operand, Value) else operand

    def sum(self, call: Call, item: _Scattered, axis: int | None, *, keeps: bool) -> Call:
        """The sum of the elements that are set."""
        value = item.value
        parts = parts_of_key(item.key, self.definitions)
        kind = item.made.result.type
        assert isinstance(kind, ArrayType)
        shape = kind.shape or ()
        if axis is None:
            names_one = len(parts) == len(shape) and all(_is_integer(part) for part in parts)
            if names_one and is_number(value):
                return replace(call, function=Constant(operator.mul), arguments=(Constant(1.0), value), keywords=())
            return call
        if len(shape) != 2 or len(parts) != 2:
            return call
        # one element in each row
        counted = length_counted(parts[1 - axis], self.definitions)
        if counted is None or counted != shape[1 - axis] or not is_not_one(counted):
            return call
        if is_number(value):
            if keeps and not self.memory.roots(call.result) & (self.memory.written | self.memory.returned):
                self.numbers[call.result] = value
            return call
        is_row = isinstance(value, Value) and isinstance(value.type, ArrayType) and value.type.shape == (counted,)
        if is_row and not keeps:
            return replace(call, function=Constant(call_method), arguments=(value, Constant("copy")), keywords=())
        return call


def _is_integer(part: Operand) -> bool:
    if isinstance(part, Constant):
        return part.value.__class__ is int
    return isinstance(part.type, ScalarType) and part.type.kind == "int"
