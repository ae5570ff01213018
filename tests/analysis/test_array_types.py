"""Types of arrays: what inference says of a result against what NumPy gives for arguments of many shapes.

A type that is inferred must hold for the value: dtype, rank, every length that is claimed, for every choice of the lengths that
the symbols stand for; what shares memory with an argument must have its region, and what changes an argument must have marked it.
"""

from __future__ import annotations

import copy
import itertools
import linecache
import math
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from s2sad.analysis.analyser import Analyser
from s2sad.analysis.array_types import _TABLE, type_of_operation
from s2sad.analysis.memory import number_regions
from s2sad.analysis.signatures import types_of
from s2sad.analysis.specialisation import Specialisation
from s2sad.frontend.lower import lower_function
from s2sad.ir.nodes import Constant, Operand, Value
from s2sad.ir.types import (
    ANY,
    UNKNOWN,
    ArrayType,
    Extent,
    IteratorType,
    Length,
    ListType,
    NoneType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    number_classes,
)
from s2sad.ir.verify import verify
from tests.analysis.array_programs import EXPRESSIONS, NOT_KNOWN, UPDATES

COUNT = 5
NAMES = ("x", "y", "v", "w", "s", "k", "z", "i", "m", "f", "c", "a", "n")
SIZES = ((3, 4), (4, 3), (2, 2), (5, 2))


def arguments(rows: int, columns: int) -> dict[str, Any]:
    rng = np.random.default_rng(rows * 10 + columns)
    return {
        "x": rng.normal(size=(rows, columns)),
        "y": 1.5 + rng.random(size=(rows, columns)),
        "v": 1.5 + rng.random(size=columns),
        "w": 1.5 + rng.random(size=columns),
        "s": rng.normal(size=(columns, columns)) + 3 * np.eye(columns),
        "k": rng.random(size=1),
        "z": np.array(0.5),
        "i": rng.integers(1, 5, size=2),
        "m": np.arange(columns) % 2 == 0,
        "f": rng.random(size=columns).astype(np.float32),
        "c": rng.random(size=columns) + 1j,
        "a": 1.25,
        "n": 1,
    }


def array_types(values: dict[str, Any]) -> tuple[list[Type], dict[str, int]]:
    """The types of arguments: axes of equal length have one symbol; and what the symbols stand for."""
    symbols: dict[int, Length] = {1: 1}
    kinds: list[Type] = []
    for region, value in enumerate(values.values(), 1):
        if isinstance(value, np.ndarray):
            for length in value.shape:
                symbols.setdefault(length, Extent("lmnpq"[len(symbols) - 1]))
            kinds.append(ArrayType(value.dtype.name, tuple(symbols[length] for length in value.shape), region))
        else:
            kinds.extend(types_of((value,)))
    lengths = {extent.name: length for length, extent in symbols.items() if isinstance(extent, Extent)}
    counts = {f"({name} + 1000)": value + 1000 for name, value in values.items() if isinstance(value, int)}
    return list(number_regions(kinds)), lengths | counts | {"(outside COUNT + 1000)": COUNT + 1000}


def holds(kind: Type, value: object, symbols: dict[str, int], exact: bool = True) -> bool:
    """Whether a value is of a type. The dtype of what may be several arrays is only a bound (not `exact`)."""
    match kind:
        case ArrayType(dtype, shape):
            if shape is None and not isinstance(value, np.ndarray):
                return isinstance(value, np.number | float | int)
            if not isinstance(value, np.ndarray) or np.result_type(value.dtype, dtype).name != dtype:
                return False
            if exact and shape is not None and value.dtype.name != dtype:
                return False
            return shape is None or (
                len(shape) == value.ndim and all(map(lambda a, b: has_length(a, b, symbols), shape, value.shape))
            )
        case ScalarType(_, ""):
            return isinstance(value, number_classes(kind))
        case ScalarType(_, dtype):
            return isinstance(value, np.generic) and (value.dtype if exact else np.result_type(value.dtype, dtype)).name == dtype
        case TupleType(elements):
            return (
                isinstance(value, tuple)
                and len(elements) == len(value)
                and all(map(lambda k, v: holds(k, v, symbols, exact), elements, value))
            )
        case ListType(element):
            return isinstance(value, list) and all(holds(element, item, symbols, exact) for item in value)
        case OptionalType(inner):
            return value is None or holds(inner, value, symbols, exact)
        case OpaqueType(cls):
            return isinstance(value, cls)
        case NoneType():
            return value is None
    return False


def has_length(claimed: Length, length: int, symbols: dict[str, int]) -> bool:
    if isinstance(claimed, Extent):
        whole = symbols[claimed.name] if claimed.name in symbols else eval(claimed.name, dict(symbols))  # "(m + n + 1000)"
        return max(0, whole - claimed.less) == length
    return claimed is None or claimed == length


def regions_of(kind: Type) -> set[int]:
    match kind:
        case ArrayType(region=region):
            return {region}
        case TupleType(elements):
            return set().union(*map(regions_of, elements))
        case ListType(element) | OptionalType(element) | IteratorType(element=element):
            return regions_of(element)
    return set()


def arrays_in(value: object) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    return [array for part in value for array in arrays_in(part)] if isinstance(value, tuple | list) else []


def function_of(body: str) -> Callable[..., Any]:
    return compiled(NAMES, body.split("; "))


def zeros_of(n: int) -> Any:
    q = np.zeros(n)
    q[:] = np.zeros(n)
    return q


def compiled(parameters: Sequence[str], lines: Sequence[str]) -> Callable[..., Any]:
    """A function whose source can be found."""
    text = f"def program({', '.join(parameters)}):\n" + "".join(f"    {line}\n" for line in lines)
    filename = f"<array program {text}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "math": math, "COUNT": COUNT, "zeros_of": zeros_of}
    exec(compile(text, filename, "exec"), namespace)
    function = namespace["program"]
    assert isinstance(function, types.FunctionType)
    return function


def check(body: str, rows: int, columns: int) -> Type:
    """Infer the type of a program's result, run the program, and compare."""
    function = function_of(body)
    values = arguments(rows, columns)
    kinds, symbols = array_types(values)
    found = Analyser(lower_function).specialise_function(function, kinds)
    verify(found.function)
    copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in values.items()}
    result = function(**values)
    if found.result != ANY:
        assert holds(found.returned, result, symbols), (str(found.returned), result)
    check_memory(found, dict(zip(NAMES, kinds, strict=True)), values, copies, result)
    return found.returned


def check_memory(
    found: Specialisation, kinds: dict[str, Type], values: dict[str, Any], copies: dict[str, Any], result: object
) -> None:
    """What shares memory has one region; what is changed is marked."""
    united = dict((b, a) for a, b in found.united)
    for name, kind in kinds.items():
        if not isinstance(kind, ArrayType):
            continue
        if not np.array_equal(values[name], copies[name], equal_nan=True):
            assert "stored" in found.written(kind.region), name
        if found.result != ANY and any(np.shares_memory(array, values[name]) for array in arrays_in(result)):
            assert united.get(kind.region, kind.region) in regions_of(found.result), name


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_types_of_expressions(expression: str) -> None:
    for rows, columns in SIZES:
        kind = check(f"return {expression}", rows, columns)
        assert kind is not UNKNOWN
        assert (kind == ANY) == (expression in NOT_KNOWN)


@pytest.mark.parametrize("program", UPDATES)
def test_types_of_programs(program: str) -> None:
    for rows, columns in SIZES:
        assert check(program, rows, columns) not in (ANY, UNKNOWN)


#: What must be known, so that nothing is broadcast when the code runs. The matrix x is l by m, v and w have m elements.
KNOWN = """
return x + v: float64[l, m]
return v[1:-1] + v[2:]: float64[m - 2]
return v[1:] - v[:-1]: float64[m - 1]
return v[::-1] * w: float64[m]
return x @ v: float64[l]
return x.T @ x: float64[m, m]
return x[0]: float64[m]
return x[:, 0]: float64[l]
return x[1:-1, 1:-1]: float64[l - 2, m - 2]
return x[x > 0]: float64[:]
return x.sum(axis=0): float64[m]
return x.sum(): float64
return x - x.mean(axis=1, keepdims=True): float64[l, m]
return v[:, None] - w: float64[m, m]
return np.concatenate([v, [0.0]]): float64[m - -1]
return np.concatenate([v, [0.0]])[1:] + v: float64[m]
return np.stack([v, w, v]): float64[3, m]
return x.reshape(-1): float64[:]
return v.reshape(-1, 1): float64[m, 1]
return v.reshape(1, len(v)): float64[1, m]
return x[None].reshape(x.shape): float64[l, m]
return x.reshape(len(x), -1): float64[l, m]
return np.zeros_like(x): float64[l, m]
return np.zeros(x.shape): float64[l, m]
return np.zeros((len(x), v.size)): float64[l, m]
return np.zeros(len(v) - 2): float64[m - 2]
r, d = x.shape; return np.zeros((r, d)) * x: float64[l, m]
d = len(v); return v[1:d - 1] + v[:d - 2]: float64[m - 2]
d = len(v); d -= 1; return np.zeros(d): float64[m - 1]
d = len(v); d = d if a > 0 else n; return np.zeros(d): float64[:]
d = len(v); q = v; return [q[:d] for d in range(3)][0]: float64[:]
return np.zeros(n) + np.ones(n): float64[(n + 1000) - 1000]
q = np.zeros(n + 2); return q[1:-1] * np.ones(n): float64[(n + 1000) - 1000]
q = np.linspace(0.0, 1.0, n); return q[:, None] + q: float64[(n + 1000) - 1000, (n + 1000) - 1000]
return np.zeros(COUNT) * np.arange(COUNT): float64[(outside COUNT + 1000) - 1000]
return zeros_of(n): float64[:]
return np.eye(len(v)) @ v: float64[m]
return np.linalg.solve(s, v): float64[m]
return np.where(v > 0, v, 0.0): float64[m]
return np.diff(v): float64[m - 1]
return np.cumsum(v): float64[m]
return np.roll(v, 1) - v: float64[m]
return f * 2.0: float32[m]
return f + v: float64[m]
q = v.copy(); q[0] = 1.0; return q: float64[m]
q = 0.0; return [q + row for row in x][0]: float64[m]
return v.ndim: int
return 1 if v.ndim == 1 else None: int
return x if isinstance(x, np.ndarray) else None: float64[l, m]
""".strip().splitlines()


@pytest.mark.parametrize("line", KNOWN)
def test_what_is_known(line: str) -> None:
    program, _, expected = line.rpartition(": ")
    assert str(check(program, 3, 4)) == expected


OPERANDS = (
    *(np.array(1.5), np.float64(1.5), 1.5, np.arange(6.0).reshape(2, 3) + 1),
    *(np.ones(0), np.ones(1), np.arange(3) + 1, np.eye(3) + 1),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    *({}, {"axis": 0}, {"axis": -1}, {"axis": 1}, {"axis": (0,)}, {"axis": ()}, {"axis": (0, -1)}),
    *({"axis": 0, "keepdims": True}, {"keepdims": True}, {"dtype": "float32"}),
)
#: They change what they are given, or the state of NumPy's random numbers.
NOT_CALLED = ("fill", "put", "place", "copyto", "seed", "shuffle", "partition", "sort")


def operand_of(value: object) -> Operand:
    if isinstance(value, np.ndarray):
        return Value("x", ArrayType(value.dtype.name, value.shape))
    return Constant(value) if isinstance(value, int | tuple | str) else Value("x", types_of((value,))[0])


def test_what_numpy_computes_does_not_count_as_an_error() -> None:
    """What follows an error has no derivative: where NumPy gives a result, there is a type, if only `ANY`."""
    lost = []
    for function in [known for known in _TABLE if callable(known) and getattr(known, "__name__", "") not in NOT_CALLED]:
        if "random" in repr(function):
            continue
        second = ((), *((value,) for value in (np.arange(3.0), 1, (0,))))
        for first, rest, options in itertools.product(OPERANDS, second, OPTIONS):
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                    function(copy.deepcopy(first), *rest, **options)
            except Exception:
                continue
            named = {name: operand_of(value) for name, value in options.items()}
            if type_of_operation(function, [operand_of(value) for value in (first, *rest)], named) == UNKNOWN:
                lost.append((function, first, rest, options))
    assert not lost
