"""Python's search for garbage stands still while a derivative is made.

The search looks at all objects again and again as more of them are made, and a function in IR has many, of which none is garbage
before the end: without it, long functions take three quarters of the time.

>>> with collector_paused():
...     gc.isenabled()
False
>>> gc.isenabled()
True
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: So many objects, of a long function, are not searched at the end, but with all others at some later time.
MANY: Final = 50_000
#: So many of them together are not left without a search.
MOST_UNSEARCHED: Final = 1_000_000
_UNSEARCHED: Final[list[int]] = []


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for cycles of garbage inside; whoever has turned it off finds it so."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            made = gc.get_count()[0]
            if made >= MANY and not gc.get_freeze_count():  # what others have frozen stays so
                _put_off_search(made)
            gc.enable()


def _put_off_search(made: int) -> None:
    """Count the objects `made` as old ones, which are searched seldom; search all when they have become too many."""
    _UNSEARCHED.append(made)
    if sum(_UNSEARCHED) > MOST_UNSEARCHED:
        _UNSEARCHED.clear()
        gc.collect()
    else:
        gc.freeze()
        gc.unfreeze()
