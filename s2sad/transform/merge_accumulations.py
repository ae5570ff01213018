"""What is added to one place of an array twice is added at once.

Before::

    x_bar[1:-1] += t
    x_bar[:-2] += u
    x_bar[1:-1] -= w

After::

    x_bar[:-2] += u
    x_bar[1:-1] += t - w

so that the slice is looked up, read and written once, and algebra sees the sum. Only in adjoint code, and only if nobody reads
the array in between; additions to other places of it do not matter.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import Extent
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, y, z, t, u = (Value(name, vector if name in "xtu" else ArrayType("float64", (Extent("n"),), 2)) for name in "xyztu")
>>> calls = (Call(t, Constant(operator.iadd), (x, y), exact=False), Call(u, Constant(operator.iadd), (x, z), exact=False))
>>> f = Function("f", tuple(map(Parameter, (x, y, z))), Block(calls, Return(x)))
>>> [call.function.value.__name__ for call in merge_accumulations(f).body.operations]
['add', 'iadd']
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.types import FLOAT, ArrayType, ScalarType, Type
from s2sad.transform.accumulations import WHOLE, Accumulation, Keys, find_accumulations, read_in, written_in
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations


def merge_accumulations(fn: Function) -> Function:
    """Add to each place of an array once where it is added to several times."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Merging(count_uses(fn), memory).visit(fn.body))


class _Merging:
    def __init__(self, uses: Mapping[Value, int], memory: ArrayMemory) -> None:
        self.uses = uses
        self.memory = memory
        self.keys = Keys()

    def visit(self, block: Block) -> Block:
        found = find_accumulations(block.operations, self.uses, self.memory, self.keys)
        parts = {call: accumulation for accumulation in found.values() for call in accumulation.calls}
        waiting: dict[tuple[Value, object], Accumulation] = {}
        replaced: dict[Operation, list[Operation]] = {}
        for operation in block.operations:
            accumulation = parts.get(operation) if isinstance(operation, Call) else None
            if accumulation is None:
                if waiting:
                    self.disturb(waiting, read_in(operation, self.memory) | written_in(operation, self.memory))
            elif operation is accumulation.calls[-1]:
                self.disturb_places(waiting, self.memory.reach(self.memory.roots(accumulation.value)))
                earlier = waiting.pop(accumulation.place, None)
                merged = None if earlier is None else self.merge(earlier, accumulation, replaced)
                self.disturb_values(waiting, self.memory.roots(accumulation.target))
                if merged is not None:
                    waiting[accumulation.place] = merged
                elif earlier is None or accumulation.calls[-1] not in replaced:
                    waiting[accumulation.place] = accumulation
        operations: list[Operation] = []
        for operation in block.operations:
            new = replaced.get(operation)
            operations += new if new is not None else [map_blocks(operation, self.visit)]
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def disturb(self, waiting: dict[tuple[Value, object], Accumulation], roots: int) -> None:
        """Some memory is read or written: what waits for more to be added there waits no longer."""
        self.disturb_places(waiting, roots)
        self.disturb_values(waiting, roots)

    def disturb_places(self, waiting: dict[tuple[Value, object], Accumulation], roots: int) -> None:
        """Some memory is read, as by ``y_bar += x_bar``: what waits to be added there must be added before."""
        for place in [place for place in waiting if self.memory.roots(place[0]) & roots]:
            del waiting[place]

    def disturb_values(self, waiting: dict[tuple[Value, object], Accumulation], roots: int) -> None:
        """Some memory may be written: what was to be added must be added before."""
        for place, item in [*waiting.items()]:
            if self.memory.reach(self.memory.roots(item.value)) & roots:
                del waiting[place]

    def merge(self, first: Accumulation, second: Accumulation, replaced: dict[Operation, list[Operation]]) -> Accumulation | None:
        """One addition for two, in the place of the second; None if they do not go together."""
        kind = _type_of_sum(first.value, second.value)
        if kind is None:
            return None
        last = second.calls[-1]
        step = second.calls[0] if second.key is WHOLE else second.calls[1]
        calls: list[Operation] = []
        total: Operand
        if first.value is second.value and first.is_minus != second.is_minus:
            for call in (*first.calls, *second.calls):
                replaced[call] = []
            return None
        result = Value("", kind, temporary=True)
        if first.value is second.value:
            calls.append(Call(result, Constant(operator.mul), (Constant(2), first.value), (), last.span, False))
        else:
            operands = (first.value, second.value)
            if first.is_minus and not second.is_minus:
                operands = operands[::-1]
            function = operator.add if first.is_minus == second.is_minus else operator.sub
            calls.append(Call(result, Constant(function), operands, (), last.span, False))
        total = result
        is_minus = first.is_minus and second.is_minus
        if second.key is WHOLE:
            function = operator.isub if is_minus else operator.iadd
            operands = (second.target, total)
        else:
            function = operator.sub if is_minus else operator.add
            operands = (second.calls[0].result, total)
        new = replace(step, function=Constant(function), arguments=operands)
        before = replaced.get(step, [step])[:-1]  # what an earlier merge left there
        replaced[step] = [*before, *calls, new]
        for call in first.calls:
            kept = replaced.get(call, [call])[:-1] if call is _step(first) else []
            replaced[call] = kept
        for call in second.calls:
            replaced.setdefault(call, [call])
        return Accumulation(second.target, second.key, total, is_minus, second.calls)


def _step(accumulation: Accumulation) -> Call:
    return accumulation.calls[0] if accumulation.key is WHOLE else accumulation.calls[1]


def _type_of_sum(first: Operand, second: Operand) -> Type | None:
    """The type of the sum of two operands that are alike, None for others."""
    kinds = [operand.type if isinstance(operand, Value) else FLOAT for operand in (first, second)]
    one, other = kinds
    if isinstance(one, ScalarType) and isinstance(other, ScalarType):
        return one if one == other else other if one == FLOAT else one if other == FLOAT else None
    if not isinstance(one, ArrayType) or not isinstance(other, ArrayType) or one.shape is None or None in one.shape:
        return None
    return ArrayType(one.dtype, one.shape) if (one.dtype, one.shape) == (other.dtype, other.shape) else None
