"""Pieces of syntax that have a best form: conditionals, shortcuts, chained comparisons, parameters, unpacking targets."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Iterator, Sequence

from s2sad.emit.expressions import Atom, Expression, name, negate, size_of
from s2sad.emit.folding import Plan
from s2sad.emit.layout import Comment, IfStatement, ParameterText, Simple, Statement
from s2sad.ir.nodes import Call, Constant, Function, Parameter, Span


def number_of_targets(node: Call) -> int:
    """How many targets an unpacking has."""
    before, after = _counts(node)
    return before if after < 0 else before + 1 + after


def _counts(node: Call) -> tuple[int, int]:
    numbers = [operand.value for operand in node.arguments[1:] if isinstance(operand, Constant)]
    before, after = (*numbers, -1)[:2]
    assert isinstance(before, int)
    assert isinstance(after, int)
    return before, after


def unpacking_target(node: Call, elements: list[ast.expr]) -> ast.expr:
    before, after = _counts(node)
    if after >= 0:
        elements[before] = ast.Starred(elements[before], ast.Store())
    return ast.Tuple(elements, ast.Store())


def is_same_name(node: ast.expr, target: ast.Name) -> bool:
    return isinstance(node, ast.Name) and node.id == target.id


def if_statement(test: ast.expr, then: list[Statement], orelse: list[Statement], span: Span | None) -> Statement:
    """A conditional, with its arms the way round that reads best."""
    first = (then or orelse)[0]
    where = span if span is not None or isinstance(first, Comment) else first.span
    match then, orelse:
        case [], _:
            return if_statement(negate(test), orelse, [], span)
        case [Simple(ast.Raise(exception, None))], [] if (message := _assertion(exception)) is not None:
            return Simple(ast.Assert(negate(test), message[0] if message else None), where)
        case _:
            return IfStatement(without_bool(test), then, orelse, where)


def _assertion(exception: ast.expr | None) -> list[ast.expr] | None:
    match exception:
        case ast.Name("!AssertionError"):
            return []
        case ast.Call(ast.Name("!AssertionError"), arguments, []) if len(arguments) < 2:
            return arguments
        case _:
            return None


def conditional_tree(test: ast.expr, then: Expression | None, orelse: Expression | None, is_boolean: bool) -> ast.expr:
    """The arm that is None yields the condition itself."""
    tested = without_bool(test)
    if tested is not test and isinstance(tested, ast.Name):
        # `bool(x)` that chooses between `x` and something else
        if then is not None and orelse is not None and is_same_name(orelse.node, tested):
            return _chain(ast.And(), tested, then.node)
        if then is not None and orelse is not None and is_same_name(then.node, tested):
            return _chain(ast.Or(), tested, orelse.node)
    if then is None:
        assert orelse is not None
        return _chain(ast.Or(), test, orelse.node)
    if orelse is None or (is_boolean and isinstance(orelse.node, ast.Constant) and orelse.node.value is False):
        return _compare_chain(test, then.node) or _chain(ast.And(), test, then.node)
    if is_boolean and isinstance(then.node, ast.Constant) and then.node.value is True:
        return _chain(ast.Or(), test, orelse.node)
    return ast.IfExp(tested, then.node, orelse.node)


def without_bool(test: ast.expr) -> ast.expr:
    """``x`` for ``bool(x)``, where only the truth of it counts."""
    match test:
        case ast.Call(ast.Name("!bool"), [operand], []):
            return operand
        case ast.UnaryOp(ast.Not(), operand) if (inner := without_bool(operand)) is not operand:
            return negate(inner)
        case _:
            return test


def _chain(symbol: ast.boolop, left: ast.expr, right: ast.expr) -> ast.expr:
    """``a and b and c``, without a tree of two-armed nodes."""
    parts: list[ast.expr] = []
    for node in (left, right):
        parts += node.values if isinstance(node, ast.BoolOp) and type(node.op) is type(symbol) else [node]
    return ast.BoolOp(symbol, parts)


def _compare_chain(left: ast.expr, right: ast.expr) -> ast.expr | None:
    """``a < b < c`` for ``a < b and b < c``."""
    match left, right:
        case ast.Compare(first, symbols, operands), ast.Compare(ast.Name(middle), more, others) if (
            isinstance(operands[-1], ast.Name) and operands[-1].id == middle
        ):
            return ast.Compare(first, [*symbols, *more], [*operands, *others])
        case _:
            return None


def shortest_count(iterable: ast.expr) -> ast.expr:
    """``range(n)`` for ``range(n - 1, -1, -1)``, where nobody reads the indices."""
    match iterable:
        case ast.Call(
            ast.Name("!range") as function,
            [ast.BinOp(count, ast.Sub(), ast.Constant(1)), ast.UnaryOp(ast.USub(), ast.Constant(1)), last],
            [],
        ) if ast.dump(last) == ast.dump(ast.UnaryOp(ast.USub(), ast.Constant(1))):
            return ast.Call(function, [count], [])
        case _:
            return iterable


def with_arms(tree: ast.expr, test: Expression, arms: Sequence[Expression], atoms: tuple[Atom, ...]) -> Expression:
    reads = frozenset(variable for part in (test, *arms) for variable in part.reads)
    return Expression(tree, test.atoms + atoms, reads, size_of(tree))


def lambda_expression(parameters: list[ParameterText], value: ast.expr) -> ast.expr:
    plain = [item for item in parameters if item.prefix == "" and item.name is not None]
    named = [ast.arg(item.name.id) for item in plain if isinstance(item.name, ast.Name)]
    starred = {item.prefix: ast.arg(item.name.id) for item in parameters if item.prefix and isinstance(item.name, ast.Name)}
    defaults = [item.default for item in plain if item.default is not None]
    arguments = ast.arguments([], named, starred.get("*"), [], [], starred.get("**"), defaults)
    return ast.Lambda(arguments, value)


def _last_with_literals(function: Function) -> Iterator[Parameter]:
    """Parameters with a default that is a literal, up to the first from the right that has none."""
    return itertools.takewhile(lambda parameter: parameter.default is not None, reversed(function.parameters))


def parameter_texts(function: Function, plan: Plan, defaults: Sequence[Expression] = ()) -> list[ParameterText]:
    """The parameters as they are printed; `defaults` of those that have one (none: only literal ones are printed)."""
    given = iter(defaults)
    shown = set() if defaults else set(_last_with_literals(function))
    texts: list[ParameterText] = []
    last = None
    for parameter in function.parameters:
        kind = parameter.kind
        if last is inspect.Parameter.POSITIONAL_ONLY and kind is not last:
            texts.append(ParameterText("/"))
        if kind is inspect.Parameter.KEYWORD_ONLY and last not in (kind, inspect.Parameter.VAR_POSITIONAL):
            texts.append(ParameterText("*"))
        prefix = "*" if kind is inspect.Parameter.VAR_POSITIONAL else "**" if kind is inspect.Parameter.VAR_KEYWORD else ""
        default = next(given, None) if parameter.has_default else None
        variable = name(plan.names.variable(plan.variable(parameter.value)))
        if parameter.default is not None and parameter in shown:
            texts.append(ParameterText(prefix, variable, plan.names.constant(parameter.default.value)))
        else:
            texts.append(ParameterText(prefix, variable, None if default is None else default.node))
        last = kind
    if last is inspect.Parameter.POSITIONAL_ONLY:
        texts.append(ParameterText("/"))
    return texts
