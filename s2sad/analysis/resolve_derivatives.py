"""Derivatives that are made or called inside a function that is differentiated itself."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2sad.analysis.binding import Bound, bind_arguments
from s2sad.analysis.memory import number_regions
from s2sad.analysis.resolution import DerivedFunction, NestedDerivative, Resolution, Transformation
from s2sad.analysis.simple_types import strip
from s2sad.ir.nodes import Call, Constant, Function, Operand
from s2sad.ir.types import UNKNOWN, ConstantType, FunctionType, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver


def make_derivative(
    resolver: Resolver,
    call: Call,
    transformation: Transformation,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """``grad(f)`` for a function known by identity, or for a nested one."""
    options = [resolver.inference.constant_of(operand) for operand in arguments[1:]]
    named = {name: resolver.inference.constant_of(operand) for name, operand in keywords}
    if not arguments or any(option is None for option in (*options, *named.values())):
        return resolver.opaque(call, None)
    values = [option.value for option in options if option is not None]
    by_name = {name: option.value for name, option in named.items() if option is not None}
    primal = resolver.inference.constant_of(arguments[0])
    if primal is not None:
        made = transformation.apply(primal.value, *values, **by_name)
        return Resolution(ConstantType(made, id(made)), resolver.inference.keep(call, made), None, arguments)
    kind = strip(resolver.inference.type_of(arguments[0]))
    if not isinstance(kind, FunctionType) or not isinstance(kind.definition, Function):
        return resolver.opaque(call, None)
    resolver.inference.derived[call.result] = arguments[0]
    options_key = (*values, *by_name.values())
    nested = NestedDerivative(transformation, kind.definition, options_key)
    return Resolution(FunctionType(nested, (id(transformation), kind.key, options_key), kind.captured), alias=arguments[0])


def call_derivative(
    resolver: Resolver, call: Call, target: DerivedFunction, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
) -> Resolution:
    """A call of a derivative: of the code generated for these types."""
    given = [Constant(value) for value in target.given]
    bound = bind_arguments("derivative", target.parameters, [*given, *arguments], keywords, target.defaults)
    kinds = [resolver.kind_of_bound(call, index, item) for index, item in enumerate(bound)]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, None, tuple(bound))
    frozen = number_regions([resolver.inference.memory.freeze(kind) for kind in kinds])
    function = resolver.inference.generated((id(target), frozen), lambda: target.generated_function(frozen, len(arguments)))
    return _call_generated(resolver, call, function, bound)


def call_nested_derivative(
    resolver: Resolver, call: Call, derivative: NestedDerivative, captured: Sequence[Operand], bound: Sequence[Bound], count: int
) -> Resolution:
    """A call of the derivative of a nested function."""
    items: list[Bound] = [*captured, *bound]
    kinds = [resolver.kind_of_bound(call, index, item) for index, item in enumerate(items)]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return Resolution(UNKNOWN, None, None, tuple(items))
    frozen = number_regions([resolver.inference.memory.freeze(kind) for kind in kinds])
    function = resolver.inference.generated(
        (derivative, id(derivative.definition), frozen),
        lambda: derivative.transformation.generate(
            derivative.definition, resolver.inference.context, frozen, len(captured), count, derivative.options
        ),
    )
    return _call_generated(resolver, call, function, items)


def _call_generated(resolver: Resolver, call: Call, function: types.FunctionType, bound: Sequence[Bound]) -> Resolution:
    """A call of generated code, which takes one argument a parameter."""
    analyser = resolver.inference.analyser
    resolution = resolver.call_definition(call, analyser.lower(function), analyser.context_of(function), bound)
    if resolution.specialisation is not None:
        resolution.specialisation.python_function = function
    return resolution
