"""Lengths that must be equal, because what a trip of a loop does with arrays works.

An operation that raises has no result, and no reverse. Where it works, each length of an operand is 1 or that of the result:
it *fits* into that. What is stored fits into the place. Two lengths that fit into each other are equal::

    even: float64[p] = re[start:middle].copy()
    odd: float64[q] = re[middle:stop]
    t: float64[r] = c * odd                     # q fits into r, and so does the length of c
    re[start:middle] = even + t                 # the sum fits into p: r does, and with it q
    re[middle:stop] = even - t                  # the difference fits into q, and with it p: p, q and r are equal

>>> from s2sad.ir.types import Extent
>>> a, b, c = (Extent(name, 1) for name in "abc")
>>> order = Order().with_facts([Fits(a, b), Fits(c, b)], {})
>>> order.equal_to(b)
[]
>>> order.with_facts([Fits(b, c)], {}).equal_to(b) == [c]
True
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.array_shapes import Shape, is_not_one
from s2sad.analysis.array_types import UFUNCS, UFUNCS_IN_PLACE
from s2sad.ir.contents import regions_of
from s2sad.ir.nodes import Block, Call, Function, Operand, Try, Value, With, blocks_of, function_of, is_one_of
from s2sad.ir.types import ArrayType, Length, ScalarType

#: Their last axis meets the last but one of what follows.
_PRODUCTS: Final = (operator.matmul, np.matmul, np.dot)
ShapeOf = Callable[[Operand], Shape | None]
PartOf = Callable[[Call], Shape | None]


@dataclass(frozen=True, slots=True)
class Fits:
    """The length `part` is 1, or it is `whole`."""

    part: Length
    whole: Length


@dataclass(frozen=True)
class Order:
    """Which lengths fit into which others."""

    above: Mapping[Length, frozenset[Length]] = field(default_factory=dict)
    #: Lengths that are 1 if all of some others are, and else the one that these have.
    joint: Mapping[Length, frozenset[Length]] = field(default_factory=dict)

    def with_facts(self, facts: Iterable[Fits], joint: Mapping[Length, frozenset[Length]]) -> Order:
        """What follows from these facts as well."""
        above = {part: set(wholes) for part, wholes in self.above.items()}
        for fact in facts:
            pairs = [(fact.part, fact.whole), *([(fact.whole, fact.part)] if is_not_one(fact.part) else [])]
            for part, whole in pairs:
                above.setdefault(part, set()).add(whole)
        joint = {**self.joint, **joint}
        while True:
            reached = {length: _reached(length, above) for length in {*above, *joint}}
            new = False
            for whole, parts in joint.items():
                common = frozenset.intersection(*[reached.get(part, frozenset({part})) for part in parts]) - reached[whole]
                above.setdefault(whole, set()).update(common)
                new = new or bool(common)
            if not new:
                return Order({length: reached[length] for length in above}, joint)

    def equal_to(self, length: Length) -> list[Length]:
        """The others that a length is equal to."""
        wholes = self.above.get(length, ())
        return [whole for whole in wholes if whole != length and length in self.above.get(whole, ())]


def _reached(length: Length, above: Mapping[Length, Iterable[Length]]) -> frozenset[Length]:
    """A length and all that it fits into."""
    found, ahead = {length}, [length]
    while ahead:
        for whole in above.get(ahead.pop(), ()):
            if whole not in found:
                found.add(whole)
                ahead.append(whole)
    return frozenset(found)


def _is_lasting(length: Length) -> bool:
    """Whether a length is the same throughout a call."""
    return isinstance(length, int) or is_not_one(length)


def equal_lengths(fn: Function, shape_of: ShapeOf, part_of: PartOf) -> dict[Value, Shape]:
    """The results of calls whose lengths are known to be equal to others, with the lengths that stand for these; for a store,
    this is said of the place, whose shape `part_of` gives."""
    if any(isinstance(region, (Try, With)) for region in regions_of(fn)):
        return {}  # what was caught is no reason for what comes after
    found: dict[Value, Shape] = {}

    def visit(block: Block, order: Order, names: Mapping[Length, Length]) -> None:
        """`names` are the lengths in scope, with those that stand for them: what is seen inside only changes none of these."""
        calls = [operation for operation in block.operations if isinstance(operation, Call)]
        facts = [fact for call in calls for fact in facts_of(call, shape_of, part_of)]
        if facts:
            order = order.with_facts(facts, dict(pair for call in calls for pair in joint_lengths(call, shape_of)))
        shapes = {call: part_of(call) if function_of(call) is operator.setitem else shape_of(call.result) for call in calls}
        known = dict(names)
        for length in (length for shape in shapes.values() for length in shape or ()):
            if length is not None and length not in known:
                known[length] = _name_for(length, order.equal_to(length), known)
        for call, shape in shapes.items():
            named = tuple([known.get(length, length) for length in shape or ()])
            if named != (shape or ()):
                found[call.result] = named
        for node in (*block.operations, block.terminator):
            for inner in blocks_of(node):
                visit(inner, order, known)

    visit(fn.body, Order(), {})
    return found


def _name_for(length: Length, equal: Sequence[Length], known: Mapping[Length, Length]) -> Length:
    """What stands for a length that is equal to others."""
    names = [one for one in (length, *equal) if _is_lasting(one)] or [known[other] for other in equal if other in known]
    return min(names, key=lambda name: (not isinstance(name, int), str(name))) if names else length


def facts_of(call: Call, shape_of: ShapeOf, part_of: PartOf) -> Iterator[Fits]:
    """What is known of lengths once a call has worked."""
    function = function_of(call)
    if call.keywords:
        return
    if function is operator.setitem:
        yield from _fitting(shape_of(call.arguments[2]), part_of(call))
    elif is_one_of(function, _PRODUCTS):
        first, second = map(shape_of, call.arguments[:2])
        if first and second:
            one, other = first[-1], second[-2 if len(second) > 1 else 0]
            yield from _fitting((one,), (other,))
            yield from _fitting((other,), (one,))
    elif _is_elementwise(call):
        for operand in call.arguments:
            yield from _fitting(shape_of(operand), shape_of(call.result))


def joint_lengths(call: Call, shape_of: ShapeOf) -> Iterator[tuple[Length, frozenset[Length]]]:
    """The lengths of a result, each with those of the operands that it was broadcast from."""
    if call.keywords or not _is_elementwise(call) or is_one_of(function_of(call), UFUNCS_IN_PLACE):
        return
    shapes = [shape_of(operand) for operand in call.arguments]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        return
    for axis, whole in enumerate(reversed(shape_of(call.result) or ())):
        parts = frozenset(shape[-1 - axis] for shape in known if len(shape) > axis) - {1}
        if parts and None not in parts and whole is not None and whole not in parts:
            yield whole, parts


def _is_elementwise(call: Call) -> bool:
    function = function_of(call)
    ufunc = UFUNCS.get(function) if is_one_of(function, UFUNCS) else function
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None:
        return False
    return (ufunc.nout, len(call.arguments)) == (1, ufunc.nin)


def _fitting(part: Sequence[Length] | None, whole: Sequence[Length] | None) -> Iterator[Fits]:
    """What follows for the lengths of two shapes of which the one fits into the other, from the last axis on."""
    for one, other in zip(reversed(part or ()), reversed(whole or ()), strict=False):
        if one is not None and other is not None and one != other and 1 not in (one, other):
            yield Fits(one, other)


def known_shape(operand: Operand) -> Shape | None:
    """The shape of an array or a number, as far as its type tells."""
    kind = type_of_operand(operand)
    if isinstance(kind, ScalarType):
        return ()
    return kind.shape if isinstance(kind, ArrayType) else None
