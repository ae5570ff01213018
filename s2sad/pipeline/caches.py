"""What was generated for a function, kept as long as the function lives; closures of one code share what does not depend on
what they captured."""

from __future__ import annotations

import types
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final

from s2sad.analysis.specialisation import Apart, BuiltIn, Contents, Context, Guard, Missing
from s2sad.ir.effects import Callee
from s2sad.pipeline.units import Generated, units_for_closure

MOST_SIGNATURES: Final = 256

_ATTRIBUTE: Final = "__s2sad__"
#: What was generated for functions with a closure, by their code: another closure of the same code may use it.
_of_closures: Final[OrderedDict[object, tuple[types.CodeType, Generated]]] = OrderedDict()


@dataclass(eq=False)
class Loaded:
    """Generated code that can run."""

    generated: Generated
    function: types.FunctionType


class _Cache(dict[object, Loaded]):
    """All that was generated for a function. It is an attribute of the function, for what is generated refers to what the
    function captures, and so perhaps to the function itself: they go together. Pickled, or copied to another function, it counts
    for nothing."""

    def __init__(self, owner: types.FunctionType | None = None) -> None:
        super().__init__()
        self.owner = weakref.ref(owner) if owner is not None else None

    def __reduce__(self) -> tuple[type[_Cache], tuple[()]]:
        return _Cache, ()


def cache_of(function: types.FunctionType) -> dict[object, Loaded]:
    """All that was generated for a function, as long as it lives."""
    found = function.__dict__.get(_ATTRIBUTE)
    if isinstance(found, _Cache) and found.owner is not None and found.owner() is function:
        return found
    function.__dict__[_ATTRIBUTE] = cache = _Cache(function)
    return cache


def find_of_another_closure(function: types.FunctionType, key: object) -> Generated | None:
    """The code generated for a function that differs in what it captures alone."""
    found = _of_closures.get((id(function.__code__), id(function.__globals__), key))
    if found is None or found[0] is not function.__code__ or not function.__closure__:
        return None
    return found[1].rebind(dict(zip(function.__code__.co_freevars, function.__closure__, strict=True)))


def _is_shared(value: object) -> bool:
    """Whether a value is there for all closures of one code, and stays: not what one of them captured."""
    if isinstance(value, types.FunctionType):
        return value.__closure__ is None
    if isinstance(value, BuiltIn | Missing):
        return _is_shared(value.namespace)
    if isinstance(value, dict):
        return "__name__" in value  # the globals of a module
    return value is None or isinstance(
        value, types.ModuleType | types.BuiltinFunctionType | types.CodeType | type | tuple | str | int | float
    )


def _variables_of(guard: Guard) -> list[Guard]:
    """The variables that a guard looks at."""
    match guard.namespace:
        case Contents(variable=variable):
            return [variable]
        case Apart(first=first, second=second):
            return [first, second]
    return [guard]


def _reaches(value: object, cells: Set[int], seen: set[int]) -> bool:
    """Whether a function, as a derivative generated for a nested function, reads one of these cells, or calls one that does."""
    if not isinstance(value, types.FunctionType) or id(value) in seen:
        return False
    seen.add(id(value))
    closure = value.__closure__ or ()
    return any(id(cell) in cells or _reaches(_content(cell), cells, seen) for cell in closure)


def _called_outside(generated: Generated) -> Iterator[object]:
    """What generated code refers to besides its own functions."""
    own = {unit.callee for unit in generated.units}
    for unit in generated.units:
        for value in unit.emitted.references.values():
            if not isinstance(value, Callee):
                yield value
            elif value not in own:
                yield _content(value.cell)


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # nothing is bound to it yet
        return None


def keep_for_closures(function: types.FunctionType, key: object, generated: Generated) -> None:
    """Remember generated code for other closures, without keeping what this one captures alive."""
    own_cells = {id(cell) for cell in function.__closure__ or ()}
    variables = [variable for guard in generated.guards for variable in _variables_of(guard)]
    if not all(id(variable.namespace) in own_cells or _is_shared(variable.namespace) for variable in variables):
        return
    if not all(guard.by_class or _is_shared(guard.expected) for guard in generated.guards):
        return
    others = {id(cell): cell for unit in generated.units for cell in unit.context.captured.values() if id(cell) not in own_cells}
    called = [*_called_outside(generated), *map(_content, others.values())]
    if any(_reaches(value, own_cells, set()) for value in called):
        return
    empty = {name: types.CellType() for name in function.__code__.co_freevars}
    cells = dict(zip(map(id, function.__closure__ or ()), empty.values(), strict=False))
    own = generated.main.context
    context = Context(own.globals, empty, own.module)
    guards = [guard.moved(cells) for guard in generated.guards]
    outside = tuple(variable.moved(cells) for variable in generated.outside)
    units = units_for_closure(generated.units, own, context)
    _of_closures[id(function.__code__), id(function.__globals__), key] = (
        function.__code__,
        Generated(units, guards, generated.stages, written=generated.written, outside=outside),
    )
    while len(_of_closures) > MOST_SIGNATURES:
        _of_closures.popitem(last=False)
