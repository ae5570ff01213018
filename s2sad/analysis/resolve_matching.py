"""What the types decide about the patterns of a ``match`` statement, so that arms which cannot match are left out."""

from __future__ import annotations

import abc
import operator
import types
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad.analysis.resolution import Resolution
from s2sad.frontend.lower_match import SELF_MATCHING, is_mapping, is_sequence, match_positional
from s2sad.ir.nodes import Call, Constant, Function, Operand
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import (
    ANY,
    BOOL,
    UNKNOWN,
    ArrayType,
    DictType,
    FunctionType,
    ListType,
    NoneType,
    ObjectType,
    OpaqueType,
    OptionalType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    number_classes,
)

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

#: How ``isinstance`` is answered by the class of an object alone.
_BY_CLASS: Final = (type.__instancecheck__, abc.ABCMeta.__instancecheck__)


def class_of(kind: Type) -> type | None:
    """The Python class of all values of a type, if there is one."""
    match kind:
        case ScalarType():
            return classes[0] if len(classes := number_classes(kind)) == 1 else None
        case ListType():
            return list
        case DictType():
            return dict
        case TupleType(cls=cls) | ObjectType(cls=cls):
            return cls
        case OpaqueType(cls=cls, exact=True) if cls is not object:
            return cls
        case NoneType():
            return type(None)
        case ArrayType(shape=shape) if shape is not None:
            return np.ndarray
        case FunctionType(definition=Function()):
            return types.FunctionType
    return None


def is_subclass(kind: Type, wanted: Any) -> bool | None:
    """Whether all values of a type are instances of a class (True), none (False), or the running program knows."""
    alternatives = wanted if isinstance(wanted, tuple) else (wanted,)
    if any(isinstance(part, type) and type(part).__instancecheck__ not in _BY_CLASS for part in alternatives):
        return None  # the instance itself is asked
    if isinstance(kind, OpaqueType) and not kind.exact:
        return True if any(part in kind.cls.__mro__ and type(part) is type for part in alternatives) else None
    classes = number_classes(kind, alternatives) if isinstance(kind, ScalarType) else tuple(filter(None, (class_of(kind),)))
    answers = {issubclass(cls, wanted) for cls in classes}
    return answers.pop() if len(answers) == 1 else None


def caught_type(classes: Constant | None) -> Type:
    """What ``except classes as name`` binds: an instance of a class, or of one derived from it.

    >>> caught_type(Constant((KeyError, IndexError)))
    OpaqueType(cls=<class 'LookupError'>, dtype='', exact=False)
    """
    value = BaseException if classes is None else classes.value
    alternatives = value if isinstance(value, tuple) else (value,)
    if not alternatives or not all(isinstance(cls, type) and issubclass(cls, BaseException) for cls in alternatives):
        return OpaqueType(BaseException, exact=False)
    common = next(cls for cls in alternatives[0].__mro__ if all(issubclass(other, cls) for other in alternatives))
    return OpaqueType(common, exact=False)


def are_never_equal(first: Type, second: Type) -> bool:
    """Whether values of two types differ whatever they are: a number and a string, None and a list."""
    groups = [_group(first), _group(second)]
    return None not in groups and groups[0] != groups[1]


def _group(kind: Type) -> str | None:
    match kind:
        case ScalarType(dtype=""):
            return "number"
        case NoneType():
            return "None"
        case TupleType(cls=cls) if cls is tuple:
            return "tuple"
        case ListType():
            return "list"
        case DictType():
            return "dict"
        case OpaqueType(cls=cls) if cls is str:
            return "string"
        case FunctionType():
            return "function"
    return None


def resolve_pattern(resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]) -> Resolution:
    """A test of a pattern."""
    kind = resolver.inference.type_of(arguments[0])
    if isinstance(kind, UnknownType):
        return Resolution(UNKNOWN, None, function, arguments)
    answer: bool | None = None
    if function is is_sequence and not isinstance(kind, OptionalType) and _group(kind) is not None:
        answer = isinstance(kind, TupleType | ListType)
    elif function is is_mapping and not isinstance(kind, OptionalType) and _group(kind) is not None:
        answer = isinstance(kind, DictType)
    elif function is match_positional:
        return _class_pattern(resolver, kind, arguments)
    return Resolution(BOOL, None if answer is None else Constant(answer), function, arguments)


def resolve_contains(resolver: Resolver, arguments: tuple[Operand, ...]) -> Resolution | None:
    """``key in mapping``, where no such key is ever put into the dict."""
    if len(arguments) != 2 or not isinstance(kind := resolver.inference.type_of(arguments[0]), DictType):
        return None
    constant = resolver.inference.constant_of(arguments[1])
    memory = resolver.inference.memory
    content = memory.content[memory.find(kind.region)]
    if constant is None or "value" in content or not content or not isinstance(constant.value, str | int):
        return None
    return None if ("field", constant.value) in content else Resolution(BOOL, Constant(False), operator.contains, arguments)


def _class_pattern(resolver: Resolver, kind: Type, arguments: tuple[Operand, ...]) -> Resolution:
    subject, cls_operand, count_operand, names_operand = arguments
    constants = [resolver.inference.constant_of(operand) for operand in (cls_operand, count_operand, names_operand)]
    if any(constant is None for constant in constants):
        return Resolution(ANY, None, match_positional, arguments)
    wanted, count, names = (constant.value for constant in constants if constant is not None)
    assert isinstance(wanted, type)
    assert isinstance(count, int)
    assert isinstance(names, tuple)
    if isinstance(kind, OptionalType):
        return Resolution(ANY, None, match_positional, arguments)
    matches = is_subclass(kind, wanted)
    if matches is not False and count == 1 and not names and issubclass(wanted, SELF_MATCHING):
        return Resolution(TupleType((kind,)), None, make_tuple, (subject,))  # it has been tested
    if matches is None:
        return Resolution(ANY, None, match_positional, arguments)
    if not matches:
        return Resolution(NoneType(), Constant(None), match_positional, arguments)
    if isinstance(kind, TupleType):
        attributes = (*getattr(wanted, "__match_args__", ())[:count], *names)
        fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
        if set(attributes) <= set(fields) and len(attributes) == count + len(names):
            places = [fields.index(name) for name in attributes]
            parts = [resolver.inference.part(subject, place, kind.elements[place]) for place in places]
            return Resolution(TupleType(tuple(kind.elements[place] for place in places)), None, make_tuple, tuple(parts))
    if isinstance(kind, ObjectType):
        attributes = (*getattr(wanted, "__match_args__", ())[:count], *names)
        held = [resolver.inference.memory.load(kind.region, name) for name in attributes]
        if all(not isinstance(part, UnknownType) for part in held) and len(attributes) == count + len(names):
            parts = [resolver.inference.part(subject, name, part, getattr) for name, part in zip(attributes, held, strict=True)]
            return Resolution(TupleType(tuple(held)), None, make_tuple, tuple(parts))
    return Resolution(ANY, None, match_positional, arguments)
