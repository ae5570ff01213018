"""Functions that have a rule for cotangents are given tuples of arrays as they are made, not as they are kept.

Before::                                 After::

    pair = pairs[i]                          pair = pairs[i]
    y = np.concatenate(pair)                 a = pair[0]
                                             b = pair[1]
                                             y = np.concatenate((a, b))

The adjoints that the rule gives go to arrays, each of which has a shadow; a tuple that was taken out of a container has none.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.printer import print_function
>>> import numpy as np
>>> array = ArrayType("float64", None, 1)
>>> p, y = Value("p", TupleType((array, array))), Value("y", array)
>>> call = Call(y, Constant(np.concatenate), (p,))
>>> print(print_function(split_tuple_operands(Function("f", (Parameter(p),), Block((call,), Return(y))))))
def f(p):
  t_1 = getitem(p, 0)
  t_2 = getitem(p, 1)
  p_3 = make_tuple(t_1, t_2)
  y_4 = concatenate(p_3)
  return y_4
"""

from __future__ import annotations

import operator
from dataclasses import replace

from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.memory import references_in
from s2sad.ir.contents import calls_beyond_numbers
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Span, Value, function_of, operands_of
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ArrayType, TupleType
from s2sad.rules.core import VjpRule
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def split_tuple_operands(fn: Function) -> Function:
    """Write tuples of arrays that such functions are given as displays."""
    calls = calls_beyond_numbers(fn)
    displays = {call.result for call in calls if function_of(call) is make_tuple}
    split = {call for call in calls if any(_is_kept(operand, displays) for operand in operands_of(call)) and _has_rule(call)}
    if not split:
        return fn

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call) and operation in split:
                whole = {one: _display(operations, one, displays, operation.span) for one in operands_of(operation)}
                keywords = tuple((name, whole[operand]) for name, operand in operation.keywords)
                arguments = tuple(whole[operand] for operand in operation.arguments)
                operations.append(replace(operation, arguments=arguments, keywords=keywords))
            else:
                operations.append(map_blocks(operation, visit))
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


def _is_kept(operand: Operand, displays: set[Value]) -> bool:
    """Whether an operand is a tuple with arrays in it that is not made here."""
    if not isinstance(operand, Value) or not isinstance(operand.type, TupleType) or operand in displays:
        return False
    return any(isinstance(kind, ArrayType) for kind in references_in(operand.type).values())


def _has_rule(call: Call) -> bool:
    return isinstance(call.function, Constant) and isinstance(rule_of_call(call)[0], VjpRule)


def _display(operations: list[Operation], operand: Operand, displays: set[Value], span: Span | None) -> Operand:
    """The operand, made of its elements."""
    if not _is_kept(operand, displays):
        return operand
    assert isinstance(operand, Value)
    assert isinstance(operand.type, TupleType)
    parts: list[Operand] = []
    for index, kind in enumerate(operand.type.elements):
        part = Value("", kind, temporary=True)
        operations.append(Call(part, Constant(operator.getitem), (operand, Constant(index)), (), span))
        parts.append(_display(operations, part, displays, span))
    whole = Value(operand.name, operand.type, temporary=True)
    operations.append(Call(whole, Constant(make_tuple), tuple(parts), (), span))
    return whole
