"""What the methods of lists, dicts and texts give, and what they do to the memory that a container is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from s2sad.analysis.container_types import dict_of, item_of_dict, iterated, new_list, store_item, values_of_dict
from s2sad.analysis.memory import ELEMENT, KEY, VALUE, Memory
from s2sad.analysis.simple_types import STRING
from s2sad.ir.nodes import Operand
from s2sad.ir.types import (
    ANY,
    BOOL,
    INT,
    NONE,
    UNKNOWN,
    AnyType,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

#: Methods of lists and dicts that change nothing; of the others, those that are not mentioned below may do anything.
_READING: Final = frozenset(
    f"__{name}__"
    for name in (
        *("add", "bool", "class", "contains", "dir", "doc", "eq", "format", "ge", "getattribute", "getitem", "getstate", "gt"),
        *(
            "iter",
            "le",
            "len",
            "lt",
            "mul",
            "ne",
            "or",
            "reduce",
            "reduce_ex",
            "repr",
            "reversed",
            "rmul",
            "ror",
            "sizeof",
            "str",
        ),
    )
) | {"fromkeys"}
#: Methods of a text that give lists of texts, three texts, a text.
_LISTS_OF_TEXT: Final = frozenset({"split", "rsplit", "splitlines"})
_PARTS_OF_TEXT: Final = frozenset({"partition", "rpartition"})
_TEXTS_OF_TEXT: Final = frozenset(
    name
    for names in (
        (
            "capitalize",
            "casefold",
            "center",
            "expandtabs",
            "format",
            "format_map",
            "join",
            "ljust",
            "lower",
            "lstrip",
            "removeprefix",
        ),
        ("removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill"),
    )
    for name in names
)
_PLACES_IN_TEXT: Final = frozenset({"find", "rfind", "index", "rindex", "count"})


def _list_method(memory: Memory, name: str, receiver: ListType, kinds: Sequence[Type], site: int) -> Type:
    region = receiver.region
    match name, *kinds:
        case "append", _:
            memory.store(region, ELEMENT, kinds[0])
            memory.mark(region, "restructured")
            return NONE
        case "insert", _, _:
            memory.store(region, ELEMENT, kinds[1])
            memory.mark(region, "restructured", "inserted")
            return NONE
        case "extend", _:
            memory.store(region, ELEMENT, iterated(memory, kinds[0]))
            memory.mark(region, "restructured")
            return NONE
        case "__iadd__", _:
            memory.store(region, ELEMENT, iterated(memory, kinds[0]))
            memory.mark(region, "restructured")
            return receiver
        case "__imul__", _:
            memory.mark(region, "restructured")
            return receiver
        case "pop", *_:
            memory.mark(region, "restructured")
            return memory.load(region, ELEMENT)
        case (("clear" | "reverse" | "sort" | "remove"), *_):
            memory.mark(region, "restructured", "stored")
            return NONE
        case ("copy",):
            return new_list(memory, site, memory.load(region, ELEMENT))
        case (("index" | "count"), *_):
            return INT
        case _ if name not in _READING:
            _lose_content(memory, receiver)
    return ANY


def _dict_method(
    memory: Memory, name: str, receiver: DictType, kinds: Sequence[Type], operands: Sequence[Operand], site: int
) -> Type:
    region = receiver.region
    match name:
        case "get":
            found = item_of_dict(memory, region, operands[0])
            return memory.join(found, kinds[1] if len(kinds) > 1 else NONE)
        case "setdefault" if len(kinds) == 2:
            store_item(memory, receiver, kinds[0], operands[0], kinds[1])
            memory.mark(region, "restructured", "stored")
            return item_of_dict(memory, region, operands[0])
        case "pop":
            memory.mark(region, "restructured")
            found = item_of_dict(memory, region, operands[0])
            return memory.join(found, kinds[1]) if len(kinds) > 1 else found
        case "popitem":
            memory.mark(region, "restructured")
            return TupleType((memory.load(region, KEY), values_of_dict(memory, region)))
        case "items":
            element = TupleType((memory.load(region, KEY), values_of_dict(memory, region)))
            return IteratorType(dict.items, element)
        case "keys":
            return IteratorType(dict.keys, memory.load(region, KEY))
        case "values":
            return IteratorType(dict.values, values_of_dict(memory, region))
        case "update":
            memory.mark(region, "restructured", "stored")
            if isinstance(dict_of(memory, kinds, operands, region), AnyType):
                _lose_content(memory, receiver)
            return NONE
        case "copy":
            return dict_of(memory, [receiver], operands, site)
        case "clear":
            memory.mark(region, "restructured")
            return NONE
        case _ if name not in _READING:
            _lose_content(memory, receiver)
    return ANY


def _lose_content(memory: Memory, container: ListType | DictType) -> None:
    """Something is done to a container, and nobody knows what: it may hold anything."""
    for slot in (ELEMENT,) if isinstance(container, ListType) else (KEY, VALUE):
        memory.store(container.region, slot, ANY)
    memory.mark(container.region, "stored", "restructured", "unknown")


def fill_unknown(memory: Memory, container: ListType | DictType) -> None:
    """Something may be put into a container of which nothing is known yet: it may be anything."""
    is_list = isinstance(container, ListType)
    if isinstance(memory.load(container.region, ELEMENT) if is_list else memory.load(container.region, KEY), UnknownType):
        for slot in (ELEMENT,) if is_list else (KEY, VALUE):
            memory.store(container.region, slot, ANY)


def _text_method(memory: Memory, name: str, site: int) -> Type:
    """The type of what a method of a text gives: mostly a text."""
    if name in _LISTS_OF_TEXT:
        return new_list(memory, site, STRING)
    if name in _PARTS_OF_TEXT:
        return TupleType((STRING, STRING, STRING))
    if name in _PLACES_IN_TEXT:
        return INT
    if name in ("startswith", "endswith") or name.startswith("is"):
        return BOOL
    return STRING if name in _TEXTS_OF_TEXT else ANY


def method_type(memory: Memory, name: str, receiver: Type, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """The type of ``receiver.name(…)`` for built-in containers; ANY where it is not known."""
    match strip_optional(receiver):
        case ListType() as found:
            return _list_method(memory, name, found, kinds, site)
        case TupleType() if name in ("index", "count"):
            return INT
        case DictType() as found:
            return _dict_method(memory, name, found, kinds, operands, site)
        case OpaqueType(cls=cls) if cls is str:
            return _text_method(memory, name, site)
        case ScalarType() if name == "is_integer":
            return BOOL
        case ScalarType() as found if name in ("conjugate", "item"):
            return ScalarType(found.kind) if name == "item" else found
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY
