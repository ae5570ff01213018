"""How statements end: whether they may leave a function or loop, and in how many places they fall through."""

from __future__ import annotations

from collections.abc import Sequence

import gast


def leaves(statements: Sequence[gast.AST], in_inner_loop: bool = False) -> bool:
    """Whether a ``return`` is inside, or a ``break``/``continue`` of the loop around these statements."""
    return any(_statement_leaves(statement, in_inner_loop) for statement in statements)


def _statement_leaves(node: gast.AST, inner: bool) -> bool:
    match node:
        case gast.Return():
            return True
        case gast.Break() | gast.Continue():
            return not inner
        case gast.If():
            return leaves(node.body, inner) or leaves(node.orelse, inner)
        case gast.For() | gast.While():
            return leaves(node.body, True) or leaves(node.orelse, inner)
        case gast.With():
            return leaves(node.body, inner)
        case gast.Try():
            parts = [node.body, node.orelse, node.finalbody, *(handler.body for handler in node.handlers)]
            return any(leaves(part, inner) for part in parts)
        case gast.Match():
            return any(leaves(case.body, inner) for case in node.cases)
    return bool(getattr(node, "exits", ()))


def returns(statements: Sequence[gast.AST]) -> bool:
    """Whether a ``return`` is inside."""
    return leaves(statements, in_inner_loop=True)


def breaks(statements: Sequence[gast.AST]) -> bool:
    """Whether a ``break`` of the loop around these statements is inside."""
    for node in statements:
        match node:
            case gast.Break():
                return True
            case gast.If():
                parts = [node.body, node.orelse]
            case gast.For() | gast.While():
                parts = [node.orelse]
            case gast.With():
                parts = [node.body]
            case gast.Try():
                parts = [node.body, node.orelse, node.finalbody, *(handler.body for handler in node.handlers)]
            case gast.Match():
                parts = [case.body for case in node.cases]
            case _:
                continue
        if any(breaks(part) for part in parts):
            return True
    return False


def is_endless(node: gast.While) -> bool:
    """``while True`` without ``break``."""
    return isinstance(node.test, gast.Constant) and bool(node.test.value) and not breaks(node.body)


def may_fall(statements: Sequence[gast.AST]) -> bool:
    """Whether the end of the statements may be reached."""
    return count_falling(statements) > 0


def count_falling(statements: Sequence[gast.AST]) -> int:
    """In how many leaves of the tree these statements reach their end."""
    for index, node in enumerate(statements):
        last = index == len(statements) - 1
        match node:
            case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
                return 0
            case gast.If():
                count = count_falling(node.body) + count_falling(node.orelse)
                if count == 0 or (last and leaves([node])):
                    return count
            case gast.Match():
                open_end = 0 if any(is_irrefutable(case) for case in node.cases) else 1
                count = sum(count_falling(case.body) for case in node.cases) + open_end
                if count == 0 or (last and leaves([node])):
                    return count
            case gast.While() if is_endless(node):
                return 0
            case gast.With():
                if leaves(node.body) and count_falling(node.body) == 0:
                    return 0
            case gast.Try():
                falls = count_falling([*node.body, *node.orelse]) + sum(count_falling(handler.body) for handler in node.handlers)
                if falls == 0 or (node.finalbody and count_falling(node.finalbody) == 0):
                    return 0
    return 1


def is_irrefutable(case: gast.match_case) -> bool:
    pattern = case.pattern
    while isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    return case.guard is None and isinstance(pattern, gast.MatchAs)


def is_trivial(statements: Sequence[gast.AST]) -> bool:
    """Whether statements are so short that writing them twice is better than a flag."""
    match list(statements):
        case []:
            return True
        case [gast.Pass() | gast.Break() | gast.Continue(), *_]:
            return True
        case [gast.Return() as node, *_]:
            return node.value is None or isinstance(node.value, (gast.Constant, gast.Name))
    return False
