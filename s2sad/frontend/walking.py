"""Syntax trees: the nodes that belong to a function itself, and the names that a node binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import gast

FunctionNode: TypeAlias = gast.FunctionDef | gast.Lambda
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)

#: Fields that hold nothing of the function's own.
_LEFT_OUT = ("annotation", "ctx", "op", "ops")
#: Nodes with fields that belong to another scope, or to none.
_WITH_FIELDS_OF_OTHERS = (*FUNCTIONS, gast.ClassDef, gast.comprehension, gast.arguments)


def parameter_nodes(arguments: gast.arguments) -> list[gast.Name]:
    """All parameters, in the order of `inspect.signature`."""
    nodes = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg is not None:
        nodes.append(arguments.vararg)
    nodes.extend(arguments.kwonlyargs)
    if arguments.kwarg is not None:
        nodes.append(arguments.kwarg)
    return nodes


def bound_names(node: gast.AST) -> Iterator[str]:
    """The names that a node itself binds (not those of its children)."""
    match node:
        case gast.Name(ctx=gast.Store() | gast.Del()):
            yield node.id
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
            yield node.name
        case gast.Import():
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
        case gast.ImportFrom():
            for alias in node.names:
                yield alias.asname or alias.name
        case gast.MatchAs() | gast.MatchStar() if node.name is not None:
            yield node.name
        case gast.MatchMapping() if node.rest is not None:
            yield node.rest


def walk_own(node: gast.AST, *, comprehension_targets: bool = False) -> Iterator[gast.AST]:
    """The nodes of one function, in source order: nested functions are named but not entered, and targets of
    comprehensions are left out (they have a scope of their own)."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, (gast.Name, gast.Constant)):
            continue
        children: list[gast.AST] = []
        if not isinstance(current, _WITH_FIELDS_OF_OTHERS):  # most nodes
            for name in current._fields:
                value = getattr(current, name, None)
                if name in _LEFT_OUT:
                    continue
                if isinstance(value, gast.AST):
                    children.append(value)
                elif isinstance(value, list):
                    children.extend([item for item in value if isinstance(item, gast.AST)])
            stack.extend(reversed(children))
            continue
        for name, value in gast.iter_fields(current):
            if isinstance(current, (gast.FunctionDef, gast.AsyncFunctionDef)) and name in ("body", "returns", "type_params"):
                continue
            if isinstance(current, gast.Lambda) and name == "body":
                continue
            if isinstance(current, gast.ClassDef) and name == "body":
                continue
            if isinstance(current, gast.comprehension) and name == "target" and not comprehension_targets:
                continue
            if name in _LEFT_OUT:
                continue
            if isinstance(current, gast.arguments):
                if name in ("defaults", "kw_defaults"):
                    children.extend(item for item in value if isinstance(item, gast.AST))
                continue
            if isinstance(value, gast.AST):
                children.append(value)
            elif isinstance(value, list):
                children.extend(item for item in value if isinstance(item, gast.AST))
        stack.extend(reversed(children))


def walk_all(nodes: Sequence[gast.AST]) -> Iterator[gast.AST]:
    for node in nodes:
        yield from walk_own(node)


def body_of(node: FunctionNode) -> list[gast.AST]:
    """The statements of a function; a lambda has one expression."""
    return [node.body] if isinstance(node, gast.Lambda) else node.body


def is_read_in_one_place(name: str, function: gast.AST, following: Sequence[gast.AST]) -> bool:
    """Whether a variable is bound once, and read in one place of the statements that follow: in no loop or function there."""
    uses = [node for node in gast.walk(function) if isinstance(node, gast.Name) and node.id == name]
    reads = [node for node in uses if isinstance(node.ctx, gast.Load)]
    return len(uses) == 2 and len(reads) == 1 and any(_reads_once(node, reads[0]) for node in following)


def _reads_once(node: gast.AST, read: gast.AST) -> bool:
    """Whether a read is inside a node, and runs at most once when the node does."""
    match node:
        case gast.For():
            parts = [node.iter, *node.orelse]
        case gast.While():
            parts = node.orelse
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            parts = [node.generators[0].iter]
        case gast.FunctionDef() | gast.Lambda() | gast.ClassDef() | gast.AsyncFunctionDef():
            return False
        case _:
            parts = list(gast.iter_child_nodes(node))
    return node is read or any(_reads_once(part, read) for part in parts)
