"""A function for one signature of argument types, and what its callers must know of it."""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.analysis.fingerprints import Recognised
from s2sad.analysis.sharing import share_memory
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.effects import ACTS, Callee
from s2sad.ir.nodes import Function
from s2sad.ir.types import UNKNOWN, Type


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What the free names of a function mean: its module's globals and the cells of its closure."""

    globals: dict[str, object]
    captured: dict[str, types.CellType] = field(default_factory=dict)
    module: str = ""

    @staticmethod
    def of(function: types.FunctionType) -> Context:
        """The context of a Python function."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        return Context(function.__globals__, cells, function.__module__ or "")

    def moved(self, cells: Mapping[int, types.CellType]) -> Context:
        """The same for another closure: its cells, by the identities of those here; this one where it has none of them."""
        if not any(id(cell) in cells for cell in self.captured.values()):
            return self
        captured = {name: cells.get(id(cell), cell) for name, cell in self.captured.items()}
        return Context(self.globals, captured, self.module)


@dataclass(frozen=True, slots=True)
class Guard:
    """Something read when the code was generated that must still hold: `name` in `namespace` is `expected` (an object by
    identity), or is an instance of just that class (`by_class`). Lists and dicts have indices and keys for names."""

    namespace: object
    name: Any
    expected: object
    by_class: bool = False

    @property
    def key(self) -> tuple[int, object, bool | str]:
        """Two guards of one key ask the same."""
        if isinstance(self.namespace, Missing):
            return (id(self.namespace.namespace), self.namespace.name, "missing")
        if isinstance(self.namespace, BuiltIn):
            return (id(self.namespace.namespace), self.namespace.name, "built-in")
        if isinstance(self.namespace, Contents):
            return (id(self.namespace.variable.namespace), self.namespace.variable.name, "contents")
        return (id(self.namespace), self.name, self.by_class)

    def moved(self, cells: Mapping[int, types.CellType]) -> Guard:
        """The same guard for another closure: its cells, by the identities of those here."""
        if isinstance(self.namespace, Contents | Apart):
            return replace(self, namespace=self.namespace.moved(cells))
        return replace(self, namespace=cells.get(id(self.namespace), self.namespace))

    def holds(self) -> bool:
        """Whether the generated code is still right."""
        try:
            found = self.read()
        except (LookupError, ValueError, AttributeError):
            return False
        return (found.__class__ is self.expected) if self.by_class else (found is self.expected)

    def read(self) -> object:
        """What is there now."""
        if isinstance(self.namespace, dict):
            return self.namespace[self.name]
        if isinstance(self.namespace, types.CellType):
            return self.namespace.cell_contents
        if isinstance(self.namespace, list):
            return self.namespace[int(self.name)]
        if isinstance(self.expected, classmethod):  # each look gives another bound method
            return inspect.getattr_static(self.namespace, self.name)
        return getattr(self.namespace, self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """A global name that stands for nothing: Python raises NameError where it is read."""

    namespace: dict[str, object]
    name: str

    @property
    def hold(self) -> bool:
        """Whether it still stands for nothing."""
        return self.name not in self.namespace and not hasattr(builtins, self.name)

    @property
    def guard(self) -> Guard:
        """The guard that asks."""
        return Guard(self, "hold", True)


@dataclass(frozen=True, slots=True, eq=False)
class BuiltIn:
    """A name that no global takes, so that it stands for a built-in function."""

    namespace: dict[str, object]
    name: str

    @property
    def hold(self) -> bool:
        """Whether still no global takes it."""
        return self.name not in self.namespace

    @property
    def guard(self) -> Guard:
        """The guard that asks."""
        return Guard(self, "hold", True)


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """Whether a module or class has an attribute of a name."""

    owner: object
    name: str

    @property
    def holds(self) -> bool:
        """Whether it has now."""
        return hasattr(self.owner, self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """What a variable outside the function holds, as far as types go: elements, values, attributes, and what is in these."""

    variable: Guard
    kind: Type
    recognised: Recognised = field(default_factory=Recognised)

    @property
    def hold(self) -> bool:
        """Whether everything in it has the types that the code was generated for."""
        return self.recognised.have_types((self.variable.read(),), (self.kind,))

    @property
    def guard(self) -> Guard:
        """The guard that asks."""
        return Guard(self, "hold", True)

    def moved(self, cells: Mapping[int, types.CellType]) -> Contents:
        """The same for another closure; what this one holds is not kept."""
        return Contents(replace(self.variable.moved(cells), expected=None), self.kind)


class Defaults:
    """The default arguments of a function that live on from call to call, as attributes: containers, arrays, objects."""

    def __init__(self, function: types.FunctionType) -> None:
        self.__name__ = f"{function.__name__}_defaults"
        #: Which function's, also when its code is generated anew; the function itself is not kept.
        self.identity = id(function)


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Two variables outside that share no memory."""

    first: Guard
    second: Guard

    @property
    def hold(self) -> bool:
        """Whether they do not now."""
        return not share_memory(self.first.read(), self.second.read())

    def moved(self, cells: Mapping[int, types.CellType]) -> Apart:
        """The same for another closure."""
        return Apart(*(replace(variable.moved(cells), expected=None) for variable in (self.first, self.second)))


@dataclass(frozen=True, slots=True)
class Outside:
    """A container or an array in a variable outside the function, and whether the function changes it."""

    variable: Guard
    kind: Type
    is_written: bool

    def moved(self, cells: Mapping[int, types.CellType]) -> Outside:
        """The same for another closure."""
        return replace(self, variable=replace(self.variable.moved(cells), expected=None))


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A variable outside that leads to memory which a function hands out: what is `found` there is of a `kind` whose regions have
    these `numbers` in the summary of the function."""

    variable: Guard
    found: object
    kind: Type
    numbers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """What takes something of an argument: `regions` of the arguments, by number, and arguments that are not followed, by
    position: `objects` something of its numbers, `holders` something of its parts without adjoint."""

    regions: frozenset[int] = frozenset()
    objects: frozenset[int] = frozenset()
    holders: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Flows:
    """Where a function puts what it is given: whether it makes something without adjoint of numbers (a string, an object that is
    not followed), the regions of its arguments, by number, into whose parts without adjoint it may put some (None: all), for
    each parameter what takes something of it (None: any argument goes into all), and the regions, by number, of which it reads
    something that has no adjoint (None: all)."""

    hides: bool = True
    hiding: frozenset[int] | None = None
    reached: tuple[Reached, ...] | None = None
    read_plainly: frozenset[int] | None = None


@dataclass(eq=False)
class Specialisation:
    """`function` is typed IR. Regions of the arguments are numbered from 1 as in `argument_types`; what the callee does to
    them stands in `regions` (their types at the end) and `flags`."""

    definition: Function
    context: Context
    argument_types: tuple[Type, ...]
    function: Function
    result: Type = UNKNOWN
    #: The type of the result in the typed function.
    returned: Type = UNKNOWN
    regions: tuple[tuple[int, Type], ...] = ()
    united: tuple[tuple[int, int], ...] = ()
    flags: tuple[tuple[int, frozenset[str]], ...] = ()
    #: What is found outside and may be in its result, or is put into an argument.
    handed_out: tuple[HandedOut, ...] = ()
    #: What is in something that is not followed as well, of the memory that callers see.
    given_away: tuple[Type, ...] = ()
    #: The regions, by number, of what functions with a cache have given, each with the function.
    from_cache: tuple[tuple[int, Function], ...] = ()
    complete: bool = False
    #: Its summary was asked for while it was not complete: it is recursive.
    consulted: bool = False
    #: What it gives contains what it gives itself: a tree.
    is_nested_in_itself: bool = False
    #: The definition before loops over functions were written out, if there were any.
    origin: Function | None = None
    #: How often a length for which something was written out turned out to be another one.
    missed_lengths: int = 0
    #: Whether numbers were made of what may be an array.
    assumes: bool = False
    #: Parameters that only recursive calls mention, once that was asked for.
    unread: frozenset[int] | None = None
    #: Where it puts what it is given, once that was asked for.
    flows: Flows | None = None
    #: Which of the arguments' regions are in which of their parts that are not followed, once that was asked for.
    kept: dict[int, frozenset[int]] | None = None
    #: What it does with objects outside that are not followed, once that was asked for.
    outside_flows: object = None
    #: The regions of what is found outside the function, each with the objects (by identity) that it may belong to.
    outside: Mapping[int, frozenset[int]] = field(default_factory=dict)
    #: What is wrong with computing the elements of its iterators early, where a program is made of it.
    refusals: tuple[UnsupportedSyntaxError, ...] = ()
    python_function: Callable[..., object] | None = None
    callee: Callee = field(default_factory=lambda: Callee("", ACTS))

    @property
    def summary(self) -> tuple[object, ...]:
        """What callers depend on."""
        handed_out = [(one.variable.key, one.numbers) for one in self.handed_out]
        return (self.result, self.regions, self.united, self.flags, self.assumes, handed_out, self.from_cache, self.given_away)

    def start_from(self, known: Specialisation) -> None:
        """Take over what is known already, to go on from there."""
        self.result, self.regions, self.united, self.flags = known.result, known.regions, known.united, known.flags
        self.is_nested_in_itself, self.assumes = known.is_nested_in_itself, known.assumes
        self.handed_out, self.from_cache, self.given_away = known.handed_out, known.from_cache, known.given_away

    def written(self, region: int) -> frozenset[str]:
        """What happens to a region of the arguments."""
        return dict(self.flags).get(region, frozenset())
