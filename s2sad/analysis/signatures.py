"""The types of actual arguments: the signature that a derivative is generated for."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Iterable
from typing import Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.lengths import name_lengths
from s2sad.analysis.library_calls import LIBRARIES
from s2sad.analysis.memory import ELEMENT, KEY, Memory, number_regions
from s2sad.analysis.simple_types import CLASSES_OF_INDEX_TRICKS, acts_as_tuple
from s2sad.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    Extent,
    Length,
    ListType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)
from s2sad.runtime.attributes import attributes_of

#: The types of what has no more than its class.
PLAIN_TYPES: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, type(None): NONE}
_NUMPY_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}

_WITHOUT_FUNCTIONS = frozenset({*PLAIN_TYPES, str, bytes, range})
_CONTAINERS = frozenset({list, tuple, dict, np.ndarray})
#: Lists that are longer, and what is nested deeper, is not searched for functions.
MOST_PLACES: Final = 64
MOST_DEPTH: Final = 6

_FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    types.ModuleType,
    np.ufunc,
    type,
    *CLASSES_OF_INDEX_TRICKS,  # which stand for functions
)


def types_of(arguments: tuple[object, ...]) -> tuple[Type, ...]:
    """One type an argument; an object that is met twice has one region, and so have the elements of one list, and arrays that
    overlap in memory. Axes of equal length have one name."""
    signer = _Signer()
    kinds = [signer.type_of(argument) for argument in arguments]
    signer.unite_overlapping()
    frozen = number_regions(signer.memory.freeze_all(kinds))
    return name_lengths(frozen) if signer.arrays else frozen


def is_function_like(value: object) -> bool:
    """Whether a value is known by its identity: a function, a class, a module, a callable object, ``np.s_``."""
    return isinstance(value, _FUNCTIONS) or (callable(value) and not isinstance(value, np.ndarray))


class _Signer:
    """The types of the arguments of one call."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.regions: dict[int, int] = {}
        self.arrays: list[np.ndarray] = []

    def type_of(self, value: object) -> Type:
        memory = self.memory
        plain = PLAIN_TYPES.get(value.__class__)
        if plain is not None:
            return plain
        if isinstance(value, np.generic):
            kind = _NUMPY_KINDS.get(value.dtype.kind)
            return ScalarType(kind, value.dtype.name) if kind else OpaqueType(type(value))
        if isinstance(value, np.ndarray):
            return self.type_of_array(value)
        if isinstance(value, enum.Enum):
            return ConstantType(value, id(value))
        if isinstance(value, tuple) and acts_as_tuple(type(value)):
            return TupleType(tuple(self.type_of(element) for element in value), type(value))
        if type(value) is list:
            region, seen = self.region_of(value)
            if not seen and (_are_arrays_of_several_kinds(value) or _hold_several_functions(value)):
                # a type for each place, as an object has for each attribute
                for place, item in enumerate(value):
                    memory.store(region, str(place), self.type_of(item))
            elif not seen:
                for cls in dict.fromkeys(map(type, value)):
                    if cls in PLAIN_TYPES:
                        memory.store(region, ELEMENT, PLAIN_TYPES[cls])
                for item in value:
                    if item.__class__ not in PLAIN_TYPES:
                        memory.store(region, ELEMENT, self.type_of(item))
                if isinstance(memory.load(region, ELEMENT), AnyType):
                    # elements of several kinds, [1.0, [2.0]]: a type for each place, as an object has for each attribute
                    memory.content[memory.find(region)] = {}
                    for place, item in enumerate(value):
                        memory.store(region, str(place), self.type_of(item))
            has_places = bool(value) and ELEMENT not in memory.content[memory.find(region)]
            return ObjectType(list, region) if has_places else ListType(UNKNOWN, region)
        if type(value) is dict:
            region, seen = self.region_of(value)
            if not seen:
                for name, item in value.items():
                    memory.store(region, KEY, self.type_of(name))
                    memory.store(region, ("field", name), self.type_of(item))
                memory.make_with_keys(region, tuple(value))
            return DictType(UNKNOWN, UNKNOWN, region)
        if _is_constant(value):
            return ConstantType(value, id(value))
        attributes = attributes_of_record(value)
        if attributes is not None:
            region, seen = self.region_of(value)
            if not seen:
                for name, item in attributes.items():
                    memory.store(region, name, self.type_of(item))
            return ObjectType(type(value), region)
        return OpaqueType(type(value))

    def type_of_array(self, value: np.ndarray) -> Type:
        """Plain arrays of numbers have a type; what else calls itself an array carries no derivative."""
        if type(value) is not np.ndarray:
            return OpaqueType(type(value))
        if value.dtype.kind not in _NUMPY_KINDS:
            return OpaqueType(np.ndarray, value.dtype.name)
        region, seen = self.region_of(value)
        if not seen:
            self.arrays.append(value)
        return ArrayType(value.dtype.name, tuple(map(_length, value.shape)), region)

    def region_of(self, value: object) -> tuple[int, bool]:
        """The region of an object, and whether it was met before."""
        seen = id(value) in self.regions
        if not seen:
            self.regions[id(value)] = self.memory.allocate()
        return self.regions[id(value)], seen

    def unite_overlapping(self) -> None:
        """Arrays that overlap in memory live in one region."""
        for first, second in runtime.overlapping(self.arrays):
            self.memory.unite(self.regions[id(first)], self.regions[id(second)])


def _are_arrays_of_several_kinds(items: list[object]) -> bool:
    """Whether there are arrays among the items, and they differ in dtype or in the number of axes, or others are not arrays: one
    type for all would tell next to nothing."""
    kinds = {(item.ndim, item.dtype.name) if isinstance(item, np.ndarray) else None for item in items if item is not None}
    return len(kinds) > 1


def _hold_several_functions(items: list[object]) -> bool:
    """Whether functions stand in the items, and not the same ones at the same place of each."""
    if len(items) > MOST_PLACES or _WITHOUT_FUNCTIONS.issuperset(map(type, items)):
        return False
    found = {_functions_in(item, ()) for item in items if item.__class__ not in PLAIN_TYPES}
    return len(found) > 1 or (any(map(is_function_like, items)) and len(set(map(type, items))) > 1)


def _functions_in(value: object, within: tuple[object, ...]) -> object:
    """The functions in a value, by where they stand; None of one that has none."""
    if value.__class__ not in _CONTAINERS and is_function_like(value):
        return id(value)
    if isinstance(value, np.ndarray | np.generic) or any(value is outer for outer in within) or len(within) > MOST_DEPTH:
        return None
    parts: Iterable[tuple[object, object]] = ()
    if type(value) is dict:
        parts = () if _WITHOUT_FUNCTIONS.issuperset(map(type, value.values())) else value.items()
    elif type(value) is list or (isinstance(value, tuple) and acts_as_tuple(type(value))):
        parts = () if _WITHOUT_FUNCTIONS.issuperset(map(type, value)) else enumerate(value[:MOST_PLACES])
    elif value.__class__ not in _WITHOUT_FUNCTIONS:
        parts = (attributes_of_record(value) or {}).items()
    found = [
        (name, functions)
        for name, part in parts
        if part.__class__ not in _WITHOUT_FUNCTIONS and (functions := _functions_in(part, (*within, value))) is not None
    ]
    return tuple(found) or None


def _length(length: int) -> Length:
    """A name for the length of an axis: axes of equal length have the same."""
    return 1 if length == 1 else Extent(str(length))


def _is_constant(value: object) -> bool:
    """Whether a value is a function, a class or the like, of which nothing changes."""
    return is_function_like(value) and (isinstance(value, _FUNCTIONS) or not hasattr(value, "__dict__"))


def attributes_of_record(value: object) -> dict[str, object] | None:
    """The attributes of an object that holds nothing else; None of all others."""
    if isinstance(value, enum.Enum) or _is_constant(value):
        return None
    attributes = _attributes_of(value)
    is_record = attributes is not None and is_plain_class(type(value)) and not is_foreign_array(type(value))
    return attributes if is_record else None


def _attributes_of(value: object) -> dict[str, object] | None:
    """The attributes of an instance; not of a library's, such as a `Fraction`, that keeps what it is made of in slots."""
    is_of_library = type(value).__module__.partition(".")[0] in LIBRARIES
    if is_of_library and not isinstance(getattr(value, "__dict__", None), dict):
        return None
    return attributes_of(value)


def is_foreign_array(cls: type) -> bool:
    """Whether objects take part in NumPy's operations in a way of their own: a data frame, a tensor of another package."""
    return any(hasattr(cls, name) for name in ("__array_ufunc__", "__array_function__", "__array__"))


_HEAP_TYPE = 1 << 9


def is_plain_class(cls: type) -> bool:
    """Whether instances hold nothing but attributes: no class of C code (a dict, a deque) is among the bases."""
    if cls is types.SimpleNamespace:
        return True
    return all(base is object or base.__flags__ & _HEAP_TYPE for base in cls.__mro__) and cls.__module__ != "builtins"


def as_real(kind: Type) -> Type:
    """The type that an argument has when its derivative is asked for: integers count as real numbers."""
    match kind:
        case ScalarType(kind="int"):
            return FLOAT
        case ArrayType(kind="int"):
            return ArrayType("float64", kind.shape, kind.region)
        case TupleType():
            return TupleType(tuple(map(as_real, kind.elements)), kind.cls)
        case ListType():
            return ListType(as_real(kind.element), kind.region)
        case DictType():
            fields = tuple((key, as_real(part)) for key, part in kind.fields)
            return DictType(kind.key, as_real(kind.value), kind.region, fields, kind.keys)
        case ObjectType(cls=cls) if cls is list or dataclasses.is_dataclass(cls):
            return ObjectType(cls, kind.region, tuple((place, as_real(part)) for place, part in kind.fields))
    return kind
