"""Arguments and gradients of a derivative: what may be asked for, what is copied, and in which type gradients come back."""

from __future__ import annotations

import inspect
import math
import operator
import types
from collections.abc import Sequence

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import NonDifferentiableError
from s2sad.ir.nodes import Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import AnyType, ListType, NoneType, OptionalType, ScalarType, Type, UnknownType
from s2sad.pipeline.split import emit
from s2sad.transform.reverse.shadows import own_region


def check_result(specialisation: Specialisation) -> None:
    """A gradient is of one real number."""
    kind = specialisation.result
    if isinstance(kind, OptionalType):
        kind = kind.inner
    if isinstance(kind, ScalarType) and kind.kind != "complex":
        return
    if isinstance(kind, AnyType | UnknownType):
        return
    what = "None" if isinstance(kind, NoneType) else str(kind)
    raise NonDifferentiableError(
        f"grad needs a function whose result is one real number, and {specialisation.definition.name}() gives {what}; "
        f"differentiate a function that returns the number of interest.\n{describe_place(specialisation.definition.span)}"
    )


def copies_of_changed(function: Function, specialisation: Specialisation) -> tuple[list[Operation], dict[Value, Value]]:
    """Statements that copy the arguments which the primal changes (the caller's stay as they are), and what stands for what."""
    changed = []
    for parameter in function.parameters:
        regions = references_in(parameter.value.type)
        if any(specialisation.written(region_number(specialisation, region)) for region in regions):
            changed.append(parameter.value)
    copies = {value: Value(value.name, value.type) for value in changed}
    operations: list[Operation] = []
    if len(changed) == 1 and isinstance(changed[0].type, ListType) and not references_in(changed[0].type.element):
        operations.append(Call(copies[changed[0]], Constant(call_method), (changed[0], Constant("copy"))))
    elif changed:
        together = emit(operations, runtime.copy_containers, *changed)
        for index, copy in enumerate(copies.values()):
            operations.append(Call(copy, Constant(operator.getitem), (together, Constant(index))))
    return operations, copies


def region_number(specialisation: Specialisation, region: int) -> int:
    """The number of a region of the typed function among those of the arguments."""
    numbers: dict[int, int] = {}
    for parameter, kind in zip(specialisation.function.parameters, specialisation.argument_types, strict=True):
        numbers.update(zip(references_in(parameter.value.type), references_in(kind), strict=False))
    return numbers.get(region, 0)


def slots_counted_before(
    specialisation: Specialisation, wanted: Sequence[tuple[int, tuple[int, ...]]]
) -> set[tuple[int, tuple[int, ...]]]:
    """One list passed as two arguments, and changed: its content at entry is one input, and the first slot has all of its
    gradient."""
    found: set[tuple[int, tuple[int, ...]]] = set()
    seen: list[dict[int, Type]] = []
    for slot in wanted:
        kind = specialisation.argument_types[slot[0]]
        regions = references_in(kind)
        for before in seen:
            common = [region for region in regions if region in before and specialisation.written(region)]
            if common and next(iter(regions)) == next(iter(before)):
                found.add(slot)
            elif common:
                raise NonDifferentiableError(
                    f"two arguments of {specialisation.definition.name}() share a list that the function changes; "
                    "pass a copy of it in one of them"
                )
        seen.append(regions)
    return found


def finish_gradient(operations: list[Operation], bar: Operand | None, value: Value, was_integer: bool) -> Operand:
    """The gradient in the argument's own type."""
    kind = value.type
    if bar is None:
        bar = emit(operations, runtime.zeros_like, value)
    if isinstance(kind, ScalarType) and kind.dtype:
        cls = getattr(np, kind.dtype) if kind.is_real else np.float64
        return emit(operations, cls, bar)
    if isinstance(kind, ScalarType) and was_integer and not isinstance(bar, Constant):
        return emit(operations, float, bar)
    if own_region(value) is not None and not (isinstance(kind, ListType) and isinstance(kind.element, ScalarType)):
        return emit(operations, runtime.as_gradient, bar, value)
    return bar


def literal_defaults(function: types.FunctionType) -> dict[str, Constant]:
    """The defaults that the text can show."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return {p.name: Constant(p.default) for p in parameters if is_literal(p.default)}


def is_literal(value: object) -> bool:
    """Whether a default can stand in a text."""
    return value is None or (type(value) in (bool, int, str)) or (type(value) is float and math.isfinite(value))
