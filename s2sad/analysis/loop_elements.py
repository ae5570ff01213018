"""What a loop goes over, where that is known: how many elements there are, their types, and how to get each.

In ``for f in (math.sin, math.cos)`` there are two, ``(math.sin, math.cos)[0]`` and ``(math.sin, math.cos)[1]``. The same is known
of lists with a type for each place, of dicts with known keys, and of `zip`, `enumerate` and `reversed` of them.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from s2sad.analysis.container_types import has_places, places_of
from s2sad.analysis.memory import ELEMENT, Memory
from s2sad.ir.nodes import (
    Call,
    Constant,
    Operand,
    Operation,
    Value,
)
from s2sad.ir.operations import call_method, make_list, make_tuple, unpack
from s2sad.ir.types import (
    UNKNOWN,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OptionalType,
    TupleType,
    Type,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.infer_types import Inference

_CONTAINERS: Final = (ListType, DictType, ObjectType, TupleType)

#: Gives the element for one trip, with the operations that make it.
Element = Callable[[int, list[Operation]], Operand]
#: How many elements there are, how to get each, and their types.
Elements = tuple[int, Element, list[Type]]


@dataclass(frozen=True, slots=True)
class HasLength:
    """A list with a type for each place, gone over as one with so many. It stands for the list, and does nothing."""

    count: int


@dataclass(frozen=True, slots=True)
class HasKeys:
    """A dict gone over as one with these keys, in this order. It stands for the dict, and does nothing."""

    keys: tuple[object, ...]


def have_several_kinds(memory: Memory, kinds: list[Type]) -> bool:
    """Whether there are functions among the elements, and not always the same; or elements that have no type in common, such as
    objects of several classes."""
    if kinds and all(isinstance(kind, TupleType) for kind in kinds):
        columns = zip(*(kind.elements for kind in kinds if isinstance(kind, TupleType)), strict=False)
        return any(have_several_kinds(memory, list(column)) for column in columns)
    if len(set(map(type, map(strip_optional, kinds)))) > 1 and any(
        isinstance(strip_optional(kind), _CONTAINERS) for kind in kinds
    ):
        return True  # numbers beside containers
    if len({kind.cls for kind in map(strip_optional, kinds) if isinstance(kind, ObjectType)}) > 1:
        return True
    arrays = [kind for kind in map(strip_optional, kinds) if isinstance(kind, ArrayType)]
    if arrays and (len(arrays) < len(kinds) or len({(kind.dtype, kind.dimensions) for kind in arrays}) > 1):
        return True
    functions = [kind for kind in map(strip_optional, kinds) if isinstance(kind, FunctionType | ConstantType)]
    return bool(functions and len(functions) < len(kinds)) or len({_functions_in(memory, kind, ()) for kind in kinds}) > 1


def _functions_in(memory: Memory, kind: Type, within: tuple[int, ...]) -> object:
    """The functions in a value of this type, by where they stand; None of one that has none."""
    parts: Iterable[tuple[object, Type]] = ()
    match strip_optional(kind):
        case FunctionType(key=key):
            return key
        case ConstantType(identity=identity):
            return identity
        case TupleType(elements=elements):
            parts = enumerate(elements)
        case ListType(region=region) | DictType(region=region) | ObjectType(region=region) if memory.find(region) not in within:
            within = (*within, memory.find(region))
            parts = [*memory.content[memory.find(region)].items()]
    found = [(slot, inner) for slot, part in parts if (inner := _functions_in(memory, part, within)) is not None]
    return tuple(found) or None


def are_same_keys(first: tuple[object, ...] | None, second: tuple[object, ...]) -> bool:
    """Whether keys are the same: True and 1 are equal."""
    return first is not None and [*map(type, first), *first] == [*map(type, second), *second]


def _part_of_places(inference: Inference, call: Call, part: ListType) -> tuple[ObjectType, range] | None:
    """The list with a type for each place that a call takes a part of, and which places, if neither list changes."""
    function = inference.constant_of(call.function)
    if function is None or function.value is not operator.getitem or isinstance(call.arguments[1], Constant):
        return None
    owner, key = strip_optional(inference.type_of(call.arguments[0])), inference.slices.get(call.arguments[1])
    memory, part_of = inference.memory, key.value if key is not None else None
    if not isinstance(owner, ObjectType) or owner.cls is not list or not has_places(memory, owner.region):
        return None
    flags = memory.flags[memory.find(owner.region)] | memory.flags[memory.find(part.region)]
    if flags & {"stored", "restructured", "unknown"} or not isinstance(part_of, slice):
        return None
    return owner, range(len(places_of(memory, owner.region)))[part_of]


def elements_of(
    inference: Inference,
    iterable: Operand,
    *,
    is_checked: bool = False,
    with_ranges: bool = False,
    beside: list[Operand] | None = None,
) -> Elements | None:
    """The number of elements of an iterable, how to get each, and their types. With `is_checked`, to get one fails where a tuple
    turns out to have another length; with `with_ranges`, ranges between constants count. Into `beside` go the lists of any length
    that `zip` goes over beside others: where one of them ends, all end."""
    kind = inference.type_of(iterable)
    if isinstance(kind, OptionalType):
        return None
    if isinstance(kind, ObjectType) and kind.cls is list:
        if not has_places(inference.memory, kind.region):
            return None
        places = places_of(inference.memory, kind.region)
        return len(places), _element_of_places(iterable, range(len(places)), len(places) if is_checked else None), places
    if isinstance(kind, DictType):
        return _elements_of_dict(inference, iterable, "keys", is_checked)
    if isinstance(kind, TupleType):
        length = Constant(len(kind.elements))

        def element_of_tuple(index: int, out: list[Operation]) -> Operand:
            elements = _emit(out, unpack, iterable, length) if is_checked else iterable
            return _emit(out, operator.getitem, elements, Constant(index))

        return len(kind.elements), element_of_tuple, list(kind.elements)
    call = inference.calls.get(iterable)
    if isinstance(kind, ListType) and call is not None and (part := _part_of_places(inference, call, kind)) is not None:
        owner, taken = part
        places = places_of(inference.memory, owner.region)
        element = _element_of_places(call.arguments[0], taken, len(places) if is_checked else None)
        return len(taken), element, [places[place] for place in taken]
    if call is None or not isinstance(call.function, Constant | Value):
        return None
    function = inference.constant_of(call.function)
    if function is None or (call.keywords and (function.value is not zip or [name for name, _ in call.keywords] != ["strict"])):
        return None
    if (
        isinstance(kind, ListType)
        and function.value is make_list
        and not inference.memory.flags[inference.memory.find(kind.region)]
    ):
        return len(call.arguments), lambda index, out: call.arguments[index], [inference.type_of(a) for a in call.arguments]
    if with_ranges and function.value is range:
        bounds = [inference.constant_of(argument) for argument in call.arguments]
        numbers = [bound.value for bound in bounds if bound is not None and type(bound.value) is int]
        if len(numbers) < len(bounds) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
            return None
        trips = range(*numbers)
        return len(trips), lambda index, out: Constant(trips[index]), [inference.type_of(Constant(0))] * len(trips)
    if function.value is call_method and len(call.arguments) == 2:
        name = inference.constant_of(call.arguments[1])
        return _elements_of_dict(inference, call.arguments[0], str(name.value), is_checked) if name is not None else None
    if not isinstance(function.value, type) or function.value not in (enumerate, zip, reversed):
        return None
    ask = functools.partial(elements_of, inference, is_checked=is_checked, with_ranges=with_ranges)
    if function.value is zip:
        return _zipped(inference, call, [ask(argument) for argument in call.arguments], beside)
    found = ask(call.arguments[0], beside=beside if function.value is enumerate else None)
    if found is None:
        return None
    count, element, kinds = found
    if function.value is reversed:
        return count, lambda index, out: element(count - 1 - index, out), kinds[::-1]
    start = inference.constant_of(call.arguments[1]) if len(call.arguments) > 1 else Constant(0)
    if start is None or not isinstance(start.value, int):
        return None
    first = start.value
    return (
        count,
        lambda index, out: _emit(out, make_tuple, Constant(first + index), element(index, out)),
        [TupleType((inference.type_of(Constant(0)), part)) for part in kinds],
    )


def _zipped(inference: Inference, call: Call, parts: Sequence[Elements | None], beside: list[Operand] | None) -> Elements | None:
    """The same of what `zip` goes over together, as far as its parts are known."""
    known = [part for part in parts if part is not None]
    if known and beside is not None and not call.keywords:
        longest = max(part[0] for part in known)
        known = [
            part or _elements_of_list(inference, argument, longest, beside)
            for part, argument in zip(parts, call.arguments, strict=True)
            if part is not None or isinstance(inference.type_of(argument), ListType)
        ]
    if not known or len(known) != len(parts):
        return None
    count = min(part[0] for part in known)
    if call.keywords and any(part[0] != count for part in known):
        return None  # an error, if it is strict
    return (
        count,
        lambda index, out: _emit(out, make_tuple, *(part[1](index, out) for part in known)),
        # types join over all elements, those too that are left over
        [TupleType(tuple(row)) for row in itertools.zip_longest(*(part[2] for part in known), fillvalue=UNKNOWN)],
    )


def _elements_of_dict(inference: Inference, items: Operand, name: str, is_checked: bool) -> Elements | None:
    """The same of the keys of a dict that are known, or of what it has for them."""
    kind = strip_optional(inference.type_of(items))
    keys = inference.memory.keys_of(kind.region) if isinstance(kind, DictType) else None
    if keys is None or not isinstance(kind, DictType) or name not in ("keys", "values", "items"):
        return None
    known = keys

    def element(index: int, out: list[Operation]) -> Operand:
        key = Constant(known[index])
        if is_checked:
            _emit(out, HasKeys(known), items)
        if name == "keys":
            return key
        value = _emit(out, operator.getitem, items, key)
        return value if name == "values" else _emit(out, make_tuple, key, value)

    names = [inference.type_of(Constant(key)) for key in known]
    values = [inference.memory.load(kind.region, ("field", key)) for key in known]
    pairs: list[Type] = [TupleType(pair) for pair in zip(names, values, strict=True)]
    return len(known), element, {"keys": names, "values": values, "items": pairs}[name]


def _elements_of_list(inference: Inference, items: Operand, count: int, beside: list[Operand]) -> Elements:
    """The first elements of a list of any length."""
    beside.append(items)
    kind = inference.type_of(items)
    assert isinstance(kind, ListType)

    def element(index: int, out: list[Operation]) -> Operand:
        return _emit(out, operator.getitem, items, Constant(index))

    return count, element, [inference.memory.load(kind.region, ELEMENT)] * count


def _element_of_places(items: Operand, taken: range, count: int | None) -> Element:
    """How to get an element of a list with a type for each place; `count`: so many there must always be."""

    def element(index: int, out: list[Operation]) -> Operand:
        if count is not None:
            _emit(out, HasLength(count), items)
        return _emit(out, operator.getitem, items, Constant(taken[index]))

    return element


def _emit(out: list[Operation], function: object, *arguments: Operand) -> Value:
    result = Value("", temporary=True)
    out.append(Call(result, Constant(function), arguments))
    return result
