"""Lists that are read from their end, and by nobody afterwards, are reversed in place: a copy takes time and memory.

Before::                                              After::

    s_saved = []                                          s_saved = []
    …                                                     …
    for s in s_saved[::-1]:                               s_saved.reverse()
        s_bar *= 2 * s                                    for s in s_saved:
                                                              s_bar *= 2 * s

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import FLOAT, ListType
>>> x, saved, turned = Value("x", FLOAT), Value("s_saved", ListType(FLOAT)), Value("", ListType(FLOAT))
>>> s = Value("s", FLOAT)
>>> operations = (
...     Call(saved, Constant(make_list), ()),
...     Call(Value("", NONE), Constant(call_method), (saved, Constant("append"), x)),
...     Call(turned, Constant(operator.getitem), (saved, Constant(slice(None, None, -1))), exact=False),
...     For(s, turned, (), Block((Call(Value("", NONE), Constant(print), (s,)),), Yield())),
... )
>>> f = Function("f", (Parameter(x),), Block(operations, Return(x)))
>>> *_, turn, loop = reverse_in_place(f).body.operations
>>> [operand.value for operand in turn.arguments if isinstance(operand, Constant)], loop.iterable is saved
(['reverse'], True)

A derivative is differentiated as if it still read copies: of a list that changes its order the adjoint would have to do so too.

>>> *_, turned, loop = reverse_in_copies(reverse_in_place(f)).body.operations
>>> turned.function, loop.iterable is turned.result
(Constant(<built-in function getitem>), True)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Terminator, Value, Yield, function_of, walk
from s2sad.ir.operations import call_method, make_list
from s2sad.ir.types import NONE
from s2sad.transform.constant_slices import is_reversal
from s2sad.transform.repeat_ranges import appends
from s2sad.transform.rewrite import find_readers, map_blocks, substitute_block, with_body, with_operations

Node = Operation | Terminator
Readers = Mapping[Value, list[Node]]


def reverse_in_place(fn: Function) -> Function:
    """Reverse lists in place where loops of the derivative run over reversed copies."""
    if not any(_copied(node) for node in nodes_of(fn)):
        return fn
    readers = find_readers(fn)

    def visit(block: Block) -> Block:
        lists: dict[Value, Operand] = {}
        operations: list[Operation] = []
        order = _Order(block, readers)
        for node in block.operations:
            saved = _copied(node)
            if saved and isinstance(node, Call) and _is_for_one_loop(node, saved, order):
                lists[node.result] = saved
                if _is_in_order(node.result, readers):
                    turn = Value("", NONE, temporary=True)
                    operations.append(Call(turn, Constant(call_method), (saved, Constant("reverse")), exact=False))
            else:
                operations.append(map_blocks(node, visit))
        rewritten = with_operations(block, operations, map_blocks(block.terminator, visit))
        return substitute_block(rewritten, lists)

    return with_body(fn, visit(fn.body))


def reverse_in_copies(fn: Function) -> Function:
    """Make a reversed copy of a list that is reversed in place and was only filled before; what reads it later reads the copy."""
    if not any(_turned(node) for node in nodes_of(fn)):
        return fn
    readers = find_readers(fn)

    def visit(block: Block) -> Block:
        copies: dict[Value, Operand] = {}
        operations: list[Operation] = []
        order = _Order(block, readers)
        for node in block.operations:
            saved = _turned(node)
            if saved and isinstance(node, Call) and _may_be_copied(node, saved, order):
                copies[saved] = copy = Value("", saved.type, temporary=True)
                arguments = (saved, Constant(slice(None, None, -1)))
                operations.append(replace(node, result=copy, function=Constant(operator.getitem), arguments=arguments))
            else:
                operations.extend(substitute_block(Block((map_blocks(node, visit),), Yield()), copies).operations)
        end = substitute_block(Block((), map_blocks(block.terminator, visit)), copies).terminator
        return with_operations(block, operations, end)

    return with_body(fn, visit(fn.body))


def _copied(node: Node) -> Value | None:
    """The list of which the derivative makes a reversed copy: `saved` of ``saved[::-1]``."""
    if not isinstance(node, Call) or node.exact or function_of(node) is not operator.getitem:
        return None
    saved, key = node.arguments
    return saved if isinstance(saved, Value) and is_reversal(key, {}) else None


def _turned(node: Node) -> Value | None:
    """The list that a call reverses in place: `saved` of ``saved.reverse()``."""
    if not isinstance(node, Call) or function_of(node) is not call_method or len(node.arguments) != 2:
        return None
    saved, method = node.arguments
    is_reverse = isinstance(method, Constant) and method.value == "reverse"
    return saved if is_reverse and isinstance(saved, Value) else None


class _Order:
    """Which operation of a block each operation within it belongs to, found when it is first asked for."""

    def __init__(self, block: Block, readers: Readers) -> None:
        self.block = block
        self.readers = readers

    @cached_property
    def places(self) -> dict[Node, int]:
        return {inner: place for place, node in enumerate(self.block.operations) for inner in walk(Block((node,), Yield()))}

    @cached_property
    def made(self) -> dict[Value, int]:
        """Where the block makes empty lists."""
        calls = ((place, node) for place, node in enumerate(self.block.operations) if isinstance(node, Call))
        return {call.result: place for place, call in calls if function_of(call) is make_list and not call.arguments}

    def directly(self, node: Node) -> bool:
        """Whether an operation stands in the block itself."""
        place = self.places.get(node)
        return place is not None and self.block.operations[place] is node

    def read_later(self, saved: Value, reader: Node) -> list[Node] | None:
        """What reads a list from one of its readers on; None if it is not made in the same block, or more is done with
        it before than to append to it."""
        now = self.places[reader]
        if self.made.get(saved, now) >= now:
            return None
        end = len(self.block.operations)
        later = [one for one in self.readers[saved] if self.places.get(one, end) >= now]
        return later if all(appends(one, saved) for one in self.readers[saved] if one not in later) else None


def _is_for_one_loop(copy: Call, saved: Value, order: _Order) -> bool:
    """Whether a reversed copy is for a loop and nothing else, and nobody reads the list again."""
    loop = _only_reader(_zipped(copy.result, order.readers), order.readers)
    return isinstance(loop, For) and order.directly(loop) and order.read_later(saved, copy) == [copy]


def _may_be_copied(turn: Call, saved: Value, order: _Order) -> bool:
    """Whether nothing else can hold a list that is reversed in place."""
    return not order.readers.get(turn.result) and order.read_later(saved, turn) is not None


def _zipped(turned: Value, readers: Readers) -> Value:
    """What goes over a list together with others: ``zip(turned, …)``, or the list itself."""
    reader = _only_reader(turned, readers)
    return reader.result if isinstance(reader, Call) and function_of(reader) is zip else turned


def _is_in_order(turned: Value, readers: Readers) -> bool:
    """Whether it matters in which order the elements come."""
    loop = _only_reader(turned, readers)
    return not isinstance(loop, For) or bool(readers.get(loop.target))


def _only_reader(value: Value, readers: Readers) -> Node | None:
    found = readers.get(value, [])
    return found[0] if len(found) == 1 else None
