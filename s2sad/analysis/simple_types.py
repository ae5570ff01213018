"""Types that are known without looking into containers: of literals, of objects known by identity."""

from __future__ import annotations

import inspect
from typing import Final

import numpy as np

from s2sad.ir.nodes import UNBOUND, Constant
from s2sad.ir.types import BOOL, FLOAT, INT, NONE, UNKNOWN, ConstantType, OpaqueType, ScalarType, TupleType, Type

_KINDS: Final = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
STRING: Final = OpaqueType(str)
SLICE: Final = OpaqueType(slice)
#: A tuple of integers, who knows how many: the shape of an array whose number of axes is not known.
INTEGERS: Final = OpaqueType(tuple, "int")
#: Objects of NumPy that compute something of the index that they are given, and do not know their names.
INDEX_TRICKS: Final = {"mgrid": np.mgrid, "ogrid": np.ogrid, "r_": np.r_, "c_": np.c_, "s_": np.s_, "index_exp": np.index_exp}
CLASSES_OF_INDEX_TRICKS: Final = tuple({type(trick): None for trick in INDEX_TRICKS.values()})
#: What is done to a tuple without asking its class.
_OF_TUPLES: Final = ("__iter__", "__getitem__", "__len__", "__hash__", "__bool__", "__getattribute__", "__getattr__")


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
    if isinstance(value, tuple) and acts_as_tuple(type(value)):
        return TupleType(tuple(type_of_constant(Constant(element)) for element in value), type(value))
    return ConstantType(value, id(value))


def acts_as_tuple(cls: type) -> bool:
    """Whether a class derived from `tuple` leaves it to `tuple` how its instances are gone through, unpacked and tested.

    >>> class Pair(tuple):
    ...     def __len__(self):
    ...         return 3
    >>> acts_as_tuple(tuple), acts_as_tuple(Pair)
    (True, False)
    """
    found = ((inspect.getattr_static(cls, label, None), inspect.getattr_static(tuple, label, None)) for label in _OF_TUPLES)
    return cls is tuple or all(own is None or own is built_in for own, built_in in found)


def makes_named_tuples(cls: type) -> bool:
    """Whether a class makes its instances as `collections.namedtuple` does."""
    maker = next((base for base in cls.__mro__ if "__new__" in vars(base)), object)
    return issubclass(cls, tuple) and "_fields" in vars(maker) and acts_as_tuple(cls)
