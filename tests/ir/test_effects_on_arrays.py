"""What operations on arrays do besides computing: arrays that nobody writes to are values, others are memory."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

from s2sad.analysis import resolve_arrays
from s2sad.ir.effects import ACTS, PURE, READS, WRITES, Callee, Effects, effects_of
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import as_known, call_method, make_tuple, unpack
from s2sad.ir.types import FLOAT, INT, NONE, ArrayType, Extent, IteratorType, ListType, OpaqueType, ScalarType, TupleType, Type

assert resolve_arrays.TABLES

N = (Extent("n"),)
MATRIX = (Extent("n"), Extent("n"))
VALUE, MEMORY = ArrayType("float64", N, 1, fixed=True), ArrayType("float64", N, 2)
NEW, MADE = ArrayType("float64", N, 3, fixed=True), ArrayType("float64", N, 4)
NUMBER = ScalarType("float", "float64")
COMPUTES = Effects(raises=True)
ALLOCATES_NEW = Effects(allocates=True, raises=True)


def effects(function: object, result: Type, *operands: Type | Operand, **keywords: Type) -> Effects:
    given = tuple(Value("", kind) if isinstance(kind, Type) else kind for kind in operands)
    named = tuple((name, Value("", kind)) for name, kind in keywords.items())
    return effects_of(Call(Value("", result), Constant(function), given, named))


@pytest.mark.parametrize(
    ("function", "result", "operands", "expected"),
    [
        (operator.add, NEW, (VALUE, VALUE), COMPUTES),
        (operator.add, NEW, (VALUE, FLOAT), COMPUTES),
        (operator.add, NEW, (MEMORY, VALUE), READS),
        (operator.add, MADE, (VALUE, VALUE), ALLOCATES_NEW),
        (operator.add, MADE, (VALUE, MEMORY), Effects(reads=True, allocates=True, raises=True)),
        (operator.truediv, NEW, (VALUE, Constant(2.0)), COMPUTES),
        (operator.lt, ArrayType("bool", N, 9, fixed=True), (VALUE, VALUE), COMPUTES),
        (operator.matmul, NEW, (ArrayType("float64", MATRIX, 7, fixed=True), VALUE), COMPUTES),
        (np.sin, NEW, (VALUE,), COMPUTES),
        (np.sin, NEW, (MEMORY,), READS),
        (np.sin, MADE, (VALUE,), ALLOCATES_NEW),
        (np.add, MEMORY, (VALUE, VALUE, MEMORY), WRITES),
        (np.sum, NUMBER, (VALUE,), COMPUTES),
        (np.sum, NUMBER, (MEMORY,), READS),
        (np.stack, NEW, (TupleType((VALUE, VALUE)),), COMPUTES),
        (np.stack, NEW, (TupleType((VALUE, MEMORY)),), READS),
        (np.zeros, NEW, (INT,), COMPUTES),
        (np.zeros, MADE, (INT,), ALLOCATES_NEW),
        (np.zeros_like, MADE, (MEMORY,), Effects(reads=True, allocates=True, raises=True)),
        (np.linalg.norm, NUMBER, (TupleType((FLOAT, FLOAT)),), COMPUTES),
        (operator.getitem, NUMBER, (VALUE, INT), COMPUTES),
        (operator.getitem, NUMBER, (MEMORY, INT), READS),
        (operator.getitem, MEMORY, (MEMORY, OpaqueType(slice)), COMPUTES),
        (operator.getitem, VALUE, (VALUE, OpaqueType(slice)), COMPUTES),
        (operator.getitem, MADE, (MEMORY, ArrayType("int64", N, 8)), Effects(reads=True, allocates=True, raises=True)),
        (operator.setitem, NONE, (MEMORY, INT, FLOAT), WRITES),
        (operator.iadd, MEMORY, (MEMORY, VALUE), WRITES),
        (operator.isub, MEMORY, (MEMORY, FLOAT), WRITES),
        (operator.iadd, NEW, (FLOAT, VALUE), COMPUTES),
        (operator.imatmul, MEMORY, (MEMORY, VALUE), WRITES),
        (np.transpose, MEMORY, (MEMORY,), COMPUTES),
        (np.reshape, MEMORY, (MEMORY, INT), Effects(reads=True, allocates=True, raises=True)),
        (np.ravel, VALUE, (VALUE,), COMPUTES),
        (np.asarray, VALUE, (VALUE,), COMPUTES),
        (np.sum, MEMORY, (VALUE, INT, NONE, MEMORY), WRITES),
        (np.sum, NUMBER, (VALUE, INT, NONE, NONE), COMPUTES),
        (np.dot, MEMORY, (VALUE, VALUE, MEMORY), WRITES),
        (call_method, MEMORY, (VALUE, Constant("sum"), INT, NONE, MEMORY), WRITES),
        (np.copyto, NONE, (MEMORY, VALUE), WRITES),
        (as_known(np.add.at), NONE, (MEMORY, INT, FLOAT), WRITES),
        (as_known(np.add.reduce), NUMBER, (MEMORY,), READS),
        (len, INT, (MEMORY,), COMPUTES),
        (isinstance, ScalarType("bool"), (MEMORY, Constant(np.ndarray)), COMPUTES),
        (math.sin, FLOAT, (ArrayType("float64", (), 5),), READS),
        (float, FLOAT, (ArrayType("float64", (), 5, fixed=True),), COMPUTES),
        (getattr, TupleType((INT,)), (MEMORY, Constant("shape")), COMPUTES),
        (getattr, MEMORY, (MEMORY, Constant("T")), COMPUTES),
        (call_method, NUMBER, (MEMORY, Constant("sum")), READS),
        (call_method, NUMBER, (VALUE, Constant("sum")), COMPUTES),
        (call_method, MADE, (VALUE, Constant("copy")), ALLOCATES_NEW),
        (call_method, MEMORY, (MEMORY, Constant("transpose")), COMPUTES),
        (call_method, NONE, (MEMORY, Constant("fill"), FLOAT), WRITES),
        (call_method, NONE, (MEMORY, Constant("sort")), WRITES),
        (call_method, NONE, (MEMORY, Constant("tofile"), OpaqueType(str)), ACTS),
        (make_tuple, TupleType((MEMORY,)), (MEMORY,), PURE),
        (operator.getitem, MEMORY, (TupleType((MEMORY, FLOAT)), Constant(0)), COMPUTES),
        (np.ndindex, IteratorType(np.ndindex, TupleType((INT,))), (INT,), ALLOCATES_NEW),
        (np.random.default_rng, OpaqueType(np.random.Generator), (INT,), ACTS),
        (np.save, NONE, (OpaqueType(str), VALUE), ACTS),
        (Callee("f", COMPUTES), NEW, (VALUE,), COMPUTES),
        (Callee("f", COMPUTES), MADE, (VALUE,), ALLOCATES_NEW),
        (Callee("f", COMPUTES), FLOAT, (MEMORY,), READS),
        (Callee("f", ACTS), FLOAT, (MEMORY,), ACTS),
    ],
)
def test_effects(function: object, result: Type, operands: tuple[Type | Operand, ...], expected: Effects) -> None:
    assert effects(function, result, *operands) == expected


def test_what_is_stored_by_keyword() -> None:
    assert effects(np.sin, MEMORY, VALUE, out=MEMORY) == WRITES
    assert effects(np.sin, NEW, VALUE, out=NONE) == COMPUTES
    assert effects(call_method, MEMORY, VALUE, Constant("sum"), out=MEMORY) == WRITES
    assert effects(np.sum, NUMBER, VALUE, axis=INT) == COMPUTES


def test_lists_are_as_before() -> None:
    numbers = ListType(FLOAT, 1)
    assert effects(operator.getitem, FLOAT, numbers, INT) == READS
    assert effects(len, INT, numbers) == READS
    assert effects(unpack, TupleType((FLOAT,)), MEMORY, Constant(1)).checks
