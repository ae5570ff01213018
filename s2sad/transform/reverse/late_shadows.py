"""How the shadow of a container that the reverse sweep alone needs is made there.

=============================  ==============================
forward, in a loop             reverse
=============================  ==============================
``dx = np.empty(n)``           ``dx_bar = np.zeros(n)``
``flux = np.zeros_like(u)``    ``flux_bar = np.zeros_like(u)``
``u = x * y``                  ``u_bar = zeros_like(u)``
``force = [0.0] * n``          ``force_bar = [0.0] * n``
``items = list(xs)``           ``items_bar = [0.0] * len(items)``
=============================  ==============================

Most of them ask nothing of the container itself, which need not be saved for its shape or length.
"""

from __future__ import annotations

import operator
from collections.abc import Container
from typing import Final

import numpy as np

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Call, Constant, Function, Operand, Operation, Span, Value, walk
from s2sad.ir.operations import make_list
from s2sad.ir.types import INT, ArrayType, ListType, ScalarType, TupleType
from s2sad.transform.resized_containers import regions_resized
from s2sad.transform.reverse.frames import maker_of_zeros, maker_of_zeros_for_argument

_OF_SHAPE: Final = (np.empty, np.zeros, np.ones, np.full)
_ALIKE: Final = (np.empty_like, np.zeros_like, np.ones_like, np.full_like)


def zeros_for(
    value: Value, shadow: Value, structure: Structure, resized: Container[int], captured: Container[Value] = ()
) -> list[Operation]:
    """The operations that make the late shadow of a value, in terms of the primal's values. `resized`: the regions of lists whose
    lengths change; `captured`: parameters that are no arguments."""
    kind = value.type
    if isinstance(kind, ListType) and isinstance(kind.element, ScalarType):
        definition = structure.definition[value]
        length = length_when_made(definition, structure) if kind.region not in resized and isinstance(definition, Call) else None
        return zeros_in_list(value, shadow, kind, length)
    is_argument = structure.definition[value] is None and value not in captured
    maker = maker_of_zeros_for_argument if is_argument else maker_of_zeros
    function, operand = _without_the_array(value, structure) or (maker(kind), value)
    return [Call(shadow, Constant(function), (operand,), (), None, exact=False)]


def zeros_in_list(
    value: Value, shadow: Value, kind: ListType, length: Operand | None = None, span: Span | None = None
) -> list[Operation]:
    """The operations that make the shadow of a list of numbers: ``[0.0] * length``."""
    zero = Value("", ListType(kind.element, 0), temporary=True)
    made: list[Operation] = [Call(zero, Constant(make_list), (Constant(0.0),), (), span, exact=False)]
    if length is None:
        length = Value("", INT, temporary=True)
        made.append(Call(length, Constant(len), (value,), (), span, exact=False))
    return [*made, Call(shadow, Constant(operator.mul), (zero, length), (), span, exact=False)]


def length_when_made(definition: Call, structure: Structure) -> Operand | None:
    """The length of the list that ``[a, b]`` or ``[a] * n`` makes."""
    function = definition.function.value if isinstance(definition.function, Constant) else None
    if function is make_list:
        return Constant(len(definition.arguments))
    if function is operator.mul:
        for listed, count in (definition.arguments, definition.arguments[::-1]):
            made = structure.definition.get(listed) if isinstance(listed, Value) else None
            if isinstance(made, Call) and _is_single(made) and _is_count(count):
                return count
    return None


def _is_single(made: Call) -> bool:
    """Whether a call makes a list of one element."""
    return isinstance(made.function, Constant) and made.function.value is make_list and len(made.arguments) == 1


def _is_count(operand: Operand) -> bool:
    return type(operand.value) is int if isinstance(operand, Constant) else operand.type == INT


def find_resized(function: Function) -> frozenset[int]:
    """The regions of lists whose lengths change in a function."""
    calls = [node for node in walk(function.body) if isinstance(node, Call)]
    return frozenset(region for call in calls for region in regions_resized(call))


def _without_the_array(value: Value, structure: Structure) -> tuple[object, Operand] | None:
    """What makes zeros in the shape of an array that a loop makes anew: a function, and its operand."""
    definition = structure.definition[value]
    if structure.depth[structure.home[value]] == 0 or not isinstance(definition, Call) or definition.result is not value:
        return None
    function = definition.function.value if isinstance(definition.function, Constant) else None
    if not isinstance(value.type, ArrayType) or value.type.dtype != "float64" or definition.keywords or not definition.arguments:
        return None
    operand = definition.arguments[0]
    if function in _OF_SHAPE:
        return (np.zeros, operand) if _is_shape(operand) else None
    if function in _ALIKE and isinstance(operand, Value) and isinstance(operand.type, ArrayType):
        return (np.zeros_like, operand) if operand.type.dtype == "float64" else None
    return None


def _is_shape(operand: Operand) -> bool:
    """Whether an operand is a number or a tuple, which nobody changes."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, (int, tuple))
    return isinstance(operand.type, (ScalarType, TupleType))
