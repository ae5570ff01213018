"""Calls with starred arguments: ``f(*a, **b)``."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING

from s2sad.analysis.binding import Starred, StarredError
from s2sad.analysis.function_values import Partial
from s2sad.analysis.memory import VALUE
from s2sad.analysis.resolution import NestedDerivative, Resolution
from s2sad.analysis.simple_types import strip
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.operations import call_unpacked, make_tuple
from s2sad.ir.types import UNKNOWN, DictType, FunctionType, ListType, NoneType, TupleType, UnknownType
from s2sad.rules import lookup

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver


def resolve_unpacked(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``f(*a, **b)`` where the lengths and keys are known."""
    function, positional, named = arguments
    kind = strip(resolver.inference.type_of(positional))
    names = strip(resolver.inference.type_of(named))
    spread: list[Operand]
    match kind:
        case TupleType(elements=elements):
            spread = [resolver.inference.part(positional, index, part) for index, part in enumerate(elements)]
        case _:
            return _starred(resolver, call, function, positional, named)
    pairs: list[tuple[str, Operand]] = []
    match names:
        case DictType(region=region):
            content = resolver.inference.memory.content[resolver.inference.memory.find(region)]
            if not isinstance(content.get(VALUE, UNKNOWN), UnknownType):
                return resolver.opaque(call, call_unpacked)  # keys that only the running program knows
            for slot, part in list(content.items()):
                if isinstance(slot, tuple):
                    pairs.append((slot[1], resolver.inference.part(named, slot[1], part)))
        case NoneType():
            pass
        case _:
            return resolver.opaque(call, call_unpacked)
    constant = resolver.inference.constant_of(function)
    if constant is not None:
        return resolver.resolve_known(call, constant.value, tuple(spread), tuple(pairs))
    target = strip(resolver.inference.type_of(function))
    if isinstance(target, FunctionType):
        return resolver.call_nested(call, target, function, spread, pairs)
    return resolver.opaque(call, call_unpacked)


def _starred(resolver: Resolver, call: Call, function: Operand, positional: Operand, named: Operand) -> Resolution:
    """``f(a, *x)`` of a function with ``*args``, where the length of a list `x` is not known: `args` is a list then."""
    parts = _parts_of(resolver, positional)
    names = strip(resolver.inference.type_of(named))
    is_plain = isinstance(names, DictType) and not resolver.inference.memory.content[resolver.inference.memory.find(names.region)]
    if parts is None or not is_plain:
        return resolver.opaque(call, call_unpacked)
    constant = resolver.inference.constant_of(function)
    target = strip(resolver.inference.type_of(function))
    try:
        if constant is not None and isinstance(constant.value, types.FunctionType):
            if lookup(constant.value) is None and not inspect.isgeneratorfunction(constant.value):
                return resolver.call_function(call, constant.value, parts, ())
        elif isinstance(target, FunctionType) and not isinstance(target.definition, Partial | NestedDerivative):
            return resolver.call_nested(call, target, function, parts, ())
    except StarredError:
        pass
    return resolver.opaque(call, call_unpacked)


def _parts_of(resolver: Resolver, positional: Operand) -> list[Operand | Starred] | None:
    """The arguments that a tuple of positional ones was made of: plain ones, and lists whose length is not known."""
    maker = resolver.inference.makers_of_tuples.get(positional)
    if maker is None or not isinstance(maker.function, Constant):
        return None
    if maker.function.value is make_tuple:
        return list(maker.arguments)
    if maker.function.value is tuple and len(maker.arguments) == 1:
        kind = resolver.inference.type_of(maker.arguments[0])
        return [Starred(maker.arguments[0])] if isinstance(kind, ListType) else None
    parts = [_parts_of(resolver, operand) for operand in maker.arguments]
    return [*parts[0], *parts[1]] if len(parts) == 2 and parts[0] is not None and parts[1] is not None else None
