"""What the types of a function tell its callers, and about containers outside of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.given_away import given_away_by
from s2sad.analysis.lengths import extents_in, map_lengths
from s2sad.analysis.lift_outside import place_of
from s2sad.analysis.memory import Memory, Renumbering, references_in
from s2sad.analysis.specialisation import Guard, HandedOut, Outside
from s2sad.ir.types import (
    ArrayType,
    ConstantType,
    Extent,
    FunctionType,
    IteratorType,
    Length,
    OpaqueType,
    OptionalType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference


def summarise(inference: Inference) -> None:
    """Note what callers need to know: the result, what becomes of the arguments, which of them turn out to share memory."""
    roots = {number: inference.memory.find(region) for number, region in inference.regions.items()}
    numbers: dict[int, int] = {}
    united = []
    for number, root in sorted(roots.items()):
        if root in numbers:
            united.append((numbers[root], number))
        numbers.setdefault(root, number)
    references = {n: kind for argument in inference.specialisation.argument_types for n, kind in references_in(argument).items()}
    thawed = [inference.memory.thaw(kind, inference.regions) for _, kind in sorted(references.items())]
    result, *contents = inference.memory.freeze_all([inference.result, *thawed])
    frozen = list(zip(sorted(references), contents, strict=True))
    fresh = 1 + max(roots, default=0)
    handed_out = _handed_out(inference, {region for kind in (result, *contents) for region in references_in(kind)})
    for kind in (result, *contents, *(content for _, content in handed_out)):
        for region in references_in(kind):
            if region not in numbers:
                numbers[region] = fresh
                fresh += 1
    target = inference.specialisation
    target.assumes = bool(inference.assumed)
    given = ((inference.memory.find(region), one) for region, one in inference.from_cache.items())
    target.from_cache = tuple((numbers[root], one) for root, one in given if root in numbers)
    target.given_away = given_away_by(inference, numbers)
    names = {extent.name for extent in extents_in(target.argument_types)}

    def outward(length: Length) -> Length:
        """Numbers that have a name in here only are not known outside."""
        return None if isinstance(length, Extent) and length.name not in names else length

    renumbered = Renumbering(numbers)
    target.result = map_lengths(renumbered.of(result), outward)
    frozen += [(numbers[next(iter(references_in(kind)))], kind) for _, kind in handed_out]
    target.regions = tuple((number, map_lengths(renumbered.of(kind), outward)) for number, kind in frozen)
    target.handed_out = tuple(
        HandedOut(variable, found, kind, _numbered(inference.outside_regions[id(found)][1], inference.memory, numbers))
        for (variable, found, kind), _ in handed_out
    )
    target.united = tuple(united)
    flags = {number: frozenset(inference.memory.flags[root]) for number, root in roots.items()}
    for region, number in numbers.items():  # what is made here: whether all that it has is known
        flags.setdefault(number, frozenset(inference.memory.flags[inference.memory.find(region)] & {"unknown"}))
    target.flags = tuple(sorted((number, found) for number, found in flags.items() if number in roots or found))


def _handed_out(inference: Inference, reached: set[int]) -> list[tuple[tuple[Guard, object, Type], Type]]:
    """The variables outside that lead to memory which callers reach by the result or by an argument, each with what it holds."""
    found = list(inference.outside_variables.values()) if reached else []
    thawed = [inference.memory.thaw(kind, inference.outside_regions[id(held)][1]) for _, held, kind in found]
    contents = inference.memory.freeze_all(thawed)
    return [(one, content) for one, content in zip(found, contents, strict=True) if references_in(content).keys() & reached]


def _numbered(regions: Mapping[int, int], memory: Memory, numbers: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """For the regions of a type, the numbers of those that they are here."""
    return tuple((inner, numbers[root]) for inner, region in regions.items() if (root := memory.find(region)) in numbers)


def note_outside(inference: Inference) -> None:
    """Tell which containers of numbers outside are used and changed here."""
    for key, (variable, found, kind) in inference.outside_variables.items():
        own = map(inference.memory.find, inference.outside_regions[id(found)][1].values())
        is_written = any(inference.memory.flags[root] for root in own)
        before = inference.analyser.outside_variables.get(key)
        is_written = is_written or (before is not None and before.is_written)
        inference.analyser.outside_variables[key] = Outside(variable, kind, is_written)
    owners: dict[int, frozenset[int]] = {}
    for found, regions in inference.outside_regions.values():
        roots = {inference.memory.find(region) for region in regions.values()}
        identity = _identity_of_memory(found)
        owners.update({root: owners.get(root, frozenset()) | {identity} for root in roots})
        if any(inference.memory.flags[root] for root in roots):
            inference.analyser.changed_outside.add(identity)
        contents = [kind for root in roots for kind in inference.memory.content[root].values()]
        variables = [(name, kind) for name, held, kind in inference.outside_variables.values() if held is found]
        arrays = [part for _, kind in variables for part in references_in(kind).values() if isinstance(part, ArrayType)]
        if arrays or any(map(_is_followed, contents)):
            inference.analyser.numbers_outside.add(identity)  # others may have seen it while it was empty
        names = {place_of(name): name for name, _ in variables}
        inference.analyser.names_outside.setdefault(identity, {}).update(names)
        uses = inference.analyser.outside.setdefault(identity, {})
        is_written = any(inference.memory.flags[root] for root in roots)
        uses[inference.definition_at_start] = is_written or uses.get(inference.definition_at_start, False)
    inference.specialisation.outside = owners


def _is_followed(kind: Type) -> bool:
    """Whether code is made for what a container outside is found to hold: numbers with a derivative, arrays, functions (several
    of them have one type, that of any object)."""
    match kind:
        case ArrayType() | ConstantType() | FunctionType():
            return True
        case OpaqueType(cls=cls):
            return cls is object
        case OptionalType(inner) | IteratorType(element=inner):
            return _is_followed(inner)
        case TupleType(elements=elements):
            return any(map(_is_followed, elements))
    return carries_derivative(kind)


def _identity_of_memory(found: object) -> int:
    """The identity of an object outside; of a view, that of the array that it is a view of."""
    while isinstance(found, np.ndarray) and isinstance(found.base, np.ndarray):
        found = found.base
    return id(found)
