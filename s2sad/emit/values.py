"""Makes code in which names are values, however the globals of its function may look.

To read a constant takes the least time, so a value is one if it can be: code is no container for the garbage collector, which
means that nothing that a constant refers to may lead back to the function. Other values are elements of a list, which the
function captures; `captured` values have cells of their own::

    >>> values = Values({"size": abs, "owner": [2.0], "factor": 3.0}, captured=("factor",))
    >>> code = compile_function("def f(x): return size(x) * owner[0] * factor", "<values>", values)
    >>> f = types.FunctionType(code, {}, "f", None, values.closure_of(code))
    >>> abs in code.co_consts, values.elements, f(-1.0)
    (True, [[2.0]], 6.0)
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

from s2sad.emit.generate import Emitted
from s2sad.emit.loading import code_named, compile_quietly, text_of
from s2sad.emit.printer import walk_tree

#: What stands for a value until the code is compiled: compilers take tuples of texts for constants, and no program has such ones.
_PLACE: Final = "\0value"
_IS_HEAP_TYPE: Final = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement
_NUMBERS: Final = (bool, int, float, types.NoneType)


class Values:
    """The values of names. All code that is compiled with them has the same free variables, so a function may change its code."""

    def __init__(self, values: Mapping[str, object], *, captured: tuple[str, ...] = (), elements: str = "elements") -> None:
        self.values = dict(values)
        self.captured = captured
        #: The name of the variable that holds the list of the others, and that list.
        self.name_of_elements = elements
        self.elements: list[object] = []

    def name(self, proposal: str, value: object) -> str:
        """A name for a value, which it keeps."""
        count = 0
        while f"{proposal}_{count}" in self.values:
            if self.values[f"{proposal}_{count}"] is value:
                break
            count += 1
        self.values[f"{proposal}_{count}"] = value
        return f"{proposal}_{count}"

    def closure_of(self, code: types.CodeType) -> tuple[types.CellType, ...]:
        """The cells that the code's free variables are read from."""
        captured = {name: self.values[name] for name in self.captured} | {self.name_of_elements: self.elements}
        return tuple(types.CellType(captured[name]) for name in code.co_freevars)

    def place_of_element(self, value: object) -> int:
        """Where the list has a value."""
        for place, element in enumerate(self.elements):
            if element is value:
                return place
        self.elements.append(value)
        return len(self.elements) - 1


def compile_function(text: str, filename: str, values: Values) -> types.CodeType:
    """The code of the one function in a text."""
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    placer = _Placer(values, values.values)
    return _compile(placer.visit(definition), filename, values, placer.constants)


def splice(text: str, emitted: Emitted, filename: str, values: Values, references: Mapping[str, object]) -> types.CodeType:
    """The code of the function in `text` with the body of an emitted one in place of the ``pass`` that it ends with.

    The body keeps the lines of its own text; `references` are the values of the names that it refers to."""
    outer = ast.parse(text).body[0]
    definition = ast.parse(text_of(emitted), filename).body[-1]
    assert isinstance(outer, ast.FunctionDef)
    assert isinstance(definition, ast.FunctionDef)
    for node in walk_tree(outer):
        if isinstance(node, (ast.stmt, ast.expr, ast.arg)):
            node.lineno = node.end_lineno = definition.lineno
    assert isinstance(outer.body[-1], ast.Pass)
    # a name may mean one thing here and another there: the check reads from the module again what the body refers to
    check, body = _Placer(values, values.values), _Placer(values, references)
    outer, definition = check.visit(outer), body.visit(definition)
    outer.body[-1:] = definition.body
    return _compile(outer, filename, values, {**check.constants, **body.constants})


def is_lasting(value: object) -> bool:
    """Whether nothing that may ever be let go is kept by a value; it can be hashed and compared as well, as code is."""
    match value:
        case types.CodeType():
            return True
        case type():
            return not value.__flags__ & _IS_HEAP_TYPE
        case types.BuiltinFunctionType():
            return isinstance(value.__self__, types.ModuleType)
        case types.ModuleType(__name__=str(name)):
            package = name.partition(".")[0]
            return sys.modules.get(name) is value and (package == "numpy" or package in sys.stdlib_module_names)
        case np.dtype():
            return value.isbuiltin == 1
        case tuple():
            return type(value) is tuple and all(type(item) in _NUMBERS for item in value)
    return type(value) is object


def _compile(definition: ast.FunctionDef, filename: str, values: Values, constants: Mapping[object, object]) -> types.CodeType:
    factory = ast.parse("def factory(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    free = [*values.captured, values.name_of_elements]
    factory.args.args = [ast.arg(name) for name in free]
    # names that are not reached are free variables all the same
    definition.body.append(ast.Expr(ast.Tuple([ast.Name(name, ast.Load()) for name in free], ast.Load())))
    factory.body = [definition]
    code = compile_quietly(ast.fix_missing_locations(ast.Module([factory], [])), filename)
    code = code_named(code_named(code, "factory"), definition.name)
    return _with_constants(code, constants).replace(co_qualname=definition.name)


class _Placer(ast.NodeTransformer):
    """Puts places for constants, and elements of the list, where names are read."""

    def __init__(self, values: Values, named: Mapping[str, object]) -> None:
        self.values = values
        self.named = named
        self.constants: dict[object, object] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.named or node.id in self.values.captured or not isinstance(node.ctx, ast.Load):
            return node
        value = self.named[node.id]
        if is_lasting(value):
            place = (_PLACE, f"{node.id} {id(value)}")
            self.constants[place] = value
            return ast.copy_location(ast.Constant(cast(Any, place)), node)
        elements = ast.Name(self.values.name_of_elements, ast.Load())
        index = ast.Constant(self.values.place_of_element(value))
        return ast.fix_missing_locations(ast.copy_location(ast.Subscript(elements, index, ast.Load()), node))


def _with_constants(code: types.CodeType, constants: Mapping[object, object]) -> types.CodeType:
    def filled(constant: object) -> object:
        match constant:
            case tuple() if constant in constants:
                return constants[constant]
            case types.CodeType():
                return _with_constants(constant, constants)
        return constant

    return code.replace(co_consts=tuple(map(filled, code.co_consts)))
