"""What arrays are as sums of products of other arrays, and of sums of these along an axis.

Before::

    s = np.sum(e, axis=1, keepdims=True)
    q ~= truediv(r, s)
    t ~= mul(q, e)

`t` is ``r * Σ(e)**-1 * e``, and its sum along the axis is ``r * Σ(e)**-1 * Σ(e)``, which is `r`::

    >>> from s2sad.ir.nodes import Call, Constant, Function, Block, Parameter, Return, Value
    >>> from s2sad.ir.types import Extent
    >>> import s2sad.analysis.array_reductions  # declares what `np.sum` does
    >>> matrix, column = ArrayType("float64", (Extent("n"), Extent("m"))), ArrayType("float64", (Extent("n"), 1))
    >>> e, t = Value("e", matrix), Value("t", matrix)
    >>> r, s, q = Value("r", column), Value("s", column), Value("q", column)
    >>> calls = (
    ...     Call(s, Constant(numpy.sum), (e,), (("axis", Constant(1)), ("keepdims", Constant(True)))),
    ...     Call(q, Constant(operator.truediv), (r, s)),
    ...     Call(t, Constant(operator.mul), (q, e)),
    ... )
    >>> fn = Function("f", (Parameter(e), Parameter(r)), Block(calls, Return(t)))
    >>> known = Expressions(find_array_memory(fn))
    >>> for call in calls:
    ...     _ = known.note(call)
    >>> total = known.sum_along(t, 1)
    >>> total == known.expression_of(r)
    True

Equal means equal in real arithmetic. An array that is written to is another one afterwards. Sums and differences of the primal
are not looked into: they may be there for the sake of rounding, as in ``(x + big) - big``.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy

from s2sad.analysis.array_shapes import broadcast
from s2sad.ir.nodes import Call, Constant, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE, call_method
from s2sad.ir.types import ArrayType, Length, ScalarType
from s2sad.transform.accumulations import written_in
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_memory import ArrayMemory, bits, find_array_memory, is_array
from s2sad.transform.known_indices import KnownIndices
from s2sad.transform.purity import function_of, is_one_of

__all__ = ["Expression", "Expressions", "find_array_memory", "is_nothing", "summed_axis"]

#: Longer expressions are not followed.
MOST_TERMS: Final = 8
_UFUNCS: Final[dict[object, str]] = {
    numpy.add: "+",
    numpy.subtract: "-",
    numpy.multiply: "*",
    numpy.divide: "/",
    numpy.negative: "neg",
}
#: What is multiplied: an array or number at some time, or the sum along an axis of such things (None: of all elements).
Atom = tuple[object, ...]
Factors = frozenset[tuple[Atom, int]]
#: Products of factors, each with what it is multiplied by.
Expression = dict[Factors, float]


def is_nothing(expression: Expression | None) -> bool:
    """Whether all terms cancel."""
    return expression is not None and not expression


def summed_axis(call: Call) -> tuple[Value, int | None, bool] | None:
    """What a call adds up, along which axis (None: all), and whether the result keeps that axis."""
    function, arguments = function_of(call), call.arguments
    if function is call_method and isinstance(arguments[1], Constant) and arguments[1].value == "sum":
        array, rest = arguments[0], arguments[2:]
    elif function is numpy.sum and arguments:
        array, rest = arguments[0], arguments[1:]
    else:
        return None
    named = dict(call.keywords)
    if len(rest) > 1 or (rest and "axis" in named) or not named.keys() <= {"axis", "keepdims"}:
        return None
    axis = rest[0] if rest else named.get("axis", Constant(None))
    keeps = named.get("keepdims", Constant(value=False))
    rank = array.type.dimensions if isinstance(array, Value) and isinstance(array.type, ArrayType) else None
    if not isinstance(array, Value) or rank is None or not isinstance(axis, Constant) or not isinstance(keeps, Constant):
        return None
    if axis.value is None:
        return (array, None, False) if keeps.value is False else None
    if axis.value.__class__ is not int or not -rank <= axis.value < rank:
        return None
    return array, axis.value % rank, keeps.value is True


@dataclass(slots=True)
class Expressions:
    """What the values of a block are, as far as the walk through it has come: `note` each operation in turn."""

    memory: ArrayMemory
    known: dict[Value, tuple[int, Expression]] = field(default_factory=dict)
    #: Sums along an axis that is not kept.
    sums: dict[Value, tuple[int, int, Expression]] = field(default_factory=dict)
    #: How often the arrays of a root were written.
    versions: dict[int, int] = field(default_factory=dict)
    #: Indices of which all is known.
    indices: KnownIndices = field(default_factory=KnownIndices)
    #: The factors of an atom that is no sum.
    values: dict[Atom, Value] = field(default_factory=dict)

    def note(self, operation: Operation) -> Expression | None:
        """Go on by an operation; what it computes, if that is known."""
        for root in bits(written_in(operation, self.memory)):
            self.versions[root] = self.versions.get(root, 0) + 1
        if not isinstance(operation, Call) or is_one_of(function_of(operation), IN_PLACE):
            return None
        self.indices.note(operation)
        found = self.expression_of_call(operation)
        if found is not None and len(found) <= MOST_TERMS:
            self.known[operation.result] = self.version(operation.result), found
        return found

    def version(self, value: Value) -> int:
        """How often the memory of a value was written so far."""
        return sum(self.versions.get(root, 0) for root in bits(self.memory.roots(value)))

    def expression_of(self, operand: Operand) -> Expression | None:
        """What an operand is; None for what is no real number or array."""
        if isinstance(operand, Constant):
            value = operand.value
            if value.__class__ not in (int, float):
                return None
            return {frozenset(): float(value)} if value else {}
        version, found = self.known.get(operand, (None, None))
        if found is not None and version == self.version(operand):
            return found
        if isinstance(operand.type, ScalarType):
            if operand.type.kind not in ("int", "float"):
                return None
        elif not isinstance(operand.type, ArrayType) or operand.type.shape is None or operand.type.kind == "complex":
            return None
        atom: Atom = ("value", operand, self.version(operand))
        self.values[atom] = operand
        return {frozenset({(atom, 1)}): 1.0}

    def expression_of_call(self, call: Call) -> Expression | None:
        """What a call computes, from its operands."""
        kind = call.result.type
        if not isinstance(kind, (ArrayType, ScalarType)) or kind.kind != "float":
            return None
        summed = summed_axis(call)
        if summed is not None:
            array, axis, keeps = summed
            total = self.sum_along(array, axis)
            if total is not None and axis is not None and not keeps:
                self.sums[call.result] = self.version(call.result), axis, total
                return total if not total else None
            return total
        if function_of(call) is operator.getitem and len(call.arguments) == 2:
            return self.with_axis(*call.arguments)
        symbol = symbol_of(call) or _symbol_of_ufunc(call)
        if symbol is None or (call.exact and symbol in ("+", "-")):
            return None
        self.note_sum(call, symbol)
        parts = [self.expression_of(operand) for operand in call.arguments]
        return self.combined(symbol, [part for part in parts if part is not None]) if None not in parts else None

    def note_sum(self, call: Call, symbol: str) -> None:
        """A sum along an axis that is not kept, times numbers, is one too."""
        parts = [operand for operand in call.arguments if isinstance(operand, Value) and operand in self.sums]
        others = [operand for operand in call.arguments if operand not in parts]
        if len(parts) != 1 or symbol not in ("neg", "*") or any(map(is_array, others)):
            return
        version, axis, total = self.sums[parts[0]]
        numbers = [number for number in map(self.expression_of, others) if number is not None]
        scaled = self.combined(symbol, [total, *numbers])
        if len(numbers) == len(others) and scaled is not None and version == self.version(parts[0]):
            self.sums[call.result] = self.version(call.result), axis, scaled

    def combined(self, symbol: str, known: list[Expression]) -> Expression | None:
        """Arithmetic on expressions."""
        match symbol, known:
            case "neg", [first]:
                return {factors: -number for factors, number in first.items()}
            case "+", [first, second]:
                return _added(first, second, 1.0)
            case "-", [first, second]:
                return _added(first, second, -1.0)
            case "*", [first, second]:
                return _multiplied(first, second)
            case "/", [first, second] if len(second) == 1:
                return _multiplied(first, _inverse(second))
            case _:
                return None

    def with_axis(self, array: Operand, key: Operand) -> Expression | None:
        """``s[:, None]`` for a sum along axis 1: as if the axis had been kept."""
        if not isinstance(array, Value) or array not in self.sums:
            return None
        version, axis, total = self.sums[array]
        parts = self.indices.index(key)
        is_alike = version == self.version(array) and isinstance(parts, tuple) and parts.count(None) == 1
        if not is_alike or not isinstance(parts, tuple) or parts.index(None) != axis:
            return None
        return total if all(part == slice(None) for part in parts if part is not None) else None

    def sum_along(self, array: Value, axis: int | None) -> Expression | None:
        """The sum of an array along an axis, or of all its elements, where factors that are the same there leave the sum."""
        whole, kind = self.expression_of(array), array.type
        if whole is None or not isinstance(kind, ArrayType) or kind.shape is None or None in kind.shape:
            return None
        total: Expression = {}
        for factors, number in whole.items():
            outer = {factor for factor in factors if self.is_same_along(factor[0], axis, kind.shape)}
            inner = factors - outer
            if not self.covers(inner, axis, kind.shape):
                return None
            atom: Atom = ("sum", inner, axis)
            total = _added(total, _multiplied({frozenset(outer): number}, {frozenset({(atom, 1)}): 1.0}), 1.0)
        return total

    def is_same_along(self, atom: Atom, axis: int | None, whole: tuple[Length, ...]) -> bool:
        """Whether a factor does not change along an axis of the whole."""
        shape = self.shape_of(atom)
        if shape is None:
            return False
        if axis is None:
            return all(length == 1 for length in shape)
        position = axis - len(whole) + len(shape)
        return position < 0 or shape[position] == 1

    def covers(self, factors: Factors, axis: int | None, whole: tuple[Length, ...]) -> bool:
        """Whether a product has the length of the whole along an axis, and is not stretched to it."""
        shapes = [self.shape_of(atom) for atom, _ in factors]
        known = [shape for shape in shapes if shape is not None]
        if not known or len(known) < len(shapes):
            return False
        shape = broadcast(*known)
        if axis is None:
            return shape == whole
        return len(shape) == len(whole) and shape[axis] == whole[axis]

    def shape_of(self, atom: Atom) -> tuple[Length, ...] | None:
        """The shape of a factor; a sum along an axis has kept that."""
        if atom[0] == "value":
            kind = self.values[atom].type
            return kind.shape if isinstance(kind, ArrayType) else ()
        _, factors, axis = atom
        assert isinstance(factors, frozenset)
        shapes = [self.shape_of(inner) for inner, _ in factors]
        if axis is None or None in shapes:
            return () if axis is None else None
        shape = list(broadcast(*(shape for shape in shapes if shape is not None)))
        assert isinstance(axis, int)
        return (*shape[:axis], 1, *shape[axis + 1 :])


def _symbol_of_ufunc(call: Call) -> str | None:
    function = function_of(call)
    plain = isinstance(function, numpy.ufunc) and not call.keywords and len(call.arguments) == function.nin
    return _UFUNCS.get(function) if plain else None


def _added(first: Expression, second: Expression, sign: float) -> Expression:
    total = dict(first)
    for factors, number in second.items():
        total[factors] = total.get(factors, 0.0) + sign * number
    return {factors: number for factors, number in total.items() if number}


def _multiplied(first: Expression, second: Expression) -> Expression:
    total: Expression = {}
    for one, number in first.items():
        for other, times in second.items():
            powers = Counter(dict(one))
            for atom, power in other:
                powers[atom] += power
            factors = frozenset((atom, power) for atom, power in powers.items() if power)
            total[factors] = total.get(factors, 0.0) + number * times
    return {factors: number for factors, number in total.items() if number}


def _inverse(expression: Expression) -> Expression:
    ((factors, number),) = expression.items()
    return {frozenset((atom, -power) for atom, power in factors): 1.0 / number}


def is_float_array(operand: Operand) -> bool:
    """Whether an operand is an array of real numbers of a known shape."""
    kind = operand.type if isinstance(operand, Value) else None
    return is_array(operand) and isinstance(kind, ArrayType) and kind.kind == "float" and None not in (kind.shape or ())
