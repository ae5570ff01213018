"""From one function in IR to its text.

>>> import operator
>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> x, y = Value("x"), Value("", temporary=True)
>>> body = Block((Call(y, Constant(operator.mul), (Constant(2), x)),), Return(y))
>>> print(emit_function(Function("double", (Parameter(x),), body)).text)
def double(x):
    return 2 * x
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

from s2sad import rules
from s2sad.emit.expressions import Names, home_of
from s2sad.emit.layout import render
from s2sad.emit.naming import choose_names
from s2sad.emit.sink_steps import sink_steps
from s2sad.emit.statements import write_definition
from s2sad.emit.unpack_results import unpack_results
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Function
from s2sad.transform.name_tuples import name_tuples

#: Where models of built-in functions stand.
_MODELS = os.path.join(os.path.dirname(rules.__file__), "")


@dataclass(frozen=True)
class Emitted:
    """The text of a function: one top-level ``def``. `imports` are the lines that would make the text a module,
    `references` the objects that its names stand for, `builtins` the built-ins that it takes by name."""

    name: str
    text: str
    references: Mapping[str, object]
    imports: tuple[str, ...]
    builtins: frozenset[str] = frozenset()
    #: The file whose lines the comments name.
    source: str | None = None


def emit_function(
    function: Function, *, reserved: frozenset[str] = frozenset(), source_lines: bool = True, module: str | None = None
) -> Emitted:
    """The text of `function`, to run in a `module`. No name that it makes is in `reserved`; `source_lines` adds ``# line 8: …``
    comments."""
    names = Names()
    scope, definition = write_definition(name_tuples(sink_steps(unpack_results(function))), names)
    table = choose_names(scope, [definition], names, reserved)
    source = _source_of(function)
    lines = render([definition], source if source_lines else None)
    references = dict(sorted(table.references.items()))
    return Emitted(function.name, "\n".join(lines), references, _imports(references, module), frozenset(table.builtins), source)


def is_model(function: Function) -> bool:
    """Whether a function comes from the model of a built-in function."""
    return function.span is not None and function.span.filename.startswith(_MODELS)


def _source_of(function: Function) -> str | None:
    """The file whose lines the comments name: the function's own, or the one that most of it comes from. None for the model of a
    built-in function: its lines are nothing that a user has seen."""
    if function.span is not None:
        return None if is_model(function) else function.span.filename
    spans = [span for node in nodes_of(function) if (span := getattr(node, "span", None)) is not None]
    return Counter(span.filename for span in spans).most_common(1)[0][0] if spans else None


def _imports(references: Mapping[str, object], module: str | None) -> tuple[str, ...]:
    """The lines that import what the text refers to, as far as it can be imported, and is not in the `module` of the text."""
    modules: list[str] = []
    members: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in references.items():
        if isinstance(value, ModuleType):
            own = value.__name__
            modules.append(f"import {own}" if own == name else f"import {own} as {name}")
            continue
        written = _as_written(value)
        home = home_of(written) if written is not None else None
        if home not in (None, "__main__") and not (isinstance(value, Callee) and home == module):
            own = getattr(written, "__name__", "")
            members[str(home)].append(own if own == name else f"{own} as {name}")
    return (*sorted(modules), *(f"from {home} import {', '.join(sorted(names))}" for home, names in sorted(members.items())))


def _as_written(value: object) -> object:
    """What a name stands for: a function of the user that is called as it is, or an object; None for what is generated."""
    if not isinstance(value, Callee):
        return value
    try:
        return value.cell.cell_contents
    except ValueError:  # it is loaded later on
        return None
