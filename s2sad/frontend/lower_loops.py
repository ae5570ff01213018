"""Loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from s2sad.frontend.builder import FALSE, TRUE, Builder, Loop, Mode, value_in
from s2sad.frontend.dispatch import Lowered, lower_expression, lower_statements, statement
from s2sad.frontend.exits import breaks, is_endless, returns
from s2sad.frontend.lower_statements import Statements, assign, leave_after
from s2sad.frontend.scopes import Variable, assigned_variables, bound_variables
from s2sad.ir.nodes import UNBOUND, Branch, Break, Carried, Constant, For, Operand, Value, While


def _begin(
    builder: Builder, variables: Sequence[Variable], returning: bool, completed: bool
) -> tuple[Builder, Loop, list[Value]]:
    """The body of a loop, with the parameters that it sees."""
    hidden = [builder.state.returned, builder.state.return_value] if returning else []
    flag = Variable("completed", hidden=True) if completed else None
    known = builder.state.scopes.flags.items()
    plain = [(variable, flag) for variable, flag in known if not flag.shared]
    flags = [flag for variable, flag in plain if variable in variables or (variable.shared and builder.owns(variable))]
    loop = Loop((*variables, *flags, *hidden, *([flag] if flag else [])), flag)
    body = Builder(builder.state, builder.scope, Mode.LOOP, loop, dict(builder.environment))
    parameters = [Value(variable.name, temporary=variable.hidden) for variable in loop.carried]
    body.environment.update(zip(loop.carried, parameters, strict=True))
    if returning:
        body.environment.update({builder.state.returned: FALSE, builder.state.return_value: UNBOUND})
    if flag is not None:
        builder.environment[flag] = TRUE
        body.environment[flag] = TRUE
    return body, loop, parameters


def _end(builder: Builder, loop: Loop, parameters: Sequence[Value]) -> tuple[Carried, ...]:
    """The carried values of a finished loop, whose results the environment takes over."""
    carried = []
    for variable, parameter in zip(loop.carried, parameters, strict=True):
        item = Carried(value_in(builder.environment, variable), parameter, Value(variable.name, temporary=variable.hidden))
        builder.environment[variable] = item.result
        carried.append(item)
    return tuple(carried)


def loop_over(
    builder: Builder,
    node: gast.AST,
    target: gast.expr,
    iterable: Operand,
    variables: Sequence[Variable],
    lower_body: Callable[[Builder], None],
    *,
    returning: bool = False,
    completed: bool = False,
) -> Loop:
    """Append a `For`."""
    body, loop, parameters = _begin(builder, variables, returning, completed)
    name = body.hint(target)
    element = Value(name, temporary=not name)
    assign(body, target, element)
    lower_body(body)
    body.finish()
    builder.operations.append(For(element, iterable, _end(builder, loop, parameters), body.block(), builder.span(node)))
    return loop


def after_loop(builder: Builder, node: gast.For | gast.While, loop: Loop, rest: Statements) -> Statements:
    """The ``else`` clause of a loop, and what follows."""
    if node.orelse and loop.completed is not None:
        flag = builder.environment.pop(loop.completed)
        rest = [gast.copy_location(gast.If(Lowered(flag), node.orelse, []), node), *rest]
    else:
        rest = [*node.orelse, *rest]
    return leave_after(builder, rest, node)


def _binds_what_is_carried(builder: Builder, test: gast.expr) -> bool:
    """Whether the test of a loop binds a variable, or one in a cell with a flag beside it that tells whether it is bound."""
    flags = builder.state.scopes.flags
    bound = bound_variables(builder.scope, [test])
    return any(not variable.shared or (variable in flags and not flags[variable].shared) for variable in bound)


@statement(gast.While)
def _lower_while(builder: Builder, node: gast.While, rest: Statements) -> Statements:
    variables = assigned_variables(builder.scope, [node.test, *node.body])
    completed = bool(node.orelse) and breaks(node.body)
    body, loop, parameters = _begin(builder, variables, returns(node.body), completed)
    header = Builder(builder.state, builder.scope, Mode.REGION, loop, dict(body.environment))
    condition: Operand = TRUE
    if _binds_what_is_carried(builder, node.test):
        # the test binds names that live on: it moves into the body
        condition_in_body = lower_expression(body, node.test)
        inner, done = body.arm(), body.arm()
        lower_statements(inner, node.body)
        done.terminator = Break(done.carried_values(), builder.span(node))
        body.terminator = Branch(condition_in_body, inner.block(), done.block(), builder.span(node.test))
    else:
        condition = lower_expression(header, node.test)
        if isinstance(condition, Constant) and isinstance(node.test, gast.Constant):
            condition = Constant(bool(condition.value))
        lower_statements(body, node.body)
    carried = _end(builder, loop, parameters)
    builder.operations.append(While(header.block([condition]), carried, body.block(), builder.span(node)))
    if is_endless(node):
        if builder.state.returned in loop.carried:
            builder.environment[builder.state.returned] = TRUE
        elif not builder.is_tree:
            # what follows cannot be reached
            builder.left = True
            return []
        return leave_after(builder, [], node)
    return after_loop(builder, node, loop, rest)
