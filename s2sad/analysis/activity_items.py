"""What stands for values and memory in the graph of activity: a value that carries a derivative, the region of a container, and
what is hidden in either, without adjoint."""

from __future__ import annotations

import logging
import numbers
import random
import types
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from s2sad.analysis.memory import parts_of, references_in
from s2sad.analysis.simple_types import CLASSES_OF_INDEX_TRICKS
from s2sad.ir.effects import IMMUTABLE_CLASSES
from s2sad.ir.memo import remembered_by_identity
from s2sad.ir.nodes import UNBOUND, Call, Constant, Operand, Value, arguments_of
from s2sad.ir.types import (
    AnyType,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    may_be_anything,
    strip_optional,
)

Item = object


def carries_derivative(kind: Type) -> bool:
    """Whether a value of this type can have an adjoint of its own (containers have shadows instead)."""
    match kind:
        case ScalarType():
            return kind.is_real
        case ArrayType():
            return kind.is_real and kind.fixed
        case AnyType():
            return True
        case OptionalType(inner):
            return carries_derivative(inner)
        case TupleType(elements=elements):
            return any(map(carries_derivative, elements))
        case FunctionType(captured=captured):
            return any(map(carries_derivative, captured))
        case IteratorType(element=element):
            return carries_derivative(element)
    return False


#: Classes whose objects have whole numbers alone. Which numbers a generator gives next depends on no real number, and what is
#: logged does not come back.
_WITHOUT_REALS: Final = (range, slice, np.random.Generator, np.random.RandomState, random.Random, logging.Logger)
#: Classes whose objects never change, nor what is in them.
_UNCHANGING: Final = IMMUTABLE_CLASSES - {tuple, frozenset}
#: Classes whose objects never change, as constants of a program have them.
_WITHOUT_PARTS: Final = (
    *(str, bytes, slice, range, tuple, frozenset, type(Ellipsis), types.NoneType),
    *(bool, int, float, complex, numbers.Number, np.generic, np.dtype),
)


def may_hide(kind: Type) -> bool:
    """Whether a value may hide numbers that have no adjoint: a string made of one, a deque, what an unknown function gives. The
    derivative flows into it like into any other value; where it also flows out again, the reverse sweep refuses."""
    return _has(kind, _may_hide_numbers)


def may_be_changed(kind: Type) -> bool:
    """Whether a value is, or has in it, an object of which nothing is known and that may be changed, or what is in it: not a
    string."""
    return _has(kind, _may_change)


def may_hold_anything(kind: Type) -> bool:
    """Whether a value is, or has in it, something of which nothing is known, not even its class."""
    return _has(kind, may_be_anything)


def _has(kind: Type, wanted: Callable[[Type], bool]) -> bool:
    """Whether a value is such, or has such in it: not in a container that it refers to."""
    match kind:
        case OptionalType(inner) | IteratorType(element=inner):
            return _has(inner, wanted)
        case TupleType(elements=parts) | FunctionType(captured=parts):
            return any(_has(part, wanted) for part in parts)
    return wanted(kind)


def _may_hide_numbers(kind: Type) -> bool:
    return isinstance(kind, AnyType) or (isinstance(kind, OpaqueType) and kind.cls not in _WITHOUT_REALS)


def _may_change(kind: Type) -> bool:
    return isinstance(kind, AnyType) or (isinstance(kind, OpaqueType) and kind.cls not in _UNCHANGING)


def hidden_numbers(operand: Operand) -> list[Item]:
    """What stands for the numbers that an input holds, and that have no adjoint: the elements of a deque, of a set, of a subclass
    of list. Strings, functions and the like are no numbers that a derivative is asked for."""
    found: list[Item] = []

    def visit(kind: Type, holder: Item) -> None:
        match kind:
            case OpaqueType(cls=cls):
                if _may_hold_numbers(cls):
                    found.append(hidden(holder))
            case OptionalType(inner):
                visit(inner, holder)
            case TupleType(elements=parts):
                for part in parts:
                    visit(part, holder)
            case ListType(element, region):
                visit(element, region)
            case DictType(_, value, region, fields):
                for part in (value, *(part for _, part in fields)):
                    visit(part, region)
            case ObjectType(_, region, fields):
                for _, part in fields:
                    visit(part, region)

    if isinstance(operand, Value) and not isinstance(operand.type, ScalarType):  # most values
        visit(operand.type, operand)
    return found


def _may_hold_numbers(cls: type) -> bool:
    is_text = issubclass(cls, str | bytes | bytearray | types.ModuleType)
    return not is_text and any(hasattr(cls, name) for name in ("__float__", "__iter__", "__getitem__"))


def is_outside_object(operand: Operand) -> bool:
    """Whether an operand is an object of the user's program that can hold numbers: a class, a function, a default argument."""
    if not isinstance(operand, Constant) or operand is UNBOUND:
        return False
    value = operand.value
    if isinstance(value, (np.ndarray, list, dict, set, type, types.FunctionType, types.ModuleType)) or hasattr(value, "__dict__"):
        return True
    return not callable(value) and not isinstance(value, _WITHOUT_PARTS)


def outside_operands(call: Call) -> tuple[Operand, ...]:
    """The operands of a call, and the object outside whose method it calls."""
    bound = getattr(call.function.value, "__self__", None) if isinstance(call.function, Constant) else None
    if bound is None or isinstance(bound, (types.ModuleType, type)):
        return arguments_of(call)
    return (*arguments_of(call), Constant(bound))


def computes_of_index(operand: Operand) -> bool:
    """Whether indexing an operand computes something of the index: ``np.mgrid[0:x:20j]``, ``np.r_[0.0, x]``."""
    return isinstance(operand, Constant) and isinstance(operand.value, CLASSES_OF_INDEX_TRICKS)


def items_of(operand: Operand) -> list[Item]:
    """What stands for an operand in the graph: the value itself, and the regions that it refers to."""
    if not isinstance(operand, Value):
        return []
    if isinstance(operand.type, ScalarType):  # most values
        return [operand] if operand.type.is_real else []
    items: list[Item] = [operand] if carries_derivative(operand.type) else []
    items.extend(region for region, kind in references_in(operand.type).items() if has_items(kind))
    return items


def has_items(kind: Type) -> bool:
    """Whether a reference is to memory with adjoints: not to an array that is a value, nor to one of integers."""
    return not isinstance(kind, ArrayType) or (kind.is_real and not kind.fixed)


def hidden_items_of(operand: Operand) -> list[Item]:
    """What stands for the parts of an operand that have no adjoint."""
    if not isinstance(operand, Value):
        return [hidden(("object", id(operand.value)))] if is_outside_object(operand) else []
    if isinstance(operand.type, ScalarType):  # most values
        return []
    items: list[Item] = [hidden(operand)] if may_hide(operand.type) else []
    items.extend(hidden(region) for region, kind in references_in(operand.type).items() if has_items(kind))
    return items


def objects_in(operand: Operand) -> list[Item]:
    """What stands for the objects without adjoint that an operand is, or has in it, and that may be changed."""
    if not isinstance(operand, Value):
        return hidden_items_of(operand)
    if isinstance(operand.type, ScalarType):  # most values
        return []
    items: list[Item] = [hidden(operand)] if may_be_changed(operand.type) else []
    items.extend(map(hidden, _regions_of_objects(operand.type)))
    return items


def holders_in(operand: Operand) -> list[Item]:
    """What stands for parts of an operand that may be any container, also one that is followed by another name."""
    if not isinstance(operand, Value) or isinstance(operand.type, ScalarType):
        return []
    items: list[Item] = [hidden(operand), stored_into(operand)] if may_hold_anything(operand.type) else []
    items.extend(map(hidden, _regions_of_anything(operand.type)))
    return items


def references_inside(operand: Operand) -> Mapping[int, Type]:
    """The regions that the parts of a container refer to, each with its reference type."""
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    if isinstance(kind, (ListType, DictType, ObjectType)):
        return {region: inner for part in parts_of(kind) for region, inner in references_in(part).items()}
    return {} if kind is None else references_in(kind)


@remembered_by_identity
def _regions_of_objects(kind: Type) -> frozenset[int]:
    """The regions of containers that have objects in them of which nothing is known, and that may be changed."""
    return _regions_with(kind, may_be_changed, _regions_of_objects)


@remembered_by_identity
def _regions_of_anything(kind: Type) -> frozenset[int]:
    """The regions of containers that have parts which may be anything."""
    return _regions_with(kind, may_hold_anything, _regions_of_anything)


def _regions_with(kind: Type, wanted: Callable[[Type], bool], inside: Callable[[Type], frozenset[int]]) -> frozenset[int]:
    """The regions of containers with such parts; `inside`: those in a part."""
    parts = parts_of(kind)
    found = frozenset[int]().union(*map(inside, parts))
    if isinstance(kind, (ListType, DictType, ObjectType)) and any(map(wanted, parts)):
        return found | {kind.region}
    return found


def hidden(item: Item) -> Item:
    """The item for what has no adjoint in a value or region."""
    return ("hidden", item)


def is_hidden(item: Item) -> bool:
    """Whether an item stands for what has no adjoint."""
    return isinstance(item, tuple) and item[0] == "hidden"


def stored_into(operand: Operand) -> Item:
    """The item for what is stored into an object of which nothing is known: it goes into whatever that object is."""
    return ("stored", operand)


def is_keyed_by_numbers(operand: Operand) -> bool:
    """Whether an operand is a dict whose keys may be numbers with a derivative, or hold some."""
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    return isinstance(kind, DictType) and (carries_derivative(kind.key) or strip_optional(kind.key) == OpaqueType(object))


def own_region(operand: Operand) -> list[Item]:
    """The region of a container itself (not of what it contains)."""
    regions = references_in(operand.type) if isinstance(operand, Value) else {}
    return list[Item](regions)[:1]


def is_changeable(operand: Operand) -> bool:
    """Whether an operand is, or has in it, a container or an object that may be changed."""
    return is_object(operand) or bool(own_region(operand)) or (isinstance(operand, Value) and may_be_changed(operand.type))


def taking(operand: Operand) -> list[Item]:
    """What takes something that is put into an operand which is not followed, or into such a part of it."""
    if is_object(operand):
        return [*items_of(operand), *hidden_items_of(operand), stored_into(operand)]
    is_tuple = isinstance(operand, Value) and may_be_changed(operand.type)
    return [hidden(operand), stored_into(operand)] if is_tuple else []


def is_object(operand: Operand) -> bool:
    """Whether an operand is an object of which nothing is known, and which may be changed."""
    if is_outside_object(operand):
        return True
    kind = strip_optional(operand.type) if isinstance(operand, Value) else None
    return isinstance(kind, AnyType) or (isinstance(kind, OpaqueType) and kind.cls not in IMMUTABLE_CLASSES)
