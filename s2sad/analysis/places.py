"""Where a node stands in the user's file, for messages."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from typing import Final

from s2sad.errors import describe_location
from s2sad.ir.nodes import Span
from s2sad.rules import containers

#: Where models of functions of the library stand.
_OWN: Final = Path(__file__).resolve().parents[1]
#: The place of functions that are made here as models of built-in ones: the user has no line of theirs.
IN_MODELS: Final = Span(containers.__file__, 0)


def describe_place(span: Span | None) -> str:
    """The line of a node, with a caret."""
    if span is None:
        return ""
    end = span.end_column if span.end_line in (0, span.line) else 0
    return describe_location(span.filename, span.line, span.column, end)


def is_own(span: Span | None) -> bool:
    """Whether a node stands in the code of this package."""
    return span is not None and Path(span.filename).is_relative_to(_OWN)


def is_written_at(span: Span | None, name: str) -> bool:
    """Whether the user's own lines have a name: what code of this package calls something says nothing to him.

    >>> is_written_at(None, "x")
    False
    """
    if span is None or not name or is_own(span):
        return False
    lines = (linecache.getline(span.filename, line) for line in range(span.line, max(span.line, span.end_line) + 1))
    return any(re.search(rf"\b{re.escape(name)}\b", line) for line in lines)
