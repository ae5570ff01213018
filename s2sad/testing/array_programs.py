"""Random programs on arrays, as source text: views kept in variables and stored through, in-place operators, swaps, loops.

>>> import random
>>> program = random_array_program(random.Random(3))
>>> program.source.startswith("import numpy as np")
True
>>> value = program.load()(*program.arguments())

A name has one shape throughout a program: the vectors `y4` and `z4` have four elements, `a2x3` is a matrix. Which memory it
means is anybody's guess: aliases, views of views, and what helpers return are all stored through.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from s2sad.testing import array_algebra, array_places, array_sharing
from s2sad.testing.programs import Program
from s2sad.testing.random_expressions import Choices, RandomChoices, drawn

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
Shape = tuple[int, ...]

_VALUES = (0.371, 1.213, -0.643, 0.817, -1.337, 0.979, 0.093, -0.291, 0.557, -0.811, 1.103, -0.177)
_LETTERS = {1: ("y", "z", "w", "v"), 2: ("a", "b", "c")}


@dataclass(frozen=True, slots=True)
class ArrayProgram(Program):
    """A program whose point has arrays: tuples of numbers, and tuples of tuples."""

    def arguments(self) -> tuple[Any, ...]:
        """The point as fresh arguments."""
        return tuple(np.array(part) if isinstance(part, tuple) else part for part in self.point)


@dataclass(slots=True)
class Scope:
    """What is bound for certain at a place in the program."""

    arrays: dict[str, Shape]
    numbers: list[str]
    indices: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    depth: int = 0
    #: Arrays of indices and masks, each with the length of the vectors that they are for.
    places: dict[str, int] = field(default_factory=dict)
    masks: dict[str, int] = field(default_factory=dict)

    def inner(self) -> Scope:
        known = dict(self.places), dict(self.masks)
        return Scope(dict(self.arrays), list(self.numbers), list(self.indices), self.helpers, self.depth + 1, *known)

    def of(self, shape: Shape) -> list[str]:
        return [name for name, other in self.arrays.items() if other == shape]

    def vectors(self, least: int = 1) -> list[str]:
        return [name for name, shape in self.arrays.items() if len(shape) == 1 and shape[0] >= least]

    def matrices(self) -> list[str]:
        return [name for name, shape in self.arrays.items() if len(shape) == 2]


class Writer:
    """Writes one program."""

    def __init__(self, choices: Choices, size: int) -> None:
        self.choices = choices
        self.left = size
        self.lines: list[str] = []
        #: How many containers and counters there are.
        self.boxes = 0
        #: Whether arrays of indices and masks are variables.
        self.has_places = False

    def pick(self, options: list[T] | tuple[T, ...]) -> T:
        return options[self.choices.integer(0, len(options) - 1)]

    def chance(self, one_in: int) -> bool:
        return self.choices.integer(0, one_in - 1) == one_in - 1

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    # Expressions

    def number(self, scope: Scope, depth: int = 1) -> str:
        """A real number."""
        forms = [self.pick(("0.5", "-0.7", "1.5", "0.3")), *scope.numbers]
        vectors, matrices = scope.vectors(), scope.matrices()
        if vectors:
            name = self.pick(vectors)
            forms += [self.element(scope, name), f"np.sum({name})", f"np.max({name})", f"np.mean({name} * {name})"]
            forms += [f"{name} @ {self.pick(scope.of(scope.arrays[name]))}", f"{name}[{self.index(scope, name)}] * {name}[0]"]
        if matrices:
            name = self.pick(matrices)
            forms += [self.element(scope, name), f"np.sum({name} * {name})", f"{name}.min()"]
        text = self.pick(forms)
        if self.chance(3):
            text = array_algebra.random_number(self, scope) or text
        if depth and self.chance(2):
            form = self.pick(("np.sin({})", "0.5 * ({})", "({}) * 0.5 + {}", "np.cos({}) * {}", "np.tanh({}) - {}"))
            other = self.pick(scope.numbers) if scope.numbers else "0.25"
            return form.format(text, other)
        return text

    def product(self, scope: Scope) -> str:
        """A product of two arrays as they are."""
        shape = self.shape(scope)
        return f"{self.pick(scope.of(shape))} * {self.pick(scope.of(shape))}"

    def index(self, scope: Scope, name: str) -> str:
        """A place in a vector that exists."""
        length = scope.arrays[name][0]
        places = ["0", "-1", str(length - 1)] + [f"{index} % {length}" for index in scope.indices]
        return self.pick(places)

    def element(self, scope: Scope, name: str) -> str:
        shape = scope.arrays[name]
        if len(shape) == 1:
            return f"{name}[{self.index(scope, name)}]"
        return f"{name}[{self.pick(('0', '-1'))}, {self.pick(('0', '-1', str(shape[1] - 1)))}]"

    def slices(self, length: int) -> list[tuple[str, int]]:
        """Slices of an axis, and how many elements they have."""
        forms = [":", "1:", ":-1", "::2", "::-1", "1::2", "-2:", ":1", "-1:0:-1", "1:-1", f"{length - 2}::-1"]
        found = [(text, len(range(length)[_as_slice(text)])) for text in forms]
        return [(text, count) for text, count in found if count > 0]

    def part(self, scope: Scope, name: str) -> tuple[str, Shape]:
        """An expression for a view of an array."""
        shape = scope.arrays[name]
        options: list[tuple[str, Shape]]
        if len(shape) == 1:
            options = [(f"{name}[{text}]", (count,)) for text, count in self.slices(shape[0])]
            options += [
                (text.format(name), shape) for text in ("np.flip({})", "np.squeeze({}[None])", "np.expand_dims({}, 0)[0]")
            ]
            if name.endswith(".a") and shape[0] > 1:
                options += [(f"{name.removesuffix('.a')}.part()", (shape[0] - 1,))] * 8
            if shape[0] % 2 == 0:
                options += [
                    (f"{name}.reshape(2, {shape[0] // 2})", (2, shape[0] // 2)),
                    (f"{name}.reshape(-1, 2)", (shape[0] // 2, 2)),
                ]
            return self.pick(options)
        rows, columns = shape
        (first, n), (second, m) = self.pick(self.slices(rows)), self.pick(self.slices(columns))
        options = [
            (f"{name}[0]", (columns,)),
            (f"{name}[-1, {second}]", (m,)),
            (f"{name}[:, -1]", (rows,)),
            (f"{name}.T", (columns, rows)),
            (f"np.transpose({name})", (columns, rows)),
            (f"np.rot90({name})", (columns, rows)),
            (f"np.swapaxes({name}, 0, 1)", (columns, rows)),
            (f"np.flipud({name})", shape),
        ]
        options += [
            (f"{name}[{first}, {second}]", (n, m)),
            (f"{name}.ravel()", (rows * columns,)),
            (f"{name}[{first}]", (n, columns)),
        ]
        options += [(f"{name}.reshape(-1)", (rows * columns,)), (f"{name}.T.ravel()", (rows * columns,))]
        if rows == columns:
            options.append((f"np.diagonal({name})", (rows,)) if self.chance(3) else (f"{name}[::-1].T", shape))
        return self.pick(options)

    def array(self, scope: Scope, shape: Shape, depth: int = 2) -> str:
        """An array of a shape; what it shares memory with is open."""
        names = scope.of(shape)
        places = array_places.random_elements(self, scope, shape) if self.has_places and self.chance(2) else None
        if places is not None:
            return places
        if depth == 0 or self.chance(3):
            if names and not self.chance(4):
                return self.pick(names)
            parts = [self.part(scope, self.pick(list(scope.arrays))) for _ in range(4)] if scope.arrays else []
            fitting = [text for text, other in parts if other == shape]
            size = str(shape[0]) if len(shape) == 1 else str(shape)
            return self.pick([*fitting, *names] or [f"np.full({size}, {self.number(scope, 0)})", f"np.ones({size})"])
        if self.chance(3):
            return (
                array_algebra.random_vector(self, scope, shape[0])
                if len(shape) == 1
                else array_algebra.random_matrix(self, scope, shape)
            )
        inner = self.array(scope, shape, depth - 1)
        other = self.array(scope, shape, depth - 1) if self.chance(2) else self.number(scope)
        forms = [
            "{0} + {1}",
            "{0} - {1}",
            "0.5 * {0} * {1}",
            "np.sin({0})",
            "np.tanh({0}) * {1}",
            "{0} / (2.0 + {1} * {1})",
            "-{0}",
        ]
        forms += [
            "np.maximum({0}, {1})",
            "np.where({0} > 0.1, {0}, {1})",
            "np.abs({0})",
            "{0}.copy()",
            "0.3 * np.cumsum({0}, axis=0)",
        ]
        forms += ["({0})[::-1]"]
        if len(shape) == 1 and scope.matrices():
            matrix = self.pick(scope.matrices())
            rows, columns = scope.arrays[matrix]
            if shape == (rows,):
                forms += [f"{matrix} @ {self.pick(scope.of((columns,)) or [f'np.ones({columns})'])}", f"np.sum({matrix}, axis=1)"]
            if shape == (columns,):
                forms += [f"{matrix}.mean(axis=0)", f"{{0}} + {matrix}[0]"]
        if len(shape) == 2:
            forms += [f"{{0}} + {self.array(scope, shape[1:], 0)}", f"{{0}} * ({self.array(scope, shape[:1], 0)})[:, None]"]
        text = self.pick(forms)
        return text.format(inner if inner.isidentifier() else f"({inner})", other if other.isidentifier() else f"({other})")

    # Statements

    def block(self, scope: Scope, indent: int, statements: int) -> None:
        start = len(self.lines)
        for _ in range(statements):
            if self.left <= 0:
                break
            self.left -= 1
            self.pick(self.statements(scope, indent))(scope, indent)
        if len(self.lines) == start:
            self.write(indent, "pass")

    def statements(self, scope: Scope, indent: int) -> list[Callable[[Scope, int], None]]:
        forms: list[Callable[[Scope, int], None]] = [
            self.bind_array,
            self.bind_view,
            self.bind_view,
            self.bind_alias,
            self.bind_number,
            self.store,
            self.store,
        ]
        forms += [self.store_part, self.store_part, self.augment, self.augment, self.swap]
        forms += [functools.partial(write, self) for write in (array_sharing.write_box, array_sharing.write_out)]
        if self.has_places:
            forms += [functools.partial(write, self) for write in (array_places.write_places, array_places.write_store)] * 4
        if scope.helpers:
            forms += [self.call, self.call]
        if indent < 4:
            forms += [self.branch, self.loop, self.loop, functools.partial(array_sharing.write_while, self)]
        if indent > 1:
            forms += [functools.partial(array_sharing.write_return, self)]
        return forms

    def bind(self, scope: Scope, indent: int, text: str, shape: Shape) -> None:
        name = self.new_name(shape)
        self.write(indent, f"{name} = {text}")
        scope.arrays[name] = shape

    def new_name(self, shape: Shape) -> str:
        """A variable for arrays of a shape; it may be bound already."""
        return self.pick(_LETTERS[len(shape)]) + "x".join(map(str, shape))

    def shape(self, scope: Scope) -> Shape:
        return scope.arrays[self.pick(list(scope.arrays))]

    def bind_array(self, scope: Scope, indent: int) -> None:
        shape = self.shape(scope)
        text = self.array(scope, shape)
        self.bind(scope, indent, f"({text}) * 1.0" if self.chance(2) else text, shape)

    def bind_view(self, scope: Scope, indent: int) -> None:
        text, shape = self.part(scope, self.pick(list(scope.arrays)))
        self.bind(scope, indent, text, shape)

    def bind_alias(self, scope: Scope, indent: int) -> None:
        name = self.pick(list(scope.arrays))
        first, second = scope.of(scope.arrays[name])[0], self.pick(scope.of(scope.arrays[name]))
        text = f"{first} if {self.number(scope)} > 0.2 else {second}" if self.chance(3) else name
        self.bind(scope, indent, text, scope.arrays[name])

    def bind_number(self, scope: Scope, indent: int) -> None:
        name = self.pick(("s", "t", "u"))
        self.write(indent, f"{name} = {self.number(scope)}")
        if name not in scope.numbers:
            scope.numbers.append(name)

    def store(self, scope: Scope, indent: int) -> None:
        """To an element."""
        name = self.pick(list(scope.arrays))
        value = self.number(scope)
        if name in scope.vectors(2) and self.chance(4):
            last = scope.arrays[name][0] - 1
            self.write(indent, f"{name}[0], {name}[{last}] = {name}[{last}], {name}[0]")
            return
        form = self.pick(("{} = {}", "{} += 0.5 * ({})", "{} *= np.cos({})", "{} = np.tanh({})"))
        self.write(indent, form.format(self.element(scope, name), value))

    def store_part(self, scope: Scope, indent: int) -> None:
        """To a slice, several places, or where a condition holds."""
        name = self.pick(list(scope.arrays))
        shape = scope.arrays[name]
        if self.chance(4):
            mask = self.pick((f"{name} > 0.3", f"np.abs({name}) < 0.5"))
            form = self.pick(
                (f"{name}[{mask}] = {{0}}", f"{name}[{mask}] *= np.cos({{0}})", f"{name}[{mask}] += 0.5 * {name}[{mask}]")
            )
            self.write(indent, form.format(self.number(scope)))
            return
        if len(shape) == 1 and self.chance(4):
            places = self.pick([[0, shape[0] - 1], [0, 0, -1], [shape[0] // 2]])
            form = self.pick(("{n}[{p}] += {e}", "{n}[{p}] = {n}[{q}] * {e}", "np.add.at({n}, {p}, {e})", "{n}[{p}] = {e}"))
            self.write(indent, form.format(n=name, p=places, q=places[::-1], e=self.number(scope)))
            return
        text, count = self.pick(self.slices(shape[0]))
        part: Shape = (count, *shape[1:])
        if len(shape) == 2 and self.chance(2):
            second, m = self.pick(self.slices(shape[1]))
            text, part = f"{text}, {second}", (count, m)
        if self.chance(8):  # a store drops first axes of length 1
            self.write(indent, f"{name}[{text}] = ({self.array(scope, part)})[None]")
            return
        value = self.array(scope, part) if not self.chance(4) else self.number(scope)
        form = self.pick(("{}[{}] = {}", "{}[{}] += 0.5 * ({})", "{}[{}] *= np.cos({})", "{}[{}] -= {}", "{}[{}] += {}"))
        self.write(indent, form.format(name, text, value))

    def augment(self, scope: Scope, indent: int) -> None:
        name = self.pick(list(scope.arrays))
        value = self.array(scope, scope.arrays[name]) if not self.chance(3) else self.number(scope)
        plain = ("{} += {}", "{} -= {}", "{} *= {}")
        form = self.pick((*plain, "{} += 0.5 * ({})", "{} *= np.cos({})", "{} -= np.sin({})", "{} /= 2.0 + np.tanh({})"))
        self.write(indent, form.format(name, value))

    def swap(self, scope: Scope, indent: int) -> None:
        name = self.pick(list(scope.arrays))
        names = scope.of(scope.arrays[name])
        others = [other for other in names if other != name]
        if others:
            other = self.pick(others)
            self.write(indent, f"{name}, {other} = {other}, {name}")
        else:
            self.augment(scope, indent)

    def branch(self, scope: Scope, indent: int) -> None:
        self.write(indent, f"if {self.number(scope)} > {self.pick(('0.1', '0.4', '-0.3'))}:")
        self.block(scope.inner(), indent + 1, self.choices.integer(1, 3))
        if self.chance(2):
            self.write(indent, "else:")
            self.block(scope.inner(), indent + 1, self.choices.integer(1, 2))

    def loop(self, scope: Scope, indent: int) -> None:
        inner = scope.inner()
        if scope.matrices() and self.chance(4):
            matrix = self.pick(scope.matrices())
            row = f"row{scope.arrays[matrix][1]}"
            self.write(indent, f"for {row} in {matrix}:")
            inner.arrays[row] = scope.arrays[matrix][1:]
        else:
            name = self.pick([name for name in ("i", "j", "k") if name not in scope.indices] or ["n"])
            self.write(indent, f"for {name} in range({self.pick(('2', '3', '1', '0'))}):")
            inner.indices.append(name)
        self.block(inner, indent + 1, self.choices.integer(1, 4))
        if self.chance(6):
            self.write(indent + 1, f"if {self.number(inner)} > 1.1:")
            self.write(indent + 2, self.pick(("break", "continue")))

    def call(self, scope: Scope, indent: int) -> None:
        """Helpers change their arguments, and return a number, an argument, views of it, or containers of these."""
        helper = self.pick(scope.helpers)
        vectors = scope.vectors(2)
        if not vectors:
            return self.augment(scope, indent)
        name = self.pick(vectors)
        shape = scope.arrays[name]
        arguments = f"{name}, {self.pick(scope.of(shape))}, {self.number(scope)}"
        array_sharing.write_call(self, scope, indent, helper, arguments, shape)
        return None

    def helper(self, number: int) -> str:
        """A function of two vectors of one length, at least 2, and a number."""
        kind = self.pick(list(array_sharing.RETURNS))
        name = f"helper{number}_{kind}"
        self.write(0, f"def {name}(p, q, r):")
        for line in [self.pick(array_sharing.HELPER_STATEMENTS) for _ in range(self.choices.integer(1, 3))]:
            self.write(1, line)
        for line in array_sharing.RETURNS[kind]:
            self.write(1, line)
        self.lines += ["", ""]
        return name

    def program(self) -> ArrayProgram:
        self.lines += ["import numpy as np", "", "", *array_sharing.CLASS.splitlines(), "", ""]
        helpers = [self.helper(number) for number in range(self.choices.integer(0, 2))]
        length = self.choices.integer(3, 6)
        start = self.choices.integer(0, len(_VALUES) - 1)
        values = [_VALUES[(start + 5 * k) % len(_VALUES)] + 0.01 * k for k in range(40)]
        arrays: dict[str, Shape] = {"x": (length,)}
        point: list[Any] = [tuple(values[:length])]
        if self.chance(2):  # another of the same shape
            arrays["xx"] = (length,)
            point.append(tuple(values[length : 2 * length]))
        if self.chance(2):
            rows, columns = self.choices.integer(2, 3), self.choices.integer(2, 3)
            arrays["m"] = (rows, columns)
            point.append(tuple(tuple(values[10 + r * columns + c] for c in range(columns)) for r in range(rows)))
        parameters, numbers = list(arrays), []
        if self.chance(2):
            parameters.append("s")
            numbers.append("s")
            point.append(values[30])
        self.write(0, f"def program({', '.join(parameters)}):")
        scope = Scope(arrays, numbers, helpers=helpers)
        self.has_places = self.chance(3)
        if self.has_places:
            array_places.write_first(self, scope)
        self.block(scope, 1, self.choices.integer(2, 9))
        terms = [f"np.sum({name} * {name})" if self.chance(2) else f"np.sum({name})" for name in scope.arrays]
        if self.chance(2):
            terms.append(f"np.sum({self.product(scope)})")
        self.write(1, f"return {' + '.join([*terms, *scope.numbers, self.number(scope)])}")
        return ArrayProgram("\n".join(self.lines) + "\n", tuple(point))


def _as_slice(text: str) -> slice:
    return slice(*(int(part) if part else None for part in text.split(":")))


def random_array_program(generator: random.Random, size: int = 16) -> ArrayProgram:
    """A program of the generator's choice."""
    return Writer(RandomChoices(generator), size).program()


def array_programs(size: int = 12) -> SearchStrategy[ArrayProgram]:
    """The hypothesis strategy: programs that shrink."""
    return drawn(lambda choices: Writer(choices, size).program())
