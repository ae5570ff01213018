"""Where the containers and arrays in a type are: the way to each region from the outside.

What a call gives has regions of its own where the call stands. They are told apart by their ways, which stay the same while more
becomes known about what the containers hold; the numbers that the callee gives them do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.types import (
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

Path = tuple[object, ...]


def paths_of_references(kind: Type, path: Path = ()) -> dict[int, Path]:
    """The first way to each region in a frozen type.

    >>> from s2sad.ir.types import FLOAT
    >>> paths_of_references(TupleType((ListType(ArrayType("float64", (2,), 7), 8), ArrayType("float64", (2,), 7))))
    {8: (0,), 7: (0, 'element')}
    """
    found: dict[int, Path] = {}
    if isinstance(kind, ArrayType | ListType | DictType | ObjectType):
        found[kind.region] = path
    for step, part in _parts(kind):
        for region, inner in paths_of_references(part, (*path, *step)).items():
            found.setdefault(region, inner)
    return found


def _parts(kind: Type) -> Iterator[tuple[Path, Type]]:
    match kind:
        case OptionalType(inner):
            yield (), inner
        case ListType(element=part) | IteratorType(element=part):
            yield ("element",), part
        case DictType(key=key, value=value, fields=fields):
            yield ("key",), key
            yield ("value",), value
            for name, part in fields:
                yield ("field", name), part
        case ObjectType(fields=fields):
            for attribute, part in fields:
                yield (attribute,), part
        case TupleType(elements=parts) | FunctionType(captured=parts):
            for index, part in enumerate(parts):
                yield (index,), part
