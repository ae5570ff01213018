"""What a derivative ends with, for the derivative of that: the gradient of a list, tuple or dict made of its shadow.

``as_gradient(p_bar, p)`` of ``[W, 2.0]`` becomes a call of::

    def gradient_of_parts(shadow):
        return [shadow[0], float(shadow[1])]
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from s2sad.analysis.resolution import Resolution
from s2sad.ir.nodes import Block, Call, Constant, For, Function, Operand, Operation, Parameter, Return, Value, Yield
from s2sad.ir.operations import call_method, make_dict, make_list, make_tuple
from s2sad.ir.types import ArrayType, DictType, ListType, NoneType, ObjectType, ScalarType, TupleType, Type, UnknownType

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver


def resolve_as_gradient(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> Resolution | None:
    """The gradient of numbers and arrays in lists, tuples and dicts. None: of what else there may be."""
    kind = resolver.inference.memory.freeze(resolver.inference.type_of(arguments[1]))
    if not _is_plain(kind):
        return None
    made = resolver.inference.analyser.written_out
    if call not in made:
        made[call] = _restorer(kind)
    return resolver.call_definition(call, made[call], resolver.inference.context, arguments[:1])


def _is_plain(kind: Type, within: tuple[int, ...] = ()) -> bool:
    match kind:
        case ScalarType() | ArrayType() | NoneType():
            return True
        case TupleType(elements=parts, cls=cls):
            return cls is tuple and all(_is_plain(part, within) for part in parts)
        case ListType(element=element, region=region):
            return region not in within and _is_plain(element, (*within, region))
        case DictType(fields=fields, value=value, region=region):
            inner = [part for _, part in fields] if isinstance(value, UnknownType) else [value]
            is_known = isinstance(value, UnknownType) or not fields
            return region not in within and is_known and all(_is_plain(part, (*within, region)) for part in inner)
        case ObjectType(cls=cls, fields=fields, region=region):
            return cls is list and region not in within and all(_is_plain(part, (*within, region)) for _, part in fields)
    return False


def _restorer(kind: Type) -> Function:
    shadow = Value("shadow")
    operations: list[Operation] = []
    result = _restored(operations, shadow, kind)
    return Function("gradient_of_parts", (Parameter(shadow),), Block(tuple(operations), Return(result)))


def _emit(operations: list[Operation], function: object, *arguments: Operand) -> Value:
    result = Value("", temporary=True)
    operations.append(Call(result, Constant(function), arguments))
    return result


def _restored(operations: list[Operation], shadow: Operand, kind: Type) -> Operand:
    """The gradient of one part."""

    def part(key: object, of: Type) -> Operand:
        return _restored(operations, _emit(operations, operator.getitem, shadow, Constant(key)), of)

    match kind:
        case NoneType() | ScalarType(kind="bool"):
            return Constant(None)
        case ScalarType(dtype=""):
            return _emit(operations, float, shadow)
        case TupleType(elements=parts):
            return _emit(operations, make_tuple, *(part(place, of) for place, of in enumerate(parts)))
        case ObjectType(fields=fields):
            return _emit(operations, make_list, *(part(place, of) for place, (_, of) in enumerate(fields)))
        case DictType(fields=fields) if fields:
            pairs = [(Constant(key), part(key, of)) for key, of in fields]
            return _emit(operations, make_dict, *(item for pair in pairs for item in pair))
        case DictType(value=value):
            gradient, key = _emit(operations, make_dict), Value("key")
            body: list[Operation] = []
            element = _restored(body, _emit(body, operator.getitem, shadow, key), value)
            _emit(body, operator.setitem, gradient, key, element)
            operations.append(For(key, shadow, (), Block(tuple(body), Yield())))
            return gradient
        case ListType(element=of):
            gradient, item = _emit(operations, make_list), Value("element")
            body = []
            _emit(body, call_method, gradient, Constant("append"), _restored(body, item, of))
            operations.append(For(item, shadow, (), Block(tuple(body), Yield())))
            return gradient
    return shadow
