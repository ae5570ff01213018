"""Whether two structures share memory: a container that is in both, or arrays that overlap."""

from __future__ import annotations

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType, Type

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
