"""How a derivative is declared, and where declarations are found.

A rule is a plain Python function whose first parameter is the result::

    @pointwise(math.sqrt, domain={"x": (0.0, 4.0)}, note="inf at 0")
    def sqrt(y, x):
        return 0.5 / y if y else math.inf            # d y / d x

Bodies are not called when a derivative runs: they are lowered like user code, their operands are substituted, constant
conditions fold, and dead code elimination tells which operands the derivative reads. So a body may say
``if base is None`` or ``if exponent == 2``, and what is generated is what an expert writes for that case.

====================  ==============================================================================================
`PointwiseRule`       partial derivatives with respect to each operand: one expression, or a tuple of them
`SymmetricRule`       any number of operands of equal standing: ``(z, x, *operands)`` to the partial with respect to ``x``
`ModelRule`           a function in supported Python that computes the same: its derivative is the derivative
`VjpRule`             ``(y_bar, y, *operands)`` to a tuple of adjoints, one for each operand
`ZeroDerivative`      the derivative is zero: comparisons, rounding, functions of integers
`NotImplementedRule`  known, and refused with a reason
====================  ==============================================================================================

`lookup` finds rules by the identity of the function, never by its name.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import BuiltinMethodType, FunctionType
from typing import Final, TypeVar, cast

import numpy as np

from s2sad.errors import InvalidRuleError, describe_location
from s2sad.ir.memo import forget
from s2sad.rules.checks import AnyFunction, checked_body, invalid, name_of

Interval = tuple[float, float]
OperandT = TypeVar("OperandT")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """What all rules have: a name, the functions that it is for, and how they may be called."""

    name: str
    functions: tuple[object, ...]

    def accepts(self, positional: int, keywords: frozenset[str] = frozenset()) -> bool:
        """Whether the rule is for calls with so many positional arguments and these keywords."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class BodyRule(Rule):
    """A rule that is given by a function."""

    body: FunctionType
    note: str = ""

    #: How many parameters of the body stand before the operands.
    leading = 1

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the operands (those of the primal's parameters, in order)."""
        return _names_of_parameters(self.body)[type(self).leading :]

    @property
    def location(self) -> str:
        """Where the rule was written, as tracebacks show it."""
        return describe_location(self.body.__code__.co_filename, self.body.__code__.co_firstlineno)

    def accepts(self, positional: int, keywords: frozenset[str] = frozenset()) -> bool:
        """Whether the body's parameters can be bound so."""
        return _may_be_bound(self.body, type(self).leading + positional, keywords)


@functools.lru_cache(maxsize=4096)
def _names_of_parameters(body: FunctionType) -> tuple[str, ...]:
    return tuple(inspect.signature(body).parameters)


@functools.lru_cache(maxsize=4096)
def _may_be_bound(body: FunctionType, positional: int, keywords: frozenset[str]) -> bool:
    """Whether a call with so many positional arguments and these keywords fits; asked for every call, and slow to find out."""
    try:
        inspect.signature(body).bind(*[None] * positional, **dict.fromkeys(keywords))
    except TypeError:
        return False
    return True


@dataclass(frozen=True, slots=True, eq=False)
class PointwiseRule(BodyRule):
    """Partial derivatives of a function of numbers, element by element where the operands are arrays.

    `domain` bounds the operands that are not defined on the whole line (the tests sample there). `variants` are bodies to
    take when the operands named are literals, `integer_variants` when they are known to be integers."""

    domain: Mapping[str, Interval] = field(default_factory=dict)
    variants: dict[frozenset[str], FunctionType] = field(default_factory=dict)
    integer_variants: dict[frozenset[str], FunctionType] = field(default_factory=dict)
    array_variants: dict[frozenset[str], FunctionType] = field(default_factory=dict)

    def literal(self, *operands: str) -> Callable[[AnyFunction], FunctionType]:
        """Declare the body to take where these operands are literals; same signature, any value for their own partials."""
        return self._declare(self.variants, operands)

    def integers(self, *operands: str) -> Callable[[AnyFunction], FunctionType]:
        """Declare the body to take where these operands are of Python's integers, and no operand is an array; same signature."""
        return self._declare(self.integer_variants, operands)

    def arrays(self, *literals: str) -> Callable[[AnyFunction], FunctionType]:
        """Declare the body to take where an operand is an array (and these are literals): code for one element, that is lifted
        to whole arrays. ``a if c else b`` becomes ``np.where(c, a, b)``, so both are computed for every element."""
        return self._declare(self.array_variants, literals)

    def _declare(
        self, variants: dict[frozenset[str], FunctionType], operands: tuple[str, ...]
    ) -> Callable[[AnyFunction], FunctionType]:
        def declare(function: AnyFunction) -> FunctionType:
            body = checked_body(function)
            if tuple(inspect.signature(body).parameters) != tuple(inspect.signature(self.body).parameters):
                raise invalid(body, f"a variant has the parameters of the rule {self.name!r} that it belongs to")
            unknown = set(operands) - set(self.operands)
            if unknown or frozenset(operands) in variants:
                raise invalid(body, f"{sorted(unknown) or operands} cannot be given a variant of {self.name!r}")
            variants[frozenset(operands)] = body
            return body

        return declare

    def body_for(self, literals: Iterable[str] = (), arrays: bool = False, integers: Iterable[str] = ()) -> FunctionType:
        """The body for a call whose operands of these names are literals, or integers: the variant that uses most of them. Where
        there are arrays among the operands, the variants for arrays come first, else those for literals."""
        if not self.variants and not self.integer_variants and not (arrays and self.array_variants):
            return cast("FunctionType", self.body)
        known = frozenset(literals)
        choices: tuple[tuple[frozenset[str], FunctionType], ...] = (
            *(self.array_variants.items() if arrays else ()),
            *self.variants.items(),
            (frozenset(), cast("FunctionType", self.body)),
        )
        fitting = [(names, body) for names, body in choices if names <= known]
        names, best = max(fitting, key=lambda item: len(item[0]))  # the first of the longest
        if not names and not arrays:
            whole = frozenset(integers)
            return next((body for names, body in self.integer_variants.items() if names <= whole), best)
        return best


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricRule(BodyRule):
    """Any number of operands of equal standing; `pair` is the body for two, if that reads better."""

    at_least: int = 1
    domain: Mapping[str, Interval] = field(default_factory=dict)
    pair: FunctionType | None = None

    def accepts(self, positional: int, keywords: frozenset[str] = frozenset()) -> bool:
        """Whether there are enough operands."""
        return positional >= self.at_least and not keywords

    def body_for(self, count: int) -> FunctionType:
        """The body for so many operands: ``(z, x, *operands)``, or ``(z, x, other)``, to the partial with respect to ``x``."""
        return cast("FunctionType", self.pair if count == 2 and self.pair is not None else self.body)

    def arguments_for(self, position: int, operands: Sequence[OperandT]) -> tuple[OperandT, ...]:
        """What the body takes after the result: the operand in question, then all of them, or the other of a pair."""
        is_pair = len(operands) == 2 and self.pair is not None
        return (operands[position], *((operands[1 - position],) if is_pair else operands))


@dataclass(frozen=True, slots=True, eq=False)
class ModelRule(BodyRule):
    """A function whose derivative is that of another, written in supported Python. The primal is called all the same.

    `gives_iterator`: the function gives an iterator, the model a list. `literals`: operands that must have these values."""

    gives_iterator: bool = False
    literals: Mapping[str, object] = field(default_factory=dict)

    leading = 0


@dataclass(frozen=True, slots=True, eq=False)
class VjpRule(BodyRule):
    """What happens to cotangents: ``(y_bar, y, *operands)`` to a tuple of adjoints; None for operands without.

    `y_bar` has the shape of `y`, unless the rule is `lazy`: then it may be a number, or have axes of length 1 instead (so a
    rule whose operands are broadcast cannot be lazy, as there is more to be summed than it sees). An adjoint
    may have any shape that broadcasts to the operand's, or the shape of what the operand was broadcast to. An operand that
    is a sequence has a sequence of adjoints. It may share memory with `y_bar`, which must not change."""

    leading = 2

    lazy: bool = False
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ZeroDerivative(Rule):
    """The derivative is zero wherever it exists."""


@dataclass(frozen=True, slots=True, eq=False)
class NotImplementedRule(Rule):
    """The function is known, and cannot be differentiated: `reason` says why, `instead` what to write."""

    reason: str
    instead: str = ""


def _identity(function: object) -> object:
    """What tells functions apart; a method of a class of C code (`itertools.chain.from_iterable`) or of
    a ufunc (`np.add.at`) is a new object at each look."""
    if isinstance(function, BuiltinMethodType) and isinstance(function.__self__, type | np.ufunc):
        return id(function.__self__), function.__name__
    return id(function)


@dataclass(slots=True)
class Registry:
    """Rules by the identity of their functions."""

    _rules: dict[object, list[tuple[object, Rule]]] = field(default_factory=dict)
    _waiting: dict[str, list[Callable[[], None]]] = field(default_factory=dict)
    #: How often a rule was declared or taken back, and who wants to know: what was made without it may be another now.
    changes: int = 0
    watchers: list[Callable[[], None]] = field(default_factory=list)
    _imports: bool = False

    def add(self, rule: Rule, overload: bool = False) -> None:
        """Register a rule for its functions; a second one is refused unless it is for other ways to call them."""
        for function in rule.functions:
            entries = self._rules.get(_identity(function), [])
            if entries and not overload:
                raise duplicate(rule, function, entries[0][1])
        for function in rule.functions:
            self._rules.setdefault(_identity(function), []).append((function, rule))
        self._changed()

    def remove(self, rule: Rule) -> None:
        """Take a rule back: for tests, and for a notebook cell that is run again."""
        for function in rule.functions:
            entries = [entry for entry in self._rules.get(_identity(function), []) if entry[1] is not rule]
            if entries:
                self._rules[_identity(function)] = entries
            else:
                self._rules.pop(_identity(function), None)
        self._changed()

    def _changed(self) -> None:
        forget()
        if self._imports:  # nothing was made without these rules
            return
        self.changes += 1
        for watcher in self.watchers:
            watcher()

    def find(self, function: object) -> list[Rule]:
        """Every rule of a function."""
        found = self._rules.get(_identity(function))
        if found is None and self._waiting and self._import_waiting():
            found = self._rules.get(_identity(function))
        return [rule for _, rule in found or ()]

    def when_imported(self, module: str, declare: Callable[[], None]) -> None:
        """Call `declare` as soon as a rule is looked up while `module` is loaded: nothing is imported for its rules."""
        self._waiting.setdefault(module, []).append(declare)

    def _import_waiting(self) -> bool:
        loaded = [module for module in self._waiting if module in sys.modules]
        for module in loaded:
            for declare in self._waiting.pop(module, ()):
                self._imports = True
                try:
                    declare()
                finally:
                    self._imports = False
        return bool(loaded)

    def __iter__(self) -> Iterator[Rule]:
        self._import_waiting()
        seen: dict[int, Rule] = {}
        for entries in list(self._rules.values()):
            seen.update((id(rule), rule) for _, rule in entries)
        return iter(seen.values())


def duplicate(rule: Rule, function: object, first: Rule) -> InvalidRuleError:
    """The error for a second rule of one function."""
    message = f"{name_of(function)} has a rule already ({first.name!r})"
    if isinstance(first, BodyRule):
        message += f", declared here:\n{first.location}\nthe second one:"
    if isinstance(rule, BodyRule):
        return invalid(rule.body, message)
    return InvalidRuleError(f"rule {rule.name!r}: {message}")


REGISTRY: Final = Registry()


def lookup(function: object, positional: int | None = None, keywords: Iterable[str] = (), arrays: bool = False) -> Rule | None:
    """The rule of a function; with the number of positional arguments, the one for calls like that. Where there are a rule for
    cotangents and another, the former is for calls with `arrays`.

    >>> import math
    >>> import s2sad.rules
    >>> lookup(math.sqrt).name
    'sqrt'
    >>> lookup(max, 1).name, lookup(max, 3).name
    ('max_of_iterable', 'maximum')
    """
    rules = REGISTRY.find(function)
    if positional is None:
        return rules[0] if rules else None
    names = frozenset(keywords)
    fitting = [rule for rule in rules if rule.accepts(positional, names)]
    return next((rule for rule in fitting if isinstance(rule, VjpRule) is arrays), fitting[0] if fitting else None)


def model_with_body(body: object) -> ModelRule | None:
    """The model that a function is the body of."""
    return next((rule for rule in REGISTRY if isinstance(rule, ModelRule) and rule.body is body), None)


def model_of_iterator(function: object, positional: Sequence[object], keywords: Mapping[str, object]) -> ModelRule | None:
    """The model of a function that gives an iterator, for operands of which only literals are known (None: unknown)."""
    for rule in REGISTRY.find(function):
        if isinstance(rule, ModelRule) and rule.gives_iterator and rule.accepts(len(positional), frozenset(keywords)):
            given = dict(zip(rule.operands, positional, strict=False)) | dict(keywords)
            if all(given.get(name) == value for name, value in rule.literals.items()):
                return rule
    return None


def registered_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of registration."""
    return tuple(REGISTRY)
