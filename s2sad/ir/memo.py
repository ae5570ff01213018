"""What is found out about functions and calls in IR, kept while a derivative is made: they never change, and many passes ask.

>>> from s2sad.ir.nodes import Block, Constant, Function, Return
>>> asked = []
>>> @remembered(MOST_FUNCTIONS)
... def count_operations(fn):
...     asked.append(fn.name)
...     return len(fn.body.operations)
>>> f = Function("f", (), Block((), Return(Constant(None))))
>>> count_operations(f), count_operations(f), asked
(0, 0, ['f'])
>>> forget()
>>> count_operations(f), asked
(0, ['f', 'f'])

What is remembered is shared by those who ask, so they leave it alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

Node = TypeVar("Node")
Answer = TypeVar("Answer")

#: So many functions are remembered: what passes have made of a few lately.
MOST_FUNCTIONS: Final = 8
_FORGETTING: Final[list[Callable[[], None]]] = []
#: One entry for each derivative that is being made.
_UNDER_WAY: Final[list[None]] = []


def remembered(most: int | None = None) -> Callable[[Callable[[Node], Answer]], Callable[[Node], Answer]]:
    """A decorator: the function is asked once about each node, or each of the latest; at `most` so many are kept."""

    def decorate(function: Callable[[Node], Answer]) -> Callable[[Node], Answer]:
        kept = functools.lru_cache(most)(function)
        _FORGETTING.append(kept.cache_clear)
        return kept

    return decorate


def remembered_by_identity(function: Callable[[Node], Answer]) -> Callable[[Node], Answer]:
    """A decorator: the function is asked once about each object while a derivative is made, whatever the object is equal to."""
    kept: dict[int, tuple[Node, Answer]] = {}

    @functools.wraps(function)
    def ask(node: Node) -> Answer:
        found = kept.get(id(node))
        if found is None:
            found = (node, function(node))
            if _UNDER_WAY:
                kept[id(node)] = found
        return found[1]

    _FORGETTING.append(kept.clear)
    return ask


def forget() -> None:
    """Forget everything: what is kept would keep the user's functions alive."""
    for clear in _FORGETTING:
        clear()


@contextmanager
def remembering() -> Iterator[None]:
    """Forget at the end what was found out in between."""
    _UNDER_WAY.append(None)
    try:
        yield
    finally:
        _UNDER_WAY.pop()
        forget()
