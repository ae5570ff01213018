"""What tells at once that arguments have the types of earlier ones.

The types of lists, dicts and objects are found in a model of memory, which takes a hundred times as long as to walk over them. A
*fingerprint* is what one walk finds: classes, dtypes, shapes, keys, and where an object is met again. Arguments with equal
fingerprints have equal types (:func:`s2sad.analysis.signatures.types_of`); those with different ones may have equal types too.

>>> import numpy as np
>>> a, b = np.zeros((2, 3)), np.ones((2, 3))
>>> fingerprint(([a, b], 1.0)) == fingerprint(([b, a], 2.0))
True
>>> fingerprint(([a, b], 1.0)) == fingerprint(([a, a], 1.0))
False
"""

from __future__ import annotations

import types
from typing import Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.signatures import PLAIN_TYPES, attributes_of_record, types_of
from s2sad.analysis.simple_types import acts_as_tuple
from s2sad.ir.types import Type

#: Their types say no more than their class.
_CLASSES: Final = frozenset({*PLAIN_TYPES, str, bytes, range, np.float64, np.float32, np.int64, np.int32, np.bool_})
#: Their types hold them, so that nothing else has their identity.
_CONSTANTS: Final = frozenset({types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, np.ufunc})


def fingerprint(arguments: tuple[object, ...]) -> tuple[object, ...] | None:
    """The fingerprint of arguments; None where only their types tell."""
    walk = _Walk()
    if not all(map(walk.note, arguments)):
        return None
    arrays = walk.arrays
    if len(arrays) > 1 and not all(array.flags.owndata for array in arrays) and runtime.overlapping(arrays):
        return None
    return tuple(walk.found)


class Recognised:
    """What values with the expected types looked like lately. From call to call (an optimisation, a container outside) they are
    mostly alike, and recognised by their fingerprint."""

    def __init__(self) -> None:
        self.latest: tuple[object, ...] | None = None

    def have_types(self, values: tuple[object, ...], expected: tuple[Type, ...]) -> bool:
        """Whether values have the types that are always expected here."""
        found = fingerprint(values)
        if found is not None and found == self.latest:
            return True
        if types_of(values) != expected:
            return False
        self.latest = found
        return True


class _Walk:
    """What was found so far; each object writes how many others follow, so that equal sequences come from equal structures."""

    def __init__(self) -> None:
        self.found: list[object] = []
        #: The objects with an identity, by the order in which they are met.
        self.numbers: dict[int, int] = {}
        self.arrays: list[np.ndarray] = []

    def note(self, value: object) -> bool:
        """Add what is found of a value; False where that does not tell its type."""
        cls = value.__class__
        if cls in _CLASSES:
            self.found.append(cls)
            return True
        if cls in _CONSTANTS:
            self.found += (cls, id(value))
            return True
        if isinstance(value, tuple) and acts_as_tuple(cls):
            self.found += (cls, len(value))
            return all(map(self.note, value))
        if id(value) in self.numbers:
            self.found += ("again", self.numbers[id(value)])
            return True
        self.numbers[id(value)] = len(self.numbers)
        if cls is np.ndarray:
            assert isinstance(value, np.ndarray)
            self.arrays.append(value)
            self.found += (value.dtype, value.shape)
            return True
        return self.note_container(value)

    def note_container(self, value: object) -> bool:
        """The same of what holds others."""
        if type(value) is list:
            classes = set(map(type, value))
            if len(classes) == 1 and classes <= PLAIN_TYPES.keys():
                self.found += (list, *classes)
                return True
            self.found += (list, len(value))
            return all(map(self.note, value))
        if type(value) is dict:
            self.found += (dict, len(value))
            return all(self.note_key(name) and self.note(item) for name, item in value.items())
        attributes = attributes_of_record(value)
        if attributes is None:
            return False
        self.found += (type(value), *attributes, len(attributes))
        return all(map(self.note, attributes.values()))

    def note_key(self, key: object) -> bool:
        """The same of a key, which is part of the type of a dict."""
        self.found += (key.__class__, key)  # 1 and True are equal
        return key.__class__ in (str, int, bool)
