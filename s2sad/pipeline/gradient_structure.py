"""From shadows to gradients: where the argument has tuples, the gradient has them too.

The shadow of a tuple that stands in a list is a list, since its numbers change. What the derivative returns is built from it, by
loops that are as plain as the rest of the code (and can be differentiated again)::

    gradient = []
    for element in pairs_bar:
        gradient.append((element[0], element[1]))
    return gradient
"""

from __future__ import annotations

import operator

from s2sad import runtime
from s2sad.analysis.memory import references_in
from s2sad.ir.nodes import Block, Call, Constant, For, Operand, Operation, Value, Yield
from s2sad.ir.operations import call_method, make_dict, make_list, make_tuple
from s2sad.ir.types import (
    ANY,
    ArrayType,
    DictType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
)
from s2sad.pipeline.split import emit


def restore_structure(operations: list[Operation], bar: Operand, primal: Value, is_changed: bool) -> Operand:
    """The gradient of a container from its shadow. `is_changed`: the program changes the container, and so the order of keys."""
    if not _has_tuples(primal.type) and not (is_changed and _has_dicts(primal.type)):
        return bar
    if isinstance(primal.type, DictType) and len(references_in(primal.type)) == 1 and not _has_tuples(primal.type):
        return _in_order(operations, bar, primal, primal.type)
    if is_changed or not _is_plain(primal.type):
        return emit(operations, runtime.as_gradient, bar, primal)
    return _build(operations, bar, primal.type)


def _in_order(operations: list[Operation], bar: Operand, primal: Value, kind: DictType) -> Operand:
    """The gradient of a dict of numbers, with the keys that it had when it came, in their order."""
    gradient, key = Value("gradient", ANY, temporary=True), Value("key", kind.key, temporary=True)
    body: list[Operation] = []
    emit(body, operator.setitem, gradient, key, emit(body, operator.getitem, bar, key))
    operations.append(_made(gradient, make_dict))
    operations.append(For(key, primal, (), Block(tuple(body), Yield())))
    return gradient


def _has_tuples(kind: Type) -> bool:
    """Whether a shadow differs from the gradient, or may do so."""
    match kind:
        case ScalarType() | ArrayType() | OpaqueType() | UnknownType():
            return False
        case ListType(element=element):
            return _has_tuples(element)
        case DictType(value=value, fields=fields):
            return any(map(_has_tuples, (value, *(part for _, part in fields))))
        case ObjectType(cls=cls, fields=fields) if cls is list:
            return any(_has_tuples(part) for _, part in fields)
    return True


def _has_dicts(kind: Type) -> bool:
    return any(isinstance(reference, DictType) for reference in references_in(kind).values())


def _is_plain(kind: Type, within: tuple[int, ...] = ()) -> bool:
    """Whether the structure is known: numbers in lists, plain tuples and dicts."""
    match kind:
        case ScalarType() | ArrayType() | OpaqueType() | NoneType() | UnknownType():
            return True
        case TupleType(elements=elements, cls=cls):
            return cls is tuple and all(_is_plain(part, within) for part in elements)
        case ListType(element=element, region=region):
            return region not in within and _is_plain(element, (*within, region))
        case DictType(value=value, fields=fields, region=region):
            parts = [part for _, part in fields] if fields else [value]
            return region not in within and all(_is_plain(part, (*within, region)) for part in parts)
        case ObjectType(cls=cls, fields=fields, region=region) if cls is list:
            return region not in within and all(_is_plain(part, (*within, region)) for _, part in fields)
    return False


def _build(operations: list[Operation], bar: Operand, kind: Type) -> Operand:
    """The gradient for a part of the argument, from its part of the shadow."""
    if isinstance(kind, NoneType):
        return Constant(None)
    if not _has_tuples(kind):
        return bar
    match kind:
        case TupleType(elements=elements):
            parts = [_part(operations, bar, Constant(index), part) for index, part in enumerate(elements)]
            return emit(operations, make_tuple, *parts)
        case ObjectType(fields=fields):  # a list with a type for each place
            parts = [_part(operations, bar, Constant(index), part) for index, (_, part) in enumerate(fields)]
            return emit(operations, make_list, *parts)
        case DictType(fields=fields) if fields:
            pairs = [item for key, part in fields for item in (Constant(key), _part(operations, bar, Constant(key), part))]
            return emit(operations, make_dict, *pairs)
        case DictType(value=value):
            gradient, key = Value("gradient", ANY, temporary=True), Value("key", kind.key, temporary=True)
            body: list[Operation] = []
            emit(body, operator.setitem, gradient, key, _part(body, bar, key, value))
            operations.append(_made(gradient, make_dict))
            operations.append(For(key, bar, (), Block(tuple(body), Yield())))
            return gradient
        case ListType(element=element):
            gradient, target = Value("gradient", ANY, temporary=True), Value("", ANY, temporary=True)
            body = []
            emit(body, call_method, gradient, Constant("append"), _build(body, target, element))
            operations.append(_made(gradient, make_list))
            operations.append(For(target, bar, (), Block(tuple(body), Yield())))
            return gradient
    raise AssertionError(kind)


def _part(operations: list[Operation], bar: Operand, key: Operand, kind: Type) -> Operand:
    if isinstance(kind, NoneType):
        return Constant(None)
    return _build(operations, emit(operations, operator.getitem, bar, key), kind)


def _made(value: Value, function: object) -> Call:
    return Call(value, Constant(function), (), (), None, exact=False)
