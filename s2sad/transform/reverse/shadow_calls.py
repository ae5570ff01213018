"""What generated code does to shadows, where that code is differentiated again: the same to the shadows of the shadows.

A second derivative meets what the first one wrote::

    a_bar = shadow_of_view(y_bar.ravel(), y_bar, a, y)        # y_bar.ravel(), if a is a view of y
    add_copied(y_bar, a_bar)                                  # y_bar += a_bar.reshape(…), if it is none

Whether `a` is a view depends on `y` alone, so with shadows in place of the adjoints these are the statements to write; what
`add_copied` adds comes back by the same function, with the two exchanged.
"""

from __future__ import annotations

from typing import Final

from s2sad import runtime
from s2sad.ir.nodes import Call, Constant

#: Functions that give a shadow, and which of their operands are shadows.
_GIVING: Final[dict[object, tuple[int, ...]]] = {runtime.shadow_of_view: (0, 1)}
#: Functions that add one shadow to another, what reverses them, and in which order it takes the shadows of their operands.
_ADDING: Final[dict[object, tuple[object, tuple[int, ...]]]] = {runtime.add_copied: (runtime.add_copied, (1, 0))}


def shadows_among(call: Call) -> tuple[int, ...] | None:
    """The operands that are shadows, of a call that gives another one; None of any other call."""
    return _GIVING.get(call.function.value) if isinstance(call.function, Constant) else None


def reverse_of_adding(function: object) -> tuple[object, tuple[int, ...]] | None:
    """What reverses a function that adds one shadow to another, and in which order it takes the shadows of its operands."""
    return next((found for known, found in _ADDING.items() if known is function), None)
