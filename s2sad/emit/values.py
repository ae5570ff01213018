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
import functools
import itertools
import sys
import types
from collections.abc import Mapping, Set
from typing import Any, Final, cast

import numpy as np

from s2sad.emit.generate import Emitted
from s2sad.emit.loading import code_named, compile_quietly, text_of
from s2sad.emit.printer import walk_tree

#: What stands for a value until the code is compiled: compilers take tuples of texts for constants, and no program has such ones.
#: A name may mean one thing in the text that is given, and another in a body that is put there.
_IN_TEXT: Final = "\0value"
_IN_BODY: Final = "\0value of the body"
_IS_HEAP_TYPE: Final = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement
_NUMBERS: Final = (bool, int, float, types.NoneType)


class Values:
    """The values of names. All code that is compiled with them has the same free variables, so a function may change its code."""

    def __init__(self, values: Mapping[str, object], *, captured: tuple[str, ...] = (), elements: str = "elements") -> None:
        self.captured = {name: values[name] for name in captured}
        self.constants: dict[str, object] = {}
        #: The name of the variable that holds the list of the others, that list, and where each name has its value there.
        self.name_of_elements = elements
        self.elements: list[object] = []
        self.places: dict[str, int] = {}
        self.named: dict[str, object] = {}
        for name, value in values.items():
            self.keep(name, value)

    def name(self, proposal: str, value: object) -> str:
        """A name for a value, which it keeps."""
        names = (f"{proposal}_{count}" for count in itertools.count())
        name = next(one for one in names if one not in self.named or self.named[one] is value)
        if name not in self.named:
            self.keep(name, value)
        return name

    def keep(self, name: str, value: object) -> None:
        """From now on, a name stands for a value."""
        self.named[name] = value
        if name in self.captured:
            return
        if is_lasting(value):
            self.constants[name] = value
        else:
            self.places[name] = self.place_of_element(value)

    def closure_of(self, code: types.CodeType) -> tuple[types.CellType, ...]:
        """The cells that the code's free variables are read from."""
        captured = self.captured | {self.name_of_elements: self.elements}
        return tuple(types.CellType(captured[name]) for name in code.co_freevars)

    @property
    def free(self) -> tuple[str, ...]:
        """The free variables of all code."""
        return (*self.captured, self.name_of_elements)

    def place_of_element(self, value: object) -> int:
        """Where the list has a value."""
        for place, element in enumerate(self.elements):
            if element is value:
                return place
        self.elements.append(value)
        return len(self.elements) - 1


def compile_function(text: str, filename: str, values: Values) -> types.CodeType:
    """The code of the one function in a text."""
    code = _code_of_text(text, filename, frozenset(values.constants), frozenset(values.places.items()), values.free)
    return _with_constants(code, _at_places(_IN_TEXT, values.constants))


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
    # A compiler computes with tuples that are constants, t[0] or t + u, and would do so with what stands for them.
    lasting = {name: value for name, value in references.items() if is_lasting(value) and not isinstance(value, tuple)}
    places = {name: values.place_of_element(value) for name, value in references.items() if name not in lasting}
    check = _Placer(_IN_TEXT, values.constants.keys(), values.places, values.name_of_elements)
    body = _Placer(_IN_BODY, lasting.keys(), places, values.name_of_elements)
    outer, definition = check.visit(outer), body.visit(definition)
    outer.body[-1:] = definition.body
    constants = _at_places(_IN_TEXT, values.constants) | _at_places(_IN_BODY, lasting)
    return _with_constants(_compile(outer, filename, values.free), constants)


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


@functools.lru_cache(maxsize=256)
def _code_of_text(
    text: str, filename: str, constants: frozenset[str], places: frozenset[tuple[str, int]], free: tuple[str, ...]
) -> types.CodeType:
    """The code without its constants, which is the same for all functions that are told apart by these alone."""
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return _compile(_Placer(_IN_TEXT, constants, dict(places), free[-1]).visit(definition), filename, free)


def _compile(definition: ast.FunctionDef, filename: str, free: tuple[str, ...]) -> types.CodeType:
    factory = ast.parse("def factory(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.args.args = [ast.arg(name) for name in free]
    # names that are not reached are free variables all the same
    definition.body.append(ast.Expr(ast.Tuple([ast.Name(name, ast.Load()) for name in free], ast.Load())))
    factory.body = [definition]
    code = compile_quietly(ast.fix_missing_locations(ast.Module([factory], [])), filename)
    return code_named(code_named(code, "factory"), definition.name).replace(co_qualname=definition.name)


class _Placer(ast.NodeTransformer):
    """Puts places for constants, and elements of the list, where names are read."""

    def __init__(self, mark: str, constants: Set[str], places: Mapping[str, int], elements: str) -> None:
        self.mark = mark
        self.constants = constants
        self.places = places
        self.elements = elements

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        if node.id in self.constants:
            return ast.copy_location(ast.Constant(cast(Any, (self.mark, node.id))), node)
        if node.id in self.places:
            elements = ast.Name(self.elements, ast.Load())
            element = ast.Subscript(elements, ast.Constant(self.places[node.id]), ast.Load())
            return ast.fix_missing_locations(ast.copy_location(element, node))
        return node


def _at_places(mark: str, constants: Mapping[str, object]) -> dict[object, object]:
    return {(mark, name): value for name, value in constants.items()}


def _with_constants(code: types.CodeType, constants: Mapping[object, object]) -> types.CodeType:
    def filled(constant: object) -> object:
        match constant:
            case tuple() if constant in constants:
                return constants[constant]
            case tuple() | frozenset():  # of a display of constants, as in except (TypeError, OverflowError)
                return type(constant)(map(filled, constant))
            case types.CodeType():
                return _with_constants(constant, constants)
        return constant

    return code.replace(co_consts=tuple(map(filled, code.co_consts)))
