"""Whether two structures share memory: a container that is in both, or arrays that overlap; and what the types tell of it."""

from __future__ import annotations

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in, regions_of_arrays
from s2sad.ir.types import (
    AnyType,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OptionalType,
    TupleType,
    Type,
)

_CLASSES = (ArrayType, DictType, ListType, ObjectType)


def may_overlap(first: Type, second: Type) -> bool:
    """Whether there are containers of one class, or arrays, in both."""
    return any(
        any(isinstance(kind, cls) for kind in references_in(first).values())
        and any(isinstance(kind, cls) for kind in references_in(second).values())
        for cls in _CLASSES
    )


def share_memory(first: object, second: object) -> bool:
    """Whether two structures hold one container, or arrays that overlap.

    >>> x = np.zeros(3)
    >>> share_memory([x], {"a": x[1:]}), share_memory([x], [np.zeros(3)])
    (True, False)
    """
    arrays: list[list[np.ndarray]] = []
    containers: list[set[int]] = []
    for structure in (first, second):
        found: dict[int, np.ndarray] = {}
        seen: set[int] = set()
        runtime.collect_arrays(structure, found, seen)
        arrays.append([*found.values()])
        containers.append(seen)
    one, other = ({id(array) for array in part} for part in arrays)
    if containers[0] & containers[1] or one & other:
        return True
    pairs = runtime.overlapping([*arrays[0], *arrays[1]])
    return any((id(a) in one) != (id(b) in one) for a, b in pairs)


def may_hold_views(kind: Type) -> bool:
    """Whether two arrays in a value may overlap: those of one region, which includes what a container or an object holds that
    holds itself, and what is not known.

    >>> from s2sad.ir.types import ANY
    >>> u, v = ArrayType("float64", (3,), 1), ArrayType("float64", (3,), 2)
    >>> [may_hold_views(TupleType(parts)) for parts in ((u, v), (u, u), (u, ANY))]
    [False, True, True]
    """
    regions = [region for region in regions_of_arrays(kind) if region]
    return len(regions) > len(set(regions)) or _holds_unknown(kind, frozenset())


def _holds_unknown(kind: Type, within: frozenset[int]) -> bool:
    """Whether a value holds what may be anything, or itself."""
    match kind:
        case AnyType() | FunctionType() | IteratorType():
            return True
        case TupleType(elements=parts):
            return any(_holds_unknown(part, within) for part in parts)
        case OptionalType(inner=inner):
            return _holds_unknown(inner, within)
        case ListType(region=region) | DictType(region=region) | ObjectType(region=region):
            inside = within | {region}
            return region in within or any(_holds_unknown(part, inside) for part in _parts(kind))
    return False


def _parts(kind: ListType | DictType | ObjectType) -> list[Type]:
    """What a container holds."""
    match kind:
        case ListType(element=element):
            return [element]
        case DictType(value=value, fields=fields):
            return [value, *(part for _, part in fields)]
        case ObjectType(fields=fields):
            return [part for _, part in fields]
