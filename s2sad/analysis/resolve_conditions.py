"""Conditions that the types decide: ``isinstance``, ``is``, ``==``, ``not``."""

from __future__ import annotations

import enum
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING

from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_arrays import resolve_array_function
from s2sad.analysis.resolve_matching import are_never_equal, is_subclass
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.types import (
    BOOL,
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    NoneType,
    OptionalType,
    ScalarType,
    TupleType,
    UnknownType,
)

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver


def resolve_isinstance(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """isinstance on a number or a container."""
    classes = resolver.inference.constant_of(arguments[1])
    kind = resolver.inference.type_of(arguments[0])
    if classes is None or isinstance(kind, UnknownType) or arguments[0] in resolver.inference.assumed:
        return Resolution(UNKNOWN if isinstance(kind, UnknownType) else BOOL, None, isinstance, arguments)
    try:
        answer = is_subclass(kind, classes.value)
    except TypeError:
        answer = None
    return Resolution(BOOL, None if answer is None else Constant(answer), isinstance, arguments)


def resolve_callable(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``callable(x)`` of a function, a number or a container."""
    kind = resolver.inference.type_of(arguments[0])
    constant = resolver.inference.constant_of(arguments[0])
    answer: bool | None
    if isinstance(kind, ConstantType):
        answer = callable(kind.value)
    elif constant is not None:
        answer = callable(constant.value)
    elif isinstance(kind, UnknownType):
        return Resolution(UNKNOWN, None, callable, arguments)
    elif isinstance(kind, FunctionType):
        answer = True
    else:
        answer = False if isinstance(kind, ScalarType | ArrayType | ListType | TupleType | DictType | NoneType) else None
    return Resolution(BOOL, None if answer is None else Constant(answer), callable, arguments)


def resolve_is(resolver: Resolver, function: object, negate: bool, arguments: tuple[Operand, ...]) -> Resolution:
    """``x is None`` where the type of x decides it; ``f is g`` for known objects."""
    kinds = [resolver.inference.type_of(operand) for operand in arguments]
    constants = [resolver.inference.constant_of(operand) for operand in arguments]
    if any(isinstance(kind, UnknownType) and constant is None for kind, constant in zip(kinds, constants, strict=True)):
        return Resolution(UNKNOWN, None, function, arguments)
    answer: bool | None = None
    first, second = constants
    if first is not None and second is not None:
        answer = first.value is second.value
    elif any(isinstance(kind, NoneType) for kind in kinds):
        other = kinds[1] if isinstance(kinds[0], NoneType) else kinds[0]
        if isinstance(other, NoneType):
            answer = True
        elif not isinstance(other, AnyType | OptionalType):
            answer = False
    constant = None if answer is None else Constant(answer is not negate)
    return Resolution(BOOL, constant, function, arguments)


def resolve_equal(resolver: Resolver, call: Call, function: object, negate: bool, arguments: tuple[Operand, ...]) -> Resolution:
    """``x == y`` where the types differ for good, or both are known texts."""
    kinds = [resolver.inference.type_of(operand) for operand in arguments]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, function, arguments)
    on_arrays = resolve_array_function(resolver, call, function, arguments, ())
    if on_arrays is not None:
        return on_arrays
    constants = [resolver.inference.constant_of(operand) for operand in arguments]
    if all(isinstance(kind, ConstantType) for kind in kinds) and None not in constants:
        values = [constant.value for constant in constants if constant is not None]
        if all(isinstance(value, type | enum.Enum | types.FunctionType) for value in values):
            return Resolution(BOOL, Constant((values[0] == values[1]) is not negate), function, arguments)
    known = [constant.value for constant in constants if constant is not None and constant.value.__class__ in (int, str)]
    if len(known) == len(constants):
        return Resolution(BOOL, Constant((known[0] == known[1]) is not negate), function, arguments)
    never = are_never_equal(*kinds)
    return Resolution(BOOL, Constant(negate) if never else None, function, arguments)


def resolve_order(
    resolver: Resolver, function: Callable[[object, object], bool], arguments: tuple[Operand, ...]
) -> Resolution | None:
    """``x < y`` of known integers."""
    constants = [resolver.inference.constant_of(operand) for operand in arguments]
    known = [constant.value for constant in constants if constant is not None and constant.value.__class__ is int]
    return Resolution(BOOL, Constant(function(*known)), function, arguments) if len(known) == 2 else None


def resolve_not(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``not x`` for a known x."""
    constant = resolver.inference.constant_of(arguments[0])
    if constant is None and isinstance(resolver.inference.type_of(arguments[0]), UnknownType):
        return Resolution(UNKNOWN, None, operator.not_, arguments)
    return Resolution(BOOL, None if constant is None else Constant(not constant.value), operator.not_, arguments)
