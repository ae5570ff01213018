"""What operations on containers and objects give, and what they do to the memory that the containers are: one function an
operation."""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.analysis.array_operands import rows
from s2sad.analysis.memory import ELEMENT, KEY, VALUE, Memory, joined_keys
from s2sad.analysis.simple_types import INTEGERS, SLICE, STRING
from s2sad.ir.nodes import Constant, Operand
from s2sad.ir.types import (
    ANY,
    INT,
    NONE,
    UNKNOWN,
    ArrayType,
    DictType,
    FunctionType,
    IteratorType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)


def merged(memory: Memory, region: int, *parts: DictType) -> DictType:
    """A dict with the content of others."""
    for part in parts:
        for slot, kind in list(memory.content[memory.find(part.region)].items()):
            memory.store(region, slot, kind)
    memory.make_with_keys(region, joined_keys([memory.keys_of(part.region) for part in parts]))
    return DictType(UNKNOWN, UNKNOWN, region)


def new_list(memory: Memory, site: int, element: Type) -> ListType:
    """A list made at a site."""
    memory.store(site, ELEMENT, element)
    return ListType(UNKNOWN, site)


def copied(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """`copy.copy` of a list or dict, `copy.deepcopy` where that is the same."""
    match strip_optional(kinds[0]):
        case ListType(region=region):
            return new_list(memory, site, memory.load(region, ELEMENT))
        case ObjectType(cls=cls) as places if cls is list:
            return new_list(memory, site, iterated(memory, places))
        case DictType() as found:
            return dict_of(memory, [found], operands, site)
        case ScalarType() | NoneType() as found:
            return found
    return ANY


def copied_deeply(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """`copy.deepcopy` where it is the same as `copy.copy`."""
    kind = strip_optional(kinds[0])
    if isinstance(kind, ListType) and not isinstance(memory.load(kind.region, ELEMENT), ScalarType | UnknownType):
        return ANY
    if isinstance(kind, DictType) and not isinstance(values_of_dict(memory, kind.region), ScalarType | UnknownType):
        return ANY
    return copied(memory, kinds, operands, site)


def list_display(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``[a, b]``"""
    if len(kinds) > 1 and UNKNOWN in kinds:
        return UNKNOWN  # whether each place has a type of its own is not known yet
    if is_mixed(kinds):
        return list_of_places(memory, kinds, site)
    for kind in kinds:
        memory.store(site, ELEMENT, kind)
    return ListType(UNKNOWN, site)


def is_mixed(kinds: Sequence[Type]) -> bool:
    """Whether there are containers beside something else, all of which have places: each place has a type of its own."""
    return has_several_kinds(kinds) and all(isinstance(strip_optional(kind), _PLACED) for kind in kinds)


def has_several_kinds(kinds: Sequence[Type]) -> bool:
    """Whether there are containers beside something else."""
    stripped = [strip_optional(kind) for kind in kinds]
    classes = {ScalarType if isinstance(kind, NoneType) else type(kind) for kind in stripped}
    return len(classes) > 1 and has_containers(stripped)


def has_containers(kinds: Sequence[Type]) -> bool:
    """Whether one of these is a container."""
    return any(isinstance(strip_optional(kind), ListType | DictType | ObjectType | TupleType) for kind in kinds)


def list_of_places(memory: Memory, kinds: Sequence[Type], region: int) -> ObjectType:
    """A list with a type for each place."""
    for place, kind in enumerate(kinds):
        memory.store(region, str(place), kind)
    return ObjectType(list, region)


def lose_places(memory: Memory, region: int) -> None:
    """The elements of a list with a type for each place are moved: now each may be any of them, or new."""
    memory.store(region, ELEMENT, ANY)
    memory.mark(region, "stored", "restructured")


def has_places(memory: Memory, region: int) -> bool:
    """Whether it is known what stands at each place."""
    return ELEMENT not in memory.content[memory.find(region)]


def places_of(memory: Memory, region: int) -> list[Type]:
    """What stands at the places of such a list."""
    return list(memory.content[memory.find(region)].values())


_PLACED = (ListType, DictType, ObjectType, TupleType, ScalarType, NoneType)


def dict_display(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``{a: b}``"""
    for index in range(0, len(kinds), 2):
        store_item(memory, DictType(UNKNOWN, UNKNOWN, site), kinds[index], operands[index], kinds[index + 1])
    keys = tuple(dict.fromkeys(key.value for key in operands[::2] if isinstance(key, Constant)))
    memory.make_with_keys(site, keys if all(isinstance(key, Constant) for key in operands[::2]) else None)
    return DictType(UNKNOWN, UNKNOWN, site)


def store_item(memory: Memory, kind: DictType, key_type: Type, key: Operand, value: Type) -> None:
    memory.store(kind.region, KEY, key_type)
    if isinstance(key, Constant):
        memory.store(kind.region, ("field", key.value), value)
    else:
        memory.store(kind.region, VALUE, value)


def values_of_dict(memory: Memory, region: int) -> Type:
    """What any key of a dict may give."""
    result: Type = UNKNOWN
    for slot, part in list(memory.content[memory.find(region)].items()):
        if slot == VALUE or isinstance(slot, tuple):
            result = memory.join(result, part)
    return result


def item_of_dict(memory: Memory, region: int, key: Operand) -> Type:
    """What one key of a dict may give."""
    if isinstance(key, Constant):
        return memory.join(memory.load(region, ("field", key.value)), memory.load(region, VALUE))
    return values_of_dict(memory, region)


def _is_slice(operand: Operand, kind: Type) -> bool:
    return kind == SLICE or (isinstance(operand, Constant) and isinstance(operand.value, slice))


def get_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``container[index]``"""
    container, index = strip_optional(kinds[0]), operands[1]
    match container:
        case TupleType(elements=elements) | FunctionType(captured=elements):  # generated code has the tuple of what is captured
            if isinstance(index, Constant) and isinstance(index.value, int):
                return elements[index.value] if -len(elements) <= index.value < len(elements) else UNKNOWN
            if isinstance(index, Constant) and isinstance(index.value, slice):
                return TupleType(elements[index.value])
            if _is_slice(index, kinds[1]):
                return ANY
            return memory.join_all(elements)
        case ListType(region=region):
            if _is_slice(index, kinds[1]):
                return new_list(memory, site, memory.load(region, ELEMENT))
            return memory.load(region, ELEMENT)
        case DictType(region=region):
            return item_of_dict(memory, region, index)
        case ObjectType(cls=cls, region=region) if cls is list and _is_slice(index, kinds[1]):
            part = index.value if isinstance(index, Constant) and isinstance(index.value, slice) else slice(None)
            return new_list(memory, site, memory.join_all(places_of(memory, region)[part]) if has_places(memory, region) else ANY)
        case ObjectType(cls=cls, region=region) if cls is list:
            return _place_of(memory, region, index)
        case OpaqueType(cls=cls) if cls is str:
            return STRING
        case OpaqueType() if container == INTEGERS:
            return INTEGERS if _is_slice(index, kinds[1]) else INT
        case IteratorType(function=function) | OpaqueType(cls=function) if function is range:
            return IteratorType(range, INT) if _is_slice(index, kinds[1]) else INT
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY


def set_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``container[index] = value``"""
    container = strip_optional(kinds[0])
    match container:
        case ListType(region=region):
            if _is_slice(operands[1], kinds[1]):
                memory.store(region, ELEMENT, iterated(memory, kinds[2]))
                memory.mark(region, "restructured", "stored")
            else:
                memory.store(region, ELEMENT, kinds[2])
                memory.mark(region, "stored")
        case DictType(region=region):
            store_item(memory, container, kinds[1], operands[1], kinds[2])
            memory.mark(region, "stored", "restructured")
        case ObjectType(cls=cls, region=region) if cls is list and _is_slice(operands[1], kinds[1]):
            lose_places(memory, region)
        case ObjectType(cls=cls, region=region) if cls is list:
            for place in _places_of(memory, region, operands[1]):
                memory.store(region, place, kinds[2])
            memory.mark(region, "stored")
    return NONE


def _place_of(memory: Memory, region: int, index: Operand) -> Type:
    """What a list with a type for each place has at an index."""
    if not has_places(memory, region):
        return ANY
    places = places_of(memory, region)
    if isinstance(index, Constant) and isinstance(index.value, int):
        return places[index.value] if -len(places) <= index.value < len(places) else UNKNOWN
    return memory.join_all(places)


def _places_of(memory: Memory, region: int, index: Operand) -> list[object]:
    """The places that an index may mean."""
    places = list(memory.content[memory.find(region)])
    if isinstance(index, Constant) and isinstance(index.value, int):
        return places[index.value :][:1] if index.value >= -len(places) else []
    return places


def delete_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``del container[index]``"""
    container = strip_optional(kinds[0])
    if isinstance(container, ListType | DictType):
        memory.mark(container.region, "restructured")
    if isinstance(container, ObjectType) and container.cls is list:
        lose_places(memory, container.region)
    return NONE


def iterated(memory: Memory, kind: Type) -> Type:
    """What ``for`` over a value of this type gives."""
    match strip_optional(kind):
        case ListType(region=region):
            return memory.load(region, ELEMENT)
        case DictType(region=region):
            return memory.load(region, KEY)
        case TupleType(elements=elements):
            return memory.join_all(elements)
        case IteratorType(element=element):
            return element
        case ArrayType() as array:
            return rows(array)
        case ObjectType(cls=cls, region=region) if cls is list and has_places(memory, region):
            return memory.join_all(places_of(memory, region))
        case OpaqueType(cls=cls) if cls is str:
            return STRING
        case OpaqueType(cls=cls) if cls is range or kind == INTEGERS:
            return INT
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY


def unpacked(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``a, (b, *c) = container``"""
    before = operands[1].value if isinstance(operands[1], Constant) else None
    after = operands[2].value if len(operands) > 2 and isinstance(operands[2], Constant) else -1
    container = strip_optional(kinds[0])
    if not isinstance(before, int) or not isinstance(after, int):
        return ANY
    if isinstance(container, UnknownType):
        return UNKNOWN
    if isinstance(container, ObjectType) and container.cls is list:
        if not has_places(memory, container.region):
            return ANY
        container = TupleType(tuple(places_of(memory, container.region)))
    if isinstance(container, TupleType | FunctionType):
        elements = container.elements if isinstance(container, TupleType) else container.captured
        if after < 0:
            return TupleType(elements) if len(elements) == before else UNKNOWN
        end = len(elements) - after
        middle = new_list(memory, site, memory.join_all(elements[before:end]))
        return TupleType((*elements[:before], middle, *elements[end:]))
    element = iterated(memory, container)
    if after < 0:
        return TupleType((element,) * before)
    return TupleType((*(element,) * before, new_list(memory, site, element), *(element,) * after))


def list_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``list(iterable)``, ``sorted(iterable)``"""
    return new_list(memory, site, iterated(memory, kinds[0]) if kinds else UNKNOWN)


def tuple_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``tuple(iterable)``"""
    if not kinds:
        return TupleType(())
    kind = strip_optional(kinds[0])
    if isinstance(kind, ArrayType) and kind.shape and isinstance(kind.shape[0], int):
        return TupleType((iterated(memory, kind),) * kind.shape[0])
    return kinds[0] if isinstance(kinds[0], TupleType | UnknownType) else ANY


def dict_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``dict(mapping)``, ``dict(pairs)``"""
    if kinds and isinstance(kinds[0], DictType):
        for slot, part in list(memory.content[memory.find(kinds[0].region)].items()):
            memory.store(site, slot, part)
        memory.make_with_keys(site, memory.keys_of(kinds[0].region))
    elif kinds:
        pair = _parts_of_pair(memory, iterated(memory, kinds[0]))
        if pair is None:
            return ANY
        memory.store(site, KEY, pair[0])
        memory.store(site, VALUE, pair[1])
        memory.make_with_keys(site, None)
    return DictType(UNKNOWN, UNKNOWN, site)


def dict_from_keys(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``dict.fromkeys(keys, value)``"""
    memory.store(site, KEY, iterated(memory, kinds[0]))
    memory.store(site, VALUE, kinds[1] if len(kinds) > 1 else NONE)
    memory.make_with_keys(site, None)
    return DictType(UNKNOWN, UNKNOWN, site)


def _parts_of_pair(memory: Memory, pair: Type) -> tuple[Type, Type] | None:
    """The types of a key and a value, if it is known that they are a pair."""
    match pair:
        case TupleType(elements=(key, value)):
            return key, value
        case ListType(region=region):
            return memory.load(region, ELEMENT), memory.load(region, ELEMENT)
        case UnknownType():
            return UNKNOWN, UNKNOWN
    return None


def loaded_from_cell(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """What a variable that closures share holds."""
    return memory.load(kinds[0].region, ELEMENT) if isinstance(kinds[0], ListType) else UNKNOWN


def stored_in_cell(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """An assignment of a variable that closures share."""
    if isinstance(kinds[0], ListType):
        memory.store(kinds[0].region, ELEMENT, kinds[1])
        memory.mark(kinds[0].region, "stored")
    return NONE


def object_made(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """A new instance, with no attribute yet."""
    cls = operands[0].value if isinstance(operands[0], Constant) else None
    return ObjectType(cls, site) if isinstance(cls, type) else ANY


def set_attribute(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """``instance.name = value``"""
    instance, name = strip_optional(kinds[0]), operands[1]
    if isinstance(instance, ObjectType) and isinstance(name, Constant):
        memory.store(instance.region, str(name.value), kinds[2])
        memory.mark(instance.region, "stored")
    elif isinstance(instance, ObjectType):  # any attribute may be what is stored
        memory.lose_attributes(instance.region, "stored")
    return NONE
