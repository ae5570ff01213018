"""Makes a function of emitted text.

The function's globals are the user's module, which is only read. What the text refers to arrives in closure cells, so no
name of the text can meet a name of the module; :mod:`linecache` knows the text, so tracebacks, `pdb` and
`inspect.getsource` show it.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import types
import warnings
import weakref
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from s2sad.emit.generate import Emitted
from s2sad.ir.effects import Callee
from s2sad.runtime.places import SOURCES

#: The texts of functions that are gone, and their names. They leave `linecache` when the next function is loaded: a finaliser
#: may run at any time, also inside of `linecache.checkcache`, which fails where an entry goes while it looks at all of them.
_FORGOTTEN: Final[deque[tuple[str, list[str]]]] = deque()


def load(
    emitted: Emitted,
    *,
    filename: str,
    namespace: dict[str, Any],
    captured: Mapping[str, types.CellType] | None = None,
) -> types.FunctionType:
    """The function whose text was emitted. `captured` are the user's own cells for names that the text reads from a closure."""
    _drop_forgotten()
    text = text_of(emitted)
    # what the text refers to comes first: a name that it reads from the closure is never taken by a reference
    cells = dict(captured or {}) | _cells(emitted, namespace)
    code, defaults = _compile(text, filename, emitted.name, list(cells))
    closure = tuple(cells[name] for name in code.co_freevars)
    function = types.FunctionType(code, namespace, emitted.name, defaults, closure)
    function.__qualname__ = emitted.name
    function.__module__ = namespace.get("__name__", __name__)
    lines = text.splitlines(keepends=True)
    # without a modification time, linecache.checkcache() leaves an entry alone
    linecache.cache[filename] = (len(text), None, lines, filename)
    if emitted.source is not None:
        SOURCES[filename] = emitted.source
    weakref.finalize(function, _FORGOTTEN.append, (filename, lines)).atexit = False
    return function


def text_of(emitted: Emitted) -> str:
    """The text that `linecache` shows: imports, and the function."""
    return "".join(f"{line}\n" for line in emitted.imports) + ("\n\n" if emitted.imports else "") + emitted.text + "\n"


def _cells(emitted: Emitted, namespace: Mapping[str, Any]) -> dict[str, types.CellType]:
    shadowed = [name for name in emitted.builtins if name in namespace]
    cells = {name: types.CellType(getattr(builtins, name)) for name in shadowed}
    for name, value in emitted.references.items():
        cells[name] = value.cell if isinstance(value, Callee) else types.CellType(value)
    return cells


def _compile(text: str, filename: str, name: str, free: list[str]) -> tuple[types.CodeType, tuple[object, ...] | None]:
    """The code of the function, compiled as a nested function, so that the names in `free` are read from cells; its defaults."""
    module = ast.parse(text, filename)
    definition = module.body[-1]
    # the function of the text gets its name back below: a parameter of that name would be overwritten by it
    factory = ast.parse(f"def factory({', '.join(free)}):\n    pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    assert isinstance(definition, ast.FunctionDef)
    defaults = tuple(map(ast.literal_eval, definition.args.defaults)) or None
    factory.body = [definition]
    module.body = [factory]
    outer = code_named(compile_quietly(module, filename), "factory")
    return code_named(outer, name).replace(co_qualname=name), defaults


def compile_quietly(module: ast.Module, filename: str) -> types.CodeType:
    """The code of a module, without the warnings of its text."""
    with warnings.catch_warnings():  # `n is 1`: Python has said so where the user wrote it
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(module, filename, "exec", dont_inherit=True)


def code_named(code: types.CodeType, name: str) -> types.CodeType:
    """The code of a function that is defined in some code."""
    return next(item for item in code.co_consts if isinstance(item, types.CodeType) and item.co_name == name)


def _drop_forgotten() -> None:
    """Drop the texts whose functions are gone, unless another function has taken the name over."""
    while _FORGOTTEN:
        filename, lines = _FORGOTTEN.popleft()
        entry = linecache.cache.get(filename)
        if entry is not None and len(entry) == 4 and entry[2] is lines:
            linecache.cache.pop(filename, None)
            SOURCES.pop(filename, None)
