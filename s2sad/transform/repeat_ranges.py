"""A loop over a saved list of which it reads nothing runs as often as the loop that filled the list.

Before::                                              After::

    for k in range(n):                                    for k in range(n):
        u_saved.append(u)                                     …
        …                                                 for _ in range(n):
    for _ in u_saved[::-1]:                                   x_bar *= 2
        x_bar *= 2

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import FLOAT, INT, NONE, IteratorType, ListType
>>> n, saved, turned = Value("n", INT), Value("u_saved", ListType(FLOAT)), Value("", ListType(FLOAT))
>>> runs, last = Value("", IteratorType(range, INT)), slice(None, None, -1)
>>> fill = Call(Value("", NONE), Constant(call_method), (saved, Constant("append"), Constant(1.0)))
>>> act = Call(Value("", NONE), Constant(print), ())
>>> operations = (
...     Call(saved, Constant(make_list), ()),
...     Call(runs, Constant(range), (n,)),
...     For(Value("k", INT), runs, (), Block((fill,), Yield())),
...     Call(turned, Constant(operator.getitem), (saved, Constant(last)), exact=False),
...     For(Value("u", FLOAT), turned, (), Block((act,), Yield())),
... )
>>> f = repeat_ranges(Function("f", (Parameter(n),), Block(operations, Return(n))))
>>> f.body.operations[-2].function, f.body.operations[-1].iterable is f.body.operations[-2].result
(Constant(<class 'range'>), True)

The list is then filled for nobody, and is dead code.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operation, Terminator, Value, Yield, function_of, leaves_of_block
from s2sad.ir.operations import call_method, make_list
from s2sad.transform.constant_slices import is_reversal
from s2sad.transform.rewrite import find_definitions, find_readers, map_blocks, with_body, with_operations

Node = Operation | Terminator


def repeat_ranges(fn: Function) -> Function:
    """Run over a range again in place of what was saved in each of its trips."""
    if sum(isinstance(region, For) for region in regions_of(fn)) < 2:
        return fn
    return with_body(fn, _Repeating(fn).visit(fn.body))


class _Repeating:
    def __init__(self, fn: Function) -> None:
        self.definitions = find_definitions(fn)
        self.readers = find_readers(fn)

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, For) and (count := self.count_of(node, block.operations)) is not None:
                operations.append(count)
                node = replace(node, iterable=count.result)
            operations.append(map_blocks(node, self.visit))
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def count_of(self, loop: For, around: Sequence[Operation]) -> Call | None:
        """A range of as many numbers as a saved list has elements; None where the elements are read, or that is not known."""
        turned = self.call_of(loop.iterable)
        if turned is None or turned.exact or function_of(turned) is not operator.getitem or self.readers.get(loop.target):
            return None
        saved, key = turned.arguments
        made = self.call_of(saved)
        if made is None or made not in around or function_of(made) is not make_list or made.arguments:
            return None
        others = [node for node in self.readers[made.result] if node is not turned]
        if not is_reversal(key, {}) or len(others) != 1 or not appends(others[0], made.result):
            return None
        filling = next((node for node in around if isinstance(node, For) and others[0] in node.body.operations), None)
        if filling is None or not all(isinstance(end, Yield) for end in leaves_of_block(filling.body)):
            return None  # a trip that leaves the loop is the last one
        if turned not in around or around.index(filling) > around.index(turned):
            return None
        trips = self.call_of(filling.iterable)
        if trips is None or function_of(trips) is not range:
            return None
        return replace(trips, result=Value("", trips.result.type, temporary=True), exact=False)

    def call_of(self, operand: object) -> Call | None:
        """The call that computes an operand."""
        found = self.definitions.get(operand) if isinstance(operand, Value) else None
        return found if isinstance(found, Call) else None


def appends(node: Node, saved: Value) -> bool:
    """Whether all that a node does is to append something to a list."""
    if not isinstance(node, Call) or function_of(node) is not call_method or node.arguments[0] is not saved:
        return False
    return isinstance(node.arguments[1], Constant) and node.arguments[1].value == "append" and saved not in node.arguments[2:]
