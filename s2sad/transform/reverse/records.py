"""What a recursive function keeps for its reverse half: one record a call, on a stack that all calls share.

``def walk(x, n): ... y = f(x); walk(y, n - 1)`` in two halves, where `y` and `z` are needed again::

    def walk_forward(x, n, kept):               def walk_reverse(x, n, x_bar, kept):
        if n > 0:                                   if n > 0:
            ...                                         y, z = kept.pop()
            walk_forward(y, n - 1, kept)                walk_reverse(y, n - 1, y_bar, kept)
            kept.append((y, z))                         ...

A record is pushed where the values are made, so that calls that keep nothing push nothing. Two branches push a record each, as
long as these have one type; otherwise the record is made after the branches, with None for what the other branch has made. So
the stack has one type, and what is taken off it too. For the same reason, functions that call each other have a stack each.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from s2sad.analysis.specialisation import Context
from s2sad.analysis.structure import Structure
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Parameter, Value
from s2sad.ir.operations import call_method, make_list, make_tuple
from s2sad.ir.types import ANY, FLOAT, ListType, TupleType, Type
from s2sad.transform.rewrite import copy_function, map_blocks, with_operations


@dataclass(frozen=True, eq=False)
class Record:
    """What one block of a recursive function pushes when it has come to its end: values by the names that they have there, and
    under which the reverse half takes them; `lists` among them are made where the block begins."""

    stack: Value
    values: tuple[Value, ...]
    restored: Mapping[Value, Value]
    lists: tuple[Value, ...]

    @property
    def new_lists(self) -> list[Operation]:
        """The statements that make the lists."""
        return [make_list_of(value) for value in self.lists]

    def push(self) -> list[Operation]:
        """The statement at the end of the forward block."""
        if len(self.values) == 1:
            return [_call_of_stack(self.stack, "append", self.values[0])]
        record = Value("", _type_of(self.values), temporary=True)
        made = Call(record, Constant(make_tuple), self.values, (), None, exact=False)
        return [made, _call_of_stack(self.stack, "append", record)]

    def pop(self) -> list[Operation]:
        """The statements at the start of the reverse block."""
        if len(self.values) == 1:
            return [_call_of_stack(self.stack, "pop", result=next(iter(self.restored.values())))]
        record = Value("", _type_of(self.values), temporary=True)
        return [_call_of_stack(self.stack, "pop", result=record), *unpack(record, [*self.restored.values()])]


def blocks_with_records(homes: Mapping[Value, Block], structure: Structure) -> dict[Block, list[Value]]:
    """The blocks that push records, with the values in each. A record has all that was made in the blocks inside its own."""
    outermost = {value: outside_loops(home, structure) for value, home in homes.items()}
    found = {*outermost.values()}
    blocks = [block for block in outermost.values() if not any(structure.encloses(o, block) for o in found - {block})]
    groups = {block: [value for value, home in outermost.items() if structure.encloses(block, home)] for block in blocks}
    if len({_type_of(group) for group in groups.values()}) > 1:
        return {innermost_around(groups, structure): list(homes)}
    return groups


def innermost_around(blocks: Iterable[Block], structure: Structure) -> Block:
    """The innermost block that has all of these in it."""
    first, *others = blocks
    while not all(structure.encloses(first, other) for other in others):
        first = structure.owner[first][1]
    return first


def outside_loops(block: Block, structure: Structure) -> Block:
    """The block, or the one outside of the loops that it is in."""
    while structure.depth[block] > 0:
        block = structure.owner[block][1]
    return block


def new_stack(name: str) -> Value:
    """A stack of records."""
    return Value(name, ListType(FLOAT), temporary=True)


@dataclass(frozen=True, eq=False)
class RecursiveHalves:
    """The halves of a recursive function before it is known which functions call each other: `stack` stands for all stacks."""

    halves: Sequence[tuple[Function, Callee]]
    stack: Value
    #: Whether the function keeps anything itself.
    pushes: bool
    context: Context

    @property
    def name(self) -> str:
        """What its stack is called among others."""
        return f"{self.halves[-1][1].name.removesuffix('_reverse')}_kept"

    def with_stacks(self, half: Function, stacks: Sequence[Value], own: Value | None) -> Function:
        """A half that takes and hands on all these stacks, and works on its own."""

        def one(node: Operation) -> Operation:
            if not isinstance(node, Call):
                return map_blocks(node, visit)
            if self.stack not in node.arguments:
                return node
            if isinstance(node.function, Constant) and node.function.value is call_method:
                assert own is not None
                return replace(node, arguments=(own, *node.arguments[1:]))
            others = [operand for operand in node.arguments if operand is not self.stack]
            return replace(node, arguments=(*others, *stacks))

        def visit(block: Block) -> Block:
            return with_operations(block, [one(operation) for operation in block.operations], map_blocks(block.terminator, visit))

        parameters = [parameter for parameter in half.parameters if parameter.value is not self.stack]
        parameters += map(Parameter, stacks)
        return replace(half, parameters=tuple(parameters), body=visit(half.body))


def finish_circle(circle: Sequence[RecursiveHalves]) -> tuple[tuple[str, ...], list[tuple[Function, Context, Callee]]]:
    """The halves of functions that call each other, each with the stacks of all; first, the names of these."""
    pushing = [one for one in circle if one.pushes]
    names = tuple(one.name for one in pushing)
    finished = []
    for one in circle:
        for half, callee in one.halves:
            stacks = {member: new_stack("kept" if len(pushing) == 1 else member.name) for member in pushing}
            with_stacks = one.with_stacks(half, [*stacks.values()], stacks.get(one))
            finished.append((copy_function(with_stacks), one.context, callee))
    return names, finished


def make_list_of(value: Value) -> Call:
    """The statement that makes a list for saved values."""
    return Call(value, Constant(make_list), (), (), None, exact=False)


def unpack(saved: Value, parts: Sequence[Value]) -> list[Operation]:
    """The elements of a tuple, under names of their own."""
    return [
        Call(value, Constant(operator.getitem), (saved, Constant(index)), (), None, exact=False)
        for index, value in enumerate(parts)
    ]


def _type_of(values: Sequence[Value]) -> Type:
    kinds = tuple(value.type for value in values)
    return kinds[0] if len(kinds) == 1 else TupleType(kinds)


def _call_of_stack(stack: Value, method: str, *arguments: Value, result: Value | None = None) -> Call:
    result = result or Value("", ANY, temporary=True)
    return Call(result, Constant(call_method), (stack, Constant(method), *arguments), (), None, exact=False)
