"""Slices whose bounds stand in the program, such as ``[1:-1]`` and ``[::-1]``: a `Constant`, or a call of `slice` with constants.

>>> plain_bounds(Constant(slice(1, -2, None)), {}), plain_bounds(Constant(slice(2, None, None)), {})
((1, 2), (2, 0))
>>> plain_bounds(Constant(slice(None, 3, None)), {}), is_reversal(Constant(slice(None, None, -1)), {})
(None, True)
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.nodes import Call, Constant, Operand, Operation, Value, function_of

Definitions = Mapping[Value, Operation | None]


def is_reversal(part: Operand, definitions: Definitions) -> bool:
    """Whether a slice is ``[::-1]``."""
    return _bounds_of(part, definitions) == (None, None, -1)


def plain_bounds(part: Operand, definitions: Definitions) -> tuple[int, int] | None:
    """How many elements ``[1:]``, ``[:-1]`` and ``[1:-1]`` leave out at either end; None for other slices."""
    bounds = _bounds_of(part, definitions)
    if bounds is None or bounds[2] not in (None, 1):
        return None
    start = 0 if bounds[0] is None else bounds[0]
    if start.__class__ is not int or start < 0:
        return None
    if bounds[1] is None:
        return start, 0
    return (start, -bounds[1]) if bounds[1].__class__ is int and bounds[1] < 0 else None


def _bounds_of(part: Operand, definitions: Definitions) -> tuple[int | None, ...] | None:
    """Start, stop and step."""
    if isinstance(part, Constant):
        return (part.value.start, part.value.stop, part.value.step) if isinstance(part.value, slice) else None
    made = definitions.get(part)
    if not isinstance(made, Call) or function_of(made) is not slice or len(made.arguments) != 3:
        return None
    values = [operand.value for operand in made.arguments if isinstance(operand, Constant)]
    is_known = len(values) == 3 and all(value is None or isinstance(value, int) for value in values)
    return tuple(value for value in values if value is None or isinstance(value, int)) if is_known else None
