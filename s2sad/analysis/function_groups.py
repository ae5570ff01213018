"""Nested functions that call each other by names which are bound after some of them are made.

In ::

    def outer(x):
        def even(n):
            return x if n == 0 else odd(n - 1) * x
        y = x * x
        def odd(n):
            return y if n == 0 else even(n - 1)
        return even(3)

`even` is made when the cell of `odd` is still empty. It is called later only, so it may as well be made where `odd` is: then all
that either of them captures is there. The functions that come to be made together are a `Group`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from s2sad.analysis.replace_cells import all_nodes, is_of
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import (
    Block,
    Call,
    For,
    Function,
    MakeFunction,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    blocks_of,
    function_of,
    operands_of,
    parameters_of,
    results_of,
    walk,
)
from s2sad.ir.operations import load_cell, store_cell

#: What a function captures: the operand, and how many times it has captured that before (two variables may hold one value).
Slot = tuple[Operand, int]


@dataclass(slots=True, eq=False)
class Member:
    """The operation ``member()`` in a nested function: a function of its group. `definition` is that function, and is set when it
    is complete; the values of its default arguments are those captured from `first` to `end`."""

    definition: Function | None = None
    first: int = 0
    end: int = 0


def members_called(definition: Function) -> dict[Value, Member]:
    """The functions of its own group that a function reads, by the values that they are there."""
    return {
        node.result: member
        for node in definition.body.operations
        if isinstance(node, Call) and isinstance(member := function_of(node), Member)
    }


@dataclass(frozen=True, eq=False)
class Group:
    """Functions made in the block `home` that wait for the last of them: `circle` are those which call each other in a circle,
    `others` only call these. `cells` tells which function is in which cell."""

    home: Block
    circle: tuple[MakeFunction, ...]
    others: tuple[MakeFunction, ...]
    cells: Mapping[Value, MakeFunction]
    #: The position of the operation in `home` before which they are made.
    place: int

    def own_captures(self, maker: MakeFunction) -> list[tuple[Slot, Value]]:
        """What a function of the circle captures besides functions of the circle, and as which value it finds that."""
        found: list[tuple[Slot, Value]] = []
        for operand, inner in zip(maker.captured, maker.definition.captured, strict=True):
            if self.member(operand) is None:
                found.append(((operand, sum(slot[0] is operand for slot, _ in found)), inner))
        return found

    def calls_of(self, maker: MakeFunction) -> dict[Value, MakeFunction]:
        """The functions of the circle that one captures, by the values that it finds them in."""
        pairs = zip(maker.captured, maker.definition.captured, strict=True)
        return {inner: other for operand, inner in pairs if (other := self.member(operand)) is not None}

    def member(self, operand: Operand) -> MakeFunction | None:
        """The function of the circle that an operand, or the cell that it is, stands for."""
        maker = function_in(operand, self.cells, self.circle)
        return maker if maker in self.circle else None

    def arranged(self, made: Mapping[Value, MakeFunction]) -> tuple[Operation, ...]:
        """The operations of `home`, with functions of the group as they are `made` now."""
        makers = (*self.circle, *self.others)
        stores: dict[MakeFunction, list[Operation]] = {maker: [] for maker in makers}
        before: list[Operation] = []
        for operation in self.home.operations[: self.place]:
            stored = stored_function(operation, self.cells)
            if stored in makers:
                stores[stored].append(operation)
            elif operation not in makers:
                before.append(operation)
        functions = [made.get(maker.result, maker) for maker in self.circle]
        bound = [store for maker in self.circle for store in stores[maker]]
        rest = [operation for maker in self.others for operation in (maker, *stores[maker])]
        return (*before, *functions, *bound, *rest, *self.home.operations[self.place :])


def find_group(
    function: Function, known: Mapping[Value, MakeFunction], users: Mapping[Call | MakeFunction, MakeFunction]
) -> Group | None:
    """Functions that can be made together, so that none reads a cell which is filled later."""
    if not known:
        return None
    for home in blocks_inside(function.body):
        places = {node: place for place, node in enumerate(home.operations)}
        here = [one for one in known.items() if one[1] in places]
        for cell, maker in sorted(here, key=lambda one: places[one[1]], reverse=True):  # the last one has the most before it
            group = _group_of(function, home, cell, maker, known, users)
            if group is not None and _may_be_made_together(function, cell, group, users):
                return group
    return None


def _group_of(
    function: Function,
    home: Block,
    cell: Value,
    maker: MakeFunction,
    known: Mapping[Value, MakeFunction],
    users: Mapping[Call | MakeFunction, MakeFunction],
) -> Group | None:
    end = next((place for place, node in enumerate(home.operations) if is_of(store_cell, node, cell)), None)
    waiting = [node for node in nodes_of(function) if isinstance(node, MakeFunction) and cell in node.captured]
    waiting = [node for node in waiting if users.get(node) is not maker]
    if end is None or not waiting or any(node not in home.operations for node in waiting):
        return None
    makers = [node for node in home.operations[:end] if isinstance(node, MakeFunction)]
    group = [node for node in makers if node in waiting or node is maker]
    while True:
        more = [node for node in makers if node in group or any(function_in(o, known, makers) in group for o in node.captured)]
        if len(more) == len(group):
            break
        group = more
    is_default = any(function_in(operand, known, group) in group for one in group for operand in one.defaults)
    if is_default or _is_used(home.operations[:end], group, known):
        return None
    circle = _reached(maker, group, known)
    others = [one for one in group if one not in circle]
    if circle == [maker] and maker not in waiting:  # it calls none of those that wait for it
        return Group(home, (), (maker, *others), known, end + 1)
    return Group(home, tuple(circle), tuple(others), known, end + 1)


def _reached(maker: MakeFunction, group: Sequence[MakeFunction], known: Mapping[Value, MakeFunction]) -> list[MakeFunction]:
    """A function, and those of a group, all of which call it, that it calls."""
    found = {maker}
    pending = [maker]
    while pending:
        called = {function_in(operand, known, group) for operand in pending.pop().captured}
        new = [one for one in group if one in called - found]
        found.update(new)
        pending += new
    return [one for one in group if one in found]


def _is_used(operations: Sequence[Operation], group: Sequence[MakeFunction], known: Mapping[Value, MakeFunction]) -> bool:
    """Whether some of the operations do more with the functions of a group than to put each into its cell."""
    first = min(operations.index(maker) for maker in group)
    for operation in operations[first:]:
        if operation in group or stored_function(operation, known) in group:
            continue
        for node in all_nodes(operation):
            if any(function_in(operand, known, group) in group for operand in operands_of(node)):
                return True
    return False


def is_same_each_time(function: Function, cell: Value, makers: Sequence[MakeFunction]) -> bool:
    """Whether all functions that are put into a cell in turn, and those that wait for it, do the same: what they capture is the
    same in each trip of the loops in which they are made."""
    loops = _loops_between(function.body, cell, makers[0])
    nodes = [node for loop in loops[:1] for node in all_nodes(loop) if isinstance(node, Operation)]
    changing = {value for node in nodes for value in (*parameters_of(node), *results_of(node))}
    steady = {maker.result for maker in makers}
    for node in nodes:
        if isinstance(node, MakeFunction) and changing.isdisjoint({*node.captured, *node.defaults} - steady):
            steady.add(node.result)
    return all(changing.isdisjoint({*maker.captured, *maker.defaults} - steady) for maker in makers)


def _may_be_made_together(
    function: Function, cell: Value, group: Group, users: Mapping[Call | MakeFunction, MakeFunction]
) -> bool:
    """Whether each function of a circle finds the others of its own trip in their cells."""
    is_same = not group.circle or is_same_each_time(function, cell, group.circle)
    return is_same or _is_called_in_its_trip(function, group, users)


def _is_called_in_its_trip(function: Function, group: Group, users: Mapping[Call | MakeFunction, MakeFunction]) -> bool:
    """Whether functions of a circle are called only, by others and by each other, so that none is called when the next one of its
    name is in the cell."""
    for maker in group.circle:
        cells = {cell for cell, other in group.cells.items() if other is maker}
        others = [node for node in nodes_of(function) if node not in group.circle and not _is_kept_in(node, group.cells)]
        loads = [node for node in others if isinstance(node, Call) and any(is_of(load_cell, node, cell) for cell in cells)]
        if any(users.get(load) is not maker for load in loads) or not _are_only_called(others, {maker.result, *cells}):
            return False
        if not _are_only_called(nodes_of(maker.definition), {*group.calls_of(maker)}):
            return False
    return True


def _is_kept_in(node: Operation | Terminator, cells: Mapping[Value, MakeFunction]) -> bool:
    return isinstance(node, Operation) and stored_function(node, cells) is not None


def _are_only_called(nodes: Sequence[Operation | Terminator], functions: Set[Operand]) -> bool:
    """Whether nothing is done with functions, or with those in these cells, than to call them."""
    loads = {node for node in nodes if isinstance(node, Call) and any(is_of(load_cell, node, one) for one in functions)}
    values = functions | {node.result for node in loads if isinstance(node, Call)}
    for node in nodes:
        operands = operands_of(node)[1:] if isinstance(node, Call) else operands_of(node)
        if node not in loads and not values.isdisjoint(operands):
            return False
    return True


def _loops_between(body: Block, cell: Value, maker: MakeFunction) -> list[For | While]:
    """The loops around a function that are not around the making of a cell."""
    for node in (*body.operations, body.terminator):
        if node is maker:
            return []
        inside = [inner for inner in blocks_of(node) if any(one is maker for one in walk(inner))]
        if inside:
            loops = _loops_between(inside[0], cell, maker)
            has_cell = any(isinstance(one, Call) and one.result is cell for one in walk(inside[0]))
            return [node, *loops] if isinstance(node, For | While) and not has_cell else loops
    return []


def function_in(operand: Operand, cells: Mapping[Value, MakeFunction], makers: Sequence[MakeFunction]) -> MakeFunction | None:
    """The function that an operand is, or that is in the cell which it is."""
    if operand in cells:
        return cells[operand]  # type: ignore[index]
    return next((maker for maker in makers if maker.result is operand), None)


def stored_function(operation: Operation, cells: Mapping[Value, MakeFunction]) -> MakeFunction | None:
    """The function that an operation puts into its cell."""
    if isinstance(operation, Call) and function_of(operation) is store_cell and operation.arguments[0] in cells:
        return cells[operation.arguments[0]]  # type: ignore[index]
    return None


def blocks_inside(body: Block) -> Iterator[Block]:
    """A block, and those inside it."""
    yield body
    for node in (*body.operations, body.terminator):
        for inner in blocks_of(node):
            yield from blocks_inside(inner)
