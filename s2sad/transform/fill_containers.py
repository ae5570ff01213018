"""What is added to the elements of a list or array of zeros, once to each, is what they hold.

Before::

    xs_bar = [0.0] * n
    ys_bar = [0.0] * n
    for i in range(n - 1, -1, -1):
        xs_bar[i] = xs_bar[i] + e
        ys_bar[i] = ys_bar[i] - t * i

After::

    ys_bar = [0.0] * n
    xs_bar = [e] * n
    for i in range(n - 1, -1, -1):
        ys_bar[i] = -(t * i)

where nobody looks at them before, and ``e`` is the same in each trip.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import INT, NONE, OpaqueType
>>> n, i, r = Value("n", INT), Value("i", INT), Value("r", OpaqueType(range))
>>> z, x_bar = (Value(name, ListType(FLOAT)) for name in ("z", "x_bar"))
>>> old, new = Value("old", FLOAT), Value("new", FLOAT)
>>> trip = (
...     Call(old, Constant(operator.getitem), (x_bar, i), exact=False),
...     Call(new, Constant(operator.add), (old, Constant(2.5)), exact=False),
...     Call(Value("", NONE), Constant(operator.setitem), (x_bar, i, new), exact=False),
... )
>>> operations = (
...     Call(z, Constant(make_list), (Constant(0.0),), exact=False),
...     Call(x_bar, Constant(operator.mul), (z, n), exact=False),
...     Call(r, Constant(range), (n,)),
...     For(i, r, (), Block(trip, Yield(()))),
... )
>>> f = fill_containers(Function("f", (Parameter(n),), Block(operations, Return(x_bar))))
>>> [getattr(call, "arguments", None) for call in f.body.operations if not isinstance(call, For)]
[(<n: int>,), (Constant(2.5),), (<z: list[float]>, <n: int>)]
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy

from s2sad.ir.contents import functions_called
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    For,
    Function,
    Operand,
    Operation,
    Value,
    Yield,
    operands_inside,
    operands_of,
    parameters_of,
    walk,
)
from s2sad.ir.operations import make_list
from s2sad.ir.types import FLOAT, ArrayType, ListType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.float_results import find_floats
from s2sad.transform.offsets import is_integer, split_offset
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import count_uses, defined_in, find_definitions, is_same, map_blocks, with_body, with_operations


def fill_containers(fn: Function) -> Function:
    """Make containers of what is added to each of their elements."""
    if operator.setitem not in functions_called(fn) or range not in functions_called(fn):
        return fn
    task = _Filling(fn)
    return with_body(fn, task.visit(fn.body))


@dataclass(frozen=True, slots=True)
class _Made:
    """A container that is made of one number, by these calls, and that nobody has seen: `fill` is that number."""

    calls: tuple[Call, ...]
    fill: Operand


@dataclass(frozen=True, slots=True)
class _Addition:
    """``container[index + offset] += value``, or ``-=``, in each trip of a loop with this index; or ``=``, which is one call."""

    container: Value
    value: Operand
    is_minus: bool
    offset: int
    calls: tuple[Call, ...]

    @property
    def is_store(self) -> bool:
        return len(self.calls) == 1


class _Filling:
    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.uses = count_uses(fn)
        self.definitions: Mapping[Value, Call] = find_definitions(fn)

    @functools.cached_property
    def floats(self) -> set[Value]:
        """What is a float for certain: others may be integers, which addition to a float makes floats."""
        return find_floats(self.fn, frozenset(), {})

    def is_float(self, operand: Operand, container: Value) -> bool:
        """Whether a container holds a number as it would hold the sum of 0.0 and that number."""
        if isinstance(operand, Constant):
            return operand.value.__class__ is float
        return isinstance(container.type, ArrayType) or operand in self.floats

    def visit(self, block: Block) -> Block:
        made: dict[Value, _Made] = {}
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, For):
                operation = self.loop(operation, made, operations)
            for operand in operands_inside(operation):
                made.pop(operand, None)
            operations.append(map_blocks(operation, self.visit))
            if isinstance(operation, Call) and (new := self.made_by(operation)) is not None:
                made[operation.result] = new
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def made_by(self, call: Call) -> _Made | None:
        """Whether a call makes a container of one number."""
        function = function_of(call)
        kind = call.result.type
        if function is operator.mul and isinstance(kind, ListType) and kind.element == FLOAT:
            first = self.definitions.get(call.arguments[0]) if isinstance(call.arguments[0], Value) else None
            if first is None or function_of(first) is not make_list or len(first.arguments) != 1:
                return None
            return _Made((first, call), first.arguments[0]) if self.uses[first.result] == 1 else None
        is_vector = isinstance(kind, ArrayType) and kind.kind == "float" and kind.shape is not None and len(kind.shape) == 1
        if is_vector and function is numpy.zeros_like and len(call.arguments) == 1 and not call.keywords:
            return _Made((call,), Constant(0.0))
        return None

    def loop(self, loop: For, made: dict[Value, _Made], operations: list[Operation]) -> For:
        """The loop without what can be done at once; the containers for that are made right before it."""
        if not isinstance(loop.body.terminator, Yield) or not made:
            return loop
        varying = {*defined_in(loop.body), *parameters_of(loop)}
        touched = [operand for node in walk(loop.body) for operand in operands_of(node) if isinstance(operand, Value)]
        replaced: dict[Operation, list[Operation]] = {}
        for addition in self.additions(loop):
            container = addition.container
            known = made.get(container)
            is_alone = touched.count(container) == (1 if addition.is_store else 2) and container not in operands_of(loop)
            if known is None or not is_alone:
                continue
            if not self.is_float(addition.value, container):
                continue
            is_invariant = isinstance(addition.value, Constant) or addition.value not in varying
            if is_invariant and addition.offset == 0 and self.runs_over(loop, known.calls[-1]):
                operations[:] = [operation for operation in operations if operation not in known.calls]
                made[container], new = self.make(known, addition)
                operations += new
                replaced.update((call, []) for call in addition.calls)
            elif not addition.is_store and _is_zero(known.fill) and self.is_from_zero(loop, addition.offset):
                replaced.update(zip(addition.calls, ([], *self.assigned(addition)), strict=True))
        if not replaced:
            return loop
        body = [new for operation in loop.body.operations for new in replaced.get(operation, [operation])]
        return replace(loop, body=Block(tuple(body), loop.body.terminator))

    def additions(self, loop: For) -> list[_Addition]:
        """What each trip adds to an element of its own."""
        calls = {operation.result: operation for operation in loop.body.operations if isinstance(operation, Call)}
        found = []
        for store in calls.values():
            if function_of(store) is not operator.setitem or store.exact:
                continue
            container, key, value = store.arguments
            if not is_integer(key):
                continue
            base, offset = split_offset(key, self.definitions)
            if base is loop.target and isinstance(container, Value) and _is_real(value):
                found.append(_Addition(container, value, False, offset, (store,)))
            step = calls.get(value) if isinstance(value, Value) else None
            symbol = symbol_of(step) if step is not None else None
            if base is not loop.target or not isinstance(container, Value) or step is None or symbol not in ("+", "-"):
                continue
            for old, added in (step.arguments, step.arguments[::-1]) if symbol == "+" else (step.arguments,):
                load = calls.get(old) if isinstance(old, Value) else None
                if load is None or function_of(load) is not operator.getitem or load.arguments[0] is not container:
                    continue
                is_alone = self.uses[load.result] == self.uses[step.result] == 1
                if is_alone and is_same(load.arguments[1], key) and _is_real(added):
                    found.append(_Addition(container, added, symbol == "-", offset, (load, step, store)))
                    break
        return found

    def runs_over(self, loop: For, made: Call) -> bool:
        """Whether a loop runs over all indices of a container."""
        bounds = self.range_of(loop)
        if bounds is None:
            return False
        first, (length, offset) = bounds
        if first != (None, 0):
            return False
        if isinstance(made.result.type, ListType):
            return is_integer(made.arguments[1]) and split_offset(made.arguments[1], self.definitions) == (length, offset + 1)
        return length is not None and offset == -1 and self.is_length(length, made.result)

    def range_of(self, loop: For) -> tuple[tuple[Value | None, int], tuple[Value | None, int]] | None:
        """The least and the greatest index of a loop over a range with steps of 1 or -1."""
        call = self.definitions.get(loop.iterable) if isinstance(loop.iterable, Value) else None
        if call is None or function_of(call) is not range or call.keywords or not all(map(is_integer, call.arguments)):
            return None
        start, stop = (Constant(0), *call.arguments) if len(call.arguments) == 1 else call.arguments[:2]
        step = call.arguments[2] if len(call.arguments) == 3 else Constant(1)
        first, after = (split_offset(operand, self.definitions) for operand in (start, stop))
        if is_same(step, Constant(1)):
            return first, (after[0], after[1] - 1)
        return ((after[0], after[1] + 1), first) if is_same(step, Constant(-1)) else None

    def is_from_zero(self, loop: For, offset: int) -> bool:
        """Whether no index is negative: two that are different are about different elements."""
        bounds = self.range_of(loop)
        return bounds is not None and bounds[0][0] is None and bounds[0][1] + offset >= 0

    def is_length(self, length: Value, array: Value) -> bool:
        """Whether a number is the length of an array of one axis, as the types tell."""
        call = self.definitions.get(length)
        if call is None:
            return False
        of = call.arguments[0]
        if function_of(call) is operator.getitem and is_same(call.arguments[1], Constant(0)) and isinstance(of, Value):
            shape = self.definitions.get(of)
            if shape is None or function_of(shape) is not getattr or not is_same(shape.arguments[1], Constant("shape")):
                return False
            of = shape.arguments[0]
        elif function_of(call) is not len:
            return False
        kinds = [operand.type if isinstance(operand, Value) else None for operand in (of, array)]
        shapes = [kind.shape if isinstance(kind, ArrayType) else None for kind in kinds]
        lengths = [shape[0] if shape else None for shape in shapes]
        return lengths[0] is not None and lengths[0] == lengths[1]

    def make(self, known: _Made, addition: _Addition) -> tuple[_Made, list[Call]]:
        """The container, made of what its elements come to, and all calls for that."""
        span = addition.calls[0].span
        more: list[Call] = []
        value = addition.value
        if not addition.is_store and (not _is_zero(known.fill) or addition.is_minus):
            function = operator.sub if addition.is_minus else operator.add
            value = Value("", FLOAT, temporary=True)
            more.append(Call(value, Constant(function), (known.fill, addition.value), (), span, exact=False))
        last = known.calls[-1]
        calls: tuple[Call, ...]
        if function_of(last) is operator.mul:
            calls = (replace(known.calls[0], arguments=(value,)), last)
        else:
            calls = (replace(last, function=Constant(numpy.full_like), arguments=(last.arguments[0], value)),)
        return _Made(calls, value), [*more, *calls]

    def assigned(self, addition: _Addition) -> tuple[list[Operation], list[Operation]]:
        """What stands for the addition and the store of it: a negation, if it is a subtraction, and a store."""
        _, step, store = addition.calls
        if not addition.is_minus:
            return [], [replace(store, arguments=(*store.arguments[:2], addition.value))]
        negative = Call(step.result, Constant(operator.neg), (addition.value,), (), step.span, exact=False)
        return [negative], [store]


def _is_real(operand: Operand) -> bool:
    return operand.value.__class__ is float if isinstance(operand, Constant) else operand.type == FLOAT


def _is_zero(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value == 0
