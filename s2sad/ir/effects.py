"""What an operation does besides computing its result: decides what may be removed, moved, shared or computed again."""

from __future__ import annotations

import builtins
import math
import operator
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from s2sad.ir.indexing import gives_view
from s2sad.ir.memo import forget, remembered
from s2sad.ir.nodes import Call, Constant, Operand, Value, arguments_of
from s2sad.ir.operations import (
    IN_PLACE,
    call_method,
    held,
    load_captured,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    modelled,
    set_frozen,
    store_cell,
    summed,
    unpack,
)
from s2sad.ir.protocols import calls_back, may_change_by_itself
from s2sad.ir.types import (
    AnyType,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    strip_optional,
)


@dataclass(frozen=True, slots=True)
class Effects:
    """`reads`/`writes`: memory that others may change or see. `allocates`: the result is a new mutable object (two calls
    are not one). `raises`: may raise for operands of the right type. `acts`: prints, draws random numbers, or is not known.
    `checks`: to raise is what it is there for (the length of what is unpacked), so it stays even where its result is not used."""

    reads: bool = False
    writes: bool = False
    allocates: bool = False
    raises: bool = False
    acts: bool = False
    checks: bool = False

    @property
    def is_pure(self) -> bool:
        """Same operands, same result, at any time: may be computed again or shared."""
        return not (self.reads or self.writes or self.allocates or self.acts)

    @property
    def is_removable(self) -> bool:
        """May go when its result is not used."""
        return not (self.writes or self.acts or self.checks)


@dataclass(slots=True, eq=False)
class Callee:
    """A resolved function: what a `Call` of another function with source refers to, in primal and in generated code.

    `effects` are set once the function is known; until then (recursion) it may do anything."""

    name: str
    effects: Effects
    #: Holds the Python function once it is loaded; recursive functions refer to each other through it.
    cell: types.CellType = field(default_factory=types.CellType)
    #: What the callee was made from: for caches, and for the text that shows it.
    unit: object = None

    def __repr__(self) -> str:
        return f"Callee({self.name})"


PURE: Final = Effects()
RAISES: Final = Effects(raises=True)
READS: Final = Effects(reads=True, raises=True)
CHECKS: Final = Effects(reads=True, raises=True, checks=True)
WRITES: Final = Effects(reads=True, writes=True, raises=True)
ALLOCATES: Final = Effects(allocates=True)
ALLOCATES_FROM: Final = Effects(allocates=True, reads=True, raises=True)
ACTS: Final = Effects(reads=True, writes=True, raises=True, acts=True)

_SAFE: set[object] = {
    operator.add,
    operator.sub,
    operator.mul,
    operator.neg,
    operator.pos,
    operator.abs,
    abs,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
}
_SAFE |= {
    operator.eq,
    operator.ne,
    operator.not_,
    operator.truth,
    operator.is_,
    operator.is_not,
    bool,
    isinstance,
    callable,
    type,
}
_SAFE |= {operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor, operator.invert}
_SAFE |= {operator.iadd, operator.isub, operator.imul, slice, range}
_RAISING: set[object] = {
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    pow,
    divmod,
    operator.itruediv,
    operator.ifloordiv,
}
_RAISING |= {operator.imod, operator.ipow, operator.lshift, operator.rshift, operator.ilshift, operator.irshift, operator.matmul}
_RAISING |= {int, float, complex, round, ord, chr, hash, str, repr, format}
_RAISING |= {function for name, function in vars(math).items() if callable(function)}
_READING: set[object] = {
    operator.getitem,
    operator.contains,
    len,
    sum,
    min,
    max,
    any,
    all,
    getattr,
    hasattr,
    load_global,
    load_captured,
}
_READING |= {modelled, summed, load_cell, math.fsum, math.prod, math.dist, math.hypot, enumerate, zip, reversed, unpack, id}
_WRITING: set[object] = {operator.setitem, operator.delitem, setattr, set_frozen, delattr, store_cell}
_ALLOCATING: set[object] = {make_list, make_dict, make_set, make_cell, held}
_ALLOCATING_FROM: set[object] = {list, dict, set, sorted}
_READING_METHODS = {
    "get",
    "index",
    "count",
    "keys",
    "values",
    "items",
    "format",
    "copy",
    "join",
    "startswith",
    "endswith",
    "lower",
}
_READING_METHODS |= {"upper", "strip", "split", "is_integer", "bit_length", "conjugate"}

_TABLE: Final[dict[object, Effects]] = {
    **dict.fromkeys(_SAFE, PURE),
    **dict.fromkeys(_RAISING, RAISES),
    **dict.fromkeys(_READING, READS),
    **dict.fromkeys(_WRITING, WRITES),
    **dict.fromkeys(_ALLOCATING, ALLOCATES),
    **dict.fromkeys(_ALLOCATING_FROM, ALLOCATES_FROM),
    make_tuple: PURE,
    builtins.tuple: READS,
}


def declare_effects(effects: Effects, *functions: object) -> None:
    """State the effects of functions that come with a rule. `READS` is only `RAISES` where all operands are immutable."""
    _TABLE.update(dict.fromkeys(functions, effects))
    forget()


#: Functions on arrays that make new ones or numbers; that give another view of the same elements, or either; that ask for
#: nothing but the type; that change their first operand.
_ON_ARRAYS: Final[dict[str, set[object]]] = {
    "make": set(),
    "view": set(),
    "either": set(),
    "ask": {len, isinstance, type, callable, operator.is_, operator.is_not},
    "change": set(IN_PLACE),
}
_SHAPES: Final = frozenset({"shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides"})


#: Where an array to store into stands among the operands, if not as a keyword.
_PLACES_OF_OUT: Final[dict[object, int]] = {}


def declare_on_arrays(way: str, *functions: object, place_of_out: int | None = None) -> None:
    """State what functions on arrays do: "make", "view", "either" of these, "ask" or "change"."""
    for known in _ON_ARRAYS.values():
        known.difference_update(functions)
    _ON_ARRAYS[way].update(functions)
    forget()
    if place_of_out is not None:
        _PLACES_OF_OUT.update(dict.fromkeys(functions, place_of_out))


#: Operands of which functions want to know the shape, the dtype or where they lie in memory, and not the elements.
_SHAPE_ONLY: Final[dict[object, tuple[int, ...]]] = {len: (0,)}


def declare_shape_only(positions: tuple[int, ...], *functions: object) -> None:
    """State of which operands the elements do not matter."""
    _SHAPE_ONLY.update(dict.fromkeys(functions, positions))


def shape_only(function: object) -> tuple[int, ...]:
    """The positions of the operands whose elements a function does not read."""
    try:
        return _SHAPE_ONLY.get(function, ())
    except TypeError:  # not hashable
        return ()


#: These want a number.
_OF_NUMBERS: Final = frozenset({float, int, complex, round, ord, chr, *filter(callable, vars(math).values())})
_CONTAINERS: Final = frozenset({ListType, DictType, TupleType})
_IMMUTABLE = (ScalarType, TupleType, NoneType)
#: Classes whose instances never change.
IMMUTABLE_CLASSES: Final = frozenset({str, bytes, slice, range, tuple, complex, frozenset, type(Ellipsis)})


def type_of(operand: Operand) -> Type | type:
    """The IR type of a value, the Python class of a constant."""
    return operand.type if isinstance(operand, Value) else type(operand.value)


def is_immutable(operand: Operand) -> bool:
    """Whether what an operand is never changes."""
    if isinstance(operand, Constant):
        return isinstance(operand.value, (bool, int, float, complex, str, tuple, type(None)))
    if isinstance(operand.type, OpaqueType):
        return operand.type.cls in IMMUTABLE_CLASSES
    if isinstance(operand.type, ArrayType):
        return operand.type.fixed
    return isinstance(operand.type, _IMMUTABLE)


def _is_number(operand: Operand) -> bool:
    if isinstance(operand, Value):
        return isinstance(operand.type, ScalarType)
    return isinstance(operand.value, (bool, int, float, complex))


def _holds_numbers(operand: Operand) -> bool:
    """Whether an operand is a tuple of numbers for certain."""
    kind = operand.type if isinstance(operand, Value) else None
    return isinstance(kind, TupleType) and all(isinstance(element, ScalarType) for element in kind.elements)


def effects_of(call: Call) -> Effects:
    """The effects of one call, as far as its operands are known."""
    function = call.function
    if type(function) is Constant and type(function.value) is Callee:  # quicker than isinstance: asked very often
        return _effects_of_callee(call, function.value.effects)
    return _effects_of_known(call)


@remembered()
def _effects_of_known(call: Call) -> Effects:
    """The effects of a call of something else than a function with source, whose effects may not be known yet."""
    if not isinstance(call.function, Constant):
        return ACTS
    function = call.function.value
    try:
        effects = _TABLE.get(function)
        is_safe = function in _SAFE
    except TypeError:  # not hashable
        return ACTS
    if effects is not None and is_safe and all(map(_is_number, call.arguments)):  # most calls
        return effects
    may_change_first = function in IN_PLACE and not is_immutable(call.arguments[0])
    if may_change_by_itself(call) or calls_back(call):
        return ACTS
    on_arrays = _effects_on_arrays(call)
    if on_arrays is not None:
        return on_arrays
    if function is call_method:
        name = call.arguments[1]
        if not isinstance(name, Constant) or name.value not in _READING_METHODS:
            return ACTS
        is_count = name.value == "count" and _holds_numbers(call.arguments[0]) and all(map(_is_number, call.arguments[2:]))
        return PURE if is_count else READS
    if effects is None:
        is_known = any(function in known for known in _ON_ARRAYS.values())
        return _effects_of_making(call) if is_known else getattr(function, "effects", ACTS)
    if is_safe:
        # `+` on lists allocates, on an unknown object it may do anything; in-place forms change a list, a dict, a set
        if may_change_first or (function in (operator.iadd, operator.imul) and not all(map(is_immutable, call.arguments))):
            return ACTS
        return RAISES if all(map(is_immutable, call.arguments)) else ALLOCATES_FROM
    if may_change_first:
        return ACTS
    if function is unpack and not (isinstance(call.arguments[0], Value) and isinstance(call.arguments[0].type, TupleType)):
        return CHECKS
    if function in _OF_NUMBERS and effects is RAISES and not _CONTAINERS.isdisjoint(map(type, map(type_of, call.arguments))):
        return CHECKS  # a number is wanted
    if effects is READS and all(map(is_immutable, call.arguments)) and function not in (load_global, load_captured):
        return RAISES
    divisor = call.arguments[-1] if call.arguments else None
    if function is operator.truediv and isinstance(divisor, Constant) and _is_number(divisor) and divisor.value != 0:
        return PURE
    return effects


def _effects_of_callee(call: Call, effects: Effects) -> Effects:
    """What a function does as seen from here, where somebody may write to the arrays that it is given or makes."""
    if effects.writes or effects.acts:
        return effects
    given = any(_holds_arrays(operand.type) and _reads_memory(operand.type) for operand in _values_in(call))
    made = _holds_arrays(call.result.type) and _reads_memory(call.result.type)
    if not (given or made):
        return effects
    return Effects(reads=effects.reads or given, allocates=effects.allocates or made, raises=True)


def _values_in(call: Call) -> list[Value]:
    return [operand for operand in arguments_of(call) if isinstance(operand, Value)]


@remembered()
def reads_variable_outside(call: Call) -> bool:
    """Whether a call gives what is in a variable outside the function."""
    if not isinstance(call.function, Constant):
        return False
    function = call.function.value
    return function in (load_global, load_captured) or (function is getattr and isinstance(call.arguments[0], Constant))


@remembered()
def way_on_arrays(call: Call) -> str | None:
    """What a call does to arrays, as in `declare_on_arrays`; None where there are none among operands and result, or where it is
    not known."""
    kinds = [operand.type for operand in _values_in(call)]
    if not isinstance(call.function, Constant):
        return None
    if not any(map(_holds_arrays, (*kinds, call.result.type))):
        return "change" if any(isinstance(kind, AnyType) for kind in kinds) and _stores_its_result(call) else None
    function, operands = call.function.value, list(call.arguments)
    if function in (call_method, getattr) and operands and _is_array(operands[0]):
        name = operands[1].value if isinstance(operands[1], Constant) else None
        if function is getattr and name in _SHAPES:
            return "ask"
        function = getattr(np.ndarray, str(name), None)
        operands = [operands[0], *operands[2:]]
    way = _way_of_function(function, operands)
    place = _PLACES_OF_OUT.get(function) if way is not None else None
    outputs = [operand for name, operand in call.keywords if name == "out"]
    outputs.extend(operands[place : place + 1] if place is not None else ())
    if way is not None and not all(map(_is_none, outputs)):
        return "change"
    kind = call.result.type
    if way == "view" and not (isinstance(kind, ArrayType) and (kind.shape is not None or gives_view(function, operands))):
        return "either" if isinstance(kind, ArrayType) else "make"  # a number is read when it is taken
    return way


def _stores_its_result(call: Call) -> bool:
    """Whether a call stores into an operand, if that is an array: ``out=``, `np.add.at`."""
    function = call.function.value if isinstance(call.function, Constant) else None
    is_named = any(name == "out" and not _is_none(operand) for name, operand in call.keywords)
    return is_named or _way_of_function(function, list(call.arguments)) == "change"


def _effects_on_arrays(call: Call) -> Effects | None:
    way = way_on_arrays(call)
    if way in ("make", "either"):
        return _effects_of_making(call)
    if way == "view" and any(_reads_memory(operand.type) for operand in _values_in(call) if not _is_viewed(operand, call)):
        return Effects(reads=True, raises=True)
    return None if way is None else WRITES if way == "change" else RAISES


def _is_viewed(operand: Value, call: Call) -> bool:
    """Whether an operand is the array of which a call gives a view: it is not read."""
    kind, viewed = strip_optional(call.result.type), strip_optional(operand.type)
    return isinstance(kind, ArrayType) and isinstance(viewed, ArrayType) and kind.region == viewed.region


def _effects_of_making(call: Call) -> Effects:
    """Something is computed from operands that may be memory."""
    reads = any(_reads_memory(operand.type) for operand in _values_in(call))
    kind = call.result.type
    allocates = _reads_memory(kind) or isinstance(kind, IteratorType)  # what is there to be changed, or to be used up
    return Effects(reads=reads, allocates=allocates, raises=True)


def _way_of_function(function: object, operands: Sequence[Operand]) -> str | None:
    """What a function does to arrays that it is given."""
    try:
        way = next((way for way, known in _ON_ARRAYS.items() if function in known), None)
    except TypeError:  # not hashable
        return None
    first = operands[0] if operands else None
    if function is operator.getitem:
        if first is None or not _is_array(first):
            return "ask" if first is not None and isinstance(type_of(first), TupleType) else None
        return "make" if _selects_copy(type_of(operands[1])) else "view"
    if isinstance(function, np.ufunc):
        return "change" if not all(map(_is_none, operands[function.nin :])) else "make"
    if way == "change" and first is not None and isinstance(type_of(first), ScalarType):
        return "make"
    if way == "view" and (first is None or not _is_array(first)):
        return "either" if isinstance(first, Value) and isinstance(first.type, AnyType) else "make"
    if way is not None:
        return way
    known = _TABLE.get(function)
    return "make" if known in (PURE, RAISES) and function is not make_tuple else None


def _selects_copy(key: Type | type) -> bool:
    """Whether an index has arrays, lists or ranges in it."""
    if isinstance(key, TupleType):
        return any(map(_selects_copy, key.elements))
    return isinstance(key, (ArrayType, ListType, IteratorType))


def _is_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(strip_optional(operand.type), ArrayType)


def _is_none(operand: Operand) -> bool:
    return (isinstance(operand, Constant) and operand.value is None) or (
        isinstance(operand, Value) and isinstance(operand.type, NoneType)
    )


def _holds_arrays(kind: Type) -> bool:
    match kind:
        case ArrayType():
            return True
        case TupleType(elements=parts):
            return any(map(_holds_arrays, parts))
        case OptionalType(inner):
            return _holds_arrays(inner)
    return False


def _reads_memory(kind: Type) -> bool:
    """Whether what an operand gives depends on when it is read."""
    match kind:
        case ArrayType(fixed=fixed):
            return not fixed
        case TupleType(elements=parts) | FunctionType(captured=parts):
            return any(map(_reads_memory, parts))
        case OptionalType(inner) | IteratorType(element=inner):
            return _reads_memory(inner)
        case ListType() | DictType() | ObjectType():
            return True
    return False
