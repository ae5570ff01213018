"""The edges along which derivatives flow in one step of a program: from operands to results, into containers and out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2sad.analysis.activity_items import (
    Item,
    carries_derivative,
    hidden,
    hidden_items_of,
    holders_in,
    is_keyed_by_numbers,
    is_object,
    is_outside_object,
    items_of,
    may_be_changed,
    may_hide,
    objects_in,
    own_region,
    references_inside,
    stored_into,
)
from s2sad.analysis.memory import references_in, regions_of_arrays
from s2sad.ir.nodes import Operand, Value
from s2sad.ir.types import AnyType, ArrayType, DictType, Type, strip_optional


class Edges:
    """The edges along which derivatives flow."""

    def __init__(self) -> None:
        self.forward: dict[Item, list[Item]] = {}
        self.backward: dict[Item, list[Item]] = {}
        self.returned: list[Item] = []
        #: Regions that can be changed by way of something that is not followed.
        self.kept_regions: set[Item] = set()
        #: Regions of which something is read that has no adjoint, as far as types tell.
        self.read_plainly: set[Item] = set()
        #: How many items there are in between.
        self.count = 0

    def share(self, sources: Sequence[Operand], targets: Sequence[Operand]) -> None:
        """Objects in the sources may be in the targets now: what is put into one by a second name is read by the first."""
        holders = [item for target in targets for item in objects_in(target)]
        if not holders:
            return
        self.tie(holders, sources)
        stored = [stored_into(target) for target in targets if isinstance(target, Value) and may_be_changed(target.type)]
        self.keep_references(sources, [*holders, *stored])

    def tie(self, holders: Sequence[Item], operands: Iterable[Operand]) -> None:
        """Objects in these operands are in what `holders` stand for, too: what is put there goes into them."""
        tied: list[Item] = []
        for operand in operands:
            tied += objects_in(operand)
            if isinstance(operand, Value) and may_be_changed(operand.type):
                tied.append(stored_into(operand))
        if tied:
            self.edges(holders, tied)

    def note_plain_reads(self, owners: Iterable[Operand]) -> None:
        """Something without adjoint is read of these; an array keeps its dtype, whatever is put into it."""
        for owner in owners:
            if isinstance(owner, Value) and not isinstance(strip_optional(owner.type), ArrayType):
                self.read_plainly.update(own_region(owner))

    def edge(self, source: Item, target: Item) -> None:
        if source != target:
            self.forward.setdefault(source, []).append(target)
            self.backward.setdefault(target, []).append(source)

    def copy(self, source: Operand, target: Value) -> None:
        """`target` may be `source`: their regions are the same already, and so are the objects that have none."""
        if not isinstance(source, Value):
            return
        if carries_derivative(source.type) and carries_derivative(target.type):
            self.edge(source, target)
        if may_hide(source.type) and may_hide(target.type):
            self.edge(hidden(source), hidden(target))
            self.edge(hidden(target), hidden(source))
        if isinstance(strip_optional(target.type), AnyType):  # a container that may be something else after this
            for region in references_in(source.type):
                self.kept_regions.add(region)
                for item in (region, hidden(region)):
                    self.edge(item, hidden(target))
                    self.edge(stored_into(target), item)
            self.edge(stored_into(target), stored_into(source))

    def flow(
        self, sources: Iterable[Operand], targets: Sequence[Operand], *, into_hidden: bool = True, is_shared: bool = True
    ) -> None:
        """Operands are computed from others; `into_hidden`: numbers may become parts that have no adjoint; `is_shared`: objects
        may be in both after that."""
        items = [item for target in targets for item in items_of(target)]
        hiding = [item for target in targets for item in hidden_items_of(target)]
        hiding += [stored_into(target) for target in targets if isinstance(target, Value) and may_hide(target.type)]
        values = [target for target in targets if isinstance(target, Value)]
        arrays = {hidden(region) for target in values for region in regions_of_arrays(target.type)}
        into = [item for item in hiding if item not in arrays]  # a number in an array is no hidden part of it
        sources = [*sources]
        self.edges([i for source in sources for i in items_of(source)], (*items, *into) if into_hidden else items)
        self.edges([i for source in sources for i in hidden_items_of(source)], (*items, *hiding))
        if not items:
            self.note_plain_reads(sources)
        if is_shared:
            self.share(sources, targets)

    def edges(self, sources: Sequence[Item], targets: Sequence[Item]) -> None:
        """From each of these to each of those: many to many by way of one item in between."""
        if len(sources) > 2 < len(targets):
            sources = [self.between(sources)]
        for source in sources:
            for target in targets:
                self.edge(source, target)

    def between(self, sources: Sequence[Item]) -> Item:
        """An item that all of these reach."""
        item = ("between", self.count)
        self.count += 1
        for source in sources:
            self.edge(source, item)
        return item

    def move(self, sources: Sequence[Operand], target: Operand, *, into: bool = False, whole: bool = False) -> None:
        """Parts of the sources become parts of the target (`into`: of the container that it refers to), as they are; `whole`: or
        the sources themselves do."""
        items = own_region(target) if into else items_of(target)
        hiding = [hidden(item) for item in own_region(target)] if into else hidden_items_of(target)
        if into and not items and (is_outside_object(target) or (isinstance(target, Value) and may_hide(target.type))):
            self.flow(sources, [target])
            return
        # an array that is taken out of a container is what it was in there: nothing else in there goes into it
        is_same = not into and isinstance(kind := getattr(target, "type", None), ArrayType) and kind.shape is not None
        if not items:
            self.note_plain_reads(sources)
        for source in sources:
            held = items_of(source)
            for item in held if not (is_same and set(items) <= set(held)) else ():
                for reached in items:
                    self.edge(item, reached)
            for item in hidden_items_of(source):
                for reached in hiding:
                    self.edge(item, reached)
                    self.edge(reached, item)  # what is stored into one object by a second name is read by the first
        self.tie(hiding, sources)
        holders = holders_in(target)
        if into or whole:
            self.keep_references(sources, [item for item in holders if item in hiding] if into else holders)
        elif holders:
            self.keep_regions([region for source in sources for region in references_inside(source).items()], holders)

    def keep_references(self, sources: Iterable[Operand], holders: Sequence[Item]) -> None:
        """What is put into something of which nothing is known, and which holds these, goes into them."""
        if holders:
            values = [source for source in sources if isinstance(source, Value)]
            self.keep_regions([region for value in values for region in references_in(value.type).items()], holders)

    def keep_regions(self, regions: Iterable[tuple[int, Type]], holders: Sequence[Item]) -> None:
        """What goes into these items goes into these regions."""
        for region, kind in regions:
            self.kept_regions.add(region)
            reached = [region] if isinstance(kind, ArrayType) else [region, hidden(region)]
            self.edges(holders, [item for item in reached if item not in holders])

    def keep_keys(self, keys: Sequence[Operand], owner: Operand) -> None:
        """The keys of a dict have no adjoint."""
        if is_object(owner):
            self.flow(keys, [owner])
            return
        reached = [hidden(region) for region in own_region(owner)]
        for key in keys:
            for item in (*(items_of(key) if is_keyed_by_numbers(owner) else ()), *hidden_items_of(key)):
                for target in reached:
                    self.edge(item, target)

    def elements_of(self, operands: Sequence[Operand], targets: Sequence[Operand]) -> Sequence[Operand]:
        """What gives its elements where operands are gone over: of a dict only the keys reach the targets."""
        reached = [item for target in targets for item in (*items_of(target), *hidden_items_of(target))]
        for operand in filter(_is_dict, operands):
            for source in map(hidden, own_region(operand)):
                for item in reached:
                    self.edge(source, item)
        return [operand for operand in operands if not _is_dict(operand)]


def _is_dict(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(strip_optional(operand.type), DictType)
