"""Lists and tuples of numbers become arrays, where a function on arrays takes them for such.

Before::                                 After::

    weights = make_list(1.0, 2.0)            weights = make_list(1.0, 2.0)
    s = dot(x, weights)                      array = np.array(weights)
                                             s = dot(x, array)

NumPy does the same in the function. Rules read shapes and elements of their operands, and add adjoints to them as to arrays:
this is what the operands of operators, ufuncs and functions that work element by element are, and the parameters of another rule
that are annotated as `Array`; in one annotated as `Arrays`, a sequence of them, each element is.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.printer import print_function
>>> from s2sad.ir.types import FLOAT
>>> vector = ArrayType("float64", (2,))
>>> x, w, y = Value("x", vector), Value("w", TupleType((FLOAT, FLOAT))), Value("y", vector)
>>> body = Block((Call(y, Constant(operator.mul), (x, w)),), Return(y))
>>> print(print_function(make_arrays(Function("f", (Parameter(x), Parameter(w)), body), Activity(frozenset()))))
def f(x, w):
  array_1 = array(w)
  y_2 = mul(x, array_1)
  return y_2
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from s2sad.analysis.activity import Activity
from s2sad.analysis.applicable_rules import rule_of_call
from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.array_types import UFUNCS, UFUNCS_IN_PLACE, takes_sequences, type_of_operation
from s2sad.ir.contents import calls_beyond_numbers
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Span, Value
from s2sad.ir.operations import make_list, make_tuple
from s2sad.ir.types import ArrayType, ListType, ScalarType, TupleType
from s2sad.rules.core import BodyRule, PointwiseRule
from s2sad.transform.array_memory import is_at, may_be_array
from s2sad.transform.purity import function_of, is_one_of
from s2sad.transform.rewrite import find_definitions, map_blocks, with_body, with_operations

#: How the rules annotate an operand that NumPy makes an array of, and a sequence of such operands.
_ARRAY: Final = "Array"
_ARRAYS: Final = "Arrays"


def make_arrays(fn: Function, active: Activity) -> Function:
    """See the module's docstring. Calls of functions that have nothing to do with what is `active` stay as they are."""
    definitions = find_definitions(fn)
    calls = [call for call in calls_beyond_numbers(fn) if any(map(_is_sequence, _operands_of(call)))]
    roles = {call: found for call in calls if (found := dict(_roles(call, active)))}
    if not roles:
        return fn

    def visit(block: Block) -> Block:
        operations: list[Operation] = []
        for node in block.operations:
            if isinstance(node, Call) and node in roles:
                made = _Conversion(node, definitions, operations)
                node = made.apply(roles[node])
            operations.append(map_blocks(node, visit))
        return with_operations(block, operations, map_blocks(block.terminator, visit))

    return with_body(fn, visit(fn.body))


def _operands_of(call: Call) -> Iterator[Operand]:
    yield from call.arguments
    yield from (operand for _, operand in call.keywords)


def _is_sequence(operand: Operand) -> bool:
    """Whether an operand is a list or tuple that a function on arrays makes an array of."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, tuple)
    return isinstance(operand.type, (ListType, TupleType))


def _roles(call: Call, active: Activity) -> Iterator[tuple[Operand, str]]:
    """The lists and tuples that count as arrays, or as sequences of arrays."""
    function = function_of(call)
    if is_one_of(function, UFUNCS):
        others = call.arguments[:1] if is_one_of(function, UFUNCS_IN_PLACE) else call.arguments
        if any(map(may_be_array, others)) or takes_sequences(function, [type_of_operand(operand) for operand in call.arguments]):
            yield from ((operand, _ARRAY) for operand in call.arguments if _is_sequence(operand))
        return
    is_store = (function is operator.setitem or is_at(function)) and len(call.arguments) > 2
    if is_store and may_be_array(call.arguments[0]) and _is_sequence(call.arguments[2]):
        yield call.arguments[2], _ARRAY
    if function is None or not (call.result in active or any(operand in active for operand in _operands_of(call))):
        return
    if isinstance(function, np.ufunc):
        yield from ((operand, _ARRAY) for operand in call.arguments[: function.nin] if _is_sequence(operand))
        return
    rule, arguments, keywords = rule_of_call(call)
    if not isinstance(rule, BodyRule):
        return
    parameters = inspect.signature(rule.body).parameters
    names = list(parameters)[type(rule).leading :]
    given = [*zip(names, arguments, strict=False), *keywords.items()]
    works_by_element = isinstance(rule, PointwiseRule) and getattr(function, "__module__", None) == np.__name__
    for name, operand in given:
        annotation = parameters[name].annotation if name in parameters else None
        annotation = _ARRAY if works_by_element else annotation
        if annotation in (_ARRAY, _ARRAYS) and _is_sequence(operand):
            yield operand, annotation


@dataclass
class _Conversion:
    """The operations before one call."""

    call: Call
    definitions: Mapping[Value, Call]
    operations: list[Operation]
    made: dict[Operand, Operand] = field(default_factory=dict)

    def apply(self, roles: dict[Operand, str]) -> Call:
        """The call of arrays."""
        new = {operand: self.array(operand) if role == _ARRAY else self.arrays(operand) for operand, role in roles.items()}
        arguments = tuple(new.get(operand, operand) for operand in self.call.arguments)
        keywords = tuple((name, new.get(operand, operand)) for name, operand in self.call.keywords)
        return replace(self.call, arguments=arguments, keywords=keywords)

    def array(self, operand: Operand) -> Operand:
        """``np.array(operand)``"""
        if operand not in self.made:
            kind = type_of_operation(np.array, (operand,))
            kind = replace(kind, region=0, fixed=True) if isinstance(kind, ArrayType) else kind
            self.made[operand] = result = Value("array", kind, temporary=True)
            self._emit(result, np.array, operand)
        return self.made[operand]

    def arrays(self, operand: Operand) -> Operand:
        """A display in which each element is an array or a number."""
        display = self.definitions.get(operand) if isinstance(operand, Value) else None
        function = display.function.value if display is not None and isinstance(display.function, Constant) else None
        if display is None or function not in (make_tuple, make_list) or not any(map(_is_sequence, display.arguments)):
            return operand
        parts = tuple(self.array(part) if _is_sequence(part) else part for part in display.arguments)
        kinds = tuple(part.type if isinstance(part, Value) else ScalarType("float") for part in parts)
        result = Value("", TupleType(kinds), temporary=True)
        self._emit(result, make_tuple, *parts)
        return result

    def _emit(self, result: Value, function: object, *arguments: Operand) -> None:
        span: Span | None = self.call.span
        self.operations.append(Call(result, Constant(function), arguments, (), span))
