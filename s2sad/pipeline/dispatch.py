"""Derivatives as callables: find the code for the arguments at hand, generate it the first time, notice what has changed."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, Final

from s2sad.analysis.memory import references_in
from s2sad.analysis.resolution import DERIVED_OF
from s2sad.analysis.signatures import as_real, types_of
from s2sad.analysis.specialisation import Context
from s2sad.errors import MissingRuleError, NonDifferentiableError, SourceUnavailableError, UnsupportedSyntaxError
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import Function, Parameter, Value
from s2sad.ir.types import (
    DictType,
    ListType,
    ObjectType,
    TupleType,
    Type,
)
from s2sad.pipeline.arguments import holds_integers, why_not_real
from s2sad.pipeline.caches import MOST_SIGNATURES, Loaded, cache_of, find_of_another_closure, keep_for_closures
from s2sad.pipeline.callers import call_without, caller_of, refused_bound, refused_default, told_of_default
from s2sad.pipeline.entry import Entry
from s2sad.pipeline.example_arguments import example_arguments
from s2sad.pipeline.generate import Generator, generate
from s2sad.pipeline.overlap import check_apart, shared, with_native_arrays
from s2sad.pipeline.references import name_for_pickle
from s2sad.pipeline.units import Generated
from s2sad.rules import lookup
from s2sad.rules.core import ModelRule, PointwiseRule, SymmetricRule, VjpRule

Argnums = int | str | tuple[int | str, ...]

#: One derivative is generated at a time; whoever waited finds it made.
_LOCK: Final = threading.RLock()


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: with respect to which parameters, and with the value or without."""

    argnums: Argnums
    with_value: bool


def signature_of(arguments: tuple[object, ...]) -> tuple[Type, ...]:
    """The types of actual arguments."""
    return types_of(arguments)


class Target:
    """The Python function behind what the user passed: unwrapped from `functools.partial`, methods and callable objects."""

    def __init__(self, primal: Callable[..., Any]) -> None:
        self.derivative: Derivative | None = None
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
            elif isinstance(function, Derivative):
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


class Derivative:
    """What stands behind a derivative: `entry` is the function that the user calls."""

    def __init__(self, primal: Callable[..., Any], request: Request) -> None:
        self.primal = primal
        self.request = request
        self._target: Target | None = None
        #: Derivatives of calls that leave some parameters to their defaults, by these and by what is asked for.
        self._calls: dict[tuple[Any, ...], Derivative] = {}
        self._loaded: OrderedDict[object, Loaded] = OrderedDict()
        self._entry: Entry | None = None
        self._matches: OrderedDict[tuple[tuple[Type, ...], Generated], Callable[..., bool]] = OrderedDict()

    def make_entry(self) -> types.FunctionType:
        """The function that the user calls, with the primal's signature, name and docstring."""
        own: types.FunctionType | None = None
        try:
            shown = inspect.signature(self.primal)
            signature = self.own_signature()
            own = self.target.function
        except (TypeError, ValueError, SourceUnavailableError):
            shown = signature = inspect.Signature(
                [
                    inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                    inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
                ]
            )
        self._entry = entry = Entry(signature, self.dispatch, own)
        function = entry.function
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            if isinstance(value := getattr(self.primal, name, None), str):
                setattr(function, name, value)
        function.__dict__.update({"primal": self.primal, "source": self.source, "derivative": self, "__signature__": shown})
        name_for_pickle(self, function)
        return function

    def own_signature(self) -> inspect.Signature:
        """The parameters that are not bound yet."""
        target = self.target
        parameters = list(target.signature.parameters.values())
        if not (target.bound or target.keywords):
            return target.signature
        if any(p.kind is p.VAR_POSITIONAL for p in parameters[: len(target.bound)]):
            return inspect.signature(self.primal)
        rest = parameters[len(target.bound) :]
        if target.keywords:
            return inspect.signature(self.primal)
        return inspect.Signature(rest)

    @property
    def target(self) -> Target:
        """The Python function to differentiate."""
        if self._target is None:
            self._target = Target(self.primal)
        return self._target

    # --- calling ----------------------------------------------------------------------------------------------------------------

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        """Call the code for these arguments, whatever they are."""
        arguments, wanted = self.bind(args, kwargs)
        arguments = with_native_arrays(arguments)
        loaded = self.find(arguments, wanted)
        if self.changes_bound(loaded.generated, signature_of(arguments)):
            left = self.bound_by_name(kwargs)
            positional, named = self.passed_without({*left, *self.bound_by_position()}, arguments)
            return self.of_call_with_bound(left, wanted).dispatch(*positional, **named)
        if changed := self.changed_defaults(loaded.generated, signature_of(arguments), args, kwargs):
            positional, named = self.passed_without(changed, arguments)
            with told_of_default(self.primal_name, changed):
                return self.of_call_without(changed, wanted).dispatch(*positional, **named)
        if loaded.generated.outside:
            check_apart(loaded.generated, signature_of(arguments), arguments, list(self.target.signature.parameters))
        return loaded.function(*arguments)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], list[tuple[int, tuple[int, ...]]]]:
        """All arguments in the order of the primal's parameters, and which of them are asked for."""
        target = self.target
        call = target.signature.bind(*target.bound, *args, **{**target.keywords, **kwargs})
        call.apply_defaults()
        names = list(target.signature.parameters)
        return tuple(call.arguments[name] for name in names), self.wanted(len(args))

    def wanted(self, count: int) -> list[tuple[int, tuple[int, ...]]]:
        """Positions of the parameters asked for; elements of ``*args`` by the way to them."""
        target = self.target
        parameters = list(target.signature.parameters.values())
        positional = [
            index
            for index, parameter in enumerate(parameters)
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ][len(target.bound) :]
        positional = [index for index in positional if parameters[index].name not in target.keywords]
        rest = next((index for index, p in enumerate(parameters) if p.kind is p.VAR_POSITIONAL), None)
        names = {parameter.name: index for index, parameter in enumerate(parameters)}
        found: list[tuple[int, tuple[int, ...]]] = []
        argnums = self.request.argnums if isinstance(self.request.argnums, tuple) else (self.request.argnums,)
        for item in argnums:
            if isinstance(item, str):
                if item not in names:
                    raise NonDifferentiableError(f"{self.primal_name}() has no parameter {item!r}; it has {', '.join(names)}")
                found.append((names[item], ()))
                continue
            position = item if item >= 0 else count + item
            if 0 <= position < len(positional):
                found.append((positional[position], ()))
            elif rest is not None and position - len(positional) >= 0:
                found.append((rest, (position - len(positional),)))
            else:
                raise NonDifferentiableError(
                    f"{self.primal_name}() has no positional parameter number {item}; it has {len(positional)}, counted from 0"
                )
        return found

    def changed_defaults(
        self, generated: Generated, kinds: Sequence[Type], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[str, ...]:
        """The parameters that have their default, which the function changes: the next call finds it changed."""
        written = self.written_defaults(generated, kinds)
        if not written:
            return ()
        target = self.target
        given = target.signature.bind(*target.bound, *args, **{**target.keywords, **kwargs}).arguments
        parameters = target.signature.parameters
        return tuple(name for name in written if given.get(name, parameters[name].default) is parameters[name].default)

    def written_defaults(self, generated: Generated, kinds: Sequence[Type]) -> tuple[str, ...]:
        """The parameters with a default that the function changes, or would."""
        parameters = self.target.signature.parameters.values()
        with_references = [(p.name, kind) for p, kind in zip(parameters, kinds, strict=True) if p.default is not p.empty]
        with_references = [(name, kind) for name, kind in with_references if references_in(kind)]
        if with_references and (inner := self.target.derivative) is not None:  # the code of that changes copies
            return inner.written_defaults(
                inner.generate(kinds, inner.wanted(len(kinds) - len(inner.target.bound))).generated, kinds
            )
        return tuple(name for name, kind in with_references if generated.written.intersection(references_in(kind)))

    def changes_bound(self, generated: Generated, kinds: Sequence[Type]) -> bool:
        """Whether the function changes what is bound, as `self` of a method is: it is outside of the call, as a global is."""
        bound = {*self.bound_by_position(), *self.target.keywords}
        of_bound = [kind for name, kind in zip(self.target.signature.parameters, kinds, strict=True) if name in bound]
        of_bound = [kind for kind in of_bound if references_in(kind)]
        if of_bound and (inner := self.target.derivative) is not None:  # the code of that changes copies
            wanted = inner.wanted(len(kinds) - len(inner.target.bound))
            generated = inner.generate(kinds, wanted).generated
        return any(generated.written.intersection(references_in(kind)) for kind in of_bound)

    def bound_by_position(self) -> list[str]:
        """The parameters whose arguments are bound by position."""
        return list(self.target.signature.parameters)[: len(self.target.bound)]

    def bound_by_name(self, kwargs: Container[str]) -> tuple[str, ...]:
        """The parameters whose arguments are bound by name, and not given anew."""
        return tuple(name for name in self.target.keywords if name not in kwargs)

    def passed_without(self, left: Container[str], arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, one a parameter, as they are passed to a function that leaves some to their defaults."""
        parameters = self.target.signature.parameters
        values = {name: value for name, value in zip(parameters, arguments, strict=True) if name not in left}
        kept = [p for p in self.own_signature().parameters.values() if p.name in values]
        call = inspect.Signature(kept).bind_partial()
        call.arguments.update({p.name: values[p.name] for p in kept})
        return call.args, call.kwargs

    def of_call_without(self, changed: tuple[str, ...], wanted: Sequence[tuple[int, tuple[int, ...]]]) -> Derivative:
        """The derivative of a call that leaves these parameters to their defaults: what a function does to those is seen by its
        next call, as what it does to a variable outside."""
        target = self.target
        names = list(target.signature.parameters)
        asked = [names[index] for index, _ in wanted]
        if target.derivative is not None or any(name in changed for name in asked) or any(path for _, path in wanted):
            raise refused_default(self.primal_name, changed)
        if (changed, *asked) not in self._calls:
            argnums = tuple(asked) if isinstance(self.request.argnums, tuple) else asked[0]
            caller = call_without(self.primal, self.own_signature(), changed)
            self._calls[changed, *asked] = Derivative(caller, Request(argnums, self.request.with_value))
        return self._calls[changed, *asked]

    def of_call_with_bound(self, left: tuple[str, ...], wanted: Sequence[tuple[int, tuple[int, ...]]]) -> Derivative:
        """The derivative of a call of what the user passed, whose bound arguments are then something outside; `left` are those
        that are bound by name."""
        bound = {*self.bound_by_position(), *left}
        parameters = list(self.target.signature.parameters.values())
        is_spread = any(p.kind is p.VAR_POSITIONAL for p in parameters if p.name in bound)
        if is_spread or any(parameters[index].name in bound for index, _ in wanted):
            raise refused_bound(self.primal_name, [p.name for p in parameters if p.name in bound])
        key = ("bound", left)
        if key not in self._calls:
            self._calls[key] = Derivative(call_without(self.primal, self.own_signature(), left), self.request)
        return self._calls[key]

    @property
    def primal_name(self) -> str:
        """The primal's name, for messages."""
        return str(getattr(self.primal, "__name__", self.primal))

    def find(self, arguments: tuple[Any, ...], wanted: list[tuple[int, tuple[int, ...]]], *, to_read: bool = False) -> Loaded:
        """The code for these arguments, to be called or `to_read`."""
        kinds = signature_of(arguments)
        key = (self.target.function.__code__, tuple(kinds), tuple(wanted))
        with _LOCK:
            loaded = self._loaded.get(key)
            if loaded is None or not loaded.generated.holds():
                loaded = self.generate(kinds, wanted)
                self._loaded[key] = loaded
                while len(self._loaded) > MOST_SIGNATURES:
                    self._loaded.popitem(last=False)
            if not to_read:
                self.install(kinds, loaded)
        return loaded

    def generate(self, kinds: Sequence[Type], wanted: Sequence[tuple[int, tuple[int, ...]]]) -> Loaded:
        """Generate and load the code for a signature; another derivative of the same function may have it."""
        function = self.target.function
        cache = cache_of(function)
        key = (function.__code__, self.orders(), tuple(wanted), tuple(kinds))
        found = cache.get(key)
        if found is not None and found.generated.holds():
            return found
        try:
            real, integers = self.real_types(kinds, wanted)
        except NonDifferentiableError:
            if self.target.derivative is None:
                lower_function(function)  # without source, that is what is to be said first
            raise
        if self.target.derivative is not None:
            inner = self.target.derivative
            function = inner.generate(kinds, inner.wanted(len(kinds) - len(inner.target.bound))).function
        generated = find_of_another_closure(function, key)
        if generated is None:
            generated = self.gradient_of(function, real, wanted, frozenset(integers))
            if function.__closure__:
                keep_for_closures(function, key, generated)
        loaded = [unit.load() for unit in generated]
        result = Loaded(generated, loaded[-1])
        cache[key] = result
        return result

    def gradient_of(
        self,
        function: types.FunctionType,
        real: Sequence[Type],
        wanted: Sequence[tuple[int, tuple[int, ...]]],
        integers: frozenset[tuple[int, tuple[int, ...]]],
    ) -> Generated:
        """The generated code; where a derivative cannot pass through the containers of `collections`, with plain ones instead."""
        is_tuple = isinstance(self.request.argnums, tuple)
        has_met_containers = False

        def make(generator: Generator, has_plain_containers: bool = False) -> Generated:
            nonlocal has_met_containers
            generator.analyser.has_plain_containers = has_plain_containers
            if self.target.is_cached:
                generator.analyser.cached.add(generator.analyser.lower(function))
            try:
                return generator.gradient(
                    function, real, wanted, with_value=self.request.with_value, as_tuple=is_tuple, integers=integers
                )
            finally:
                has_met_containers = generator.analyser.met_containers

        try:
            return generate(make)
        except (UnsupportedSyntaxError, MissingRuleError) as error:
            if not has_met_containers:
                raise
            refused = error
        try:
            return generate(functools.partial(make, has_plain_containers=True))
        except MissingRuleError:
            raise refused from None

    def real_types(
        self, kinds: Sequence[Type], wanted: Sequence[tuple[int, tuple[int, ...]]]
    ) -> tuple[list[Type], set[tuple[int, tuple[int, ...]]]]:
        """The types to differentiate for, and which of the parameters asked for are given as integers."""
        real = list(kinds)
        integers = set()
        for index, path in wanted:
            real[index] = self.real_type(real[index], kinds[index], index, path)
            part = kinds[index]
            for step in path:
                part = part.elements[step] if isinstance(part, TupleType) else part
            if holds_integers(part):
                integers.add((index, path))
        return real, integers

    def real_type(self, kind: Type, original: Type, index: int, path: tuple[int, ...]) -> Type:
        """The type of a parameter that is differentiated with respect to, or an error if there is no derivative."""
        if path and isinstance(kind, TupleType):
            if path[0] >= len(kind.elements):
                raise NonDifferentiableError(f"{self.primal_name}() was called with fewer arguments than argnums asks for")
            parts = list(kind.elements)
            parts[path[0]] = self.real_type(parts[path[0]], original, index, path[1:])
            return TupleType(tuple(parts), kind.cls)
        name = list(self.target.signature.parameters)[index]
        reason = why_not_real(kind)
        if reason:
            raise NonDifferentiableError(f"{self.primal_name}() cannot be differentiated with respect to {name!r}, {reason}")
        return as_real(kind)

    def install(self, kinds: Sequence[Type], loaded: Loaded) -> None:
        """Put the check for this signature at the door."""
        target = self.target
        argnums = self.request.argnums if isinstance(self.request.argnums, tuple) else (self.request.argnums,)
        counted = any(isinstance(item, int) and item < 0 for item in argnums)
        if self._entry is None or target.keywords or counted:
            return  # what is asked for depends on how it is called
        if self.written_defaults(loaded.generated, kinds) or self.changes_bound(loaded.generated, kinds):
            return  # what is done depends on whether a default is used
        if list(self._entry.signature.parameters) != list(target.signature.parameters)[len(target.bound) :]:
            return
        expected, bound = tuple(kinds), target.bound
        generated = loaded.generated
        matches = self._matches.get((expected, generated))
        if matches is None:

            def matches(*arguments: object) -> bool:
                return signature_of((*bound, *arguments)) == expected and not shared(generated, expected, (*bound, *arguments))

            self._matches[expected, generated] = matches
            while len(self._matches) > MOST_SIGNATURES:
                self._matches.popitem(last=False)
        has_state = any(isinstance(kind, ObjectType | ListType | DictType | TupleType) for kind in kinds[: len(bound)])
        checked = None if has_state else kinds
        self._entry.install(checked, generated, loaded.function, matches, target.function, bound)

    # --- reading ----------------------------------------------------------------------------------------------------------------

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated code for arguments of these types; without arguments, for the types that the annotations give."""
        return self.generated_for(args, kwargs).source

    def generated_for(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Generated:
        """What was generated for these arguments."""
        if not args and not kwargs and self.target.signature.parameters:
            args, kwargs = example_arguments(self.target, self.primal_name)
        arguments, wanted = self.bind(args, kwargs)
        generated = self.find(arguments, wanted, to_read=True).generated
        if self.changes_bound(generated, signature_of(arguments)):
            left = self.bound_by_name(kwargs)
            positional, named = self.passed_without({*left, *self.bound_by_position()}, arguments)
            return self.of_call_with_bound(left, wanted).generated_for(positional, named)
        if changed := self.changed_defaults(generated, signature_of(arguments), args, kwargs):
            positional, named = self.passed_without(changed, arguments)
            with told_of_default(self.primal_name, changed):
                return self.of_call_without(changed, wanted).generated_for(positional, named)
        return generated

    # --- derivatives of derivatives -------------------------------------------------------------------------------------------

    def orders(self) -> tuple[Request, ...]:
        """What was asked for, from the outermost derivative to the innermost."""
        inner = self.target.derivative
        return (self.request, *(inner.orders() if inner is not None else ()))

    @property
    def parameters(self) -> list[Parameter]:
        """The primal's parameters, as IR."""
        parameters = self.target.signature.parameters.values()
        return [Parameter(Value(p.name), p.kind, p.default is not p.empty) for p in parameters]

    @property
    def function(self) -> types.FunctionType:
        """The function whose parameters and defaults these are."""
        return self.target.function

    @property
    def defaults(self) -> dict[str, object]:
        """The primal's defaults."""
        parameters = self.target.signature.parameters.values()
        found: dict[str, object] = {p.name: p.default for p in parameters if p.default is not p.empty}
        return found | self.target.keywords

    @property
    def given(self) -> tuple[object, ...]:
        """Arguments that are bound already."""
        return self.target.bound

    def generated_function(self, kinds: Sequence[Type], count: int) -> types.FunctionType:
        """The generated code for these argument types: what differentiating a call of this derivative differentiates."""
        with _LOCK:
            loaded = self.generate(kinds, self.wanted(count))
        left = list(self.target.signature.parameters)[len(self.target.bound) + count :]
        if changed := [name for name in self.written_defaults(loaded.generated, kinds) if name in left]:
            raise refused_default(self.primal_name, changed)
        return loaded.function


@dataclass(frozen=True, slots=True)
class Grad:
    """`grad` or `value_and_grad` where a differentiated function calls it."""

    with_value: bool

    def apply(self, function: Any, argnums: Argnums = 0) -> types.FunctionType:
        """Of a function that exists."""
        return Derivative(function, Request(argnums, self.with_value)).make_entry()

    def generate(
        self, definition: Function, context: Context, kinds: Sequence[Type], captured: int, given: int, options: Sequence[object]
    ) -> types.FunctionType:
        """Of a nested function: the generated code takes what it captures first."""
        argnums: Any = options[0] if options else 0
        names = [parameter.value.name for parameter in definition.parameters]
        wanted = []
        for item in argnums if isinstance(argnums, tuple) else (argnums,):
            position = names.index(item) if isinstance(item, str) else item if item >= 0 else given + item
            wanted.append((captured + position, ()))
        real = list(kinds)
        for index, _ in wanted:
            real[index] = as_real(real[index])

        def make(generator: Generator) -> Generated:
            specialisation = generator.analyser.specialise(definition, context, real)
            return generator.gradient_of_specialisation(
                specialisation, wanted, with_value=self.with_value, as_tuple=isinstance(argnums, tuple), captured=captured
            )

        return [unit.load() for unit in generate(make)][-1]


def derivative_behind(function: object) -> Derivative | None:
    """The derivative that an entry belongs to."""
    found = getattr(function, "__dict__", {}).get("derivative") if isinstance(function, types.FunctionType) else None
    return found if isinstance(found, Derivative) else None


DERIVED_OF.append(derivative_behind)
