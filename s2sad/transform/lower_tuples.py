"""Tuples through which derivatives pass: unpacked, indexed, added and repeated, element by element."""

from __future__ import annotations

import copy
import dataclasses
import operator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.array_types import type_of_operation
from s2sad.analysis.simple_types import SLICE
from s2sad.ir.nodes import Call, Constant, Operand, Operation, Span, Value
from s2sad.ir.operations import make_list, make_tuple, unpack
from s2sad.ir.types import ArrayType, DictType, IteratorType, ListType, ObjectType, ScalarType, TupleType, Type
from s2sad.transform.resized_containers import without_none

if TYPE_CHECKING:
    from s2sad.transform.lower_iteration import Lowering


#: What makes a list of the elements of others.
_MAKING_LISTS: Final = (operator.getitem, operator.add, operator.mul, list, copy.copy)


def is_active_unpack(lowering: Lowering, call: Call) -> bool:
    return isinstance(call.function, Constant) and call.function.value is unpack and call.arguments[0] in lowering.activity


def lower_unpack(lowering: Lowering, call: Call, out: list[Operation]) -> None:
    """``a, b = x`` as ``(x[0], x[1])``."""
    iterable, before, *rest = call.arguments
    kind = without_none(iterable)
    kind = TupleType(places) if (places := places_of(kind)) is not None else kind
    assert isinstance(call.result.type, TupleType)
    assert isinstance(before, Constant)
    assert isinstance(before.value, int)
    after = rest[0].value if rest and isinstance(rest[0], Constant) else -1
    assert isinstance(after, int)
    if isinstance(kind, DictType):
        lowering.refuse_active_keys(kind, call.span)
    if isinstance(kind, IteratorType | DictType):
        out.append(call)
        return
    kinds = call.result.type.elements
    if isinstance(kind, ListType) and after < 0 and all(isinstance(part, ScalarType) for part in kinds):
        out.append(call)
        return
    if isinstance(kind, ListType) or (isinstance(kind, ArrayType) and after < 0):  # Python checks the length
        out.append(dataclasses.replace(call, result=Value("", call.result.type, temporary=True)))
    parts: list[Operand] = []
    for index in range(before.value):
        parts.append(emit_operation(out, operator.getitem, iterable, Constant(index), kind=kinds[index], span=call.span))
    if after >= 0:
        if isinstance(kind, TupleType):
            end = len(kind.elements) - after
            middle = [
                emit_operation(out, operator.getitem, iterable, Constant(i), kind=kind.elements[i], span=call.span)
                for i in range(before.value, end)
            ]
            parts.append(emit_operation(out, make_list, *middle, kind=kinds[before.value], span=call.span))
        else:
            end_index = Constant(-after) if after else Constant(None)
            part = emit_operation(out, slice, Constant(before.value), end_index, Constant(None), kind=SLICE, span=call.span)
            if isinstance(kind, ArrayType):  # the starred name takes a list of its elements
                middle_part = type_of_operation(operator.getitem, (iterable, part), region=kind.region)
                taken = emit_operation(out, operator.getitem, iterable, part, kind=middle_part, span=call.span)
                parts.append(emit_operation(out, list, taken, kind=kinds[before.value], span=call.span))
            else:
                parts.append(emit_operation(out, operator.getitem, iterable, part, kind=kinds[before.value], span=call.span))
        for index in range(after):
            place = Constant(index - after)
            parts.append(
                emit_operation(out, operator.getitem, iterable, place, kind=kinds[before.value + 1 + index], span=call.span)
            )
    out.append(Call(call.result, Constant(make_tuple), tuple(parts), (), call.span))


def places_of(kind: Type | None) -> tuple[Type, ...] | None:
    """What stands at the places of a list with a type for each of them."""
    return tuple(part for _, part in kind.fields) if isinstance(kind, ObjectType) and kind.cls is list else None


def takes_places(lowering: Lowering, call: Call) -> bool:
    """Whether elements of a list with a type for each place go into another list: ``xs[1:]``, ``xs + ys``, ``list(xs)``."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if not any(function is one for one in _MAKING_LISTS) or not isinstance(without_none(call.result), ListType):
        return False
    if function is operator.getitem and not _is_slice(call.arguments[1]):
        return False
    return any(places_of(without_none(operand)) is not None and operand in lowering.activity for operand in call.arguments)


def _is_slice(key: Operand) -> bool:
    return isinstance(key.value, slice) if isinstance(key, Constant) else key.type == SLICE


def with_plain_lists(lowering: Lowering, call: Call, out: list[Operation]) -> Call:
    """The call with ``[xs[0], xs[1]]`` in place of `xs`, a list with a type for each place."""
    assert isinstance(call.result.type, ListType)
    arguments: list[Operand] = []
    for operand in call.arguments:
        places = places_of(without_none(operand))
        if places is not None:
            parts = [
                emit_operation(out, operator.getitem, operand, Constant(index), kind=kind, span=call.span)
                for index, kind in enumerate(places)
            ]
            listed = ListType(call.result.type.element, next(lowering.regions))
            operand = emit_operation(out, make_list, *parts, kind=listed, span=call.span)
        arguments.append(operand)
    return dataclasses.replace(call, arguments=tuple(arguments))


def is_indexed_tuple(lowering: Lowering, call: Call) -> bool:
    """``t[i]`` where only the running program knows which element of active ones that is."""
    if not isinstance(call.function, Constant) or call.function.value is not operator.getitem:
        return False
    if call.result not in lowering.activity:
        return False
    owner, index = call.arguments
    return isinstance(without_none(owner), TupleType) and isinstance(index, Value) and _slice_of(lowering, call) is None


def is_tuple_arithmetic(lowering: Lowering, call: Call) -> bool:
    """``t + u`` and ``t[a:b]`` on tuples of active numbers."""
    if not isinstance(call.function, Constant) or call.result not in lowering.activity:
        return False
    if not isinstance(without_none(call.result), TupleType):
        return False
    function = call.function.value
    if function in (operator.add, operator.iadd):
        return all(isinstance(without_none(operand), TupleType) for operand in call.arguments)
    if function in (operator.mul, operator.imul):
        return isinstance(without_none(call.arguments[0]), TupleType)
    return (
        function is operator.getitem
        and isinstance(without_none(call.arguments[0]), TupleType)
        and _slice_of(lowering, call) is not None
    )


def _slice_of(lowering: Lowering, call: Call) -> slice | None:
    """The slice that a tuple is indexed with, where it is known."""
    key = call.arguments[1]
    if isinstance(key, Constant):
        return key.value if isinstance(key.value, slice) else None
    definition = lowering.structure.definition.get(key)
    if (
        not isinstance(definition, Call)
        or not isinstance(definition.function, Constant)
        or definition.function.value is not slice
    ):
        return None
    if not all(isinstance(operand, Constant) for operand in definition.arguments):
        return None
    return slice(*(operand.value for operand in definition.arguments if isinstance(operand, Constant)))


def lower_tuple_arithmetic(lowering: Lowering, call: Call, out: list[Operation]) -> None:
    """The tuple made of elements of others."""
    assert isinstance(call.function, Constant)
    picks: list[tuple[Operand, int]] = []
    part = _slice_of(lowering, call) if call.function.value is operator.getitem else None
    for operand in call.arguments:
        kind = without_none(operand)
        if isinstance(kind, TupleType):
            picks.extend((operand, index) for index in range(len(kind.elements)))
    if part is not None:
        picks = picks[part]
    if call.function.value in (operator.mul, operator.imul) and isinstance(call.arguments[1], Constant):
        count = call.arguments[1].value
        assert isinstance(count, int)
        picks = picks * count
    parts = []
    for owner, index in picks:
        kind = without_none(owner)
        assert isinstance(kind, TupleType)
        parts.append(emit_operation(out, operator.getitem, owner, Constant(index), kind=kind.elements[index], span=call.span))
    out.append(Call(call.result, Constant(make_tuple), tuple(parts), (), call.span))


def emit_operation(out: list[Operation], function: object, *arguments: Operand, kind: Type, span: Span | None) -> Value:
    """Append a call; its result."""
    result = Value("", kind, temporary=True)
    out.append(Call(result, Constant(function), arguments, (), span))
    return result
