"""An array that is changed in place keeps its one value: what ``x += y`` gives is `x`.

Before::

    for i in range(n) carried (x_1 = x_bar):
      x_2 = iadd(x_1, t)
      yield x_2

After, when the carried value that never changes is gone too::

    for i in range(n):
      iadd(x_bar, t)

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import ArrayType, Extent
>>> import operator
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, y, z = Value("x", vector), Value("y", vector), Value("x", vector)
>>> f = Function("f", (Parameter(x), Parameter(y)), Block((Call(z, Constant(operator.iadd), (x, y)),), Return(z)))
>>> name_buffers_once(f).body.terminator.value is x
True

A variable of another name (``z = y; z += x``) keeps it, and so does one that belongs to an enclosing function.
"""

from __future__ import annotations

from s2sad.ir.contents import functions_called, nodes_of
from s2sad.ir.nodes import Call, Function, Operand, Value
from s2sad.ir.operations import IN_PLACE
from s2sad.transform.array_memory import is_array
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import count_uses, replace_operand, substitute_block, with_body


def name_buffers_once(fn: Function) -> Function:
    """Read the array itself instead of the result of changing it."""
    known: dict[Value, Operand] = {}
    if functions_called(fn).isdisjoint(IN_PLACE):
        return fn
    for node in nodes_of(fn):
        if not isinstance(node, Call) or not is_one_of(function_of(node), IN_PLACE) or not is_array(node.arguments[0]):
            continue
        target = replace_operand(node.arguments[0], known)
        assert isinstance(target, Value)
        is_one_name = target.name == node.result.name or "" in (target.name, node.result.name)
        if count_uses(fn).get(node.result) and is_one_name and target not in fn.captured:
            known[node.result] = target
    return with_body(fn, substitute_block(fn.body, known))
