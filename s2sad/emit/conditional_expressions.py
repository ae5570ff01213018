"""Conditionals as expressions, where both arms are: ``a if c else b``, ``c and a``, ``c or b``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2sad.emit.expressions import Atom, Expression, name
from s2sad.emit.folding import Writer, merged
from s2sad.emit.forms import conditional_tree, is_same_name, with_arms
from s2sad.emit.plan import is_lambda, yields_of_condition
from s2sad.ir.effects import effects_of
from s2sad.ir.nodes import UNBOUND, Block, Call, If, MakeFunction, Operand, Operation, Value, Yield, walk
from s2sad.ir.types import BOOL

if TYPE_CHECKING:
    from s2sad.emit.statements import FunctionWriter

_LONGEST_CONDITIONAL = 64


def write_conditional_expression(function_writer: FunctionWriter, writer: Writer, node: If, result: Value) -> bool:
    """Write a conditional with one result as an expression, if it can be; else write nothing."""
    position = node.results.index(result)
    is_shortcut = yields_of_condition(node) > 0
    if not all(_may_fold(function_writer, operation) for block in (node.then, node.orelse) for operation in block.operations):
        return False
    arms: list[Expression | None] = []
    for block in (node.then, node.orelse):
        if not isinstance(block.terminator, Yield) or block.terminator.values[position] is UNBOUND:
            return False
        arm = Writer(function_writer.plan)
        if is_shortcut and block.terminator.values[position] is node.condition:
            arms.append(None)
            continue
        function_writer.operations(arm, block.operations)
        (expression,) = arm.take([block.terminator.values[position]])
        if arm.statements or arm.pending:
            return False
        arms.append(expression)
    target = name(function_writer.plan.names.variable(function_writer.plan.variable(result)))
    given = [arm for arm in arms if arm is not None]
    if not is_shortcut and any(isinstance(arm.node, ast.IfExp) for arm in given) and not _is_short_choice(arms):
        return False
    is_update = any(_adds_to(arm.node, target) for arm in given)
    is_variable = is_update or result not in function_writer.plan.foldable
    if not is_shortcut and is_variable and any(is_same_name(arm.node, target) for arm in given):
        return False
    if not is_shortcut and sum(arm.size for arm in given) > _LONGEST_CONDITIONAL:
        return False
    atoms = _atoms_of(function_writer, node, result)
    (test,) = writer.take([node.condition], atoms)
    tree = conditional_tree(test.node, arms[0], arms[1], _is_boolean(node.condition))
    writer.define(result, with_arms(tree, test, given, atoms), node.span)
    return True


def _may_fold(function_writer: FunctionWriter, node: Operation) -> bool:
    """Whether an operation of an arm can be a part of an expression."""
    match node:
        case Call(result):
            return result in function_writer.plan.foldable or result in function_writer.plan.repeated
        case MakeFunction(result, definition):
            return result in function_writer.plan.foldable and is_lambda(definition)
        case If(_, _, _, (result,)):
            return result in function_writer.plan.foldable and node not in function_writer.scope.statements_only
        case _:
            return False


def _adds_to(node: ast.expr, target: ast.Name) -> bool:
    """Whether ``x + e`` is given to `x`, where the other arm leaves it as it is: a statement ``x += e`` says so."""
    return isinstance(node, ast.BinOp) and is_same_name(node.left, target)


def _is_boolean(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.type == BOOL


def _atoms_of(function_writer: FunctionWriter, node: Operation, result: Value) -> tuple[Atom, ...]:
    """What a region does, as one step."""
    inner = [item for item in walk(Block((node,), Yield())) if isinstance(item, Call)]
    effects = merged([effects_of(item) for item in inner])
    if effects.is_pure and not effects.raises:
        return ()
    return (Atom(function_writer.plan.places[result], effects, any(item.exact for item in inner)),)


def _is_short_choice(arms: Sequence[Expression | None]) -> bool:
    """Whether ``1.0 if x > 0 else -1.0 if x < 0 else 0.0`` can be read: all that is chosen from are numbers."""
    match arms:
        case [Expression(ast.Constant()), Expression(ast.IfExp(_, first, second)) as last]:
            return (
                all(isinstance(_without_sign(node), ast.Constant) for node in (first, second))
                and last.size <= _LONGEST_CONDITIONAL
            )
        case _:
            return False


def _without_sign(node: ast.expr) -> ast.expr:
    """A number without its sign."""
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
