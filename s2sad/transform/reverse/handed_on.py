"""What a trip of a loop hands on to the next is what the next begins with: where that is saved, the former is at hand.

The reverse sweep comes to the next trip first::

    for t in range(n):                      y = h
        h_saved.append(h)                   for h in h_saved[::-1]:
        h = np.tanh(w @ h + x[t])               ... 1 - y * y ...
                                                y = h
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import UNBOUND, Block, Carried, For, Raise, Value, While, Yield
from s2sad.ir.types import ArrayType, ScalarType, Type
from s2sad.transform.reverse.branches import leaves_of_block
from s2sad.transform.reverse.shadows import own_region


@dataclass(frozen=True, slots=True, eq=False)
class HandedOn:
    """A value that every trip of a loop hands on as the next value of `carried`."""

    loop: For | While
    carried: Carried


def find_handed_on(
    loops: Iterable[For | While],
    saved: Mapping[Block, list[Value]],
    structure: Structure,
    is_computed: Callable[[Value], bool],
) -> dict[Value, HandedOn]:
    """The values that are handed on where what trips begin with is saved; `is_computed` tells for which it is worth it."""
    found: dict[Value, HandedOn] = {}
    for loop in loops:
        leaves = [leaf for leaf in leaves_of_block(loop.body) if not isinstance(leaf, Raise)]
        for position, item in enumerate(loop.carried):
            if item.parameter not in saved.get(loop.body, ()) or item.initial is UNBOUND:
                continue
            nexts = {leaf.values[position] if isinstance(leaf, Yield) else None for leaf in leaves}
            value = nexts.pop() if len(nexts) == 1 else None
            if not isinstance(value, Value) or structure.home.get(value) is not loop.body or value in found:
                continue
            if _is_one_value(value.type, item.parameter.type) and own_region(value) is None and is_computed(value):
                found[value] = HandedOn(loop, item)
    return found


def next_values(loop: For | While, item: Carried) -> set[Value]:
    """The values that trips hand on as the next value of `item`."""
    position = loop.carried.index(item)
    leaves = [leaf for leaf in leaves_of_block(loop.body) if isinstance(leaf, Yield)]
    return {value for leaf in leaves if isinstance(value := leaf.values[position], Value)}


def _is_one_value(first: Type, second: Type) -> bool:
    """Whether values are numbers or arrays of one type."""
    if isinstance(first, ArrayType) and isinstance(second, ArrayType):
        return (first.dtype, first.shape, first.fixed) == (second.dtype, second.shape, second.fixed) and first.fixed
    return isinstance(first, ScalarType) and first == second
