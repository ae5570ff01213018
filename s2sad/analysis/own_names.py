"""Nested functions that call themselves or each other by their names, without the cells that the names live in.

Before::

    walk = make_cell(unbound)
    t = function captures (x, walk):
      def walk[x][walk](n):
        walk_1 = load_cell(walk)
        return walk_1(n - 1) * x
    store_cell(walk, t)
    walk_2 = load_cell(walk)
    return walk_2(3)

After::

    t = function captures (x):
      def walk[x](n):
        walk_1 = member()
        return walk_1(n - 1) * x
    return t(3)

``member()`` is a function of the group that the function which is being called belongs to: itself, or one that it calls and that
calls it. All functions of a group capture the same, so what the other one has captured is at hand. So the cell, which holds a
function that holds the cell, needs no shadow. It is done for variables that are bound in one place (`function_groups` finds the
functions). Where functions of a group have default arguments, all capture their values as well.

>>> from s2sad.frontend.lower import lower_source
>>> outer = lower_source('''
... def outer(x):
...     def even(n):
...         return x if n == 0 else odd(n - 1) * x
...     def odd(n):
...         return 1.0 if n == 0 else even(n - 1)
...     return even(3)
... ''')
>>> even, odd, called = call_themselves(outer).body.operations
>>> [value.name for value in even.captured], called.function is even.result
(['x'], True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.analysis.function_groups import Group, Member, find_group, is_same_each_time, members_called
from s2sad.analysis.known_cells import known_cells, visible_users
from s2sad.analysis.replace_cells import GivenFunction, is_of
from s2sad.analysis.split_cells import split_cells
from s2sad.analysis.unroll import Copy, copied_function
from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.memo import remembered
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    MakeFunction,
    Operand,
    Parameter,
    Return,
    Value,
    operands_of,
)
from s2sad.ir.operations import load_cell, make_cell, store_cell


@remembered()
def call_themselves(function: Function) -> Function:
    """The function, with the names of nested functions in no cells where that can be."""
    if make_cell in functions_called(function):
        function = split_cells(function)
    while make_cell in functions_called(function):
        known = known_cells(function)
        users = visible_users(function, known) if known else {}
        group = find_group(function, known, users)
        if group is not None:
            function = replace(function, body=_Arranged(group).block(function.body))
            continue
        found = next((one for one in known.items() if _may_go(function, *one, users)), None)
        if found is None:
            break
        function = _without_cell(function, *found)
    return function


def with_own_name(definition: Function) -> tuple[Function, Value] | None:
    """A function that calls itself without ``member()``, and the value that stands for it there, which it captures last. None for
    other functions."""
    called = members_called(definition)
    if len(called) != 1 or not all(is_copy(definition, member) for member in called.values()):
        return None
    return _capturing(definition, called), next(iter(called))


def group_maker(definition: Function) -> Function | None:
    """A function that makes one whose group has others in it: it is called with what that captures. None for other functions.

    What its functions capture of each other is not there yet where they are made: this is meant to be written as text."""
    functions: dict[Member, Function] = {}
    pending = [definition]
    while pending:
        for member in members_called(pending.pop()).values():
            if member not in functions:
                assert member.definition is not None
                functions[member] = definition if is_copy(definition, member) else copied_function(member.definition)
                pending.append(functions[member])
    if len(functions) < 2:
        return None
    made = {member: Value(one.name, temporary=True) for member, one in functions.items()}
    given = tuple(Value(value.name, temporary=True) for value in definition.captured)
    makers = []
    for member, one in functions.items():
        called = members_called(one)
        captured = (*given, *(made[other] for other in called.values()))
        makers.append(MakeFunction(made[member], _capturing(one, called), captured, given[member.first : member.end], one.span))
    own = next(made[member] for member, one in functions.items() if one is definition)
    return Function(f"make_{definition.name}", tuple(map(Parameter, given)), Block(tuple(makers), Return(own)))


def is_copy(definition: Function, member: Member) -> bool:
    """Whether a function is a member of a group, or a copy of it: where it comes from is the same."""
    assert member.definition is not None
    return member.definition.span is definition.span


def _capturing(definition: Function, called: Mapping[Value, Member]) -> Function:
    """A function that captures functions of its group last of all."""
    rest = tuple(one for one in definition.body.operations if not isinstance(one, Call) or one.result not in called)
    return replace(definition, captured=(*definition.captured, *called), body=Block(rest, definition.body.terminator))


def _may_go(function: Function, cell: Value, maker: MakeFunction, users: Mapping[Call | MakeFunction, MakeFunction]) -> bool:
    """Whether all who read a cell can be given the function that it holds."""
    readers = [node for node in nodes_of(function) if cell in operands_of(node) and not is_of(store_cell, node, cell)]
    if not all(node in users for node in readers):
        return False
    return is_same_each_time(function, cell, [maker]) or not any(isinstance(node, MakeFunction) for node in readers)


def _without_cell(function: Function, cell: Value, maker: MakeFunction) -> Function:
    values: dict[Value, Operand] = {cell: maker.result}
    loads = [node for node in nodes_of(function) if isinstance(node, Call) and is_of(load_cell, node, cell)]
    values.update((node.result, maker.result) for node in loads)
    gone = {cell, *(node.result for node in nodes_of(function) if isinstance(node, Call) and is_of(store_cell, node, cell))}
    given = GivenFunction(values, gone, cell)
    body = given.block(function.body)
    for node in given.functions:
        for called in members_called(node.definition).values():
            if called.definition in given.definitions:
                called.definition = given.definitions[called.definition]
    return replace(function, body=body)


class _Arranged(Copy):
    """The same blocks with the functions of a group one after the other, tied to each other."""

    def __init__(self, group: Group) -> None:
        super().__init__({})
        self.group = group

    def new(self, value: Value) -> Value:
        return value

    def block(self, block: Block) -> Block:
        if block is self.group.home:
            operations = self.group.arranged(_tied(self.group))
            return Block(operations, block.terminator)
        return super().block(block)


def _tied(group: Group) -> dict[Value, MakeFunction]:
    """The functions of a group, each of which captures what all of them do, by their results."""
    members = {maker: Member() for maker in group.circle}
    slots = list(dict.fromkeys(slot for maker in group.circle for slot, _ in group.own_captures(maker)))
    defaults = [(maker, parameter.value.name) for maker in group.circle for parameter in _with_defaults(maker.definition)]
    made = {}
    for maker, member in members.items():
        definition, own = maker.definition, dict(group.own_captures(maker))
        values = [own.get(slot) or Value(getattr(slot[0], "name", ""), temporary=True) for slot in slots]
        values += [Value(name, temporary=True) for _, name in defaults]
        positions = [len(slots) + index for index, (other, _) in enumerate(defaults) if other is maker]
        member.first, member.end = (positions[0], positions[-1] + 1) if positions else (0, 0)
        body, named = definition.body, []
        for inner, other in group.calls_of(maker).items():
            called = Value(other.definition.name, temporary=True)
            body = GivenFunction.of(body, inner, called)
            named.append(Call(called, Constant(members[other]), (), (), definition.span))
        member.definition = replace(
            definition,
            name=definition.name.strip("<>"),  # a lambda that has a name
            captured=tuple(values),
            body=Block((*named, *body.operations), body.terminator),
        )
        for earlier in members_called(definition).values():  # it was in a smaller group
            if earlier.definition is definition:
                earlier.definition, earlier.first, earlier.end = member.definition, member.first, member.end
        captured = (*(operand for operand, _ in slots), *(default for other in group.circle for default in other.defaults))
        made[maker.result] = replace(maker, definition=member.definition, captured=captured)
    return made


def _with_defaults(definition: Function) -> list[Parameter]:
    return [parameter for parameter in definition.parameters if parameter.has_default]
