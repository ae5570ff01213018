"""The names of lengths in a signature: which axes of all the arguments' arrays are equally long.

A name says that the length is one number, the same wherever the name stands, and not 1. Two lengths of different names may be
the same number all the same: code must not rest on their being different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from s2sad.analysis.freezing import map_parts
from s2sad.analysis.memory import references_in
from s2sad.ir.types import ArrayType, DictType, Extent, Length, ListType, ObjectType, Type


def map_lengths(kind: Type, change: Callable[[Length], Length]) -> Type:
    """A type with the lengths of its arrays changed, also of those in containers."""
    if not any(isinstance(reference, ArrayType) for reference in references_in(kind).values()):
        return kind

    def inner(part: Type) -> Type:
        return map_lengths(part, change)

    match kind:
        case ArrayType(dtype, shape, region):
            return kind if shape is None else ArrayType(dtype, tuple(map(change, shape)), region)
        case ListType():
            return ListType(inner(kind.element), kind.region)
        case DictType():
            fields = tuple((key, inner(part)) for key, part in kind.fields)
            return DictType(inner(kind.key), inner(kind.value), kind.region, fields, kind.keys)
        case ObjectType():
            return ObjectType(kind.cls, kind.region, tuple((name, inner(part)) for name, part in kind.fields))
    return map_parts(kind, inner)


def extents_in(kinds: Sequence[Type]) -> Iterator[Extent]:
    """The named lengths in types, in order of appearance."""
    found: list[Extent] = []

    def note(length: Length) -> Length:
        if isinstance(length, Extent):
            found.append(length)
        return length

    for kind in kinds:
        map_lengths(kind, note)
    return iter(found)


def name_lengths(kinds: Sequence[Type], prefix: str = "n") -> tuple[Type, ...]:
    """Types with their lengths named n1, n2, … in order of appearance, so that equal signatures are equal.

    >>> a, b = Extent("a"), Extent("b")
    >>> [str(kind) for kind in name_lengths([ArrayType("float64", (b, a)), ArrayType("int64", (a,))])]
    ['float64[n1, n2]', 'int64[n2]']
    """
    names: dict[str, str] = {}
    for extent in extents_in(kinds):
        names.setdefault(extent.name, f"{prefix}{len(names) + 1}")

    def rename(length: Length) -> Length:
        return Extent(names[length.name], length.less) if isinstance(length, Extent) else length

    return tuple(map_lengths(kind, rename) for kind in kinds) if names else tuple(kinds)


def without_differences(kinds: Sequence[Type]) -> tuple[Type, ...]:
    """Types without lengths that differ from one with a name: a function that calls itself with ``x[1:]`` would meet another one
    each time.

    >>> [str(kind) for kind in without_differences([ArrayType("float64", (Extent("n", less=1), Extent("n")))])]
    ['float64[:, n]']
    """
    return tuple(
        map_lengths(kind, lambda length: None if isinstance(length, Extent) and length.less else length) for kind in kinds
    )
