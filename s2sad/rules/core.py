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
`SymmetricRule`       any number of operands of equal standing: ``(z, x, *others)`` to the partial with respect to ``x``
`ModelRule`           a function in supported Python that computes the same: its derivative is the derivative
`VjpRule`             ``(y_bar, y, *operands)`` to a tuple of adjoints, one for each operand
`ZeroDerivative`      the derivative is zero: comparisons, rounding, functions of integers
`NotImplementedRule`  known, and refused with a reason
====================  ==============================================================================================

`lookup` finds rules by the identity of the function, never by its name.
"""

from __future__ import annotations

import builtins
import dis
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, Final

from s2sad.errors import InvalidRuleError, describe_location

Interval = tuple[float, float]
AnyFunction = Callable[..., Any]


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
        return tuple(inspect.signature(self.body).parameters)[type(self).leading :]

    @property
    def location(self) -> str:
        """Where the rule was written, as tracebacks show it."""
        return describe_location(self.body.__code__.co_filename, self.body.__code__.co_firstlineno)

    def accepts(self, positional: int, keywords: frozenset[str] = frozenset()) -> bool:
        """Whether the body's parameters can be bound so."""
        arguments = [None] * (type(self).leading + positional)
        try:
            inspect.signature(self.body).bind(*arguments, **dict.fromkeys(keywords))
        except TypeError:
            return False
        return True


@dataclass(frozen=True, slots=True, eq=False)
class PointwiseRule(BodyRule):
    """Partial derivatives of a function of numbers, element by element where the operands are arrays.

    `domain` bounds the operands that are not defined on the whole line (the tests sample there). `variants` are bodies to
    take when the operands named are literals."""

    domain: Mapping[str, Interval] = field(default_factory=dict)
    variants: dict[frozenset[str], FunctionType] = field(default_factory=dict)

    def literal(self, *operands: str) -> Callable[[FunctionType], FunctionType]:
        """Declare the body to take where these operands are literals; same signature, any value for their own partials."""

        def declare(body: FunctionType) -> FunctionType:
            check_names(body)
            if tuple(inspect.signature(body).parameters) != tuple(inspect.signature(self.body).parameters):
                raise invalid(body, f"a variant has the parameters of the rule {self.name!r} that it belongs to")
            unknown = set(operands) - set(self.operands)
            if unknown or frozenset(operands) in self.variants:
                raise invalid(body, f"{sorted(unknown) or operands} cannot be given a variant of {self.name!r}")
            self.variants[frozenset(operands)] = body
            return body

        return declare

    def body_for(self, literals: Iterable[str] = ()) -> FunctionType:
        """The body for a call whose operands of these names are literals: the variant that uses most of them."""
        known = frozenset(literals)
        fitting = [names for names in self.variants if names <= known]
        return self.variants[max(fitting, key=len)] if fitting else self.body


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
        """The body for so many operands: ``(z, x, *others)`` returning the partial with respect to ``x``."""
        return self.pair if count == 2 and self.pair is not None else self.body


@dataclass(frozen=True, slots=True, eq=False)
class ModelRule(BodyRule):
    """A function whose derivative is that of another, written in supported Python. The primal is called all the same."""

    leading = 0


@dataclass(frozen=True, slots=True, eq=False)
class VjpRule(BodyRule):
    """What happens to cotangents: ``(y_bar, y, *operands)`` to a tuple of adjoints; None for operands without."""

    leading = 2


@dataclass(frozen=True, slots=True, eq=False)
class ZeroDerivative(Rule):
    """The derivative is zero wherever it exists."""


@dataclass(frozen=True, slots=True, eq=False)
class NotImplementedRule(Rule):
    """The function is known, and cannot be differentiated: `reason` says why, `instead` what to write."""

    reason: str
    instead: str = ""


@dataclass(slots=True)
class Registry:
    """Rules by the identity of their functions."""

    _rules: dict[int, list[tuple[object, Rule]]] = field(default_factory=dict)
    _waiting: dict[str, list[Callable[[], None]]] = field(default_factory=dict)

    def add(self, rule: Rule, overload: bool = False) -> None:
        """Register a rule for its functions; a second one is refused unless it is for other ways to call them."""
        for function in rule.functions:
            entries = self._rules.get(id(function), [])
            if entries and not overload:
                raise duplicate(rule, function, entries[0][1])
        for function in rule.functions:
            self._rules.setdefault(id(function), []).append((function, rule))

    def remove(self, rule: Rule) -> None:
        """Take a rule back: for tests, and for a notebook cell that is run again."""
        for function in rule.functions:
            entries = [entry for entry in self._rules.get(id(function), []) if entry[1] is not rule]
            if entries:
                self._rules[id(function)] = entries
            else:
                self._rules.pop(id(function), None)

    def find(self, function: object) -> list[Rule]:
        """Every rule of a function."""
        found = self._rules.get(id(function))
        if found is None and self._waiting and self._import_waiting():
            found = self._rules.get(id(function))
        return [rule for _, rule in found or ()]

    def when_imported(self, module: str, declare: Callable[[], None]) -> None:
        """Call `declare` as soon as a rule is looked up while `module` is loaded: nothing is imported for its rules."""
        self._waiting.setdefault(module, []).append(declare)

    def _import_waiting(self) -> bool:
        loaded = [module for module in self._waiting if module in sys.modules]
        for module in loaded:
            for declare in self._waiting.pop(module, ()):
                declare()
        return bool(loaded)

    def __iter__(self) -> Iterator[Rule]:
        self._import_waiting()
        seen: dict[int, Rule] = {}
        for entries in list(self._rules.values()):
            seen.update((id(rule), rule) for _, rule in entries)
        return iter(seen.values())


REGISTRY: Final = Registry()


def lookup(function: object, positional: int | None = None, keywords: Iterable[str] = ()) -> Rule | None:
    """The rule of a function; with the number of positional arguments, the one for calls like that.

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
    return next((rule for rule in rules if rule.accepts(positional, names)), None)


def registered_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of registration."""
    return tuple(REGISTRY)


# --- Declarations --------------------------------------------------------------------------------------------------------------


def pointwise(
    *functions: object, domain: Mapping[str, Interval] | None = None, note: str = ""
) -> Callable[[FunctionType], PointwiseRule]:
    """Declare the partial derivatives of functions of numbers."""

    def declare(body: FunctionType) -> PointwiseRule:
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
    pair: FunctionType | None = None,
    note: str = "",
    overload: bool = False,
) -> Callable[[FunctionType], SymmetricRule]:
    """Declare the partial derivative of functions of any number of operands with respect to any one of them."""

    def declare(body: FunctionType) -> SymmetricRule:
        rule = SymmetricRule(body.__name__, functions, body, note, at_least, dict(domain or {}), pair)
        kinds = [parameter.kind for parameter in inspect.signature(body).parameters.values()]
        if len(kinds) != 3 or kinds[2] is not inspect.Parameter.VAR_POSITIONAL:
            raise invalid(body, "a rule for any number of operands has the parameters (result, operand, *others)")
        _register(rule, overload)
        return rule

    return declare


def model(*functions: object, note: str = "", overload: bool = False) -> Callable[[FunctionType], ModelRule]:
    """Declare that the derivative of a function is that of the function written here."""

    def declare(body: FunctionType) -> ModelRule:
        rule = ModelRule(body.__name__, functions, body, note)
        _register(rule, overload)
        return rule

    return declare


def vjp_rule(*functions: object, note: str = "") -> Callable[[FunctionType], VjpRule]:
    """Declare what happens to cotangents: ``(y_bar, y, *operands)`` to a tuple of adjoints."""

    def declare(body: FunctionType) -> VjpRule:
        rule = VjpRule(body.__name__, functions, body, note)
        _register(rule)
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

    def __call__(self, *functions: object, note: str = "") -> Callable[[FunctionType], VjpRule]:
        return vjp_rule(*functions, note=note)


rule: Final = RuleDecorator()


# --- Checks --------------------------------------------------------------------------------------------------------------------


def _register(rule: Rule, overload: bool = False) -> None:
    """Check a rule, and put it into the registry."""
    if not rule.functions:
        raise InvalidRuleError(f"the rule {rule.name!r} names no function: write the functions into the decorator's parentheses")
    for function in rule.functions:
        if not callable(function):
            raise InvalidRuleError(f"the rule {rule.name!r} is for functions, and {function!r} is none")
    if isinstance(rule, BodyRule):
        check_names(rule.body)
        for function in rule.functions:
            check_parameters(rule, function)
    REGISTRY.add(rule, overload)


def check_names(body: FunctionType) -> None:
    """Refuse a body that reads a name which is not defined."""
    if not isinstance(body, FunctionType):
        raise InvalidRuleError(f"a rule is written as a function, and {body!r} is none")
    for name in global_names(body.__code__):
        if name not in body.__globals__ and not hasattr(builtins, name):
            raise invalid(body, f"the name {name!r} is not defined")


def global_names(code: CodeType) -> Iterator[str]:
    """The global names that code reads, with those of the functions inside it."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from global_names(constant)


def check_parameters(rule: BodyRule, function: object) -> None:
    """Refuse a body that cannot take the operands which the function takes."""
    parameters = list(inspect.signature(rule.body).parameters.values())[type(rule).leading :]
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return
    bounds = operand_bounds(function)
    if bounds is None:
        return
    least, most = bounds
    required = sum(parameter.default is inspect.Parameter.empty for parameter in parameters)
    if required > most or len(parameters) < least:
        expected = str(least) if least == most else f"{least} to {most}"
        raise invalid(
            rule.body, f"{name_of(function)} takes {expected} operands, and the rule has {len(parameters)} after the result"
        )


def operand_bounds(function: object) -> tuple[float, float] | None:
    """The least and the largest number of operands that a function takes, if that can be found out."""
    inputs = getattr(function, "nin", None)
    if isinstance(inputs, int):
        return inputs, inputs
    if not callable(function):
        return None
    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return None
    least = sum(
        parameter.default is inspect.Parameter.empty
        and parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        for parameter in parameters
    )
    unbounded = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return least, float("inf") if unbounded else len(parameters)


def name_of(function: object) -> str:
    """How a function is written: ``math.sqrt``, ``np.sin``, ``abs``."""
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or repr(function)
    module = getattr(function, "__module__", None)
    if type(function).__name__ == "ufunc":
        owners = (("np", "numpy"), ("scipy.special", "scipy.special"))
        found = (short for short, full in owners if getattr(sys.modules.get(full), name, None) is function)
        return f"{next(found, 'np')}.{name}"
    if module in (None, "builtins", "__main__"):
        return str(name)
    return f"{ {'_operator': 'operator', '_functools': 'functools', 'numpy': 'np'}.get(module, module)}.{name}"


def invalid(body: FunctionType, message: str) -> InvalidRuleError:
    """The error for a rule that was declared wrongly, with the place."""
    code = body.__code__
    return InvalidRuleError(f"rule {body.__name__!r}: {message}\n{describe_location(code.co_filename, code.co_firstlineno)}")


def duplicate(rule: Rule, function: object, first: Rule) -> InvalidRuleError:
    """The error for a second rule of one function."""
    message = f"{name_of(function)} has a rule already ({first.name!r})"
    if isinstance(first, BodyRule):
        message += f", declared here:\n{first.location}\nthe second one:"
    if isinstance(rule, BodyRule):
        return invalid(rule.body, message)
    return InvalidRuleError(f"rule {rule.name!r}: {message}")
