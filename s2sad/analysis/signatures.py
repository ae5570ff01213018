"""The types of actual arguments: the signature that a derivative is generated for."""

from __future__ import annotations

import enum
import types

import numpy as np

from s2sad.analysis.memory import ELEMENT, KEY, Memory, number_regions
from s2sad.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    AnyType,
    ConstantType,
    DictType,
    ListType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)

_PLAIN: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, type(None): NONE}
_NUMPY_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}

_FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    types.ModuleType,
    np.ufunc,
    type,
)


def types_of(arguments: tuple[object, ...]) -> tuple[Type, ...]:
    """One type an argument; an object that is met twice has one region, and so have the elements of one list."""
    memory = Memory()
    regions: dict[int, int] = {}
    kinds = [_type_of(argument, regions, memory) for argument in arguments]
    return number_regions([memory.freeze(kind) for kind in kinds])


def is_function_like(value: object) -> bool:
    """Whether a value is known by its identity: a function, a class, a module, a callable object."""
    return isinstance(value, _FUNCTIONS) or (callable(value) and not isinstance(value, np.ndarray))


def _type_of(value: object, regions: dict[int, int], memory: Memory) -> Type:
    plain = _PLAIN.get(value.__class__)
    if plain is not None:
        return plain
    if isinstance(value, np.generic):
        kind = _NUMPY_KINDS.get(value.dtype.kind)
        return ScalarType(kind, value.dtype.name) if kind else OpaqueType(type(value))
    if isinstance(value, enum.Enum):
        return ConstantType(value, id(value))
    if isinstance(value, tuple):
        return TupleType(tuple(_type_of(element, regions, memory) for element in value), type(value))
    if type(value) is list:
        region, seen = _region_of(value, regions, memory)
        if not seen:
            for cls in dict.fromkeys(map(type, value)):
                if cls in _PLAIN:
                    memory.store(region, ELEMENT, _PLAIN[cls])
            for item in value:
                if item.__class__ not in _PLAIN:
                    memory.store(region, ELEMENT, _type_of(item, regions, memory))
            if isinstance(memory.load(region, ELEMENT), AnyType):
                # elements of several kinds, [1.0, [2.0]]: a type for each place, as an object has for each attribute
                memory.content[memory.find(region)] = {}
                for place, item in enumerate(value):
                    memory.store(region, str(place), _type_of(item, regions, memory))
        has_places = bool(value) and ELEMENT not in memory.content[memory.find(region)]
        return ObjectType(list, region) if has_places else ListType(UNKNOWN, region)
    if type(value) is dict:
        region, seen = _region_of(value, regions, memory)
        if not seen:
            for name, item in value.items():
                memory.store(region, KEY, _type_of(name, regions, memory))
                memory.store(region, ("field", name), _type_of(item, regions, memory))
        return DictType(UNKNOWN, UNKNOWN, region)
    if is_function_like(value) and (isinstance(value, _FUNCTIONS) or not hasattr(value, "__dict__")):
        return ConstantType(value, id(value))
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict) and is_plain_class(type(value)):
        region, seen = _region_of(value, regions, memory)
        if not seen:
            for name, item in attributes.items():
                memory.store(region, name, _type_of(item, regions, memory))
        return ObjectType(type(value), region)
    return OpaqueType(type(value))


_HEAP_TYPE = 1 << 9


def is_plain_class(cls: type) -> bool:
    """Whether instances hold nothing but attributes: no class of C code (a dict, a deque) is among the bases."""
    if cls is types.SimpleNamespace:
        return True
    return all(base is object or base.__flags__ & _HEAP_TYPE for base in cls.__mro__) and cls.__module__ != "builtins"


def _region_of(value: object, regions: dict[int, int], memory: Memory) -> tuple[int, bool]:
    """The region of an object, and whether it was met before."""
    seen = id(value) in regions
    if not seen:
        regions[id(value)] = memory.allocate()
    return regions[id(value)], seen


def as_real(kind: Type) -> Type:
    """The type that an argument has when its derivative is asked for: integers count as real numbers."""
    match kind:
        case ScalarType(kind="int"):
            return FLOAT
        case TupleType():
            return TupleType(tuple(map(as_real, kind.elements)), kind.cls)
        case ListType():
            return ListType(as_real(kind.element), kind.region)
        case DictType():
            return DictType(kind.key, as_real(kind.value), kind.region, tuple((key, as_real(part)) for key, part in kind.fields))
        case ObjectType(cls=cls) if cls is list:
            return ObjectType(list, kind.region, tuple((place, as_real(part)) for place, part in kind.fields))
    return kind
