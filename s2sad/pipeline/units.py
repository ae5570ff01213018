"""What one run of the pipeline produces: generated functions, what they rest on, and how to load them."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from s2sad.analysis.specialisation import Context, Guard, Outside
from s2sad.emit.generate import Emitted
from s2sad.emit.loading import load
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, Function, MakeFunction, walk
from s2sad.ir.operations import load_captured
from s2sad.rules.core import REGISTRY


@dataclass(eq=False)
class Unit:
    """One generated function: its IR, its text, and the module that it runs in."""

    function: Function
    emitted: Emitted
    context: Context
    callee: Callee
    filename: str = ""

    @property
    def is_self_contained(self) -> bool:
        """Whether the text reads nothing from the user's closure, and has no function of its own that does."""
        return not any(
            isinstance(node, Call) and isinstance(node.function, Constant) and node.function.value is load_captured
            for node in walk(self.function.body)
        ) and not any(isinstance(node, MakeFunction) for node in walk(self.function.body))

    def load(self, captured: dict[str, types.CellType] | None = None) -> types.FunctionType:
        """Make the Python function; its free names are read from the user's module and cells."""
        cells = captured if captured is not None else self.context.captured
        loaded = load(self.emitted, filename=self.filename, namespace=self.context.globals, captured=cells)
        self.callee.cell.cell_contents = loaded
        return loaded


@dataclass(eq=False)
class Generated:
    """A derivative for one signature. `units` stand in the order of a program: callees first, the derivative last."""

    units: list[Unit]
    guards: list[Guard]
    #: The program after each stage, printed when asked for.
    stages: dict[str, Callable[[], str]] = field(default_factory=dict)
    #: All units that the text shows, where some are loaded already.
    shown: list[Unit] = field(default_factory=list)
    #: Regions of the arguments that the primal changes.
    written: frozenset[int] = frozenset()
    #: Containers and arrays in variables outside that the primal uses.
    outside: tuple[Outside, ...] = ()
    #: How often rules had been declared when this was made.
    rules: int = field(default_factory=lambda: REGISTRY.changes)

    @property
    def main(self) -> Unit:
        """The derivative itself."""
        return self.units[-1]

    @property
    def source(self) -> str:
        """The whole text: imports, the functions called, the derivative."""
        units = _called_by_last(self.shown or self.units)
        imports = merge_imports({line for unit in units for line in unit.emitted.imports})
        texts = [unit.emitted.text for unit in units]
        head = ["\n".join(imports)] if imports else []
        return "\n\n\n".join([*head, *texts]) + "\n"

    def holds(self) -> bool:
        """Whether everything that the code rests on is still so."""
        return self.rules == REGISTRY.changes and all(guard.holds() for guard in self.guards)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units)

    def rebind(self, captured: dict[str, types.CellType]) -> Generated | None:
        """The same code for another closure of the same function: None if what that captures is of other types.

        Units that do not read the closure are shared; their functions are loaded already."""
        own = self.main.context
        cells = {id(cell): captured[name] for name, cell in own.captured.items() if name in captured}
        guards = [guard.moved(cells) for guard in self.guards]
        if self.rules != REGISTRY.changes or not all(guard.holds() for guard in guards):
            return None
        context = Context(own.globals, captured, own.module)
        units = [unit for unit in units_for_closure(self.units, own, context) if unit not in self.units]
        units = [dataclasses.replace(unit, filename=f"{unit.filename} ") for unit in units]
        outside = tuple(variable.moved(cells) for variable in self.outside)
        return Generated(units, guards, self.stages, self.units, self.written, outside)


def units_for_closure(units: Sequence[Unit], own: Context, context: Context) -> list[Unit]:
    """The same units, where those that read the closure `own`, and those that call such units, read `context` instead.

    So do derivatives that are made inside, of nested functions: their closures are others, with cells of `own` among them."""
    cells = {id(cell): context.captured[name] for name, cell in own.captured.items() if name in context.captured}
    contexts = {unit.context: unit.context.moved(cells) for unit in units} | {own: context}
    bound = {unit.callee for unit in units if contexts[unit.context] is not unit.context}
    while True:
        callers = {unit.callee for unit in units if not bound.isdisjoint(_callees_of(unit))} - bound
        if not callers:
            break
        bound |= callers
    moved = {callee: Callee(callee.name, callee.effects) for callee in bound}

    def move(unit: Unit) -> Unit:
        references = unit.emitted.references.items()
        renewed = {name: moved.get(value, value) if isinstance(value, Callee) else value for name, value in references}
        return dataclasses.replace(
            unit,
            emitted=dataclasses.replace(unit.emitted, references=renewed),
            context=contexts[unit.context],
            callee=moved[unit.callee],
        )

    return [move(unit) if unit.callee in bound else unit for unit in units]


def _callees_of(unit: Unit) -> set[Callee]:
    return {value for value in unit.emitted.references.values() if isinstance(value, Callee)}


def _called_by_last(units: list[Unit]) -> list[Unit]:
    """The units that the last one calls, and itself: a half that was made for other circumstances is not shown."""
    by_callee = {unit.callee: unit for unit in units}
    found: set[Unit] = set()
    pending = units[-1:]
    while pending:
        unit = pending.pop()
        if unit not in found:
            found.add(unit)
            pending += [by_callee[callee] for callee in _callees_of(unit) if callee in by_callee]
    return [unit for unit in units if unit in found]


def merge_imports(lines: Iterable[str]) -> list[str]:
    """One line a module, those with ``import`` first.

    >>> merge_imports(["from numpy import sin", "import math", "from numpy import cos"])
    ['import math', 'from numpy import cos, sin']
    """
    plain = sorted(line for line in lines if line.startswith("import "))
    members: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("from "):
            home, _, names = line.removeprefix("from ").partition(" import ")
            members.setdefault(home, set()).update(names.split(", "))
    return [*plain, *(f"from {home} import {', '.join(sorted(names))}" for home, names in sorted(members.items()))]
