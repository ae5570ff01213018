"""Calls that give iterators: lists where they are read just once, else what Python gives, whose elements have no derivative."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.container_types import iterated
from s2sad.analysis.iterator_types import element_of_iterator
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Iterating, Resolution
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Break, Call, Constant, For, Operand, Raise, walk
from s2sad.ir.operations import iterator_of
from s2sad.ir.types import (
    ANY,
    UNKNOWN,
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    ObjectType,
    OptionalType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)
from s2sad.rules.core import model_of_iterator
from s2sad.rules.iterators import first_of, first_of_or

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference
    from s2sad.analysis.resolve_calls import Resolver

#: Their elements have no end, so there is no list of them.
_ENDLESS: Final = (itertools.count, itertools.cycle, itertools.repeat)
#: What can be gone over any number of times: `iter` of it is something else.
_VIEWS: Final = (dict.keys, dict.values, dict.items, range)


def resolve_iter(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``iter(x)``: the list itself where it is read once, for a list's iterator sees what happens to the list."""
    if len(arguments) != 1 or keywords:
        return resolver.opaque(call, iter)
    kind = resolver.inference.type_of(arguments[0])
    is_view = isinstance(kind, IteratorType) and kind.function in _VIEWS
    if isinstance(kind, IteratorType) and not is_view:
        return Resolution(kind, alias=arguments[0])
    if not is_view and not isinstance(kind, ListType | TupleType | DictType):
        return resolver.opaque(call, iter)
    made = Iterating(iterator_of, arguments) if is_generator_expression(call) else None
    if is_read_once(resolver, call):
        return Resolution(kind, alias=arguments[0], given_once=True, iterator=made)
    return Resolution(IteratorType(iter, iterated(resolver.inference.memory, kind)), None, iter, arguments, iterator=made)


def resolve_elements(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """All elements of an iterator, in a list: in the one that stands for it, if there is one."""
    kind = resolver.inference.type_of(arguments[0])
    if isinstance(kind, ListType):
        return Resolution(kind, alias=arguments[0])
    return resolver.resolve_known(call, list, arguments, keywords)


def is_generator_expression(call: Call) -> bool:
    """Whether a call stands for a generator expression: the list has been collected for it."""
    return isinstance(call.function, Constant) and call.function.value is iterator_of


def is_read_once(resolver: Resolver, call: Call) -> bool:
    """Whether the result of a call may be a list in place of an iterator, as far as is known."""
    return call.result in resolver.inference.read_once and call not in resolver.inference.analyser.native


def check_ends(inference: Inference) -> None:
    """Refuse a loop without end: the list of all elements of a generator expression over `itertools.count`."""
    for loop in walk(inference.definition.body):
        kind = inference.type_of(loop.iterable) if isinstance(loop, For) else None
        if (
            not isinstance(loop, For)
            or not isinstance(kind, IteratorType)
            or kind.function not in (itertools.count, itertools.cycle)
        ):
            continue
        if not any(isinstance(node, Break | Raise) for node in walk(loop.body)):
            name = getattr(kind.function, "__name__", "")
            raise UnsupportedSyntaxError(
                f"the elements of {name}() are asked for all at once here, and have no end; write a loop that breaks.\n"
                f"{describe_place(loop.span)}"
            )


def resolve_next(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``next(iterator)`` of an iterator that nobody else reads: its first element."""
    kind = strip_optional(resolver.inference.type_of(arguments[0])) if arguments else ANY
    makers = [known for known in resolver.inference.resolutions if known.result is arguments[0]] if arguments else []
    if makers and resolver.inference.resolutions[makers[0]].given_once:
        model: Any = first_of if len(arguments) == 1 else first_of_or
        return resolver.call_function(call, model, arguments, keywords)
    if isinstance(kind, IteratorType) and len(arguments) == 1:
        return Resolution(iterated(resolver.inference.memory, kind), None, next, arguments)
    return resolver.opaque(call, next)


def make_iterator(
    resolver: Resolver,
    call: Call,
    function: object,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """``map(f, x)``, ``itertools.chain(x, y)``, …: what the model gives where that may be a list."""
    memory = resolver.inference.memory
    operands = (*arguments, *(operand for _, operand in keywords))
    kinds = [strip_optional(resolver.inference.type_of(operand)) for operand in operands]
    calls = any(map(resolver.is_function, operands))
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, function, arguments, keywords)
    is_endless = any(isinstance(kind, IteratorType) and kind.function in _ENDLESS for kind in kinds)
    values = [constant and constant.value for constant in map(resolver.inference.constant_of, operands)]
    named = {name: value for (name, _), value in zip(keywords, values[len(arguments) :], strict=True)}
    if is_read_once(resolver, call) and not is_endless and (calls or any(_holds_numbers(memory, kind) for kind in kinds)):
        rule = model_of_iterator(function, values[: len(arguments)], named)
        if rule is not None:
            made = Iterating(function, arguments, keywords)
            return replace(resolver.call_model(call, rule, arguments, keywords), given_once=True, iterator=made)
    given = [*zip(kinds, values, strict=True)]
    by_name = {name: one for (name, _), one in zip(keywords, given[len(arguments) :], strict=True)}
    kind = IteratorType(function, element_of_iterator(memory, function, given[: len(arguments)], by_name))
    is_fused = is_endless and call.result in resolver.inference.read_once
    fused = Iterating(function, arguments, keywords) if is_fused else None
    return Resolution(kind, None, function, arguments, keywords, iterator=fused)


def _holds_numbers(memory: Memory, kind: Type) -> bool:
    """Whether derivatives may pass through the elements of an iterable, or through a number itself."""
    if carries_derivative(kind) or isinstance(kind, ArrayType):
        return True
    element = iterated(memory, kind) if isinstance(kind, ListType | DictType | TupleType | IteratorType) else UNKNOWN
    parts = element.elements if isinstance(element, TupleType) else (element,)
    return any(carries_derivative(part) or isinstance(part, ListType | DictType | ObjectType | OptionalType) for part in parts)
