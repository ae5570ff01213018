"""Generator expressions, and `for`, which may run over one.

Elements are computed when they are asked for. A loop over a generator expression is the loop of that expression, with the body
where the element is; what takes all elements at once takes a list of them. ::

    for y in (x * x for x in xs if x):        for x in xs:
        total += y                                if x:
                                                      y = x * x
                                                      total += y
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import gast

from s2sad.frontend.builder import TRUE, Builder
from s2sad.frontend.dispatch import Generator, as_generator, expression, lower_expression, lower_statements, statement
from s2sad.frontend.exits import breaks, returns
from s2sad.frontend.lower_comprehensions import collect, generate, scope_of
from s2sad.frontend.lower_expressions import is_global, select, special_call
from s2sad.frontend.lower_loops import after_loop, loop_over
from s2sad.frontend.lower_statements import Statements, assign, check_unchanged, leave
from s2sad.frontend.scopes import assigned_variables
from s2sad.ir.nodes import Branch, If, Operand, Raise
from s2sad.ir.operations import iterator_of


@statement(gast.For)
def _lower_for(builder: Builder, node: gast.For, rest: Statements) -> Statements:
    returning, completed = returns(node.body), bool(node.orelse) and breaks(node.body)
    variables = assigned_variables(builder.scope, [node.target, *node.body])
    generator = as_generator(builder, node.iter)
    if generator is None or (len(generator.expression.generators) > 1 and breaks(node.body)):
        _check_body(builder, node)
        loop = loop_over(
            builder,
            node,
            node.target,
            lower_expression(builder, node.iter),
            variables,
            lambda body: lower_statements(body, node.body),
            returning=returning,
            completed=completed,
        )
        return after_loop(builder, node, loop, rest)
    expression, scope = generator.expression, builder.scope

    def lower_body(body: Builder) -> None:
        element = lower_expression(body, expression.elt, builder.hint(node.target))
        body.scope = scope
        assign(body, node.target, element)
        lower_statements(body, node.body)

    with scope_of(builder, expression, generator.first) as first:
        loop = generate(
            builder, expression, 0, first, lower_body, leaving=True, returning=returning, completed=completed, bound=variables
        )
    return after_loop(builder, node, loop, rest)


def _check_body(builder: Builder, node: gast.For) -> None:
    """Generator expressions inside the iterable see what the body does to their variables."""
    expressions = [inner for inner in gast.walk(node.iter) if isinstance(inner, gast.GeneratorExp)]
    for inner in expressions:
        check_unchanged(builder, inner, [node.target, *node.body], "inside the iterable of a loop")


@expression(gast.GeneratorExp)
def _lower_generator_expression(builder: Builder, node: gast.GeneratorExp, name: str) -> Operand:
    return _lower_generator(builder, Generator(node), name)


@expression(Generator)
def _lower_generator(builder: Builder, node: Generator, name: str) -> Operand:
    elements = collect(builder, node.expression, name if node.consumed else "", node.first)
    return elements if node.consumed else builder.call(node.expression, iterator_of, elements, name=name)


@special_call
def _lower_any_all(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    """``any``/``all`` of a generator expression stop at the first element that decides."""
    if (
        not is_global(builder, node.func, "any", "all")
        or len(node.args) != 1
        or node.keywords
        or (generator := as_generator(builder, node.args[0])) is None
    ):
        return None
    expression = generator.expression
    decides = node.func.id == "any"

    def test(body: Builder) -> None:
        condition = lower_expression(body, expression.elt)
        found, on = body.arm(), body.arm()
        leave(found, "return", TRUE, expression)
        on.finish()
        arms = (found, on) if decides else (on, found)
        body.terminator = Branch(condition, arms[0].block(), arms[1].block(), body.span(expression.elt))

    found, _ = _search(builder, generator, test)
    return found if decides else builder.call(node, operator.not_, found, name=name)


@special_call
def _lower_next(builder: Builder, node: gast.Call, name: str) -> Operand | None:
    """``next`` of a generator expression stops at the first element."""
    if not is_global(builder, node.func, "next") or node.keywords or not 1 <= len(node.args) <= 2:
        return None
    iterator, *default = node.args
    generator = as_generator(builder, iterator)
    if generator is None:
        return None
    expression = generator.expression
    fallback = [lower_expression(builder, item) for item in default]

    def take(body: Builder) -> None:
        leave(body, "return", lower_expression(body, expression.elt), expression)

    found, value = _search(builder, generator, take)
    if fallback:
        return select(builder, node, found, lambda arm: value, lambda arm: fallback[0], name)
    fine, failed = builder.region(), builder.region()
    failed.terminator = Raise(failed.call(node, StopIteration), None, builder.span(node))
    builder.operations.append(If(found, fine.block(), failed.block(), (), builder.span(node)))
    return value


def _search(builder: Builder, generator: Generator, test: Callable[[Builder], None]) -> tuple[Operand, Operand]:
    """The loops of a generator expression until `test` leaves them: whether it did, and with which value."""
    state = builder.state
    saved = {key: builder.environment.pop(key) for key in (state.returned, state.return_value) if key in builder.environment}
    with scope_of(builder, generator.expression, generator.first) as first:
        generate(builder, generator.expression, 0, first, test, leaving=True, returning=True)
    found = builder.environment.pop(state.returned)
    value = builder.environment.pop(state.return_value)
    builder.environment.update(saved)
    return found, value
