"""Arguments and data outside that may be one object, or overlap in memory: code is generated for those that are apart.

Two arguments that overlap have one region in the signature. What a variable outside the function holds is no part of the
signature; where the function changes it, or changes an argument, the two must be apart when the code runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from s2sad import runtime
from s2sad.analysis.held_outside import find_held
from s2sad.analysis.memory import references_in
from s2sad.analysis.sharing import may_overlap, share_memory
from s2sad.analysis.specialisation import Apart, Guard, Outside
from s2sad.errors import NonDifferentiableError
from s2sad.ir.types import Type
from s2sad.pipeline.units import Generated


def pairs_to_keep_apart(generated: Generated, kinds: Sequence[Type]) -> Iterator[tuple[int, Outside]]:
    """The arguments, each with a variable outside that it must not share memory with."""
    for outside in generated.outside:
        for index, kind in enumerate(kinds):
            if (outside.is_written or generated.written & set(references_in(kind))) and may_overlap(kind, outside.kind):
                yield index, outside


def check_apart(generated: Generated, kinds: Sequence[Type], arguments: Sequence[object], names: Sequence[str]) -> None:
    """Refuse arguments that share memory with what the function changes or uses outside."""
    for index, outside in shared(generated, kinds, arguments):
        raise NonDifferentiableError(
            f"the argument {names[index]!r} shares memory with {outside.variable.name!r}, a variable outside of the function, "
            "and one of the two is changed; pass a copy of the argument"
        )


def check_held(arguments: Sequence[object], names: Iterable[str]) -> None:
    """Refuse an argument that is not followed, such as a deque, and holds another argument."""
    if (places := find_held(arguments)) is not None:
        holder, held = ([*names][place] for place in places)
        raise NonDifferentiableError(
            f"the argument {holder!r}, a {type(arguments[places[0]]).__name__}, holds the argument {held!r}, and what is done to "
            "that by way of it is not followed; pass a copy, or a list"
        )


def shared(generated: Generated, kinds: Sequence[Type], arguments: Sequence[object]) -> list[tuple[int, Outside]]:
    """The arguments that share memory with a variable outside, and must not."""
    pairs = pairs_to_keep_apart(generated, kinds)
    return [(index, outside) for index, outside in pairs if share_memory(arguments[index], outside.variable.read())]


def guards_of_outside(variables: Sequence[Outside], name: str) -> list[Guard]:
    """What must hold of the variables outside that a function uses, where it changes one: no other one shares its memory."""
    guards = []
    for index, first in enumerate(variables):
        for second in variables[:index]:
            if (first.is_written or second.is_written) and may_overlap(first.kind, second.kind):
                apart = Apart(second.variable, first.variable)
                if not apart.hold:
                    raise NonDifferentiableError(
                        f"{name}() uses {second.variable.name!r} and {first.variable.name!r}, variables outside of it that share "
                        "memory, and changes it; use it by one name"
                    )
                guards.append(Guard(apart, "hold", True))
    return guards


def with_native_arrays(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """The arguments with arrays in the machine's byte order: others compute the same, and gradients are in that order. (The check
    at the door fails for arrays in the other order.)"""
    foreign = {id(x): x for x in arguments if type(x) is np.ndarray and x.dtype.kind in "iufc" and not x.dtype.isnative}
    if not foreign:
        return arguments
    native = {key: x.astype(x.dtype.newbyteorder("=")) for key, x in foreign.items()}
    for one, other in runtime.overlapping([*foreign.values()]):
        if not runtime.is_same_view(one, other):
            raise NonDifferentiableError(
                "two arrays in another byte order than the machine's overlap; pass them as x.astype(x.dtype.newbyteorder('='))"
            )
        native[id(other)] = native[id(one)]
    return tuple(native.get(id(x), x) for x in arguments)
