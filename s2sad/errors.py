"""What s2sad raises. Every class derives from `S2sadError` and from the built-in that a caller would catch."""

from __future__ import annotations

import linecache


class S2sadError(Exception):
    """Base of all errors of this package."""


def describe_location(filename: str, line: int, column: int = 0, end_column: int = 0) -> str:
    """``file:line``, the source line, and a caret below the place, as Python's own tracebacks show them."""
    text = linecache.getline(filename, line).rstrip("\n")
    where = f'  File "{filename}", line {line}'
    if not text.strip():
        return where
    indent = len(text) - len(text.lstrip())
    width = max(1, min(end_column, len(text)) - column) if end_column > column else 1
    caret = " " * max(0, column - indent) + "^" * width
    return f"{where}\n    {text.strip()}\n    {caret}"


class UnsupportedSyntaxError(S2sadError, SyntaxError):
    """A construct that cannot be differentiated: the message shows where it stands and what to write instead."""

    #: What was found inside of a function of a library, of which the message tells.
    inside: str = ""

    def __str__(self) -> str:
        return str(self.msg)  # a `SyntaxError` would add the file and the line, which the message has


class SourceUnavailableError(S2sadError, OSError):
    """The source of a function cannot be found (it was typed at a plain prompt, or made by `exec`)."""


class MissingRuleError(S2sadError, NotImplementedError):
    """An active value goes into a function that has neither a rule nor source."""

    #: What was found inside of a function of a library, of which the message tells.
    inside: str = ""


class MissingAttributeError(S2sadError, AttributeError):
    """A module or class lacks the function that is called: the primal raises as well where it comes there."""


class NonDifferentiableError(S2sadError, TypeError):
    """What was asked for has no derivative: a vector result, a string argument, …"""


class InvalidRuleError(S2sadError, TypeError):
    """A rule was declared wrongly: an undefined name, the wrong number of partial derivatives, a second rule."""


class InvalidIRError(S2sadError, AssertionError):
    """A pass of the transformer produced an invalid program: a fault in s2sad, not in the user's code."""


class MissingExtraError(S2sadError, ImportError):
    """An optional package is needed and not installed."""


class GradientCheckError(S2sadError, AssertionError):
    """`check_grads` found a derivative that differs from numeric differences."""
