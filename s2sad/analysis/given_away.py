"""Containers and objects that are handed to something which is not followed, and may be changed by way of it.

::

    values = []
    queue = deque([values])
    queue[0].append(x)
    return values[0]

Where such a container is read and nothing was seen to be put there, anything may be there: not nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from s2sad.analysis.activity_calls import OF_FIRST, OVER_ELEMENTS, may_change_what_it_is_given
from s2sad.analysis.activity_items import may_be_changed
from s2sad.analysis.memory import KEY, VALUE, Memory, references_in, renumber
from s2sad.analysis.method_types import fill_unknown
from s2sad.ir.nodes import Call, Constant, arguments_of
from s2sad.ir.operations import call_method
from s2sad.ir.types import (
    ANY,
    AnyType,
    ArrayType,
    DictType,
    ListType,
    ObjectType,
    OpaqueType,
    Type,
    UnknownType,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

#: What they give of something that is followed is, too.
_FOLLOWED: Final = {super, *OF_FIRST, *(OVER_ELEMENTS - {iter, set})}


def note_given_away(inference: Inference, call: Call) -> None:
    """What a call of something that is not a function of the user puts into an object which is not followed."""
    kinds = [inference.type_of(operand) for operand in arguments_of(call)]
    given = [kind for kind in kinds if references_in(kind)]
    if not given:
        return
    into_object = isinstance(strip_optional(kinds[0]), (OpaqueType, AnyType)) and may_be_changed(kinds[0])
    if into_object or (may_be_changed(inference.resolutions[call].kind) and not _is_followed(inference, call, kinds[0])):
        for kind in given:
            inference.memory.give_away(kind)


def _is_followed(inference: Inference, call: Call, first: Type) -> bool:
    """Whether what a call gives of something that is followed is followed too, or has nothing to do with it."""
    function, label = inference.resolutions[call].function, call.arguments[1] if len(call.arguments) > 1 else None
    name = label.value if isinstance(label, Constant) else None
    if isinstance(call.function, Constant) and call.function.value is call_method:
        if isinstance(first, ObjectType) and not may_change_what_it_is_given(first.cls):
            return True
        function = getattr(call.arguments[0].value, str(name), None) if isinstance(call.arguments[0], Constant) else None
    is_own = str(getattr(function, "__module__", "")).startswith("s2sad.")  # displays, functions of the run time
    is_followed = any(function is one for one in _FOLLOWED)  # it may not be hashable
    return is_own or (is_followed and not (function is getattr and name == "__dict__"))


def fill_given_away(inference: Inference) -> bool:
    """Let what was given away hold anything where nothing is known to be in it. Whether that is news."""
    memory = inference.memory
    reached = _reached(memory)
    for root, kind in reached.items():
        if isinstance(kind, ListType | DictType):
            fill_unknown(memory, kind)
        elif isinstance(kind, ArrayType):
            memory.mark(root, "stored", "unknown")
    for call, resolution in inference.resolutions.items():
        if isinstance(resolution.kind, UnknownType):
            read = call.arguments if resolution.specialisation is not None else call.arguments[:1]
            for region, owner in (entry for operand in read for entry in references_in(inference.type_of(operand)).items()):
                if memory.find(region) in reached:
                    _open(memory, region, owner)
    return memory.changed


def _open(memory: Memory, region: int, owner: Type) -> None:
    """Let an object have any attribute, and a dict any key."""
    if isinstance(owner, ObjectType):
        memory.lose_attributes(region)
    elif isinstance(owner, DictType) and isinstance(memory.load(region, VALUE), UnknownType):
        memory.store(region, KEY, ANY)
        memory.store(region, VALUE, ANY)
        memory.mark(region, "restructured")


def given_away_by(inference: Inference, numbers: Mapping[int, int]) -> tuple[Type, ...]:
    """What a function gives away of the regions that its callers see, which have these numbers there."""
    reached = _reached(inference.memory)
    return tuple(renumber(reached[root], {root: number}) for root, number in sorted(numbers.items()) if root in reached)


def _reached(memory: Memory) -> dict[int, Type]:
    """All that was given away, and what is in it."""
    reached: dict[int, Type] = {}
    pending = [*memory.given_away.values()]
    while pending:
        for region, kind in references_in(pending.pop()).items():
            root = memory.find(region)
            if root not in reached:
                reached[root] = memory.with_roots(kind)
                pending.extend(memory.content.get(root, {}).values())
    return reached
