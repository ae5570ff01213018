"""Which function lowers which construct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from s2sad.frontend.builder import Builder
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import Operand

ExpressionLowering = Callable[[Builder, Any, str], Operand]
#: Lowers one statement; gets what follows in its block, and returns what is still to be lowered.
StatementLowering = Callable[[Builder, Any, list[gast.stmt]], list[gast.stmt]]

_EXPRESSIONS: dict[type, ExpressionLowering] = {}
_STATEMENTS: dict[type, StatementLowering] = {}


class Lowered(gast.expr):  # type: ignore[misc]
    """An expression whose operand is already there: lets lowering compose statements of syntax and IR."""

    _fields = ()

    def __init__(self, operand: Operand) -> None:
        super().__init__()
        self.operand = operand


class Consumed(gast.expr):  # type: ignore[misc]
    """A generator expression whose consumer takes all elements at once: a list does as well."""

    _fields = ()

    def __init__(self, generator: gast.GeneratorExp) -> None:
        super().__init__()
        self.generator = generator


class LeaveIf(gast.stmt):  # type: ignore[misc]
    """A statement that leaves when a flag is set: `exits` holds (kind, flag, value) in order."""

    _fields = ()

    def __init__(self, exits: Sequence[tuple[str, Operand, Operand]]) -> None:
        super().__init__()
        self.exits = tuple(exits)


def expression(*kinds: type) -> Callable[[ExpressionLowering], ExpressionLowering]:
    """Register the lowering of an expression."""

    def register(function: ExpressionLowering) -> ExpressionLowering:
        _EXPRESSIONS.update(dict.fromkeys(kinds, function))
        return function

    return register


def statement(*kinds: type) -> Callable[[StatementLowering], StatementLowering]:
    """Register the lowering of a statement."""

    def register(function: StatementLowering) -> StatementLowering:
        _STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return register


def lower_expression(builder: Builder, node: gast.expr, name: str = "") -> Operand:
    """The operand that an expression gives; `name` is the variable that it will be bound to."""
    lowering = _EXPRESSIONS.get(type(node))
    if lowering is None:
        refuse(builder.state.filename, node, f"the expression `{type(node).__name__.lower()}`", "write it in another way")
    return lowering(builder, node, name)


def lower_statements(builder: Builder, statements: Sequence[gast.stmt]) -> None:
    """Lower statements into a block until it ends; a tree that falls through is finished."""
    todo = list(statements)
    while todo and not builder.ended:
        node = todo.pop(0)
        lowering = _STATEMENTS.get(type(node))
        if lowering is None:
            refuse(builder.state.filename, node, f"the statement `{type(node).__name__.lower()}`", "write it in another way")
        todo = lowering(builder, node, todo)
    builder.finish()
