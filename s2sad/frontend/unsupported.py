"""The error for what cannot be lowered: file, line, caret, and what to write instead."""

from __future__ import annotations

from typing import NoReturn

import gast

from s2sad.errors import UnsupportedSyntaxError, describe_location


def refuse(filename: str, node: gast.AST, what: str, advice: str) -> NoReturn:
    """Raise `UnsupportedSyntaxError` for the construct at `node`."""
    line = getattr(node, "lineno", None) or 1
    column = getattr(node, "col_offset", None) or 0
    end_column = (getattr(node, "end_col_offset", None) or 0) if getattr(node, "end_lineno", None) == line else 0
    error = UnsupportedSyntaxError(
        f"{what} cannot be differentiated; {advice}\n{describe_location(filename, line, column, end_column)}"
    )
    error.filename, error.lineno, error.offset = filename, line, column + 1
    raise error
