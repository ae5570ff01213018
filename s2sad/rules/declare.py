"""How rules are declared: `s2sad.rule` and its relatives.

>>> import math
>>> from s2sad.rules.core import REGISTRY, lookup
>>> def cube(x):
...     return x * x * x
>>> @pointwise(cube)
... def derivative_of_cube(y, x):
...     return 3 * x * x
>>> lookup(cube) is derivative_of_cube
True
>>> REGISTRY.remove(derivative_of_cube)
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from s2sad.errors import InvalidRuleError
from s2sad.ir.effects import READS, declare_effects
from s2sad.rules.checks import AnyFunction, check_parameters, checked_body, invalid, is_own, name_of
from s2sad.rules.core import (
    REGISTRY,
    BodyRule,
    Interval,
    ModelRule,
    NotImplementedRule,
    PointwiseRule,
    Rule,
    SymmetricRule,
    VjpRule,
    ZeroDerivative,
)


def pointwise(
    *functions: object, domain: Mapping[str, Interval] | None = None, note: str = ""
) -> Callable[[AnyFunction], PointwiseRule]:
    """Declare the partial derivatives of functions of numbers."""

    def declare(function: AnyFunction) -> PointwiseRule:
        body = checked_body(function)
        rule = PointwiseRule(body.__name__, functions, body, note, domain=dict(domain or {}))
        unknown = set(rule.domain) - set(rule.operands)
        if unknown:
            raise invalid(body, f"the domain names {sorted(unknown)}, which are not operands")
        _register(rule)
        return rule

    return declare


def symmetric(
    *functions: object,
    at_least: int = 1,
    domain: Mapping[str, Interval] | None = None,
    pair: AnyFunction | None = None,
    note: str = "",
    overload: bool = False,
) -> Callable[[AnyFunction], SymmetricRule]:
    """Declare the partial derivative of functions of any number of operands with respect to any one of them."""

    def declare(function: AnyFunction) -> SymmetricRule:
        body = checked_body(function)
        rule = SymmetricRule(body.__name__, functions, body, note, at_least, dict(domain or {}), pair and checked_body(pair))
        kinds = [parameter.kind for parameter in inspect.signature(body).parameters.values()]
        if len(kinds) != 3 or kinds[2] is not inspect.Parameter.VAR_POSITIONAL:
            raise invalid(body, "a rule for any number of operands has the parameters (result, operand, *operands)")
        _register(rule, overload)
        return rule

    return declare


def model(
    *functions: object,
    note: str = "",
    overload: bool = False,
    iterator: bool = False,
    literals: Mapping[str, object] | None = None,
) -> Callable[[AnyFunction], ModelRule]:
    """Declare that the derivative of a function is that of the function written here. `iterator`: it gives a list of what the
    function's iterator gives. `literals`: it is for calls in which these operands have these values."""

    def declare(function: AnyFunction) -> ModelRule:
        body = checked_body(function)
        rule = ModelRule(body.__name__, functions, body, note, iterator, dict(literals or {}))
        _register(rule, overload)
        return rule

    return declare


def vjp_rule(
    *functions: object, note: str = "", lazy: bool = False, samples: Sequence[str] = (), overload: bool = False
) -> Callable[[AnyFunction], VjpRule]:
    """Declare what happens to cotangents: ``(y_bar, y, *operands)`` to a tuple of adjoints. `samples` are arguments to test with:
    ``"A(3, 4), axis=0"``."""

    def declare(function: AnyFunction) -> VjpRule:
        body = checked_body(function)
        rule = VjpRule(body.__name__, functions, body, note, lazy, tuple(samples))
        _register(rule, overload)
        return rule

    return declare


def zero_derivative(*functions: object) -> ZeroDerivative:
    """Declare that the derivative of each function is zero wherever it exists."""
    rule = ZeroDerivative(name_of(functions[0]) if functions else "", functions)
    _register(rule)
    return rule


def not_implemented(*functions: object, reason: str, instead: str = "") -> NotImplementedRule:
    """Declare that functions are refused, why, and what to write instead."""
    rule = NotImplementedRule(name_of(functions[0]) if functions else "", functions, reason, instead)
    _register(rule)
    return rule


class RuleDecorator:
    """``s2sad.rule``: declare derivatives of your own functions.

    ``@rule(f)`` on ``(y_bar, y, *operands)`` is the general form; ``@rule.pointwise(f)``, ``@rule.model(f)``,
    ``rule.zero_derivative(f)`` and ``rule.not_implemented(f, reason=…)`` are shorter where they apply."""

    pointwise = staticmethod(pointwise)
    symmetric = staticmethod(symmetric)
    model = staticmethod(model)
    zero_derivative = staticmethod(zero_derivative)
    not_implemented = staticmethod(not_implemented)

    def __call__(self, *functions: object, note: str = "") -> Callable[[AnyFunction], VjpRule]:
        return vjp_rule(*functions, note=note)


def _register(rule: Rule, overload: bool = False) -> None:
    """Check a rule, and put it into the registry."""
    if not rule.functions:
        raise InvalidRuleError(f"the rule {rule.name!r} names no function: write the functions into the decorator's parentheses")
    for function in rule.functions:
        if not callable(function) and not isinstance(function, types.GetSetDescriptorType):
            raise InvalidRuleError(f"the rule {rule.name!r} is for functions, and {function!r} is none")
    if isinstance(rule, BodyRule) and not is_own(rule.body):
        for function in rule.functions:
            check_parameters(rule.body, type(rule).leading, function)
    REGISTRY.add(rule, overload)
    # on numbers they compute, and that is all; on arrays they read memory
    declare_effects(READS, *(function for function in rule.functions if isinstance(function, np.ufunc)))


rule: Final = RuleDecorator()
