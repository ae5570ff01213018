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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy

from s2sad.analysis.array_shapes import broadcast
from s2sad.analysis.array_types import type_of_operation
from s2sad.ir.nodes import Block, Call, Constant, Function, Operand, Operation, Value
from s2sad.ir.operations import IN_PLACE, call_method
from s2sad.ir.types import ArrayType, Length, ScalarType
from s2sad.transform.accumulations import written_in
from s2sad.transform.algebra import symbol_of
from s2sad.transform.array_expressions import is_float_array
from s2sad.transform.array_memory import ArrayMemory, find_array_memory, is_alike, is_array
from s2sad.transform.array_terms import Sum, Term, combined, cost, dimensions, shape_of, weight
from s2sad.transform.purity import function_of, is_number, is_one_of
from s2sad.transform.rewrite import count_uses, map_blocks, with_body, with_operations
from s2sad.transform.write_arrays import Writer, is_of_numpy

#: Longer expressions are left alone.
MOST_TERMS: Final = 12
#: What products of vectors are fast for.
_FAST: Final = ("float64", "float32")
_FUNCTIONS: Final = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "neg": operator.neg}


def simplify_array_algebra(fn: Function) -> Function:
    """Rewrite sums of products of arrays so that fewer arrays are made."""
    memory = find_array_memory(fn)
    if not memory.has_arrays:
        return fn
    return with_body(fn, _Algebra(dict(count_uses(fn)), memory).visit(fn.body))


class _Algebra:
    def __init__(self, uses: dict[Value, int], memory: ArrayMemory) -> None:
        self.uses = uses
        self.memory = memory
        #: The calls of the block at hand, with their positions, and what was written to where.
        self.calls: dict[Value, tuple[int, Call]] = {}
        self.written: list[tuple[int, int]] = []
        #: Numbers that are not 0, or something has raised before.
        self.nonzero: set[Value] = set()

    def visit(self, block: Block) -> Block:
        outside = self.calls, self.written, self.nonzero
        self.calls, self.written, self.nonzero = {}, [], set(self.nonzero)
        operations: list[Operation] = []
        for position, operation in enumerate(block.operations):
            if isinstance(operation, Call):
                new = self.simplify(operation, position)
                operations += new
                operation = new[-1]
                self.calls[operation.result] = position, operation
                self.nonzero.update(_found_nonzero(operation))
            else:
                operations.append(map_blocks(operation, self.visit))
            written = written_in(operation, self.memory)
            if written:
                self.written.append((position, written))
        self.calls, self.written, self.nonzero = outside
        return with_operations(block, operations, map_blocks(block.terminator, self.visit))

    def simplify(self, call: Call, position: int) -> list[Call]:
        """The calls that stand for one."""
        if not call.exact and _summed(call) is not None:
            return self.simplify_reduction(call, position)
        if not call.exact and (array := _summed_along(call)) is not None:
            return self.factor_reduction(call, array, position)
        if not call.exact and (same := _unchanged(call)) is not None:
            return [replace(call, function=Constant(call_method), arguments=(same, Constant("copy")))]
        if not call.exact and (negated := self.negated_addend(call)) is not None:
            function = operator.isub if function_of(call) is operator.iadd else operator.iadd
            return [replace(call, function=Constant(function), arguments=(call.arguments[0], negated))]
        if call.exact or not _is_arithmetic(call) or not is_float_array(call.result):
            return [call]
        taken: list[Call] = [call]
        terms = self.terms(call, position, taken)
        if terms is None or len(terms) > MOST_TERMS:
            return [call]
        writer = Writer(call, self.nonzero)
        if not writer.write(combined(terms), [array for term in terms for array in term.arrays]):
            return [call]
        before, after = self.cost(taken), cost(writer.calls)
        is_twice = symbol_of(call) == "+" and call.arguments[0] is call.arguments[1]
        if (after, len(writer.calls)) >= (before, len(taken)) and not (is_twice and after <= before + 1):
            return [call]
        self.release(taken)
        return writer.calls

    def negated_addend(self, call: Call) -> Operand | None:
        """What is subtracted in place of adding its negative, or the other way round."""
        value = call.arguments[-1] if function_of(call) in (operator.iadd, operator.isub) else None
        if not isinstance(value, Value) or value not in self.calls or self.uses.get(value) != 1:
            return None
        where, inner = self.calls[value]
        read = self.memory.read_by(inner)
        if symbol_of(inner) != "neg" or any(place >= where and read & what for place, what in self.written):
            return None
        return inner.arguments[0]

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
        writer = Writer(call, self.nonzero)
        *others, last = sorted(term.arrays, key=dimensions)
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

    def factor_reduction(self, call: Call, array: Value, position: int) -> list[Call]:
        """``s * np.sum(a, axis=0)`` for ``np.sum(s * a, axis=0)``, where `s` is the same all along the axis."""
        taken: list[Call] = [call]
        terms = self.terms_of(array, replace(call, result=array), position, taken)
        axes = summed_axes(call)
        if terms is None or len(terms) != 1 or len(taken) < 2 or axes is None:
            return [call]
        (term,) = terms
        whole = shape_of(array)
        outer, inner = split_term(term, axes, whole)
        kept = inner.arrays + inner.array_divisors
        if not kept or (outer.arrays, outer.array_divisors, outer.numbers, outer.divisors, outer.constant) == ((), (), (), (), 1):
            return [call]
        if any(broadcast(*map(shape_of, kept), (1,) * len(whole))[axis] != whole[axis] for axis in axes):
            return [call]
        writer = Writer(call, self.nonzero)
        summed = writer.product(Sum((Term(),), inner.arrays, inner.array_divisors))
        if not isinstance(summed, Value):
            return [call]
        keeps = dict(call.keywords).get("keepdims", Constant(value=False)).value is True  # type: ignore[union-attr]
        is_kept = keeps or any(len(shape_of(factor)) == len(whole) for factor in outer.arrays + outer.array_divisors)
        if len(shape_of(summed)) != len(whole):
            return [call]
        named = (("axis", dict(call.keywords)["axis"]), *([("keepdims", Constant(value=True))] if is_kept else []))
        total = writer.emit(numpy.sum, summed, kind=type_of_operation(numpy.sum, (summed,), dict(named)), keywords=named)
        value = writer.product(Sum((replace(outer, arrays=(), array_divisors=()),), (*outer.arrays, total), outer.array_divisors))
        if is_kept and not keeps:
            key = Constant(tuple(0 if axis in axes else slice(None) for axis in range(len(whole))))
            value = writer.emit(operator.getitem, value, key, kind=type_of_operation(operator.getitem, (value, key)))
        if not isinstance(value, Value) or not is_alike(value, call.result) or self.cost(taken) <= cost(writer.calls):
            return [call]
        writer.calls[-1] = replace(writer.calls[-1], result=call.result)
        self.release(taken)
        return writer.calls

    def cost(self, taken: Sequence[Call]) -> int:
        """What can be saved: of a call that another one needs too, nothing."""
        return cost([part for part in taken if part is taken[0] or self.uses.get(part.result) == 1])

    def release(self, taken: Sequence[Call]) -> None:
        for part in taken[1:]:
            uses = self.uses.get(part.result, 1)
            self.uses[part.result] = uses - 1
            for operand in part.arguments if uses > 1 else ():
                if isinstance(operand, Value):
                    self.uses[operand] = self.uses.get(operand, 0) + 1

    def terms(self, call: Call, position: int, taken: list[Call]) -> list[Term] | None:
        """What a call computes, as a sum of products; None if that is not known."""
        parts = [self.terms_of(operand, call, position, taken) for operand in call.arguments]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        minus = Term(-1)
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

    def product(self, call: Call, first: list[Term], second: list[Term]) -> list[Term] | None:
        """A product of which one side is no sum; a sum of several terms is multiplied as a whole."""
        if len(first) == len(second) == 1:
            return [first[0].times(second[0])]
        return None

    def terms_of(self, operand: Operand, user: Call, position: int, taken: list[Call]) -> list[Term] | None:
        """An operand as a sum of products: taken apart, if nobody else needs it."""
        if isinstance(operand, Constant):
            value = operand.value
            return [Term(value)] if isinstance(value, (int, float)) and value.__class__ in (int, float) else None
        if isinstance(operand.type, ScalarType):
            dtype = user.result.type.dtype if isinstance(user.result.type, ArrayType) else ""
            is_real = operand.type.kind in ("int", "float") and operand.type.dtype in ("", dtype)
            return [Term(numbers=(operand,))] if is_real else None
        if not is_float_array(operand) or not _same_dtype(operand, user.result):
            return None
        where, inner = self.calls.get(operand, (0, None))
        is_factor = symbol_of(user) in ("*", "/")
        if inner is None or not _is_arithmetic(inner) or not is_float_array(inner.result):
            return [Term(arrays=(operand,))]
        if self.uses.get(operand) != 1 and not (_grows(inner) and is_factor):
            return [Term(arrays=(operand,))]
        if inner.exact and symbol_of(inner) not in ("*", "/", "neg"):
            return [Term(arrays=(operand,))]
        concerned = self.memory.read_by(inner) | self.memory.roots(operand)  # the product itself may be stored into
        if any(place >= where and concerned & what for place, what in self.written):
            return [Term(arrays=(operand,))]
        # the factors of a product are not multiplied out
        attempt = [*taken, inner]
        found = self.terms(inner, where, attempt)
        if found is None or (is_factor and len(found) > 1):
            return [Term(arrays=(operand,))]
        taken[:] = attempt
        return found


def _grows(call: Call) -> bool:
    """Whether a product is larger than each of its factors."""
    sizes = [weight(shape_of(operand)) for operand in (*call.arguments, call.result)]
    return symbol_of(call) in ("*", "/") and max(sizes[:-1]) < sizes[-1]


def split_term(term: Term, axes: Sequence[int], whole: Sequence[Length]) -> tuple[Term, Term]:
    """What of a product does not change along some axes of the whole, and the rest."""

    def is_same(factor: Operand) -> bool:
        shape = shape_of(factor)
        positions = [axis - len(whole) + len(shape) for axis in axes]
        return all(position < 0 or shape[position] == 1 for position in positions)

    def split(factors: tuple[Operand, ...]) -> tuple[tuple[Operand, ...], tuple[Operand, ...]]:
        return tuple(filter(is_same, factors)), tuple(factor for factor in factors if not is_same(factor))

    (arrays, inner), (divisors, inner_divisors) = split(term.arrays), split(term.array_divisors)
    return replace(term, arrays=arrays, array_divisors=divisors), Term(arrays=inner, array_divisors=inner_divisors)


def summed_axes(call: Call) -> tuple[int, ...] | None:
    """The axes along which a call adds up."""
    axis = dict(call.keywords).get("axis")
    rank = dimensions(call.arguments[0])
    values = axis.value if isinstance(axis, Constant) else None
    values = values if isinstance(values, tuple) else (values,)
    if not all(value.__class__ is int and -rank <= value < rank for value in values):
        return None
    return tuple(value % rank for value in values)


def _summed_along(call: Call) -> Value | None:
    """The array that a call adds up along some axes."""
    if function_of(call) is not numpy.sum or len(call.arguments) != 1:
        return None
    if not call.keywords or not {name for name, _ in call.keywords} <= {"axis", "keepdims"}:
        return None
    array = call.arguments[0]
    return array if isinstance(array, Value) and is_float_array(array) and is_float_array(call.result) else None


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
    return array if isinstance(array, Value) and is_float_array(array) and isinstance(call.result.type, ScalarType) else None


def _found_nonzero(call: Call) -> Iterator[Value]:
    """The numbers that are not 0 after a call: what Python's numbers were divided by, and ``max(n, 1)``."""
    if symbol_of(call) == "/" and all(is_number(operand) and not is_of_numpy(operand) for operand in call.arguments):
        yield from (operand for operand in call.arguments[1:] if isinstance(operand, Value))
    if function_of(call) is max and any(_is_positive(operand) for operand in call.arguments):
        yield call.result


def _is_positive(operand: Operand) -> bool:
    return isinstance(operand, Constant) and operand.value.__class__ in (int, float) and operand.value > 0


def _is_arithmetic(call: Call) -> bool:
    return symbol_of(call) in _FUNCTIONS and not is_one_of(function_of(call), IN_PLACE)


def _same_dtype(first: Value, second: Value) -> bool:
    return isinstance(first.type, ArrayType) and isinstance(second.type, ArrayType) and first.type.dtype == second.type.dtype
