"""The first that is added to zeros is assigned; zeros that are zero already are not set again.

Before::

    x_bar = np.zeros_like(x)
    x_bar += t
    y_bar = np.zeros_like(y)
    y_bar[1:-1] += u
    d = v_bar[1:-1].copy()
    v_bar[1:-1] = 0.0
    v_bar[1:-1] += d

After::

    x_bar = t
    y_bar = np.zeros_like(y)
    y_bar[1:-1] = u
    d = v_bar[1:-1].copy()

A whole array is taken over if it was made here and nobody else needs it; otherwise it is copied.

A place stays zero while parts of the array that have no element of it are read and written: ``v_bar[:k]`` and ``v_bar[k:]``.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.effects import ALLOCATES_FROM, declare_effects
>>> from s2sad.ir.types import ArrayType, Extent
>>> declare_effects(ALLOCATES_FROM, numpy.zeros_like)
>>> x, t, x_bar, u = (Value(name, ArrayType("float64", (Extent("n"),), 1)) for name in ("x", "t", "x_bar", "u"))
>>> calls = (
...     Call(x_bar, Constant(numpy.zeros_like), (x,)),
...     Call(t, Constant(operator.mul), (x, x), exact=False),
...     Call(u, Constant(operator.iadd), (x_bar, t), exact=False),
... )
>>> f = assign_first_contributions(Function("f", (Parameter(x),), Block(calls, Return(x_bar))))
>>> [call.function.value.__name__ for call in f.body.operations], f.body.terminator.value
(['zeros_like', 'mul'], <x_bar: float64[n]>)
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, replace

import numpy

from s2sad.ir.contents import calls_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value, operands_of
from s2sad.ir.operations import call_method, make_tuple
from s2sad.transform.accumulations import WHOLE, Accumulation, Keys, find_accumulations, read_in, written_in
from s2sad.transform.array_lifetimes import ArrayLifetimes, find_array_lifetimes
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_alike, is_array, makes_array, unfix
from s2sad.transform.element_places import are_apart
from s2sad.transform.elide_copies import copied
from s2sad.transform.purity import function_of, is_number
from s2sad.transform.rewrite import count_uses, find_definitions, map_blocks, substitute_block, with_body, with_operations

Place = tuple[Value, object]


def assign_first_contributions(fn: Function) -> Function:
    """Assign instead of adding to zeros."""
    memory = find_array_memory(fn)
    if not memory.has_arrays or not any(makes_zeros(call) or sets_zero(call) for call in calls_of(fn)):
        return fn
    task = _Assigning(fn, memory)
    body = task.visit(fn.body)
    return fn if body is fn.body else unfix(with_body(fn, substitute_block(body, task.known)))


def makes_zeros(call: Call) -> bool:
    """Whether a call makes an array of zeros."""
    return function_of(call) in (numpy.zeros_like, numpy.zeros) and is_array(call.result) and not call.keywords


def sets_zero(call: Call) -> bool:
    """Whether a call sets elements of an array to zero."""
    return function_of(call) is operator.setitem and is_array(call.arguments[0]) and is_zero(call.arguments[2])


def is_zero(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value.__class__ in (int, float) and operand.value == 0


@dataclass(slots=True)
class _Zeroed:
    """A place that was set to zero: by which store, unless it has been read since; what it held before."""

    store: Call | None
    before: Value | None


class _Assigning:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.uses = count_uses(fn)
        self.fn = fn
        self.definitions = find_definitions(fn)
        self.keys = Keys()
        self.known: dict[Value, Operand] = {}
        #: The memory of arrays that are indices, by the places that they stand for.
        self.index_memory: dict[Place, int] = {}
        #: The places that arrays are parts of.
        self.views: dict[Value, Place] = {}
        #: The memory of arrays about which something was decided: what was found out about it holds no more.
        self.decided = 0

    def visit(self, block: Block) -> Block:
        found = find_accumulations(block.operations, self.uses, self.memory, self.keys)
        parts = {call: item for item in found.values() for call in item.calls}
        #: Arrays of zeros that nobody has written to or seen, those that are zero all over, and places that are.
        fresh: set[Value] = set()
        zeros: set[Value] = set()
        zeroed: dict[Place, _Zeroed] = {}
        #: What places hold, as copied from there.
        held: dict[Place, Value] = {}
        replaced: dict[Operation, list[Operation]] = {}
        for operation in block.operations:
            item = parts.get(operation) if isinstance(operation, Call) else None
            if item is not None and operation is not item.calls[-1]:
                continue
            new = None
            if isinstance(operation, Call):
                if item is not None:
                    new = self.assign(item, block, fresh, zeros, zeroed)
                elif self.is_zero_already(operation, zeros, zeroed):
                    new = [(operation, [])]
            replaced.update(new or ())
            self.note_reads(operation, zeroed, fresh)
            self.note_view(operation)
            written = written_in(operation, self.memory)
            if written and not (new and not new[-1][1] and item is None):
                before = held.get(self.place_of(operation)) if isinstance(operation, Call) else None
                for known in (zeroed, held):
                    for place in [place for place in known if self.roots_of(place) & written]:
                        if known is held or not self.is_elsewhere(operation, place):
                            del known[place]
                for place in [place for place, value in held.items() if self.memory.roots(value) & written]:
                    del held[place]
                for value in [value for value in (*zeros, *fresh) if self.memory.roots(value) & written]:
                    zeros.discard(value)
                    fresh.discard(value)
                if isinstance(operation, Call) and item is None and sets_zero(operation):
                    zeroed[self.place_of(operation)] = _Zeroed(operation, before)
            if isinstance(operation, Call):
                if makes_zeros(operation):
                    zeros.add(operation.result)
                    fresh.add(operation.result)
                source = copied(operation)
                load = self.definitions.get(source) if source is not None else None
                if load is not None and function_of(load) is operator.getitem and is_array(load.arguments[0]):
                    held[self.place_of(load)] = operation.result
        operations: list[Operation] = []
        for operation in block.operations:
            changed = replaced.get(operation)
            operations += changed if changed is not None else [map_blocks(operation, self.visit)]
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    @functools.cached_property
    def lifetimes(self) -> ArrayLifetimes:
        """What is read later: few functions ask."""
        return find_array_lifetimes(self.fn, self.memory)

    def place_of(self, call: Call) -> Place:
        """The place that a load or a store is about; one that nothing else is about for other calls."""
        if function_of(call) in (operator.getitem, operator.setitem) and isinstance(call.arguments[0], Value):
            index = call.arguments[1]
            place: Place = call.arguments[0], self.keys.key_of(index)
            definition = self.definitions.get(index) if isinstance(index, Value) else None
            parts = (index, *(definition.arguments if definition is not None and function_of(definition) is make_tuple else ()))
            for part in parts:
                if is_array(part):
                    self.index_memory[place] = self.index_memory.get(place, 0) | self.memory.roots(part)
            return place
        return call.result, WHOLE

    def roots_of(self, place: Place) -> int:
        """The memory on which it depends what a place is: that of the array, and of the index."""
        return self.memory.roots(place[0]) | self.index_memory.get(place, 0)

    def is_zero_already(self, call: Call, zeros: set[Value], zeroed: dict[Place, _Zeroed]) -> bool:
        return sets_zero(call) and not call.exact and (call.arguments[0] in zeros or self.place_of(call) in zeroed)

    def note_view(self, operation: Operation) -> None:
        """Note of which place an array is a part."""
        if isinstance(operation, Call) and function_of(operation) is operator.getitem and is_array(operation.result):
            owner = operation.arguments[0]
            of_owner = self.views.get(owner) if isinstance(owner, Value) else None
            self.views[operation.result] = of_owner or self.place_of(operation)

    def is_elsewhere(self, operation: Operation, place: Place) -> bool:
        """Whether what an operation has to do with the memory of a place are parts of the same array with no element of this."""
        if not isinstance(operation, Call) or self.index_memory.get(place):
            return False
        is_access = function_of(operation) in (operator.getitem, operator.setitem)
        roots = self.memory.roots(place[0])
        for position, operand in enumerate(operands_of(operation)[1:]):
            if not self.memory.reach(self.memory.roots(operand)) & roots:
                continue
            part = self.views.get(operand) if isinstance(operand, Value) else None
            if is_access and position == 0 and operand is place[0]:
                part = self.place_of(operation)
            if part is None or part[0] is not place[0] or not are_apart(part[1], place[1]):
                return False
        return True

    def note_reads(self, operation: Operation, zeroed: dict[Place, _Zeroed], fresh: set[Value]) -> None:
        """What has been read since it was set to zero had to be set."""
        if not zeroed and not fresh:
            return
        roots = read_in(operation, self.memory)
        for place, known in zeroed.items():
            if self.memory.roots(place[0]) & roots and not self.is_elsewhere(operation, place):
                known.store = None
        for value in [value for value in fresh if self.memory.roots(value) & roots]:
            fresh.discard(value)

    def assign(
        self, item: Accumulation, block: Block, fresh: set[Value], zeros: set[Value], zeroed: dict[Place, _Zeroed]
    ) -> list[tuple[Operation, list[Operation]]] | None:
        """What stands for the calls of an addition to zeros; None if it is none, or must stay."""
        concerned = self.memory.roots(item.target) | self.memory.roots(item.value)
        if self.decided & concerned:
            return None
        new: list[tuple[Operation, list[Operation]]] | None = None
        if item.key is WHOLE:
            new = self.take_over(item, block) if item.target in fresh else None
        elif item.target in zeros:
            new = self.store(item)
        elif (known := zeroed.get(item.place)) is not None:
            new = self.store(item)
            if known.store is not None and known.before is item.value and not item.is_minus:
                new = [(call, []) for call in item.calls]
            if known.store is not None:
                new.append((known.store, []))
        if new is not None:
            self.decided |= concerned
        return new

    def store(self, item: Accumulation) -> list[tuple[Operation, list[Operation]]]:
        """``x[k] = e`` for ``x[k] += e``."""
        load, step, store = item.calls
        value = item.value
        made: list[Operation] = []
        if item.is_minus:
            negative = Value("", value.type if isinstance(value, Value) else step.result.type, temporary=True)
            made.append(Call(negative, Constant(operator.neg), (value,), (), step.span, False))
            value = negative
        made.append(replace(store, arguments=(*store.arguments[:2], value), exact=False))
        return [(load, []), (step, []), (store, made)]

    def take_over(self, item: Accumulation, block: Block) -> list[tuple[Operation, list[Operation]]] | None:
        """The array that is added becomes the target, or is copied to be."""
        target, value = item.target, item.value
        (call,) = item.calls
        if is_number(value):
            return self.fill(item, call)
        if not isinstance(value, Value) or not is_alike(value, target):
            return None
        definition = self.definitions.get(value)
        is_own = (
            self.memory.is_owned(value)
            and definition is not None
            and makes_array(definition)
            and any(definition is operation for operation in block.operations)
            and not self.lifetimes.after(call) & self.memory.roots(value)
        )
        result = Value(target.name, target.type, target.temporary)
        self.known[target] = result
        if item.is_minus:
            return [(call, [Call(result, Constant(operator.neg), (value,), (), call.span, False)])]
        if is_own and self.uses.get(value) == 1:
            self.known[value] = result
            assert definition is not None
            return [(call, []), (definition, [replace(definition, result=result)])]
        if is_own:
            self.known[target] = value
            return [(call, [])]
        return [(call, [Call(result, Constant(call_method), (value, Constant("copy")), (), call.span, False)])]

    def fill(self, item: Accumulation, call: Call) -> list[tuple[Operation, list[Operation]]] | None:
        """``np.full_like(x, e)`` for ``np.zeros_like(x)`` to which the number `e` is added."""
        made = self.definitions.get(item.target)
        if made is None or item.is_minus or function_of(made) is not numpy.zeros_like or len(made.arguments) != 1:
            return None
        like = made.arguments[0]
        if not isinstance(like, Value) or not is_alike(like, item.target):
            return None
        result = Value(item.target.name, item.target.type, item.target.temporary)
        self.known[item.target] = result
        return [(call, [Call(result, Constant(numpy.full_like), (like, item.value), (), call.span, False)])]
