"""Abstract memory: which references may mean one object, and what those objects hold.

Every list, dict or object met by type inference lives in a *region*. Assigning, storing or passing a reference unites
regions, so two names that may be one object always have one region (Steensgaard's points-to analysis). A region's content is
a table from slots (``"element"``, ``("field", key)``, an attribute's name) to types; it only grows.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from s2sad.analysis.freezing import ANY_ATTRIBUTE, ELEMENT, KEY, VALUE, Freezer, Thawer, map_parts
from s2sad.ir.memo import remembered_by_identity
from s2sad.ir.types import (
    ANY,
    NONE,
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    IteratorType,
    Length,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)

Slot = object

__all__ = ["ELEMENT", "KEY", "VALUE"]

#: Types that may have references in them.
_REFERRING: Final = (ListType, DictType, ObjectType, ArrayType, TupleType, FunctionType, OptionalType, IteratorType)
_NO_REFERENCES: Final[Mapping[int, Type]] = types.MappingProxyType({})
_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}


@dataclass
class Memory:
    """Regions of one function under analysis. `flags` say what happens to a region: ``"stored"`` (an element is replaced),
    ``"restructured"`` (the number or order of elements changes), ``"mixed"`` (an array may be one of integers)."""

    parent: list[int] = field(default_factory=lambda: [0])
    content: dict[int, dict[Slot, Type]] = field(default_factory=dict)
    flags: dict[int, set[str]] = field(default_factory=dict)
    #: The keys that each dict of a region has when it is made, in order; None where they differ from dict to dict.
    keys: dict[int, tuple[object, ...] | None] = field(default_factory=dict)
    changed: bool = False
    #: Whether a function of the user is where anything may be, so that nobody knows which one is called there.
    lost_functions: bool = False
    #: What is in something that is not followed as well, by region.
    given_away: dict[int, Type] = field(default_factory=dict)
    #: Regions of arrays whose dtype only the running program knows.
    several_dtypes: set[int] = field(default_factory=set)
    #: Regions of the inner parts of shadows, by the call that makes them and what they shadow.
    shadows: dict[object, int] = field(default_factory=dict)

    def allocate(self) -> int:
        """A new region."""
        region = len(self.parent)
        self.parent.append(region)
        self.content[region] = {}
        self.flags[region] = set()
        return region

    def find(self, region: int) -> int:
        """The representative of a region."""
        while self.parent[region] != region:
            self.parent[region] = self.parent[self.parent[region]]
            region = self.parent[region]
        return region

    def unite(self, first: int, second: int) -> int:
        """Make two regions one."""
        first, second = self.find(first), self.find(second)
        if first == second:
            return first
        keep, drop = min(first, second), max(first, second)
        self.parent[drop] = keep
        self.changed = True
        content = self.content.pop(drop)
        self.flags[keep] |= self.flags.pop(drop)
        if drop in self.keys:
            self.make_with_keys(keep, self.keys.pop(drop))
        for slot, kind in content.items():
            self.store(keep, slot, kind)
        return self.find(keep)

    def make_with_keys(self, region: int, keys: tuple[object, ...] | None) -> None:
        """A dict of this region is made with these keys."""
        root = self.find(region)
        known = keys if self.keys.get(root, keys) == keys else None
        if root not in self.keys or self.keys[root] != known:
            self.keys[root] = known
            self.changed = True

    def keys_of(self, region: int) -> tuple[object, ...] | None:
        """The keys that every dict of a region has at any time, in order; None where that is not known."""
        root = self.find(region)
        return None if "restructured" in self.flags[root] else self.keys.get(root)

    def load(self, region: int, slot: Slot) -> Type:
        """What a slot may hold."""
        return self.content[self.find(region)].get(slot, UNKNOWN)

    def store(self, region: int, slot: Slot, kind: Type) -> None:
        """Let a slot hold this too."""
        region = self.find(region)
        old = self.content[region].get(slot, UNKNOWN)
        new = self.join(old, kind)
        if slot == KEY and isinstance(new, AnyType):
            new = OptionalType(OpaqueType(object))  # keys never change, and have no adjoint
        region = self.find(region)
        if new != old or slot not in self.content[region]:
            self.content[region][slot] = new
            self.changed = True

    def mark(self, region: int, *flags: str) -> None:
        """Note what happens to a region."""
        known = self.flags[self.find(region)]
        if not known.issuperset(flags):
            known.update(flags)
            self.changed = True

    def lose_attributes(self, region: int, *flags: str) -> None:
        """An object may be given attributes that nobody sees here: also a function that it is handed to finds them."""
        self.mark(region, "unknown", *flags)
        self.store(region, ANY_ATTRIBUTE, ANY)

    def join_all(self, kinds: Iterable[Type], least: Type = UNKNOWN) -> Type:
        """The least type that covers all of these."""
        for kind in kinds:
            least = self.join(least, kind)
        return least

    def join(self, first: Type, second: Type) -> Type:
        """The least type that covers both; references are united."""
        if first is second or first == second:
            return first
        match first, second:
            case UnknownType(), _:
                return second
            case _, UnknownType():
                return first
            case (AnyType(), other) | (other, AnyType()):
                return self.anything(other)
            case ScalarType(), ScalarType():
                kind = max(first.kind, second.kind, key=_RANK.__getitem__)
                return ScalarType(kind, first.dtype if first.dtype == second.dtype else "")
            case NoneType(), OptionalType():
                return second
            case OptionalType(), NoneType():
                return first
            case OptionalType(a), OptionalType(b):
                return self.optional(self.join(a, b))
            case (OptionalType(inner), other) | (other, OptionalType(inner)):
                return self.optional(self.join(inner, other))
            case (NoneType(), other) | (other, NoneType()):
                return self.optional(other)
            case ListType(), ListType():
                return ListType(UNKNOWN, self.unite(first.region, second.region))
            case DictType(), DictType():
                return DictType(UNKNOWN, UNKNOWN, self.unite(first.region, second.region))
            case ObjectType(), ObjectType() if first.cls is second.cls:
                lengths = {len(self.content[self.find(region)]) for region in (first.region, second.region)}
                together = ObjectType(first.cls, self.unite(first.region, second.region))
                if first.cls is list and len(lengths) > 1:  # what stands at a place is not known
                    self.store(together.region, ELEMENT, ANY)
                return together
            case ArrayType(), ArrayType():
                return self.join_arrays(first, second)
            case (ArrayType() as array, ScalarType() as number) | (ScalarType() as number, ArrayType() as array):
                if number.is_real and not array.is_real:
                    self.mark(array.region, "mixed")
                return ArrayType(joined_dtype(array.dtype, number.dtype or number.kind), None, self.find(array.region))
            case TupleType(), TupleType() if first.cls is second.cls and len(first.elements) == len(second.elements):
                return TupleType(tuple(map(self.join, first.elements, second.elements)), first.cls)
            case FunctionType(), FunctionType() if first.key == second.key and len(first.captured) == len(second.captured):
                return replace(first, captured=tuple(map(self.join, first.captured, second.captured)))
            case IteratorType(), IteratorType() if first.function is second.function:
                return IteratorType(first.function, self.join(first.element, second.element))
            case OpaqueType(), OpaqueType():
                is_same = first.cls is second.cls
                return OpaqueType(first.cls, exact=first.exact and second.exact) if is_same else OpaqueType(object)
            case ((OpaqueType() | ConstantType()), (OpaqueType() | ConstantType())):
                self.anything(first, second)
                return OpaqueType(object)
        return self.anything(first, second)

    def anything(self, *kinds: Type) -> Type:
        """What may be anything, although it was one of these."""
        self.lost_functions |= any(map(self.has_function, kinds))
        for kind in kinds:
            self.give_away(kind)
        return ANY

    def give_away(self, kind: Type) -> None:
        """What a value refers to may be changed by way of something that is not followed."""
        for region, reference in references_in(kind).items():
            self.given_away.setdefault(region, reference)

    def has_function(self, kind: Type, within: frozenset[int] = frozenset()) -> bool:
        """Whether a value is a function of the user, or holds one."""
        match kind:
            case FunctionType():
                return True
            case ConstantType(value=value):
                return isinstance(value, (types.FunctionType, types.MethodType))
            case TupleType(elements=parts):
                return any(self.has_function(part, within) for part in parts)
            case OptionalType(inner=inner) | IteratorType(element=inner):
                return self.has_function(inner, within)
            case ListType(region=region) | DictType(region=region) | ObjectType(region=region):
                root = self.find(region)
                inside = within | {root}
                return root not in within and any(self.has_function(part, inside) for part in [*self.content[root].values()])
        return False

    def join_arrays(self, first: ArrayType, second: ArrayType) -> ArrayType:
        """An array that may be either; what their shapes have in common stays known."""
        region = self.unite(first.region, second.region)
        if first.is_real != second.is_real:
            self.mark(region, "mixed")
        if first.dtype != second.dtype:
            self.several_dtypes.add(region)
        return ArrayType(joined_dtype(first.dtype, second.dtype), common_shape(first.shape, second.shape), region)

    def optional(self, inner: Type) -> Type:
        return inner if isinstance(inner, (AnyType, UnknownType, NoneType, OptionalType)) else OptionalType(inner)

    def has_several_dtypes(self, region: int) -> bool:
        """Whether only the running program knows the dtype of the arrays of a region."""
        return self.find(region) in set(map(self.find, self.several_dtypes))

    def same(self, first: Type, second: Type) -> bool:
        """Whether two types are equal once regions are looked up."""
        return self.with_roots(first) == self.with_roots(second)

    def with_roots(self, kind: Type) -> Type:
        """The type with its regions looked up, and without what they hold."""
        match kind:
            case ListType(region=region):
                return ListType(UNKNOWN, self.find(region))
            case DictType(region=region):
                return DictType(UNKNOWN, UNKNOWN, self.find(region))
            case ObjectType(region=region):
                return ObjectType(kind.cls, self.find(region))
            case ArrayType(dtype, shape, region):
                return ArrayType(dtype, shape, self.find(region))
        return map_parts(kind, self.with_roots)

    def freeze(self, kind: Type) -> Type:
        """The type with its regions' content filled in."""
        return kind if isinstance(kind, ScalarType) else Freezer(self).freeze(kind)

    def freeze_all(self, kinds: Iterable[Type]) -> list[Type]:
        """Types with their regions' content filled in, which they share."""
        freezer = Freezer(self)
        return [freezer.freeze(kind) for kind in kinds]

    def thaw(self, kind: Type, regions: dict[int, int]) -> Type:
        """A frozen type as a type of this memory; `regions` maps its regions to those here, and is filled."""
        return Thawer(self, regions).thaw(kind)


def join_frozen(first: Type, second: Type) -> Type:
    """The least type that covers two frozen types of one memory that come together: references among them have one region.

    >>> str(join_frozen(ArrayType("float64", (2, 3), 1), ArrayType("float64", (2, 4), 1)).shape)
    '(2, None)'
    >>> join_frozen(ArrayType("float64", (2,), 1), ArrayType("float64", (2,), 2)) is ANY
    True
    """
    match first, second:
        case _ if first == second:
            return first
        case ArrayType(), ArrayType() if first.region == second.region:
            shape = common_shape(first.shape, second.shape)
            return ArrayType(joined_dtype(first.dtype, second.dtype), shape, first.region, first.fixed and second.fixed)
        case (ArrayType() as array, ScalarType() as number) | (ScalarType() as number, ArrayType() as array):
            return ArrayType(joined_dtype(array.dtype, number.dtype or number.kind), None, array.region, array.fixed)
        case ((ListType() | DictType() | ObjectType()), _) if next(iter(references_in(first))) == next(
            iter(references_in(second)), None
        ):
            return first
        case OptionalType(a), OptionalType(b):
            return OptionalType(join_frozen(a, b))
        case (OptionalType(inner), other) | (other, OptionalType(inner)):
            return OptionalType(inner if other == NONE else join_frozen(inner, other))
        case (NoneType(), other) | (other, NoneType()):
            return OptionalType(other)
        case TupleType(), TupleType() if first.cls is second.cls and len(first.elements) == len(second.elements):
            return TupleType(tuple(map(join_frozen, first.elements, second.elements)), first.cls)
    return ANY if references_in(first) or references_in(second) else Memory().join(first, second)


def common_shape(first: tuple[Length, ...] | None, second: tuple[Length, ...] | None) -> tuple[Length, ...] | None:
    """What is known of the shape of an array that may have either."""
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def joined_dtype(first: str, second: str) -> str:
    """The dtype's name of an array that may have either dtype; a Python number counts as NumPy's default for it."""
    if first == second:
        return first
    names = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
    return np.result_type(names.get(first, first), names.get(second, second)).name


def references_in(kind: Type) -> Mapping[int, Type]:
    """The regions named in a frozen type, in order of appearance, each with its reference type (without content)."""
    return _references_in(kind) if isinstance(kind, _REFERRING) else _NO_REFERENCES


@remembered_by_identity
def _references_in(kind: Type) -> Mapping[int, Type]:
    found: dict[int, Type] = {}
    match kind:
        case ListType():
            found[kind.region] = ListType(UNKNOWN, kind.region)
        case DictType():
            found[kind.region] = DictType(UNKNOWN, UNKNOWN, kind.region)
        case ObjectType():
            found[kind.region] = ObjectType(kind.cls, kind.region)
        case ArrayType():
            found[kind.region] = kind
    for part in parts_of(kind):
        for region, reference in references_in(part).items():
            found.setdefault(region, reference)
    return found


def parts_of(kind: Type) -> Iterable[Type]:
    """The types that a type is made of."""
    match kind:
        case ListType(element=part) | IteratorType(element=part) | OptionalType(inner=part):
            return (part,)
        case DictType():
            return (kind.key, kind.value, *(part for _, part in kind.fields))
        case ObjectType():
            return [part for _, part in kind.fields]
        case TupleType(elements=parts) | FunctionType(captured=parts):
            return parts
    return ()


def regions_of_arrays(kind: Type) -> list[int]:
    """The regions of the arrays in a value, as often as they stand there."""
    match kind:
        case ArrayType(region=region):
            return [region]
        case TupleType(elements=elements):
            return [region for element in elements for region in regions_of_arrays(element)]
        case OptionalType(inner=inner):
            return regions_of_arrays(inner)
        case ListType(element=element):
            return 2 * regions_of_arrays(element)  # any number of them
        case DictType(value=value, fields=fields):
            return [*2 * regions_of_arrays(value), *(region for _, part in fields for region in regions_of_arrays(part))]
        case ObjectType(fields=fields):
            return [region for _, part in fields for region in regions_of_arrays(part)]
    return []


def renumber(kind: Type, numbers: Mapping[int, int]) -> Type:
    """A frozen type with its regions renamed."""
    return Renumbering(numbers).of(kind)


class Renumbering:
    """Renames the regions of frozen types; what these share stays shared."""

    def __init__(self, numbers: Mapping[int, int]) -> None:
        self.numbers = numbers
        self.made: dict[int, tuple[Type, Type]] = {}

    def of(self, kind: Type) -> Type:
        """A type with its regions renamed."""
        match kind:
            case ScalarType():
                return kind
            case ListType() | DictType() | ObjectType():
                if id(kind) not in self.made:
                    self.made[id(kind)] = (kind, self.of_reference(kind))
                return self.made[id(kind)][1]
            case ArrayType():
                return ArrayType(kind.dtype, kind.shape, self.numbers[kind.region])
        return map_parts(kind, self.of)

    def of_reference(self, kind: ListType | DictType | ObjectType) -> Type:
        region = self.numbers[kind.region]
        match kind:
            case ListType():
                return ListType(self.of(kind.element), region)
            case ObjectType():
                return ObjectType(kind.cls, region, tuple((name, self.of(part)) for name, part in kind.fields))
        fields = tuple((key, self.of(part)) for key, part in kind.fields)
        return DictType(self.of(kind.key), self.of(kind.value), region, fields, kind.keys)


def joined_keys(parts: Sequence[tuple[object, ...] | None]) -> tuple[object, ...] | None:
    """The keys of a dict that is made of others, in order; None where those of one are not known."""
    return None if None in parts else tuple(dict.fromkeys(key for part in parts for key in part or ()))


def numbers_of_regions(kinds: Iterable[Type]) -> dict[int, int]:
    """The regions in types, numbered from 1 in order of appearance."""
    numbers: dict[int, int] = {}
    for kind in kinds:
        for region in references_in(kind):
            numbers.setdefault(region, len(numbers) + 1)
    return numbers


def number_regions(kinds: Sequence[Type]) -> tuple[Type, ...]:
    """Types with their regions numbered from 1 in order of appearance, so that equal signatures are equal."""
    return tuple(map(Renumbering(numbers_of_regions(kinds)).of, kinds))
