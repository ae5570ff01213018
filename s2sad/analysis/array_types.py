"""The types of what operations on arrays give: the table of functions, found by identity, and how a call of one is typed.

A transfer function is declared with the names of the parameters, as NumPy's documentation has them::

    @transfer("a axis dtype out keepdims", np.sum, np.ndarray.sum)
    def reduced(given: Operands) -> Type: ...

Methods and attributes are the descriptors of `np.ndarray`; a parameter with a star takes all that follow. A call whose type is
not known is `ANY`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from s2sad.analysis.array_operands import (
    PYTHON_NUMBERS,
    ArrayTransfer,
    Fact,
    NotKnownError,
    Operands,
    PendingError,
    arrays_in,
    checked,
    fact_of_constant,
    is_pending,
    joined_shapes,
    scalar,
    type_of_operand,
)
from s2sad.analysis.array_shapes import broadcast
from s2sad.analysis.freezing import map_parts
from s2sad.analysis.memory import Memory, references_in, renumber
from s2sad.ir.effects import declare_on_arrays
from s2sad.ir.nodes import Constant, Operand, Value
from s2sad.ir.operations import PLAIN_OPERATORS
from s2sad.ir.types import ANY, INT, UNKNOWN, ArrayType, ListType, ScalarType, TupleType, Type

#: Functions that store into their first operand.
CHANGING: Final[set[object]] = set()
#: Functions that may give memory of their operands.
_SHARING: Final[set[object]] = set()
#: More operands than a ufunc reads.
_ALL: Final = 1000
_TABLE: Final[dict[object, tuple[tuple[str, ...], ArrayTransfer]]] = {}


def transfer(parameters: str, *functions: object, way: str = "make") -> Callable[[ArrayTransfer], ArrayTransfer]:
    """Declare how calls of these functions are typed; `way` is what they do, as in `declare_on_arrays`, or "act"."""

    def declare(function: ArrayTransfer) -> ArrayTransfer:
        for known in functions:
            assert known not in _TABLE, known
            _TABLE[known] = (tuple(parameters.split()), function)
        if way != "act":
            names = parameters.split()
            declare_on_arrays(way, *functions, place_of_out=names.index("out") if "out" in names else None)
        if way == "change":
            CHANGING.update(functions)
        if way in ("view", "either"):
            _SHARING.update(functions)
        return function

    return declare


#: Functions that give views, in a list or a tuple.
_GIVING_SEVERAL: Final = (np.split, np.array_split, np.vsplit, np.hsplit, np.dsplit, np.broadcast_arrays)


#: Functions that give a view with as many axes as there were.
_KEEPING_RANK: Final = (np.transpose, np.ndarray.transpose, np.swapaxes, np.ndarray.swapaxes, np.moveaxis, np.rollaxis, np.flip)


def is_array_function(function: object) -> bool:
    """Whether a function is typed here whatever its operands are."""
    try:
        return function in _TABLE
    except TypeError:
        return False


def name_of_operand(
    function: object, arguments: Sequence[Operand], keywords: Mapping[str, Operand], operand: Operand
) -> str | None:
    """The parameter of a function on arrays that takes an operand; None where there is none."""
    if not is_array_function(function):
        return None
    named = bind(_TABLE[function][0], arguments, keywords) or {}
    found = (name for name, given in named.items() if given is operand or (isinstance(given, tuple) and operand in given))
    return next(found, None)


def changed_operands(function: object, operands: Sequence[Operand], keywords: Mapping[str, Operand]) -> list[Operand]:
    """The operands that a function on arrays stores its result into: those given as ``out``, and the first one of `np.copyto`."""
    changed = [keywords["out"]] if "out" in keywords else []
    if isinstance(function, np.ufunc):
        return [*changed, *operands[function.nin :]]
    try:
        parameters = _TABLE[function][0] if function in _TABLE else ()
    except TypeError:
        return changed
    if function in CHANGING:
        changed.extend(operands[:1])
    if "out" in parameters:
        changed.extend(operands[parameters.index("out") :][:1])
    return changed


def method_named(name: str) -> object:
    """The method or attribute of arrays of that name."""
    return getattr(np.ndarray, name, None)


def type_of_array_call(
    memory: Memory,
    site: int,
    function: object,
    arguments: Sequence[Operand],
    keywords: Mapping[str, Operand],
    type_of: Callable[[Operand], Type],
    fact_of: Callable[[Operand], Fact] = fact_of_constant,
    elements_of: Callable[[Operand], tuple[Operand, ...] | None] = lambda operand: None,
) -> Type | None:
    """The type of a call of a function on arrays; None where it is no such call."""
    try:
        found = _TABLE.get(function)
    except TypeError:
        return None

    def given(named: Mapping[str, Operand | tuple[Operand, ...]]) -> Operands:
        return Operands(memory, site, named, type_of, fact_of, elements_of)

    if found is not None:
        parameters, compute = found
        named = bind(parameters, arguments, keywords)
        kind = ANY if named is None else attempt(compute, given(named))
        if kind == ANY and named is not None:
            kind = _along_some_axis(compute, given, named)
        if kind == ANY and function in _SHARING:
            first = type_of(arguments[0]) if arguments else ANY
            if isinstance(first, ArrayType) and function not in _GIVING_SEVERAL:  # a view, of whatever shape
                keeps = first.shape is not None and function in _KEEPING_RANK
                return ArrayType(first.dtype, (None,) * len(first.shape or ()) if keeps else None, first.region)
            for array in arrays_in([type_of(operand) for operand in arguments]):
                memory.mark(array.region, "stored", "unknown")  # who knows what is done to it by the other name
        return kind
    if not is_elementwise(function):
        return None
    kinds = [type_of(operand) for operand in (*arguments, *keywords.values())]
    if not any(arrays_in(kinds)) and not takes_sequences(function, kinds):
        return None
    if is_pending(kinds):
        return UNKNOWN
    count = function.nin if isinstance(function, np.ufunc) else len(arguments)
    return attempt(lambda operands: elementwise(function, operands), given({"operands": tuple(arguments), **keywords}), count)


def _along_some_axis(
    compute: ArrayTransfer,
    given: Callable[[Mapping[str, Operand | tuple[Operand, ...]]], Operands],
    named: Mapping[str, Operand | tuple[Operand, ...]],
) -> Type:
    """Where the axis is a number that only the running program knows: what the type has in common, whichever it is."""
    operands = given(named)
    axis = named.get("axis")
    if not isinstance(axis, Value) or operands.type_of(axis) != INT or isinstance(operands.fact_of(axis), int):
        return ANY
    ranks = max(_ranks_of(operands), default=0)
    found = [attempt(compute, given({**named, "axis": Constant(number)})) for number in range(ranks + 1)]
    arrays = [kind for kind in found if isinstance(kind, ArrayType)]
    if len(arrays) != sum(kind != ANY for kind in found) or len({(kind.dtype, kind.region) for kind in arrays}) != 1:
        return ANY
    shapes = {kind.shape for kind in arrays}
    is_known = None not in shapes and len({kind.dimensions for kind in arrays}) == 1
    return replace(arrays[0], shape=joined_shapes(shapes) if is_known else None)


def _ranks_of(given: Operands) -> Iterator[int]:
    """The numbers of axes of the operands, of what is listed in them too."""
    for operand in given.named.values():
        for part in operand if isinstance(operand, tuple) else (operand,):
            kinds = [given.type_of(inner) for inner in given.elements_of(part) or (part,)]
            yield from (array.dimensions or 0 for kind in kinds for array in arrays_in(_flat(kind)))


def is_elementwise(function: object) -> bool:
    """Whether a function or operator works on arrays element by element, as ufuncs do."""
    return isinstance(function, np.ufunc) or (isinstance(function, Hashable) and function in UFUNCS)


def takes_sequences(function: object, kinds: Sequence[Type]) -> bool:
    """Whether a list or tuple among the operands counts as an array though no other operand is one: for a ufunc, and beside a
    number of NumPy, which leaves only ``2 * [1, 2]`` to the list."""
    if not any(isinstance(kind, ListType | TupleType) for kind in kinds):
        return False
    if isinstance(function, np.ufunc):
        return True
    is_operator = function in UFUNCS and function not in UFUNCS_IN_PLACE and UFUNCS[function] is not np.multiply
    return is_operator and any(isinstance(kind, ScalarType) and bool(kind.dtype) for kind in kinds)


def numbers_type(function: object, kinds: Sequence[Type]) -> Type | None:
    """What an operator or ufunc gives for numbers of which NumPy made one; None where that is not known."""
    ufunc = function if isinstance(function, np.ufunc) else UFUNCS.get(function)
    if ufunc is None or ufunc.signature is not None or len(kinds) != ufunc.nin:
        return None
    dtypes: list[Any] = []
    for kind in kinds:
        if not isinstance(kind, ScalarType):
            return None
        dtypes.append(np.dtype(kind.dtype) if kind.dtype else PYTHON_NUMBERS[kind.kind])
    try:
        found = ufunc.resolve_dtypes((*(np.dtype(bool) if dtype is bool else dtype for dtype in dtypes), *(None,) * ufunc.nout))
        results = tuple(map(scalar, found[ufunc.nin :]))
    except TypeError:
        return UNKNOWN  # it raises
    except NotKnownError:
        return None
    return results[0] if ufunc.nout == 1 else TupleType(results)


def attempt(compute: ArrayTransfer, given: Operands, count: int = _ALL) -> Type:
    """The type that a transfer function gives: `ANY` where it does not know. Of a ufunc's operands, those after the first `count`
    are stored into."""
    try:
        return compute(given)
    except PendingError:
        return UNKNOWN
    except (NotKnownError, KeyError, IndexError, TypeError, ValueError):
        outputs = (*given.all("operands")[count:], *([given["out"]] if "out" in given.named else []))
        for kind in arrays_in([part for operand in outputs for part in _flat(given.type_of(operand))]):
            given.memory.mark(kind.region, "stored")  # it may be
        return ANY


def _flat(kind: Type) -> tuple[Type, ...]:
    return kind.elements if isinstance(kind, TupleType) else (kind,)


def type_of_operation(
    function: object,
    arguments: Sequence[Operand],
    keywords: Mapping[str, Operand] | None = None,
    region: int = 0,
    fact_of: Callable[[Operand], Fact] = fact_of_constant,
) -> Type:
    """The type of an operation in typed IR. A new array counts as a value; `region` is its region."""
    memory = Memory()
    regions: dict[int, int] = {}
    thawed = {operand: memory.thaw(type_of_operand(operand), regions) for operand in (*arguments, *(keywords or {}).values())}
    site = memory.allocate()
    found = type_of_array_call(
        memory, site, function, arguments, keywords or {}, lambda operand: thawed.get(operand, ANY), fact_of
    )
    if found is None:
        return ANY
    numbers = {memory.find(here): number for number, here in regions.items()} | {memory.find(site): region}
    frozen = memory.freeze(found)
    kind = renumber(frozen, {number: numbers.get(number, region) for number in references_in(frozen)})
    arrays = [part for operand in thawed for part in references_in(type_of_operand(operand)).values()]
    return with_fixed(kind, frozenset(part.region for part in arrays if isinstance(part, ArrayType) and not part.fixed))


def with_fixed(kind: Type, memories: frozenset[int]) -> Type:
    """A type whose arrays are values, but those in these regions."""
    if isinstance(kind, ArrayType):
        return ArrayType(kind.dtype, kind.shape, kind.region, kind.region not in memories)
    return map_parts(kind, lambda part: with_fixed(part, memories))


def bind(
    parameters: Sequence[str], arguments: Sequence[Operand], keywords: Mapping[str, Operand]
) -> dict[str, Operand | tuple[Operand, ...]] | None:
    """The operands by the names of the parameters; None where they do not fit.

    >>> bind(("a", "*shape"), (1, 2, 3), {"order": 4})
    {'a': 1, 'shape': (2, 3), 'order': 4}
    """
    named: dict[str, Operand | tuple[Operand, ...]] = {}
    rest = list(arguments)
    for parameter in parameters:
        if parameter.startswith("*"):
            named[parameter[1:]] = tuple(rest)
            rest = []
        elif rest:
            named[parameter] = rest.pop(0)
    if rest or set(named) & set(keywords) - {"shape"}:
        return None
    return {**named, **keywords}


# --- Elementwise operations ---------------------------------------------------------------------------------------------

UFUNCS: Final[dict[object, np.ufunc]] = {
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.divide,
    operator.floordiv: np.floor_divide,
    operator.mod: np.remainder,
    operator.pow: np.power,
    pow: np.power,
    divmod: np.divmod,
    operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or,
    operator.xor: np.bitwise_xor,
    operator.lshift: np.left_shift,
    operator.rshift: np.right_shift,
    operator.invert: np.invert,
    operator.neg: np.negative,
    operator.pos: np.positive,
    operator.abs: np.absolute,
    abs: np.absolute,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
}
#: The ufuncs that in-place operators stand for; products of matrices have a rule of their own.
UFUNCS_IN_PLACE: Final = {inplace: UFUNCS[plain] for inplace, plain in PLAIN_OPERATORS.items() if plain in UFUNCS}
UFUNCS.update(UFUNCS_IN_PLACE)


def elementwise(function: object, given: Operands) -> Type:
    """A ufunc, or an operator on arrays."""
    ufunc = function if isinstance(function, np.ufunc) else UFUNCS[function]
    if ufunc.signature is not None or len(given.all("operands")) < ufunc.nin:
        raise NotKnownError
    operands = given.all("operands")[: ufunc.nin]
    outputs = given.all("operands")[ufunc.nin :]
    if function in UFUNCS_IN_PLACE and isinstance(target := given.kind_of(operands[0]), ArrayType):
        return _in_place(given, target, operands[1])
    seen = [given.see(operand) for operand in operands]
    kinds = [np.dtype(bool) if part.weak is bool else part.weak or part.dtype for part in seen]
    try:
        dtypes: Sequence[np.dtype[Any]] = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))[ufunc.nin :]
    except TypeError as error:
        raise PendingError from error  # it raises
    shapes = [part.shape for part in seen]
    if given.has("where"):
        shapes.append(given.seen("where").shape)
    known = [shape for shape in shapes if shape is not None]
    shape = broadcast(*known) if len(known) == len(shapes) else None
    if given.has("dtype"):
        dtypes = [given.dtype(dtype) for dtype in dtypes]
    if outputs or given.has("out"):
        return _stored_in(given, outputs, ufunc.nout)
    results = tuple(given.new(shape, dtype) for dtype in map(checked, dtypes))
    return results[0] if ufunc.nout == 1 else TupleType(results)


def _in_place(given: Operands, target: ArrayType, other: Operand) -> Type:
    """``a += b`` changes an array. What may be a number as well may become an array."""
    given.memory.mark(target.region, "stored")
    if target.shape is None:
        second = given.see(other)
        if second.weak is not None and np.result_type(np.dtype(target.dtype), second.weak(1)) == np.dtype(target.dtype):
            return target
        return given.memory.join_arrays(target, ArrayType(checked(second.dtype).name, None, target.region))
    return target


def _stored_in(given: Operands, outputs: Sequence[Operand], count: int) -> Type:
    """The arrays given as ``out=``, or as operands after those that are read."""
    kinds = [given.kind_of(operand) for operand in outputs] or [given.kind("out")]
    if len(kinds) == 1 and isinstance(kinds[0], TupleType):
        kinds = list(kinds[0].elements)
    if len(kinds) != count or not all(isinstance(kind, ArrayType) for kind in kinds):
        raise NotKnownError
    for kind in arrays_in(kinds):
        given.memory.mark(kind.region, "stored")
    return kinds[0] if count == 1 else TupleType(tuple(kinds))


def operator_type(memory: Memory, function: object, kinds: Sequence[Type], site: int) -> Type:
    """An operator whose operands have these types, some of them those of arrays."""
    operands = [Constant(None) for _ in kinds]
    table = dict(zip(operands, kinds, strict=True))
    found = type_of_array_call(memory, site, function, operands, {}, lambda operand: table[operand])  # type: ignore[index]
    return ANY if found is None else found
