"""What a call turns out to mean, and what a derivative is to the analysis."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from s2sad.analysis.array_operands import Fact
from s2sad.analysis.binding import Bound
from s2sad.analysis.specialisation import Context, Guard, Specialisation
from s2sad.ir.nodes import Constant, Function, Operand, Parameter
from s2sad.ir.types import Type


@dataclass(frozen=True, slots=True)
class Iterating:
    """``map(f, x)``, ``itertools.takewhile(p, x)``, …, or the `iterator_of` a generator expression."""

    function: object
    arguments: tuple[Operand, ...]
    keywords: tuple[tuple[str, Operand], ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """`kind` is the type of the result, `constant` the result itself where it is known. A call of `specialisation` takes
    `arguments`; another call is ``function(arguments, keywords)`` as it stands."""

    kind: Type
    constant: Constant | None = None
    function: object = None
    arguments: tuple[Bound, ...] = ()
    keywords: tuple[tuple[str, Operand], ...] = ()
    specialisation: Specialisation | None = None
    #: The result is this operand.
    alias: Operand | None = None
    #: It stands for an iterator, which the program reads just once.
    given_once: bool = False
    #: Of a call that gives an iterator: the function that makes it in Python, and the operands that this takes.
    iterator: Iterating | None = None
    #: What is known of the result besides its type.
    fact: Fact = None


@dataclass(frozen=True, slots=True)
class GeneratedFunction:
    """A generated function, and what must hold for it to be right: whatever is made of it rests on that as well."""

    function: types.FunctionType
    guards: Sequence[Guard]


class Transformation(Protocol):
    """A function that makes a derivative (`grad`), called inside a function that is differentiated itself."""

    def apply(self, function: Any, argnums: Any = 0) -> object:
        """What it makes of a function that exists."""
        ...

    def generate(
        self,
        primal: Function | NestedDerivative,
        context: Context,
        kinds: Sequence[Type],
        captured: int,
        given: int,
        options: Sequence[object],
    ) -> GeneratedFunction:
        """The generated function for a nested one, or for a derivative of one: for these types of captured values and
        parameters."""
        ...


class DerivedFunction(Protocol):
    """A derivative as an object of the user's program."""

    @property
    def parameters(self) -> Sequence[Parameter]:
        """Those of the primal."""
        ...

    @property
    def function(self) -> types.FunctionType:
        """The function whose defaults these are."""
        ...

    @property
    def defaults(self) -> dict[str, object]:
        """Default values by name."""
        ...

    @property
    def given(self) -> tuple[object, ...]:
        """Arguments that are bound already (``self``)."""
        ...

    def generated_function(self, kinds: Sequence[Type], count: int) -> GeneratedFunction:
        """The generated code for these argument types."""
        ...


@dataclass(frozen=True, slots=True)
class NestedDerivative:
    """The derivative of a nested function, or of such a derivative: `options` are the arguments of `grad` after the function."""

    transformation: Transformation
    primal: Function | NestedDerivative
    options: tuple[object, ...]

    @property
    def definition(self) -> Function:
        """The nested function that it is a derivative of, of whichever order."""
        return self.primal if isinstance(self.primal, Function) else self.primal.definition


#: The functions of the public API that make derivatives.
TRANSFORMATIONS: Final[dict[object, Transformation]] = {}


#: What tells a derivative from other functions.
DERIVED_OF: Final[list[Callable[[object], DerivedFunction | None]]] = []
