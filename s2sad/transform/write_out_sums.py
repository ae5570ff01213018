"""Sums as additions: `sum` and `math.fsum` round in a way of their own, but have the derivative of plain additions.

Before::                                  After::

    items = make_list()                       items = make_list()
    for x in xs:                              s = for x in xs carried (s_1 = 0.0):
      e = mul(x, x)                             e = mul(x, x)
      append(items, e)                          append(items, e)
    t = sum(items)                              s_2 ~= add(s_1, e)
                                                yield s_2
                                              t = modelled(sum, items, s)

The adjoint of `t` goes to `s` alone, and the list needs none. The value is that of `sum`, for which the additions are not needed:
they are gone before anything is printed, as is the mark (`release_models`). A list that is made elsewhere is run over once more;
so is one of arrays that somebody writes to, as the sum sees what they hold when it is taken. The elements of a tuple are listed.

Arrays may broadcast, and the first one is added to the number 0: what they have come to so far has another type from one element
to the next. Therefore the operation on them is not an addition, but `summed`, of which each step has the type of the whole.
"""

from __future__ import annotations

import builtins
import contextlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Carried,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Span,
    Terminator,
    Value,
    While,
    Yield,
    function_of,
    walk,
)
from s2sad.ir.operations import call_method, make_list, modelled, summed
from s2sad.ir.types import FLOAT, ArrayType, ListType, ScalarType, TupleType, Type
from s2sad.transform.reverse.array_names import memory_of
from s2sad.transform.reverse.unchanged import regions_written
from s2sad.transform.rewrite import find_definitions, find_readers, map_blocks, with_blocks, with_body, with_operations

_SUMS: Final = (builtins.sum, math.fsum)


def write_out_sums(fn: Function, is_active: Callable[[int], bool]) -> Function:
    """Give sums of numbers or arrays the adjoint of additions, where `is_active` says so of a list's region."""
    if functions_called(fn).isdisjoint(_SUMS):
        return fn
    written = frozenset(region for node in nodes_of(fn) if isinstance(node, Call) for region in regions_written(node))
    return with_body(fn, _Writing(find_definitions(fn), find_readers(fn), is_active, written).visit(fn.body))


def release_models(fn: Function) -> Function:
    """The function without the marks."""
    return with_body(fn, _without_marks(fn.body)) if modelled in functions_called(fn) else fn


def _without_marks(block: Block) -> Block:
    operations: list[Operation] = []
    for node in block.operations:
        if isinstance(node, Call) and function_of(node) is modelled:
            function, *operands = node.arguments[:-1]
            operations.append(replace(node, function=function, arguments=tuple(operands)))
        elif isinstance(node, Call) and function_of(node) is summed:
            operations.append(replace(node, function=Constant(operator.add)))
        else:
            operations.append(map_blocks(node, _without_marks))
    return Block(tuple(operations), map_blocks(block.terminator, _without_marks))


@dataclass(frozen=True, slots=True)
class _Writing:
    definitions: Mapping[Value, Call]
    readers: Mapping[Value, list[Operation | Terminator]]
    is_active: Callable[[int], bool]
    #: Regions that change.
    written: Set[int]

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call) and self.is_sum(node):
                operations = self.written_out(operations, node)
            else:
                operations.append(map_blocks(node, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def is_sum(self, call: Call) -> bool:
        """Whether a call is the sum of numbers or of arrays that have adjoints."""
        if function_of(call) not in _SUMS or call.keywords:
            return False
        items, *start = call.arguments
        if not isinstance(items, Value):
            return False
        if isinstance(call.result.type, ArrayType):
            return call.result.type.is_real and self.is_of_arrays(items.type) and all(map(_is_plain, start))
        kind = items.type
        if not isinstance(kind, ListType) or not isinstance(kind.element, ScalarType) or not self.is_active(kind.region):
            return False
        is_real = isinstance(call.result.type, ScalarType) and kind.element.is_real
        return is_real and all(isinstance(one, Constant) or isinstance(one.type, ScalarType) for one in start)

    def is_of_arrays(self, kind: Type) -> bool:
        """Whether a list or a tuple is one of arrays (and numbers, in a tuple)."""
        match kind:
            case ListType(ArrayType(region=region) as element):
                return element.is_real and (self.is_active(region) or self.is_active(kind.region))
            case TupleType(elements=kinds):
                return all(isinstance(one, (ArrayType, ScalarType)) for one in kinds)
        return False

    def written_out(self, before: list[Operation], call: Call) -> list[Operation]:
        """The operations of a block so far, and the sum after them."""
        items, *start = call.arguments
        assert isinstance(items, Value)
        steps = _Steps(call.result.type)
        operations, total = self.steps_of(before, items, steps, call)
        for one in start:
            if isinstance(one, Value):
                step = steps.add(total, one, call.span)
                operations.append(step)
                total = step.result
        marked = replace(call, function=Constant(modelled), arguments=(call.function, *call.arguments, total))
        return [*operations, marked]

    def steps_of(self, before: Sequence[Operation], items: Value, steps: _Steps, call: Call) -> tuple[list[Operation], Operand]:
        """The operations of a block so far with those that add up the elements, and the total."""
        made = self.definitions.get(items)
        if made is not None and made in before and self.is_filled_for(made, call):
            place = before.index(made)
            with contextlib.suppress(_CannotCarryError):
                threaded = _Threading(items, steps)
                first, total = steps.listed(Constant(0.0), made.arguments, made.span)
                operations, total = threaded.operations(before[place + 1 :], total)
                return [*before[: place + 1], *first, *operations], total
        if isinstance(items.type, TupleType):
            loads = [
                Call(Value("", kind, temporary=True), Constant(operator.getitem), (items, Constant(index)), (), call.span)
                for index, kind in enumerate(items.type.elements)
            ]
            operations, total = steps.listed(Constant(0.0), [load.result for load in loads], call.span)
            return [*before, *loads, *operations], total
        assert isinstance(items.type, ListType)
        carried = Carried(Constant(0.0), steps.total(), steps.total())
        element = Value("", items.type.element, temporary=True)
        added = steps.add(carried.parameter, element, call.span)
        loop = For(element, items, (carried,), Block((added,), Yield((added.result,))), call.span)
        return [*before, loop], carried.result

    def is_filled_for(self, made: Call, call: Call) -> bool:
        """Whether a list is made here, appended to, and read by this sum alone, and its elements stay as they are."""
        kind = made.result.type
        if isinstance(kind, ListType) and isinstance(kind.element, ArrayType) and kind.element.region in self.written:
            return False
        readers = self.readers.get(made.result, [])
        return function_of(made) is make_list and all(node is call or is_append(node, made.result) for node in readers)


@dataclass(frozen=True, slots=True)
class _Steps:
    """The additions of one sum, whose result is of a type."""

    kind: Type

    def total(self) -> Value:
        """A total that is to be computed."""
        kind = replace(self.kind, region=0, fixed=True) if isinstance(self.kind, ArrayType) else FLOAT
        return Value("", kind, temporary=True)

    def add(self, total: Operand, element: Operand, span: Span | None) -> Call:
        """The step that adds an element."""
        function = summed if isinstance(self.kind, ArrayType) else operator.add
        return Call(self.total(), Constant(function), (total, element), (), span, exact=False)

    def listed(self, total: Operand, elements: Sequence[Operand], span: Span | None) -> tuple[list[Operation], Operand]:
        """The steps that add several elements, and the total after them."""
        operations: list[Operation] = []
        for element in elements:
            step = self.add(total, element, span)
            operations.append(step)
            total = step.result
        return operations, total


class _Threading:
    """Adds what is appended to a list to a total that is carried along."""

    def __init__(self, items: Value, steps: _Steps) -> None:
        self.items = items
        self.steps = steps

    def operations(self, operations: Sequence[Operation], total: Operand) -> tuple[list[Operation], Operand]:
        """The operations with the additions, and the total after them."""
        out: list[Operation] = []
        for node in operations:
            if is_append(node, self.items):
                assert isinstance(node, Call)
                step = self.steps.add(total, node.arguments[2], node.span)
                out += [node, step]
                total = step.result
            elif isinstance(node, Call) or not self.appends_in(node):
                out.append(node)
            elif isinstance(node, If):
                arms = [self.block(arm, total) for arm in (node.then, node.orelse)]
                total = self.steps.total()
                out.append(If(node.condition, arms[0], arms[1], (*node.results, total), node.span))
            elif isinstance(node, For):
                carried = Carried(total, self.steps.total(), self.steps.total())
                body = self.block(node.body, carried.parameter)
                total = carried.result
                out.append(For(node.target, node.iterable, (*node.carried, carried), body, node.span))
            elif isinstance(node, While) and not self.appends_in(node.header):
                carried = Carried(total, self.steps.total(), self.steps.total())
                body = self.block(node.body, carried.parameter)
                total = carried.result
                out.append(While(node.header, (*node.carried, carried), body, node.span))
            else:
                raise _CannotCarryError
        return out, total

    def block(self, block: Block, total: Operand) -> Block:
        """A block inside, whose ends hand the total on."""
        operations, total = self.operations(block.operations, total)
        return Block(tuple(operations), self.end(block.terminator, total))

    def end(self, end: Terminator, total: Operand) -> Terminator:
        match end:
            case Yield(values) | Break(values):
                return replace(end, values=(*values, total))
            case Branch(_, then, orelse):
                return with_blocks(end, (self.block(then, total), self.block(orelse, total)))
        return end

    def appends_in(self, node: Operation | Block) -> bool:
        """Whether something inside appends to the list."""
        inside = walk(node) if isinstance(node, Block) else walk(Block((node,), Yield()))
        return any(is_append(one, self.items) for one in inside)


class _CannotCarryError(Exception):
    """A total cannot be carried out of ``try`` or ``with``."""


def is_append(node: object, items: Value) -> bool:
    """Whether a node appends something else to a list."""
    if not isinstance(node, Call) or function_of(node) is not call_method or node.arguments[0] is not items:
        return False
    name = node.arguments[1]
    return isinstance(name, Constant) and name.value == "append" and node.arguments[2] is not items


def _is_plain(start: Operand) -> bool:
    """Whether what a sum of arrays starts with is a value: the sum of an empty list is the very object."""
    return (
        isinstance(start, Constant)
        or isinstance(start.type, ScalarType)
        or (isinstance(start.type, ArrayType) and memory_of(start) is None)
    )
