"""Trees of functions are those that gast makes of them."""

import ast
import inspect
from fractions import Fraction

import gast
import pytest

from s2sad.frontend.parse import parse_function, parse_text
from tests.frontend import programs, random_functions


def is_same(first, second):
    """Whether two trees have the same nodes, in the same places of the file."""
    if isinstance(first, ast.AST):
        same_fields = first.__class__ is second.__class__ and vars(first).keys() == vars(second).keys()
        return same_fields and all(is_same(value, vars(second)[field]) for field, value in vars(first).items())
    if isinstance(first, list):
        return len(first) == len(second) and all(map(is_same, first, second))
    return first == second


@pytest.mark.parametrize("module", [programs, random_functions, ast, inspect])
def test_a_function_has_the_tree_that_gast_makes_of_it(module):
    source = inspect.getsource(module)
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert functions
    for node in functions:
        text = ast.get_source_segment(source, node)
        assert is_same(parse_text(text, "<text>").node, gast.ast_to_gast(ast.parse(text).body[0]))


def test_a_function_that_exists_has_its_lines():
    node = parse_function(Fraction.limit_denominator.__code__).node
    assert node.lineno == Fraction.limit_denominator.__code__.co_firstlineno
