"""Arithmetic on arrays in adjoint code, with as few passes over arrays as algebra allows.

Before (`s` and `nu` are numbers, all others arrays)::

    a ~= mul(d, nu)
    b ~= mul(a, 2)
    c ~= sub(d, b)
    e ~= mul(s, u)
    f ~= mul(nu, e)

After::

    t ~= mul(2, nu)
    k ~= sub(1.0, t)
    c ~= mul(k, d)
    q ~= mul(s, nu)
    f ~= mul(q, u)

An expression is taken apart into a sum of products; of each product, numbers are multiplied before they meet an array, terms with
the same arrays become one, a factor that terms have in common is multiplied once, signs become differences. What comes out is
taken if it makes fewer arrays. The sum of the elements of a product is a product of vectors, times numbers.

>>> from s2sad.ir.nodes import Parameter, Return
>>> from s2sad.ir.types import Extent
>>> vector = ArrayType("float64", (Extent("n"),), 1)
>>> x, t, y = Value("x", vector), Value("t", vector), Value("y", vector)
>>> calls = (
...     Call(t, Constant(operator.mul), (Constant(0.5), x), exact=False),
...     Call(y, Constant(operator.mul), (Constant(4.0), t), exact=False),
... )
>>> f = simplify_array_algebra(Function("f", (Parameter(x),), Block(calls, Return(y))))
>>> f.body.operations[-1].arguments
(Constant(2.0), <x: float64[n]>)

Only what one call needs, and what is read of memory that nobody writes to in between, is taken apart. A product that is the array
itself becomes a copy, which later passes may do without.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy

from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import FLOAT, ArrayType, ScalarType, Type
from s2sad.transform.accumulations import written_in
from s2sad.transform.algebra import kind_of_term, symbol_of
from s2sad.transform.array_memory import IN_PLACE, ArrayMemory, find_array_memory, is_array
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations

#: Longer expressions are left alone.
MOST_TERMS: Final = 12
#: What products of vectors are fast for.
_FAST: Final = ("float64", "float32")
#: A quotient of two constants that takes more characters than this reads worse than the two.
_LONGEST: Final = 7
_FUNCTIONS: Final = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "neg": operator.neg}


def simplify_array_algebra(fn: Function) -> Function:
    """Rewrite sums of products of arrays so that fewer arrays are made."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Algebra(dict(count_uses(fn)), memory).visit(fn.body))


@dataclass(frozen=True, slots=True)
class _Term:
    """``constant * numbers / divisors * arrays / array_divisors``."""

    constant: float = 1
    numbers: tuple[Operand, ...] = ()
    divisors: tuple[Operand, ...] = ()
    arrays: tuple[Operand, ...] = ()
    array_divisors: tuple[Operand, ...] = ()

    def times(self, other: _Term) -> _Term:
        return _Term(
            self.constant * other.constant,
            self.numbers + other.numbers,
            self.divisors + other.divisors,
            self.arrays + other.arrays,
            self.array_divisors + other.array_divisors,
        )

    def over(self, other: _Term) -> _Term:
        ratio = self.constant if other.constant == 1 else self.constant / other.constant
        is_plain = ratio * other.constant == self.constant and len(repr(ratio)) <= _LONGEST
        return _Term(
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


class _Algebra:
    def __init__(self, uses: dict[Value, int], memory: ArrayMemory) -> None:
        self.uses = uses
        self.memory = memory
        #: The calls of the block at hand, with their positions, and what was written to where.
        self.calls: dict[Value, tuple[int, Call]] = {}
        self.written: list[tuple[int, int]] = []

    def visit(self, block: Block) -> Block:
        outside = self.calls, self.written
        self.calls, self.written = {}, []
        operations: list[Operation] = []
        for position, operation in enumerate(block.operations):
            if isinstance(operation, Call):
                new = self.simplify(operation, position)
                operations += new
                operation = new[-1]
                self.calls[operation.result] = position, operation
            else:
                operations.append(map_blocks(operation, self.visit))
            written = written_in(operation, self.memory)
            if written:
                self.written.append((position, written))
        self.calls, self.written = outside
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def simplify(self, call: Call, position: int) -> list[Call]:
        """The calls that stand for one."""
        if not call.exact and _summed(call) is not None:
            return self.simplify_reduction(call, position)
        if not call.exact and (array := _summed_along(call)) is not None:
            return self.scale_reduction(call, array, position)
        if not call.exact and (same := _unchanged(call)) is not None:
            return [replace(call, function=Constant(call_method), arguments=(same, Constant("copy")))]
        if call.exact or not _is_arithmetic(call) or not _is_float_array(call.result):
            return [call]
        taken: list[Call] = [call]
        terms = self.terms(call, position, taken)
        if terms is None or len(terms) > MOST_TERMS:
            return [call]
        writer = _Writer(call)
        if not writer.write(_combined(terms), [array for term in terms for array in term.arrays]):
            return [call]
        before = sum(1 for part in taken if is_array(part.result))
        after = sum(1 for part in writer.calls if is_array(part.result))
        is_twice = symbol_of(call) == "+" and call.arguments[0] is call.arguments[1]
        if (after, len(writer.calls)) >= (before, len(taken)) and not (is_twice and after == before):
            return [call]
        self.release(taken)
        return writer.calls

    def simplify_reduction(self, call: Call, position: int) -> list[Call]:
        """``s * (a @ b)`` for ``np.sum(s * a * b)``."""
        array = _summed(call)
        assert array is not None
        taken: list[Call] = [call]
        terms = self.terms_of(array, replace(call, result=array), position, taken)
        if terms is None or len(terms) != 1 or len(taken) < 2 or terms[0].array_divisors:
            return [call]
        (term,) = terms
        kind = array.type
        assert isinstance(kind, ArrayType)
        arrays = [operand.type for operand in term.arrays if isinstance(operand, Value)]
        if not all(isinstance(other, ArrayType) and other.shape == kind.shape for other in arrays) or not arrays:
            return [call]
        writer = _Writer(call)
        *others, last = sorted(term.arrays, key=_dimensions)
        if not others:
            total: Operand = writer.emit(numpy.sum, last, kind=call.result.type)
        else:
            product = others[0]
            for other in others[1:]:
                product = writer.emit(operator.mul, product, other)
            if kind.dtype not in _FAST:
                return [call]
            function = operator.matmul if kind.dimensions == 1 else numpy.vdot
            total = writer.emit(function, product, last, kind=call.result.type)
        coefficient = writer.coefficient([replace(term, arrays=())])
        if coefficient is not None:
            is_minus = isinstance(coefficient, Constant) and coefficient.value == -1
            total = writer.emit(operator.neg, total) if is_minus else writer.emit(operator.mul, coefficient, total)
        writer.calls[-1] = replace(writer.calls[-1], result=call.result)
        self.release(taken)
        return writer.calls

    def scale_reduction(self, call: Call, array: Value, position: int) -> list[Call]:
        """``s * np.sum(a, axis=0)`` for ``np.sum(s * a, axis=0)``."""
        taken: list[Call] = [call]
        terms = self.terms_of(array, replace(call, result=array), position, taken)
        if terms is None or len(terms) != 1 or len(taken) < 2:
            return [call]
        (term,) = terms
        writer = _Writer(call)
        summed = writer.product(_Sum((_Term(),), term.arrays, term.array_divisors))
        if not isinstance(summed, Value) or not _is_alike(summed.type, array.type):
            return [call]
        total = Value("", call.result.type, temporary=True)
        writer.calls.append(replace(call, result=total, arguments=(summed,)))
        coefficient = writer.coefficient([replace(term, arrays=(), array_divisors=())])
        if coefficient is None:
            return [call]
        if isinstance(coefficient, Constant) and coefficient.value == -1:
            writer.emit(operator.neg, total)
        else:
            writer.emit(operator.mul, coefficient, total)
        writer.calls[-1] = replace(writer.calls[-1], result=call.result)
        self.release(taken)
        return writer.calls

    def release(self, taken: Sequence[Call]) -> None:
        for part in taken[1:]:
            self.uses[part.result] = 0

    def terms(self, call: Call, position: int, taken: list[Call]) -> list[_Term] | None:
        """What a call computes, as a sum of products; None if that is not known."""
        parts = [self.terms_of(operand, call, position, taken) for operand in call.arguments]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        minus = _Term(-1)
        match symbol_of(call), known:
            case "neg", [first]:
                return [minus.times(term) for term in first]
            case "+", [first, second]:
                return first + second
            case "-", [first, second]:
                return first + [minus.times(term) for term in second]
            case "*", [first, second] if len(first) == 1 or len(second) == 1:
                return self.product(call, first, second)
            case "/", [[first], [second]] if second.constant:
                return [first.over(second)]
            case _:
                return None

    def product(self, call: Call, first: list[_Term], second: list[_Term]) -> list[_Term] | None:
        """A product of which one side is no sum; a sum of several terms is multiplied as a whole."""
        if len(first) == len(second) == 1:
            return [first[0].times(second[0])]
        return None

    def terms_of(self, operand: Operand, user: Call, position: int, taken: list[Call]) -> list[_Term] | None:
        """An operand as a sum of products: taken apart, if nobody else needs it."""
        if isinstance(operand, Constant):
            value = operand.value
            return [_Term(value)] if isinstance(value, (int, float)) and value.__class__ in (int, float) else None
        if isinstance(operand.type, ScalarType):
            dtype = user.result.type.dtype if isinstance(user.result.type, ArrayType) else ""
            is_real = operand.type.kind in ("int", "float") and operand.type.dtype in ("", dtype)
            return [_Term(numbers=(operand,))] if is_real else None
        if not _is_float_array(operand) or not _same_dtype(operand, user.result):
            return None
        where, inner = self.calls.get(operand, (0, None))
        if inner is None or self.uses.get(operand) != 1 or not _is_arithmetic(inner) or not _is_float_array(inner.result):
            return [_Term(arrays=(operand,))]
        if inner.exact and symbol_of(inner) not in ("*", "/", "neg"):
            return [_Term(arrays=(operand,))]
        read = self.memory.read_by(inner)
        if any(place >= where and read & what for place, what in self.written):
            return [_Term(arrays=(operand,))]
        # the factors of a product are not multiplied out
        is_factor = symbol_of(user) in ("*", "/")
        attempt = [*taken, inner]
        found = self.terms(inner, where, attempt)
        if found is None or (is_factor and len(found) > 1):
            return [_Term(arrays=(operand,))]
        taken[:] = attempt
        return found


def _is_alike(first: Type, second: Type) -> bool:
    if not isinstance(first, ArrayType) or not isinstance(second, ArrayType):
        return False
    return (first.dtype, first.shape) == (second.dtype, second.shape)


def _summed_along(call: Call) -> Value | None:
    """The array that a call adds up along some axes."""
    if function_of(call) is not numpy.sum or len(call.arguments) != 1:
        return None
    if not call.keywords or not {name for name, _ in call.keywords} <= {"axis", "keepdims"}:
        return None
    array = call.arguments[0]
    return array if isinstance(array, Value) and _is_float_array(array) and _is_float_array(call.result) else None


def _unchanged(call: Call) -> Value | None:
    """The array that a call multiplies with 1, or divides by it."""
    if symbol_of(call) not in ("*", "/") or not _is_arithmetic(call):
        return None
    first, second = call.arguments
    for operand, other in ((first, second), (second, first)) if symbol_of(call) == "*" else ((first, second),):
        is_one = isinstance(other, Constant) and other.value.__class__ in (int, float) and other.value == 1
        if is_one and isinstance(operand, Value) and is_array(operand) and isinstance(operand.type, ArrayType):
            return operand if operand.type.kind == "float" else None
    return None


def _summed(call: Call) -> Value | None:
    """The array whose elements a call adds up."""
    is_method = function_of(call) is call_method and len(call.arguments) == 2
    is_sum = is_method and isinstance(call.arguments[1], Constant) and call.arguments[1].value == "sum"
    if call.keywords or not (is_sum or (function_of(call) is numpy.sum and len(call.arguments) == 1)):
        return None
    array = call.arguments[0]
    return array if isinstance(array, Value) and _is_float_array(array) and isinstance(call.result.type, ScalarType) else None


def _is_arithmetic(call: Call) -> bool:
    return symbol_of(call) in _FUNCTIONS and not is_one_of(function_of(call), IN_PLACE)


def _is_float_array(operand: Operand) -> bool:
    if not is_array(operand) or not isinstance(operand, Value) or not isinstance(operand.type, ArrayType):
        return False
    return operand.type.kind == "float" and operand.type.shape is not None and None not in operand.type.shape


def _same_dtype(first: Value, second: Value) -> bool:
    return isinstance(first.type, ArrayType) and isinstance(second.type, ArrayType) and first.type.dtype == second.type.dtype


@dataclass(frozen=True, slots=True)
class _Sum:
    """Numbers times arrays: the coefficient is a sum of terms without arrays."""

    coefficient: tuple[_Term, ...]
    arrays: tuple[Operand, ...]
    array_divisors: tuple[Operand, ...]
    #: What these are multiplied with besides: a sum.
    inner: tuple[_Sum, ...] = ()


def _combined(terms: list[_Term]) -> list[_Sum]:
    """Terms with the same arrays become one; what two have in common is taken out."""
    groups: dict[object, list[_Term]] = {}
    for term in terms:
        groups.setdefault(term.key, []).append(term)
    sums = []
    for group in groups.values():
        coefficient = _added([replace(term, arrays=(), array_divisors=()) for term in group])
        if coefficient:
            sums.append(_Sum(tuple(coefficient), group[0].arrays, group[0].array_divisors))
    return _factored(sums)


def _added(terms: list[_Term]) -> list[_Term]:
    """Coefficients with the same numbers become one."""
    groups: dict[object, _Term] = {}
    for term in terms:
        key = (frozenset(Counter(term.numbers).items()), frozenset(Counter(term.divisors).items()))
        known = groups.get(key)
        groups[key] = term if known is None else replace(known, constant=known.constant + term.constant)
    return [term for term in groups.values() if term.constant]


def _factored(sums: list[_Sum]) -> list[_Sum]:
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
        inner.append(_Sum(item.coefficient, tuple(rest), item.array_divisors))
    first = with_factor[0]
    whole = _Sum((_Term(),), (best,), (), tuple(_factored(inner)))
    return [whole if item is first else item for item in sums if item is first or item not in with_factor]


@dataclass(slots=True)
class _Writer:
    """Writes calls; the last has the result of the call that they stand for."""

    call: Call
    calls: list[Call] = field(default_factory=list)

    def write(self, sums: list[_Sum], arrays: Sequence[Operand]) -> bool:
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

    def emit(self, function: object, *operands: Operand, kind: Type | None = None) -> Value:
        if kind is not None:
            pass
        elif function in (numpy.zeros_like, call_method):
            kind = operands[0].type if isinstance(operands[0], Value) else FLOAT
        elif all(map(is_number, operands)):
            kind = kind_of_term(operands)
        else:
            kind = type_of_operation(function, operands)
        result = Value("", kind, temporary=True)
        self.calls.append(Call(result, Constant(function), operands, (), self.call.span, False))
        return result

    def sum(self, sums: Sequence[_Sum]) -> Operand:
        """The sum of terms, a positive one first."""
        ordered = sorted(sums, key=_is_negative)
        value: Operand | None = None
        for item in ordered:
            if value is None:
                value = self.product(item)
            elif _is_negative(item):
                value = self.emit(operator.sub, value, self.product(_opposite(item)))
            else:
                value = self.emit(operator.add, value, self.product(item))
        assert value is not None
        return value

    def product(self, item: _Sum) -> Operand:
        """Numbers first, then what makes the smallest array."""
        arrays = sorted(item.arrays, key=_dimensions)
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

    def coefficient(self, terms: Sequence[_Term]) -> Operand | None:
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

    def numbers(self, term: _Term) -> Operand:
        value: Operand | None = None if term.constant == 1 and term.numbers else Constant(term.constant)
        for number in term.numbers:
            value = number if value is None else self.emit(operator.mul, value, number)
        assert value is not None
        for divisor in term.divisors:
            value = self.emit(operator.truediv, value, divisor)
        return value


def _dimensions(array: Operand) -> int:
    kind = array.type if isinstance(array, Value) else None
    return (kind.dimensions or 0) if isinstance(kind, ArrayType) else 0


def _is_negative(item: _Sum) -> bool:
    return all(term.constant < 0 for term in item.coefficient)


def _opposite(item: _Sum) -> _Sum:
    return replace(item, coefficient=tuple(replace(term, constant=-term.constant) for term in item.coefficient))
