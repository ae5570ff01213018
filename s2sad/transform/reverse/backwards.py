"""What a reversed loop runs over.

=================================  ==============================================
forward                            reverse
=================================  ==============================================
``for i in range(a, b)``           ``for i in range(b - 1, a - 1, -1)``
``for _ in range(n)``              ``for _ in range(n)``
``for name in names``              ``for name in names[::-1]``
any loop that saves one value      ``for x in x_saved[::-1]``
any loop that saves two or three   ``for x, y in zip(x_saved[::-1], y_saved[::-1])``
any loop that saves more           one of these, and ``x = x_saved.pop()`` in it
``while`` inside another loop      ``for _ in range(trips)``
=================================  ==============================================

Lists that nobody reads afterwards are reversed in place in the end: :mod:`s2sad.transform.reverse_in_place`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Final

from s2sad.ir.nodes import Call, Constant, For, Operand, Operation, Value
from s2sad.ir.types import ANY, INT, IteratorType, ListType, TupleType, Type
from s2sad.transform.reverse.decisions import Decisions
from s2sad.transform.reverse.frames import ReversedLoop

Mapping = dict[Value, Operand]

_FROM_THE_END = Constant(slice(None, None, -1))
_RANGE = IteratorType(range, INT)
#: What a line of text can hold.
_MOST_TOGETHER: Final = 3


def use(operand: Operand, mapping: Mapping) -> Operand:
    """An operand under the name that it has in the reverse sweep."""
    return mapping.get(operand, operand) if isinstance(operand, Value) else operand


def driving_values(decisions: Decisions, item: ReversedLoop) -> list[Value]:
    """The saved values that a loop runs over; others are popped."""
    decision = decisions.loops[item]
    saved = decisions.plan.saved.get(item.loop.body, [])
    is_short = len(saved) <= _MOST_TOGETHER
    if decision.driver == "saved":
        return list(saved if is_short else saved[:1])
    index_used = isinstance(item.loop, For) and item.loop.target in decisions.plan.used
    is_outermost = decisions.structure.depth[item.loop.body] == 1
    if decision.driver == "range" and is_outermost and is_short and not index_used and not decisions.is_split:
        return list(saved)
    return []


class Backwards:
    """Target and iterable of one reversed loop. Operations go to `out` before the loop and to `prologue` inside it; `inner`
    takes the names that the loop gives to values of the primal."""

    def __init__(
        self,
        decisions: Decisions,
        item: ReversedLoop,
        mapping: Mapping,
        inner: Mapping,
        prologue: list[Operation],
        out: list[Operation],
    ) -> None:
        self.decisions = decisions
        self.item = item
        self.decision = decisions.loops[item]
        self.mapping = mapping
        self.inner = inner
        self.prologue = prologue
        self.out = out

    def emit(self, function: object, *arguments: Operand, kind: Type = INT) -> Value:
        """An operation before the loop."""
        result = Value("", kind, temporary=True)
        self.out.append(Call(result, Constant(function), arguments, (), None, exact=False))
        return result

    def iterate(self) -> tuple[Value, Operand]:
        """The target and the iterable."""
        unused = Value("_", INT, temporary=True)
        if driving := driving_values(self.decisions, self.item):
            return self.over_saved(driving)
        if self.decision.driver == "counter":
            return unused, Constant(None)
        if self.decision.driver == "sequence":
            return self.over_sequence()
        if self.decision.range_call is not None:
            return self.over_range(self.decision.range_call)
        trips = Constant(0) if self.decision.trips is None else use(self.decision.trips, self.mapping)
        return unused, self.emit(range, trips, kind=_RANGE)

    def over_saved(self, driving: Sequence[Value]) -> tuple[Value, Operand]:
        """``for x in x_saved[::-1]``"""
        sources = [use(self.decisions.lists[value], self.mapping) for value in driving]
        turned = [
            self.emit(operator.getitem, source, _FROM_THE_END, kind=ListType(value.type, 0))
            for source, value in zip(sources, driving, strict=True)
        ]
        restored = [self.restored(value) for value in driving]
        self.inner.update(zip(driving, restored, strict=True))
        if len(driving) == 1:
            return restored[0], turned[0]
        kinds = TupleType(tuple(value.type for value in driving))
        together = Value("", kinds, temporary=True)
        for index, value in enumerate(restored):
            self.prologue.append(Call(value, Constant(operator.getitem), (together, Constant(index)), (), None, exact=False))
        return together, self.emit(zip, *turned, kind=IteratorType(zip, kinds))

    def restored(self, value: Value) -> Value:
        """A value that comes out of its list: `x`, or `saved_half_x` where it had no name."""
        word = "" if value.name else self.decisions.engine.phrases.word_at_least(value)
        return Value(value.name or (f"saved_{word}" if word else ""), value.type, value.temporary)

    def target(self, loop: For) -> Value:
        """The target of the primal's loop, which takes the same values again."""
        target = Value(loop.target.name, loop.target.type, loop.target.temporary)
        self.inner[loop.target] = target
        return target

    def over_sequence(self) -> tuple[Value, Operand]:
        """``for name in names[::-1]``; only the first trips where the loop was left early."""
        loop = self.item.loop
        assert isinstance(loop, For)
        sequence = use(loop.iterable, self.mapping)
        kind = sequence.type if isinstance(sequence, Value) else ANY
        if self.decision.trips is not None:
            done = self.emit(slice, use(self.decision.trips, self.mapping), kind=ANY)
            sequence = self.emit(operator.getitem, sequence, done, kind=kind)
        return self.target(loop), self.emit(operator.getitem, sequence, _FROM_THE_END, kind=kind)

    def over_range(self, call: Call) -> tuple[Value, Operand]:
        """``for i in range(b - 1, a - 1, -1)``; a plain count where the index is not needed."""
        loop = self.item.loop
        assert isinstance(loop, For)
        index = self.target(loop)
        trips = None if self.decision.trips is None else use(self.decision.trips, self.mapping)
        arguments = [use(operand, self.mapping) for operand in call.arguments]
        if loop.target not in self.decisions.plan.used:
            return index, self.emit(range, *([trips] if trips is not None else arguments), kind=_RANGE)
        start, stop, step = _normalised(arguments)
        known = step.value if isinstance(step, Constant) and isinstance(step.value, int) else None
        if trips is None and known in (1, -1):
            last, end = self.shifted(stop, -known), self.shifted(start, -known)
            return index, self.emit(range, last, end, Constant(-known), kind=_RANGE)
        if trips is not None and known == 1 and isinstance(start, Constant) and start.value == 0:
            return index, self.emit(range, self.shifted(trips, -1), Constant(-1), Constant(-1), kind=_RANGE)
        indices = self.emit(range, start, stop, step, kind=_RANGE)
        if trips is not None:
            indices = self.emit(operator.getitem, indices, self.emit(slice, trips, kind=ANY), kind=_RANGE)
        return index, self.emit(operator.getitem, indices, _FROM_THE_END, kind=_RANGE)

    def shifted(self, operand: Operand, by: int) -> Operand:
        """``operand + by``, computed at once where it is a literal."""
        if isinstance(operand, Constant) and isinstance(operand.value, int):
            return Constant(operand.value + by)
        change: Callable[[int, int], int] = operator.sub if by < 0 else operator.add
        # an integer argument that is asked for has the type of a real number, but must not become one
        is_real = isinstance(operand, Value) and operand.type != INT
        shifted = Value("", INT, temporary=True)
        self.out.append(Call(shifted, Constant(change), (operand, Constant(abs(by))), (), None, exact=is_real))
        return shifted


def _normalised(arguments: Sequence[Operand]) -> tuple[Operand, Operand, Operand]:
    """start, stop, step of `range`."""
    if len(arguments) == 1:
        return Constant(0), arguments[0], Constant(1)
    if len(arguments) == 2:
        return arguments[0], arguments[1], Constant(1)
    return arguments[0], arguments[1], arguments[2]
