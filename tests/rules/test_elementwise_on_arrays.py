"""Partial derivatives lifted to whole arrays are, element by element, those of numbers."""

from __future__ import annotations

import builtins
import importlib.util
import inspect
import itertools
import math
import operator
import pathlib
import sys
import warnings

import mpmath
import numpy as np
import pytest

from s2sad import grad
from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Constant, Function, Parameter, Return, Value
from s2sad.ir.types import FLOAT, ArrayType, ScalarType
from s2sad.ir.verify import verify
from s2sad.rules import registered_rules
from s2sad.rules.checks import name_of
from s2sad.rules.core import PointwiseRule, SymmetricRule
from s2sad.transform.partials import partial_of

_spec = importlib.util.spec_from_file_location("rules_array_check", pathlib.Path(__file__).with_name("array_check.py"))
assert _spec is not None
assert _spec.loader is not None
check = importlib.util.module_from_spec(_spec)
sys.modules["rules_array_check"] = check
_spec.loader.exec_module(check)

_OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow, operator.neg, operator.pos)
_OTHERS = (operator.abs, builtins.abs, builtins.pow, np.clip, np.sinc, np.nan_to_num)


def takes_arrays(function):
    return isinstance(function, np.ufunc) or function in (*_OPERATORS, *_OTHERS)


CALLS = [
    (rule, function)
    for rule in registered_rules()
    if isinstance(rule, PointwiseRule | SymmetricRule)
    for function in rule.functions
    if takes_arrays(function)
]
NAMES = [name_of(function) for _, function in CALLS]
POINTS = [0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -0.7, 1.3, -2.0, 0.01, 1.0, 0.0]
OTHERS = [2.0, 1.0, 1.0, 0.5, -1.0, 0.0, 3.0, -0.7, 2.0, 1.5, 2.5, 0.0]


def counts(rule, function):
    if isinstance(function, np.ufunc):
        return [function.nin]
    if function is np.clip:
        return [3]
    parameters = list(inspect.signature(rule.body).parameters.values())[1:]
    return [sum(parameter.default is inspect.Parameter.empty for parameter in parameters)]


def partial_at(rule, function, position, operands, kinds):
    """The partial for operands of these types, a number or array each (None: a literal)."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        z = function(*operands)
        kind = check.type_of(np.asarray(z)) if any(isinstance(k, ArrayType) for k in kinds) else FLOAT
        result = Value("z", ArrayType(kind.dtype, None) if any(getattr(k, "shape", ()) is None for k in kinds) else kind)
        given = [Constant(x) if k is None else Value("x", k) for x, k in zip(operands, kinds, strict=True)]
        operations, partial = partial_of(rule, position, result, given, None)
        values = [(result, z), *((v, x) for v, x in zip(given, operands, strict=True) if isinstance(v, Value))]
        body = Block(operations, Return(partial))
        lowered = verify(Function("partial", tuple(Parameter(value) for value, _ in values), body))
        return interpret(lowered, [x for _, x in values])


def integer_positions(function):
    return (1,) if function is np.ldexp else ()


def numbers(function, count):
    """Points where the function and its derivatives are compared: one tuple an element."""
    columns = [POINTS, OTHERS, [2.5] * len(POINTS), [0.0] * len(POINTS)][:count]
    rows = list(zip(*columns, strict=True))
    if integer_positions(function):
        rows = [(x, int(n)) for x, n in rows]
    return rows


def partial_of_numbers(rule, function, position, row):
    if not isinstance(function, np.ufunc):
        try:
            function(*row)
        except (ArithmeticError, TypeError):
            return math.nan
    kinds = [ScalarType("int") if isinstance(x, int) else FLOAT for x in row]
    try:
        value = partial_at(rule, function, position, row, kinds)
    except (ArithmeticError, TypeError, ValueError):
        return math.nan
    return float(value) if not isinstance(value, complex) else math.nan


def expected_at(rule, function, position, arrays):
    rows = [np.ravel(array) for array in np.broadcast_arrays(*arrays)]
    shape = np.broadcast_shapes(*map(np.shape, arrays))
    values = []
    for row in zip(*rows, strict=True):
        plain = [int(x) if i in integer_positions(function) else float(x) for i, x in enumerate(row)]
        values.append(partial_of_numbers(rule, function, position, plain))
    return np.array(values).reshape(shape)


def compare(rule, function, position, operands, kinds, tolerance=1e-13):
    found = np.broadcast_to(partial_at(rule, function, position, operands, kinds), np.broadcast_shapes(*map(np.shape, operands)))
    expected = expected_at(rule, function, position, operands)
    known = ~np.isnan(expected)
    np.testing.assert_allclose(found[known], expected[known], rtol=tolerance, atol=tolerance)


def columns_of(function, count):
    rows = numbers(function, count)
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize(("rule", "function"), CALLS, ids=NAMES)
def test_arrays_of_one_shape(rule, function):
    for count in counts(rule, function):
        arrays = columns_of(function, count)
        for position in range(count):
            if position in integer_positions(function):
                continue
            compare(rule, function, position, arrays, [check.type_of(x) for x in arrays])
            matrices = [x.reshape(3, 4) for x in arrays]
            compare(rule, function, position, matrices, [check.type_of(x) for x in matrices])


@pytest.mark.parametrize(("rule", "function"), CALLS, ids=NAMES)
def test_broadcasting_and_numbers(rule, function):
    for count in counts(rule, function):
        if count < 2:
            continue
        arrays = columns_of(function, count)
        for position, lonely in itertools.product(range(count), range(count)):
            if position in integer_positions(function):
                continue
            for k in range(0, len(POINTS), 2):
                number = arrays[lonely][k].item()
                for one, kind in ((number, None), (number, FLOAT), (np.array([number]), ArrayType("float64", (1,)))):
                    if lonely in integer_positions(function) and kind is not None:
                        continue
                    if kind is None and position == lonely:
                        continue
                    operands = [one if i == lonely else x for i, x in enumerate(arrays)]
                    kinds = [kind if i == lonely else check.type_of(x) for i, x in enumerate(arrays)]
                    compare(rule, function, position, operands, kinds)


@pytest.mark.parametrize(("rule", "function"), CALLS, ids=NAMES)
def test_other_kinds_of_arrays(rule, function):
    for count in counts(rule, function):
        arrays = columns_of(function, count)
        for position in range(count):
            if position in integer_positions(function):
                continue
            unknown = [ArrayType(x.dtype.name, None) for x in arrays]
            compare(rule, function, position, arrays, unknown)
            for k in range(len(POINTS)):  # what has no known rank may be a number
                row = [x[k].item() for x in arrays]
                if isinstance(function, np.ufunc) or not math.isnan(partial_of_numbers(rule, function, position, row)):
                    compare(rule, function, position, row, unknown)
                scalars = [x[k : k + 1].reshape(()) for x in arrays]
                compare(rule, function, position, scalars, [check.type_of(x) for x in scalars])
            empty = [x[:0] for x in arrays]
            assert np.size(partial_at(rule, function, position, empty, [check.type_of(x) for x in empty])) in (0, 1)
            short = [x.astype(np.float32) if x.dtype.kind == "f" else x for x in arrays]
            compare(rule, function, position, short, [check.type_of(x) for x in short], tolerance=2e-5)


def test_derivatives_of_the_modified_bessel_function():
    points = np.array([0.0, 0.3, -1.7, 6.0])

    def weighted(x):
        return np.sum(np.i0(x) * np.arange(1.0, 5.0))

    first = grad(weighted)(points)
    second = grad(lambda x: np.sum(grad(weighted)(x)))(points)
    for place, x in enumerate(points):
        assert first[place] == pytest.approx((place + 1) * float(mpmath.besseli(1, x)), rel=1e-12)
        assert second[place] == pytest.approx((place + 1) * float(mpmath.diff(lambda v: mpmath.besseli(0, v), x, 2)), rel=1e-10)
