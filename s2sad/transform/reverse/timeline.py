"""When memory is what: which arrays are written between two places of a function.

The reverse sweep puts overwritten elements back, so that the reverse of a statement sees memory as the statement did. What was
computed from memory can be computed again as long as nothing wrote to that memory between where it was computed and the last
statement whose reverse reads it::

    t = u[i] * w          # 0    may be computed again for the reverse of 1, since u is written after that
    y = sin(t)            # 1
    u[i] = y              # 2    puts u[i] back when it is reversed
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Block, Call, For, Operation, Terminator, While, blocks_of
from s2sad.transform.reverse.unchanged import regions_written


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A child of a block, by its index; `inside`: somewhere in the blocks of that child."""

    index: int
    inside: bool = False


START = Place(-1)
#: After everything else.
END = Place(1 << 60, inside=True)


@dataclass(eq=False)
class Timeline:
    """Where the nodes of a function stand in their blocks, and which regions each writes."""

    structure: Structure
    index: dict[Operation | Terminator, int] = field(default_factory=dict)
    writes: dict[Operation | Terminator, frozenset[int]] = field(default_factory=dict)

    @staticmethod
    def of(body: Block, structure: Structure) -> Timeline:
        """The timeline of a function."""
        timeline = Timeline(structure)
        timeline._visit(body)
        return timeline

    def _visit(self, block: Block) -> frozenset[int]:
        written: frozenset[int] = frozenset()
        for position, node in enumerate((*block.operations, block.terminator)):
            self.index[node] = position
            regions = frozenset(regions_written(node)) if isinstance(node, Call) else frozenset()
            self.writes[node] = regions.union(*map(self._visit, blocks_of(node)))
            written |= self.writes[node]
        return written

    def place_in(self, block: Block, inner: Block, node: Operation | Terminator | None) -> Place:
        """Where something that happens at `node` of the block `inner` happens in a block around it."""
        if inner is block:
            # what the reverse of a store or of a region reads first, it reads where memory is as it was afterwards
            return START if node is None else Place(self.index[node], inside=bool(self.writes[node]))
        while True:
            owner, parent = self.structure.owner[inner]
            if parent is block:
                return Place(self.index[owner], inside=True)
            inner = parent

    def is_written_between(self, regions: frozenset[int], block: Block, first: Operation, last: Place) -> bool:
        """Whether a child of a block after `first` and before `last` (or around it) writes to one of these regions."""
        children = (*block.operations, block.terminator)
        end = last.index + 1 if last.inside else last.index
        return any(not regions.isdisjoint(self.writes[node]) for node in children[self.index[first] + 1 : end])

    def is_written_from(self, region: int, block: Block, node: Operation | Terminator | None) -> bool:
        """Whether a region is written at a node or later, in this trip of the loops around it or in another one."""
        position = -1 if node is None else self.index[node]
        inner = block
        while True:
            children = (*inner.operations, inner.terminator)
            owner = self.structure.owner.get(inner)
            in_loop = owner is not None and isinstance(owner[0], (For, While))
            if any(region in self.writes[child] for child in children[0 if in_loop else max(position, 0) :]):
                return True
            if owner is None:
                return False
            position, inner = self.index[owner[0]] + 1, owner[1]
