"""Whether a loop changes the length of the list, or the keys of the dict, that it runs over."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2sad.analysis.specialisation import Specialisation
from s2sad.analysis.structure import Structure
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, For, Operand, Operation, Terminator, Value, function_of, operands_of, walk
from s2sad.ir.operations import call_method, make_list, unpack
from s2sad.ir.types import ArrayType, ListType, OptionalType, ScalarType, TupleType, Type
from s2sad.transform.reverse.shadows import own_region, regions_restructured_by
from s2sad.transform.reverse.unchanged import regions_written

if TYPE_CHECKING:
    from s2sad.transform.lower_iteration import Lowering

_RESIZING_METHODS = ("append", "pop", "insert", "extend", "remove", "clear", "popitem", "update", "setdefault")


def find_resizing_call(lowering: Lowering, loop: For) -> Call | None:
    """What in a loop may change the length of the list that it runs over."""
    regions = set(_regions_iterated(loop.iterable, lowering.structure))
    for node in walk(loop.body):
        if not isinstance(node, Call) or regions.isdisjoint(regions_resized(node)):
            continue
        receiver = node.arguments[0]
        if _sets_own_key(lowering, node, loop):
            continue
        if not _is_made_later(lowering, receiver, loop.iterable) and not _is_unused_before(lowering, receiver, loop):
            return node
    return None


def _sets_own_key(lowering: Lowering, call: Call, loop: For) -> bool:
    """Whether a call is ``d[k] = e`` where the loop runs over ``d.items()`` or ``d.keys()`` and `k` is its key: it is there."""
    if not isinstance(call.function, Constant) or call.function.value is not operator.setitem:
        return False
    owner, key = call.arguments[:2]
    made = _definition(lowering, loop.iterable)
    if made is None or function_of(made) is not call_method or made.arguments[0] is not owner:
        return False
    method = made.arguments[1].value if isinstance(made.arguments[1], Constant) else None
    if method == "keys":
        return key is loop.target
    taken = _definition(lowering, key)
    if method != "items" or taken is None or function_of(taken) is not operator.getitem:
        return False
    parts, place = taken.arguments
    unpacked = _definition(lowering, parts)
    pair = unpacked.arguments[0] if unpacked is not None and function_of(unpacked) is unpack else parts
    return pair is loop.target and isinstance(place, Constant) and place.value == 0


def _definition(lowering: Lowering, operand: Operand) -> Call | None:
    found = lowering.structure.definition.get(operand) if isinstance(operand, Value) else None
    return found if isinstance(found, Call) else None


def _is_unused_before(lowering: Lowering, receiver: Operand, loop: For) -> bool:
    """Whether nothing has used a list yet when a loop begins: so it is not what the loop runs over."""
    definition = lowering.structure.definition.get(receiver) if isinstance(receiver, Value) else None
    if not isinstance(definition, Call) or not isinstance(definition.function, Constant):
        return False
    start = next((place for node, place in lowering.order.items() if isinstance(node, For) and node.target is loop.target), None)
    if definition.function.value is not make_list or start is None:
        return False
    uses = [place for node, place in lowering.order.items() if place <= start and receiver in operands_of(node)]
    return not uses and lowering.order[definition] < start


def _is_made_later(lowering: Lowering, receiver: Operand, iterable: Operand) -> bool:
    """Whether a list is made after the name of another one was bound, so that they are two."""
    definition = lowering.structure.definition.get(receiver) if isinstance(receiver, Value) else None
    is_new = isinstance(definition, Call) and isinstance(definition.function, Constant) and definition.function.value is make_list
    if not is_new or definition is None or own_region(iterable) is None or not isinstance(iterable, Value):
        return False
    bound: Operation | Terminator | None = lowering.structure.definition[iterable]
    if bound is None:
        home = lowering.structure.home[iterable]
        bound = lowering.structure.owner[home][0] if home in lowering.structure.owner else None
    return bound is None or lowering.order[definition] > lowering.order[bound]


def without_none(operand: Operand) -> Type | None:
    """The type of an operand where it is not None."""
    kind = operand.type if isinstance(operand, Value) else None
    return kind.inner if isinstance(kind, OptionalType) else kind


def regions_resized(call: Call) -> set[int]:
    """The containers whose length a call may change."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if isinstance(function, Callee) and isinstance(function.unit, Specialisation):
        return regions_restructured_by(function.unit, call.arguments)
    if function is None or isinstance(function, Callee):
        return regions_written(call)
    label = call.arguments[1] if function is call_method else None
    resizes = isinstance(label, Constant) and label.value in _RESIZING_METHODS
    resizes = resizes or function in (operator.iadd, operator.imul, operator.ior, operator.delitem)
    if function is operator.setitem:
        owner, key = call.arguments[:2]
        is_index = isinstance(without_none(key), ScalarType) or (isinstance(key, Constant) and isinstance(key.value, int))
        resizes = not (isinstance(without_none(owner), ListType) and is_index)
    region = own_region(call.arguments[0]) if call.arguments else None
    return {region} if resizes and region is not None else set()


def _regions_iterated(iterable: Operand, structure: Structure) -> Sequence[int]:
    """The lists and dicts that a loop runs over: arrays and tuples keep their lengths."""
    if isinstance(without_none(iterable), (ArrayType, TupleType)):
        return []
    region = own_region(iterable)
    if region is not None:
        return [region]
    definition = structure.definition.get(iterable) if isinstance(iterable, Value) else None
    if isinstance(definition, Call):
        return [region for operand in definition.arguments for region in _regions_iterated(operand, structure)]
    return []
