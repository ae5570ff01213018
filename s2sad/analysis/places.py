"""Where a node stands in the user's file, for messages."""

from __future__ import annotations

from s2sad.errors import describe_location
from s2sad.ir.nodes import Span


def describe_place(span: Span | None) -> str:
    """The line of a node, with a caret."""
    if span is None:
        return ""
    end = span.end_column if span.end_line in (0, span.line) else 0
    return describe_location(span.filename, span.line, span.column, end)
