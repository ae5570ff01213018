"""Reads of elements that nothing writes afterwards: what the reverse sweep finds there is what was read.

In ::

    for i in range(1, n):
        for j in range(1, m):
            d[i, j] = c[i, j] + min(d[i - 1, j], d[i, j - 1])

each element of ``d`` that is read was set in an earlier trip, and no later one sets it again: the reverse sweep reads it from
``d``, which is not put back, and nothing is saved.

A store writes to an element that is read in the trips in which its indices are those of the read. For each loop around both,
from the outermost, that trip comes before the one of the read, or is the same, or nothing is known of it (see
:mod:`s2sad.transform.reverse.index_bounds`). Negative indices count from the other end; nothing is known of them.

What a trip makes is not what it found: in ``new = []; ...; new.append(old[i]); ...; old = new`` nothing writes to ``old`` after
it is read.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from s2sad.analysis.memory import references_in
from s2sad.analysis.structure import Structure
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import (
    Block,
    Branch,
    Call,
    Constant,
    For,
    Function,
    If,
    Operand,
    Operation,
    Terminator,
    Value,
    While,
    arguments_of,
    blocks_of,
    function_of,
    parameters_of,
    walk,
)
from s2sad.ir.types import ListType
from s2sad.transform.offsets import is_integer
from s2sad.transform.purity import changed_container
from s2sad.transform.reverse.array_names import is_view, memory_of
from s2sad.transform.reverse.distinct_rows import has_distinct_rows
from s2sad.transform.reverse.index_bounds import Bounds, Known, known_in, lower_bounds, step_of, upper_bounds
from s2sad.transform.reverse.new_lists import makes_new_list
from s2sad.transform.reverse.timeline import Timeline
from s2sad.transform.reverse.written_once import parts_of


@dataclass(frozen=True, slots=True)
class _Access:
    """What a call reads or writes: elements of the container `root` (None: of any) at indices; those that are missing may be any,
    as may those that are no integers."""

    call: Call
    home: Block
    root: Value | None
    indices: Sequence[Operand] = ()


class SettledReads:
    """Which calls of a function read only what nothing writes after them."""

    def __init__(
        self, function: Function, structure: Structure, timeline: Timeline, origins: Mapping[Value, Value | None]
    ) -> None:
        self.function = function
        self.structure = structure
        self.timeline = timeline
        self.origins = origins
        self.writes: dict[int, list[_Access]] = {}
        self.known: dict[Call, bool] = {}
        #: Of which lists of lists each row has a place of its own, by region.
        self.distinct: dict[int, bool] = {}

    def is_settled(self, call: Call) -> bool:
        """Whether nothing that a call reads of lists and arrays is written after it."""
        if call not in self.known:
            self.known[call] = all(
                write.call is not call and self.is_before(write, self.access(call, owner, key))
                for owner, key in _reads(call)
                for region in (_regions(owner) if key is None else _own_regions(owner))
                for write in self.writes_to(region)
            )
        return self.known[call]

    def stays(self, store: Call) -> bool:
        """Whether nothing is written after a store to the element that it sets."""
        if store not in self.known:
            owner = store.arguments[0]
            assert isinstance(owner, Value)
            stored = self.access(store, owner, store.arguments[1])
            others = [write for region in _own_regions(owner) for write in self.writes_to(region)]
            self.known[store] = stored.root is not None and all(self.is_before(write, stored) for write in others)
        return self.known[store]

    def writes_to(self, region: int) -> list[_Access]:
        """What writes to a region."""
        if region not in self.writes:
            nodes = [node for node in walk(self.function.body) if isinstance(node, Call)]
            self.writes[region] = [self.write(node, region) for node in nodes if region in self.timeline.writes[node]]
        return self.writes[region]

    def write(self, call: Call, region: int) -> _Access:
        """What a call may write of a region."""
        owner = changed_container(call)
        if owner is not None and region in _own_regions(owner):
            return self.access(call, owner, call.arguments[1] if function_of(call) is operator.setitem else None)
        return _Access(call, self.structure.home[call.result], None)

    def access(self, call: Call, owner: Value, key: Operand | None) -> _Access:
        """What is read or written by way of a container, which may be a view of another."""
        home = self.structure.home[call.result]
        indices = self.indices_of(key) if key is not None else ()
        if isinstance(owner.type, ListType):
            return self.access_of_list(call, owner, indices)
        made = self.structure.definition.get(owner)
        if not isinstance(made, Call) or not is_view(made):
            return _Access(call, home, self.origins.get(owner), indices)
        source = made.arguments[0]
        if function_of(made) is not operator.getitem or not isinstance(source, Value):
            return _Access(call, home, None)
        first = self.indices_of(made.arguments[1])
        is_row = all(map(is_integer, first)) and len(first) == len(parts_of(made.arguments[1], self.structure))
        return _Access(call, home, self.origins.get(source), (*first, *indices) if is_row else first)

    def access_of_list(self, call: Call, owner: Value, indices: Sequence[Operand]) -> _Access:
        """The same for a list, which may be the row of another."""
        load = self.structure.definition.get(owner)
        while isinstance(load, Call) and function_of(load) is operator.getitem:
            source, index = load.arguments
            if not isinstance(source, Value) or not is_integer(index) or not self.has_distinct_rows(source):
                break
            owner, indices = source, (index, *indices)
            load = self.structure.definition.get(owner)
        return _Access(call, self.structure.home[call.result], owner, indices)

    def has_distinct_rows(self, rows: Value) -> bool:
        """Whether each row of a list has a place of its own, and stays there."""
        kind = rows.type
        if not isinstance(kind, ListType) or not isinstance(kind.element, ListType):
            return False
        if kind.region not in self.distinct:
            self.distinct[kind.region] = has_distinct_rows(self.function, kind.region)
        return self.distinct[kind.region]

    def indices_of(self, key: Operand) -> list[Operand]:
        """What a key has for the first axes: integers, and slices."""

        def is_for_one_axis(part: Operand) -> bool:
            definition = self.structure.definition.get(part) if isinstance(part, Value) else None
            is_slice = isinstance(part, Constant) and isinstance(part.value, slice)
            return is_integer(part) or is_slice or (isinstance(definition, Call) and function_of(definition) is slice)

        return list(takewhile(is_for_one_axis, parts_of(key, self.structure)))

    def is_before(self, write: _Access, read: _Access) -> bool:
        """Whether a write, wherever it writes to what is read, is done by then."""
        if self.is_of_later_object(write, read):
            return True
        if write.root is None or write.root is not read.root:
            write, read = (_Access(access.call, access.home, None) for access in (write, read))
        return _Comparison(self.structure, self.timeline, write, read).is_before()

    def is_of_later_object(self, write: _Access, read: _Access) -> bool:
        """Whether a write goes to what a trip of a loop has made, and the read to what that trip found."""
        if write.root is None or read.root is None or not _is_made_anew(write.root, self.structure):
            return False
        block = self.structure.home[write.root]
        while block in self.structure.owner:
            node, parent = self.structure.owner[block]
            if isinstance(node, (For, While)) and any(self.structure.encloses(inner, read.home) for inner in blocks_of(node)):
                is_inside = self.structure.encloses(block, self.structure.home[read.root])
                if not is_inside or read.root in parameters_of(node):
                    return True
            block = parent
        return False


def _is_made_anew(root: Value, structure: Structure) -> bool:
    """Whether a container is made where its value is defined."""
    made = structure.definition.get(root)
    return isinstance(made, Call) and (makes_new_list(made) or (effects_of(made).allocates and not is_view(made)))


def _reads(call: Call) -> list[tuple[Value, Operand | None]]:
    """The containers that a call reads, each with the index if it is an element, or a part; an index may be an array itself."""
    operands: Sequence[Operand] = arguments_of(call)
    parts: list[tuple[Value, Operand | None]] = []
    if function_of(call) is operator.getitem and isinstance(call.arguments[0], Value):
        parts.append((call.arguments[0], call.arguments[1]))
        operands = call.arguments[1:]
    return parts + [(operand, None) for operand in operands if isinstance(operand, Value) and references_in(operand.type)]


def _regions(owner: Value) -> tuple[int, ...]:
    region = memory_of(owner)
    return (region,) if region is not None else tuple(references_in(owner.type))


def _own_regions(owner: Value) -> tuple[int, ...]:
    """The same without what elements refer to."""
    return (owner.type.region,) if isinstance(owner.type, ListType) else _regions(owner)


class _Comparison:
    """Two accesses, and what is known of the trips in which they are about one element."""

    def __init__(self, structure: Structure, timeline: Timeline, write: _Access, read: _Access) -> None:
        self.structure = structure
        self.index = timeline.index
        self.write = write
        self.read = read
        #: For each axis, bounds of the index of the read, and of that of the write: below, above.
        self.axes: list[tuple[tuple[Bounds, Bounds], tuple[Bounds, Bounds]]] = []
        given = [known_in(access.home, self.structure) for access in (read, write)]
        for parts in zip(read.indices, write.indices, strict=False):
            if all(map(is_integer, parts)):
                first, second = (self.bounds(part, known) for part, known in zip(parts, given, strict=True))
                if min(bounds[0].get(None, -1) for bounds in (first, second)) >= 0:
                    self.axes.append((first, second))

    def bounds(self, part: Operand, given: Known) -> tuple[Bounds, Bounds]:
        return lower_bounds(part, self.structure, given), upper_bounds(part, self.structure, given)

    def is_before(self) -> bool:
        ways = [self.way_to(access) for access in (self.write, self.read)]
        common = []
        for first, second in zip(*ways, strict=False):
            if first[1] is not second[1]:
                break
            common.append(first)
        loops = [(node, block) for node, block in common if isinstance(node, (For, While)) and not self.makes_root(block)]
        # values that are defined inside this block may be others for the write
        varying = loops[0][1] if loops else None
        for position, (loop, _) in enumerate(loops):
            if self.are_apart(varying):
                return True
            latest = self.latest_trip(loop)
            if latest is None or latest > 0:
                return False
            if latest < 0:
                return True
            varying = loops[position + 1][1] if position + 1 < len(loops) else None
            # the same trip of this loop: its index is one for both
        return self.are_apart(None) or self.is_before_in_trip([way[len(common) :] for way in ways])

    def makes_root(self, block: Block) -> bool:
        """Whether the container is made anew in each trip of the loop with this body."""
        root = self.read.root
        return root is not None and _is_made_anew(root, self.structure) and self.structure.is_inside(root, block)

    def way_to(self, access: _Access) -> list[tuple[Operation | Terminator, Block]]:
        """The blocks around an access, from the outermost, with the nodes that they stand in."""
        way: list[tuple[Operation | Terminator, Block]] = []
        block = access.home
        while block in self.structure.owner:
            node, parent = self.structure.owner[block]
            way.append((node, block))
            block = parent
        return way[::-1]

    def are_apart(self, varying: Block | None) -> bool:
        """Whether the two are never about one element."""
        return any(
            low[base] > high[base]
            for (first_low, first_high), (second_low, second_high) in self.axes
            for low, high in ((first_low, second_high), (second_low, first_high))
            for base in low.keys() & high.keys()
            if base is None or varying is None or not self.is_inside(base, varying)
        )

    def is_inside(self, base: Value, varying: Block) -> bool:
        return self.structure.encloses(varying, self.structure.home[base])

    def latest_trip(self, loop: Operation | Terminator) -> int | None:
        """How many trips of a loop after the one of the read the write may still come, at most, in steps of 1."""
        step = step_of(loop, self.structure) if isinstance(loop, For) else 0
        if not isinstance(loop, For) or not step:
            return None
        index = loop.target
        found: list[int] = []
        for (read_low, read_high), (write_low, write_high) in self.axes:
            if step > 0 and index in read_high and index in write_low:
                found.append(read_high[index] - write_low[index])
            elif step < 0 and index in read_low and index in write_high:
                found.append(write_high[index] - read_low[index])
        return min(found, default=None)

    def is_before_in_trip(self, rest: Sequence[Sequence[tuple[Operation | Terminator, Block]]]) -> bool:
        """Whether, in one trip of all loops around both, the write comes first, is what is read, or comes only if the other does
        not."""
        nodes = [way[0][0] if way else access.call for way, access in zip(rest, (self.write, self.read), strict=True)]
        if nodes[0] is nodes[1]:
            return nodes[0] is self.read.call or isinstance(nodes[0], (If, Branch))
        return self.index[nodes[0]] < self.index[nodes[1]]
