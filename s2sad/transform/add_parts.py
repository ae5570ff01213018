"""An array of zeros to which one or two parts are added, to be multiplied and added itself: the parts are added there.

Before::

    z = np.zeros_like(u)
    z[:-2] = a
    z[2:] += b
    t ~= mul(z, u)
    u_bar += t

After::

    u_bar[:-2] += a * u[:-2]
    u_bar[2:] += b * u[2:]

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import ArrayType, NONE, Extent
>>> import numpy
>>> import s2sad.analysis.array_creation  # declares what `np.zeros_like` does
>>> n = Extent("n")
>>> u, z, t, w = (Value(name, ArrayType("float64", (n,), region)) for region, name in enumerate("uztw", 1))
>>> a, inner = Value("a", ArrayType("float64", (Extent("n", 2),), 5)), Constant(slice(1, -1))
>>> calls = (
...     Call(w, Constant(numpy.zeros_like), (u,), exact=False),
...     Call(z, Constant(numpy.zeros_like), (u,), exact=False),
...     Call(Value("", NONE), Constant(operator.setitem), (z, inner, a), exact=False),
...     Call(t, Constant(operator.mul), (z, u), exact=False),
...     Call(Value("", w.type), Constant(operator.iadd), (w, t), exact=False),
... )
>>> f = add_parts(Function("f", (Parameter(u), Parameter(a)), Block(calls, Return(w))))
>>> [call.function.value.__name__ for call in f.body.operations[1:]]
['getitem', 'mul', 'getitem', 'add', 'setitem']
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Final

from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import NONE
from s2sad.transform.accumulations import WHOLE, Accumulation, Keys, find_accumulations, written_in
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import is_float_array
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_alike, unfix
from s2sad.transform.assign_first_contributions import makes_zeros
from s2sad.transform.known_indices import KnownIndices
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations

#: More parts take longer than the array of zeros does.
_MOST_PARTS: Final = 2


def add_parts(fn: Function) -> Function:
    """Add parts where the array that they are added to would be added."""
    memory = find_array_memory(fn)
    if not memory.has_arrays or not any(map(_opens, calls_of(fn))):
        return fn
    body = _Adding(fn, memory).visit(fn.body)
    return fn if body is fn.body else unfix(with_body(fn, body))


def _opens(call: Call) -> bool:
    """Whether a call makes an array of zeros to which parts may be added."""
    return not call.exact and makes_zeros(call) and is_float_array(call.result)


@dataclass(slots=True)
class _Parts:
    """An array of zeros: what makes it and adds to it, the parts with their keys and signs, and by what it is multiplied."""

    calls: list[Call]
    parts: list[tuple[Operand, Operand, bool]] = field(default_factory=list)
    factor: Value | None = None
    product: Value | None = None
    uses: int = 0


class _Adding:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.uses = count_uses(fn)
        self.indices = KnownIndices()

    def visit(self, block: Block) -> Block:
        found = find_accumulations(block.operations, self.uses, self.memory, Keys())
        steps = {call: item for item in found.values() for call in item.calls}
        open_: dict[Value, _Parts] = {}
        replaced: dict[Operation, list[Operation]] = {}
        for operation in block.operations:
            if isinstance(operation, Call):
                self.indices.note(operation)
                self.follow(operation, steps.get(operation), open_, replaced)
            self.close(operation, open_)
        operations: list[Operation] = []
        for operation in block.operations:
            new = replaced.get(operation)
            operations += new if new is not None else [map_blocks(operation, self.visit)]
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def close(self, operation: Operation, open_: dict[Value, _Parts]) -> None:
        """What is written to ends all that would read it later."""
        written = written_in(operation, self.memory)
        for value, item in [*open_.items()]:
            if any(operation is call for call in item.calls):
                continue
            read = self.memory.roots(value)
            for operand in (item.factor, *(part for _, part, _ in item.parts)):
                read |= self.memory.reach(self.memory.roots(operand)) if operand is not None else 0
            if written & read:
                del open_[value]

    def follow(
        self,
        call: Call,
        step: Accumulation | None,
        open_: dict[Value, _Parts],
        replaced: dict[Operation, list[Operation]],
    ) -> None:
        """Note what a call does to arrays of zeros, and add the parts of one where it is added."""
        if call.exact:
            return
        if _opens(call):
            open_[call.result] = _Parts([call])
            return
        target = step.target if step is not None else call.arguments[0] if call.arguments else None
        item = open_.get(target) if isinstance(target, Value) else None
        if step is not None and item is not None and item.product is None and step.key is not WHOLE:
            item.calls.append(call)
            item.uses += sum(1 for operand in call.arguments if operand is target)
            if call is step.calls[-1]:
                item.parts.append((call.arguments[1], step.value, step.is_minus))
        elif item is not None and item.product is None and function_of(call) is operator.setitem:
            if not item.parts and call.arguments[2] is not target:
                item.calls.append(call)
                item.uses += 1
                item.parts.append((call.arguments[1], call.arguments[2], False))
        elif symbol_of(call) == "*" and not is_one_of(function_of(call), IN_PLACE):
            self.note_product(call, open_)
        elif step is not None and step.key is WHOLE:
            self.finish(call, step, open_, replaced)

    def note_product(self, call: Call, open_: dict[Value, _Parts]) -> None:
        """``z * u``"""
        for operand, other in (call.arguments, call.arguments[::-1]):
            item = open_.get(operand) if isinstance(operand, Value) else None
            if item is None or not isinstance(operand, Value) or item.product is not None or not isinstance(other, Value):
                continue
            fits = is_alike(other, operand) and is_alike(call.result, operand) and other not in open_
            if fits and self.uses.get(call.result) == 1 and self.uses.get(operand) == item.uses + 1:
                item.calls.append(call)
                item.factor, item.product = other, call.result
                return

    def finish(
        self,
        call: Call,
        step: Accumulation,
        open_: dict[Value, _Parts],
        replaced: dict[Operation, list[Operation]],
    ) -> None:
        """``u_bar += z * u``"""
        item = next((one for one in open_.values() if one.product is not None and one.product is step.value), None)
        if item is None or not item.parts or len(item.parts) > _MOST_PARTS or not is_alike(step.target, item.calls[0].result):
            return
        if not all(map(self.is_slice, (key for key, _, _ in item.parts))):
            return
        operands = [item.factor, *(part for _, part, _ in item.parts)]
        if any(self.memory.roots(operand) & self.memory.roots(step.target) for operand in operands if operand is not None):
            return
        replaced.update({one: [] for one in item.calls})
        replaced[call] = [new for key, part, is_minus in item.parts for new in self.added(call, step, item, key, part, is_minus)]
        del open_[item.calls[0].result]

    def is_slice(self, key: Operand) -> bool:
        """Whether an index is a slice of which all is known."""
        index = self.indices.index(key)
        return isinstance(index, slice) and not any(isinstance(bound, Value) for bound in (index.start, index.stop, index.step))

    def added(self, call: Call, step: Accumulation, item: _Parts, key: Operand, part: Operand, is_minus: bool) -> list[Operation]:
        """``u_bar[k] += e * u[k]``"""
        assert item.factor is not None
        kind = type_of_operation(operator.getitem, (item.factor, key))
        factor, product, old, new = (Value("", kind, temporary=True) for _ in range(4))
        function = operator.sub if is_minus != step.is_minus else operator.add
        return [
            Call(factor, Constant(operator.getitem), (item.factor, key), (), call.span, exact=False),
            Call(product, Constant(operator.mul), (part, factor), (), call.span, exact=False),
            Call(old, Constant(operator.getitem), (step.target, key), (), call.span, exact=False),
            Call(new, Constant(function), (old, product), (), call.span, exact=False),
            Call(Value("", NONE), Constant(operator.setitem), (step.target, key, new), (), call.span, exact=False),
        ]
