"""The Python function behind what the user passed: behind `functools.partial`, bound methods, callable objects, cached functions
and derivatives."""

from __future__ import annotations

import functools
import inspect
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from s2sad.analysis.resolution import DerivedFunction
from s2sad.errors import SourceUnavailableError
from s2sad.ir.types import Type
from s2sad.pipeline.caches import Loaded
from s2sad.pipeline.callers import caller_of
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule, PointwiseRule, SymmetricRule, VjpRule

Argnums = int | str | tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: with respect to which parameters, and with the value or without."""

    argnums: Argnums
    with_value: bool


class BaseDerivative(DerivedFunction, ABC):
    """A derivative, as far as one of it is concerned: what it is the derivative of, and its code."""

    @property
    @abstractmethod
    def target(self) -> Target:
        """The Python function that is differentiated."""

    @abstractmethod
    def generate_for(self, kinds: Sequence[Type]) -> Loaded:
        """The code for these types of the parameters of `target`."""

    @abstractmethod
    def orders(self) -> tuple[Request, ...]:
        """What was asked for, from the outermost derivative to the innermost."""


class Target:
    """The Python function behind what the user passed: unwrapped from `functools.partial`, methods and callable objects."""

    def __init__(self, primal: Callable[..., Any]) -> None:
        self.derivative: BaseDerivative | None = None
        self.is_cached = False
        bound: tuple[Any, ...] = ()
        keywords: dict[str, Any] = {}
        function: Any = primal
        while not isinstance(function, types.FunctionType) or derivative_behind(function) is not None:
            function = derivative_behind(function) or function
            if isinstance(function, functools.partial):
                bound, keywords = (*function.args, *bound), {**function.keywords, **keywords}
                function = function.func
            elif isinstance(function, functools._lru_cache_wrapper):
                function = function.__wrapped__
                self.is_cached = isinstance(function, types.FunctionType)
            elif isinstance(function, types.MethodType):
                bound, function = (function.__self__, *bound), function.__func__
            elif isinstance(function, BaseDerivative):
                inner: Target = function.target
                self.derivative = function
                bound, keywords, function = (*inner.bound, *bound), {**inner.keywords, **keywords}, inner.function
            elif (rule := lookup(function)) is not None and isinstance(rule, PointwiseRule | SymmetricRule | VjpRule | ModelRule):
                function = caller_of(function, rule)
            else:
                call = inspect.getattr_static(type(function), "__call__", None)
                if not isinstance(call, types.FunctionType) or isinstance(function, type):
                    raise SourceUnavailableError(
                        f"{primal!r} has no Python source to differentiate; wrap it in a function: lambda x: f(x)"
                    )
                bound, function = (function, *bound), call
        rule = lookup(function)
        if isinstance(rule, PointwiseRule | SymmetricRule | VjpRule | ModelRule) and self.derivative is None:
            function = caller_of(function, rule)
        self.function: types.FunctionType = function
        self.bound: tuple[Any, ...] = bound
        self.keywords: dict[str, Any] = keywords
        self.signature = inspect.signature(function, follow_wrapped=False)
        self.code = function.__code__


def derivative_behind(function: object) -> BaseDerivative | None:
    """The derivative that an entry belongs to."""
    found = getattr(function, "__dict__", {}).get("derivative") if isinstance(function, types.FunctionType) else None
    return found if isinstance(found, BaseDerivative) else None
