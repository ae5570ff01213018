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


class Generator(gast.expr):  # type: ignore[misc]
    """A generator expression, lowered where it is read; `first` is its first iterable if that was evaluated before. `consumed`:
    the reader takes all elements at once, so a list does as well."""

    _fields = ()

    def __init__(self, expression: gast.GeneratorExp, first: Operand | None = None, *, consumed: bool = False) -> None:
        super().__init__()
        gast.copy_location(self, expression)
        self.expression = expression
        self.first = first
        self.consumed = consumed


def as_generator(builder: Builder, node: gast.expr, *, consumed: bool = False) -> Generator | None:
    """The generator expression that an expression is, or that the variable which it names stands for."""
    if isinstance(node, gast.GeneratorExp):
        return Generator(node, consumed=consumed)
    variable = builder.variable(node.id) if isinstance(node, gast.Name) else None
    if variable is None or variable not in builder.state.generators:
        return None
    expression, first = builder.state.generators[variable]
    return Generator(expression, first, consumed=consumed)


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
