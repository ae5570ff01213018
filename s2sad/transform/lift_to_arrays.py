"""Code for one element as code for whole arrays.

Before, for numbers ``y`` and ``x``::

    c = truth(y)
    r = if c:
      t = truediv(0.5, y)
      yield t
    else:
      yield inf
    return r

After, for arrays::

    c = ne(y, 0)
    t = truediv(0.5, y)
    r = where(c, t, inf)
    return r

Both arms of a condition on elements are computed. A condition on numbers stays a condition. Functions of `math` become those of
NumPy with the same meaning; ``and``, ``or`` and ``not`` on elements become ``&``, ``|`` and ``~``.

>>> from s2sad.ir.nodes import Block, Call, Constant, Function, Parameter, Return, Value
>>> from s2sad.ir.types import FLOAT, ArrayType
>>> import math
>>> x, y = Value("x", FLOAT), Value("y", FLOAT)
>>> f = Function("f", (Parameter(x),), Block((Call(y, Constant(math.sin), (x,)),), Return(y)))
>>> lifted = lift_to_arrays(f, (ArrayType("float32", (3,)),)).body
>>> lifted.operations[0].function.value.__name__, str(lifted.operations[0].result.type)
('sin', 'float32[3]')
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_shapes import broadcast
from s2sad.analysis.array_types import type_of_operation
from s2sad.analysis.memory import joined_dtype
from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.nodes import (
    Block,
    Call,
    Constant,
    Function,
    If,
    Operand,
    Operation,
    Parameter,
    Return,
    Value,
    Yield,
)
from s2sad.ir.types import FLOAT, AnyType, ArrayType, ScalarType, Type
from s2sad.transform.rewrite import inline_function, is_same, replace_operands

_NAMES_IN_NUMPY: Final = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "fabs": "absolute",
    "pow": "power",
}
_SAME_NAMES: Final = (
    *(
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "degrees",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "fmod",
        "hypot",
        "isfinite",
        "isinf",
    ),
    *("isnan", "ldexp", "log", "log10", "log1p", "log2", "nextafter", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
#: Functions of numbers and what computes the same on arrays.
IN_NUMPY: Final[dict[object, Any]] = {
    **{getattr(math, name): getattr(np, name) for name in _SAME_NAMES if hasattr(math, name)},
    **{getattr(math, old): getattr(np, new) for old, new in _NAMES_IN_NUMPY.items()},
    builtins.abs: builtins.abs,
    builtins.pow: operator.pow,
}
#: How a function of NumPy is written where an operand is an array for certain.
_AS_OPERATOR: Final[dict[object, Any]] = {
    np.divide: operator.truediv,
    np.floor_divide: operator.floordiv,
    np.power: operator.pow,
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.itruediv: operator.truediv,
}
_OPERATORS: Final = frozenset(
    {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.neg}
    | {operator.pos, operator.abs, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
)
_ELEMENTWISE: Final = frozenset(
    {np.where, np.clip, np.sinc, np.i0, runtime.digamma, runtime.polygamma, runtime.bessel_i, builtins.abs}
)
_TRUTH: Final = (operator.truth, builtins.bool)


class NotElementwiseError(Exception):
    """The code does something that is no function of elements."""

    def __init__(self, function: object) -> None:
        super().__init__(getattr(function, "__name__", str(function)))


def lift_to_arrays(function: Function, kinds: Sequence[Type]) -> Function:
    """The function of elements as a function of operands of these types. Raises `NotElementwiseError`."""
    parameters = tuple(
        Value(parameter.value.name, kind, parameter.value.temporary)
        for parameter, kind in zip(function.parameters, kinds, strict=True)
    )
    operations, value = inline_function(function, parameters)
    lifting = _Lifting()
    lifting.visit(operations)
    body = Block(tuple(lifting.operations), Return(lifting.new(value)))
    return Function(function.name, tuple(map(Parameter, parameters)), body, (), function.span)


class _Lifting:
    """`is_masked`: the code runs for elements that it is not meant for, so nothing in it may raise."""

    def __init__(self, known: dict[Value, Operand] | None = None, is_masked: bool = False) -> None:
        self.known = {} if known is None else known
        self.is_masked = is_masked
        self.operations: list[Operation] = []

    def new(self, operand: Operand) -> Operand:
        return self.known.get(operand, operand) if isinstance(operand, Value) else operand

    def emit(self, function: Any, *arguments: Operand, name: str = "") -> Value:
        result = Value(name, _type_of_result(function, arguments), temporary=True)
        self.operations.append(Call(result, Constant(function), arguments, exact=False))
        return result

    def visit(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            operation = replace_operands(operation, self.known)
            match operation:
                case Call() if any(map(_is_array, operation.arguments)) or self.is_masked:
                    self.visit_call(operation)
                case Call():
                    self.operations.append(operation)
                case If() if _is_array(operation.condition):
                    self.visit_masked(operation)
                case If():
                    self.visit_condition(operation)
                case _:
                    raise NotElementwiseError("a loop")

    def visit_call(self, call: Call) -> None:
        assert isinstance(call.function, Constant)
        function: Any = call.function.value
        arguments = call.arguments
        if function in _TRUTH:
            self.known[call.result] = self.truth(arguments[0])
        elif function is operator.not_:
            self.known[call.result] = self.opposite(arguments[0])
        elif not any(map(_is_array, arguments)) and function not in IN_NUMPY:
            self.operations.append(call)
        elif function is builtins.float and len(arguments) == 1:
            self.known[call.result] = arguments[0]
        else:
            certain = any(_is_array(operand) and not _may_be_number(operand) for operand in arguments)
            function = IN_NUMPY.get(function, function)
            function = _AS_OPERATOR.get(function, function) if certain else function
            if call.keywords or not (function in _OPERATORS or function in _ELEMENTWISE or isinstance(function, np.ufunc)):
                raise NotElementwiseError(function)
            if isinstance(function, np.ufunc) and len(arguments) != function.nin:
                raise NotElementwiseError(function)
            self.known[call.result] = self.emit(function, *arguments, name=call.result.name)

    def truth(self, operand: Operand) -> Operand:
        """Where the elements are not zero."""
        if _kind_of(operand) == "bool" and isinstance(operand, Value):
            return operand
        return self.emit(operator.ne, operand, Constant(0))

    def opposite(self, operand: Operand) -> Operand:
        """Where the elements are zero."""
        if _kind_of(operand) != "bool":
            return self.emit(operator.eq, operand, Constant(0))
        return self.emit(np.logical_not if _may_be_number(operand) else operator.invert, operand)

    def visit_masked(self, node: If) -> None:
        """Both arms, and what each element takes of them."""
        condition = self.truth(node.condition)
        arms = []
        for arm in (node.then, node.orelse):
            inner = _Lifting(self.known, is_masked=True)
            inner.visit(arm.operations)
            self.operations += inner.operations
            if not isinstance(arm.terminator, Yield):
                raise NotElementwiseError("raise")
            arms.append([self.new(value) for value in arm.terminator.values])
        for result, first, second in zip(node.results, *arms, strict=True):
            self.known[result] = self.select(condition, first, second, result.name)

    def select(self, condition: Operand, first: Operand, second: Operand, name: str) -> Operand:
        """``first if condition else second``, element by element."""
        if is_same(first, second):
            return first
        if _kind_of(first) == _kind_of(second) == "bool":
            if isinstance(first, Constant):
                return self.emit(operator.or_, condition if first.value else self.opposite(condition), second)
            if isinstance(second, Constant):
                return self.emit(operator.and_, self.opposite(condition) if second.value else condition, first)
        return self.emit(np.where, condition, first, second, name=name)

    def visit_condition(self, node: If) -> None:
        """A condition on numbers."""
        blocks, arms = [], []
        for arm in (node.then, node.orelse):
            inner = _Lifting(self.known, self.is_masked)
            inner.visit(arm.operations)
            end = replace_operands(arm.terminator, self.known)
            blocks.append(Block(tuple(inner.operations), end))
            arms.append(end.values if isinstance(end, Yield) else None)
        results = []
        for index, result in enumerate(node.results):
            parts = [values[index] for values in arms if values is not None]
            lifted = Value(result.name, _either(parts), temporary=True) if any(map(_is_array, parts)) else result
            self.known[result] = lifted
            results.append(lifted)
        self.operations.append(If(node.condition, blocks[0], blocks[1], tuple(results), node.span))


def _is_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ArrayType)


def _may_be_number(operand: Operand) -> bool:
    """Whether an array's rank is not known, so that it may be a Python number."""
    return not (isinstance(operand, Value) and isinstance(operand.type, ArrayType) and operand.type.shape is not None)


def _kind_of(operand: Operand) -> str:
    if isinstance(operand, Value):
        return operand.type.kind if isinstance(operand.type, (ArrayType, ScalarType)) else "float"
    return type(operand.value).__name__


# --- Types ------------------------------------------------------------------------------------------------------------------


def _type_of_result(function: Any, arguments: Sequence[Operand]) -> Type:
    """The type that an elementwise operation gives."""
    kind = type_of_operation(function, arguments)
    if not isinstance(kind, AnyType):
        return kind
    shapes = [operand.type.shape for operand in arguments if isinstance(operand, Value) and isinstance(operand.type, ArrayType)]
    known = [shape for shape in shapes if shape is not None]
    return ArrayType("float64", broadcast(*known) if len(known) == len(shapes) else None)


def _either(operands: Sequence[Operand]) -> Type:
    """The type of a value that is one of these."""
    kinds = {_type_of(operand) for operand in operands}
    if len(kinds) == 1:
        return kinds.pop()
    found = [kind for kind in kinds if isinstance(kind, (ScalarType, ArrayType))]
    names = [kind.dtype for kind in found if kind.dtype] or [kind.kind for kind in found]
    if any(kind == FLOAT for kind in found) and not any(name.startswith("float") for name in names):
        names.append("float64")
    return ArrayType(functools.reduce(joined_dtype, sorted(names)), None)


def _type_of(operand: Operand) -> Type:
    return operand.type if isinstance(operand, Value) else type_of_constant(operand)
