"""How arrays lie in memory: NumPy adds up elements in that order, so sums of an array and of its copy may differ by a rounding.

An array without gaps, row after row, is what a copy of it is as well::

    >>> import operator, s2sad.analysis.array_creation
    >>> from s2sad.ir.nodes import Block, Function, Parameter, Return
    >>> matrix = ArrayType("float64", (2, 3))
    >>> x, y, z, w = (Value(name, matrix) for name in "xyzw")
    >>> calls = (
    ...     Call(y, Constant(numpy.zeros), (Constant((2, 3)),)),
    ...     Call(z, Constant(operator.neg), (y,)),
    ...     Call(w, Constant(operator.neg), (x,)),
    ... )
    >>> definitions = find_definitions(Function("f", (Parameter(x),), Block(calls, Return(w))))
    >>> [lies_in_rows(value, definitions) for value in (x, y, z, w)]
    [False, True, True, False]
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Final

import numpy

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_memory import makes_array
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.rewrite import find_definitions

__all__ = ["find_definitions", "is_rounded_alike", "lie_alike", "lies_in_rows"]

#: What fills arrays row after row, whatever it is given.
_IN_ROWS: Final = frozenset(
    {numpy.zeros, numpy.ones, numpy.empty, numpy.full, numpy.eye, numpy.identity, numpy.arange, numpy.linspace}
    | {operator.matmul, numpy.matmul, numpy.dot, numpy.outer}
)


def lies_in_rows(value: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether an array is known to lie in memory row after row, without gaps."""
    made = definitions.get(value) if isinstance(value, Value) else None
    if made is None or not makes_array(made):
        return False
    if is_vector(made.result):
        return True
    if is_one_of(function_of(made), _IN_ROWS):
        return not made.keywords or all(name == "dtype" for name, _ in made.keywords)
    if function_of(made) is call_method and isinstance(made.arguments[1], Constant) and made.arguments[1].value == "copy":
        return len(made.arguments) == 2 and not made.keywords
    is_elementwise = symbol_of(made) is not None or isinstance(function_of(made), numpy.ufunc)
    operands = [operand for operand in made.arguments if not is_number(operand)]
    return is_elementwise and not made.keywords and all(lies_in_rows(operand, definitions) for operand in operands)


def lie_alike(first: Operand, second: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether two arrays of one shape are known to lie in memory alike, as far as an array made like one of them is concerned."""
    if first is second or (is_vector(first) and is_vector(second)):
        return True
    if lies_in_rows(first, definitions) and lies_in_rows(second, definitions):
        return True
    return any(_follows(one, other, definitions) for one, other in ((first, second), (second, first)))


def _follows(value: Operand, leader: Operand, definitions: Mapping[Value, Call]) -> bool:
    """Whether an array is made element by element of nothing but arrays that lie as another of its shape does, and numbers."""
    made = definitions.get(value) if isinstance(value, Value) else None
    if made is None or made.keywords or not (symbol_of(made) is not None or isinstance(function_of(made), numpy.ufunc)):
        return False
    operands = [operand for operand in made.arguments if not is_number(operand)]
    return all(operand is leader or _follows(operand, leader, definitions) for operand in operands)


def is_vector(operand: Operand) -> bool:
    """Whether an array has one axis at most."""
    kind = operand.type if isinstance(operand, Value) else None
    return isinstance(kind, ArrayType) and kind.shape is not None and len(kind.shape) <= 1


def is_rounded_alike(call: Call) -> bool:
    """Whether a call gives the same, to the last bit and in the same order, of a vector with gaps and of its copy."""
    return symbol_of(call) in ("+", "-", "*", "/", "neg") and not call.keywords and all(map(_is_vector_or_number, call.arguments))


def _is_vector_or_number(operand: Operand) -> bool:
    return is_number(operand) or is_vector(operand)
