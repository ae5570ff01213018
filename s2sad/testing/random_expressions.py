"""The expressions of random programs: written from choices, which a generator of random numbers or hypothesis makes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

#: Simple names first: shrinking moves towards them. The rest are names that generated code might use itself.
REAL_NAMES = ("a", "b", "c", "t", "d", "np", "s_bar", "x_bar", "out", "_", "s_saved", "value", "grad", "seed")
LIST_NAMES = ("items", "stack", "list", "items_bar")
INTEGER_NAMES = ("k", "i", "n", "j")
CONSTANTS = ("0.5", "1.5", "-0.7", "2.0", "0.1", "1", "2", "0", "-1")


class Choices(Protocol):
    """Where decisions come from. Lower numbers mean simpler programs."""

    def integer(self, low: int, high: int) -> int: ...


@dataclass(frozen=True, slots=True)
class RandomChoices:
    """Decisions of a random number generator."""

    generator: random.Random

    def integer(self, low: int, high: int) -> int:
        return self.generator.randint(low, high)


def drawn(write: Callable[[Choices], T]) -> SearchStrategy[T]:
    """The hypothesis strategy of what is written by choices that hypothesis makes."""
    from hypothesis import strategies as st

    @dataclass(frozen=True, slots=True)
    class DrawnChoices:
        draw: Callable[[SearchStrategy[int]], int]

        def integer(self, low: int, high: int) -> int:
            return self.draw(st.integers(low, high))

    @st.composite
    def build(draw: Any) -> T:
        return write(DrawnChoices(draw))

    return build()


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that the program may call: `kind` says with what."""

    name: str
    kind: str
    arity: int = 1


@dataclass(slots=True)
class Scope:
    """The names that are bound for certain at a place in the program."""

    reals: list[str]
    integers: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    helpers: list[Helper] = field(default_factory=list)
    #: Names that must not be bound anew: counters of loops, names of nested functions.
    reserved: set[str] = field(default_factory=set)
    loops: int = 0
    #: In a loop, or in a helper that may be called in one: values must not grow.
    bounded: bool = False

    def inner(self, loops: int = 0) -> Scope:
        """A block of this function: what it binds is not bound after it."""
        return Scope(
            list(self.reals),
            list(self.integers),
            list(self.lists),
            list(self.tables),
            list(self.helpers),
            set(self.reserved),
            self.loops + loops,
            self.bounded or loops > 0,
        )


class ExpressionWriter:
    """Writes expressions. `size` bounds the number of statements of the program around them."""

    def __init__(self, choices: Choices, size: int) -> None:
        self.choices = choices
        self.left = size
        self.lines: list[str] = []
        self.counters = 0

    def pick(self, options: Sequence[T]) -> T:
        return options[self.choices.integer(0, len(options) - 1)]

    def chance(self, one_in: int) -> bool:
        return self.choices.integer(0, one_in - 1) == one_in - 1

    def fresh(self, prefix: str) -> str:
        self.counters += 1
        return f"{prefix}_{self.counters}"

    # Expressions

    def leaf(self, scope: Scope) -> str:
        if self.chance(5):
            return self.pick(CONSTANTS)
        return self.pick(scope.reals)

    def expression(self, scope: Scope, depth: int = 2) -> str:
        if depth == 0 or self.chance(3):
            return self.leaf(scope)
        return self.pick(self._forms(scope))(scope, depth - 1)

    def _forms(self, scope: Scope) -> list[Callable[[Scope, int], str]]:
        forms: list[Callable[[Scope, int], str]] = [self._sum, self._product, self._function, self._function]
        forms += [self._quotient, self._conditional, self._extremum]
        forms += [self._power, self._logic]
        if scope.integers:
            forms.append(lambda s, d: f"0.1 * {self.pick(s.integers)} * {self.expression(s, d)}")
        if scope.lists:
            forms += [self._element, self._element, self._reduction]
        if scope.tables:
            forms.append(lambda s, d: f'{self.pick(s.tables)}["{self.pick(("u", "v"))}"]')
        if scope.helpers:
            forms += [self._call, self._call]
        return forms

    def _sum(self, scope: Scope, depth: int) -> str:
        left, right = self.expression(scope, depth), self.expression(scope, depth)
        text = f"{left} {self.pick(('+', '-'))} {operand(right)}"
        return f"0.6 * ({text})" if scope.bounded else text

    def _product(self, scope: Scope, depth: int) -> str:
        left, right = self.expression(scope, depth), self.expression(scope, depth)
        return f"{operand(left)} * {f'math.tanh({right})' if scope.bounded else operand(right)}"

    def _function(self, scope: Scope, depth: int) -> str:
        form = self.pick(
            (
                "math.sin({})",
                "math.cos({})",
                "math.tanh({})",
                "math.atan({})",
                "math.exp(-({}) ** 2)",
                "math.sqrt(1 + ({}) ** 2)",
                "math.log(2 + ({}) ** 2)",
                "math.exp(math.sin({}))",
                "math.hypot({}, 1.5)",
                "-math.sin({})",
            )
        )
        return form.format(self.expression(scope, depth))

    def _quotient(self, scope: Scope, depth: int) -> str:
        divisor = self.leaf(scope)
        return f"{operand(self.expression(scope, depth))} / (2 + {operand(divisor)} * {operand(divisor)})"

    def _conditional(self, scope: Scope, depth: int) -> str:
        return f"({self.expression(scope, depth)} if {self.condition(scope)} else {self.expression(scope, depth)})"

    def _extremum(self, scope: Scope, depth: int) -> str:
        first = self.expression(scope, depth)
        form = self.pick(("abs({0})", "max({0}, {1})", "min({0}, {1})", "max({0}, {1}, 0.25)"))
        return form.format(first, self.leaf(scope))

    def _power(self, scope: Scope, depth: int) -> str:
        inner = self.expression(scope, depth)
        if scope.bounded:
            return self.pick(("math.sin({}) ** 2", "math.cos({}) ** 3", "(1.5 + math.sin({})) ** 0.5")).format(inner)
        return self.pick(("({}) ** 2", "({}) ** 3", "(1.5 + math.sin({})) ** 1.7")).format(inner)

    def _logic(self, scope: Scope, depth: int) -> str:
        return f"({self.leaf(scope)} {self.pick(('or', 'and'))} {self.expression(scope, depth)})"

    def _element(self, scope: Scope, depth: int) -> str:
        name = self.pick(scope.lists)
        indices = ["0", "-1"] + [f"{integer} % len({name})" for integer in scope.integers]
        return f"{name}[{self.pick(indices)}]"

    def _reduction(self, scope: Scope, depth: int) -> str:
        name = self.pick(scope.lists)
        variable = self.pick(("v", *scope.reals))
        inner = Scope([variable, *scope.reals], bounded=True)
        term = self.expression(inner, min(depth, 1))
        forms = ("sum({n})", "max({n})", "sum([{e} for {v} in {n}[:]])", "sum({e} for {v} in {n}[:] if {v} > 0.2)", "min({n})")
        text = self.pick(forms).format(n=name, e=term, v=variable)
        return f"0.3 * {text}"

    def _call(self, scope: Scope, depth: int) -> str:
        helper = self.pick(scope.helpers)
        if helper.kind == "list":
            if not scope.lists:
                return self.leaf(scope)
            return f"{helper.name}({self.pick(scope.lists)}, {self.expression(scope, depth)})"
        arguments = [self.expression(scope, depth) for _ in range(helper.arity)]
        if helper.kind == "recursive":
            arguments.append(self.pick(("2", "0", "3")))
        return f"{helper.name}({', '.join(arguments)})"

    def _total(self, scope: Scope) -> str:
        """An expression that most of what was computed reaches."""
        terms = [self.expression(scope)]
        terms += [f"{factor} * {name}" for factor, name in zip((0.5, 1.5, 0.3), scope.reals, strict=False) if not self.chance(4)]
        terms += [f"0.7 * sum({name})" for name in scope.lists if not self.chance(4)]
        return " + ".join(terms)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        first, second = self.pick(scope.reals), self.pick(scope.reals)
        forms = ["{0} > 0.3", "{0} < {1}", "-0.8 < {0} < 1.1", "abs({0}) > 0.9", "not {0} > {1}"]
        if scope.integers:
            forms += [self.pick(scope.integers) + " % 2 == 0", self.pick(scope.integers) + " > 1"]
        if scope.lists:
            forms.append(f"len({self.pick(scope.lists)}) > 2")
        text = self.pick(forms).format(first, second)
        if depth and self.chance(6):
            text = f"{text} {self.pick(('and', 'or'))} {self.condition(scope, 0)}"
        return text


def operand(text: str) -> str:
    """The text, in parentheses when it is not an atom or a call."""
    return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"
