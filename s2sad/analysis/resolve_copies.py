"""`copy.copy` of objects, and `copy.deepcopy` of what contains containers: small functions that are made here.

``copy.copy(p)`` of a ``Point`` becomes a call of::

    def copy_Point(original):
        copied = new_object(Point)
        copied.x = original.x
        copied.y = original.y
        return copied

A deep copy copies each part, and checks when it runs that no part stands in two places: Python would copy it once.
"""

from __future__ import annotations

import builtins
import copy
import functools
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad import runtime
from s2sad.analysis.container_types import places_of
from s2sad.analysis.memory import ELEMENT, KEY, Memory
from s2sad.analysis.places import IN_MODELS
from s2sad.analysis.resolution import Resolution
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Parameter, Return, Value
from s2sad.ir.operations import make_list, make_tuple, new_object, set_frozen
from s2sad.ir.types import (
    ArrayType,
    DictType,
    ListType,
    ObjectType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)
from s2sad.rules.containers import copied_dict_deeply, copied_list_deeply

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver


def resolve_copy(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``copy.copy(x)``"""
    return _copied(resolver, call, arguments, keywords, copy.copy)


def resolve_deepcopy(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``copy.deepcopy(x)``"""
    return _copied(resolver, call, arguments, keywords, copy.deepcopy)


def resolve_containers_copy(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> Resolution | None:
    """What a derivative that changes its arguments begins with, of lists, tuples and dicts of numbers: a deep copy."""
    memory = resolver.inference.memory
    if not all(_is_copied_by_parts(memory, resolver.inference.type_of(operand)) for operand in arguments):
        return None
    names = tuple(getattr(operand, "name", "") or f"argument {place}" for place, operand in enumerate(arguments, 1))
    return resolver.call_made(call, containers_copier(names), arguments)


def _is_copied_by_parts(memory: Memory, kind: Type, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a value consists of numbers and arrays in lists, tuples and dicts."""
    match kind:
        case ScalarType():
            return True
        case ArrayType(shape=shape):
            return shape is not None and bool(seen)  # an array that is an argument is copied as such
        case TupleType(elements=parts):
            return all(_is_copied_by_parts(memory, part, seen) for part in parts)
        case ListType() | DictType() | ObjectType(cls=builtins.list):
            root = memory.find(kind.region)
            known = "unknown" not in memory.flags[root] and root not in seen
            parts = tuple(part for slot, part in memory.content[root].items() if slot != KEY)
            return known and bool(parts) and all(_is_copied_by_parts(memory, part, seen | {root}) for part in parts)
    return False


@functools.lru_cache(maxsize=64)
def containers_copier(names: tuple[str, ...]) -> Function:
    """The function that copies arguments with these names, and all that is in them."""
    count = len(names)
    originals = [Value(f"original_{index}") for index in range(1, count + 1)]
    whole, copied = Value("", temporary=True), Value("", temporary=True)
    copies = [Value(f"copied_{index}") for index in range(1, count + 1)]
    operations: list[Operation] = [
        Call(whole, Constant(make_tuple), tuple(originals)),
        _call(runtime.check_separate, whole, Constant(names)),
        *(Call(part, Constant(copy.deepcopy), (original,)) for part, original in zip(copies, originals, strict=True)),
        Call(copied, Constant(make_tuple), tuple(copies)),
    ]
    return Function("copy_arguments", tuple(map(Parameter, originals)), Block(tuple(operations), Return(copied)))


def _copied(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...], function: Any
) -> Resolution:
    if len(arguments) != 1 or keywords:
        return resolver.opaque(call, function)
    kind = strip_optional(resolver.inference.type_of(arguments[0]))
    if isinstance(resolver.inference.type_of(arguments[0]), OptionalType):
        return resolver.transfer(call, function, arguments, keywords)
    memory, deep = resolver.inference.memory, function is copy.deepcopy
    body: Any = None
    if isinstance(kind, ObjectType) and kind.cls is not list and is_copied_by_attributes(kind.cls):
        content = memory.content[memory.find(kind.region)]
        is_known = "unknown" not in memory.flags[memory.find(kind.region)]
        if is_known and all(isinstance(name, str) for name in content):
            definition = copier_of(kind.cls, tuple(map(str, content)), deep)
            return resolver.call_made(call, definition, arguments)
    elif deep and isinstance(kind, ArrayType):
        return resolver.resolve_known(call, np.copy, arguments, ())
    elif deep and isinstance(kind, ListType) and not _is_flat(memory.load(kind.region, ELEMENT)):
        body = copied_list_deeply
    elif deep and isinstance(kind, DictType):
        slots = memory.content[memory.find(kind.region)]
        body = None if all(_is_flat(part) for part in slots.values()) else copied_dict_deeply
    elif deep and isinstance(kind, TupleType) and not all(map(_is_flat, kind.elements)):
        return resolver.call_made(call, copier_of_places(len(kind.elements), tuple, deep), arguments)
    elif isinstance(kind, ObjectType) and resolver.is_list_of_places(arguments[0]):
        count = len(places_of(memory, kind.region))
        return resolver.call_made(call, copier_of_places(count, list, deep), arguments, None if deep else function)
    if body is not None:
        return resolver.call_function(call, body, arguments, keywords)
    return resolver.transfer(call, function, arguments, keywords)


def _is_flat(kind: Type) -> bool:
    return isinstance(kind, ScalarType | UnknownType)


def is_copied_by_attributes(cls: Any) -> bool:
    """Whether the `copy` module makes a new instance and gives it the attributes of the old one."""
    names = ("__copy__", "__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__slots__")
    return (
        not any(hasattr(cls, name) for name in names)
        and cls.__reduce_ex__ is object.__reduce_ex__
        and cls.__reduce__ is object.__reduce__
        and getattr(cls, "__getstate__", None) is getattr(object, "__getstate__", None)
        and cls.__new__ is object.__new__
    )


@functools.lru_cache(maxsize=256)
def copier_of(cls: type, names: tuple[str, ...], deep: bool) -> Function:
    """The function that copies an instance with these attributes."""
    original, copied = Value("original"), Value("copied")
    frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    operations: list[Operation] = []
    if deep:
        operations.append(_call(runtime.check_separate, original))
    operations.append(Call(copied, Constant(new_object), (Constant(cls),)))
    for name in names:
        part = Value(name)
        operations.append(Call(part, Constant(getattr), (original, Constant(name))))
        if deep:
            whole, part = part, Value(name)
            operations.append(Call(part, Constant(copy.deepcopy), (whole,)))
        operations.append(_call(set_frozen if frozen else setattr, copied, Constant(name), part))
    return Function(f"copy_{cls.__name__}", (Parameter(original),), Block(tuple(operations), Return(copied)))


@functools.lru_cache(maxsize=64)
def copier_of_places(length: int, cls: type, deep: bool) -> Function:
    """The function that copies a tuple, or a list with a type for each place; `deep`: and what is in it."""
    original, copied = Value("original"), Value("copied")
    operations: list[Operation] = [_call(runtime.check_separate, original)] if deep else []
    parts = []
    for index in range(length):
        part = Value("", temporary=True)
        operations.append(Call(part, Constant(operator.getitem), (original, Constant(index))))
        if deep:
            whole, part = part, Value("", temporary=True)
            operations.append(Call(part, Constant(copy.deepcopy), (whole,)))
        parts.append(part)
    operations.append(Call(copied, Constant(make_tuple if cls is tuple else make_list), tuple(parts)))
    return Function(f"copy_{cls.__name__}", (Parameter(original),), Block(tuple(operations), Return(copied)), (), IN_MODELS)


def _call(function: object, *arguments: Operand) -> Call:
    return Call(Value("", temporary=True), Constant(function), arguments)
