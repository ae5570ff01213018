"""Which calls on arrays take longer than to keep their result in memory: products of matrices, powers, and sums along an axis,
whose result is small besides what is added up.

>>> from s2sad.ir.types import Extent
>>> vector = ArrayType("float64", (Extent("n"),))
>>> x, y = Value("x", vector), Value("y", vector)
>>> [takes_effort(Call(y, Constant(operator.pow), (x, Constant(exponent)))) for exponent in (1.5, 2)]
[True, False]
"""

from __future__ import annotations

import operator
from typing import Final

import numpy as np

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, ScalarType
from s2sad.transform.purity import function_of, is_one_of

#: NumPy computes these powers by one multiplication, division or square root for each element.
_PLAIN_POWERS: Final = (-1, 0, 0.5, 1, 2)
_POWERS: Final[frozenset[object]] = frozenset({operator.pow, np.power, np.float_power})
_COSTLY: Final[frozenset[object]] = frozenset(
    {operator.matmul, np.matmul, np.dot, np.einsum, np.tensordot, np.inner, np.kron, np.convolve, np.correlate, np.cumprod}
    | {np.sort, np.argsort, np.hypot, np.arctan2, np.cbrt, np.logaddexp, np.arcsinh, np.arccosh, np.arctanh}
    | {np.linalg.solve, np.linalg.inv, np.linalg.det, np.linalg.cholesky, np.linalg.norm, np.linalg.lstsq, np.linalg.pinv}
    | {np.linalg.slogdet, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.svd, np.linalg.qr, np.linalg.matrix_power}
)
_METHODS: Final = frozenset({"dot"})
_REDUCTIONS: Final[frozenset[object]] = frozenset(
    {np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin, np.std, np.var, np.ptp, np.median}
)
_REDUCING_METHODS: Final = frozenset({"sum", "mean", "prod", "max", "min", "std", "var"})


def takes_effort(call: Call) -> bool:
    """Whether the result of a call on arrays had better be kept than computed again."""
    if not any(map(_is_array, call.arguments)):
        return False
    function = function_of(call)
    name = call.arguments[1].value if function is call_method and isinstance(call.arguments[1], Constant) else None
    if is_one_of(function, _POWERS):
        exponent = call.arguments[1]
        return not (isinstance(exponent, Constant) and exponent.value in _PLAIN_POWERS)
    if is_one_of(function, _REDUCTIONS) or name in _REDUCING_METHODS:
        return _has_fewer_axes(call.result, call.arguments[0])
    return is_one_of(function, _COSTLY) or name in _METHODS


def _is_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ArrayType)


def _has_fewer_axes(result: Value, operand: Operand) -> bool:
    if isinstance(result.type, ScalarType):
        return True
    kinds = [result.type, operand.type if isinstance(operand, Value) else None]
    ranks = [
        sum(1 for length in kind.shape if length != 1) if isinstance(kind, ArrayType) and kind.shape is not None else None
        for kind in kinds
    ]
    return None not in ranks and ranks[0] < ranks[1]  # type: ignore[operator]
