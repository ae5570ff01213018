"""Functions that call each other have one pair of halves each, however they are called.

What a call promises of its arguments differs from call to call: in ``walk(xs, n)``, nobody may change `xs` after the first call,
while `walk` itself changes it after it has called itself. Halves for each of these promises would be called by halves for
others, and each of them has halves in turn in the next derivative. So where a function under way is called with less of a
promise, or with respect to more numbers, the halves are made anew for what both promise and for the numbers of both.

>>> both = common(Circumstances(((True, True), ())), Circumstances(((False, True), ())))
>>> both.stable
((False, True), ())
>>> serve(both, Circumstances(((True, True), ()))), serve(Circumstances(((True, True), ())), both)
(True, False)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2sad.analysis.specialisation import Specialisation
from s2sad.ir.types import ScalarType
from s2sad.pipeline.merge_units import callees_of
from s2sad.transform.reverse.unchanged import Circumstances

#: A function, the positions of the parameters to differentiate with respect to, and what its callers promise.
Key = tuple[Specialisation, tuple[int, ...], Circumstances]


class PromiseWithdrawnError(Exception):
    """The halves under way for a key are called with less of a promise, or with respect to more numbers."""

    def __init__(self, key: Key, active: tuple[int, ...], circumstances: Circumstances) -> None:
        super().__init__(key[0].definition.name)
        self.key = key
        self.active = active
        self.circumstances = circumstances


def common(first: Circumstances, second: Circumstances) -> Circumstances:
    """What both promise."""
    stable = tuple(
        tuple(a and b for a, b in zip(one, other, strict=True)) for one, other in zip(first.stable, second.stable, strict=True)
    )
    return replace(first, stable=stable, hiding=first.hiding | second.hiding, hidden=first.hidden | second.hidden)


def serve(made: Circumstances, asked: Circumstances) -> bool:
    """Whether halves that were made under some circumstances serve in others: they rely on nothing that is not promised there."""
    return are_alike(made, asked) and common(made, asked) == made


def are_alike(first: Circumstances, second: Circumstances) -> bool:
    """Whether two calls ask for the same, and differ at most in what they promise."""
    same = replace(first, stable=second.stable, hiding=second.hiding, hidden=second.hidden) == second
    return same and list(map(len, first.stable)) == list(map(len, second.stable))


def differ_in_numbers(specialisation: Specialisation, first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two calls ask for derivatives with respect to the same parameters, but for numbers."""
    parameters = specialisation.function.parameters
    return all(isinstance(parameters[index].value.type, ScalarType) for index in set(first) ^ set(second))


def calls_itself(specialisation: Specialisation) -> bool:
    """Whether a function calls itself, or others that call it."""
    found: set[Specialisation] = set()
    pending = [specialisation]
    while pending:
        called = {callee.unit for callee in callees_of(pending.pop().function)}
        new = {unit for unit in called if isinstance(unit, Specialisation)} - found
        found |= new
        pending += new
    return specialisation in found
