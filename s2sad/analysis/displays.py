"""List displays that only a function on arrays reads: ``np.stack([u, v])`` is ``np.stack((u, v))``.

As a tuple the elements stay what they are, each with a type of its own; a list is memory, and so would the arrays in it be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from s2sad.analysis.array_types import is_array_function
from s2sad.ir.nodes import Block, Call, Constant, Operand, operands_of, walk
from s2sad.ir.operations import call_method, make_list, make_tuple

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


def readers_of(displays: Mapping[Operand, Call], body: Block) -> dict[Operand, Call]:
    """The one call that reads each display, if there is no other use."""
    counts: Counter[Operand] = Counter()
    readers: dict[Operand, Call] = {}
    for node in walk(body):
        for operand in operands_of(node):
            if operand in displays:
                counts[operand] += 1
                if isinstance(node, Call):
                    readers[operand] = node
    return {operand: reader for operand, reader in readers.items() if counts[operand] == 1}


def is_read_as_array(inference: Inference, display: Call) -> bool:
    """Whether a list display goes into a function on arrays, or into a display that does."""
    reader = inference.readers.get(display.result)
    if reader is None:
        return False
    function = inference.constant_of(reader.function)
    if function is None:
        return False
    if function.value in (make_list, make_tuple):
        return function.value is make_list and is_read_as_array(inference, reader)
    if function.value is call_method:
        receiver, name = inference.constant_of(reader.arguments[0]), reader.arguments[1]
        if receiver is None or not isinstance(receiver.value, ModuleType) or not isinstance(name, Constant):
            return False
        return _is_of_arrays(getattr(receiver.value, str(name.value), None))
    return _is_of_arrays(function.value)


def _is_of_arrays(function: object) -> bool:
    if getattr(function, "__module__", None) in ("operator", "_operator", "builtins"):
        return False  # ``x[[0, 1]]`` is not ``x[(0, 1)]``
    return is_array_function(function) or isinstance(function, np.ufunc)
