"""How the shadow of a container that the reverse sweep alone needs is made there.

=============================  ==============================
forward, in a loop             reverse
=============================  ==============================
``dx = np.empty(n)``           ``dx_bar = np.zeros(n)``
``flux = np.zeros_like(u)``    ``flux_bar = np.zeros_like(u)``
``u = x * y``                  ``u_bar = zeros_like(u)``
``items = [x, y]``             ``items_bar = [0.0] * len(items)``
=============================  ==============================

The first two ask nothing of the array itself, which need not be saved for its shape.
"""

from __future__ import annotations

import operator
from typing import Final

import numpy as np

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Call, Constant, Operand, Operation, Value
from s2sad.ir.operations import make_list
from s2sad.ir.types import INT, ArrayType, ListType, ScalarType, TupleType
from s2sad.transform.reverse.frames import maker_of_zeros

_OF_SHAPE: Final = (np.empty, np.zeros, np.ones, np.full)
_ALIKE: Final = (np.empty_like, np.zeros_like, np.ones_like, np.full_like)


def zeros_for(value: Value, shadow: Value, structure: Structure) -> list[Operation]:
    """The operations that make the late shadow of a value, in terms of the primal's values."""
    kind = value.type
    if isinstance(kind, ListType) and isinstance(kind.element, ScalarType):
        zero, length = Value("", ListType(kind.element, 0), temporary=True), Value("", INT, temporary=True)
        return [
            Call(zero, Constant(make_list), (Constant(0.0),), (), None, exact=False),
            Call(length, Constant(len), (value,), (), None, exact=False),
            Call(shadow, Constant(operator.mul), (zero, length), (), None, exact=False),
        ]
    function, operand = _without_the_array(value, structure) or (maker_of_zeros(kind), value)
    return [Call(shadow, Constant(function), (operand,), (), None, exact=False)]


def _without_the_array(value: Value, structure: Structure) -> tuple[object, Operand] | None:
    """What makes zeros in the shape of an array that a loop makes anew: a function, and its operand."""
    definition = structure.definition[value]
    if structure.depth[structure.home[value]] == 0 or not isinstance(definition, Call) or definition.result is not value:
        return None
    function = definition.function.value if isinstance(definition.function, Constant) else None
    if not isinstance(value.type, ArrayType) or value.type.dtype != "float64" or definition.keywords or not definition.arguments:
        return None
    operand = definition.arguments[0]
    if function in _OF_SHAPE:
        return (np.zeros, operand) if _is_shape(operand) else None
    if function in _ALIKE and isinstance(operand, Value) and isinstance(operand.type, ArrayType):
        return (np.zeros_like, operand) if operand.type.dtype == "float64" else None
    return None


def _is_shape(operand: Operand) -> bool:
    """Whether an operand is a number or a tuple, which nobody changes."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, int | tuple)
    return isinstance(operand.type, ScalarType | TupleType)
