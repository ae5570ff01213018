"""The type of what an operation gives, from the types of its operands: one function an operation."""

from __future__ import annotations

import bisect
import builtins
import copy
import itertools
import logging
import math
import operator
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_types import numbers_type, operator_type
from s2sad.analysis.container_types import (
    copied,
    copied_deeply,
    delete_item,
    dict_display,
    dict_from_keys,
    dict_of,
    get_item,
    iterated,
    list_display,
    list_of,
    loaded_from_cell,
    lose_places,
    merged,
    new_list,
    object_made,
    set_attribute,
    set_item,
    stored_in_cell,
    tuple_of,
    unpacked,
)
from s2sad.analysis.memory import ELEMENT, Memory
from s2sad.analysis.shadow_types import hold_in_arrays, shadow_of, shadows_of
from s2sad.analysis.simple_types import INTEGERS, SLICE, STRING
from s2sad.frontend.builder import read_unbound
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.operations import (
    IN_PLACE,
    load_cell,
    make_cell,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    new_object,
    set_frozen,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    AnyType,
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    may_be_anything,
    strip_optional,
)

Transfer = Callable[[Memory, Sequence[Type], Sequence[Operand], int], Type]

_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_OF_PYTHON: Final = {"bool": BOOL, "int": INT, "float": FLOAT, "complex": COMPLEX}
#: Arithmetic on numbers, with the least that comes out of it.
ARITHMETIC: Final[dict[object, str]] = {
    getattr(operator, name): least
    for base, least in {"add": "int", "sub": "int", "mul": "int", "floordiv": "int", "mod": "int", "truediv": "float"}.items()
    for name in (base, "i" + base)
} | {operator.neg: "int", operator.pos: "int"}


def _number(kinds: Sequence[Type], least: str = "bool") -> ScalarType:
    """What arithmetic on these gives."""
    scalars = [kind for kind in kinds if isinstance(kind, ScalarType)]
    kind = max((scalar.kind for scalar in scalars), key=_RANK.__getitem__, default=least)
    kind = max(kind, least, key=_RANK.__getitem__)
    dtypes = {scalar.dtype for scalar in scalars if scalar.dtype}
    if not dtypes:
        return _OF_PYTHON[kind]
    return ScalarType(kind, dtypes.pop() if len(dtypes) == 1 else np.result_type(*dtypes).name)


def type_of_arithmetic(function: object, kinds: Sequence[Type]) -> ScalarType | None:
    """What one of the operators of `ARITHMETIC` gives of numbers of Python, which most operands are; None for anything else."""
    if not all(isinstance(kind, ScalarType) and not kind.dtype for kind in kinds):
        return None
    return _number(kinds, ARITHMETIC[function])


def _arithmetic(least: str, function: Callable[..., object]) -> Transfer:
    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        kinds = [strip_optional(kind) for kind in kinds]
        if any(isinstance(kind, UnknownType | NoneType) for kind in kinds):
            return UNKNOWN  # None raises
        if any(isinstance(kind, ArrayType) for kind in kinds):  # of an iteration, say
            return operator_type(memory, function, kinds, site)
        if all(isinstance(kind, ScalarType) for kind in kinds):
            is_of_numpy = any(isinstance(kind, ScalarType) and kind.dtype for kind in kinds)
            found = numbers_type(function, kinds) if is_of_numpy else None
            return _number(kinds, least) if found is None else found
        match function, *kinds:
            case ((operator.iadd | operator.imul), ObjectType() as first, _) if first.cls is list:
                lose_places(memory, first.region)
                return first
            case (operator.add, ObjectType() as first, _) if first.cls is list:
                return new_list(memory, site, memory.join(iterated(memory, first), iterated(memory, kinds[1])))
            case (operator.mul, ObjectType() as first, ScalarType()) | (operator.mul, ScalarType(), ObjectType() as first) if (
                first.cls is list
            ):
                return new_list(memory, site, iterated(memory, first))
            case ((operator.add | operator.iadd), ListType() as first, _):
                content = iterated(memory, kinds[1])
                if function is operator.iadd:
                    memory.store(first.region, ELEMENT, content)
                    memory.mark(first.region, "restructured")
                    return first
                return new_list(memory, site, memory.join(memory.load(first.region, ELEMENT), content))
            case (operator.imul, ListType() as first, ScalarType()):
                memory.mark(first.region, "restructured")
                return first
            case (operator.mul, ListType() as first, ScalarType()) | (operator.mul, ScalarType(), ListType() as first):
                return new_list(memory, site, memory.load(first.region, ELEMENT))
            case ((operator.add | operator.iadd), TupleType() as first, TupleType() as second):
                return TupleType(first.elements + second.elements)
            case ((operator.add | operator.iadd), _, _) if INTEGERS in kinds and all(map(_are_integers, kinds)):
                return INTEGERS
            case ((operator.mul | operator.imul), TupleType() as first, ScalarType()):
                if isinstance(operands[1], Constant) and isinstance(operands[1].value, int):
                    return TupleType(first.elements * operands[1].value)
                return ANY
            case ((operator.or_ | operator.ior), DictType() as first, DictType() as second):
                if function is operator.ior:
                    memory.mark(first.region, "restructured", "stored")
                    return merged(memory, first.region, first, second)
                return merged(memory, site, first, second)
            case _, OpaqueType(cls=cls) as first, _ if hasattr(cls, f"__{getattr(function, '__name__', '')}__"):
                if function in IN_PLACE:  # a deque, a set: the same object
                    return first
        if any(kind == STRING for kind in kinds):
            other = next((kind for kind in kinds if kind != STRING), STRING)
            is_error = function is not operator.mod and isinstance(other, ScalarType) and other.kind in ("float", "complex")
            return UNKNOWN if is_error else STRING
        # what comes from a function that is not known, or is one of several things, counts as a number; the derivative checks it
        # when it runs
        numbers = [kind for kind in kinds if not may_be_anything(kind)]
        if numbers and all(isinstance(kind, ScalarType) for kind in numbers):
            return _number(numbers, "float")
        return ANY

    return transfer


def _are_integers(kind: Type) -> bool:
    return kind == INTEGERS or (isinstance(kind, TupleType) and all(part == INT for part in kind.elements))


def _slice(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """A slice of real numbers, as in ``np.mgrid[0:x:20j]``, hides them; others have whole numbers."""
    bounds = map(strip_optional, kinds)
    known = [
        isinstance(operand, Constant) or not getattr(kind, "is_real", False)
        for operand, kind in zip(operands, bounds, strict=True)
    ]
    return SLICE if all(known) else ANY


def _always(kind: Type) -> Transfer:
    return lambda memory, kinds, operands, site: kind


def _power(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kinds = [strip_optional(kind) for kind in kinds]
    exponent = operands[1]
    if any(isinstance(kind, ScalarType) and kind.dtype for kind in kinds):
        return _arithmetic("int", operator.pow)(memory, kinds[:2], operands, site)
    if len(kinds) == 2 and all(isinstance(kind, ScalarType) and kind.kind in ("bool", "int") for kind in kinds):
        if isinstance(exponent, Constant) and isinstance(exponent.value, int) and exponent.value >= 0:
            return _number(kinds, "int")
        return _number(kinds, "float")
    return _arithmetic("int", operator.pow)(memory, kinds[:2], operands, site)


def _iterator(function: object, element: Callable[[Memory, Sequence[Type]], Type]) -> Transfer:
    return lambda memory, kinds, operands, site: IteratorType(function, element(memory, kinds))


def _reduction(least: Type) -> Transfer:
    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        if len(kinds) == 1:
            element = iterated(memory, kinds[0])
            return element if isinstance(element, UnknownType | AnyType) else memory.join(element, least)
        return memory.join_all(kinds, least)

    return transfer


def _average(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """The mean of numbers: a float, where they are floats."""
    element = iterated(memory, kinds[0])
    return element if isinstance(element, UnknownType) else FLOAT if element == FLOAT else ANY


def _accumulated(function: Callable[..., object]) -> Transfer:
    """What `sum` and `math.prod` give: the start, combined with the elements, if there are any."""
    combined = _arithmetic("int", function)

    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        element = iterated(memory, kinds[0])
        start = kinds[1] if len(kinds) > 1 else INT
        found = combined(memory, (start, element), operands, site)
        return start if isinstance(found, UnknownType) or element == STRING else found  # no elements, or the primal raises

    return transfer


def _divmod(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    is_of_numpy = any(
        isinstance(strip_optional(kind), ScalarType) and getattr(strip_optional(kind), "dtype", "") for kind in kinds
    )
    found = numbers_type(divmod, [strip_optional(kind) for kind in kinds]) if is_of_numpy else None
    return TupleType((_number(kinds, "int"), _number(kinds, "int"))) if found is None else found


def _round(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return INT if len(kinds) == 1 or kinds[1] == NONE else _number([strip_optional(kinds[0])])


def _absolute(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kind = strip_optional(kinds[0])
    if isinstance(kind, ScalarType) and kind.kind == "complex" and not kind.dtype:
        return FLOAT
    return _arithmetic("int", operator.abs)(memory, kinds, operands, site)


def _ufunc_transfer(ufunc: np.ufunc) -> Transfer:
    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        found = numbers_type(ufunc, [strip_optional(kind) for kind in kinds])
        return _ufunc(memory, kinds, operands, site) if found is None else found

    return transfer


def _ufunc(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kinds = [strip_optional(kind) for kind in kinds]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return UNKNOWN
    if all(isinstance(kind, ScalarType | AnyType) for kind in kinds):
        number = _number(kinds, "float")
        assert isinstance(number, ScalarType)
        return ScalarType(number.kind, number.dtype or "float64")
    return ANY


def _cast(cls: type[np.floating[Any]]) -> Transfer:
    """``np.float64(x)`` of a number."""
    name = np.dtype(cls).name

    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        kind = strip_optional(kinds[0]) if kinds else FLOAT
        if isinstance(kind, UnknownType):
            return UNKNOWN
        return ScalarType("float", name) if isinstance(kind, ScalarType | OpaqueType) else ANY

    return transfer


def _where(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return _ufunc(memory, kinds[1:], operands[1:], site) if len(kinds) == 3 and isinstance(kinds[0], ScalarType) else ANY


def _clip(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kinds = [kind for kind in kinds if not isinstance(kind, NoneType)]
    if not all(isinstance(kind, ScalarType) and kind.kind in ("bool", "int") for kind in kinds):
        return _ufunc(memory, kinds, operands, site)
    number = _number(kinds)
    return ScalarType(number.kind, number.dtype or "int64") if isinstance(number, ScalarType) else number


def _zeros_in_arrays(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    shadow = shadow_of(memory, kinds[0], site)
    if (key := (site, "numbers")) not in memory.shadows:
        memory.shadows[key] = memory.allocate()
    hold_in_arrays(memory, shadow, memory.shadows[key])
    return shadow


def _hold_in_arrays(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    hold_in_arrays(memory, kinds[0], site)
    return NONE


def _compared(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """A truth value; of what may be an array, as many of them."""
    return ANY if any(map(may_be_anything, kinds)) else BOOL


#: The six comparisons.
COMPARISONS: Final = frozenset({operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne})
_PREDICATES: Final[tuple[object, ...]] = (
    *(operator.is_, operator.is_not),
    *(operator.not_, operator.truth, operator.contains, isinstance, callable, hasattr, any, all, bool),
    *(math.isnan, math.isinf, math.isfinite, math.isclose, issubclass),
)
_INTEGERS: Final = (
    *(math.floor, math.ceil, math.trunc, math.factorial, math.comb, math.perm, math.gcd, math.lcm, math.isqrt),
    *(len, int, id, hash, ord, bisect.bisect_left, bisect.bisect_right),
)

TRANSFER: Final[dict[object, Transfer]] = {
    **{function: _always(FLOAT) for name, function in vars(math).items() if callable(function)},
    **{function: _always(BOOL) for function in _PREDICATES},
    **dict.fromkeys(COMPARISONS, _compared),
    **{function: _always(INT) for function in _INTEGERS},
    **{
        getattr(operator, name): _arithmetic(ARITHMETIC[getattr(operator, base)], getattr(operator, base))
        for base in ("add", "sub", "mul", "floordiv", "mod", "truediv")
        for name in (base, "i" + base)
    },
    operator.iadd: _arithmetic("int", operator.iadd),
    operator.imul: _arithmetic("int", operator.imul),
    **{
        getattr(operator, name): _arithmetic("bool", operator.and_)
        for name in ("and_", "xor", "lshift", "rshift", "iand", "ixor", "ilshift", "irshift")
    },
    operator.or_: _arithmetic("bool", operator.or_),
    operator.ior: _arithmetic("bool", operator.ior),
    operator.invert: _always(INT),
    operator.pow: _power,
    operator.ipow: _power,
    pow: _power,
    operator.neg: _arithmetic("int", operator.neg),
    operator.pos: _arithmetic("int", operator.pos),
    abs: _absolute,
    operator.abs: _absolute,
    math.prod: _accumulated(operator.mul),
    round: _round,
    float: _always(FLOAT),
    **{cls: _cast(cls) for cls in (np.float64, np.float32, np.float16)},
    complex: _always(ScalarType("complex")),
    divmod: _divmod,
    math.frexp: _always(TupleType((FLOAT, INT))),
    math.modf: _always(TupleType((FLOAT, FLOAT))),
    **dict.fromkeys((time.time, time.perf_counter, time.monotonic, time.process_time), _always(FLOAT)),
    **dict.fromkeys((time.time_ns, time.perf_counter_ns, time.monotonic_ns, time.process_time_ns), _always(INT)),
    logging.getLogger: _always(OpaqueType(logging.Logger, exact=False)),
    str: _always(STRING),
    repr: _always(STRING),
    format: _always(STRING),
    chr: _always(STRING),
    print: _always(NONE),
    slice: _slice,
    **dict.fromkeys(
        (runtime.check_array, runtime.check_number, runtime.check_apart, runtime.check_one_array, runtime.check_result),
        _always(NONE),
    ),
    runtime.real_part: lambda memory, kinds, operands, site: kinds[0],
    runtime.imaginary_part: _always(FLOAT),
    runtime.indices_of: _always(OpaqueType(range)),
    runtime.bounds_of: _always(TupleType((INT, INT))),
    copy.copy: copied,
    copy.deepcopy: copied_deeply,
    runtime.Shadow: lambda memory, kinds, operands, site: ObjectType(runtime.Shadow, site),
    runtime.zeros_like_all: lambda memory, kinds, operands, site: shadows_of(memory, kinds, site),
    runtime.zeros_like: lambda memory, kinds, operands, site: shadow_of(memory, kinds[0], site),
    runtime.zeros_like_with_views: lambda memory, kinds, operands, site: shadow_of(memory, kinds[0], site),
    runtime.zeros_like_in_arrays: _zeros_in_arrays,
    runtime.zeros_like_with_views_in_arrays: _zeros_in_arrays,
    runtime.largest: _reduction(UNKNOWN),
    runtime.least: _reduction(UNKNOWN),
    runtime.hold_in_arrays: _hold_in_arrays,
    runtime.order_of: lambda memory, kinds, operands, site: new_list(memory, site, INT),
    range: lambda memory, kinds, operands, site: IteratorType(range, INT),
    make_tuple: lambda memory, kinds, operands, site: TupleType(tuple(kinds)),
    make_list: list_display,
    make_dict: dict_display,
    make_set: _always(OpaqueType(set)),
    make_cell: list_display,
    load_cell: loaded_from_cell,
    store_cell: stored_in_cell,
    new_object: object_made,
    unpack: unpacked,
    operator.getitem: get_item,
    operator.setitem: set_item,
    operator.delitem: delete_item,
    setattr: set_attribute,
    set_frozen: set_attribute,
    enumerate: _iterator(enumerate, lambda memory, kinds: TupleType((INT, iterated(memory, kinds[0])))),
    zip: _iterator(zip, lambda memory, kinds: TupleType(tuple(iterated(memory, kind) for kind in kinds))),
    reversed: _iterator(reversed, lambda memory, kinds: iterated(memory, kinds[0])),
    itertools.count: lambda memory, kinds, operands, site: IteratorType(itertools.count, _number(kinds, "int")),
    itertools.repeat: lambda memory, kinds, operands, site: IteratorType(itertools.repeat, kinds[0]),
    itertools.cycle: _iterator(itertools.cycle, lambda memory, kinds: iterated(memory, kinds[0])),
    sum: _accumulated(operator.add),
    **dict.fromkeys((statistics.mean, statistics.variance, statistics.pvariance), _average),
    **dict.fromkeys((statistics.fmean, statistics.stdev, statistics.pstdev), _always(FLOAT)),
    min: _reduction(UNKNOWN),
    max: _reduction(UNKNOWN),
    builtins.sorted: list_of,
    list: list_of,
    tuple: tuple_of,
    dict: dict_of,
    dict.fromkeys: dict_from_keys,
    set: _always(OpaqueType(set)),
    np.where: _where,
    np.clip: _clip,
    read_unbound: _always(UNKNOWN),
}


def transfer_of(function: object) -> Transfer | None:
    """How to type a call of a function that is known by identity."""
    try:
        found = TRANSFER.get(function)
    except TypeError:
        return None
    if found is None and isinstance(function, np.ufunc):
        return _ufunc_transfer(function)
    return found
