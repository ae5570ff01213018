"""What is printed of an operation reads as the operation that it was: Python's own parser tells."""

import ast
import random

import pytest

from s2sad.emit.printer import print_node

OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.BitAnd, ast.LShift)


def expression(depth, choice):
    kind = choice.random()
    if depth == 0 or kind < 0.2:
        return ast.Name("x", ast.Load()) if choice.random() < 0.6 else ast.Constant(2.5)
    inner = [expression(depth - 1, choice) for _ in range(3)]
    if kind < 0.35:
        return ast.UnaryOp(choice.choice([ast.USub, ast.Not, ast.Invert])(), inner[0])
    if kind < 0.45:
        return ast.Call(ast.Name("f", ast.Load()), inner[:2], [])
    if kind < 0.5:
        return ast.Compare(inner[0], [ast.Lt()], [inner[1]])
    if kind < 0.55:
        return ast.IfExp(*inner)
    if kind < 0.6:
        return ast.Attribute(inner[0], "a", ast.Load())
    return ast.BinOp(inner[0], choice.choice(OPERATORS)(), inner[1])


@pytest.mark.parametrize("seed", range(20))
def test_operations_within_operations_have_the_parentheses_that_they_need(seed):
    choice = random.Random(seed)
    for _ in range(20):
        tree = expression(5, choice)
        text = print_node(tree)
        assert ast.dump(ast.parse(text, mode="eval").body) == ast.dump(tree), text


@pytest.mark.parametrize("text", ["a - b - c", "a - (b - c)", "(a * b) ** c", "-a ** b", "(-a) ** b", "a ** -b", "a ** b ** c"])
def test_no_parentheses_where_none_are_needed(text):
    assert print_node(ast.parse(text, mode="eval").body) == text
