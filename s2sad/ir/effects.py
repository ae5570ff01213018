"""What an operation does besides computing its result: decides what may be removed, moved, shared or computed again."""

from __future__ import annotations

import builtins
import math
import operator
import types
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import (
    call_method,
    load_captured,
    load_cell,
    load_global,
    make_cell,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    store_cell,
    unpack,
)
from s2sad.ir.types import ArrayType, NoneType, OpaqueType, ScalarType, TupleType, Type


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
_READING |= {load_cell, math.fsum, math.prod, math.dist, math.hypot, enumerate, zip, reversed, unpack, id}
_WRITING: set[object] = {operator.setitem, operator.delitem, setattr, delattr, store_cell}
_ALLOCATING: set[object] = {make_list, make_dict, make_set, make_cell}
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

_IN_PLACE: Final[frozenset[object]] = frozenset(
    {operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow}
    | {operator.imatmul, operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift}
)

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


_IMMUTABLE = (ScalarType, TupleType, NoneType)
#: Classes whose instances never change.
IMMUTABLE_CLASSES: Final = frozenset({str, bytes, slice, range, complex, frozenset, type(Ellipsis)})


def type_of(operand: Operand) -> Type | type:
    """The IR type of a value, the Python class of a constant."""
    return operand.type if isinstance(operand, Value) else type(operand.value)


def _is_immutable(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return isinstance(operand.value, (bool, int, float, complex, str, tuple, type(None)))
    if isinstance(operand.type, OpaqueType):
        return operand.type.cls in IMMUTABLE_CLASSES
    return isinstance(operand.type, _IMMUTABLE)


def _is_number(operand: Operand) -> bool:
    if isinstance(operand, Constant):
        return isinstance(operand.value, (bool, int, float, complex))
    return isinstance(operand.type, ScalarType)


def _is_array(operand: Operand) -> bool:
    return isinstance(operand, Value) and isinstance(operand.type, ArrayType)


def _effects_on_arrays(function: object, call: Call, effects: Effects) -> Effects | None:
    """Arithmetic on arrays makes an array, or changes its first operand; None for what is the same as for other operands."""
    if function in _IN_PLACE:
        return WRITES
    if function in (operator.getitem, operator.setitem):
        return effects
    if isinstance(call.result.type, ScalarType):
        return READS if effects in (PURE, RAISES) else effects
    is_elementwise = function in _SAFE or function in _RAISING or isinstance(function, np.ufunc)
    return ALLOCATES_FROM if is_elementwise else None


def effects_of(call: Call) -> Effects:
    """The effects of one call, as far as its operands are known."""
    function = call.function
    if not isinstance(function, Constant):
        return ACTS
    if isinstance(function.value, Callee):
        return function.value.effects
    if function.value is call_method:
        name = call.arguments[1]
        known = isinstance(name, Constant) and name.value in _READING_METHODS
        return READS if known else ACTS
    try:
        effects = _TABLE.get(function.value)
    except TypeError:  # not hashable
        return ACTS
    if effects is None:
        return getattr(function.value, "effects", ACTS)
    if any(map(_is_array, call.arguments)) and (of_arrays := _effects_on_arrays(function.value, call, effects)) is not None:
        return of_arrays
    if function.value in _SAFE and not all(map(_is_number, call.arguments)):
        # `+` on lists allocates, on an unknown object it may do anything; in-place forms change a list
        if function.value in (operator.iadd, operator.imul) and not all(map(_is_immutable, call.arguments)):
            return ACTS
        return RAISES if all(map(_is_immutable, call.arguments)) else ALLOCATES_FROM
    if function.value is unpack and not (isinstance(call.arguments[0], Value) and isinstance(call.arguments[0].type, TupleType)):
        return CHECKS
    if effects is READS and all(map(_is_immutable, call.arguments)) and function.value not in (load_global, load_captured):
        return RAISES
    divisor = call.arguments[-1] if call.arguments else None
    if function.value is operator.truediv and isinstance(divisor, Constant) and _is_number(divisor) and divisor.value != 0:
        return PURE
    return effects
