"""Drops assignments of a literal to a variable that has this value already, on every path.

Before::                       After::

    returned = False               returned = False
    for i in range(n):             for i in range(n):
        returned = False               for j in range(i):
        for j in range(i):                 if x > j:
            if x > j:                          returned = True
                returned = True                break
                break                      if returned:
        if returned:                           break
            returned = True
            break
        returned = False

Carried values are set at the end of every trip, and flags where the loop is left; often that says nothing new.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from s2sad.emit.expressions import negate
from s2sad.emit.layout import (
    Comment,
    DefStatement,
    ForStatement,
    IfStatement,
    Simple,
    Statement,
    TryStatement,
    WhileStatement,
    WithStatement,
    nodes_of,
)

#: The literals that variables are known to hold, as their class and text; None where the place is never reached.
State = dict[str, tuple[type, str]] | None
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def drop_idle_assignments(statements: list[Statement], is_flag: Callable[[str], bool]) -> list[Statement]:
    """The statements of a function without those that change nothing; `is_flag` says whether a variable is a bool always."""
    kept, _ = _Walk(is_flag, _Loop()).suite(statements, {})
    return kept


@dataclass(slots=True)
class _Loop:
    """What is known where the innermost loop is left, and where its next trip begins."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Walk:
    is_flag: Callable[[str], bool]
    loop: _Loop

    def suite(self, statements: Iterable[Statement], state: State) -> tuple[list[Statement], State]:
        kept: list[Statement] = []
        for statement in statements:
            replaced, state = self.statement(statement, state)
            kept += replaced
        return kept, state

    def statement(self, statement: Statement, state: State) -> tuple[list[Statement], State]:
        """What stands for a statement, and what is known after it."""
        match statement:
            case Simple(ast.Assign([ast.Name(target)], value)) if (literal := _literal(value)) is not None:
                if state is not None and state.get(target) == literal:
                    return [], state
                return [statement], None if state is None else {**state, target: literal}
            case Simple(node):
                if isinstance(node, ast.Break):
                    self.loop.breaks.append(state)
                elif isinstance(node, ast.Continue):
                    self.loop.continues.append(state)
                return [statement], None if isinstance(node, _LEAVING) else _without(state, _bound_by(node))
            case IfStatement():
                return self.conditional(statement, state)
            case ForStatement(target, _, body):
                inner, left = self.trips(body, state, {text.id for text in ast.walk(target) if isinstance(text, ast.Name)})
                after = _meet([left.head, *left.breaks])
                return [ForStatement(target, statement.iterable, inner, statement.span)], after
            case WhileStatement(test, body):
                inner, left = self.trips(body, state, set())
                is_endless = isinstance(test, ast.Constant) and bool(test.value)
                return [WhileStatement(test, inner, statement.span)], _meet([*([] if is_endless else [left.head]), *left.breaks])
            case TryStatement() | WithStatement() | DefStatement():  # rare, and left in unforeseen places
                changed = set(_names_bound([statement]))
                for jump in _jumps([statement]):
                    (self.loop.breaks if jump is ast.Break else self.loop.continues).append(_without(state, changed))
                return [statement], _without(state, changed)
            case Comment():
                return [statement], state

    def conditional(self, statement: IfStatement, state: State) -> tuple[list[Statement], State]:
        body, after_body = self.suite(statement.body, self.decided(statement.test, state, True))
        orelse, after_orelse = self.suite(statement.orelse, self.decided(statement.test, state, False))
        after = _meet([after_body, after_orelse])
        if not body and not orelse and isinstance(statement.test, ast.Name) and self.is_flag(statement.test.id):
            return [], after
        if not body and orelse:
            return [IfStatement(negate(statement.test), orelse, [], statement.span)], after
        return [IfStatement(statement.test, body, orelse, statement.span)], after

    def decided(self, test: ast.expr, state: State, truth: bool) -> State:
        """What is known where a condition is true, or false."""
        match test:
            case ast.Name(text) if state is not None and self.is_flag(text):
                return {**state, text: (bool, repr(truth))}
            case ast.UnaryOp(ast.Not(), operand):
                return self.decided(operand, state, not truth)
            case _:
                return state

    def trips(self, body: list[Statement], state: State, targets: set[str]) -> tuple[list[Statement], _LeftLoop]:
        """The body of a loop; what is known at the head of every trip is what holds before the loop and after each trip."""
        head = state
        while True:
            inner = _Walk(self.is_flag, _Loop())
            kept, end = inner.suite(body, _without(head, targets))
            merged = _meet([head, end, *inner.loop.continues])
            if merged == head:
                return kept, _LeftLoop(_without(head, targets), inner.loop.breaks)
            head = merged


@dataclass(frozen=True, slots=True)
class _LeftLoop:
    head: State
    breaks: list[State]


def _meet(states: Iterable[State]) -> State:
    """What is known whichever of some places one comes from."""
    reached = [state for state in states if state is not None]
    if not reached:
        return None
    return {text: value for text, value in reached[0].items() if all(other.get(text) == value for other in reached[1:])}


def _without(state: State, names: Iterable[str]) -> State:
    if state is None:
        return None
    gone = set(names)
    return {text: value for text, value in state.items() if text not in gone}


def _literal(node: ast.expr) -> tuple[type, str] | None:
    match node:
        case ast.Constant(value):
            return (type(value), repr(value))
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return (type(value), f"-{value!r}")
        case _:
            return None


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The variables that a statement binds (generated expressions bind none)."""
    match node:
        case ast.Assign(targets):
            yield from _targets(targets)
        case ast.AugAssign(target) | ast.AnnAssign(target):
            yield from _targets([target])
        case ast.Delete(targets):
            yield from _targets(targets)


def _targets(targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        match target:
            case ast.Name(text):
                yield text
            case ast.Tuple(elements) | ast.List(elements):
                yield from _targets(elements)
            case ast.Starred(value):
                yield from _targets([value])


def _names_bound(statements: Iterable[Statement]) -> Iterator[str]:
    """All names that occur in some statements: few of them are bound there, and no harm is done by the others."""
    for tree in nodes_of(statements):
        yield from (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _jumps(statements: Iterable[Statement]) -> Iterator[type[ast.stmt]]:
    """The jumps in some statements, also those of loops inside: what is known there is little anyway."""
    yield from (type(tree) for tree in nodes_of(statements) if isinstance(tree, (ast.Break, ast.Continue)))
