"""What one run of the pipeline produces: generated functions, what they rest on, and how to load them."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from dataclasses import dataclass, field

from s2sad.analysis.specialisation import Context, Guard
from s2sad.emit.generate import Emitted
from s2sad.emit.loading import load
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Function


@dataclass(eq=False)
class Unit:
    """One generated function: its IR, its text, and the module that it runs in."""

    function: Function
    emitted: Emitted
    context: Context
    callee: Callee
    filename: str = ""

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
    stages: dict[str, str] = field(default_factory=dict)
    #: All units that the text shows, where some are loaded already.
    shown: list[Unit] = field(default_factory=list)

    @property
    def main(self) -> Unit:
        """The derivative itself."""
        return self.units[-1]

    @property
    def source(self) -> str:
        """The whole text: imports, the functions called, the derivative."""
        units = self.shown or self.units
        imports = sorted({line for unit in units for line in unit.emitted.imports})
        texts = [unit.emitted.text for unit in units]
        head = ["\n".join(imports)] if imports else []
        return "\n\n\n".join([*head, *texts]) + "\n"

    def holds(self) -> bool:
        """Whether everything that the code rests on is still so."""
        return all(guard.holds() for guard in self.guards)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units)

    def rebind(self, captured: dict[str, types.CellType]) -> Generated | None:
        """The same code for another closure of the same function: None if what that captures is of other types.

        Units that do not read the closure are shared; their functions are loaded already."""
        own = self.main.context
        cells = {id(cell): captured.get(name) for name, cell in own.captured.items()}
        guards = []
        for guard in self.guards:
            cell = cells.get(id(guard.namespace)) if isinstance(guard.namespace, types.CellType) else None
            guards.append(guard if cell is None else dataclasses.replace(guard, namespace=cell))
        if not all(guard.holds() for guard in guards):
            return None
        context = Context(own.globals, captured, own.module)
        moved = {unit.callee: Callee(unit.callee.name, unit.callee.effects) for unit in self.units if unit.context is own}
        units = []
        for unit in self.units:
            if unit.context is own:
                references = {
                    name: moved.get(value, value) if isinstance(value, Callee) else value
                    for name, value in unit.emitted.references.items()
                }
                emitted = dataclasses.replace(unit.emitted, references=references)
                units.append(Unit(unit.function, emitted, context, moved[unit.callee], f"{unit.filename} "))
        return Generated(units, guards, self.stages, self.units)
