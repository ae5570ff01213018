"""Iterators that are read in several places: a list of what is left, from which each reader takes.

Before::

    squares = map(square, xs)
    first = next(squares)
    for y in squares:
        s += y * first

After::

    squares = map(square, xs)
    left = elements_of(squares)[::-1]
    first = left.pop()             # StopIteration if there is none
    while left:
        y = left.pop()
        s += y * first

So it is with an iterator that is read in a loop which does not make it. The elements are computed at once, where Python computes
each when it is asked for: it is done only where what they are computed from stays as it is, and `early_elements` refuses it where
it can be told in another way. Readers are `next`, loops, and what takes all that is left (`sum`, `list`, …).
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.early_elements import nodes_that_compute
from s2sad.analysis.fuse_iterators import FusionError
from s2sad.analysis.given_once import may_change
from s2sad.analysis.iterator_loops import emit
from s2sad.analysis.memory import references_in
from s2sad.analysis.unroll import with_blocks
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    If,
    Operation,
    Raise,
    Span,
    Terminator,
    Value,
    While,
    Yield,
    blocks_of,
    function_of,
    operands_of,
    walk,
)
from s2sad.ir.operations import call_method, elements_of, iterator_of, store_cell
from s2sad.ir.types import AnyType, IteratorType
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

#: What takes all that is left.
_TAKING: Final[tuple[object, ...]] = (sum, list, tuple, sorted, math.prod, math.fsum)


def spend_iterators(inference: Inference) -> None:
    """Raise `FusionError` where an iterator through which a derivative may pass is read in several places."""
    for node in walk(inference.definition.body):
        if isinstance(node, Call) and _is_iterator(inference, node) and _stays(inference, node):
            readers = [one for one in walk(inference.definition.body) if node.result in operands_of(one)]
            if readers and all(_is_reader(inference, reader, node.result) for reader in readers):
                left = Value(node.result.name or "left", temporary=True)
                body = _Spending(inference, node, left).block(inference.definition.body)
                raise FusionError(replace(inference.definition, body=body))


def _is_iterator(inference: Inference, call: Call) -> bool:
    """Whether a call makes an iterator over a list, or one that has a model, of elements that may carry a derivative."""
    resolution = inference.resolutions.get(call)
    kind = resolution.kind if resolution is not None else None
    if (
        resolution is None
        or call.result in inference.read_once
        or resolution.alias is not None
        or not isinstance(kind, IteratorType)
    ):
        return False
    rule = lookup(resolution.function, len(resolution.arguments), [name for name, _ in resolution.keywords])
    makes_one = resolution.function is iter or (isinstance(rule, ModelRule) and rule.gives_iterator)
    return makes_one and (carries_derivative(kind.element) or isinstance(kind.element, AnyType))


def _is_reader(inference: Inference, node: Operation | Terminator, iterator: Value) -> bool:
    if isinstance(node, For):
        return node.iterable is iterator and all(item.initial is not iterator for item in node.carried)
    if not isinstance(node, Call) or node.keywords or not node.arguments or node.arguments[0] is not iterator:
        return False
    if operands_of(node).count(iterator) > 1:
        return False
    function = _called(inference, node)
    return function is next or (len(node.arguments) == 1 and any(function is one for one in _TAKING))


def _called(inference: Inference, call: Call) -> object:
    known = inference.constant_of(call.function)
    return None if known is None else known.value


def _stays(inference: Inference, maker: Call) -> bool:
    """Whether nothing changes what the elements are computed from, once the iterator is made."""
    nodes = [*walk(inference.definition.body)]
    computing = nodes_that_compute(inference, maker) if function_of(maker) is iterator_of else [maker]
    find = inference.memory.find
    read = {
        find(region)
        for node in computing
        for operand in operands_of(node)
        for region in references_in(inference.memory.freeze(inference.type_of(operand)))
    }
    return not any(isinstance(node, Call) and _changes(inference, node, read) for node in nodes[nodes.index(maker) + 1 :])


def _changes(inference: Inference, call: Call, regions: set[int]) -> bool:
    if function_of(call) is not store_cell:
        return may_change(inference, call, regions)
    return inference.memory.find(next(iter(references_in(inference.type_of(call.arguments[0]))))) in regions


@dataclass(frozen=True, slots=True, eq=False)
class _Spending:
    """Rewrites a function in which an iterator is read in several places."""

    inference: Inference
    maker: Call
    left: Value

    def block(self, block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            inner = with_blocks(node, [self.block(one) for one in blocks_of(node)])
            if node is self.maker:
                operations.append(node)
                elements = emit(operations, elements_of, node.result, span=node.span)
                self.reverse(elements, operations, node.span, self.left)
            elif isinstance(inner, For) and inner.iterable is self.maker.result:
                operations.append(self.loop(inner))
            elif isinstance(inner, Call) and self.maker.result in inner.arguments:
                operations += self.taken(inner)
            else:
                operations.append(inner)
        end = block.terminator
        if isinstance(end, Branch):
            end = replace(end, then=self.block(end.then), orelse=self.block(end.orelse))
        return Block(tuple(operations), end)

    def loop(self, loop: For) -> While:
        """A loop that takes what is left, one by one."""
        pop = Call(loop.target, Constant(call_method), (self.left, Constant("pop")), (), loop.span)
        body = Block((pop, *loop.body.operations), loop.body.terminator)
        return While(Block((), Yield((self.left,))), loop.carried, body, loop.span)

    def taken(self, call: Call) -> list[Operation]:
        out: list[Operation] = []
        if _called(self.inference, call) is not next:
            given = self.reverse(self.left, out, call.span)
            emit(out, call_method, self.left, Constant("clear"), span=call.span)
            out.append(replace(call, arguments=(given,)))
            return out
        if len(call.arguments) == 1:
            failed: list[Operation] = []
            error = emit(failed, StopIteration, span=call.span)
            out.append(If(self.left, Block((), Yield()), Block(tuple(failed), Raise(error, None, call.span)), (), call.span))
            emit(out, call_method, self.left, Constant("pop"), result=call.result, span=call.span)
            return out
        popped: list[Operation] = []
        element = emit(popped, call_method, self.left, Constant("pop"), span=call.span)
        arms = Block(tuple(popped), Yield((element,))), Block((), Yield((call.arguments[1],)))
        out.append(If(self.left, *arms, (call.result,), call.span))
        return out

    def reverse(self, elements: Value, out: list[Operation], span: Span | None, result: Value | None = None) -> Value:
        """A list's elements, last first."""
        order = emit(out, slice, Constant(None), Constant(None), Constant(-1), span=span)
        return emit(out, operator.getitem, elements, order, result=result, span=span)
