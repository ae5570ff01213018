"""Functions with `functools.lru_cache` are followed as if they had none, which is right where they only compute. Where it matters
how often one runs, they are refused."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.memory import references_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee, effects_of
from s2sad.ir.nodes import Call, Constant
from s2sad.ir.operations import call_method
from s2sad.ir.types import ANY, ArrayType, DictType, ListType, ScalarType, TupleType, Type, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser
    from s2sad.analysis.infer_types import Inference
    from s2sad.ir.nodes import Function

_OF_NUMBERS: Final = (ArrayType, DictType, ListType, ScalarType, TupleType)


def check_cached(analyser: Analyser) -> None:
    """Refuse functions with a cache that change something outside of them, act, or read what some function changes."""
    for definition in analyser.cached & analyser.lifted.keys():
        raise _refused(definition)  # it is handed what another function changes
    for specialisation in analyser.specialisations.values():
        definition = specialisation.origin or specialisation.definition
        called = _called_from(specialisation, []) if definition in analyser.cached and specialisation.complete else ()
        if any(_matters_how_often(analyser, one) for one in called):
            raise _refused(definition)


def note_from_cache(inference: Inference, callee: Specialisation, result: Type, regions: Mapping[int, int]) -> None:
    """Note what comes out of a cache in a call: the next call with the same arguments gives the same object."""
    definition = callee.origin or callee.definition
    if definition in inference.analyser.cached:
        (frozen,) = inference.memory.freeze_all([result])
        inference.from_cache.update(dict.fromkeys(references_in(frozen), definition))
    inference.from_cache.update({regions[number]: one for number, one in callee.from_cache if number in regions})


def check_from_cache(inference: Inference) -> None:
    """Refuse to change what came out of a cache."""
    for region, definition in inference.from_cache.items():
        if inference.memory.flags[inference.memory.find(region)] & {"stored", "restructured"}:
            raise UnsupportedSyntaxError(
                f"{definition.name}() is decorated with lru_cache, and {inference.definition.name}() changes what it gives: "
                "the next call gives the same object, as it is then; change a copy of it, or keep it in a dict.\n"
                f"{describe_place(definition.span)}"
            )


def _refused(definition: Function) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"{definition.name}() is decorated with lru_cache, and does more than compute: it changes or prints something, or reads "
        "what is changed, so that it matters how often it runs; take the decorator away, or keep what was computed in a dict.\n"
        f"{describe_place(definition.span)}"
    )


def _called_from(specialisation: Specialisation, seen: list[Specialisation]) -> Iterator[Specialisation]:
    """A function and all that it calls."""
    if specialisation in seen:
        return
    seen.append(specialisation)
    yield specialisation
    for node in nodes_of(specialisation.function):
        callee = node.function.value if isinstance(node, Call) and isinstance(node.function, Constant) else None
        if isinstance(callee, Callee) and isinstance(callee.unit, Specialisation):
            yield from _called_from(callee.unit, seen)


def _matters_how_often(analyser: Analyser, specialisation: Specialisation) -> bool:
    definition = specialisation.origin or specialisation.definition
    given = {number for kind in specialisation.argument_types for number in references_in(kind)}
    if any(flags for number, flags in specialisation.flags if number in given):
        return True
    for identity, uses in analyser.outside.items():
        if definition in uses and (uses[definition] or identity in analyser.changed_outside):
            return True
    return any(isinstance(node, Call) and _acts(node) for node in nodes_of(specialisation.function))


def _acts(call: Call) -> bool:
    """Whether a call that is not followed does more than compute; what methods of containers change is told by flags."""
    if not isinstance(call.function, Constant) or isinstance(call.function.value, Callee):
        return not isinstance(call.function, Constant)
    if isinstance(call.function.value, functools._lru_cache_wrapper):
        return False  # it calls itself, and has its cache
    owner = type_of_operand(call.arguments[0]) if call.function.value is call_method else None
    return effects_of(call).acts and not isinstance(strip_optional(owner or ANY), _OF_NUMBERS)
