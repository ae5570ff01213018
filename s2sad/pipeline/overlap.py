"""Arguments and data outside that may be one object, or overlap in memory: code is generated for those that are apart.

Two arguments that overlap have one region in the signature. What a variable outside the function holds is no part of the
signature; where the function changes it, or changes an argument, the two must be apart when the code runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.analysis.specialisation import Outside
from s2sad.errors import NonDifferentiableError
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType, Type
from s2sad.pipeline.units import Generated

_CLASSES = (ArrayType, DictType, ListType, ObjectType)


def pairs_to_keep_apart(generated: Generated, kinds: Sequence[Type]) -> Iterator[tuple[int, Outside]]:
    """The arguments, each with a variable outside that it must not share memory with."""
    for outside in generated.outside:
        for index, kind in enumerate(kinds):
            if (outside.is_written or generated.written & set(references_in(kind))) and may_overlap(kind, outside.kind):
                yield index, outside


def may_overlap(first: Type, second: Type) -> bool:
    """Whether there are containers of one class, or arrays, in both."""
    return any(
        any(isinstance(kind, cls) for kind in references_in(first).values())
        and any(isinstance(kind, cls) for kind in references_in(second).values())
        for cls in _CLASSES
    )


def check_apart(generated: Generated, kinds: Sequence[Type], arguments: Sequence[object], names: Sequence[str]) -> None:
    """Refuse arguments that share memory with what the function changes or uses outside."""
    for index, outside in shared(generated, kinds, arguments):
        raise NonDifferentiableError(
            f"the argument {names[index]!r} shares memory with {outside.variable.name!r}, a variable outside of the function, "
            "and one of the two is changed; pass a copy of the argument"
        )


def shared(generated: Generated, kinds: Sequence[Type], arguments: Sequence[object]) -> list[tuple[int, Outside]]:
    """The arguments that share memory with a variable outside, and must not."""
    pairs = pairs_to_keep_apart(generated, kinds)
    return [(index, outside) for index, outside in pairs if share_memory(arguments[index], outside.variable.read())]


def share_memory(first: object, second: object) -> bool:
    """Whether two structures hold one container, or arrays that overlap."""
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
