"""Containers and arrays outside that one function changes and another uses: those who are called take them as arguments.

Before::

    def fill(value):
        scratch[:] = value       # an array of the module

    def f(x):
        fill(x[0])
        return np.sum(scratch * x)

After::

    def fill(scratch, value):
        scratch[:] = value

    def f(x):
        fill(scratch, x[0])
        return np.sum(scratch * x)

Only the function that is differentiated reads the variable; from there on, its content is handed from function to function, so
that its adjoint goes the same way. A function is found to need one more argument while its types are inferred
(`MissingArgumentError`); its caller passes it, and is itself called with it if it is not the outermost.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from s2sad.analysis.binding import Packed
from s2sad.analysis.specialisation import Defaults
from s2sad.ir.nodes import Constant, Function, Value
from s2sad.ir.operations import load_captured, load_global

if TYPE_CHECKING:
    from s2sad.analysis.specialisation import Context, Guard
    from s2sad.errors import S2sadError

#: A variable outside, however it is read.
Place = tuple[int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """A function as it is called: `definition` takes what is in these variables before all else."""

    definition: Function
    variables: tuple[Guard, ...] = ()

    @property
    def values(self) -> dict[Place, Value]:
        """The parameters, by the variables whose content they take."""
        return dict(zip(map(place_of, self.variables), self.definition.captured, strict=False))


class MissingArgumentError(Exception):
    """A function that is called (`definition`) must be given what is in a variable outside."""

    def __init__(self, definition: Function, variable: Guard) -> None:
        super().__init__(variable.name)
        self.definition = definition
        self.variable = variable


class SharedOutsideError(Exception):
    """The content of these variables must go from function to function; `refusal` is what to say if it does already."""

    def __init__(self, variables: Iterable[Guard], refusal: S2sadError) -> None:
        super().__init__(str(refusal))
        self.places = frozenset(map(place_of, variables))
        self.refusal = refusal


def place_of(variable: Guard) -> Place:
    """What tells a variable from others: a global is one variable, whether it is read by its name or as a module's attribute.

    The code may be generated anew, so what is made for that (the holder of defaults, a bound method) counts for what it is of."""
    match variable.namespace:
        case types.CellType() as cell:
            return id(cell), ""
        case types.ModuleType() as module:
            return id(vars(module)), variable.name
        case types.MethodType(__self__=owner):
            return id(owner), variable.name
        case Defaults(identity=identity):
            return identity, variable.name
        case namespace:
            return id(namespace), variable.name


def lift(lifted: Lifted, variable: Guard) -> Lifted:
    """The same function with one more variable among its arguments."""
    definition = lifted.definition
    count = len(lifted.variables)
    added = Value(variable.name, temporary=True)  # a parameter, or a global that is read, may have this name
    captured = (*definition.captured[:count], added, *definition.captured[count:])
    return Lifted(replace(definition, captured=captured), (*lifted.variables, variable))


def load_of(variable: Guard, context: Context) -> Packed | None:
    """How a function with this context reads a variable. None: by no expression."""
    namespace, name = variable.namespace, Constant(variable.name)
    if isinstance(namespace, types.CellType):
        if context.captured.get(variable.name) is namespace:
            return Packed(load_captured, (name,))
        return Packed(getattr, (Constant(namespace), Constant("cell_contents")))
    if not isinstance(namespace, dict):
        return Packed(getattr, (Constant(namespace), name))
    if namespace is context.globals:
        return Packed(load_global, (name,))
    module = sys.modules.get(str(namespace.get("__name__")))
    return Packed(getattr, (Constant(module), name)) if module is not None and vars(module) is namespace else None
