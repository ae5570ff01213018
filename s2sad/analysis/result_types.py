"""The type of what an operation gives, from the types of its operands: one function an operation."""

from __future__ import annotations

import builtins
import copy
import math
import operator
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.memory import ELEMENT, KEY, VALUE, Memory
from s2sad.analysis.shadow_types import shadow_of, shadows_of
from s2sad.frontend.builder import read_unbound
from s2sad.ir.nodes import UNBOUND, Constant, Operand
from s2sad.ir.operations import (
    load_cell,
    make_cell,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    new_object,
    store_cell,
    unpack,
)
from s2sad.ir.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    AnyType,
    ConstantType,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)

STRING: Final = OpaqueType(str)
SLICE: Final = OpaqueType(slice)

Transfer = Callable[[Memory, Sequence[Type], Sequence[Operand], int], Type]

_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def strip(kind: Type) -> Type:
    """The type that operations see: what may also be None is used only where it is not."""
    return kind.inner if isinstance(kind, OptionalType) else kind


def type_of_constant(constant: Constant) -> Type:
    """The type of a literal or of a resolved object."""
    value = constant.value
    if constant is UNBOUND:
        return UNKNOWN
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, complex):
        return ScalarType("complex")
    if value is None:
        return NONE
    if isinstance(value, str):
        return STRING
    if isinstance(value, tuple):
        return TupleType(tuple(type_of_constant(Constant(element)) for element in value))
    return ConstantType(value, id(value))


def _number(kinds: Sequence[Type], least: str = "bool") -> Type:
    """What arithmetic on these gives."""
    scalars = [kind for kind in kinds if isinstance(kind, ScalarType)]
    kind = max((scalar.kind for scalar in scalars), key=_RANK.__getitem__, default=least)
    kind = max(kind, least, key=_RANK.__getitem__)
    dtypes = {scalar.dtype for scalar in scalars if scalar.dtype}
    return ScalarType(kind, dtypes.pop() if len(dtypes) == 1 else np.result_type(*dtypes).name if dtypes else "")


def _arithmetic(least: str, function: Callable[..., object]) -> Transfer:
    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        kinds = [strip(kind) for kind in kinds]
        if any(isinstance(kind, UnknownType | NoneType) for kind in kinds):
            return UNKNOWN  # None raises
        if all(isinstance(kind, ScalarType) for kind in kinds):
            return _number(kinds, least)
        match function, *kinds:
            case ((operator.add | operator.iadd), ListType() as first, _):
                content = iterated(memory, kinds[1])
                if function is operator.iadd:
                    memory.store(first.region, ELEMENT, content)
                    memory.mark(first.region, "restructured")
                    return first
                return _new_list(memory, site, memory.join(memory.load(first.region, ELEMENT), content))
            case (operator.imul, ListType() as first, ScalarType()):
                memory.mark(first.region, "restructured")
                return first
            case (operator.mul, ListType() as first, ScalarType()) | (operator.mul, ScalarType(), ListType() as first):
                return _new_list(memory, site, memory.load(first.region, ELEMENT))
            case ((operator.add | operator.iadd), TupleType() as first, TupleType() as second):
                return TupleType(first.elements + second.elements)
            case ((operator.mul | operator.imul), TupleType() as first, ScalarType()):
                if isinstance(operands[1], Constant) and isinstance(operands[1].value, int):
                    return TupleType(first.elements * operands[1].value)
                return ANY
            case ((operator.or_ | operator.ior), DictType() as first, DictType() as second):
                if function is operator.ior:
                    memory.mark(first.region, "restructured", "stored")
                    return _merged(memory, first.region, first, second)
                return _merged(memory, site, first, second)
        if any(kind == STRING for kind in kinds):
            other = next((kind for kind in kinds if kind != STRING), STRING)
            is_error = function is not operator.mod and isinstance(other, ScalarType) and other.kind in ("float", "complex")
            return UNKNOWN if is_error else STRING
        # what comes from a function that is not known counts as a number; the derivative checks it when it runs
        numbers = [kind for kind in kinds if not isinstance(kind, AnyType)]
        if numbers and all(isinstance(kind, ScalarType) for kind in numbers):
            return _number(numbers, "float")
        return ANY

    return transfer


def _always(kind: Type) -> Transfer:
    return lambda memory, kinds, operands, site: kind


def _power(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kinds = [strip(kind) for kind in kinds]
    exponent = operands[1]
    if len(kinds) == 2 and all(isinstance(kind, ScalarType) and kind.kind in ("bool", "int") for kind in kinds):
        if isinstance(exponent, Constant) and isinstance(exponent.value, int) and exponent.value >= 0:
            return _number(kinds, "int")
        return _number(kinds, "float")
    return _arithmetic("int", operator.pow)(memory, kinds[:2], operands, site)


def _merged(memory: Memory, region: int, *parts: DictType) -> DictType:
    """A dict with the content of others."""
    for part in parts:
        for slot, kind in list(memory.content[memory.find(part.region)].items()):
            memory.store(region, slot, kind)
    return DictType(UNKNOWN, UNKNOWN, region)


def _new_list(memory: Memory, site: int, element: Type) -> ListType:
    memory.store(site, ELEMENT, element)
    return ListType(UNKNOWN, site)


def _copied(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """`copy.copy` of a list or dict, `copy.deepcopy` where that is the same."""
    match strip(kinds[0]):
        case ListType(region=region):
            return _new_list(memory, site, memory.load(region, ELEMENT))
        case DictType() as found:
            return _dict_of(memory, [found], operands, site)
        case ScalarType() | NoneType() as found:
            return found
    return ANY


def _copied_deeply(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kind = strip(kinds[0])
    if isinstance(kind, ListType) and not isinstance(memory.load(kind.region, ELEMENT), ScalarType | UnknownType):
        return ANY
    if isinstance(kind, DictType) and not isinstance(values_of_dict(memory, kind.region), ScalarType | UnknownType):
        return ANY
    return _copied(memory, kinds, operands, site)


def _list_display(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    for kind in kinds:
        memory.store(site, ELEMENT, kind)
    return ListType(UNKNOWN, site)


def _dict_display(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    for index in range(0, len(kinds), 2):
        _store_item(memory, DictType(UNKNOWN, UNKNOWN, site), kinds[index], operands[index], kinds[index + 1])
    return DictType(UNKNOWN, UNKNOWN, site)


def _store_item(memory: Memory, kind: DictType, key_type: Type, key: Operand, value: Type) -> None:
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


def _get_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    container, index = strip(kinds[0]), operands[1]
    match container:
        case TupleType(elements=elements):
            if isinstance(index, Constant) and isinstance(index.value, int):
                return elements[index.value] if -len(elements) <= index.value < len(elements) else UNKNOWN
            if isinstance(index, Constant) and isinstance(index.value, slice):
                return TupleType(elements[index.value])
            if _is_slice(index, kinds[1]):
                return ANY
            return memory.join_all(elements)
        case ListType(region=region):
            if _is_slice(index, kinds[1]):
                return _new_list(memory, site, memory.load(region, ELEMENT))
            return memory.load(region, ELEMENT)
        case DictType(region=region):
            return item_of_dict(memory, region, index)
        case ObjectType(cls=cls, region=region) if cls is list:
            return _place_of(memory, region, index)
        case OpaqueType(cls=cls) if cls is str:
            return STRING
        case OpaqueType(cls=cls) if cls is range:
            return INT
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY


def _set_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    container = strip(kinds[0])
    match container:
        case ListType(region=region):
            if _is_slice(operands[1], kinds[1]):
                memory.store(region, ELEMENT, iterated(memory, kinds[2]))
                memory.mark(region, "restructured", "stored")
            else:
                memory.store(region, ELEMENT, kinds[2])
                memory.mark(region, "stored")
        case DictType(region=region):
            _store_item(memory, container, kinds[1], operands[1], kinds[2])
            memory.mark(region, "stored", "restructured")
        case ObjectType(cls=cls, region=region) if cls is list:
            places = list(memory.content[memory.find(region)])
            key = operands[1].value if isinstance(operands[1], Constant) else None
            known = isinstance(key, int) and -len(places) <= key < len(places)
            for place in [places[key]] if known and isinstance(key, int) else places:
                memory.store(region, place, kinds[2])
            memory.mark(region, "stored")
    return NONE


def _place_of(memory: Memory, region: int, index: Operand) -> Type:
    """What a list with a type for each place has at an index."""
    places = list(memory.content[memory.find(region)].values())
    if isinstance(index, Constant) and isinstance(index.value, int):
        return places[index.value] if -len(places) <= index.value < len(places) else UNKNOWN
    return memory.join_all(places)


def _delete_item(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    container = strip(kinds[0])
    if isinstance(container, ListType | DictType):
        memory.mark(container.region, "restructured")
    return NONE


def iterated(memory: Memory, kind: Type) -> Type:
    """What ``for`` over a value of this type gives."""
    match strip(kind):
        case ListType(region=region):
            return memory.load(region, ELEMENT)
        case DictType(region=region):
            return memory.load(region, KEY)
        case TupleType(elements=elements):
            return memory.join_all(elements)
        case IteratorType(element=element):
            return element
        case OpaqueType(cls=cls) if cls is str:
            return STRING
        case OpaqueType(cls=cls) if cls is range:
            return INT
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY


def _iterator(function: object, element: Callable[[Memory, Sequence[Type]], Type]) -> Transfer:
    return lambda memory, kinds, operands, site: IteratorType(function, element(memory, kinds))


def _unpack(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    before = operands[1].value if isinstance(operands[1], Constant) else None
    after = operands[2].value if len(operands) > 2 and isinstance(operands[2], Constant) else -1
    container = strip(kinds[0])
    if not isinstance(before, int) or not isinstance(after, int):
        return ANY
    if isinstance(container, UnknownType):
        return UNKNOWN
    if isinstance(container, ObjectType) and container.cls is list:
        container = TupleType(tuple(memory.content[memory.find(container.region)].values()))
    if isinstance(container, TupleType):
        elements = container.elements
        if after < 0:
            return TupleType(elements) if len(elements) == before else UNKNOWN
        end = len(elements) - after
        middle = _new_list(memory, site, memory.join_all(elements[before:end]))
        return TupleType((*elements[:before], middle, *elements[end:]))
    element = iterated(memory, container)
    if after < 0:
        return TupleType((element,) * before)
    return TupleType((*(element,) * before, _new_list(memory, site, element), *(element,) * after))


def _reduction(least: Type) -> Transfer:
    def transfer(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
        if len(kinds) == 1:
            element = iterated(memory, kinds[0])
            return element if isinstance(element, UnknownType | AnyType) else memory.join(element, least)
        return memory.join_all(kinds, least)

    return transfer


def _sum(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    element = iterated(memory, kinds[0])
    start = kinds[1] if len(kinds) > 1 else INT
    if isinstance(element, UnknownType):
        return start
    return _arithmetic("int", operator.add)(memory, (start, element), operands, site)


def _list_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return _new_list(memory, site, iterated(memory, kinds[0]) if kinds else UNKNOWN)


def _tuple_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    if not kinds:
        return TupleType(())
    return kinds[0] if isinstance(kinds[0], TupleType | UnknownType) else ANY


def _dict_of(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    if kinds and isinstance(kinds[0], DictType):
        for slot, part in list(memory.content[memory.find(kinds[0].region)].items()):
            memory.store(site, slot, part)
    elif kinds:
        pair = iterated(memory, kinds[0])
        if isinstance(pair, TupleType) and len(pair.elements) == 2:
            memory.store(site, KEY, pair.elements[0])
            memory.store(site, VALUE, pair.elements[1])
        elif not isinstance(pair, UnknownType):
            return ANY
    return DictType(UNKNOWN, UNKNOWN, site)


def _round(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return INT if len(kinds) == 1 or kinds[1] == NONE else _number([strip(kinds[0])])


def _absolute(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kind = strip(kinds[0])
    if isinstance(kind, ScalarType) and kind.kind == "complex":
        return FLOAT
    return _arithmetic("int", operator.abs)(memory, kinds, operands, site)


def _ufunc(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    kinds = [strip(kind) for kind in kinds]
    if any(isinstance(kind, UnknownType) for kind in kinds):
        return UNKNOWN
    if all(isinstance(kind, ScalarType | AnyType) for kind in kinds):
        number = _number(kinds, "float")
        assert isinstance(number, ScalarType)
        return ScalarType(number.kind, number.dtype or "float64")
    return ANY


def _where(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return _ufunc(memory, kinds[1:], operands[1:], site) if len(kinds) == 3 and isinstance(kinds[0], ScalarType) else ANY


def _cell(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return _list_display(memory, kinds, operands, site)


def _load_cell(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    return memory.load(kinds[0].region, ELEMENT) if isinstance(kinds[0], ListType) else UNKNOWN


def _store_cell(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    if isinstance(kinds[0], ListType):
        memory.store(kinds[0].region, ELEMENT, kinds[1])
        memory.mark(kinds[0].region, "stored")
    return NONE


def _new_object(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    cls = operands[0].value if isinstance(operands[0], Constant) else None
    return ObjectType(cls, site) if isinstance(cls, type) else ANY


def _set_attribute(memory: Memory, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    name = operands[1]
    if isinstance(kinds[0], ObjectType) and isinstance(name, Constant):
        memory.store(kinds[0].region, str(name.value), kinds[2])
        memory.mark(kinds[0].region, "stored")
    return NONE


_COMPARISONS: Final = (
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
    operator.is_,
    operator.is_not,
)
_PREDICATES: Final[tuple[object, ...]] = (
    *(operator.not_, operator.truth, operator.contains, isinstance, callable, hasattr, any, all, bool),
    *(math.isnan, math.isinf, math.isfinite, math.isclose, issubclass),
)
_INTEGERS: Final = (
    *(math.floor, math.ceil, math.trunc, math.factorial, math.comb, math.perm, math.gcd, math.lcm, math.isqrt),
    *(len, int, id, hash, ord),
)

TRANSFER: Final[dict[object, Transfer]] = {
    **{function: _always(FLOAT) for name, function in vars(math).items() if callable(function)},
    **{function: _always(BOOL) for function in (*_COMPARISONS, *_PREDICATES)},
    **{function: _always(INT) for function in _INTEGERS},
    **{
        getattr(operator, name): _arithmetic(least, getattr(operator, base))
        for base, least in {"add": "int", "sub": "int", "mul": "int", "floordiv": "int", "mod": "int", "truediv": "float"}.items()
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
    math.prod: _reduction(INT),
    round: _round,
    float: _always(FLOAT),
    complex: _always(ScalarType("complex")),
    divmod: lambda memory, kinds, operands, site: TupleType((_number(kinds, "int"), _number(kinds, "int"))),
    math.frexp: _always(TupleType((FLOAT, INT))),
    math.modf: _always(TupleType((FLOAT, FLOAT))),
    str: _always(STRING),
    repr: _always(STRING),
    format: _always(STRING),
    chr: _always(STRING),
    print: _always(NONE),
    slice: _always(SLICE),
    runtime.indices_of: _always(OpaqueType(range)),
    runtime.bounds_of: _always(TupleType((INT, INT))),
    copy.copy: _copied,
    copy.deepcopy: _copied_deeply,
    runtime.Shadow: lambda memory, kinds, operands, site: ObjectType(runtime.Shadow, site),
    runtime.zeros_like_all: lambda memory, kinds, operands, site: shadows_of(memory, kinds, site),
    runtime.zeros_like: lambda memory, kinds, operands, site: shadow_of(memory, kinds[0], site),
    runtime.order_of: lambda memory, kinds, operands, site: _new_list(memory, site, INT),
    range: lambda memory, kinds, operands, site: IteratorType(range, INT),
    make_tuple: lambda memory, kinds, operands, site: TupleType(tuple(kinds)),
    make_list: _list_display,
    make_dict: _dict_display,
    make_set: _always(OpaqueType(set)),
    make_cell: _cell,
    load_cell: _load_cell,
    store_cell: _store_cell,
    new_object: _new_object,
    unpack: _unpack,
    operator.getitem: _get_item,
    operator.setitem: _set_item,
    operator.delitem: _delete_item,
    setattr: _set_attribute,
    enumerate: _iterator(enumerate, lambda memory, kinds: TupleType((INT, iterated(memory, kinds[0])))),
    zip: _iterator(zip, lambda memory, kinds: TupleType(tuple(iterated(memory, kind) for kind in kinds))),
    reversed: _iterator(reversed, lambda memory, kinds: iterated(memory, kinds[0])),
    sum: _sum,
    min: _reduction(UNKNOWN),
    max: _reduction(UNKNOWN),
    builtins.sorted: _list_of,
    list: _list_of,
    tuple: _tuple_of,
    dict: _dict_of,
    set: _always(OpaqueType(set)),
    np.where: _where,
    read_unbound: _always(UNKNOWN),
}


def transfer_of(function: object) -> Transfer | None:
    """How to type a call of a function that is known by identity."""
    try:
        found = TRANSFER.get(function)
    except TypeError:
        return None
    if found is None and isinstance(function, np.ufunc):
        return _ufunc
    return found


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
        case "pop", *_:
            memory.mark(region, "restructured")
            return memory.load(region, ELEMENT)
        case (("clear" | "reverse" | "sort" | "remove"), *_):
            memory.mark(region, "restructured", "stored")
            return NONE
        case ("copy",):
            return _new_list(memory, site, memory.load(region, ELEMENT))
        case (("index" | "count"), *_):
            return INT
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
            _store_item(memory, receiver, kinds[0], operands[0], kinds[1])
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
        case "update" if kinds and isinstance(kinds[0], DictType):
            for slot, part in list(memory.content[memory.find(kinds[0].region)].items()):
                memory.store(region, slot, part)
            memory.mark(region, "restructured", "stored")
            return NONE
        case "copy":
            return _dict_of(memory, [receiver], operands, site)
        case "clear":
            memory.mark(region, "restructured")
            return NONE
    return ANY


def method_type(memory: Memory, name: str, receiver: Type, kinds: Sequence[Type], operands: Sequence[Operand], site: int) -> Type:
    """The type of ``receiver.name(…)`` for built-in containers; ANY where it is not known."""
    match strip(receiver):
        case ListType() as found:
            return _list_method(memory, name, found, kinds, site)
        case DictType() as found:
            return _dict_method(memory, name, found, kinds, operands, site)
        case OpaqueType(cls=cls) if cls is str:
            return STRING if name in ("format", "join", "upper", "lower", "strip", "replace") else ANY
        case ScalarType() if name == "is_integer":
            return BOOL
        case ScalarType() as found if name in ("conjugate", "item"):
            return ScalarType(found.kind) if name == "item" else found
        case UnknownType() | NoneType():
            return UNKNOWN
    return ANY
