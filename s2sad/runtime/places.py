"""Where a statement of generated code comes from, for what only the running program can refuse."""

from __future__ import annotations

import sys
from typing import Final

from s2sad.errors import describe_location

#: The file that each generated text was made of, by the name of the text.
SOURCES: Final[dict[str, str]] = {}


def place_in_source(line: int) -> str:
    """The line of the user's file that a check in generated code belongs to. It is not known where the code was written to a
    file of its own.

    >>> place_in_source(7)
    '  line 7 of the function that was differentiated'
    """
    source = SOURCES.get(sys._getframe(2).f_code.co_filename)
    return f"  line {line} of the function that was differentiated" if source is None else describe_location(source, line)
