"""The syntax tree of one function, with lines and columns as in its file."""

from __future__ import annotations

import ast
import types
from dataclasses import dataclass

import gast

from s2sad.errors import SourceUnavailableError
from s2sad.frontend.source import find_node


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A function as it is written."""

    node: gast.FunctionDef | gast.Lambda
    filename: str
    free_names: frozenset[str] = frozenset()
    #: The class around a method, for its private names.
    class_name: str = ""


def parse_function(code: types.CodeType) -> FunctionSource:
    """The tree of a function that exists."""
    found = find_node(code)
    return FunctionSource(gast.ast_to_gast(found.node), code.co_filename, frozenset(code.co_freevars), found.class_name)


def parse_text(text: str, filename: str) -> FunctionSource:
    """The tree of the first function that a text defines."""
    tree = ast.parse(text, filename)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return FunctionSource(gast.ast_to_gast(node), filename)
    raise SourceUnavailableError(f"{filename} defines no function")
