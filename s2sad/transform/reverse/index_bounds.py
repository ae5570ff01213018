"""What is known of integer indices without running the program: bounds that are other values, or nothing, plus a constant.

In ::

    for i in range(1, n):
        for j in range(i + 1):
            ... x[i, j - 1]

``i`` is at least 1 and at most ``n - 1``, ``j - 1`` at least -1, at most ``i - 1``, and so at most ``n - 2``.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Block, Branch, Call, Constant, For, If, Operand, Value, Yield, function_of, is_one_of
from s2sad.transform.offsets import is_integer, split_offset
from s2sad.transform.reverse.counters import find_range
from s2sad.transform.rewrite import is_same

#: By the value that is added to; None stands for 0.
Bounds = Mapping[Value | None, int]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a value times `sign` is at most: an operand times `sign`, plus what is added."""

    sign: int
    operand: Operand
    added: int


#: What is known of values by conditions.
Known = Mapping[Value, Sequence[Limit]]
_MIRRORED: Final = {operator.gt: operator.lt, operator.ge: operator.le}
_OPPOSITES: Final[Mapping[object, object]] = {
    operator.eq: operator.ne,
    operator.ne: operator.eq,
    operator.lt: operator.ge,
    operator.ge: operator.lt,
    operator.gt: operator.le,
    operator.le: operator.gt,
}
#: In arms that are never run, bounds may be found without end.
_MOST_BOUNDS: Final = 32


def upper_bounds(index: Operand, structure: Structure, known: Known) -> Bounds:
    """What an index is at most; `known`: what conditions say where it is used."""
    return _bounds(index, structure, known, 1)


def lower_bounds(index: Operand, structure: Structure, known: Known) -> Bounds:
    """What an index is at least."""
    return {base: -bound for base, bound in _bounds(index, structure, known, -1).items()}


def _bounds(index: Operand, structure: Structure, known: Known, sign: int) -> dict[Value | None, int]:
    """Upper bounds, of the index times `sign`."""
    found: dict[Value | None, int] = {}
    waiting: deque[tuple[Operand, int]] = deque([(index, 0)])
    for _ in range(_MOST_BOUNDS):
        if not waiting:
            break
        operand, added = waiting.popleft()
        if not is_integer(operand):
            continue
        base, offset = split_offset(operand, structure.definition)
        bound = added + sign * offset
        if base in found and found[base] <= bound:
            continue
        found[base] = bound
        if base is None:
            continue
        waiting.extend((limit.operand, bound + limit.added) for limit in known.get(base, ()) if limit.sign == sign)
        for limit, more in _limits(base, structure, sign):
            waiting.append((limit, bound + more))
    return found


def _limits(index: Value, structure: Structure, sign: int) -> Iterator[tuple[Operand, int]]:
    """What the index of a loop is at most (`sign` 1) or at least, with what is added to that, times `sign`."""
    loop = loop_of(index, structure)
    step = step_of(loop, structure) if loop is not None else 0
    if loop is None or not step:
        return
    call = find_range(loop, structure)
    assert call is not None
    start, stop = (Constant(0), call.arguments[0]) if len(call.arguments) == 1 else call.arguments[:2]
    yield (stop, -1) if sign * step > 0 else (start, 0)


def loop_of(index: Value, structure: Structure) -> For | None:
    """The loop of which a value is the index."""
    owner = structure.owner.get(structure.home[index]) if index in structure.home else None
    return owner[0] if owner is not None and isinstance(owner[0], For) and owner[0].target is index else None


def step_of(loop: For, structure: Structure) -> int:
    """By what the index of a loop over a range changes from trip to trip; 0 if that is not known."""
    call = find_range(loop, structure)
    if call is None or call.keywords:
        return 0
    step = call.arguments[2] if len(call.arguments) == 3 else Constant(1)
    return step.value if isinstance(step, Constant) and step.value.__class__ is int else 0


def known_in(block: Block, structure: Structure) -> Known:
    """What conditions say about integers in a block, for it stands in an arm."""
    found: dict[Value, list[Limit]] = {}
    way = []
    while block in structure.owner:
        node, parent = structure.owner[block]
        way.append((node, block))
        block = parent
    for node, inner in reversed(way):
        if isinstance(node, (If, Branch)):
            _note_condition(node.condition, inner is node.then, found, structure)
    return found


def _note_condition(condition: Operand, holds: bool, found: dict[Value, list[Limit]], structure: Structure) -> None:
    """Note what a condition says that holds, or does not: ``a and b`` holds if both do, ``a or b`` does not if neither does."""
    test = structure.definition.get(condition) if isinstance(condition, Value) else None
    match test:
        case Call():
            _note(function_of(test), test.arguments, holds, found, structure)
        case If(first, then, orelse) if condition is test.results[0]:
            shortcut, whole = (orelse, then) if holds else (then, orelse)
            ends = [arm.terminator for arm in (shortcut, whole)]
            values = [end.values[0] for end in ends if isinstance(end, Yield)]
            if len(values) == 2 and (values[0] is first or is_same(values[0], Constant(not holds))):
                _note_condition(first, holds, found, structure)
                _note_condition(values[1], holds, found, structure)


def _note(
    relation: object, operands: Sequence[Operand], holds: bool, found: dict[Value, list[Limit]], structure: Structure
) -> None:
    """Note what a comparison says."""
    if not is_one_of(relation, _OPPOSITES) or not all(map(is_integer, operands)):
        return
    first, second = operands
    relation = relation if holds else _OPPOSITES[relation]
    if relation in (operator.gt, operator.ge):
        relation = _MIRRORED[relation]
        first, second = second, first
    if relation is operator.ne:  # with i <= j, it says i < j
        (base, offset), (other, more) = (split_offset(operand, structure.definition) for operand in (first, second))
        if upper_bounds(first, structure, found).get(other) == more and other is not None:
            relation = operator.lt
        elif upper_bounds(second, structure, found).get(base) == offset and base is not None:
            relation, first, second = operator.lt, second, first
    if relation is operator.eq:
        _note_order(first, second, 0, found, structure)
        _note_order(second, first, 0, found, structure)
    elif relation in (operator.lt, operator.le):
        _note_order(first, second, 1 if relation is operator.lt else 0, found, structure)


def _note_order(first: Operand, second: Operand, apart: int, found: dict[Value, list[Limit]], structure: Structure) -> None:
    """Note that ``first + apart <= second``."""
    (base, offset), (other, more) = (split_offset(operand, structure.definition) for operand in (first, second))
    distance = offset + apart - more  # base + distance <= other
    if base is not None:
        found.setdefault(base, []).append(Limit(1, Constant(0) if other is None else other, -distance))
    if other is not None:
        found.setdefault(other, []).append(Limit(-1, Constant(0) if base is None else base, -distance))
