"""What is known of integers, tuples and slices besides their types, so that shapes made of them are known: that ``n`` in
``n, m = x.shape`` is the length of an axis, that ``n - 2`` is two less, that ``np.s_[1:-1]`` leaves out two.

Before::

    n = len(x)
    y = np.empty(n - 1)
    y[:] = x[1:]

After: `y` has the length of ``x[1:]``, so that nothing is broadcast.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from s2sad.analysis.array_operands import Fact, as_length
from s2sad.analysis.array_shapes import SOME, Bound, Bounds, Count, plus, product
from s2sad.ir.nodes import Constant, Operand, Value
from s2sad.ir.operations import make_tuple, unpack
from s2sad.ir.types import NONE, ArrayType, Extent, Length, Type, strip_optional

FactOf = Callable[[Operand], Fact]
TypeOf = Callable[[Operand], Type]

#: Nothing is known.
NOTHING: Final = None


def fact_of_call(
    function: object, arguments: Sequence[Operand], keywords: Mapping[str, Operand], type_of: TypeOf, fact_of: FactOf
) -> Fact:
    """What is known of a call's result."""
    try:
        found = _FACTS.get(function)
    except TypeError:
        return NOTHING
    if found is None or keywords or (not arguments and function is not make_tuple):
        return NOTHING
    return found(arguments, [strip_optional(type_of(operand)) for operand in arguments], fact_of)


def with_names(fact: Fact, operand: Operand, counts: Mapping[Value, Count]) -> Fact:
    """A fact in which integers that have a name are numbers, and slices leave lengths that have names."""
    if isinstance(fact, Bounds):
        return replace(fact, is_named=True)
    return counts.get(operand) if fact is None and isinstance(operand, Value) else fact


def _shape_of(kind: Type) -> tuple[Length, ...] | None:
    return kind.shape if isinstance(kind, ArrayType) else None


def _length(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    shape = _shape_of(kinds[0])
    return shape[0] if shape else NOTHING


def _rank(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    shape = _shape_of(kinds[0])
    return NOTHING if shape is None else len(shape)


def _attribute(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    name = arguments[1].value if len(arguments) > 1 and isinstance(arguments[1], Constant) else None
    kind = kinds[0]
    if not isinstance(kind, ArrayType):
        return NOTHING
    match name:
        case "shape":
            return kind.shape
        case "size":
            return None if kind.shape is None else product(kind.shape)
        case "ndim":
            return kind.dimensions
        case "dtype":
            return np.dtype(kind.dtype)
    return NOTHING


def _shape(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    return _shape_of(kinds[0])


def _size(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    shape = _shape_of(kinds[0])
    return None if shape is None or len(arguments) > 1 else product(shape)


def _sum(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    first, second = map(fact_of, arguments)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return first + second
    for length, number in ((first, second), (second, first)):
        if isinstance(number, int) and not isinstance(number, bool):
            return _plus(length, number)
    return NOTHING


def _difference(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    first, second = map(fact_of, arguments)
    return _plus(first, -second) if isinstance(second, int) and not isinstance(second, bool) else NOTHING


def _product(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    first, second = map(fact_of, arguments)
    if _is_number(first) and _is_number(second):
        return first * second  # type: ignore[operator]
    return second if first == 1 else first if second == 1 else NOTHING


def _plus(fact: Fact, number: int) -> Fact:
    if isinstance(fact, Count):
        return Count(fact.name, fact.more + number)
    return plus(fact, number) if isinstance(fact, int | Extent) and not isinstance(fact, bool) else NOTHING


def _is_number(fact: Fact) -> bool:
    return isinstance(fact, int) and not isinstance(fact, bool)


def _part(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    whole, index = map(fact_of, arguments)
    if not isinstance(whole, tuple):
        return NOTHING
    if isinstance(index, Bounds):
        return whole[index.literal] if index.literal is not None else NOTHING
    if isinstance(index, int) and -len(whole) <= index < len(whole):
        found: Fact = whole[index]
        return found
    return NOTHING


def _slice(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    bounds: list[Bound] = []
    for operand, kind in zip(arguments, kinds, strict=True):
        fact = fact_of(operand)
        bounds.append(None if kind == NONE else _bound(fact))
    if len(bounds) == 1:
        return Bounds(None, bounds[0], None)
    return Bounds(*bounds, *(None,) * (3 - len(bounds)))


def _bound(fact: Fact) -> Bound:
    length = as_length(fact)
    return SOME if length is None else length


def _same(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    return fact_of(arguments[0])


def _all(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    return tuple(map(fact_of, arguments))


def _unpacked(arguments: Sequence[Operand], kinds: Sequence[Type], fact_of: FactOf) -> Fact:
    return fact_of(arguments[0]) if len(arguments) == 2 else NOTHING


_FACTS: Final[dict[object, Callable[[Sequence[Operand], Sequence[Type], FactOf], Fact]]] = {
    len: _length,
    getattr: _attribute,
    np.shape: _shape,
    np.size: _size,
    np.ndim: _rank,
    operator.add: _sum,
    operator.iadd: _sum,
    operator.sub: _difference,
    operator.isub: _difference,
    operator.mul: _product,
    operator.getitem: _part,
    slice: _slice,
    int: _same,
    tuple: _same,
    make_tuple: _all,
    unpack: _unpacked,
}


class Facts:
    """What is known of the values of one function; a value that is several has no fact, and never gets one again."""

    def __init__(self) -> None:
        self.known: dict[Value, Fact] = {}
        self.dropped: set[Value] = set()

    def learn(self, value: Value, fact: Fact) -> bool:
        """A value has this fact on one way; whether that is news."""
        if value in self.dropped:
            return False
        if value in self.known and (type(self.known[value]) is not type(fact) or self.known[value] != fact):
            common = _common(self.known[value], fact)
            if common is None:
                del self.known[value]
                self.dropped.add(value)
            elif common == self.known[value]:
                return False
            else:
                self.known[value] = common
            return True
        if fact is None:
            self.dropped.add(value)
            return False
        is_news = value not in self.known
        self.known[value] = fact
        return is_news


def _common(first: Fact, second: Fact) -> Fact:
    """What two facts have in common: tuples part by part."""
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        return tuple(_common(a, b) for a, b in zip(first, second, strict=True))
    return first if type(first) is type(second) and first == second else None
