"""Which calls make a list that nobody has seen before.

>>> import operator
>>> from s2sad.ir.nodes import Constant, Value
>>> from s2sad.ir.operations import make_list
>>> from s2sad.ir.types import FLOAT
>>> row, part = Value("row", ListType(FLOAT, 1)), Value("part", ListType(FLOAT, 2))
>>> makes_new_list(Call(row, Constant(make_list), ()))
True
>>> makes_new_list(Call(part, Constant(operator.getitem), (row, Constant(slice(1, None)))))
True
>>> makes_new_list(Call(row, Constant(operator.getitem), (Value("rows", ListType(row.type, 2)), Constant(0))))
False
"""

from __future__ import annotations

import operator

from s2sad.analysis.memory import references_in
from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import Call, Constant, Operand, function_of
from s2sad.ir.types import ListType, OpaqueType


def makes_new_list(call: Call) -> bool:
    """Whether the result of a call is a list that is made by it, and kept by nobody else."""
    if not isinstance(call.result.type, ListType):
        return False
    function = function_of(call)
    if function is operator.getitem:
        return _is_slice(call.arguments[1])
    if not isinstance(function, Callee):
        return effects_of(call).allocates
    unit = function.unit
    if not isinstance(unit, Specialisation) or not unit.complete or unit.outside or not isinstance(unit.result, ListType):
        return False
    given = {region for kind in unit.argument_types for region in references_in(kind)}
    held = {region for _, kind in unit.regions for region in references_in(kind)}
    return unit.result.region not in given | held


def _is_slice(key: Operand) -> bool:
    if isinstance(key, Constant):
        return isinstance(key.value, slice)
    return isinstance(key.type, OpaqueType) and key.type.cls is slice
