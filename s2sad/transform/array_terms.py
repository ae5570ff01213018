"""Sums of products of arrays and numbers: what :mod:`s2sad.transform.simplify_array_algebra` takes expressions apart into.

>>> from s2sad.ir.types import Extent
>>> x = Value("x", ArrayType("float64", (Extent("n"),)))
>>> [item.coefficient[0].constant for item in combined([Term(2.0, arrays=(x,)), Term(3.0, arrays=(x,))])]
[5.0]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.types import ArrayType, Length
from s2sad.transform.array_memory import is_array

#: A quotient of two constants that takes more characters than this reads worse than the two.
_LONGEST: Final = 7
#: An axis of unknown length, and what a call of NumPy costs, in elements.
_LONG: Final = 64
_CALL: Final = 64


@dataclass(frozen=True, slots=True)
class Term:
    """``constant * numbers / divisors * arrays / array_divisors``."""

    constant: float = 1
    numbers: tuple[Operand, ...] = ()
    divisors: tuple[Operand, ...] = ()
    arrays: tuple[Operand, ...] = ()
    array_divisors: tuple[Operand, ...] = ()

    def times(self, other: Term) -> Term:
        return Term(
            self.constant * other.constant,
            self.numbers + other.numbers,
            self.divisors + other.divisors,
            self.arrays + other.arrays,
            self.array_divisors + other.array_divisors,
        )

    def over(self, other: Term) -> Term:
        ratio = self.constant if other.constant == 1 else self.constant / other.constant
        is_plain = ratio * other.constant == self.constant and len(repr(ratio)) <= _LONGEST
        return Term(
            ratio if is_plain else self.constant,
            self.numbers + other.divisors,
            self.divisors + other.numbers + (() if is_plain else (Constant(other.constant),)),
            self.arrays + other.array_divisors,
            self.array_divisors + other.arrays,
        )

    @property
    def key(self) -> tuple[frozenset[tuple[Operand, int]], frozenset[tuple[Operand, int]]]:
        """Equal for terms with the same arrays."""
        return frozenset(Counter(self.arrays).items()), frozenset(Counter(self.array_divisors).items())


@dataclass(frozen=True, slots=True)
class Sum:
    """Numbers times arrays: the coefficient is a sum of terms without arrays."""

    coefficient: tuple[Term, ...]
    arrays: tuple[Operand, ...]
    array_divisors: tuple[Operand, ...]
    #: What these are multiplied with besides: a sum.
    inner: tuple[Sum, ...] = ()


def combined(terms: list[Term]) -> list[Sum]:
    """Terms with the same arrays become one; what two have in common is taken out."""
    groups: dict[object, list[Term]] = {}
    for term in terms:
        groups.setdefault(term.key, []).append(term)
    sums = []
    for group in groups.values():
        coefficient = added([replace(term, arrays=(), array_divisors=()) for term in group])
        if coefficient:
            sums.append(Sum(tuple(coefficient), group[0].arrays, group[0].array_divisors))
    return factored(sums)


def added(terms: list[Term]) -> list[Term]:
    """Coefficients with the same numbers become one."""
    groups: dict[object, Term] = {}
    for term in terms:
        key = (frozenset(Counter(term.numbers).items()), frozenset(Counter(term.divisors).items()))
        known = groups.get(key)
        groups[key] = term if known is None else replace(known, constant=known.constant + term.constant)
    return [term for term in groups.values() if term.constant]


def factored(sums: list[Sum]) -> list[Sum]:
    """Take out the array that most of the terms have as a factor."""
    counts = Counter(array for item in sums for array in dict.fromkeys(item.arrays))
    best = max(counts, key=lambda array: counts[array], default=None)
    if best is None or counts[best] < 2 or len(sums) < 2:
        return sums
    with_factor = [item for item in sums if best in item.arrays and not item.inner]
    if len(with_factor) < 2:
        return sums
    inner = []
    for item in with_factor:
        rest = list(item.arrays)
        rest.remove(best)
        inner.append(Sum(item.coefficient, tuple(rest), item.array_divisors))
    first = with_factor[0]
    whole = Sum((Term(),), (best,), (), tuple(factored(inner)))
    return [whole if item is first else item for item in sums if item is first or item not in with_factor]


def dimensions(array: Operand) -> int:
    """The number of axes."""
    kind = array.type if isinstance(array, Value) else None
    return (kind.dimensions or 0) if isinstance(kind, ArrayType) else 0


def weight(shape: Sequence[Length]) -> int:
    """About how long it takes to make an array of some shape, besides the call; lengths that are not known are long."""
    return math.prod(length if isinstance(length, int) else _LONG for length in shape)


def shape_of(operand: Operand) -> tuple[Length, ...]:
    """The shape of a number or array."""
    kind = operand.type if isinstance(operand, Value) else None
    return (kind.shape or ()) if isinstance(kind, ArrayType) else ()


def cost(calls: Iterable[Call]) -> int:
    """About how long some calls of arithmetic take."""
    return sum(_CALL + weight(shape_of(call.result)) if is_array(call.result) else 1 for call in calls)


def is_negative(item: Sum) -> bool:
    return all(term.constant < 0 for term in item.coefficient)


def opposite(item: Sum) -> Sum:
    return replace(item, coefficient=tuple(replace(term, constant=-term.constant) for term in item.coefficient))
