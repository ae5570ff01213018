"""Instances of classes: how they are made, their methods, the operators that their class defines."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import inspect
import operator
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.activity_calls import may_change_what_it_is_given
from s2sad.analysis.activity_items import carries_derivative
from s2sad.analysis.array_random import is_generator
from s2sad.analysis.binding import Bound, Packed, bind_arguments, defaults_of
from s2sad.analysis.constructors import constructor_of
from s2sad.analysis.container_types import lose_places
from s2sad.analysis.copy_dicts import resolve_copy_of_dict
from s2sad.analysis.descriptors import check_hidden_by_instance, check_read, check_stored
from s2sad.analysis.function_values import GETTERS, OF_CALLS, make_partial, refused_attribute, refused_default
from s2sad.analysis.library_calls import LIBRARIES
from s2sad.analysis.memory import references_in
from s2sad.analysis.method_types import method_type
from s2sad.analysis.places import describe_place
from s2sad.analysis.plain_containers import CONTAINERS, call_of_plain, make_plain, method_of_plain
from s2sad.analysis.python_random import drawn, is_method_of_generator
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_arrays import has_methods_of_arrays, resolve_array_method, resolve_random
from s2sad.analysis.resolve_matching import class_of
from s2sad.analysis.resolve_names import attribute_of_constant, guard_member, resolve_part
from s2sad.analysis.resolve_super import method_of_super, note_super
from s2sad.analysis.signatures import is_function_like
from s2sad.analysis.simple_types import makes_named_tuples, type_of_constant
from s2sad.analysis.specialisation import Guard
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Operand, Parameter, Value
from s2sad.ir.operations import call_method, make_dict, make_tuple
from s2sad.ir.types import (
    ANY,
    FLOAT,
    UNKNOWN,
    AnyType,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    ObjectType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)
from s2sad.rules.applied import vectorized, vectorized_over_two
from s2sad.rules.containers import container_rule, updated_with_names
from s2sad.rules.core import ModelRule

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

_OPERATORS: Final[dict[str, object]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "pos", "abs", "getitem", "setitem", "delitem")
} | {"len": len, "float": float, "int": int, "contains": operator.contains}


_ACCESS: Final[dict[object, object]] = {
    object.__setattr__: setattr,
    object.__getattribute__: getattr,
    object.__delattr__: delattr,
}
_WITH_OPERATORS: Final = (ScalarType, ListType, DictType, TupleType, ArrayType)


def find_setter(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]
) -> tuple[object, tuple[Operand, ...]] | None:
    """``a.name = b`` where a property or ``__setattr__`` takes it, or nothing does."""
    kind, name = strip_optional(resolver.inference.type_of(arguments[0])), resolver.inference.constant_of(arguments[1])
    if isinstance(kind, FunctionType):
        raise refused_attribute(call, "an attribute" if name is None else str(name.value))
    owner = resolver.inference.constant_of(arguments[0])
    if owner is not None and isinstance(owner.value, types.FunctionType) and name is not None and name.value in OF_CALLS:
        raise refused_default(call, str(name.value))
    if not isinstance(kind, ObjectType):
        return None
    method = inspect.getattr_static(kind.cls, "__setattr__", None)
    if function is setattr and isinstance(method, types.FunctionType):
        guard_member(resolver, kind.cls, "__setattr__")
        return method, arguments
    check_stored(call.span, kind.cls, str(name.value) if name is not None else None)
    stored = resolver.inference.type_of(arguments[2])
    if name is None and (carries_derivative(stored) or references_in(stored)):
        check_hidden_by_instance(call.span, kind)
    descriptor = inspect.getattr_static(kind.cls, str(name.value), None) if name is not None else None
    if isinstance(descriptor, property) and isinstance(descriptor.fset, types.FunctionType):
        guard_member(resolver, kind.cls, str(name.value) if name is not None else "")
        return descriptor.fset, (arguments[0], arguments[2])
    return None


def resolve_setattr_of_frozen(resolver: Resolver, arguments: tuple[Operand, ...]) -> Resolution | None:
    """``a.name = b`` of a frozen dataclass: Python refuses it."""
    kind = strip_optional(resolver.inference.type_of(arguments[0])) if arguments else ANY
    is_frozen = isinstance(kind, ObjectType) and getattr(getattr(kind.cls, "__dataclass_params__", None), "frozen", False)
    return Resolution(UNKNOWN, None, setattr, arguments) if is_frozen else None


def check_store_in_known(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> None:
    """Functions in a class, a module or a function are those that are there while code is generated, so none may be replaced."""
    owner, label, value = arguments
    known, name = resolver.inference.constant_of(owner), resolver.inference.constant_of(label)
    if known is None or name is None or not is_function_like(known.value):
        return
    stored = resolver.inference.constant_of(value)
    is_function = isinstance(resolver.inference.type_of(value), FunctionType) or (
        stored is not None and is_function_like(stored.value)
    )
    if is_function or is_function_like(inspect.getattr_static(known.value, str(name.value), None)):
        place = f"{getattr(known.value, '__name__', known.value)}.{name.value}"
        raise UnsupportedSyntaxError(
            f"a function is put into {place}, and calls are followed to the function that is there while code is generated; "
            f"keep it in a variable.\n{describe_place(call.span)}"
        )


def replace_fields(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``dataclasses.replace(instance, name=value)``: another instance, of the fields that are not given as they are."""
    kind = strip_optional(resolver.inference.type_of(arguments[0])) if len(arguments) == 1 else ANY
    if not isinstance(kind, ObjectType) or not dataclasses.is_dataclass(kind.cls):
        return resolver.opaque(call, dataclasses.replace)
    given: dict[str, Operand] = dict(keywords)
    for field in dataclasses.fields(kind.cls):
        if field.init and field.name not in given:
            held = resolver.inference.memory.load(kind.region, field.name)
            given[field.name] = resolver.inference.part(arguments[0], field.name, held, getattr)
    return resolver.resolve_known(call, kind.cls, (), tuple(given.items()))


def refused_vectorize(call: Call) -> UnsupportedSyntaxError:
    """`np.vectorize` cannot be followed."""
    return UnsupportedSyntaxError(
        "np.vectorize is followed with one or two arrays and without options; write np.array([f(v) for v in x]).\n"
        f"{describe_place(call.span)}"
    )


def call_vectorized(
    resolver: Resolver,
    call: Call,
    function: np.vectorize,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """A call of what `np.vectorize` has made."""
    options: Any = function
    if options.otypes is not None or options.signature is not None or options.excluded or options.cache:
        raise refused_vectorize(call)
    resolver.inference.analyser.guard(Guard(function, "pyfunc", options.pyfunc))
    return resolve_vectorized(resolver, call, (Constant(options.pyfunc), *arguments), keywords)


def resolve_vectorized(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """A call of a function with each element of one or two arrays."""
    if keywords or len(arguments) not in (2, 3) or not all(isinstance(item, Value | Constant) for item in arguments):
        raise refused_vectorize(call)
    applied: Any = vectorized if len(arguments) == 2 else vectorized_over_two
    return resolver.call_function(call, applied, arguments, ())


def resolve_construction(
    resolver: Resolver, call: Call, cls: type, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
) -> Resolution:
    """An instance of a class."""
    if cls is functools.partial and arguments:
        return make_partial(resolver, arguments, keywords)
    if cls is super:
        note_super(resolver, call, tuple(arguments))
    if cls is np.vectorize:
        if len(arguments) != 1 or keywords:
            raise refused_vectorize(call)
        return make_partial(resolver, (Constant(vectorized), *arguments), ())
    constants = [resolver.inference.constant_of(operand) for operand in arguments]
    if issubclass(cls, enum.Enum) and (member := _member(cls, constants)) is not None and not keywords:
        return Resolution(ConstantType(member, id(member)), Constant(member), cls, tuple(arguments))
    if cls in GETTERS and None not in constants:
        keys: Any = [constant.value for constant in constants if constant is not None]
        made = cls(*keys)
        kept = resolver.inference.keep(call, made)
        return Resolution(ConstantType(kept.value, id(kept.value)), kept, cls, tuple(arguments))
    if cls in CONTAINERS and (plain := make_plain(resolver, call, cls, arguments, keywords)) is not None:
        return plain
    if makes_named_tuples(cls):
        return _make_named_tuple(resolver, call, cls, arguments, keywords)
    if _is_context_of_library(cls) and None not in [*constants, *(resolver.inference.constant_of(o) for _, o in keywords)]:
        return Resolution(OpaqueType(cls), None, cls, tuple(arguments), tuple(keywords))
    definition = constructor_of(cls, len(arguments), tuple(name for name, _ in keywords))
    if definition is None:
        return Resolution(OpaqueType(cls), None, cls, tuple(arguments), tuple(keywords))
    initialiser = inspect.getattr_static(cls, "__init__", None)
    guard_member(resolver, cls, "__init__")
    defaults = defaults_of(initialiser, resolver.inference.default_of) if isinstance(initialiser, types.FunctionType) else {}
    bound = bind_arguments(cls.__name__, definition.parameters, list(arguments), list(keywords), defaults)
    resolution = resolver.call_definition(call, definition, resolver.inference.context, bound)
    if resolution.specialisation is not None and _takes_first(cls, [parameter.value.name for parameter in definition.parameters]):
        resolution.specialisation.python_function = cls
    return resolution


def _member(cls: type[enum.Enum], constants: Sequence[Constant | None]) -> enum.Enum | None:
    """The member of an enumeration that ``Color(1)`` is."""
    if len(constants) != 1 or constants[0] is None:
        return None
    value = constants[0].value
    return next((member for member in cls if type(member.value) is type(value) and member.value == value), None)


def _is_context_of_library(cls: type) -> bool:
    """Whether a class of Python or NumPy is there for ``with``: what it does then is not of interest."""
    is_context = hasattr(cls, "__enter__") and hasattr(cls, "__exit__")
    return is_context and cls.__module__.partition(".")[0] in LIBRARIES


def _takes_first(cls: type, names: Sequence[str]) -> bool:
    """Whether the first parameters of a class are these, in this order."""
    try:
        own = [*inspect.signature(cls).parameters]
    except ValueError:
        return False
    return own[: len(names)] == list(names)


def _make_named_tuple(
    resolver: Resolver, call: Call, cls: Any, arguments: Sequence[Operand], keywords: Sequence[tuple[str, Operand]]
) -> Resolution:
    """``Point(x, y)`` is a tuple whose elements have names."""
    parameters = [Parameter(Value(name), has_default=name in cls._field_defaults) for name in cls._fields]
    defaults: dict[str, Operand] = {name: Constant(value) for name, value in cls._field_defaults.items()}
    bound = bind_arguments(cls.__name__, parameters, arguments, keywords, defaults)
    kinds = tuple(resolver.kind_of_bound(call, index, item) for index, item in enumerate(bound))
    return Resolution(TupleType(kinds, cls), None, make_tuple, tuple(bound))


def _accessor_of_property(found: property, name: str) -> types.FunctionType | None:
    """The function that ``Class.name.fset`` and ``Class.name.__set__`` call."""
    if type(found) is not property:
        return None
    label = {"__get__": "fget", "__set__": "fset", "__delete__": "fdel"}.get(name, name)
    function = getattr(found, label, None) if label in ("fget", "fset", "fdel") else None
    return function if isinstance(function, types.FunctionType) else None


def resolve_method(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``receiver.name(…)``."""
    receiver, label, *rest = arguments
    assert isinstance(label, Constant)
    of_queue = call_of_plain(resolver, call, receiver, str(label.value), rest, keywords)
    if of_queue is not None:
        return of_queue
    name, first = method_of_plain(resolver, call, receiver, str(label.value))
    if name != label.value:
        return resolve_method(resolver, call, (receiver, Constant(name), *first, *rest), keywords)
    constant = resolver.inference.constant_of(receiver)
    if constant is not None and isinstance(constant.value, property):
        accessor = _accessor_of_property(constant.value, name)
        if accessor is not None:
            given = rest[:1] if name == "__get__" else rest
            return resolver.resolve_known(call, accessor, tuple(given), keywords)
    if constant is not None and is_function_like(constant.value):
        found = attribute_of_constant(resolver, constant.value, name)
        if found is None:
            return resolver.opaque(call, None)
        return resolver.resolve_known(call, found, tuple(rest), keywords)
    kind = strip_optional(resolver.inference.type_of(receiver))
    if name == "__class__" and (cls := class_of(resolver.inference.type_of(receiver))) is not None:
        return resolver.resolve_known(call, cls, tuple(rest), keywords)
    if (
        isinstance(kind, ScalarType | ListType | DictType | TupleType | ArrayType)
        and name[:2] == "__"
        and name.strip("_") in _OPERATORS
    ):
        return resolver.resolve_known(call, _OPERATORS[name.strip("_")], (receiver, *rest), keywords)
    if (
        kind == OpaqueType(super)
        and (found := method_of_super(resolver, call, receiver, name, tuple(rest), keywords)) is not None
    ):
        return found
    if kind == FLOAT and name == "conjugate" and not rest:
        return resolve_part(resolver, call, receiver, runtime.real_part)
    if isinstance(kind, ScalarType) and kind.kind != "complex" and name == "conjugate" and not rest:
        return Resolution(kind, alias=receiver)
    if isinstance(kind, TupleType) and kind.cls is not tuple:
        method = inspect.getattr_static(kind.cls, name, None)
        if name == "_replace" and not rest:
            fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
            pairs = enumerate(zip(fields, kind.elements, strict=True))
            parts: dict[str, Operand] = {field: resolver.inference.part(receiver, index, part) for index, (field, part) in pairs}
            return _make_named_tuple(resolver, call, kind.cls, (), tuple((parts | dict(keywords)).items()))
        if isinstance(method, types.FunctionType) and name != "_asdict":
            return resolver.resolve_known(call, method, (receiver, *rest), keywords)
    if isinstance(kind, ArrayType) or (has_methods_of_arrays(kind, name) and name not in ("item", "conjugate")):
        return resolve_array_method(resolver, call, arguments, keywords)
    if isinstance(kind, OpaqueType) and is_generator(kind.cls):
        return resolve_random(resolver, call, name, rest, keywords, Resolution(ANY, None, call_method, arguments, keywords))
    generator = type(constant.value) if constant is not None else getattr(kind, "cls", object)
    if is_method_of_generator(generator, name):
        return Resolution(drawn(resolver, call, name, rest), None, call_method, arguments, keywords)
    if isinstance(kind, ObjectType):
        return call_method_of_object(resolver, call, kind, receiver, name, tuple(rest), keywords)
    if constant is not None and isinstance(type_of_constant(constant), ConstantType):
        method = inspect.getattr_static(type(constant.value), name, None)
        if isinstance(method, types.FunctionType) and name not in getattr(constant.value, "__dict__", {}):
            return resolver.resolve_known(call, method, (receiver, *rest), keywords)
        found = attribute_of_constant(resolver, constant.value, name)
        return resolver.resolve_known(call, found, tuple(rest), keywords) if callable(found) else resolver.opaque(call, None)
    if isinstance(kind, DictType) and name == "copy" and not rest and not keywords:
        copied = resolve_copy_of_dict(resolver, call, copy.copy, (receiver,), ())
        if copied is not None:
            return copied
    if isinstance(kind, ListType | DictType) and any(map(resolver.is_function, (*rest, *(operand for _, operand in keywords)))):
        cls = list if isinstance(kind, ListType) else dict
        rule = container_rule(cls, name, len(rest) + 1, tuple(label for label, _ in keywords))
        if isinstance(rule, ModelRule):
            return resolver.call_model(call, rule, (receiver, *rest), keywords)
    if isinstance(kind, OpaqueType | AnyType) and may_change_what_it_is_given(
        kind.cls if isinstance(kind, OpaqueType) else object
    ):
        _note_given_away(resolver, (*rest, *(operand for _, operand in keywords)))
    passed: tuple[Bound, ...] = arguments
    if name == "update" and keywords and rest and isinstance(kind, DictType):
        return resolver.call_model(call, updated_with_names, (receiver, *rest), keywords)
    if name == "update" and keywords and not rest:
        items = Packed(make_dict, tuple(part for key, operand in keywords for part in (Constant(key), operand)))
        passed, keywords = (receiver, label, items), ()
        kinds: list[Type] = [resolver.kind_of_bound(call, 2, items)]
    else:
        kinds = [resolver.inference.type_of(operand) for operand in rest]
    named = [resolver.inference.constant_of(operand) or operand for operand in rest]
    try:
        result = method_type(resolver.inference.memory, name, kind, kinds, named, resolver.inference.site(call))
    except IndexError:
        result = ANY
    return Resolution(result, None, call_method, passed, keywords)


def _note_given_away(resolver: Resolver, operands: Sequence[Operand]) -> None:
    """A method of which nothing is known may change the containers that it is given."""
    memory = resolver.inference.memory
    for operand in operands:
        kind = strip_optional(resolver.inference.type_of(operand))
        if isinstance(kind, ListType | DictType | ObjectType):
            memory.mark(kind.region, "stored", "restructured", "unknown")


def call_method_of_object(
    resolver: Resolver,
    call: Call,
    kind: ObjectType,
    receiver: Operand,
    name: str,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution:
    """A method of an instance whose class is known."""
    if kind.cls is list and name == "copy" and not arguments:
        return resolver.resolve_known(call, copy.copy, (receiver,), ())
    if kind.cls is list and name not in ("index", "count", "copy"):
        lose_places(resolver.inference.memory, kind.region)
    method = inspect.getattr_static(kind.cls, name, None)
    if isinstance(method, types.WrapperDescriptorType) and method in _ACCESS:
        return resolver.resolve_known(call, _ACCESS[method], (receiver, *arguments), keywords)
    check_read(call.span, kind.cls, name)
    own = strip_optional(resolver.inference.memory.load(kind.region, name))
    if isinstance(method, types.FunctionType | staticmethod | classmethod | type | types.BuiltinFunctionType):
        guard_member(resolver, kind.cls, name)
        method = None if isinstance(own, ConstantType | FunctionType) else method  # an attribute hides the class's method
    match method:
        case types.FunctionType():
            return resolver.resolve_known(call, method, (receiver, *arguments), keywords)
        case staticmethod():
            return resolver.resolve_known(call, method.__func__, arguments, keywords)
        case classmethod():
            return resolver.resolve_known(call, method.__func__, (Constant(kind.cls), *arguments), keywords)
        case type() | types.BuiltinFunctionType():  # neither is bound to the object
            return resolver.resolve_known(call, method, arguments, keywords)
    held = strip_optional(resolver.inference.memory.load(kind.region, name))
    if isinstance(held, ConstantType):
        return resolver.resolve_known(call, held.value, arguments, keywords)
    if isinstance(held, FunctionType):
        function = resolver.inference.part(receiver, name, held, getattr)
        return resolver.call_nested(call, held, function, arguments, keywords)
    if not isinstance(held, UnknownType):
        resolver.inference.memory.lose_attributes(kind.region, "stored")
    return resolver.opaque(call, None)
