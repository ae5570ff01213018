"""Products of matrices, in adjoint code: the identity is not multiplied by, and what is transposed twice is not transposed.

Before, the adjoint of ``np.trace(a @ b)``::

    eye = np.eye(c.shape[0], c.shape[1])
    a_bar = matmul(eye, transposed_b)

After::

    a_bar = transposed_b.copy()

>>> import numpy as np
>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import INT, ArrayType, Extent
>>> import operator
>>> square = ArrayType("float64", (Extent("n"), Extent("n")), fixed=True)
>>> x, n, eye, y = Value("x", square), Value("n", INT), Value("eye", square), Value("y", square)
>>> calls = (Call(eye, Constant(np.eye), (n, n), exact=False), Call(y, Constant(operator.matmul), (eye, x), exact=False))
>>> simplify_products(Function("f", (Parameter(x), Parameter(n)), Block(calls, Return(y)))).body.operations[1].arguments
(<x: float64[n, n]>, Constant('copy'))

Where the identity has a factor, the product has it: ``(s * eye) @ x`` is ``s * x``. A product with the identity is a copy, which
another pass takes away where nobody can tell.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping

import numpy as np

from s2sad.ir.contents import functions_called
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.purity import function_of
from s2sad.transform.rewrite import (
    map_blocks,
    replace_operands,
    with_body,
    with_operations,
)

_ONE = Constant(1.0)


def simplify_products(fn: Function) -> Function:
    """Leave out products with an identity matrix, and transposes of transposes."""
    if functions_called(fn).isdisjoint((getattr, operator.matmul)):
        return fn
    return with_body(fn, _Products().visit(fn.body))


class _Products:
    def __init__(self) -> None:
        self.known: dict[Value, Operand] = {}
        self.calls: dict[Value, Call] = {}

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        for operation in block.operations:
            operation = replace_operands(operation, self.known)
            if not isinstance(operation, Call):
                operations.append(map_blocks(operation, self.visit))
                continue
            new = operation if operation.exact else self.simplified(operation)
            if isinstance(new, Call):
                self.calls[new.result] = new
                operations.append(new)
            else:
                self.known[operation.result] = new
        end = map_blocks(replace_operands(block.terminator, self.known), self.visit)
        return with_operations(block, operations, end)

    def simplified(self, call: Call) -> Call | Operand:
        """A call that computes the same, or the operand that the result is."""
        function = function_of(call)
        if function is getattr and is_transpose(call):
            inner = self.calls.get(call.arguments[0]) if isinstance(call.arguments[0], Value) else None
            if inner is not None and is_transpose(inner) and _same(inner.arguments[0], call.result):
                return inner.arguments[0]
            return call
        if function is not operator.matmul:
            return call
        left, right = call.arguments
        for first, second in ((left, right), (right, left)):
            factor = self.factor_of_identity(first, self.calls)
            if factor is not None and _same(second, call.result):
                if factor is _ONE:  # a new array, as the product is
                    return Call(call.result, Constant(call_method), (second, Constant("copy")), (), call.span, exact=False)
                return Call(call.result, Constant(operator.mul), (factor, second), (), call.span, exact=False)
        return call

    def factor_of_identity(self, operand: Operand, calls: Mapping[Value, Call]) -> Operand | None:
        """The number that the identity matrix is multiplied by, if the operand is such a product."""
        call = calls.get(operand) if isinstance(operand, Value) else None
        if call is None:
            return None
        function = function_of(call)
        if function is np.eye and len(call.arguments) <= 2 and not call.keywords and _is_square(call.result):
            return _ONE
        if function is operator.mul:
            for number, matrix in (call.arguments, call.arguments[::-1]):
                if _is_number(number) and self.factor_of_identity(matrix, calls) is _ONE:
                    return _ONE if isinstance(number, Constant) and number.value == 1 else number
        return None


def is_transpose(call: Call) -> bool:
    """Whether it is ``x.T`` of a matrix that nobody writes to."""
    if function_of(call) is not getattr or len(call.arguments) != 2:
        return False
    name, kind = call.arguments[1], call.result.type
    is_matrix = isinstance(kind, ArrayType) and kind.fixed and kind.dimensions == 2
    return isinstance(name, Constant) and name.value == "T" and is_matrix


def _is_square(value: Value) -> bool:
    kind = value.type
    return isinstance(kind, ArrayType) and kind.shape is not None and kind.shape[0] == kind.shape[1] and None not in kind.shape


def _is_number(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return isinstance(operand.value, (int, float))
    return isinstance(operand.type, ScalarType)


def _same(operand: Operand, result: Value) -> bool:
    """Whether an array that nobody writes to is what another value is: of the same shape and dtype."""
    first, second = (operand.type if isinstance(operand, Value) else None), result.type
    if not isinstance(first, ArrayType) or not isinstance(second, ArrayType):
        return False
    known = first.shape is not None and None not in first.shape
    return known and first.fixed and second.fixed and (first.dtype, first.shape) == (second.dtype, second.shape)
