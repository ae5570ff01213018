"""Augmented assignments and signs: ``x += y`` for ``x = x + y``, ``-a * b`` for ``-(a * b)``."""

from __future__ import annotations

import ast

from s2sad.emit.layout import Simple
from s2sad.ir.nodes import Span

#: the operator and the right side of an augmented assignment
Update = tuple[ast.operator, ast.expr]


def mark_loose(node: ast.BinOp) -> None:
    """Note that an operation need not be bitwise what the program says, so that it may be rearranged."""
    vars(node)["loose"] = True


def is_loose(node: ast.expr) -> bool:
    return vars(node).get("loose", False) is True


def mark_rebinding(node: ast.BinOp, operands: frozenset[str]) -> None:
    """Note that of these operands, "left" or "right", which may be arrays, an operation makes a number: ``x += y`` would change
    an array without axes where ``x = x + y`` gives a number of its own."""
    vars(node)["rebinding"] = operands


def keep_mark(before: ast.expr, after: ast.expr) -> ast.expr:
    if after is not before and isinstance(after, ast.BinOp):
        marks = vars(before)
        vars(after).update({mark: marks[mark] for mark in ("loose", "rebinding") if mark in marks})
    return after


def negated(node: ast.expr) -> ast.expr:
    """``-a * b`` for ``-(a * b)``, ``-2 * a`` for ``-(2 * a)`` (numbers only: the results are the same to the bit)."""
    match node:
        case ast.BinOp(left, ast.Mult() | ast.Div() as symbol, right):
            return keep_mark(node, ast.BinOp(negated(left), symbol, right))
        case ast.UnaryOp(ast.USub(), ast.BinOp() | ast.Name() | ast.Subscript() as operand):
            return operand
        case _:
            return ast.UnaryOp(ast.USub(), node)


def assignment(target: ast.Name | ast.Subscript | ast.Attribute, value: ast.expr, may_augment: bool, span: Span | None) -> Simple:
    """``target = value``, or ``target += …`` where `value` is a sum that starts with the target."""
    step = split_update(target, value) if may_augment else None
    if step is None:
        return Simple(ast.Assign([target], value), span)
    symbol, rest = step
    return Simple(ast.AugAssign(target, symbol, rest), span)


def split_update(target: ast.expr, value: ast.expr) -> Update | None:
    """The operator and the right side of the augmented assignment that does ``target = value``."""

    def same(node: ast.expr, operand: str = "left") -> bool:
        if operand in vars(value).get("rebinding", ()):
            return False
        if isinstance(node, ast.Name) or isinstance(target, ast.Name):
            return isinstance(node, ast.Name) and isinstance(target, ast.Name) and node.id == target.id
        return ast.dump(_plain(node)) == ast.dump(_plain(target))

    match value:
        case ast.BinOp(left, symbol, right) if same(left):
            return symbol, right
        case ast.BinOp(left, ast.Add() | ast.Mult() as symbol, right) if is_loose(value) and same(right, "right"):
            return symbol, left
        case ast.BinOp(left, ast.Add() | ast.Sub() as symbol, right) if is_loose(value):
            return _regroup(split_update(target, left), symbol, right)
        case _:
            return None


def _regroup(first: Update | None, symbol: ast.operator, right: ast.expr) -> Update | None:
    match first:
        case ast.Add(), rest:
            return ast.Add(), ast.BinOp(rest, symbol, right)
        case ast.Sub(), rest if isinstance(symbol, ast.Sub):
            return ast.Sub(), ast.BinOp(rest, ast.Add(), right)
        case ast.Sub(), rest:
            return ast.Add(), ast.BinOp(right, ast.Sub(), rest)
        case _:
            return None


def _plain(node: ast.expr) -> ast.expr:
    """A target or a value, without the difference between loading and storing."""
    match node:
        case ast.Subscript(container, index):
            return ast.Subscript(container, index, ast.Load())
        case ast.Attribute(receiver, attribute):
            return ast.Attribute(receiver, attribute, ast.Load())
        case _:
            return node
