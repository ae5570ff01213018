"""The types of actual arguments: the signature that a derivative is generated for."""

from __future__ import annotations

import types
from collections.abc import Callable

import numpy as np

from s2sad.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
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


def types_of(arguments: tuple[object, ...], join: Callable[[Type, Type], Type]) -> tuple[Type, ...]:
    """One type an argument; an object that is met twice has one region. `join` makes one type of a list's elements."""
    regions: dict[int, int] = {}
    return tuple(_type_of(argument, regions, join) for argument in arguments)


def is_function_like(value: object) -> bool:
    """Whether a value is known by its identity: a function, a class, a module, a callable object."""
    return isinstance(value, _FUNCTIONS) or (callable(value) and not isinstance(value, np.ndarray))


def _type_of(value: object, regions: dict[int, int], join: Callable[[Type, Type], Type]) -> Type:
    plain = _PLAIN.get(value.__class__)
    if plain is not None:
        return plain
    if isinstance(value, np.generic):
        kind = _NUMPY_KINDS.get(value.dtype.kind)
        return ScalarType(kind, value.dtype.name) if kind else OpaqueType(type(value))
    if isinstance(value, tuple):
        return TupleType(tuple(_type_of(element, regions, join) for element in value), type(value))
    if type(value) is list:
        seen = id(value) in regions
        region = regions.setdefault(id(value), len(regions) + 1)
        if seen:
            return ListType(UNKNOWN, region)
        element: Type = UNKNOWN
        for cls in dict.fromkeys(map(type, value)):
            if cls in _PLAIN:
                element = join(element, _PLAIN[cls])
        for item in value:
            if item.__class__ not in _PLAIN:
                element = join(element, _type_of(item, regions, join))
        return ListType(element, region)
    if type(value) is dict:
        seen = id(value) in regions
        region = regions.setdefault(id(value), len(regions) + 1)
        if seen:
            return DictType(UNKNOWN, UNKNOWN, region)
        key: Type = UNKNOWN
        for item in value:
            key = join(key, _type_of(item, regions, join))
        fields = tuple((name, _type_of(item, regions, join)) for name, item in value.items())
        return DictType(key, UNKNOWN, region, fields)
    if is_function_like(value) and (isinstance(value, _FUNCTIONS) or not hasattr(value, "__dict__")):
        return ConstantType(value, id(value))
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict) and type(value).__module__ != "builtins":
        seen = id(value) in regions
        region = regions.setdefault(id(value), len(regions) + 1)
        fields = () if seen else tuple((name, _type_of(item, regions, join)) for name, item in attributes.items())
        return ObjectType(type(value), region, fields)
    return OpaqueType(type(value))


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
    return kind
