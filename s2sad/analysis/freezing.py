"""Types with what memory holds written into them, and back: what a function tells others of its memory.

What a region holds is written out once and shared by all that mention it, so that a type takes as much time as memory has
regions, however often they refer to each other.

>>> from s2sad.analysis.memory import ELEMENT, Memory
>>> from s2sad.ir.types import FLOAT, UNKNOWN, ListType, TupleType
>>> memory = Memory()
>>> numbers = memory.allocate()
>>> memory.store(numbers, ELEMENT, FLOAT)
>>> pair = Freezer(memory).freeze(TupleType((ListType(UNKNOWN, numbers), ListType(UNKNOWN, numbers))))
>>> print(pair, pair.elements[0] is pair.elements[1])
tuple[list[float], list[float]] True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from s2sad.ir.types import (
    UNKNOWN,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from s2sad.analysis.memory import Memory

ELEMENT = "element"
KEY = "key"
VALUE = "value"
#: The attributes of an object that are stored where nobody sees their names.
ANY_ATTRIBUTE = "*"


class Freezer:
    """Fills in what regions hold, as long as that does not change."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.made: dict[tuple[type, int], Type] = {}
        #: Regions in whose own content they were met: there, the type ends.
        self.closed: set[int] = set()

    def freeze(self, kind: Type, within: tuple[int, ...] = ()) -> Type:
        """The type with the content of its regions; `within` are those that are being written out."""
        match kind:
            case ScalarType():  # most types
                return kind
            case ListType(region=region) | DictType(region=region) | ObjectType(region=region):
                return self.of_region(kind, self.memory.find(region), within)
            case ArrayType(dtype, shape, region):
                return ArrayType(dtype, shape, self.memory.find(region))
        return map_parts(kind, lambda part: self.freeze(part, within))

    def of_region(self, kind: ListType | DictType | ObjectType, root: int, within: tuple[int, ...]) -> Type:
        """A reference with what it refers to."""
        if root in within:
            self.closed.add(root)
            return with_content(kind, root, {}, self.freeze)
        key = (type(kind), root)
        if key not in self.made:
            before, self.closed = self.closed, set()
            made = with_content(kind, root, self.memory.content[root], lambda part: self.freeze(part, (*within, root)))
            if isinstance(made, DictType):
                keys = self.memory.keys_of(root) if kind.keys is None else kind.keys  # type: ignore[union-attr]
                made = replace(made, keys=keys)
            is_whole = not self.closed
            self.closed = before | (self.closed - {root})
            if not is_whole:
                return made
            self.made[key] = made
        return self.made[key]


def with_content(
    kind: ListType | DictType | ObjectType, root: int, content: dict[object, Type], inner: Callable[[Type], Type]
) -> Type:
    """A reference to a region that holds this."""
    match kind:
        case ListType():
            return ListType(inner(content.get(ELEMENT, UNKNOWN)), root)
        case ObjectType():
            return ObjectType(kind.cls, root, tuple((str(slot), inner(part)) for slot, part in content.items()))
    known = tuple((slot[1], inner(part)) for slot, part in content.items() if isinstance(slot, tuple))
    return DictType(inner(content.get(KEY, UNKNOWN)), inner(content.get(VALUE, UNKNOWN)), root, known)


class Thawer:
    """Stores what frozen types tell in the regions of a memory; `regions` maps the regions of these types to those there, and
    is filled."""

    def __init__(self, memory: Memory, regions: dict[int, int]) -> None:
        self.memory = memory
        self.regions = regions
        #: References whose content is stored already, by identity.
        self.done: dict[int, tuple[Type, Type]] = {}

    def thaw(self, kind: Type) -> Type:
        """The frozen type as one of the memory."""
        match kind:
            case ScalarType():
                return kind
            case ListType() | DictType() | ObjectType():
                if id(kind) not in self.done:
                    self.done[id(kind)] = (kind, self.of_reference(kind))
                return self.done[id(kind)][1]
            case ArrayType(dtype, shape, region):
                return ArrayType(dtype, shape, self.region_of(region))
        return map_parts(kind, self.thaw)

    def of_reference(self, kind: ListType | DictType | ObjectType) -> Type:
        """A reference, once what it refers to is stored."""
        here = self.region_of(kind.region)
        store = self.memory.store
        match kind:
            case ListType():
                store(here, ELEMENT, self.thaw(kind.element))
                return ListType(UNKNOWN, here)
            case ObjectType():
                for name, part in kind.fields:
                    store(here, name, self.thaw(part))
                return ObjectType(kind.cls, here)
        store(here, KEY, self.thaw(kind.key))
        store(here, VALUE, self.thaw(kind.value))
        for key, part in kind.fields:
            store(here, ("field", key), self.thaw(part))
        if kind.keys is not None or kind.fields or kind.key != UNKNOWN:  # not a mere reference
            self.memory.make_with_keys(here, kind.keys)
        return DictType(UNKNOWN, UNKNOWN, here)

    def region_of(self, region: int) -> int:
        """The region of this memory that a region of the types is."""
        if region not in self.regions:
            self.regions[region] = self.memory.allocate()
        return self.regions[region]


def map_parts(kind: Type, change: Callable[[Type], Type]) -> Type:
    """A type without region of its own, its parts changed."""
    match kind:
        case TupleType():
            return TupleType(tuple(change(part) for part in kind.elements), kind.cls)
        case FunctionType():
            return replace(kind, captured=tuple(change(part) for part in kind.captured))
        case OptionalType():
            return OptionalType(change(kind.inner))
        case IteratorType():
            return IteratorType(kind.function, change(kind.element))
    return kind
