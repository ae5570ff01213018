"""Containers and objects that are handed to something which is not followed, and may be changed by way of it.

::

    values = []
    queue = deque([values])
    queue[0].append(x)
    return values[0]

Where such a container is read and nothing was seen to be put there, anything may be there: not nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from s2sad.analysis.activity_calls import OF_FIRST, OVER_ELEMENTS
from s2sad.analysis.activity_items import may_be_changed
from s2sad.analysis.memory import KEY, VALUE, Memory
from s2sad.analysis.method_types import fill_unknown
from s2sad.ir.nodes import Call, Constant, arguments_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import (
    ANY,
    AnyType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

Reference = ListType | DictType | ObjectType

#: What they give of something that is followed is, too.
_FOLLOWED: Final = {super, *OF_FIRST, *(OVER_ELEMENTS - {iter, set})}


def note_given_away(inference: Inference, call: Call) -> None:
    """What a call of something that is not a function of the user puts into an object which is not followed."""
    kinds = [inference.type_of(operand) for operand in arguments_of(call)]
    given = [kind for kind in kinds if not isinstance(kind, (UnknownType, OpaqueType, AnyType)) and any(_references_in(kind))]
    if not given:
        return
    resolution = inference.resolutions[call]
    function, label = resolution.function, call.arguments[1] if len(call.arguments) > 1 else None
    if function is call_method and isinstance(call.arguments[0], Constant) and isinstance(label, Constant):  # of a module
        function = getattr(call.arguments[0].value, str(label.value), None)
    if str(getattr(function, "__module__", "")).startswith("s2sad."):  # displays, and functions of the run time
        return
    is_open = function not in _FOLLOWED or (function is getattr and isinstance(label, Constant) and label.value == "__dict__")
    into_object = isinstance(strip_optional(kinds[0]), (OpaqueType, AnyType)) and may_be_changed(kinds[0])
    if into_object or (is_open and may_be_changed(resolution.kind)):
        for kind in given:
            inference.memory.give_away(kind)


def fill_given_away(inference: Inference) -> bool:
    """Let what was given away hold anything where nothing is known to be in it. Whether that is news."""
    memory = inference.memory
    reached = _reached(memory)
    for kind in reached.values():
        if isinstance(kind, ListType | DictType):
            fill_unknown(memory, kind)
    for call, resolution in inference.resolutions.items():
        if not isinstance(resolution.kind, UnknownType) or not call.arguments or resolution.specialisation is not None:
            continue
        owner = strip_optional(inference.type_of(call.arguments[0]))
        if not isinstance(owner, (DictType, ObjectType)) or memory.find(owner.region) not in reached:
            continue
        if isinstance(owner, ObjectType):
            memory.lose_attributes(owner.region)
        elif isinstance(memory.load(owner.region, VALUE), UnknownType):
            memory.store(owner.region, KEY, ANY)
            memory.store(owner.region, VALUE, ANY)
            memory.mark(owner.region, "restructured")
    return memory.changed


def given_away_by(inference: Inference, numbers: Mapping[int, int]) -> tuple[Reference, ...]:
    """What a function gives away of the regions that its callers see, which have these numbers there."""
    reached = _reached(inference.memory)
    return tuple(replace(reached[root], region=number) for root, number in sorted(numbers.items()) if root in reached)


def _reached(memory: Memory) -> dict[int, Reference]:
    """All that was given away, and what is in it."""
    reached: dict[int, Reference] = {}
    pending: list[Type] = [*memory.given_away.values()]
    while pending:
        for kind in _references_in(pending.pop()):
            root = memory.find(kind.region)
            if root not in reached:
                reached[root] = cast("Reference", memory.with_roots(kind))
                pending.extend(memory.content[root].values())
    return reached


def _references_in(kind: Type) -> Iterator[Reference]:
    """The containers and objects that a type names, without what they hold."""
    match kind:
        case ListType() | DictType() | ObjectType():
            yield kind
        case TupleType(elements=parts) | FunctionType(captured=parts):
            for part in parts:
                yield from _references_in(part)
        case OptionalType(inner=inner) | IteratorType(element=inner):
            yield from _references_in(inner)
