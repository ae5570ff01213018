"""Sums of lists as additions: `sum` and `math.fsum` round in a way of their own, but have the derivative of plain additions.

Before::                                  After::

    items = make_list()                       items = make_list()
    for x in xs:                              s = for x in xs carried (s_1 = 0.0):
      e = mul(x, x)                             e = mul(x, x)
      append(items, e)                          append(items, e)
    t = sum(items)                              s_2 ~= add(s_1, e)
                                                yield s_2
                                              t = modelled(sum, items, s)

The adjoint of `t` goes to `s` alone, and the list needs none. The value is that of `sum`, for which the additions are not needed:
they are gone before anything is printed, as is the mark (`release_models`). A list that is made elsewhere is run over once more.
"""

from __future__ import annotations

import builtins
import contextlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from s2sad.ir.contents import functions_called
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
from s2sad.ir.operations import call_method, make_list, modelled
from s2sad.ir.types import FLOAT, ListType, ScalarType
from s2sad.transform.rewrite import find_definitions, find_readers, map_blocks, with_blocks, with_body, with_operations

_SUMS: Final = (builtins.sum, math.fsum)


def write_out_sums(fn: Function, is_active: Callable[[int], bool]) -> Function:
    """Give sums of lists of numbers the adjoint of additions, where `is_active` says so of the list's region."""
    if functions_called(fn).isdisjoint(_SUMS):
        return fn
    return with_body(fn, _Writing(find_definitions(fn), find_readers(fn), is_active).visit(fn.body))


def release_models(fn: Function) -> Function:
    """The function without the marks."""
    return with_body(fn, _without_marks(fn.body)) if modelled in functions_called(fn) else fn


def _without_marks(block: Block) -> Block:
    operations: list[Operation] = []
    for node in block.operations:
        if isinstance(node, Call) and function_of(node) is modelled:
            function, *operands = node.arguments[:-1]
            operations.append(replace(node, function=function, arguments=tuple(operands)))
        else:
            operations.append(map_blocks(node, _without_marks))
    return Block(tuple(operations), map_blocks(block.terminator, _without_marks))


@dataclass(frozen=True, slots=True)
class _Writing:
    definitions: Mapping[Value, Call]
    readers: Mapping[Value, list[Operation | Terminator]]
    is_active: Callable[[int], bool]

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call) and self.is_sum(node):
                operations = self.written_out(operations, node)
            else:
                operations.append(map_blocks(node, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def is_sum(self, call: Call) -> bool:
        """Whether a call is the sum of a list of numbers that have adjoints."""
        if function_of(call) not in _SUMS or call.keywords or not isinstance(call.result.type, ScalarType):
            return False
        numbers, *start = call.arguments
        kind = numbers.type if isinstance(numbers, Value) else None
        if not isinstance(kind, ListType) or not isinstance(kind.element, ScalarType) or not self.is_active(kind.region):
            return False
        return kind.element.is_real and all(isinstance(one, Constant) or isinstance(one.type, ScalarType) for one in start)

    def written_out(self, before: list[Operation], call: Call) -> list[Operation]:
        """The operations of a block so far, and the sum after them."""
        numbers, *start = call.arguments
        assert isinstance(numbers, Value)
        first: Operand = start[0] if start and isinstance(start[0], Value) else Constant(_as_float(start))
        made = self.definitions.get(numbers)
        if made is not None and made in before and self.is_filled_for(made, call):
            place = before.index(made)
            with contextlib.suppress(_CannotCarryError):
                threaded = _Threading(numbers)
                operations, total = threaded.operations(before[place + 1 :], threaded.added(first, made))
                return [*before[: place + 1], *threaded.made, *operations, _mark(call, total)]
        total, so_far, after = _number(), _number(), _number()
        element = Value("", numbers.type.element, temporary=True)  # type: ignore[attr-defined]
        body = Block((_add(after, so_far, element, call.span),), Yield((after,)))
        loop = For(element, numbers, (Carried(first, so_far, total),), body, call.span)
        return [*before, loop, _mark(call, total)]

    def is_filled_for(self, made: Call, call: Call) -> bool:
        """Whether a list is made here, appended to, and read by this sum alone."""
        readers = self.readers.get(made.result, [])
        return function_of(made) is make_list and all(node is call or _is_append(node, made.result) for node in readers)


class _Threading:
    """Adds what is appended to a list to a number that is carried along."""

    def __init__(self, numbers: Value) -> None:
        self.numbers = numbers
        self.made: list[Operation] = []

    def added(self, first: Operand, made: Call) -> Operand:
        """What the list begins with, after `first`."""
        for element in made.arguments:
            total = _number()
            self.made.append(_add(total, first, element, made.span))
            first = total
        return first

    def operations(self, operations: Sequence[Operation], total: Operand) -> tuple[list[Operation], Operand]:
        """The operations with the additions, and the total after them."""
        out: list[Operation] = []
        for node in operations:
            if _is_append(node, self.numbers):
                assert isinstance(node, Call)
                after = _number()
                out += [node, _add(after, total, node.arguments[2], node.span)]
                total = after
            elif isinstance(node, Call) or not self.appends_in(node):
                out.append(node)
            elif isinstance(node, If):
                arms = [self.block(arm, total) for arm in (node.then, node.orelse)]
                total = _number()
                out.append(If(node.condition, arms[0], arms[1], (*node.results, total), node.span))
            elif isinstance(node, For):
                carried = Carried(total, _number(), _number())
                body = self.block(node.body, carried.parameter)
                total = carried.result
                out.append(For(node.target, node.iterable, (*node.carried, carried), body, node.span))
            elif isinstance(node, While) and not self.appends_in(node.header):
                carried = Carried(total, _number(), _number())
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
        return any(_is_append(one, self.numbers) for one in inside)


class _CannotCarryError(Exception):
    """A total cannot be carried out of ``try`` or ``with``."""


def _is_append(node: object, numbers: Value) -> bool:
    if not isinstance(node, Call) or function_of(node) is not call_method or node.arguments[0] is not numbers:
        return False
    name = node.arguments[1]
    return isinstance(name, Constant) and name.value == "append" and node.arguments[2] is not numbers


def _number() -> Value:
    return Value("", FLOAT, temporary=True)


def _add(total: Value, first: Operand, second: Operand, span: Span | None) -> Call:
    return Call(total, Constant(operator.add), (first, second), (), span, exact=False)


def _mark(call: Call, total: Operand) -> Call:
    return replace(call, function=Constant(modelled), arguments=(call.function, *call.arguments, total))


def _as_float(start: list[Operand]) -> float:
    return float(start[0].value) if start and isinstance(start[0], Constant) else 0.0  # type: ignore[arg-type]
