"""Prints one expression, or one simple statement, of a Python syntax tree. The one module that knows astor.

>>> import ast
>>> print_node(ast.parse("x = -1/k/(k + nu)").body[0])
'x = -1 / k / (k + nu)'
>>> print_node(ast.parse("f = (a,)").body[0])
'f = (a,)'
>>> print_node(ast.parse("{0: 'a', x: 1}", mode="eval").body)
'{0: "a", x: 1}'
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Iterator
from typing import Any, Final


@functools.cache
def _generator_class() -> type[Any]:
    with warnings.catch_warnings():  # astor's import touches names that Python deprecates (printing does for f-strings only)
        warnings.simplefilter("ignore")
        from astor.code_gen import SourceGenerator, set_precedence
        from astor.op_util import Precedence, get_op_precedence, get_op_symbol

    class Generator(SourceGenerator):  # type: ignore[misc]
        def visit_BinOp(self, node: ast.BinOp) -> None:  # noqa: N802
            """What astor does with a context manager around each operation."""
            own = get_op_precedence(node.op)
            is_power = isinstance(node.op, ast.Pow)
            set_precedence(Precedence.Pow + 1 if is_power else own, node.left)
            set_precedence(Precedence.PowRHS if is_power else own + 1, node.right)
            is_inside = own < vars(node).get("_pp", Precedence.highest)
            self.write("(" if is_inside else "", node.left, get_op_symbol(node.op, " %s "), node.right, ")" if is_inside else "")

        def visit_Dict(self, node: ast.Dict) -> None:  # noqa: N802
            """astor writes ``{(0): x}`` unless it is told what a key stands in."""
            for key in node.keys:
                if key is not None:
                    vars(key)["_pp"] = Precedence.Comma
            super().visit_Dict(node)

    return Generator


#: Generators of text that nobody uses at the moment: to make one takes as long as to print a short statement.
_IDLE: Final[list[Any]] = []


def _to_source(statement: ast.stmt) -> str:
    """What `astor.to_source` gives, without space around it."""
    try:
        generator = _IDLE.pop()
    except IndexError:
        generator = _generator_class()("    ", pretty_string=_quote)
    generator.visit(statement)
    text = "".join(generator.result).strip()
    generator.result.clear()
    generator.new_lines, generator.colinfo = 0, (0, 0)
    _IDLE.append(generator)
    return text


def _quote(text: str, *_: object, **__: object) -> str:
    """In double quotes where that needs no backslash."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain.startswith("'") and '"' not in plain else plain


#: Fields whose nodes have no fields.
_WITHOUT_FIELDS = ("ctx", "op", "ops")


def walk_tree(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a syntax tree in any order, but for operators and contexts: `ast.walk`, in a third of the time."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        for field in node._fields:
            if field in _WITHOUT_FIELDS:
                continue
            child = getattr(node, field, None)
            if child.__class__ is list:
                pending += [item for item in child if isinstance(item, ast.AST)]
            elif isinstance(child, ast.AST):
                pending.append(child)


def print_node(node: ast.stmt | ast.expr) -> str:
    """The text of an expression or of a simple statement, on one line."""
    statement = ast.Return(node) if isinstance(node, ast.expr) else node
    text = _to_source(statement)
    match statement:
        case ast.Assign(value=ast.Tuple([only])) | ast.Return(value=ast.Tuple([only])) if text.endswith(","):
            element = print_node(only)  # a comma alone is easily overlooked
            if isinstance(only, ast.Tuple) and len(only.elts) > 1:
                element = f"({element})"
            text = f"{text.removesuffix(f'{element},')}({element},)"
    return text.removeprefix("return ") if isinstance(node, ast.expr) else text
