"""Comprehensions: loops in a scope of their own."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import gast

from s2sad.frontend.builder import Builder, Loop, merge
from s2sad.frontend.dispatch import expression, lower_expression, lower_statements
from s2sad.frontend.lower_loops import loop_over
from s2sad.frontend.lower_statements import leave_after
from s2sad.frontend.scopes import Variable, assigned_variables
from s2sad.frontend.unsupported import refuse
from s2sad.ir.nodes import Branch, Constant, If, Operand
from s2sad.ir.operations import call_method, make_dict, make_list, make_set


@contextmanager
def scope_of(builder: Builder, node: gast.expr, first: Operand | None = None) -> Iterator[Operand]:
    """The scope of a comprehension. Its first iterable belongs to the scope around it: `first`, if that is known already."""
    first = lower_expression(builder, node.generators[0].iter) if first is None else first
    if any(generator.is_async for generator in node.generators):
        refuse(builder.state.filename, node, "an asynchronous comprehension", "write a plain one")
    saved = builder.scope
    builder.scope = builder.state.scopes.by_node[node]
    builder.make_cells(builder.scope, node)
    yield first
    for variable in builder.scope.variables.values():
        builder.environment.pop(variable, None)
    builder.scope = saved


def generate(
    builder: Builder,
    node: gast.expr,
    index: int,
    iterable: Operand,
    element: Callable[[Builder], None],
    *,
    leaving: bool = False,
    returning: bool = False,
    completed: bool = False,
    bound: Sequence[Variable] = (),
) -> Loop:
    """The loops of a comprehension from the generator `index` on. The `element` may leave the innermost of them (`leaving`), or
    all (`returning`); it binds the variables `bound` of the scope around."""
    generator = node.generators[index]
    inner_nodes = [
        *generator.ifs,
        *node.generators[index + 1 :],
        *((node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)),
    ]
    function = builder.scope.function
    assigned = [variable for variable in assigned_variables(builder.scope, inner_nodes) if variable.owner is function]
    variables = list(dict.fromkeys([*assigned, *bound]))

    def lower_body(body: Builder) -> None:
        _filter(body, node, generator.ifs, inner, leaving=leaving)

    def inner(body: Builder) -> None:
        if index + 1 == len(node.generators):
            element(body)
            return
        source = lower_expression(body, node.generators[index + 1].iter)
        generate(body, node, index + 1, source, element, leaving=leaving, returning=returning, bound=bound)
        if returning:
            lower_statements(body, leave_after(body, [], node))

    return loop_over(builder, node, generator.target, iterable, variables, lower_body, returning=returning, completed=completed)


def _filter(
    body: Builder, node: gast.expr, tests: Sequence[gast.expr], inner: Callable[[Builder], None], *, leaving: bool
) -> None:
    if not tests:
        inner(body)
        return
    condition = lower_expression(body, tests[0])
    if leaving:
        taken, skipped = body.arm(), body.arm()
        _filter(taken, node, tests[1:], inner, leaving=True)
        taken.finish()
        skipped.finish()
        body.terminator = Branch(condition, taken.block(), skipped.block(), body.span(tests[0]))
        return
    arms = [body.region(), body.region()]
    _filter(arms[0], node, tests[1:], inner, leaving=False)
    (then, orelse), results = merge(body, arms)
    body.operations.append(If(condition, then, orelse, results, body.span(tests[0])))


@expression(gast.ListComp, gast.SetComp)
def _lower_comprehension(builder: Builder, node: gast.ListComp | gast.SetComp, name: str) -> Operand:
    return collect(builder, node, name)


def collect(
    builder: Builder, node: gast.ListComp | gast.GeneratorExp | gast.SetComp, name: str, first: Operand | None = None
) -> Operand:
    """The elements of a comprehension, as a list or set."""
    make, method = (make_set, "add") if isinstance(node, gast.SetComp) else (make_list, "append")
    with scope_of(builder, node, first) as iterable:
        collected = builder.call(node, make, name=name)

        def add(body: Builder) -> None:
            body.call(node, call_method, collected, Constant(method), lower_expression(body, node.elt))

        generate(builder, node, 0, iterable, add)
    return collected


@expression(gast.DictComp)
def _lower_dict_comprehension(builder: Builder, node: gast.DictComp, name: str) -> Operand:
    with scope_of(builder, node) as iterable:
        collected = builder.call(node, make_dict, name=name)

        def add(body: Builder) -> None:
            key = lower_expression(body, node.key)
            body.call(node, operator.setitem, collected, key, lower_expression(body, node.value))

        generate(builder, node, 0, iterable, add)
    return collected
