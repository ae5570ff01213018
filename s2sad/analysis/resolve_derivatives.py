"""Derivatives that are made or called inside a function that is differentiated itself."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from s2sad.analysis.binding import Bound, bind_arguments
from s2sad.analysis.function_values import Partial
from s2sad.analysis.memory import number_regions
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import DerivedFunction, NestedDerivative, Resolution, Transformation
from s2sad.analysis.specialisation import Context
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Parameter, Return, Span, Value
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import UNKNOWN, ConstantType, FunctionType, UnknownType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

#: How often a call of a derivative may stand within what has to be generated for it: a function that takes functions may be given
#: one that calls it, for a second and a third derivative.
MOST_NESTED: Final = 8
#: The calls whose derivatives are being generated, by their places.
_UNDER_WAY: Final[ContextVar[tuple[Span | None, ...]]] = ContextVar("_UNDER_WAY", default=())


def make_derivative(
    resolver: Resolver,
    call: Call,
    transformation: Transformation,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """``grad(f)`` for a function known by identity, or for a nested one."""
    options = [_literal(resolver, operand) for operand in arguments[1:]]
    named = {name: _literal(resolver, operand) for name, operand in keywords}
    if not arguments or any(option is None for option in (*options, *named.values())):
        return resolver.opaque(call, None)
    values = [option.value for option in options if option is not None]
    by_name = {name: option.value for name, option in named.items() if option is not None}
    primal = resolver.inference.constant_of(arguments[0])
    if primal is not None:
        made = transformation.apply(primal.value, *values, **by_name)
        return Resolution(ConstantType(made, id(made)), resolver.inference.keep(call, made), None, arguments)
    kind = strip_optional(resolver.inference.type_of(arguments[0]))
    if isinstance(kind, FunctionType) and isinstance(kind.definition, Partial) and isinstance(kind.captured[0], ConstantType):
        called = _with_given(resolver, kind.captured[0].value, kind.definition)
        kind = kind if called is None else dataclasses.replace(kind, definition=called)
    if not isinstance(kind, FunctionType) or not isinstance(kind.definition, Function | NestedDerivative):
        return resolver.opaque(call, None)
    derived = resolver.inference.derived
    derived[call.result] = derived.get(arguments[0], arguments[0]) if isinstance(arguments[0], Value) else arguments[0]
    options_key = (*values, *by_name.values())
    nested = NestedDerivative(transformation, kind.definition, options_key)
    key = (id(transformation), kind.key, options_key)
    return Resolution(FunctionType(nested, key, kind.captured, kind.context), alias=arguments[0])


def _literal(resolver: Resolver, operand: Operand) -> Constant | None:
    """What `argnums` is: a literal, or a tuple of literals."""
    maker = resolver.inference.makers_of_tuples.get(operand)
    if maker is None or not isinstance(maker.function, Constant) or maker.function.value is not make_tuple:
        return resolver.inference.constant_of(operand)
    parts = [resolver.inference.constant_of(part) for part in maker.arguments]
    return None if None in parts else Constant(tuple(part.value for part in parts if part is not None))


def _with_given(resolver: Resolver, function: object, partial: Partial) -> Function | None:
    """A bound method, or another function with some of its arguments given, as a nested function that has captured them."""
    if not isinstance(function, types.FunctionType):
        return None
    parameters = resolver.inference.analyser.lower(function).parameters
    rest = tuple(parameter for parameter in parameters[partial.count :] if parameter.value.name not in partial.names)
    if any(parameter.has_default or parameter.kind > inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in rest):
        return None
    return _nested_call(function.__name__, partial, tuple(parameter.value.name for parameter in rest))


@functools.lru_cache(maxsize=256)
def _nested_call(name: str, partial: Partial, names: tuple[str, ...]) -> Function:
    called, result = Value(name), Value("", temporary=True)
    given = tuple(Value(f"given_{index}") for index in range(partial.count))
    named = tuple((label, Value(label)) for label in partial.names)
    parameters = tuple(Parameter(Value(label)) for label in names)
    call = Call(result, called, (*given, *(parameter.value for parameter in parameters)), named)
    captured = (called, *given, *(value for _, value in named))
    return Function(name, parameters, Block((call,), Return(result)), captured)


def call_derivative(
    resolver: Resolver, call: Call, target: DerivedFunction, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
) -> Resolution:
    """A call of a derivative: of the code generated for these types."""
    given = [Constant(value) for value in target.given]
    function: Any = target.function  # type checkers take a function in a class for a method
    defaults = {name: resolver.inference.default_of(function, name, value) for name, value in target.defaults.items()}
    bound = bind_arguments("derivative", target.parameters, [*given, *arguments], keywords, defaults)
    kinds = [resolver.kind_of_bound(call, index, item) for index, item in enumerate(bound)]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, None, tuple(bound))
    frozen = number_regions(resolver.inference.memory.freeze_all(kinds))
    with _inside(call):
        made = resolver.inference.generated((id(target), frozen), lambda: target.generated_function(frozen, len(arguments)))
    return _call_generated(resolver, call, made, bound)


def call_nested_derivative(
    resolver: Resolver,
    call: Call,
    derivative: NestedDerivative,
    context: Context,
    captured: Sequence[Operand],
    bound: Sequence[Bound],
    count: int,
) -> Resolution:
    """A call of the derivative of a nested function."""
    items: list[Bound] = [*captured, *bound]
    kinds = [resolver.kind_of_bound(call, index, item) for index, item in enumerate(items)]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, None, tuple(items))
    frozen = number_regions(resolver.inference.memory.freeze_all(kinds))
    with _inside(call):
        function = resolver.inference.generated(
            (derivative, id(derivative.definition), frozen),
            lambda: derivative.transformation.generate(
                derivative.primal, context, frozen, len(captured), count, derivative.options
            ),
        )
    return _call_generated(resolver, call, function, items)


@contextmanager
def _inside(call: Call) -> Iterator[None]:
    """While the derivative for one call is generated; a function that calls a derivative of itself would never end."""
    places = _UNDER_WAY.get()
    if call.span is not None and places.count(call.span) >= MOST_NESTED:
        raise UnsupportedSyntaxError(
            f"generating this derivative asks for this derivative again, {MOST_NESTED} times so far: a function cannot call a "
            f"derivative of itself; write a function for each order.\n{describe_place(call.span)}"
        )
    token = _UNDER_WAY.set((*places, call.span))
    try:
        yield
    finally:
        _UNDER_WAY.reset(token)


def _call_generated(resolver: Resolver, call: Call, function: types.FunctionType, bound: Sequence[Bound]) -> Resolution:
    """A call of generated code, which takes one argument a parameter."""
    analyser = resolver.inference.analyser
    resolution = resolver.call_definition(call, analyser.lower(function), analyser.context_of(function), bound)
    if resolution.specialisation is not None:
        resolution.specialisation.python_function = function
    return resolution
