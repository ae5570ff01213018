"""What is known of a value when code is generated for it.

Types are immutable and compare by value, so they serve as cache keys. `UNKNOWN` (nothing known yet) is the least, `ANY`
(could be anything) the greatest element; :func:`join` gives the least type that covers two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Type:
    """Base of all types."""


@dataclass(frozen=True, slots=True)
class UnknownType(Type):
    """No value has been seen."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True)
class AnyType(Type):
    """Any value at all."""

    def __str__(self) -> str:
        return "any"


UNKNOWN: Final = UnknownType()
ANY: Final = AnyType()

_RANK: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """A number. `dtype` is the NumPy dtype's name for a NumPy scalar, "" for a Python number."""

    kind: str
    dtype: str = ""

    def __eq__(self, other: object) -> bool:  # the one that is asked most
        return self is other or (isinstance(other, ScalarType) and self.kind == other.kind and self.dtype == other.dtype)

    def __hash__(self) -> int:
        return hash((self.kind, self.dtype))

    def __str__(self) -> str:
        return self.dtype or self.kind

    @property
    def is_real(self) -> bool:
        """Whether a derivative with respect to it can be nonzero."""
        return self.kind in ("float", "complex")


BOOL: Final = ScalarType("bool")
INT: Final = ScalarType("int")
FLOAT: Final = ScalarType("float")
COMPLEX: Final = ScalarType("complex")

_NUMBERS: Final = (bool, int, float, complex)


def may_be_anything(kind: Type) -> bool:
    """Whether nothing is known of a value, or of its class."""
    return isinstance(kind, AnyType) or kind == OpaqueType(object)


def number_classes(kind: ScalarType, asked: tuple[object, ...] = ()) -> tuple[type, ...]:
    """The classes of the Python numbers that a type covers: an integer may stand where a float is expected, as it may be an
    element of a list with floats, the value of one branch, or an argument that counts as a real number. A program that has
    `asked` for complex numbers may have one there: a negative number to a power that is not an integer.

    >>> number_classes(INT)
    (<class 'bool'>, <class 'int'>)
    """
    if kind.dtype:
        return ()
    return _NUMBERS[: _RANK[kind.kind] + 1 + (kind.kind == "float" and complex in asked)]


@dataclass(frozen=True, slots=True)
class NoneType(Type):
    """None."""

    def __str__(self) -> str:
        return "None"


NONE: Final = NoneType()


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    """None, or a value of the type inside (also: a variable that some path leaves unbound)."""

    inner: Type

    def __str__(self) -> str:
        return f"optional[{self.inner}]"


def strip_optional(kind: Type) -> Type:
    """The type without None."""
    return kind.inner if isinstance(kind, OptionalType) else kind


@dataclass(frozen=True, slots=True)
class OpaqueType(Type):
    """An object that carries no derivative: a string, a file, a generator of random numbers, … `dtype` is the dtype's name of an
    array of strings, dates or objects. One that is not `exact` may be of a class derived from `cls`, as what a handler has."""

    cls: type
    dtype: str = ""
    exact: bool = True

    def __str__(self) -> str:
        return f"{self.cls.__name__} of {self.dtype}" if self.dtype else self.cls.__name__


@dataclass(frozen=True, slots=True)
class ConstantType(Type):
    """One object, known by identity: a module, a class, a function without source."""

    value: object = field(compare=False)
    identity: int = 0

    def __str__(self) -> str:
        return f"constant[{getattr(self.value, '__name__', self.value)}]"


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A tuple, element by element."""

    elements: tuple[Type, ...]
    cls: type = tuple

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.elements))}]"


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """A list whose elements share a type. `region` names the memory it lives in: two lists that may be one object have
    the same region."""

    element: Type
    region: int = 0

    def __str__(self) -> str:
        return f"list[{self.element}]"


@dataclass(frozen=True, slots=True)
class DictType(Type):
    """A dict. With `fields`, one type for each key that it may have; otherwise one for all values. `keys` are those that it has,
    in order, where that is known."""

    key: Type
    value: Type
    region: int = 0
    fields: tuple[tuple[object, Type], ...] = ()
    keys: tuple[object, ...] | None = None

    def __str__(self) -> str:
        inner = ", ".join(f"{key!r}: {kind}" for key, kind in self.fields) if self.fields else f"{self.key}, {self.value}"
        return f"dict[{inner}]"


@dataclass(frozen=True, slots=True)
class ObjectType(Type):
    """An instance of a class with attributes."""

    cls: type
    region: int = 0
    fields: tuple[tuple[str, Type], ...] = ()

    def __str__(self) -> str:
        return self.cls.__name__


@dataclass(frozen=True, slots=True)
class IteratorType(Type):
    """What ``for`` can run over and that is not a container: range, enumerate, zip, …"""

    function: object
    element: Type

    def __str__(self) -> str:
        return f"{getattr(self.function, '__name__', self.function)}[{self.element}]"


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    """A function with source: which one, and the types of what it captures. `key` identifies its code; `context` tells what its
    free names mean, wherever it is called."""

    definition: object = field(compare=False)
    key: object = None
    captured: tuple[Type, ...] = ()
    context: object = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"function[{getattr(self.definition, 'name', self.definition)}]"


@dataclass(frozen=True, slots=True)
class Extent:
    """The length of an axis that is the same number throughout one call: ``max(0, n - less)``, where `n` is a length of some
    argument. Lengths of arguments are named by which of them are equal; one that is 1 is the number 1, so `n` itself is not 1."""

    name: str
    less: int = 0

    def __str__(self) -> str:
        return f"{self.name} - {self.less}" if self.less else self.name


#: The length of an axis: a number, a symbol, or None where it is not known.
Length = int | Extent | None


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    """A NumPy array: the dtype's name, the length of each axis, and the region of its memory (a view has its base's).

    With `shape` None even the number of axes is not known: the value may also be a number. A `fixed` array is one that nobody
    writes to while the function runs, and that no container holds: a value like a number."""

    dtype: str
    shape: tuple[Length, ...] | None
    region: int = 0
    fixed: bool = False

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.dtype}[...]"
        return f"{self.dtype}[{', '.join(':' if length is None else str(length) for length in self.shape)}]"

    @property
    def kind(self) -> str:
        """As in `ScalarType`: "bool", "int", "float" or "complex"."""
        return {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}[self.dtype.lstrip("_")[0]]

    @property
    def is_real(self) -> bool:
        """Whether a derivative with respect to its elements can be nonzero."""
        return self.kind in ("float", "complex")

    @property
    def dimensions(self) -> int | None:
        """The number of axes, if it is known."""
        return None if self.shape is None else len(self.shape)
