"""`with` and `try`: regions that Python enters and leaves by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import gast

from s2sad.frontend.builder import FALSE, TRUE, Builder, merge
from s2sad.frontend.dispatch import LeaveIf, Lowered, lower_expression, lower_statements, statement
from s2sad.frontend.exits import may_fall
from s2sad.frontend.lower_statements import Statements, assign, leave_after, take_exits
from s2sad.frontend.scopes import Variable
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import UNBOUND, Constant, Handler, Operand, Raise, Try, Value, With


@statement(gast.With)
def _lower_with(builder: Builder, node: gast.With, rest: Statements) -> Statements:
    _enter(builder, node, node.items)
    return leave_after(builder, rest, node)


def _enter(builder: Builder, node: gast.With, items: Sequence[gast.withitem]) -> None:
    item, *others = items
    context = lower_expression(builder, item.context_expr)
    arm = builder.region()
    name: Value | None = None
    if item.optional_vars is not None:
        plain = builder.hint(item.optional_vars)
        name = Value(plain, temporary=not plain)
        assign(arm, item.optional_vars, name)
    if others:
        _enter(arm, node, others)
    else:
        lower_statements(arm, node.body)
    # a context may swallow what the body raises, so the rest is reached in any case
    (block,), results = merge(builder, [arm], may_stop=True)
    builder.operations.append(With(context, name, block, results, builder.span(node)))


@statement(gast.Try)
def _lower_try(builder: Builder, node: gast.Try, rest: Statements) -> Statements:
    if getattr(node, "finalbody", None):
        return _lower_finally(builder, node, rest)
    if split := builder.state.scopes.splits.get(node, ()):
        return [_split(node, split), *rest]
    exceptions = [None if handler.type is None else lower_expression(builder, handler.type) for handler in node.handlers]
    completed = Variable("completed", hidden=True)
    body = builder.region()
    arms = [body, *(builder.region() for _ in node.handlers)]
    lower_statements(body, node.body)
    body.environment[completed] = TRUE
    handlers: list[tuple[Operand | None, Value | None]] = []
    for handler, exception, arm in zip(node.handlers, exceptions, arms[1:], strict=True):
        handlers.append((exception, _lower_handler(arm, handler)))
    needs_flag = bool(node.orelse) and any(may_fall(handler.body) for handler in node.handlers)
    if not needs_flag:
        del body.environment[completed]
    unreachable = all(arm.terminator is not None for arm in arms)
    blocks, results = merge(builder, arms)
    made = tuple(Handler(exception, name, block) for (exception, name), block in zip(handlers, blocks[1:], strict=True))
    builder.operations.append(Try(blocks[0], made, results, builder.span(node)))
    if unreachable:
        builder.terminator = Raise(None, None, builder.span(node))
        return []
    if needs_flag:
        flag = builder.environment.pop(completed, FALSE)
        rest = [gast.copy_location(gast.If(Lowered(flag), node.orelse, []), node), *rest]
    else:
        rest = [*node.orelse, *rest]
    return leave_after(builder, rest, node)


def _split(node: gast.Try, positions: Sequence[int]) -> gast.Try:
    """``try: a; b`` as ``try: a`` and, if that went well, ``try: b``, with the same handlers: they find what `a` has bound."""
    starts = [0, *(position + 1 for position in positions), len(node.body)]
    parts = [node.body[start:end] for start, end in pairwise(starts)]
    orelse = node.orelse
    for part in reversed(parts):
        whole = gast.copy_location(gast.Try(part, node.handlers, orelse, []), node)
        orelse = [whole]
    return whole


def _lower_handler(arm: Builder, node: gast.ExceptHandler) -> Value | None:
    value: Value | None = None
    if node.name is not None:
        name = node.name.id if isinstance(node.name, gast.Name) else node.name
        value = Value(name, temporary=not arm.hint(name))
        arm.bind(name, value, node)
        lower_statements(arm, node.body)
        if arm.terminator is None:
            arm.bind(name, UNBOUND, node)
    else:
        lower_statements(arm, node.body)
    return value


def _lower_finally(builder: Builder, node: gast.Try, rest: Statements) -> Statements:
    """The final block stands twice: where an exception passes, and on the way out."""
    body, passing = builder.region(), builder.region()
    inner = gast.copy_location(gast.Try(node.body, node.handlers, node.orelse, []), node)
    lower_statements(body, [inner] if node.handlers else [*node.body, *node.orelse])
    reraise = gast.copy_location(gast.Raise(None, None), node)
    lower_statements(passing, [*node.finalbody, reraise])
    arms = [body, passing]
    unreachable = all(arm.terminator is not None for arm in arms)
    (block, handler), results = merge(builder, arms)
    builder.operations.append(Try(block, (Handler(Constant(BaseException), None, handler),), results, builder.span(node)))
    if unreachable:
        builder.terminator = Raise(None, None, builder.span(node))
        return []
    exits = take_exits(builder)
    following = [gast.copy_location(LeaveIf(exits), node)] if exits else []
    return [*node.finalbody, *following, *rest]


@statement(gast.TryStar)
def _refuse_group(builder: Builder, node: gast.stmt, rest: Statements) -> Statements:
    refuse(builder.state.filename, node, "`except*`", "write `except`")
