"""List displays that only a function on arrays reads: ``np.stack([u, v])`` is ``np.stack((u, v))``.

As a tuple the elements stay what they are, each with a type of its own; a list is memory, and so would the arrays in it be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad.analysis.array_types import name_of_operand
from s2sad.ir.nodes import Block, Call, Constant, Operand, operands_of, walk
from s2sad.ir.operations import call_method, make_list, make_tuple

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


#: Parameters for which a tuple means something else.
_NAMES_OF_OTHERS: Final = frozenset({"dtype", "indices", "axis", "obj", "key"})


def readers_of(body: Block) -> dict[Operand, Call]:
    """The one call that reads each display, if there is no other use."""
    counts: Counter[Operand] = Counter()
    readers: dict[Operand, Call] = {}
    displays: set[Operand] = set()
    for node in walk(body):
        if isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value in (make_list, make_tuple):
            displays.add(node.result)
        for operand in operands_of(node):
            if operand in displays:
                counts[operand] += 1
                if isinstance(node, Call):
                    readers[operand] = node
    return {operand: reader for operand, reader in readers.items() if counts[operand] == 1}


def is_read_as_array(inference: Inference, display: Call) -> bool:
    """Whether a list display goes into a function on arrays, or into a display that does."""
    reader = inference.readers.get(display.result)
    function = None if reader is None else _named(inference, reader.function)
    if reader is None or function is None:
        return False
    if function.value in (make_list, make_tuple):
        return is_read_as_array(inference, reader)
    if function.value is call_method:
        receiver, name = _named(inference, reader.arguments[0]), reader.arguments[1]
        if receiver is None or not isinstance(receiver.value, ModuleType | np.ufunc) or not isinstance(name, Constant):
            return False
        return _is_array_of(getattr(receiver.value, str(name.value), None), reader.arguments[2:], reader, display)
    return _is_array_of(function.value, reader.arguments, reader, display)


def _named(inference: Inference, operand: Operand) -> Constant | None:
    """The function or module that an operand is; one that has a name is looked up now: ``np`` is read after the display, in
    ``conditions = [x > 1, x < 0]; np.select(conditions, ...)``."""
    found, lookup = inference.constant_of(operand), inference.lookups.get(operand)
    if found is None and lookup is not None:
        if lookup.function.value is getattr and _named(inference, lookup.arguments[0]) is None:  # type: ignore[union-attr]
            return None
        inference.visit_call(lookup)
        found = inference.constant_of(operand)
    return found


def _is_array_of(function: object, arguments: Sequence[Operand], reader: Call, display: Call) -> bool:
    """Whether a function makes an array of this operand, tuple or list."""
    if getattr(function, "__module__", None) in ("operator", "_operator", "builtins"):
        return False  # ``x[[0, 1]]`` is not ``x[(0, 1)]``
    if isinstance(function, np.ufunc) or function is np.piecewise:
        return True
    name = name_of_operand(function, arguments, dict(reader.keywords), display.result)
    return name is not None and name not in _NAMES_OF_OTHERS
