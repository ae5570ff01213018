"""The types of shadows that generated code makes: what derivatives of derivatives see.

A shadow has a region of its own for each region that it shadows: a list for a list, a tuple, or what a function has captured,
a dict for a dict, floats for numbers, None for what has no derivative (:func:`s2sad.runtime.zeros_like`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from s2sad import runtime
from s2sad.analysis.container_types import has_containers, list_of_places
from s2sad.analysis.memory import ELEMENT, KEY, Memory
from s2sad.ir.types import (
    ANY,
    FLOAT,
    NONE,
    UNKNOWN,
    AnyType,
    ArrayType,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)

#: What makes the shadow of a container.
MAKERS_OF_ZEROS: Final = (
    *(runtime.zeros_like, runtime.zeros_like_in_arrays),
    *(runtime.zeros_like_with_views, runtime.zeros_like_with_views_in_arrays),
)


def shadow_of(memory: Memory, kind: Type, site: int) -> Type:
    """The type of a shadow made at a site; its outermost region is the site itself."""
    return _Maker(memory, site).make(kind, outermost=True)


def shadows_of(memory: Memory, kinds: Sequence[Type], site: int) -> Type:
    """The type of the tuple of shadows of several objects."""
    maker = _Maker(memory, site)
    return TupleType(tuple(maker.make(kind, (index,)) for index, kind in enumerate(kinds)))


def hold_in_arrays(memory: Memory, kind: Type, region: int, seen: frozenset[int] = frozenset()) -> None:
    """The numbers in a shadow become arrays without axes, all of one `region`."""
    match kind:
        case TupleType(elements=elements):
            for part in elements:
                hold_in_arrays(memory, part, region, seen)
        case OptionalType(inner):
            hold_in_arrays(memory, inner, region, seen)
        case ListType() | DictType() | ObjectType():
            root = memory.find(kind.region)
            for slot, part in list(memory.content[root].items()) if root not in seen else ():
                if slot != KEY and isinstance(part, ScalarType) and part.is_real:
                    memory.store(root, slot, ArrayType(part.dtype or "float64", None, region))
                hold_in_arrays(memory, part, region, seen | {root})


_WITHOUT_SHADOW = (str, bytes, range, slice, object)


class _Maker:
    def __init__(self, memory: Memory, site: int) -> None:
        self.memory = memory
        self.site = site
        self.made: dict[int, Type] = {}

    def region(self, of: object, outermost: bool) -> int:
        """The same region whenever inference comes by."""
        if outermost:
            return self.site
        key = (self.site, of)
        if key not in self.memory.shadows:
            self.memory.shadows[key] = self.memory.allocate()
        return self.memory.shadows[key]

    def make(self, kind: Type, way: tuple[int, ...] = (), outermost: bool = False) -> Type:
        memory = self.memory
        match kind:
            case ScalarType(kind="bool"):
                return NONE
            case ScalarType(kind="complex") | UnknownType():
                return kind
            case ScalarType():
                return ScalarType("float", kind.dtype) if kind.kind == "float" else FLOAT
            case ArrayType(kind="bool"):
                return NONE
            case ArrayType():
                root = memory.find(kind.region)
                dtype = kind.dtype if kind.is_real else "float64"
                return ArrayType(dtype, kind.shape, self.region(("region", root), outermost))
            case OptionalType(inner):
                return memory.optional(self.make(inner, way, outermost))
            case TupleType(elements=elements) | FunctionType(captured=elements) if elements or isinstance(kind, TupleType):
                region = self.region(way, outermost)
                parts = [self.make(part, (*way, index)) for index, part in enumerate(elements)]
                if has_containers(parts):
                    return list_of_places(memory, parts, region)
                for part in parts:
                    memory.store(region, ELEMENT, part)
                return ListType(UNKNOWN, region)
            case ListType() | DictType():
                root = memory.find(kind.region)
                if root in self.made:
                    return self.made[root]
                region = self.region(("region", root), outermost)
                if isinstance(kind, ListType):
                    self.made[root] = ListType(UNKNOWN, region)
                    memory.store(region, ELEMENT, self.make(memory.load(root, ELEMENT)))
                    return self.made[root]
                self.made[root] = DictType(UNKNOWN, UNKNOWN, region)
                for slot, part in list(memory.content[root].items()):
                    memory.store(region, slot, part if slot == KEY else self.make(part))
                return self.made[root]
            case ObjectType():
                root = memory.find(kind.region)
                if root not in self.made:
                    region = self.region(("region", root), outermost)
                    self.made[root] = ObjectType(list if kind.cls is list else runtime.Shadow, region)
                    for slot, part in list(memory.content[root].items()):
                        memory.store(region, slot, self.make(part))
                return self.made[root]
            case AnyType() | OpaqueType():
                return ANY if isinstance(kind, AnyType) or kind.cls not in _WITHOUT_SHADOW else NONE
        return NONE
