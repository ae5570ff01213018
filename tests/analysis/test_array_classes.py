"""Whether the result of a function is an array or a number, for operands without axes: NumPy's own answer decides, since an array
without axes is memory that several names may have, and a number is not."""

import inspect
import itertools

import numpy as np
import pytest

from s2sad import runtime
from s2sad.analysis import resolve_arrays
from s2sad.analysis.array_types import _TABLE, type_of_operation
from s2sad.ir.nodes import Constant, Value
from s2sad.ir.types import ArrayType, ScalarType

assert resolve_arrays.TABLES  # the table is filled by their import

FIRST = {"float64": np.float64(0.5), "int64": np.int64(0), "float": 0.5, "array": np.array(0.5), "integers": np.array(0)}
REST = (
    *((), (0,), (1,), (0.5,), ((),), (None,), (-1,), (0, 1), (0.5, 0.5), (np.array(0.5),), (np.array(0.5), 0.5)),
    *(((0.5, 0.5),), ((np.array(0.5), 0.5),), (float,), ((1,),), (1, 1)),
)
#: Called by generated code alone, with arrays.
OF_THE_RUNTIME = [function for _, function in inspect.getmembers(runtime, callable)]
FUNCTIONS = [function for function in _TABLE if callable(function) and function not in OF_THE_RUNTIME]


def type_of(value):
    if isinstance(value, np.ndarray):
        return ArrayType(value.dtype.name, value.shape, 7)
    if isinstance(value, np.generic):
        return ScalarType({"b": "bool", "i": "int", "f": "float"}[value.dtype.kind], value.dtype.name)
    return ScalarType(type(value).__name__)


def operand(value):
    is_typed = isinstance(value, np.ndarray | np.generic | float)
    return Value("value", type_of(value)) if is_typed else Constant(value)


def result_of(function, arguments):
    """What NumPy gives; numbers of NumPy have the methods of arrays."""
    first, *rest = [np.array(value) if isinstance(value, np.ndarray) else value for value in arguments]
    is_method = getattr(function, "__objclass__", None) is np.ndarray and not isinstance(first, np.ndarray)
    return getattr(first, function.__name__)(*rest) if is_method else function(first, *rest)


def class_of(kind):
    """The class that a type tells; None where it leaves that open."""
    if isinstance(kind, ScalarType):
        return "number"
    return "array" if isinstance(kind, ArrayType) and kind.shape is not None else None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", FIRST)
def test_results_are_typed_as_arrays_where_numpy_gives_arrays(kind):
    wrong, count = [], 0
    for function, rest in itertools.product(FUNCTIONS, REST):
        arguments = (FIRST[kind], *rest)
        try:
            with np.errstate(all="ignore"):
                result = result_of(function, arguments)
        except Exception:  # there is no such call
            continue
        if not isinstance(result, np.ndarray | np.generic | float | int):
            continue
        found = type_of_operation(function, tuple(map(operand, arguments)))
        want = "array" if isinstance(result, np.ndarray) else "number"
        count += class_of(found) is not None
        if class_of(found) not in (None, want):
            wrong.append(f"{function} of {arguments}: {found}, a {type(result)}")
        if isinstance(found, ArrayType) and found.shape is not None and len(found.shape) != np.ndim(result):
            wrong.append(f"{function} of {arguments}: {found}, of {np.ndim(result)} axes")
    assert not wrong, "\n".join(wrong)
    assert count > 100
