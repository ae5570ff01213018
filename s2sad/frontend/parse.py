"""The syntax tree of one function, with lines and columns as in its file."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst

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


class _Translator(Ast3ToGAst):  # type: ignore[misc]
    """gast's own translation in two thirds of the time: how a node is translated is looked up once for its class, and what is no
    node needs no call."""

    def __init__(self) -> None:
        self.translations: dict[type[ast.AST], Callable[[Any], gast.AST]] = {}

    def visit(self, node: ast.AST) -> gast.AST:
        translate = self.translations.get(node.__class__)
        if translate is None:
            own = getattr(self, f"visit_{node.__class__.__name__}", None)
            translate = self.translations[node.__class__] = self.generic_visit if own is None else own
        return translate(node)

    def generic_visit(self, node: ast.AST) -> gast.AST:
        cls = getattr(gast, node.__class__.__name__, None)
        if cls is None:
            return super().generic_visit(node)
        new = cls.__new__(cls)
        fields = vars(new)
        for name, value in vars(node).items():  # also where it stands
            if isinstance(value, ast.AST):
                value = self.visit(value)
            elif value.__class__ is list:
                value = [self._visit(item) for item in value]
            fields[name] = value
        return new

    def visit_Name(self, node: ast.Name) -> gast.Name:  # noqa: N802
        new = self.generic_visit(node)
        new.annotation = new.type_comment = None
        return new


def parse_function(code: types.CodeType) -> FunctionSource:
    """The tree of a function that exists."""
    found = find_node(code)
    return FunctionSource(_Translator().visit(found.node), code.co_filename, frozenset(code.co_freevars), found.class_name)


def parse_text(text: str, filename: str) -> FunctionSource:
    """The tree of the first function that a text defines."""
    tree = ast.parse(text, filename)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return FunctionSource(_Translator().visit(node), filename)
    raise SourceUnavailableError(f"{filename} defines no function")
