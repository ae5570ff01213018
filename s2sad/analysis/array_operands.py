"""The operands of an operation on arrays, as NumPy sees them: shape, dtype, the region of the memory; and the result's type.

Dtypes are NumPy's own answers: `result_type` and a ufunc's `resolve_dtypes`, with Python numbers weak (NEP 50), or what the
function itself gives for an array of one element."""

from __future__ import annotations

import builtins
import functools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from s2sad.analysis.array_shapes import Bounds, Count, Shape
from s2sad.analysis.memory import ELEMENT, Memory
from s2sad.analysis.simple_types import type_of_constant
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import (
    NONE,
    UNKNOWN,
    AnyType,
    ArrayType,
    Extent,
    Length,
    ListType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

#: What is known of a value besides its type: the length that an integer is, the parts of a tuple, a slice, a dtype.
Fact = int | Extent | Count | Bounds | tuple[Any, ...] | np.dtype[Any] | None

PYTHON_NUMBERS: Final[dict[str, type]] = {"bool": bool, "int": int, "float": float, "complex": complex}
_KINDS: Final = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
NUMBERS: Final = (ScalarType, ArrayType)


class NotKnownError(Exception):
    """The type of a result is not known: it counts as `ANY`."""


class PendingError(Exception):
    """An operand has no type yet."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An operand as an array. `weak` is the class of a Python number, which does not count where dtypes are chosen."""

    shape: Shape | None
    dtype: np.dtype[Any]
    region: int | None = None
    weak: type | None = None
    is_array: bool = False

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self.shape is None else len(self.shape)


@dataclass(frozen=True, slots=True)
class Operands:
    """The operands of one call by the names of the parameters; what a ``*parameter`` takes is a tuple."""

    memory: Memory
    site: int
    named: Mapping[str, Operand | tuple[Operand, ...]]
    type_of: Callable[[Operand], Type]
    fact_of: Callable[[Operand], Fact]
    #: The operands that a list display holds, where nothing changes it.
    elements_of: Callable[[Operand], tuple[Operand, ...] | None]

    def __getitem__(self, name: str) -> Operand:
        found = self.named[name]
        assert not isinstance(found, tuple)
        return found

    def all(self, name: str) -> tuple[Operand, ...]:
        """What a ``*parameter`` takes."""
        found = self.named.get(name, ())
        assert isinstance(found, tuple)
        return found

    def has(self, name: str) -> bool:
        """Whether an operand is given, and is not None."""
        found = self.named.get(name)
        return found is not None and (isinstance(found, tuple) or self.kind(name) != NONE)

    def kind(self, name: str) -> Type:
        """The type of an operand."""
        return self.kind_of(self[name])

    def kind_of(self, operand: Operand) -> Type:
        """The type of an operand; one that has none yet ends the inquiry."""
        kind = self.type_of(operand)
        if isinstance(kind, UnknownType):
            raise PendingError
        return strip_optional(kind)

    def seen(self, name: str) -> Seen:
        """An operand as an array."""
        return self.see(self[name])

    def see(self, operand: Operand) -> Seen:
        """An operand as an array."""
        kind = self.kind_of(operand)
        elements = self.elements_of(operand) if isinstance(kind, ListType) else None
        return self.see_parts([self.see(element) for element in elements]) if elements else self.see_type(kind)

    def see_parts(self, parts: Sequence[Seen]) -> Seen:
        """A tuple or list of arrays or numbers as an array."""
        if not parts:
            return Seen((0,), np.dtype(float))
        ranks = {part.rank for part in parts}
        if None in ranks or len(ranks) > 1:
            raise NotKnownError
        return Seen((len(parts), *joined_shapes({part.shape for part in parts})), np.result_type(*(part.dtype for part in parts)))

    def see_type(self, kind: Type) -> Seen:
        """A type as that of an array."""
        match kind:
            case ArrayType(dtype, shape, region):
                return Seen(shape, dtype_named(dtype), region, is_array=True)
            case ScalarType(number, ""):
                return Seen((), np.dtype(PYTHON_NUMBERS[number]), weak=PYTHON_NUMBERS[number])
            case ScalarType(_, dtype):
                return Seen((), dtype_named(dtype))
            case ListType(region=region):
                element = self.memory.load(region, ELEMENT)
                if isinstance(element, UnknownType):
                    return Seen((None,), np.dtype(float))  # nothing is in it, so far
                inner = self.see_type(element)
                return Seen(None if inner.shape is None else (None, *inner.shape), inner.dtype)
            case TupleType(elements=elements):
                return self.see_parts([self.see_type(element) for element in elements])
        raise NotKnownError

    def parts(self, name: str) -> list[Seen]:
        """The arrays of an operand that is a sequence of them: of a list, in which any number may stand, one for all."""
        kind = self.kind(name)
        if isinstance(kind, ListType):
            elements = self.elements_of(self[name])
            if elements is not None:
                return [self.see(element) for element in elements]
            return [self.see_type(self.memory.load(kind.region, ELEMENT))]
        if not isinstance(kind, TupleType):
            raise NotKnownError
        return [self.see_type(element) for element in kind.elements]

    def array(self, name: str) -> ArrayType:
        """The type of an operand that is an array."""
        kind = self.kind(name)
        if not isinstance(kind, ArrayType):
            raise NotKnownError
        return kind

    def length(self, name: str) -> Length:
        """The length that an integer operand is."""
        return self.length_of(self[name])

    def length_of(self, operand: Operand) -> Length:
        """The length that an integer operand is."""
        return as_length(self.fact_of(operand))

    def constant(self, name: str, default: object) -> Any:
        """The value of an option that must be known."""
        if name not in self.named:
            return default
        operand = self[name]
        if isinstance(operand, Constant):
            return operand.value
        if self.kind(name) == NONE:
            return None
        fact = self.fact_of(operand)
        if isinstance(fact, Extent | Count | Bounds) or fact is None or (isinstance(fact, tuple) and None in fact):
            raise NotKnownError
        return fact

    def flag(self, name: str) -> bool:
        """An option that is true or false."""
        value = self.constant(name, False)
        if not isinstance(value, bool | int):
            raise NotKnownError
        return bool(value)

    def dtype(self, default: np.dtype[Any], name: str = "dtype") -> np.dtype[Any]:
        """The dtype that an option asks for."""
        value = self.constant(name, None)
        if value is None:
            return default
        try:
            return checked(np.dtype(value))
        except TypeError as error:
            raise NotKnownError from error

    def axes(self, rank: int, name: str = "axis") -> tuple[int, ...] | None:
        """The axes that an operation goes over, counted from the front; None where it is all of them."""
        axis = self.constant(name, None)
        if axis is None:
            return None
        axes = axis if isinstance(axis, tuple) else (axis,)
        if rank == 0 and axes in ((0,), (-1,)):
            return ()  # what reduces or accumulates takes a number for an array of one element; what does not, raises
        if not all(isinstance(item, int) for item in axes):
            raise NotKnownError
        if not all(-rank <= item < rank for item in axes):
            raise PendingError  # it raises
        return tuple(item % rank for item in axes)

    def lengths(self, name: str) -> Shape | None:
        """A shape that is given as an integer or as integers; None where it is not known how many."""
        found = self.named[name]
        if isinstance(found, tuple):
            if len(found) != 1:
                return tuple(map(self.length_of, found))
            found = found[0]
        kind, fact = self.kind_of(found), self.fact_of(found)
        match kind:
            case ScalarType():
                return (self.length_of(found),)
            case TupleType(elements=elements) if all(isinstance(part, ScalarType) for part in elements):
                facts = fact if isinstance(fact, tuple) else (None,) * len(elements)
                return tuple(map(as_length, facts))
            case AnyType() | OpaqueType(cls=builtins.tuple) | ListType():
                return None
        raise NotKnownError

    # --- results ------------------------------------------------------------------------------------------------------

    def new(self, shape: Sequence[Length] | None, dtype: np.dtype[Any]) -> Type:
        """A new array; one element without axes is a number."""
        if shape is not None and len(shape) == 0:
            return scalar(dtype)
        return self.array_of(shape, dtype)

    def array_of(self, shape: Sequence[Length] | None, dtype: np.dtype[Any], region: int | None = None) -> ArrayType:
        """An array, a new one unless the region says which."""
        where = self.site if region is None else region
        return ArrayType(checked(dtype).name, None if shape is None else tuple(shape), where)

    def view(self, seen: Seen, shape: Sequence[Length] | None) -> ArrayType:
        """An array that may share the memory of another."""
        return self.array_of(shape, seen.dtype, seen.region)

    def arranged(self, seen: Seen, shape: Sequence[Length] | None) -> Type:
        """What a method of arrays gives of an operand: NumPy's numbers have these methods, and where no axes are added they give
        numbers. What is typed as a Python number may be either."""
        if seen.is_array or shape is None or len(shape) > 0:
            return self.view(seen, shape)
        return self.array_of(None, seen.dtype) if seen.weak is not None else scalar(seen.dtype)

    def list_of(self, element: Type, depth: int = 0) -> Type:
        """A new list, at some depth among lists in lists."""
        regions = self.memory.shadows
        region = self.site if depth == 0 else regions.setdefault((self.site, depth), 0)
        if region == 0:
            region = regions[self.site, depth] = self.memory.allocate()
        self.memory.store(region, ELEMENT, element)
        return ListType(UNKNOWN, region)

    def stored_in_out(self, made: Type) -> Type:
        """The result, or the array given as ``out=``, which is changed."""
        if not self.has("out"):
            return made
        kind = self.kind("out")
        if isinstance(kind, TupleType) and len(kind.elements) == 1:
            kind = kind.elements[0]
        if not isinstance(kind, ArrayType):
            raise NotKnownError
        self.memory.mark(kind.region, "stored")
        return kind


ArrayTransfer = Callable[[Operands], Type]


def as_length(fact: Fact) -> Length:
    """The length that an integer of which this is known makes."""
    if isinstance(fact, Count):
        return fact.length
    return fact if isinstance(fact, int | Extent) and not isinstance(fact, bool) else None


def dtype_named(name: str) -> np.dtype[Any]:
    """The dtype of that name."""
    return checked(np.dtype(name))


def checked(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A dtype of numbers in the machine's byte order."""
    if dtype.kind not in _KINDS or not dtype.isnative:
        raise NotKnownError
    return dtype


def scalar(dtype: np.dtype[Any]) -> ScalarType:
    """A number as NumPy's functions give it."""
    return ScalarType(_KINDS[checked(dtype).kind], dtype.name)


def result_dtype(operands: Sequence[Seen]) -> np.dtype[Any]:
    """What the operands have in common, Python numbers being weak."""
    return np.result_type(*(seen.dtype if seen.weak is None else seen.weak(0) for seen in operands))


def joined_shapes(shapes: set[Shape | None]) -> Shape:
    """What shapes of one rank that must be equal have in common."""
    known = [shape for shape in shapes if shape is not None]
    return tuple(lengths[0] if len(set(lengths)) == 1 else None for lengths in zip(*known, strict=True))


@functools.lru_cache(maxsize=4096)
def dtype_given_by(function: Callable[..., Any], dtype: np.dtype[Any], *options: object, **keywords: object) -> np.dtype[Any]:
    """The dtype that a function gives for an array of this dtype."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):  # the program gives its warnings when it runs
            result = function(np.ones((1, 1), dtype), *options, **keywords)
    except (TypeError, ValueError, np.linalg.LinAlgError) as error:
        raise PendingError from error  # it raises
    given: np.dtype[Any] = np.asarray(result).dtype
    return given


def fact_of_constant(operand: Operand) -> Fact:
    """What is known of a literal."""
    value = operand.value if isinstance(operand, Constant) else None
    match value:
        case bool() | int() | tuple() | np.dtype():
            return value
        case slice():
            parts = (value.start, value.stop, value.step)
            return Bounds(*(part if part is None or isinstance(part, int) else "some" for part in parts))
    return None


def type_of_operand(operand: Operand) -> Type:
    """The type that an operand has in typed IR."""
    return type_of_constant(operand) if isinstance(operand, Constant) else operand.type


def arrays_in(kinds: Sequence[Type]) -> Iterator[ArrayType]:
    """The types of arrays among these."""
    for kind in kinds:
        if isinstance(kind, OptionalType):
            kind = kind.inner
        if isinstance(kind, ArrayType):
            yield kind


def rows(array: ArrayType) -> Type:
    """What iteration over an array gives: views, or numbers."""
    if array.shape is None:
        return ArrayType(array.dtype, None, array.region)
    if not array.shape:
        return UNKNOWN  # it raises
    if len(array.shape) == 1:
        return scalar(dtype_named(array.dtype))
    return ArrayType(array.dtype, array.shape[1:], array.region)


def is_pending(kinds: Sequence[Type]) -> bool:
    """Whether some operand has no type yet."""
    return any(kind is UNKNOWN for kind in kinds)
