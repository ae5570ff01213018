"""A function in two halves: what its callers must know to differentiate a call of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from s2sad.analysis.array_shapes import Count, Shape
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Value
from s2sad.transform.reverse.unchanged import Circumstances


@dataclass(eq=False)
class Halves:
    """The forward half gives the result and what the reverse half needs; where that is nothing but arguments, `forward` is
    None and the primal itself is called.

    The reverse half takes, in this order: the primal's arguments at the positions `needed`, the saved value, the adjoints of the
    result's numbers, the shadow of the result if it is a container, the shadows of the arguments at the positions
    `shadowed`. It returns the adjoints of `slots`: argument position and way to the number; one alone is returned as it is.
    The forward half takes the primal's arguments and the shadows at the positions `mirrored`.

    A recursive function keeps what it saves on a stack that both halves take as their last argument (`uses_stack`): the forward
    half pushes, the reverse half pops. Reverse calls come in the opposite order of forward calls, so one list serves all calls.
    Functions that call each other have a stack each, and take all of them: `stacks` are their names, which are known when the
    last of the functions has been made."""

    reverse: Callee
    forward: Callee | None = None
    needed: tuple[int, ...] = ()
    takes_saved: bool = False
    result_paths: tuple[tuple[int, ...], ...] = ()
    slots: tuple[tuple[int, tuple[int, ...]], ...] = ()
    shadowed: tuple[int, ...] = ()
    mirrored: tuple[int, ...] = ()
    result_shadow: str = ""
    uses_stack: bool = False
    stacks: tuple[str, ...] = ()
    #: Whether the forward half gives the result as well: of a model that rounds otherwise it is not wanted.
    gives_result: bool = True
    #: Whether the result is None, and not given.
    gives_none: bool = False
    #: The recursive functions around this one, that were under way when it was made: it takes the same stacks.
    circle: frozenset[Halves] = frozenset()


class Driver(Protocol):
    """What makes the halves of the functions that a function calls."""

    @property
    def counts(self) -> Mapping[Value, Count]:
        """Integers of which the names of lengths are made."""
        ...

    @property
    def places(self) -> Mapping[Value, Shape]:
        """The shapes of what is stored to, by the results of the stores, where their indices tell less."""
        ...

    def halves_of(self, specialisation: Specialisation, active: tuple[int, ...], circumstances: Circumstances) -> Halves:
        """The halves of a function with respect to the parameters at these positions; `circumstances` say what the
        call promises and asks for."""
        ...

    def is_under_way(self, halves: Halves) -> bool:
        """Whether halves are being made: a call of them is recursive."""
        ...

    def specialise_call(self, function: object, argument_types: tuple[object, ...]) -> Specialisation:
        """A Python function for these argument types."""
        ...
