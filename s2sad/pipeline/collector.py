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


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for cycles of garbage inside; whoever has turned it off finds it so."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
