"""Copies of arrays that nobody needs: what is copied is not used any more, or does not change as long as the copy is read.

Before::

    t = call_method(v_bar, "copy")
    r ~= truediv(t, 3)
    setitem(v_bar, 0, 0.0)
    x_bar = np.zeros_like(x)
    ...
    return x_bar.copy()

After::

    r ~= truediv(v_bar, 3)
    setitem(v_bar, 0, 0.0)
    x_bar = np.zeros_like(x)
    ...
    return x_bar

What reads a copy is moved before the write for which the copy was made, where it can be: in adjoint code, the copy of a slice
that is set to zero is often read by one operation only.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.operations import call_method
>>> from s2sad.ir.types import ArrayType, Extent
>>> import operator
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, y, z = Value("x", vector), Value("y", vector), Value("z", vector)
>>> calls = (Call(y, Constant(operator.add), (x, x)), Call(z, Constant(call_method), (y, Constant("copy"))))
>>> elide_copies(Function("f", (Parameter(x),), Block(calls, Return(z)))).body.terminator.value
<y: float64[n]>
"""

from __future__ import annotations

import functools
import operator

import numpy

from s2sad.ir.contents import calls_of, nodes_of
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value, blocks_of, operands_of, results_of, walk
from s2sad.ir.operations import IN_PLACE, call_method
from s2sad.ir.types import ScalarType
from s2sad.transform.accumulations import written_in
from s2sad.transform.array_layouts import is_rounded_alike, lies_in_rows
from s2sad.transform.array_lifetimes import ArrayLifetimes, find_array_lifetimes
from s2sad.transform.array_memory import (
    ArrayMemory,
    asks_for_lengths,
    changes_array,
    find_array_memory,
    is_array,
    is_at,
    makes_array,
    makes_view,
    unfix,
)
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.reverse.array_names import is_read_only
from s2sad.transform.rewrite import (
    Node,
    find_definitions,
    hand_over_names,
    map_blocks,
    replace_operands,
    with_body,
    with_operations,
)


def elide_copies(fn: Function) -> Function:
    """Take the array itself where a copy of it makes no difference."""
    memory = find_array_memory(fn)
    if not memory.has_arrays or all(copied(call) is None for call in calls_of(fn)):
        return fn
    eliding = _Eliding(fn, memory)
    body = eliding.visit(fn.body)
    return fn if body is fn.body else unfix(hand_over_names(with_body(fn, body), eliding.known))


def copied(call: Call) -> Value | None:
    """The array that a call copies, and does nothing else."""
    is_method = function_of(call) is call_method and len(call.arguments) == 2 and _is_text(call.arguments[1], "copy")
    if not is_method and not (function_of(call) is numpy.copy and len(call.arguments) == 1):
        return None
    source = call.arguments[0]
    if call.keywords or not isinstance(source, Value) or not is_array(source):
        return None
    return source


def _is_text(operand: Operand, text: str) -> bool:
    return isinstance(operand, Constant) and operand.value == text


class _Eliding:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.lifetimes: ArrayLifetimes = find_array_lifetimes(fn, memory)
        self.definitions = find_definitions(fn)
        self.known: dict[Value, Operand] = {}
        #: The memory of arrays about which something was decided: what was found out about it holds no more.
        self.decided = 0
        #: Who reads a value.
        self.readers: dict[Value, list[Node]] = {}
        for node in nodes_of(fn):
            for operand in dict.fromkeys(operands_of(node)):
                if isinstance(operand, Value):
                    self.readers.setdefault(operand, []).append(node)

    def visit(self, block: Block) -> Block:
        before = list(block.operations)
        after: list[Operation] = []
        position = 0
        while position < len(before):
            operation = before[position]
            position += 1
            if isinstance(operation, Call) and (moved := self.elide(operation, before[position:])) is not None:
                rest = [other for other in before[position:] if not any(other is call for call in moved)]
                before[position:] = [*moved, *rest]
                continue
            after.append(map_blocks(replace_operands(operation, self.known), self.visit))
        end = map_blocks(replace_operands(block.terminator, self.known), self.visit)
        return with_operations(block, after, end)

    def elide(self, call: Call, rest: list[Operation]) -> list[Operation] | None:
        """What to move here if a call is a copy that can go; None if it cannot."""
        source = copied(call)
        if source is None or (call.exact and not self.is_as_good(source, call)):
            return None
        concerned = self.memory.roots(source) | self.memory.roots(call.result)
        if self.decided & concerned:
            return None
        moved = [] if self.is_last_use(call, source) else self.movable_readers(call, source, rest)
        if moved is not None:
            self.known[call.result] = source
            self.decided |= concerned
        return moved

    def is_as_good(self, source: Value, call: Call) -> bool:
        """Whether what reads a copy gives the same, to the last bit, of what is copied: a copy lies in memory row after row."""
        if lies_in_rows(source, self.definitions):
            return True
        return all(isinstance(node, Call) and self.is_blind(node, call.result) for node in self.readers.get(call.result, ()))

    def is_blind(self, node: Call, copy: Value) -> bool:
        """Whether it makes no difference to a reader how an array lies in memory."""
        function = function_of(node)
        if not node.exact or is_rounded_alike(node) or asks_for_lengths(node):
            return True
        if function is operator.getitem and node.arguments[0] is copy:
            return isinstance(node.result.type, ScalarType)
        is_step = is_one_of(function, _EXACT_STEPS) and len(node.arguments) == 2
        return node.arguments[0] is not copy and (function is operator.setitem or is_step)

    def is_last_use(self, call: Call, source: Value) -> bool:
        """Whether nobody else has the memory that is copied any more."""
        if not self.memory.is_owned(source) or self.lifetimes.after(call) & self.memory.roots(source):
            return False
        if is_read_only(source, self.definitions):
            return False
        definition = self.definitions.get(source)
        # a view that is returned would keep its base alive
        return definition is None or not makes_view(definition) or not self.memory.roots(call.result) & self.memory.returned

    def movable_readers(self, call: Call, source: Value, rest: list[Operation]) -> list[Operation] | None:
        """What reads a copy, and must be computed right here, before a write, for the copy to go."""
        readers = self.readers.get(call.result, [])
        if len(readers) == 1 and (self.stores(readers[0], call.result, source) or self.adds(readers[0], call.result, source)):
            return [] if self.is_untouched(source, readers[0], rest) else None
        if (
            not readers
            or len(readers) > _MOST_READERS
            or not all(isinstance(node, Call) and _only_reads(node) for node in readers)
        ):
            return None
        missing = list(readers)
        found: list[Operation] = []
        between: set[Value] = set()
        written, acts = 0, False
        may_move = True
        for operation in rest:
            if operation in missing:
                assert isinstance(operation, Call)
                others = [operand for operand in operands_of(operation) if operand is not call.result]
                reads = self.memory.reach(functools.reduce(operator.or_, map(self.memory.roots, others), 0))
                is_free = not (operation.exact or acts or written & reads or any(operand in between for operand in others))
                may_move = may_move and is_free
                missing.remove(operation)
                found.append(operation)
                if not missing:
                    stays = not acts and not written & self.memory.roots(source)
                    return [] if stays else found if may_move else None
                continue
            between.update(results_of(operation))
            written |= written_in(operation, self.memory)
            acts = acts or _acts(operation)
        return None

    def stores(self, node: Node, copy: Value, source: Value) -> bool:
        """Whether a node only stores a copy into another array, or adds it there at places that may repeat."""
        if not isinstance(node, Call) or not (function_of(node) is operator.setitem or is_at(function_of(node))):
            return False
        if len(node.arguments) != 3 or node.arguments[2] is not copy:
            return False
        target, index, _ = node.arguments
        return copy is not index and is_array(target) and not self.memory.roots(target) & self.memory.roots(source)

    def adds(self, node: Node, copy: Value, source: Value) -> bool:
        """Whether a node only adds a copy (or the like) to another array. NumPy would see to it if they were one."""
        if not isinstance(node, Call) or not is_one_of(function_of(node), IN_PLACE) or node.arguments[0] is copy:
            return False
        return len(node.arguments) == 2 and node.arguments[1] is copy and is_array(node.arguments[0])

    def is_untouched(self, source: Value, reader: Node, rest: list[Operation]) -> bool:
        """Whether nothing writes to an array before the reader, which comes in the same block."""
        for operation in rest:
            if operation is reader:
                return True
            if _acts(operation) or written_in(operation, self.memory) & self.memory.roots(source):
                return False
        return False


#: What NumPy rounds as IEEE 754 says, in whatever order it comes to the elements.
_EXACT_STEPS = frozenset({operator.iadd, operator.isub, operator.imul, operator.itruediv})
#: Copies that are read more often are left where they are.
_MOST_READERS = 3


def _acts(operation: Operation) -> bool:
    """Whether an operation, or something inside it, does more than change arrays."""
    nodes = (operation, *(inner for block in blocks_of(operation) for inner in walk(block)))
    return any(isinstance(node, Call) and not changes_array(node) and not effects_of(node).is_removable for node in nodes)


def _only_reads(call: Call) -> bool:
    """Whether a call makes something new of its operands and leaves them alone."""
    if makes_array(call):
        return True
    effects = effects_of(call)
    return isinstance(call.result.type, ScalarType) and not effects.writes and not effects.acts
