"""A function in two halves: what its callers must know to differentiate a call of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee


@dataclass(eq=False)
class Halves:
    """The forward half gives the result and what the reverse half needs; where that is nothing but arguments, `forward` is None and
    the primal itself is called.

    The reverse half takes, in this order: the primal's arguments at the positions `needed`, the saved value, the adjoints of the
    result's numbers, the shadow of the result if it is a container, the shadows of the arguments at the positions
    `shadowed`. It returns the adjoints of `slots`: argument position and way to the number; one alone is returned as it is.
    The forward half takes the primal's arguments and the shadows at the positions `mirrored`."""

    reverse: Callee
    forward: Callee | None = None
    needed: tuple[int, ...] = ()
    takes_saved: bool = False
    result_paths: tuple[tuple[int, ...], ...] = ()
    slots: tuple[tuple[int, tuple[int, ...]], ...] = ()
    shadowed: tuple[int, ...] = ()
    mirrored: tuple[int, ...] = ()
    result_shadow: str = ""


class Driver(Protocol):
    """What makes the halves of the functions that a function calls."""

    def halves_of(self, specialisation: Specialisation, active: tuple[int, ...]) -> Halves:
        """The halves of a function with respect to the parameters at these positions."""
        ...

    def specialise_call(self, function: object, argument_types: tuple[object, ...]) -> Specialisation:
        """A Python function for these argument types."""
        ...
