"""Calls with starred arguments: ``f(*a, **b)``."""

from __future__ import annotations

import inspect
import itertools
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.binding import ArgumentError, Packed, Starred, StarredError, bind_arguments, defaults_of
from s2sad.analysis.constructors import constructor_of, constructor_with_rest
from s2sad.analysis.container_types import iterated
from s2sad.analysis.function_values import Partial
from s2sad.analysis.known_keys import known_keys
from s2sad.analysis.memory import VALUE
from s2sad.analysis.resolution import NestedDerivative, Resolution
from s2sad.ir.nodes import Call, Constant, Function, Operand, Parameter, Value
from s2sad.ir.operations import call_unpacked, make_list, make_tuple, unpack
from s2sad.ir.types import (
    UNKNOWN,
    ArrayType,
    DictType,
    FunctionType,
    ListType,
    NoneType,
    ScalarType,
    TupleType,
    UnknownType,
    strip_optional,
)
from s2sad.rules import lookup
from s2sad.rules.iteration import OF_ALL, transposed

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

_TRANSPOSED: Final[Any] = transposed
#: More parameters than this are not filled from a list.
_MOST_PARAMETERS: Final = 16
#: As many lists are joined for functions that take any number of operands.
_MOST_LISTS: Final = 3


def resolve_unpacked(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``f(*a, **b)`` where the lengths and keys are known, or the parameters tell them."""
    function, positional, named = arguments
    pairs = _named_arguments(resolver, named)
    if pairs is None:
        return resolver.opaque(call, call_unpacked)
    kind = strip_optional(resolver.inference.type_of(positional))
    if isinstance(kind, UnknownType):
        return resolver.opaque(call, call_unpacked)
    if isinstance(kind, TupleType):
        spread = tuple(resolver.inference.part(positional, index, part) for index, part in enumerate(kind.elements))
        return _call(resolver, call, function, spread, pairs)
    parts = _parts_of(resolver, positional)
    if parts is None:
        return resolver.opaque(call, call_unpacked)
    try:
        return _starred(resolver, call, function, parts, pairs)
    except StarredError:
        return resolver.opaque(call, call_unpacked)


def _named_arguments(resolver: Resolver, named: Operand) -> tuple[tuple[str, Operand], ...] | None:
    """The arguments in ``**named``, or None where only the running program knows the keys."""
    match strip_optional(resolver.inference.type_of(named)):
        case DictType(region=region):
            content = resolver.inference.memory.content[resolver.inference.memory.find(region)]
            if not isinstance(content.get(VALUE, UNKNOWN), UnknownType):
                return None
            keys = known_keys(resolver.inference, named)
            if keys is None:
                return None
            slots = [(str(key), content.get(("field", key), UNKNOWN)) for key in keys]
            return tuple((name, resolver.inference.part(named, name, part)) for name, part in slots)
        case NoneType():
            return ()
    return None


def _call(
    resolver: Resolver,
    call: Call,
    function: Operand,
    positional: Sequence[Operand | Starred],
    pairs: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """A call whose arguments stand one by one; of a function with source also with a starred one among them."""
    plain = tuple(operand for operand in positional if not isinstance(operand, Starred))
    constant = resolver.inference.constant_of(function)
    target = strip_optional(resolver.inference.type_of(function))
    if constant is not None and len(plain) == len(positional):
        return resolver.resolve_known(call, constant.value, plain, pairs)
    if isinstance(target, FunctionType):
        return resolver.call_nested(call, target, function, positional, pairs)
    if constant is not None and isinstance(constant.value, types.FunctionType):
        return resolver.call_function(call, constant.value, positional, pairs)
    return resolver.opaque(call, call_unpacked)


def _starred(
    resolver: Resolver,
    call: Call,
    function: Operand,
    parts: list[Operand | Starred],
    pairs: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """``f(a, *x)`` where the length of a list `x` is not known: the elements fill the parameters, if these leave no choice, as in
    ``b, c = x; f(a, b, c)``; what goes to ``*args`` arrives there as a list."""
    constant = resolver.inference.constant_of(function)
    target = strip_optional(resolver.inference.type_of(function))
    if isinstance(target, FunctionType) and isinstance(target.definition, Partial):
        held = [resolver.inference.part(function, index, part) for index, part in enumerate(target.captured)]
        count = 1 + target.definition.count
        named = dict(zip(target.definition.names, held[count:], strict=True)) | dict(pairs)
        return _starred(resolver, call, held[0], [*held[1:count], *parts], tuple(named.items()))
    value = constant.value if constant is not None else None
    if isinstance(parts[0], Starred) and len(parts) == 1 and not pairs and value in (zip, min, max):
        items = parts[0].operand
        return (
            resolver.call_function(call, _TRANSPOSED, (items,), ())
            if value is zip
            else resolver.resolve_known(call, value, (items,), ())
        )
    if isinstance(value, types.BuiltinFunctionType) and value in OF_ALL and _are_numbers(resolver, parts):
        lists = _as_lists(parts)
        if len(lists) <= _MOST_LISTS:
            return resolver.call_function(call, OF_ALL[value], lists, pairs)
    if isinstance(value, types.MethodType):
        parts, value = [Constant(value.__self__), *parts], value.__func__
    if isinstance(value, types.FunctionType):
        if lookup(value) is not None or inspect.isgeneratorfunction(value):
            raise StarredError
        definition = resolver.inference.analyser.lower(value)
        defaults = defaults_of(value, resolver.inference.default_of)
        function = Constant(value)
    elif isinstance(value, type):
        made = constructor_with_rest(value)
        if made is not None and _takes_rest(value) and not pairs and len(parts) == 1:
            bound = bind_arguments(value.__name__, made.parameters, parts, (), {})
            return resolver.call_definition(call, made, resolver.inference.context, bound)
        found = constructor_of(value, _MOST_PARAMETERS)
        if found is None or _takes_rest(value):
            raise StarredError
        definition = found
        defaults = _own_defaults(definition)
    elif isinstance(target, FunctionType) and not isinstance(target.definition, Partial | NestedDerivative):
        assert isinstance(target.definition, Function)
        definition = target.definition
        defaults = _own_defaults(definition)
    else:
        raise StarredError
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in definition.parameters):
        return _call(resolver, call, function, parts, pairs)
    return _call(resolver, call, function, _spread(resolver, parts, definition.parameters, pairs, defaults), pairs)


def _are_numbers(resolver: Resolver, parts: Sequence[Operand | Starred]) -> bool:
    """Whether arguments are numbers, as far as they are known."""
    inference = resolver.inference
    kinds = [
        iterated(inference.memory, inference.type_of(part.operand)) if isinstance(part, Starred) else inference.type_of(part)
        for part in parts
    ]
    return all(isinstance(kind, ScalarType | UnknownType) for kind in kinds)


def _as_lists(parts: Sequence[Operand | Starred]) -> Sequence[Any]:
    """The arguments as lists: those that a star stands before, and what stands between them."""
    lists: list[Any] = []
    for is_starred, run in itertools.groupby(parts, key=lambda part: isinstance(part, Starred)):
        operands = [part.operand if isinstance(part, Starred) else part for part in run]
        lists += operands if is_starred else [Packed(make_list, tuple(operands))]
    return lists


def _own_defaults(definition: Function) -> dict[str, Operand]:
    """The defaults of a function that brings them itself, by name."""
    return {parameter.value.name: parameter.value for parameter in definition.parameters if parameter.has_default}


def _takes_rest(cls: type) -> bool:
    parameters = inspect.signature(cls).parameters.values()
    return any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)


def _spread(
    resolver: Resolver,
    parts: Sequence[Operand | Starred],
    parameters: Sequence[Parameter],
    pairs: tuple[tuple[str, Operand], ...],
    defaults: dict[str, Operand],
) -> list[Operand]:
    """The arguments with the elements of the starred list in its place, if just one length of it fits the parameters."""
    starred = [part for part in parts if isinstance(part, Starred)]
    if len(starred) != 1:
        raise StarredError
    place = parts.index(starred[0])
    before = [part for part in parts[:place] if not isinstance(part, Starred)]
    after = [part for part in parts[place + 1 :] if not isinstance(part, Starred)]
    dummy = Value("")
    fitting = []
    for count in range(_MOST_PARAMETERS):
        try:
            bind_arguments("", parameters, [*before, *[dummy] * count, *after], pairs, defaults)
        except ArgumentError:
            continue
        fitting.append(count)
    if len(fitting) != 1:
        raise StarredError
    count = fitting[0]
    items = starred[0].operand
    element = iterated(resolver.inference.memory, strip_optional(resolver.inference.type_of(items)))
    together = resolver.inference.part(items, count, TupleType((element,) * count), unpack)
    return [*before, *(resolver.inference.part(together, index, element) for index in range(count)), *after]


def _parts_of(resolver: Resolver, positional: Operand) -> list[Operand | Starred] | None:
    """The arguments that a tuple of positional ones was made of: plain ones, and lists whose length is not known."""
    maker = resolver.inference.makers_of_tuples.get(positional)
    if isinstance(resolver.inference.type_of(positional), ListType):  # ``*args`` of a function that was called with a list
        return [Starred(positional)]
    if maker is None or not isinstance(maker.function, Constant):
        return None
    if maker.function.value is make_tuple:
        return list(maker.arguments)
    if maker.function.value is tuple and len(maker.arguments) == 1:
        kind = resolver.inference.type_of(maker.arguments[0])
        if isinstance(kind, TupleType):
            return [resolver.inference.part(maker.arguments[0], index, part) for index, part in enumerate(kind.elements)]
        return [Starred(maker.arguments[0])] if isinstance(kind, ListType | ArrayType) else None
    parts = [_parts_of(resolver, operand) for operand in maker.arguments]
    return [*parts[0], *parts[1]] if len(parts) == 2 and parts[0] is not None and parts[1] is not None else None
