"""Adjoint code in which a sum along an axis is zero, whatever the numbers are: what it is added to is not added to.

What is subtracted from all elements of a row has no influence where the rest does not change when a row is shifted (the maximum
in a softmax, the mean in a variance): its adjoint is a sum that cancels.

Before::

    s = np.sum(e, axis=1, keepdims=True)
    z_sum ~= np.sum(z, axis=1, keepdims=True)
    t ~= sub(z, mul(truediv(z_sum, s), e))
    t_sum ~= np.sum(t, axis=1, keepdims=True)
    r ~= add(t, t_sum)

After::

    ...
    r ~= t.copy()

>>> import numpy
>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import ArrayType, Extent
>>> import s2sad.analysis.array_reductions  # declares what `np.sum` does
>>> matrix, column = ArrayType("float64", (Extent("n"), Extent("m"))), ArrayType("float64", (Extent("n"), 1))
>>> z, shifted, r = (Value(name, matrix) for name in ("z", "shifted", "r"))
>>> first, second, difference = (Value("", column) for _ in range(3))
>>> along = (("axis", Constant(1)), ("keepdims", Constant(True)))
>>> calls = (
...     Call(first, Constant(numpy.sum), (z,), along, exact=False),
...     Call(second, Constant(numpy.sum), (z,), along, exact=False),
...     Call(difference, Constant(operator.sub), (first, second), exact=False),
...     Call(r, Constant(operator.add), (z, difference), exact=False),
... )
>>> f = drop_vanishing_sums(Function("f", (Parameter(z),), Block(calls, Return(r))))
>>> f.body.operations[-1].arguments
(<z: float64[n, m]>, Constant('copy'))

A factor of zero says that the path carries no derivative: zero times infinity is zero there. Where the sum of the exact numbers
is zero, that of the rounded ones is noise, so what remains is more accurate.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from s2sad.ir.nodes import Block, Call, Constant, Function, Operation, Value
from s2sad.ir.operations import IN_PLACE, call_method
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import Expression, Expressions, is_float_array, is_nothing, summed_axis
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_alike, makes_view
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import map_blocks, with_body, with_operations


def drop_vanishing_sums(fn: Function) -> Function:
    """Add nothing where what would be added is zero."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Dropping(memory).visit(fn.body))


class _Dropping:
    def __init__(self, memory: ArrayMemory) -> None:
        self.memory = memory
        self.expressions = Expressions(memory)
        self.zeros: set[Value] = set()

    def visit(self, block: Block) -> Block:
        outside, self.expressions = self.expressions, Expressions(self.memory)
        operations: list[Operation] = []
        for operation in block.operations:
            if isinstance(operation, Call):
                new = self.simplified(operation)
                if self.vanishes(new, self.expressions.note(new)):
                    self.zeros.add(new.result)
                operations.append(new)
            else:
                operations.append(map_blocks(operation, self.visit))
                self.expressions.note(operation)
        self.expressions = outside
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def vanishes(self, call: Call, computed: Expression | None) -> bool:
        """Whether a call of adjoint code gives zeros, which nobody writes to; `computed` is what it computes, where known."""
        if call.exact or is_one_of(function_of(call), IN_PLACE) or self.memory.roots(call.result) & self.memory.written:
            return False
        if (makes_view(call) or _converts(call)) and call.arguments[0] in self.zeros:
            return True
        match symbol_of(call), call.arguments:
            case "neg", (first,) if first in self.zeros:
                return True
            case "*", (first, second) if first in self.zeros or second in self.zeros:
                return True
            case "/", (first, _) if first in self.zeros:
                return True
        is_known = symbol_of(call) is not None or summed_axis(call) is not None
        return is_known and is_float_array(call.result) and is_nothing(computed)

    def simplified(self, call: Call) -> Call:
        """The same without what is zero."""
        symbol = symbol_of(call)
        if call.exact or symbol not in ("+", "-") or len(call.arguments) != 2 or is_one_of(function_of(call), IN_PLACE):
            return call
        first, second = call.arguments
        if second in self.zeros and is_float_array(first) and is_alike(first, call.result):
            return replace(call, function=Constant(call_method), arguments=(first, Constant("copy")))
        if first in self.zeros and is_float_array(second) and is_alike(second, call.result):
            if symbol == "-":
                return replace(call, function=Constant(operator.neg), arguments=(second,))
            return replace(call, function=Constant(call_method), arguments=(second, Constant("copy")))
        return call


def _converts(call: Call) -> bool:
    """``x.astype("float32")``"""
    if function_of(call) is not call_method or len(call.arguments) != 3 or not is_float_array(call.result):
        return False
    return isinstance(call.arguments[1], Constant) and call.arguments[1].value == "astype"
