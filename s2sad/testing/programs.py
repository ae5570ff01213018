"""Random programs of the supported subset, as source text.

>>> import random
>>> program = random_program(random.Random(3))
>>> program.source.startswith("import math")
True
>>> value = program.load()(*program.arguments())

`programs()` is the same generator as a hypothesis strategy, whose examples shrink to short programs. The programs are bounded
and smooth almost everywhere: loops have counters of their own, divisors are ``2 + x * x``, products in loops have one factor
below 1. Nothing keeps a program from using one list under two names, rebinding what a closure has captured, or leaving a loop at
any depth: that is what they are for.
"""

from __future__ import annotations

import builtins
import hashlib
import linecache
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from s2sad.testing.random_expressions import (
    INTEGER_NAMES,
    LIST_NAMES,
    REAL_NAMES,
    ExpressionWriter,
    Helper,
    RandomChoices,
    Scope,
    drawn,
    operand,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

POINT_VALUES = (0.371, 1.213, -0.643, 0.817, -1.337, 1.979, 0.093, -2.291)


@dataclass(frozen=True, slots=True)
class Program:
    """The text of a module that defines ``program``, and the point to differentiate it at."""

    source: str
    point: tuple[float | tuple[float, ...], ...]

    def arguments(self) -> tuple[Any, ...]:
        """The point as fresh arguments: a tuple in it stands for a list."""
        return tuple(list(part) if isinstance(part, tuple) else part for part in self.point)

    def load(self, **replacements: object) -> Callable[..., Any]:
        """The function, its source registered with `linecache`; `replacements` take the place of the module's imports."""
        filename = f"<program {hashlib.sha1(self.source.encode()).hexdigest()[:12]}>"
        linecache.cache[filename] = (len(self.source), None, self.source.splitlines(keepends=True), filename)
        namespace: dict[str, Any] = {"__name__": "random_program", "__builtins__": builtins}
        exec(compile(self.source, filename, "exec"), namespace)
        namespace.update(replacements)
        function: Callable[..., Any] = namespace["program"]
        return function

    def __str__(self) -> str:
        return f"{self.source}\n# at {', '.join(map(repr, self.arguments()))}\n"


class _Writer(ExpressionWriter):
    """Writes one program."""

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, scope: Scope, indent: int, statements: int) -> None:
        start = len(self.lines)
        for _ in range(statements):
            if self.left <= 0:
                break
            self.left -= 1
            self.pick(self._statements(scope, indent))(scope, indent)
        if len(self.lines) == start:
            self.write(indent, "pass")

    def _statements(self, scope: Scope, indent: int) -> list[Callable[[Scope, int], None]]:
        forms: list[Callable[[Scope, int], None]] = [self._assign, self._assign, self._augment, self._swap, self._list]
        if scope.lists:
            forms += [self._change_list, self._change_list, self._alias]
        if scope.tables:
            forms.append(self._change_table)
        if indent < 5:
            forms += [self._if, self._if, self._for, self._for, self._while, self._one_branch, self._function_definition]
            forms += [self._table, self._walrus, self._leave, self._leave]
            if scope.lists:
                forms.append(self._for_elements)
        return forms

    def target(self, scope: Scope) -> str:
        """A name for a real number: one in use, or a new one."""
        usable = [name for name in scope.reals if name not in scope.reserved]
        if usable and self.chance(2):
            return self.pick(usable)
        return self.pick([name for name in REAL_NAMES if name not in scope.reserved])

    def bind(self, scope: Scope, name: str) -> None:
        if name not in scope.reals:
            scope.reals.insert(0, name)

    def _assign(self, scope: Scope, indent: int) -> None:
        name = self.target(scope)
        self.write(indent, f"{name} = {self.expression(scope, 3)}")
        self.bind(scope, name)

    def _augment(self, scope: Scope, indent: int) -> None:
        name = self.pick([name for name in scope.reals if name not in scope.reserved] or [""])
        if not name:
            return self._assign(scope, indent)
        form = self.pick(("{} += {}", "{} -= {}", "{} *= math.cos({})", "{} /= 1.5 + math.sin({})"))
        self.write(indent, form.format(name, self.expression(scope)))
        return None

    def _swap(self, scope: Scope, indent: int) -> None:
        first, second = self.target(scope), self.target(scope)
        if first == second:
            return self._assign(scope, indent)
        values = (second, first) if first in scope.reals and second in scope.reals else (self.expression(scope), self.leaf(scope))
        self.write(indent, f"{first}, {second} = {values[0]}, {values[1]}")
        self.bind(scope, first)
        self.bind(scope, second)
        return None

    def _walrus(self, scope: Scope, indent: int) -> None:
        name, inner = self.target(scope), self.target(scope)
        self.write(indent, f"{name} = ({inner} := {self.expression(scope)}) * math.cos({inner})")
        self.bind(scope, inner)
        self.bind(scope, name)

    def _list(self, scope: Scope, indent: int) -> None:
        name = self.pick(LIST_NAMES)
        forms = ["[{0}, {1}]", "[{0}, {1}, {2}]", "[{0}] * 3", "[{0} for k in range(3)]", "[{0} * k for k in range(2)]"]
        if scope.lists:
            other = self.pick(scope.lists)
            forms += [f"[0.5 * v + {{0}} for v in {other}[:]]", f"{other}[:2]", f"{other}[::-1]", f"({other} + [{{0}}])[-3:]"]
            forms.append(f"[{{0}}] + [v for v in {other} if v > 0.2]")
        text = self.pick(forms).format(operand(self.expression(scope)), self.leaf(scope), self.leaf(scope))
        self.write(indent, f"{name} = {text}")
        if name not in scope.lists:
            scope.lists.append(name)

    def _alias(self, scope: Scope, indent: int) -> None:
        name = self.pick(LIST_NAMES)
        self.write(indent, f"{name} = {self.pick(scope.lists)}")
        if name not in scope.lists:
            scope.lists.append(name)

    def _change_list(self, scope: Scope, indent: int) -> None:
        name = self.pick(scope.lists)
        index = self.pick(["0", "-1"] + [f"{integer} % len({name})" for integer in scope.integers])
        value = self.expression(scope)
        forms = ["{n}[{i}] = {e}", "{n}[{i}] += {e}", "{n}[{i}] *= math.cos({e})", "{n}.append({e})", "{n}.insert(1, {e})"]
        if len(scope.lists) > 1:
            forms.append("{n}[0], {m}[-1] = {m}[-1], {n}[0]")
        text = self.pick(forms).format(n=name, i=index, e=value, m=self.pick(scope.lists))
        if self.chance(4):
            target = self.target(scope)
            self.write(indent, f"{target} = {name}.pop() if len({name}) > 1 else {value}")
            self.bind(scope, target)
        else:
            self.write(indent, text)

    def _table(self, scope: Scope, indent: int) -> None:
        self.write(indent, f'table = {{"u": {self.expression(scope)}, "v": {self.leaf(scope)}}}')
        if "table" not in scope.tables:
            scope.tables.append("table")

    def _change_table(self, scope: Scope, indent: int) -> None:
        form = self.pick(('{}["{}"] = {}', '{}["{}"] += {}', '{}["{}"] *= math.sin({})'))
        self.write(indent, form.format(self.pick(scope.tables), self.pick(("u", "v")), self.expression(scope)))

    def _if(self, scope: Scope, indent: int) -> None:
        self.write(indent, f"if {self.condition(scope)}:")
        self.block(scope.inner(), indent + 1, self.choices.integer(1, 3))
        if self.chance(3):
            self.write(indent, f"elif {self.condition(scope)}:")
            self.block(scope.inner(), indent + 1, self.choices.integer(1, 2))
        if self.chance(2):
            self.write(indent, "else:")
            self.block(scope.inner(), indent + 1, self.choices.integer(1, 3))

    def _one_branch(self, scope: Scope, indent: int) -> None:
        """A variable that only one branch binds, and only code under the same condition reads."""
        flag, extra = self.fresh("flag"), self.fresh("extra")
        self.write(indent, f"{flag} = {self.condition(scope)}")
        self.write(indent, f"if {flag}:")
        self.write(indent + 1, f"{extra} = {self.expression(scope)}")
        self.block(scope, indent, self.choices.integer(0, 2))
        self.write(indent, f"if {flag}:")
        name = self.pick(scope.reals)
        if name in scope.reserved:
            name = self.fresh("kept")
            self.write(indent + 1, f"{name} = {extra}")
        else:
            self.write(indent + 1, f"{name} += 0.5 * {extra}")

    def _body(self, scope: Scope, indent: int, statements: int) -> None:
        self.block(scope, indent, statements)
        if self.chance(4):
            self._leave(scope, indent)

    def _leave(self, scope: Scope, indent: int) -> None:
        """`break`, `continue` or `return` under a condition."""
        choices = ["return {}", "break", "continue"] if scope.loops else ["return {}"]
        self.write(indent, f"if {self.condition(scope)}:")
        if self.chance(3):
            self.left -= 1
            self._assign(scope.inner(), indent + 1)
        self.write(indent + 1, self.pick(choices[::-1]).format(self.expression(scope)))
        if scope.loops and self.chance(4):
            self.write(indent, "else:")
            self.block(scope.inner(), indent + 1, 1)

    def _orelse(self, scope: Scope, indent: int) -> None:
        if self.chance(4):
            self.write(indent, "else:")
            self.block(scope.inner(), indent + 1, self.choices.integer(1, 2))

    def _for(self, scope: Scope, indent: int) -> None:
        name = self.pick([name for name in INTEGER_NAMES if name not in scope.reserved] or ["m"])
        bounds = ["2", "3", "0", "4", "1, 3", "3, 0, -1", "0, 5, 2"] + [f"{integer} + 1" for integer in scope.integers]
        bound = self.pick(bounds)
        inner = scope.inner(loops=1)
        inner.reserved.add(name)
        inner.integers.append(name)
        self.write(indent, f"for {name} in range({bound}):")
        self._body(inner, indent + 1, self.choices.integer(1, 4))
        self._orelse(scope, indent)
        if bound in ("2", "3", "4", "1, 3") and name not in scope.integers:
            scope.integers.append(name)

    def _for_elements(self, scope: Scope, indent: int) -> None:
        source, name = self.pick(scope.lists), self.target(scope)
        inner = scope.inner(loops=1)
        self.bind(inner, name)
        form = self.pick(
            (
                "for {v} in {n}[:3]:",
                "for k, {v} in enumerate({n}[:3]):",
                "for {v}, t in zip({n}[:2], {m}[-2:]):",
                "for {v} in reversed({n}[:3]):",
            )
        )
        if "k" in scope.reserved and "enumerate" in form:
            form = "for {v} in {n}[1:4]:"
        self.write(indent, form.format(v=name if name != "t" or "zip" not in form else "v", n=source, m=self.pick(scope.lists)))
        if "zip" in form:
            self.bind(inner, "t")
            if name == "t":
                self.bind(inner, "v")
        self._body(inner, indent + 1, self.choices.integer(1, 3))
        self._orelse(scope, indent)

    def _while(self, scope: Scope, indent: int) -> None:
        counter = self.fresh("count")
        inner = scope.inner(loops=1)
        inner.reserved.add(counter)
        inner.integers.append(counter)
        bound = self.pick(("2", "3", "5"))
        self.write(indent, f"{counter} = 0")
        if self.chance(3):
            self.write(indent, "while True:")
            self.write(indent + 1, f"{counter} += 1")
            self.write(indent + 1, f"if {counter} > {bound} or {self.condition(scope)}:")
            self.write(indent + 2, "break")
        else:
            self.write(indent, f"while {counter} < {bound} and ({self.condition(scope)}):")
            self.write(indent + 1, f"{counter} += 1")
        self._body(inner, indent + 1, self.choices.integer(1, 4))
        scope.integers.append(counter)
        scope.reserved.add(counter)

    def _function_definition(self, scope: Scope, indent: int) -> None:
        """A nested function over variables of its surroundings, which may be bound anew before it is called."""
        if scope.bounded and self.chance(2):
            return self._assign(scope, indent)
        name = self.fresh("inner")
        inner = Scope(["v", *scope.reals], bounded=True)
        free = [real for real in scope.reals if real not in scope.reserved and real != "v"]
        match self.choices.integer(0, 2):
            case 0:
                self.write(indent, f"{name} = lambda v: {self.expression(inner)}")
            case 1:
                self.write(indent, f"def {name}(v):")
                self.write(indent + 1, f"w = {self.expression(inner)}")
                inner.reals.insert(0, "w")
                self.write(indent + 1, f"return {self.expression(inner)}")
            case _:
                self.write(indent, f"def {name}(v):")
                if free:
                    changed = self.pick(free)
                    self.write(indent + 1, f"nonlocal {changed}")
                    self.write(indent + 1, f"{changed} = {self.expression(inner)}")
                self.write(indent + 1, f"return {self.expression(inner)}")
        scope.helpers.append(Helper(name, "scalar"))
        scope.reserved.add(name)
        return None

    # Functions

    def helper(self, helpers: list[Helper]) -> None:
        kind = self.pick(("scalar", "scalar", "recursive", "list"))
        name = f"helper_{len(helpers) + 1}"
        parameters = ["x", "y"][: self.choices.integer(1, 2)] if kind == "scalar" else ["x"]
        scope = Scope(list(parameters), helpers=[helper for helper in helpers if helper.kind == "scalar"], bounded=True)
        match kind:
            case "list":
                scope.lists.append("items")
                self.write(0, f"def {name}(items, x):")
            case "recursive":
                scope.integers.append("n")
                scope.reserved.add("n")
                self.write(0, f"def {name}(x, n):")
                self.write(1, "if n <= 0:")
                self.write(2, f"return {self.expression(scope)}")
            case _:
                self.write(0, f"def {name}({', '.join(parameters)}):")
        self.block(scope, 1, self.choices.integer(0, 3))
        if kind == "recursive":
            self.write(1, f"return {name}({self.expression(scope)}, n - 1) * math.cos({self.leaf(scope)}) + {self.leaf(scope)}")
        else:
            self.write(1, f"return {self.expression(scope)}")
        self.lines += ["", ""]
        helpers.append(Helper(name, kind, len(parameters)))

    def program(self) -> Program:
        self.lines += ["import math", "", ""]
        helpers: list[Helper] = []
        for _ in range(self.choices.integer(0, 2)):
            self.helper(helpers)
        parameters = ["x", "y"][: self.choices.integer(1, 2)]
        point: list[float | tuple[float, ...]] = [self.pick(POINT_VALUES) for _ in parameters]
        scope = Scope(list(parameters), helpers=helpers)
        if self.chance(3):
            scope.lists.append("items")
            point.append(tuple(self.pick(POINT_VALUES) for _ in range(self.choices.integer(1, 3))))
        self.write(0, f"def program({', '.join(parameters + scope.lists)}):")
        self.block(scope, 1, self.choices.integer(1, 9))
        self.write(1, f"return {self._total(scope)}")
        return Program("\n".join(self.lines) + "\n", tuple(point))


def random_program(generator: random.Random, size: int = 24) -> Program:
    """A program of the generator's choice."""
    return _Writer(RandomChoices(generator), size).program()


def programs(size: int = 24) -> SearchStrategy[Program]:
    """The hypothesis strategy: programs that shrink."""
    return drawn(lambda choices: _Writer(choices, size).program())
