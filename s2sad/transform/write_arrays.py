"""Writes sums of products of arrays as calls.

>>> from s2sad.ir.types import Extent
>>> n = Extent("n")
>>> a, b = Value("a", ArrayType("float64", (n, 1))), Value("b", ArrayType("float64", (1, n)))
>>> c, y = Value("c", ArrayType("float64", (n, n))), Value("y", ArrayType("float64", (n, n)))
>>> writer = Writer(Call(y, Constant(operator.mul), (a, a), (), None, exact=False))
>>> _ = writer.product(Sum((Term(),), (c, a), (a,)))
>>> [call.arguments for call in writer.calls]
[(<a: float64[n, 1]>, <a: float64[n, 1]>), (<c: float64[n, n]>, <temporary: float64[n, 1]>)]
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

import numpy

from s2sad.analysis.array_shapes import broadcast
from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import FLOAT, ArrayType, ScalarType, Type
from s2sad.transform.algebra import kind_of_term
from s2sad.transform.array_memory import is_array
from s2sad.transform.array_terms import Sum, Term, dimensions, is_negative, opposite, shape_of, weight
from s2sad.transform.purity import is_number


def is_of_numpy(number: Operand) -> bool:
    """Whether a number divides as NumPy does, without an exception."""
    return isinstance(number, Value) and isinstance(number.type, ScalarType) and number.type.dtype != ""


@dataclass(slots=True)
class Writer:
    """Writes calls; the last has the result of the call that they stand for."""

    call: Call
    #: Numbers of which it is known that they are not 0.
    nonzero: Set[Value] = frozenset()
    calls: list[Call] = field(default_factory=list)

    def write(self, sums: list[Sum], arrays: Sequence[Operand]) -> bool:
        """Write a sum; false where its type would be another. `arrays` are those of which it was made."""
        kind = self.call.result.type
        assert isinstance(kind, ArrayType)
        if not sums:
            like = [array for array in arrays if isinstance(array, Value) and getattr(array.type, "shape", None) == kind.shape]
            if not like:
                return False
            value: Operand = self.emit(numpy.zeros_like, like[0])
        else:
            value = self.sum(sums)
        if not self.calls or self.calls[-1].result is not value:
            if not is_array(value):
                return False
            value = self.emit(call_method, value, Constant("copy"))
        last = self.calls[-1]
        found = last.result.type
        if not isinstance(found, ArrayType) or (found.dtype, found.shape) != (kind.dtype, kind.shape):
            return False
        self.calls[-1] = replace(last, result=self.call.result)
        return True

    def emit(
        self,
        function: object,
        *operands: Operand,
        kind: Type | None = None,
        keywords: tuple[tuple[str, Operand], ...] = (),
    ) -> Value:
        """Append a call."""
        if kind is not None:
            pass
        elif function in (numpy.zeros_like, call_method):
            kind = operands[0].type if isinstance(operands[0], Value) else FLOAT
        elif all(map(is_number, operands)):
            kind = kind_of_term(operands)
        else:
            kind = type_of_operation(function, operands)
        result = Value("", kind, temporary=True)
        self.calls.append(Call(result, Constant(function), operands, keywords, self.call.span, False))
        return result

    def sum(self, sums: Sequence[Sum]) -> Operand:
        """The sum of terms, a positive one first."""
        ordered = sorted(sums, key=is_negative)
        value: Operand | None = None
        for item in ordered:
            if value is None:
                value = self.product(item)
            elif is_negative(item):
                value = self.emit(operator.sub, value, self.product(opposite(item)))
            else:
                value = self.emit(operator.add, value, self.product(item))
        assert value is not None
        return value

    def product(self, item: Sum) -> Operand:
        """Numbers first, then what makes the smallest array."""
        if len({weight(shape_of(factor)) for factor in (*item.arrays, *item.array_divisors)}) > 1:
            return self.product_of_unequal(item)
        arrays = sorted(item.arrays, key=dimensions)
        if item.inner:
            arrays.append(self.sum(item.inner))
        coefficient = self.coefficient(item.coefficient)
        if not arrays and not item.array_divisors:
            return Constant(1.0) if coefficient is None else coefficient
        is_minus = bool(arrays) and isinstance(coefficient, Constant) and coefficient.value == -1
        if is_minus:
            coefficient = None
        value = coefficient
        for array in arrays:
            value = array if value is None else self.emit(operator.mul, value, array)
        for divisor in item.array_divisors:
            value = self.emit(operator.truediv, Constant(1.0) if value is None else value, divisor)
        assert value is not None
        return self.emit(operator.neg, value) if is_minus else value

    def product_of_unequal(self, item: Sum) -> Operand:
        """Where factors are of several sizes, those first that make the smallest array."""
        coefficient = self.coefficient(item.coefficient)
        factors: list[tuple[Operand, bool]] = [] if coefficient is None else [(coefficient, False)]
        factors += [(array, False) for array in item.arrays] + [(divisor, True) for divisor in item.array_divisors]
        if item.inner:
            factors.append((self.sum(item.inner), False))
        while len(factors) > 1:
            first, second = min(
                itertools.combinations(range(len(factors)), 2),
                key=lambda pair: weight(broadcast(*(shape_of(factors[index][0]) for index in pair))),
            )
            factors[first] = self.joined(factors[first], factors.pop(second))
        ((value, is_divisor),) = factors
        return self.emit(operator.truediv, Constant(1.0), value) if is_divisor else value

    def joined(self, first: tuple[Operand, bool], second: tuple[Operand, bool]) -> tuple[Operand, bool]:
        """The product of two factors, of which each may be a divisor."""
        (one, is_under), (other, is_other_under) = first, second
        if is_under and not is_other_under:
            return self.joined(second, first)
        if is_other_under and not is_under:
            return self.emit(operator.truediv, one, other), False
        for factor, value in ((one, other), (other, one)):
            if not is_under and isinstance(factor, Constant) and factor.value == -1:
                return self.emit(operator.neg, value), False
        return self.emit(operator.mul, one, other), is_under

    def coefficient(self, terms: Sequence[Term]) -> Operand | None:
        """A sum of products of numbers; None for 1."""
        value: Operand | None = None
        for term in sorted(terms, key=lambda term: term.constant < 0):
            if value is None:
                value = self.numbers(term)
            elif term.constant < 0:
                value = self.emit(operator.sub, value, self.numbers(replace(term, constant=-term.constant)))
            else:
                value = self.emit(operator.add, value, self.numbers(term))
        is_one = isinstance(value, Constant) and value.value == 1
        return None if is_one else value

    def numbers(self, term: Term) -> Operand:
        value: Operand | None = None if term.constant == 1 and term.numbers else Constant(term.constant)
        for number in term.numbers:
            value = number if value is None else self.emit(operator.mul, value, number)
        assert value is not None
        for divisor in term.divisors:
            value = self.emit(operator.truediv, value, self.as_divisor(value, divisor))
        return value

    def as_divisor(self, numerator: Operand, divisor: Operand) -> Operand:
        """What divides a number of Python: as the array that is meant does, which raises nothing where the divisor is 0."""
        kind = self.call.result.type
        dtype = kind.dtype if isinstance(kind, (ArrayType, ScalarType)) else ""
        if isinstance(divisor, Constant) or divisor in self.nonzero or not dtype or any(map(is_of_numpy, (numerator, divisor))):
            return divisor
        return self.emit(getattr(numpy, dtype), divisor, kind=ScalarType("float", dtype))
