"""Remove what nobody needs: calls, results, carried values, branches, loops, and containers that are only written.

Before::

    def f(x: float):
        t = mul(x, x)
        saved = make_list()
        k, s = 0, x
        while lt(k, 3):
            saved.append(s)
            k, s = add(k, 1), mul(s, t)
        return x

After::

    def f(x: float):
        return x

What is needed is found by marking, from what returns, raises, writes or acts; a value drags in what computes it, and every node
the conditions and loops around it. Cycles (a carried value that only feeds itself) are never marked, so they go at once.
A change of an array made here is needed once the array is, under whatever name.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, t = Value("x", FLOAT), Value("t", FLOAT)
>>> body = Block((Call(t, Constant(operator.mul), (x, x)),), Return(x))
>>> eliminate_dead_code(Function("f", (Parameter(x),), body)).body.operations
()

A loop without effects whose results are unused goes even where it might not have ended; arithmetic that might have raised goes
too, outside of ``try`` and of a ``with`` that could see the difference.
"""

from __future__ import annotations

import builtins
import contextlib
import warnings
from collections.abc import Iterator

import numpy

from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Break,
    Call,
    Constant,
    For,
    Function,
    If,
    MakeFunction,
    Operand,
    Operation,
    Raise,
    Return,
    Terminator,
    Try,
    Value,
    While,
    With,
    Yield,
    blocks_of,
    operands_of,
    parameters_of,
    results_of,
    walk,
)
from s2sad.ir.operations import make_dict, make_list, make_set, make_tuple
from s2sad.ir.types import ArrayType, DictType, IteratorType, ListType, OpaqueType, TupleType
from s2sad.transform.array_memory import asked_for_shape, bits, changes_array, find_array_memory
from s2sad.transform.caught import may_be_caught
from s2sad.transform.purity import changed_container, find_made_containers, function_of
from s2sad.transform.rewrite import Node, is_same, leaves, with_blocks, with_body, with_operations, with_results

#: Iterables that `for` leaves as they were.
_REPEATABLE = (ListType, TupleType, DictType, ArrayType)
_REPEATABLE_MAKERS = (range, make_tuple, make_list, make_dict, make_set, builtins.list, builtins.tuple, builtins.dict, sorted)
_LAZY = (enumerate, zip, reversed)
#: Contexts that let every exception through, and do nothing else with it.
_TRANSPARENT = (numpy.errstate, warnings.catch_warnings, contextlib.nullcontext)


def eliminate_dead_code(fn: Function) -> Function:
    """Remove everything that the function's results and effects do not need."""
    while True:
        marked = _mark(fn)
        new = with_body(fn, _sweep(fn.body, marked))
        if new is fn or not marked.branches:
            return new
        fn = new


class _Marks:
    """What is needed so far, and what still has to be looked at. With `asks_for_shapes` false, it does not count where only the
    shape of an array is asked for."""

    def __init__(self, fn: Function, asks_for_shapes: bool = True) -> None:
        self.asks_for_shapes = asks_for_shapes
        self.parents: dict[Node, Node] = {}
        self.definitions: dict[Value, Node] = {}
        self.changes: dict[Value, list[Call]] = {}
        self.made = find_made_containers(fn)
        self.memory = find_array_memory(fn)
        #: The calls that change arrays made here, for each root.
        self.array_changes: dict[int, list[Call]] = {}
        self.live: set[Value] = set()
        #: Arrays of which somebody needs the content as well.
        self.read: set[Value] = set()
        self.needed: set[Node] = set()
        self.pending: list[Value | Node] = []
        #: Whether there are branches: one whose ends turn out to be the same needs no condition.
        self.branches = False

    def need(self, node: Node) -> None:
        if node not in self.needed:
            self.needed.add(node)
            self.pending.append(node)

    def enliven(self, operand: Operand) -> None:
        if not isinstance(operand, Value):
            return
        if operand not in self.live:
            self.live.add(operand)
            self.pending.append(operand)
        if self.array_changes and operand not in self.read:
            self.read.add(operand)
            for root in bits(self.memory.roots(operand)):
                for change in self.array_changes.pop(root, ()):
                    self.need(change)

    def enliven_numbers(self, operands: tuple[Operand, ...]) -> None:
        """The same for all operands of a node, in a function without arrays."""
        live, pending = self.live, self.pending
        for operand in operands:
            if operand not in live and isinstance(operand, Value):
                live.add(operand)
                pending.append(operand)

    def enliven_shape(self, array: Value) -> None:
        """Whoever asks for a shape does not need what is written to the array."""
        if self.asks_for_shapes and array not in self.live:
            self.live.add(array)
            self.pending.append(array)


def find_needed_values(fn: Function) -> set[Value]:
    """The values that the results and effects need, apart from the shapes of arrays."""
    return _mark(fn, asks_for_shapes=False).live


def _mark(fn: Function, *, asks_for_shapes: bool = True) -> _Marks:
    marks = _Marks(fn, asks_for_shapes)
    _index(fn.body, None, marks)
    while marks.pending:
        item = marks.pending.pop()
        if isinstance(item, Value):
            _follow_value(item, marks)
        else:
            _follow_node(item, marks)
    return marks


def _index(block: Block, parent: Node | None, marks: _Marks) -> None:
    """Note who defines what and what stands in what; mark what has to stay in any case."""
    for node in (*block.operations, block.terminator):
        if parent is not None:
            marks.parents[node] = parent
        if isinstance(node, Call):  # most nodes
            _index_call(node, marks)
            continue
        match node:
            case MakeFunction():
                marks.definitions[node.result] = node
            case Branch():
                marks.branches = True
            case Return() | Raise() | With():
                marks.need(node)
            case For() if not _is_repeatable(node.iterable, marks):
                marks.need(node)
        if isinstance(node, (If, For, While, Try, With)):
            for value in (*results_of(node), *parameters_of(node)):
                marks.definitions[value] = node
        for inner in blocks_of(node):
            _index(inner, node, marks)


def _index_call(call: Call, marks: _Marks) -> None:
    marks.definitions[call.result] = call
    container = changed_container(call) if marks.made else None
    if container is not None and container in marks.made:
        marks.changes.setdefault(container, []).append(call)
    elif marks.memory.has_arrays and changes_array(call) and marks.memory.is_owned(call.arguments[0]):
        for root in bits(marks.memory.roots(call.arguments[0])):
            marks.array_changes.setdefault(root, []).append(call)
    elif not effects_of(call).is_removable:
        marks.need(call)


def _is_repeatable(iterable: Operand, marks: _Marks) -> bool:
    """Whether running over an iterable changes nothing."""
    if isinstance(iterable, Constant):
        return isinstance(iterable.value, (range, tuple, list, str, dict))
    kind, definition = iterable.type, marks.definitions.get(iterable)
    if isinstance(kind, _REPEATABLE) or (isinstance(kind, IteratorType) and kind.function is range):
        return True
    if not isinstance(definition, Call):
        return False
    function = function_of(definition)
    if function in _LAZY:
        return all(_is_repeatable(operand, marks) for operand in definition.arguments)
    return function in _REPEATABLE_MAKERS or definition.result in marks.made


def _follow_node(node: Node, marks: _Marks) -> None:
    """A node that is needed needs its operands, and whatever decides whether it runs."""
    parent = marks.parents.get(node) if marks.parents else None
    if parent is not None:
        marks.need(parent)
    if isinstance(node, Call):  # most nodes
        if not marks.memory.has_arrays:
            marks.enliven_numbers(operands_of(node))
            return
        array = asked_for_shape(node)
        if array is not None:
            marks.enliven_shape(array)
        for operand in operands_of(node):
            if operand is not array:
                marks.enliven(operand)
        return
    match node:
        case MakeFunction() | If() | Branch() | Return() | Raise() | With():
            for operand in operands_of(node):
                marks.enliven(operand)
        case For():
            marks.enliven(node.iterable)
        case While():
            for end in leaves(node.header):
                for operand in operands_of(end):
                    marks.enliven(operand)
    if isinstance(node, (For, While)):
        for branch in _branches(node.body):
            marks.need(branch)
    if isinstance(node, (Try, With)):
        for operand in operands_of(node):
            marks.enliven(operand)
        for inner in walk(node.body) if not _lets_through(node) else ():
            if isinstance(inner, Call) and inner.exact and may_be_caught(inner):
                marks.need(inner)


def _lets_through(node: Try | With) -> bool:
    """Whether an exception in a region leaves the program as it would without the region."""
    kind = node.context.type if isinstance(node, With) and isinstance(node.context, Value) else None
    return isinstance(kind, OpaqueType) and kind.cls in _TRANSPARENT


def _branches(block: Block) -> Iterator[Branch]:
    if isinstance(block.terminator, Branch):
        yield block.terminator
        yield from _branches(block.terminator.then)
        yield from _branches(block.terminator.orelse)


def _follow_value(value: Value, marks: _Marks) -> None:
    """A live value needs what computes it, and every change of the container that it is."""
    for change in marks.changes.get(value, ()) if marks.changes else ():
        marks.need(change)
    node = marks.definitions.get(value)
    if node is None:
        return  # a parameter of the function
    marks.need(node)
    if isinstance(node, Call):  # most nodes
        return
    match node:
        case If() | Try() | With() if value in node.results:
            _enliven_position(node, node.results.index(value), marks)
        case For() | While():
            for position, item in enumerate(node.carried):
                if value in (item.parameter, item.result):
                    marks.enliven(item.initial)
                    _enliven_position(node, position, marks)


def _enliven_position(node: Node, position: int, marks: _Marks) -> None:
    for block in _valued_blocks(node):
        for end in leaves(block):
            if isinstance(end, (Yield, Break)):
                marks.enliven(end.values[position])


def _valued_blocks(node: Node) -> tuple[Block, ...]:
    """The blocks whose leaves give the results."""
    return (node.body,) if isinstance(node, While) else blocks_of(node)


# --- the sweep ----------------------------------------------------------------------------------------------------------------


def _sweep(block: Block, marks: _Marks) -> Block:
    """The block without what is not marked."""
    operations = [_sweep_node(operation, marks) for operation in block.operations if operation in marks.needed]
    return _merge_branch(with_operations(block, operations, _sweep_end(block.terminator, marks)))


def _sweep_node(node: Operation, marks: _Marks) -> Operation:
    if isinstance(node, Call):  # most nodes
        return node
    blocks = blocks_of(node)
    if not blocks:
        return node
    kept = [position for position, value in enumerate(results_of(node)) if _is_kept(node, position, value, marks)]
    return with_results(with_blocks(node, [_sweep(block, marks) for block in blocks]), kept)


def _is_kept(node: Operation, position: int, value: Value, marks: _Marks) -> bool:
    if isinstance(node, (For, While)):
        return value in marks.live or node.carried[position].parameter in marks.live
    return value in marks.live


def _sweep_end(end: Terminator, marks: _Marks) -> Terminator:
    if isinstance(end, Branch):
        return with_blocks(end, [_sweep(block, marks) for block in blocks_of(end)])
    return end


def _merge_branch(block: Block) -> Block:
    """A branch whose two ends are empty and the same is no branch."""
    end = block.terminator
    if not isinstance(end, Branch) or end.then.operations or end.orelse.operations:
        return block
    first, second = end.then.terminator, end.orelse.terminator
    same_kind = isinstance(first, (Yield, Break, Return)) and first.__class__ is second.__class__
    pairs = list(zip(operands_of(first), operands_of(second), strict=False))
    if same_kind and all(is_same(a, b) for a, b in pairs):
        return Block(block.operations, first)
    return block
