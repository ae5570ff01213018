"""Types that are known without looking into containers: of literals, of objects known by identity."""

from __future__ import annotations

from typing import Final

import numpy as np

from s2sad.ir.nodes import UNBOUND, Constant
from s2sad.ir.types import BOOL, FLOAT, INT, NONE, UNKNOWN, ConstantType, OpaqueType, ScalarType, TupleType, Type

_KINDS: Final = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
STRING: Final = OpaqueType(str)
SLICE: Final = OpaqueType(slice)
#: A tuple of integers, who knows how many: the shape of an array whose number of axes is not known.
INTEGERS: Final = OpaqueType(tuple, "int")


def integers(count: int | None) -> Type:
    """The type of a tuple of so many integers."""
    return INTEGERS if count is None else TupleType((INT,) * count)


def type_of_constant(constant: Constant) -> Type:
    """The type of a literal or of a resolved object."""
    value = constant.value
    if constant is UNBOUND:
        return UNKNOWN
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, complex):
        return ScalarType("complex")
    if value is None:
        return NONE
    if isinstance(value, str):
        return STRING
    if isinstance(value, (np.number, np.bool)) and (kind := _KINDS.get(value.dtype.kind)) is not None:
        return ScalarType(kind, value.dtype.name)
    if isinstance(value, tuple):
        return TupleType(tuple(type_of_constant(Constant(element)) for element in value))
    return ConstantType(value, id(value))
