"""What a trip of a loop hands on to the next is what the next begins with: where that is at hand, so is the former.

The reverse sweep comes to the next trip first::

    for t in range(n):                      y = h
        h_saved.append(h)                   for h in h_saved[::-1]:
        h = np.tanh(w @ h + x[t])               ... 1 - y * y ...
                                                y = h

Names that only change places need not be saved at all: they change back::

    for _ in range(n):                      for _ in range(n):
        v[1:-1] = u[2:] + u[:-2]                u, v = v, u
        u, v = v, u                             ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import UNBOUND, Block, Break, For, Operand, Raise, Value, While, Yield, leaves_of_block
from s2sad.ir.types import ArrayType, DictType, ListType, ObjectType, ScalarType, Type
from s2sad.transform.reverse.additions import Additions
from s2sad.transform.reverse.shadows import own_region


@dataclass(frozen=True, slots=True, eq=False)
class HandedOn:
    """A `value` that every trip hands on: the next trip has it as `parameter`; after the last it is the `result`."""

    loop: For | While
    value: Value
    parameter: Value
    result: Value


def find_handed_on(
    loops: Iterable[For | While],
    saved: Mapping[Block, list[Value]],
    structure: Structure,
    additions: Additions,
    is_computed: Callable[[Value], bool],
) -> dict[Value, HandedOn]:
    """The values that are handed on where what trips begin with is saved, or only changes places; `is_computed` tells for which
    it is worth it."""
    found: dict[Value, HandedOn] = {}
    for loop in loops:
        handed_on = {item.value: item for item in _handed_on(loop, additions)}
        kept = saved.get(loop.body, ())
        for value in kept:
            found.update((item.value, item) for item in _circle(value, handed_on))
        for value, item in handed_on.items():
            is_inside = structure.home.get(value) is loop.body and item.parameter in kept and value not in found
            if is_inside and _is_plain(value) and is_computed(value):
                found[value] = item
    return found


def _handed_on(loop: For | While, additions: Additions) -> Iterator[HandedOn]:
    """All that trips hand on, if they do so in the same way wherever they end."""
    leaves = [leaf for leaf in leaves_of_block(loop.body) if not isinstance(leaf, Raise)]
    nexts: list[tuple[Operand, Value, Value, list[Operand | None]]] = [
        (
            item.initial,
            item.parameter,
            item.result,
            [leaf.values[position] if isinstance(leaf, (Yield, Break)) else None for leaf in leaves],
        )
        for position, item in enumerate(loop.carried)
    ]
    for extra in additions.carried.get(loop, ()):
        found = [extra.at_leaf.get(leaf, extra.next) if isinstance(leaf, (Yield, Break)) else None for leaf in leaves]
        nexts.append((extra.initial, extra.parameter, extra.result, found))
    for initial, parameter, result, values in nexts:
        value = values[0] if values and all(other is values[0] for other in values) else None
        if isinstance(value, Value) and initial is not UNBOUND and _is_one_type(value.type, parameter.type):
            yield HandedOn(loop, value, parameter, result)


def _circle(value: Value, handed_on: Mapping[Value, HandedOn]) -> list[HandedOn]:
    """The names that change places with a parameter of a loop; none where it is changed otherwise."""
    circle: list[HandedOn] = []
    current = value
    while (item := handed_on.get(current)) is not None and item not in circle:
        circle.append(item)
        current = item.parameter
    return circle if circle and current is value else []


def _is_plain(value: Value) -> bool:
    """Whether a value is a number, a container (which one it is), or an array to which nobody writes."""
    if isinstance(value.type, ArrayType):
        return value.type.fixed and own_region(value) is None
    return isinstance(value.type, (ScalarType, ListType, DictType, ObjectType))


def _is_one_type(first: Type, second: Type) -> bool:
    """Whether values are of one type, but for where the memory of arrays is."""
    if isinstance(first, ArrayType) and isinstance(second, ArrayType):
        return (first.dtype, first.shape, first.fixed) == (second.dtype, second.shape, second.fixed)
    return first == second
