"""Which rule a call has: functions by identity, operators and methods of containers by the container's type."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Final

import numpy as np

from s2sad.ir.memo import remembered
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ArrayType, DictType, ListType, OptionalType, ScalarType
from s2sad.rules import container_rule, lookup
from s2sad.rules.core import Rule

#: How a ufunc computes, and in which precision: the derivative is that of the function all the same.
_OPTIONS_OF_UFUNCS: Final = frozenset({"dtype", "casting", "order", "subok"})


@remembered()
def rule_of_call(call: Call) -> tuple[Rule | None, tuple[Operand, ...], Mapping[str, Operand]]:
    """The rule of a call of a known function, and the arguments that the rule is for."""
    assert isinstance(call.function, Constant)
    function, arguments, keywords = call.function.value, call.arguments, dict(call.keywords)
    names = tuple(keywords)
    if function is call_method:
        name = arguments[1]
        assert isinstance(name, Constant)
        rest = (arguments[0], *arguments[2:])
        cls = np.ndarray if _is_numpy_number(arguments[0]) else container_class(arguments[0])
        return None if cls is object else container_rule(cls, name.value, len(rest), names), rest, keywords
    if function is getattr and container_class(arguments[0]) is np.ndarray:
        label = arguments[1].value if isinstance(arguments[1], Constant) else None
        return lookup(getattr(np.ndarray, str(label), None), 1), arguments[:1], {}
    if function in (operator.mul, operator.imul) and len(arguments) == 2 and container_class(arguments[1]) is list:
        arguments = (arguments[1], arguments[0])  # 3 * [x]
    cls = container_class(arguments[0]) if arguments else object
    if cls is not object:
        rule = container_rule(cls, function, len(arguments), names)
        if rule is not None:
            return rule, arguments, keywords
    if isinstance(function, np.ufunc) and not _OPTIONS_OF_UFUNCS.isdisjoint(keywords):
        keywords = {name: operand for name, operand in keywords.items() if name not in _OPTIONS_OF_UFUNCS}
    # of lists, NumPy makes arrays
    has_arrays = any(container_class(operand) is np.ndarray for operand in (call.result, *arguments, *keywords.values()))
    return lookup(function, len(arguments), keywords, has_arrays), arguments, keywords


def _is_numpy_number(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ScalarType) and bool(operand.type.dtype)


def container_class(operand: Operand) -> type:
    """The class of a list, dict or array, which have a region, else object."""
    kind = operand.type if isinstance(operand, Value) else None
    if isinstance(kind, OptionalType):
        kind = kind.inner
    if isinstance(kind, ArrayType):
        return np.ndarray
    return list if isinstance(kind, ListType) else dict if isinstance(kind, DictType) else object
