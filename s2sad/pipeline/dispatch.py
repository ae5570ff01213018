"""Derivatives as callables: find the code for the arguments at hand, generate it the first time, notice what has changed."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from s2sad.analysis.resolution import DERIVED_OF, GeneratedFunction, NestedDerivative
from s2sad.analysis.signatures import as_real, types_of
from s2sad.analysis.specialisation import Context, Guard
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
from s2sad.pipeline.callers import call_without, refused_default, told_of_default
from s2sad.pipeline.collector import collector_paused
from s2sad.pipeline.entry import Entry
from s2sad.pipeline.example_arguments import example_arguments
from s2sad.pipeline.generate import Generator, generate
from s2sad.pipeline.lasting_arguments import LastingArguments, changes_bound, lasting_arguments, written_defaults
from s2sad.pipeline.matches import Matches
from s2sad.pipeline.overlap import check_apart, check_held, with_native_arrays
from s2sad.pipeline.references import name_for_pickle
from s2sad.pipeline.target import Argnums, BaseDerivative, Request, Target, derivative_behind
from s2sad.pipeline.units import Generated
from s2sad.rules.core import REGISTRY

#: One derivative is generated at a time; whoever waited finds it made.
_LOCK: Final = threading.RLock()


def signature_of(arguments: tuple[object, ...]) -> tuple[Type, ...]:
    """The types of actual arguments."""
    return types_of(arguments)


class Derivative(BaseDerivative):
    """What stands behind a derivative: `entry` is the function that the user calls."""

    def __init__(self, primal: Callable[..., Any], request: Request) -> None:
        self.primal = primal
        self.request = request
        self._target: tuple[int, Target] | None = None
        #: Derivatives of calls that leave some arguments where they live, by these and by what is asked for.
        self._calls: dict[tuple[LastingArguments, tuple[str, ...]], Derivative] = {}
        self._loaded: OrderedDict[object, Loaded] = OrderedDict()
        self._entry: Entry | None = None
        self._matches: OrderedDict[tuple[tuple[Type, ...], Generated], Matches] = OrderedDict()

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
        names = [getattr(one, "__qualname__", "") for one in (self.primal, own)]
        if derivative_behind(self.primal) is not None:
            names.reverse()
        entry.shown_name = next(filter(None, names), "")
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
        if self._target is None or self._target[0] != REGISTRY.changes:  # it may have a rule now
            self._target = (REGISTRY.changes, Target(self.primal))
        return self._target[1]

    # --- calling ----------------------------------------------------------------------------------------------------------------

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        """Call the code for these arguments, whatever they are."""
        arguments, wanted = self.bind(args, kwargs)
        arguments = with_native_arrays(arguments)
        check_held(arguments, self.target.signature.parameters)
        loaded = self.find(arguments, wanted)
        if (lasting := lasting_arguments(self.target, loaded.generated, signature_of(arguments), args, kwargs)) is not None:
            positional, named = lasting.others(self.target, self.own_signature(), arguments)
            with told_of_default(self.primal_name, lasting.defaults, self.target.function):
                return self.of_call_without(lasting, wanted).dispatch(*positional, **named)
        if loaded.generated.outside:
            check_apart(loaded.generated, signature_of(arguments), arguments, list(self.target.signature.parameters))
        return loaded.function(*arguments)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], list[tuple[int, tuple[int, ...]]]]:
        """All arguments in the order of the primal's parameters, and which of them are asked for."""
        target = self.target
        if target.function.__code__ is not target.code:
            self.check_parameters()
        call = target.signature.bind(*target.bound, *args, **{**target.keywords, **kwargs})
        call.apply_defaults()
        names = list(target.signature.parameters)
        return tuple(call.arguments[name] for name in names), self.wanted(len(args))

    def check_parameters(self) -> None:
        """A function whose code was replaced has the parameters that it had."""
        now = inspect.signature(self.target.function, follow_wrapped=False)
        before = [(p.name, p.kind) for p in self.target.signature.parameters.values()]
        if [(p.name, p.kind) for p in now.parameters.values()] != before:
            raise NonDifferentiableError(
                f"{self.primal_name}() has other parameters now, {now}, than when its derivative was made; make that anew"
            )

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

    def of_call_without(self, lasting: LastingArguments, wanted: Sequence[tuple[int, tuple[int, ...]]]) -> Derivative:
        """The derivative of a call that leaves these arguments where they live."""
        lasting.check_not_asked_for(self.primal_name, self.target, wanted)
        names = list(self.target.signature.parameters)
        asked = tuple(names[index] for index, _ in wanted)
        if (lasting, asked) not in self._calls:
            request = self.request
            if lasting.defaults:  # positions may be others without these
                request = Request(asked if isinstance(request.argnums, tuple) else asked[0], request.with_value)
            caller = call_without(self.primal, self.own_signature(), lasting.left)
            self._calls[lasting, asked] = Derivative(caller, request)
        return self._calls[lasting, asked]

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

    @collector_paused()
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
        rests_on: Sequence[Guard] = ()
        if self.target.derivative is not None:
            inner = self.target.derivative.generate_for(kinds)
            function, rests_on = inner.function, inner.generated.guards
        generated = find_of_another_closure(function, key)
        if generated is None:
            generated = self.gradient_of(function, real, wanted, frozenset(integers), rests_on)
            if function.__closure__:
                keep_for_closures(function, key, generated)
        loaded = [unit.load() for unit in generated]
        result = Loaded(generated, loaded[-1])
        cache[key] = result
        return result

    def generate_for(self, kinds: Sequence[Type]) -> Loaded:
        """The code for these types, as if all that is not bound were given by position."""
        return self.generate(kinds, self.wanted(len(kinds) - len(self.target.bound)))

    def gradient_of(
        self,
        function: types.FunctionType,
        real: Sequence[Type],
        wanted: Sequence[tuple[int, tuple[int, ...]]],
        integers: frozenset[tuple[int, tuple[int, ...]]],
        rests_on: Sequence[Guard] = (),
    ) -> Generated:
        """The generated code, which holds as long as `rests_on` does; where a derivative cannot pass through the containers of
        `collections`, with plain ones instead."""
        is_tuple = isinstance(self.request.argnums, tuple)
        has_met_containers = False

        def make(generator: Generator, has_plain_containers: bool = False) -> Generated:
            nonlocal has_met_containers
            generator.analyser.has_plain_containers = has_plain_containers
            for guard in rests_on:
                generator.analyser.guard(guard)
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
        if written_defaults(target, loaded.generated, kinds) or changes_bound(target, loaded.generated, kinds):
            return  # what is done depends on whether a default is used
        if list(self._entry.signature.parameters) != list(target.signature.parameters)[len(target.bound) :]:
            return
        expected, bound = tuple(kinds), target.bound
        generated = loaded.generated
        matches = self._matches.get((expected, generated))
        if matches is None:
            matches = self._matches[expected, generated] = Matches(expected, generated, bound)
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
        if (lasting := lasting_arguments(self.target, generated, signature_of(arguments), args, kwargs)) is not None:
            positional, named = lasting.others(self.target, self.own_signature(), arguments)
            with told_of_default(self.primal_name, lasting.defaults, self.target.function):
                return self.of_call_without(lasting, wanted).generated_for(positional, named)
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

    def generated_function(self, kinds: Sequence[Type], count: int) -> GeneratedFunction:
        """The generated code for these argument types: what differentiating a call of this derivative differentiates."""
        with _LOCK:
            loaded = self.generate(kinds, self.wanted(count))
        left = list(self.target.signature.parameters)[len(self.target.bound) + count :]
        if changed := [name for name in written_defaults(self.target, loaded.generated, kinds) if name in left]:
            raise refused_default(self.primal_name, changed, self.target.function)
        return GeneratedFunction(loaded.function, loaded.generated.guards)


@dataclass(frozen=True, slots=True)
class Grad:
    """`grad` or `value_and_grad` where a differentiated function calls it."""

    with_value: bool

    def apply(self, function: Any, argnums: Argnums = 0) -> types.FunctionType:
        """Of a function that exists."""
        return Derivative(function, Request(argnums, self.with_value)).make_entry()

    def generate(
        self,
        primal: Function | NestedDerivative,
        context: Context,
        kinds: Sequence[Type],
        captured: int,
        given: int,
        options: Sequence[object],
    ) -> GeneratedFunction:
        """Of a nested function, or of a derivative of one: the generated code takes what it captures first."""
        argnums: Any = options[0] if options else 0
        definition = primal if isinstance(primal, Function) else primal.definition
        names = [parameter.value.name for parameter in definition.parameters]
        wanted = []
        for item in argnums if isinstance(argnums, tuple) else (argnums,):
            position = names.index(item) if isinstance(item, str) else item if item >= 0 else given + item
            wanted.append((captured + position, ()))
        real = list(kinds)
        for index, _ in wanted:
            real[index] = as_real(real[index])

        inner: GeneratedFunction | None = None
        if isinstance(primal, NestedDerivative):
            inner = primal.transformation.generate(primal.primal, context, real, captured, given, primal.options)

        def make(generator: Generator) -> Generated:
            analyser = generator.analyser
            if inner is None:
                specialisation = analyser.specialise(definition, context, real)
            else:
                specialisation = analyser.specialise(analyser.lower(inner.function), analyser.context_of(inner.function), real)
                specialisation.python_function = inner.function
                for guard in inner.guards:
                    analyser.guard(guard)
            return generator.gradient_of_specialisation(
                specialisation, wanted, with_value=self.with_value, as_tuple=isinstance(argnums, tuple), captured=captured
            )

        generated = generate(make)
        return GeneratedFunction([unit.load() for unit in generated][-1], generated.guards)


DERIVED_OF.append(derivative_behind)
