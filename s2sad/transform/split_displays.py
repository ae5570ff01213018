"""Let lists and dicts that only hold a few values for a while be those values.

Before::                                 After::

    p = make_dict('a', x, 'b', y)            t = mul(x, y)
    a = getitem(p, 'a')                      return t
    b = getitem(p, 'b')
    t = mul(a, b)
    setitem(p, 'c', t)
    c = getitem(p, 'c')
    return c

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.operations import make_dict
>>> from s2sad.ir.types import FLOAT
>>> import operator
>>> x, p, a = Value("x", FLOAT), Value("p"), Value("a", FLOAT)
>>> made = Call(p, Constant(make_dict), (Constant("a"), x))
>>> read = Call(a, Constant(operator.getitem), (p, Constant("a")))
>>> split_displays(Function("f", (Parameter(x),), Block((made, read), Return(a)))).body
Block(operations=(), terminator=Return(value=<x: float>, span=None))

The container must have no other name, and be read and stored to under literal keys alone, all of them there; it is stored to
where it is made, not in a branch or loop inside, so that what a place holds is the same on every way to a read.
"""

from __future__ import annotations

import operator
from functools import partial

from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Block, Branch, Call, Constant, Function, Operand, Operation, Value, operands_of, walk
from s2sad.ir.operations import make_dict, make_list
from s2sad.transform.purity import find_private_containers, function_of, is_number
from s2sad.transform.rewrite import map_blocks, substitute_block, with_body, with_operations

#: What a container holds at some place in the program, by key or index; None where it is not made yet.
Contents = dict[object, Operand] | None
_KEYS = (str, int)


def split_displays(fn: Function) -> Function:
    """Replace reads of such containers by what they hold, and drop the containers."""
    private = find_private_containers(fn)
    for node in nodes_of(fn) if private else ():
        if isinstance(node, Call) and node.result in private and _is_display(node) and _has_literal_uses(fn, node.result):
            splitting = _Splitting(node)
            body = splitting.tree(fn.body, None)
            fn = fn if splitting.fails else with_body(fn, substitute_block(body, splitting.final()))
    return fn


def _is_display(node: Call) -> bool:
    """Whether a call makes a list, or a dict whose keys are literals."""
    if function_of(node) is make_dict:
        return all(isinstance(key, Constant) and type(key.value) in _KEYS for key in node.arguments[::2])
    return function_of(node) is make_list


def _has_literal_uses(fn: Function, value: Value) -> bool:
    """Whether a container is only read and stored to under literal keys."""
    return all(_key_of(node, value) is not None for node in nodes_of(fn) if value in operands_of(node))


def _key_of(node: object, value: Value) -> Constant | None:
    """The literal key under which a call reads a container, or stores to it."""
    if not isinstance(node, Call) or function_of(node) not in (operator.getitem, operator.setitem):
        return None
    container, key, *stored = node.arguments
    if container is not value or value in stored or not isinstance(key, Constant) or type(key.value) not in _KEYS:
        return None
    return key


class _Splitting:
    """The attempt to do without one container."""

    def __init__(self, made: Call) -> None:
        self.made = made
        self.is_list = function_of(made) is make_list
        self.read: dict[Value, Operand] = {}
        self.fails = False

    def final(self) -> dict[Value, Operand]:
        """What was read, as what it was before it was stored."""

        def origin(operand: Operand) -> Operand:
            while isinstance(operand, Value) and operand in self.read:
                operand = self.read[operand]
            return operand

        return {value: origin(value) for value in self.read}

    def tree(self, block: Block, contents: Contents) -> Block:
        """A block without the container; stores count for what follows, also in the arms that the block ends with."""
        operations: list[Operation] = []
        for operation in block.operations:
            if operation is self.made:
                contents = self.display()
            elif isinstance(operation, Call) and (key := _key_of(operation, self.made.result)) is not None:
                self.access(operation, key, contents)
            else:
                within = partial(self.tree if contents is None else self.region, contents=contents)
                operations.append(map_blocks(operation, within))
        end = block.terminator
        if isinstance(end, Branch):
            end = map_blocks(end, lambda arm: self.tree(arm, None if contents is None else dict(contents)))
        return with_operations(block, operations, end)

    def region(self, block: Block, contents: Contents) -> Block:
        """A block inside another region than that in which the container is made: it may only be read there."""
        self.fails |= any(
            isinstance(node, Call) and function_of(node) is operator.setitem and _key_of(node, self.made.result) is not None
            for node in walk(block)
        )
        return self.tree(block, contents)

    def display(self) -> Contents:
        arguments = self.made.arguments
        if self.is_list:
            return dict(enumerate(arguments))
        keys = [key.value for key in arguments[::2] if isinstance(key, Constant)]
        return dict(zip(keys, arguments[1::2], strict=True))

    def access(self, call: Call, key: Constant, contents: Contents) -> None:
        """Note what a read finds or a store does; of a place that is not there, it raises."""
        place: object = key.value
        if contents is None or (self.is_list and not isinstance(place, int)):
            self.fails = True
            return
        if self.is_list and isinstance(place, int) and place < 0:
            place += len(contents)
        is_store = function_of(call) is operator.setitem
        if place not in contents and (self.is_list or not is_store):
            self.fails = True
        elif is_store:
            contents[place] = call.arguments[2]
        else:
            self.fails |= not is_number(contents[place]) and isinstance(contents[place], Value)
            self.read[call.result] = contents[place]
