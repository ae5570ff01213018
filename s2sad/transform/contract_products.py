"""Sums of products along an axis, without the array of the products.

Before::

    p ~= mul(a, d)
    s ~= np.sum(p, axis=2, keepdims=True)

After::

    t ~= np.einsum("ijk,ijk->ij", a, d)
    s ~= getitem(t, (slice(None), slice(None), None))

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import Extent
>>> import numpy
>>> import s2sad.analysis.array_reductions, s2sad.analysis.array_products  # declare what `np.sum` and `np.einsum` do
>>> n, m = Extent("n"), Extent("m")
>>> cube = ArrayType("float64", (n, m, 3), 1)
>>> a, d, p, s = Value("a", cube), Value("d", cube), Value("p", cube), Value("s", ArrayType("float64", (n, m)))
>>> calls = (
...     Call(p, Constant(operator.mul), (a, d), exact=False),
...     Call(s, Constant(numpy.sum), (p,), (("axis", Constant(2)),), exact=False),
... )
>>> f = contract_products(Function("f", (Parameter(a), Parameter(d)), Block(calls, Return(s))))
>>> f.body.operations[-1].arguments
(Constant('ijk,ijk->ij'), <a: float64[n, m, 3]>, <d: float64[n, m, 3]>)

The sum over an array of two axes that is not kept stays: Numba compiles it, and is fast.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Final

import numpy

from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE
from s2sad.ir.types import ArrayType
from s2sad.transform.accumulations import written_in
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import is_float_array, summed_axis
from s2sad.transform.array_memory import ArrayMemory, find_array_memory
from s2sad.transform.array_terms import dimensions
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations

_LETTERS: Final = "ijklmn"
#: What `einsum` is fast and accurate for.
_FAST: Final = ("float64", "float32")


def contract_products(fn: Function) -> Function:
    """Sum products as they are made."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Contracting(fn, memory).visit(fn.body))


class _Contracting:
    def __init__(self, fn: Function, memory: ArrayMemory) -> None:
        self.memory = memory
        self.uses = count_uses(fn)

    def visit(self, block: Block) -> Block:
        operations: list[Operation] = []
        products: dict[Value, Call] = {}
        for operation in block.operations:
            if not isinstance(operation, Call):
                operations.append(map_blocks(operation, self.visit))
            elif (found := self.contracted(operation, products)) is not None:
                product, new = found
                operations = [other for other in operations if other is not product]
                operations += new
            else:
                operations.append(operation)
            written = written_in(operation, self.memory)
            for value, product in [*products.items()]:
                if written & self.memory.read_by(product):
                    del products[value]
            if isinstance(operation, Call) and self.is_product(operation):
                products[operation.result] = operation
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def is_product(self, call: Call) -> bool:
        """Whether a call of adjoint code makes an array of products for one use."""
        if call.exact or symbol_of(call) != "*" or is_one_of(function_of(call), IN_PLACE) or self.uses.get(call.result) != 1:
            return False
        return all(_is_fast(operand, call.result) for operand in call.arguments)

    def contracted(self, call: Call, products: dict[Value, Call]) -> tuple[Call, list[Operation]] | None:
        """The product that a call sums, and the calls that stand for the sum."""
        summed = summed_axis(call) if not call.exact else None
        product = products.get(summed[0]) if summed is not None else None
        if summed is None or product is None or not _is_fast(call.result, summed[0]):
            return None
        array, axis, keeps = summed
        rank = dimensions(array)
        if axis is None or not 1 < rank <= len(_LETTERS) or (rank < 3 and not keeps):
            return None
        letters = _LETTERS[:rank]
        given = [letters[rank - dimensions(operand) :] for operand in product.arguments]
        if max(map(len, given)) < rank:
            return None
        rest = letters[:axis] + letters[axis + 1 :]
        pattern = Constant(f"{given[0]},{given[1]}->{rest}")
        made = replace(call, function=Constant(numpy.einsum), arguments=(pattern, *product.arguments), keywords=())
        if not keeps:
            return product, [made]
        kind = array.type
        assert isinstance(kind, ArrayType)
        shape = kind.shape or ()
        dropped = ArrayType(kind.dtype, (*shape[:axis], *shape[axis + 1 :]), 0, fixed=True)
        total = Value("", dropped, temporary=True)
        key = Constant((*(slice(None),) * axis, None) if axis else None)
        whole = Call(call.result, Constant(operator.getitem), (total, key), (), call.span, exact=False)
        return product, [replace(made, result=total), whole]


def _is_fast(operand: Operand, like: Value) -> bool:
    if not isinstance(operand, Value) or not is_float_array(operand) or not isinstance(like.type, ArrayType):
        return False
    return isinstance(operand.type, ArrayType) and operand.type.dtype == like.type.dtype and like.type.dtype in _FAST
