"""What containers hold that are not followed, and are outside of the function or among its arguments."""

from __future__ import annotations

import gc
import queue
import types
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from s2sad.analysis.memory import references_in
from s2sad.ir.memo import remembered_by_identity
from s2sad.ir.types import AnyType, OpaqueType, Type

#: Containers that are not followed, and those that are gone through.
_HOLDERS: Final = (deque, set, frozenset, OrderedDict, defaultdict, Counter, ChainMap, UserDict, UserList, queue.SimpleQueue)
_GONE_THROUGH: Final = (*_HOLDERS, list, dict, tuple)
#: A container outside is gone through so far.
_MOST_CONTENTS: Final = 10_000


def contents_of(holder: object) -> set[int]:
    """The identities of what a container that is not followed holds, and of what that holds.

    >>> values = [1.0]
    >>> id(values) in contents_of(deque([(values, "a")])), contents_of([values])
    (True, set())
    """
    if type(holder) not in _HOLDERS:
        return set()
    seen: set[int] = set()
    pending = gc.get_referents(holder)
    while pending and len(seen) < _MOST_CONTENTS:
        part = pending.pop()
        if id(part) not in seen and not isinstance(part, type | types.ModuleType | types.FunctionType):
            seen.add(id(part))
            pending.extend(gc.get_referents(part) if type(part) in _GONE_THROUGH else ())
    return seen


@remembered_by_identity
def contents_of_outside(holder: object) -> set[int]:
    """The same of a container outside, looked at once while a derivative is made."""
    return contents_of(holder)


@remembered_by_identity
def held_outside(variables: Mapping[str, object]) -> set[int]:
    """The identities of what containers among these variables hold that are not followed."""
    return set[int]().union(*map(contents_of_outside, [holder for holder in [*variables.values()] if type(holder) in _HOLDERS]))


def may_hold_another(kinds: Sequence[Type]) -> bool:
    """Whether one of several arguments of these types is not followed, and may hold another."""
    changeable = [kind for kind in kinds if references_in(kind) or isinstance(kind, (OpaqueType, AnyType))]
    return len(changeable) > 1 and any(isinstance(kind, OpaqueType) and kind.cls in _HOLDERS for kind in changeable)


def find_held(arguments: Sequence[object]) -> tuple[int, int] | None:
    """The places of an argument that is not followed and of another one that it holds.

    >>> values = [1.0]
    >>> find_held((2.0, values, deque([values]))), find_held((2.0, values, deque([[1.0]])))
    ((2, 1), None)
    """
    for place, holder in enumerate(arguments):
        if type(holder) in _HOLDERS:
            contents = contents_of(holder)
            for other, argument in enumerate(arguments):
                if other != place and id(argument) in contents and not isinstance(argument, int | float | str | tuple | None):
                    return place, other
    return None
