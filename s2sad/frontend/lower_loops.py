"""Loops and comprehensions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import gast

from s2sad.frontend.builder import FALSE, TRUE, Builder, Loop, Mode, merge, value_in
from s2sad.frontend.dispatch import Consumed, Lowered, expression, lower_expression, lower_statements, statement
from s2sad.frontend.exits import breaks, is_endless, returns
from s2sad.frontend.lower_expressions import is_global, select, special_call
from s2sad.frontend.lower_statements import Statements, assign, leave, leave_after
from s2sad.frontend.scopes import Variable, assigned_variables
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import UNBOUND, Branch, Break, Carried, Constant, For, If, Operand, Raise, Value, While
from s2sad.ir.operations import call_method, make_dict, make_list, make_set


def _begin(
    builder: Builder, variables: Sequence[Variable], returning: bool, completed: bool
) -> tuple[Builder, Loop, list[Value]]:
    """The body of a loop, with the parameters that it sees."""
    hidden = [builder.state.returned, builder.state.return_value] if returning else []
    flag = Variable("completed", hidden=True) if completed else None
    loop = Loop((*variables, *hidden, *([flag] if flag else [])), flag)
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


@statement(gast.For)
def _lower_for(builder: Builder, node: gast.For, rest: Statements) -> Statements:
    iterable = lower_expression(builder, node.iter)
    loop = loop_over(
        builder,
        node,
        node.target,
        iterable,
        assigned_variables(builder.scope, [node.target, *node.body]),
        lambda body: lower_statements(body, node.body),
        returning=returns(node.body),
        completed=bool(node.orelse) and breaks(node.body),
    )
    return _after_loop(builder, node, loop, rest)


def _after_loop(builder: Builder, node: gast.For | gast.While, loop: Loop, rest: Statements) -> Statements:
    if node.orelse and loop.completed is not None:
        flag = builder.environment.pop(loop.completed)
        rest = [gast.copy_location(gast.If(Lowered(flag), node.orelse, []), node), *rest]
    else:
        rest = [*node.orelse, *rest]
    return leave_after(builder, rest, node)


@statement(gast.While)
def _lower_while(builder: Builder, node: gast.While, rest: Statements) -> Statements:
    variables = assigned_variables(builder.scope, [node.test, *node.body])
    completed = bool(node.orelse) and breaks(node.body)
    body, loop, parameters = _begin(builder, variables, returns(node.body), completed)
    header = Builder(builder.state, builder.scope, Mode.REGION, loop, dict(body.environment))
    condition: Operand = TRUE
    if assigned_variables(builder.scope, [node.test]):
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
    return _after_loop(builder, node, loop, rest)


# -- comprehensions -------------------------------------------------------------------------------------------------------


def _enter(builder: Builder, node: gast.expr, lower: Callable[[Operand], None]) -> None:
    """Lower a comprehension in its own scope; the first iterable belongs to the scope around it."""
    first = lower_expression(builder, node.generators[0].iter)
    if any(generator.is_async for generator in node.generators):
        refuse(builder.state.filename, node, "an asynchronous comprehension", "write a plain one")
    saved = builder.scope
    builder.scope = builder.state.scopes.by_node[node]
    builder.make_cells(builder.scope, node)
    lower(first)
    for variable in builder.scope.variables.values():
        builder.environment.pop(variable, None)
    builder.scope = saved


def _generate(
    builder: Builder,
    node: gast.expr,
    index: int,
    iterable: Operand,
    element: Callable[[Builder], None],
    *,
    returning: bool = False,
) -> None:
    """The loops of a comprehension from the generator `index` on; with `returning`, the element may leave them all."""
    generator = node.generators[index]
    inner_nodes = [
        *generator.ifs,
        *node.generators[index + 1 :],
        *((node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)),
    ]
    function = builder.scope.function
    variables = [variable for variable in assigned_variables(builder.scope, inner_nodes) if variable.owner is function]

    def lower_body(body: Builder) -> None:
        _filter(body, node, generator.ifs, inner, returning=returning)

    def inner(body: Builder) -> None:
        if index + 1 == len(node.generators):
            element(body)
            return
        _generate(body, node, index + 1, lower_expression(body, node.generators[index + 1].iter), element, returning=returning)
        if returning:
            lower_statements(body, leave_after(body, [], node))

    loop_over(builder, node, generator.target, iterable, variables, lower_body, returning=returning)


def _filter(
    body: Builder, node: gast.expr, tests: Sequence[gast.expr], inner: Callable[[Builder], None], *, returning: bool
) -> None:
    if not tests:
        inner(body)
        return
    condition = lower_expression(body, tests[0])
    if returning:
        taken, skipped = body.arm(), body.arm()
        _filter(taken, node, tests[1:], inner, returning=True)
        taken.finish()
        skipped.finish()
        body.terminator = Branch(condition, taken.block(), skipped.block(), body.span(tests[0]))
        return
    arms = [body.region(), body.region()]
    _filter(arms[0], node, tests[1:], inner, returning=False)
    (then, orelse), results = merge(body, arms)
    body.operations.append(If(condition, then, orelse, results, body.span(tests[0])))


@expression(gast.GeneratorExp)
def _lower_generator(builder: Builder, node: gast.GeneratorExp, name: str) -> Operand:
    return builder.call(node, iter, _lower_comprehension(builder, node, ""), name=name)


@expression(Consumed)
def _lower_consumed(builder: Builder, node: Consumed, name: str) -> Operand:
    return _lower_comprehension(builder, node.generator, name)


@expression(gast.ListComp, gast.SetComp)
def _lower_comprehension(builder: Builder, node: gast.ListComp | gast.GeneratorExp | gast.SetComp, name: str) -> Operand:
    make, method = (make_set, "add") if isinstance(node, gast.SetComp) else (make_list, "append")
    collected: list[Value] = []

    def lower(first: Operand) -> None:
        collected.append(builder.call(node, make, name=name))
        _generate(builder, node, 0, first, add)

    def add(body: Builder) -> None:
        body.call(node, call_method, collected[0], Constant(method), lower_expression(body, node.elt))

    _enter(builder, node, lower)
    return collected[0]


@expression(gast.DictComp)
def _lower_dict_comprehension(builder: Builder, node: gast.DictComp, name: str) -> Operand:
    collected: list[Value] = []

    def lower(first: Operand) -> None:
        collected.append(builder.call(node, make_dict, name=name))
        _generate(builder, node, 0, first, add)

    def add(body: Builder) -> None:
        key = lower_expression(body, node.key)
        body.call(node, operator.setitem, collected[0], key, lower_expression(body, node.value))

    _enter(builder, node, lower)
    return collected[0]


@special_call
def _lower_any_all(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    """``any``/``all`` of a generator expression stop at the first element that decides."""
    if (
        not is_global(builder, node.func, "any", "all")
        or len(node.args) != 1
        or node.keywords
        or not isinstance(node.args[0], gast.GeneratorExp)
    ):
        return None
    generator = node.args[0]
    decides = node.func.id == "any"

    def test(body: Builder) -> None:
        condition = lower_expression(body, generator.elt)
        found, on = body.arm(), body.arm()
        leave(found, "return", TRUE, generator)
        on.finish()
        arms = (found, on) if decides else (on, found)
        body.terminator = Branch(condition, arms[0].block(), arms[1].block(), body.span(generator.elt))

    found, _ = _search(builder, generator, test)
    return found if decides else builder.call(node, operator.not_, found, name=name)


@special_call
def _lower_next(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    """``next`` of a generator expression stops at the first element."""
    if not is_global(builder, node.func, "next") or node.keywords or not 1 <= len(node.args) <= 2:
        return None
    generator, *default = node.args
    if not isinstance(generator, gast.GeneratorExp):
        return None
    fallback = [lower_expression(builder, item) for item in default]

    def take(body: Builder) -> None:
        leave(body, "return", lower_expression(body, generator.elt), generator)

    found, value = _search(builder, generator, take)
    if fallback:
        return select(builder, node, found, lambda arm: value, lambda arm: fallback[0], name)
    fine, failed = builder.region(), builder.region()
    failed.terminator = Raise(failed.call(node, StopIteration), None, builder.span(node))
    builder.operations.append(If(found, fine.block(), failed.block(), (), builder.span(node)))
    return value


def _search(builder: Builder, generator: gast.GeneratorExp, test: Callable[[Builder], None]) -> tuple[Operand, Operand]:
    """The loops of a generator expression until `test` leaves them: whether it did, and with which value."""
    state = builder.state
    saved = {key: builder.environment.pop(key) for key in (state.returned, state.return_value) if key in builder.environment}
    _enter(builder, generator, lambda first: _generate(builder, generator, 0, first, test, returning=True))
    found = builder.environment.pop(state.returned)
    value = builder.environment.pop(state.return_value)
    builder.environment.update(saved)
    return found, value
