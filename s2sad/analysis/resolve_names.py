"""What names and attributes refer to: functions and modules are known at once, data is read when the code runs; what may be
redefined is guarded."""

from __future__ import annotations

import builtins
import dataclasses
import enum
import inspect
import itertools
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad import runtime
from s2sad.analysis.array_shapes import Count
from s2sad.analysis.array_types import is_array_function, method_named
from s2sad.analysis.constructors import sets_attribute
from s2sad.analysis.descriptors import check_read
from s2sad.analysis.freezing import ANY_ATTRIBUTE
from s2sad.analysis.function_values import Partial, attribute_of_function, refused_default
from s2sad.analysis.lengths import extents_in, name_lengths
from s2sad.analysis.memory import references_in
from s2sad.analysis.namespaces import is_namespace
from s2sad.analysis.places import describe_place
from s2sad.analysis.plain_containers import attribute_of_plain
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_arrays import resolve_array_attribute, resolve_number_attribute
from s2sad.analysis.resolve_matching import class_of
from s2sad.analysis.signatures import is_function_like, types_of
from s2sad.analysis.simple_types import type_of_constant
from s2sad.analysis.specialisation import BuiltIn, Contents, Guard, Missing, Presence
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.operations import as_known, load_captured, load_global, make_tuple
from s2sad.ir.types import (
    ANY,
    BOOL,
    NONE,
    UNKNOWN,
    ArrayType,
    ConstantType,
    DictType,
    FunctionType,
    ListType,
    NoneType,
    ObjectType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    strip_optional,
)

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

_FIXED_MODULES: Final = ("math", "cmath", "numpy", "builtins", "operator", "functools", "itertools", "statistics", "scipy")


def guard_function(resolver: Resolver, function: types.FunctionType) -> None:
    """A function is still what it was: tools that reload modules replace its code in place."""
    if (function.__module__ or "").partition(".")[0] in ("s2sad", *_FIXED_MODULES):
        return
    guard = resolver.inference.analyser.guard
    guard(Guard(function, "__code__", function.__code__))
    if function.__defaults__ is not None:
        guard(Guard(function, "__defaults__", function.__defaults__))
    if function.__kwdefaults__ is not None:
        guard(Guard(function, "__kwdefaults__", function.__kwdefaults__))
        for name, value in function.__kwdefaults__.items():
            guard(Guard(function.__kwdefaults__, name, value))


def guard_functions_in(resolver: Resolver, found: Any, depth: int = 3) -> None:
    """Functions that are read from a container outside are known by identity, so the container must hold them still."""
    if isinstance(found, tuple):
        for element in found:
            guard_functions_in(resolver, element, depth)
    elif type(found) in (dict, list) and depth:
        for key, element in [*(found.items() if isinstance(found, dict) else enumerate(found))]:
            if is_function_like(element) or isinstance(element, enum.Enum):
                resolver.inference.analyser.guard(Guard(found, key, element))
            else:
                guard_functions_in(resolver, element, depth - 1)


def attribute_of_constant(resolver: Resolver, owner: object, name: str) -> object:
    """An attribute that is looked up while the code is generated; what may be redefined is guarded."""
    found = as_known(getattr(owner, name, None))
    if found is not None and _may_change(owner):
        resolver.inference.analyser.guard(_guard_of_attribute(owner, name, found))
    return found


def _guard_of_attribute(owner: object, name: str, found: object) -> Guard:
    """What must hold of an attribute: which object it is where that is called or asked for more, else its class."""
    static = inspect.getattr_static(owner, name, None)
    if isinstance(static, classmethod):  # each look gives another bound method
        return Guard(owner, name, static)
    if is_function_like(found) or isinstance(found, property):
        return Guard(owner, name, getattr(owner, name))
    return _guard_of(owner, name, found)


def guard_member(resolver: Resolver, cls: type, name: str) -> None:
    """A method or property of a class is still what it was."""
    found = inspect.getattr_static(cls, name, None)
    if found is not None and _may_change(cls):
        expected = found if isinstance(found, classmethod) else getattr(cls, name)
        resolver.inference.analyser.guard(Guard(cls, name, expected))


def resolve_attribute(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``owner.name``."""
    owner, label = arguments[:2]
    name = resolver.inference.constant_of(label)
    if name is None or not isinstance(name.value, str):
        return resolver.opaque(call, getattr)
    constant = resolver.inference.constant_of(owner)
    cls = class_of(resolver.inference.type_of(owner)) if constant is None and name.value == "__class__" else None
    if cls is not None:
        return Resolution(ConstantType(cls, id(cls)), Constant(cls), getattr, arguments)
    if constant is not None:
        return attribute_of_known(resolver, call, constant.value, name.value, arguments)
    kind = strip_optional(resolver.inference.type_of(owner))
    match kind:
        case ObjectType(cls=cls, region=region):
            check_read(call.span, cls, name.value)
            if name.value == "__dict__":  # through which any attribute may be stored
                resolver.inference.memory.lose_attributes(region, "stored")
            descriptor = inspect.getattr_static(cls, name.value, None)
            if isinstance(descriptor, property) and isinstance(descriptor.fget, types.FunctionType):
                guard_member(resolver, cls, name.value)
                return resolver.resolve_known(call, descriptor.fget, (owner,), ())
            held = resolver.inference.memory.load(region, name.value)
            is_of_class = any(name.value in vars(one) for one in cls.__mro__)
            if isinstance(held, UnknownType) and not is_of_class and _has_default(arguments):
                if isinstance(arguments[2], Constant) and arguments[2].value is None:
                    return Resolution(NONE, None, getattr, arguments)
                return resolver.opaque(call, getattr)  # the default, unless it is set later
            instead = inspect.getattr_static(cls, "__getattr__", None) if not is_of_class else None
            if isinstance(held, UnknownType) and isinstance(instead, types.FunctionType):
                guard_member(resolver, cls, "__getattr__")
                return resolver.resolve_known(call, instead, (owner, label), ())
            if isinstance(held, UnknownType) and isinstance(descriptor, types.FunctionType):
                guard_member(resolver, cls, name.value)
                method = ConstantType(descriptor, id(descriptor))
                bound = FunctionType(Partial(1, ()), (Partial(1, ()), id(descriptor)), (method, kind))
                return Resolution(bound, None, make_tuple, (Constant(descriptor), owner))
            if isinstance(held, UnknownType) and (not is_of_class or hasattr(descriptor, "__get__")):
                # a slot, an attribute that is made when it is asked for, a bound method, or one that is not set yet
                is_known = isinstance(resolver.inference.memory.load(region, ANY_ATTRIBUTE), UnknownType)
                is_set_later = not is_of_class and not hasattr(cls, "__getattr__") and is_known
                return Resolution(UNKNOWN if is_set_later else ANY, None, getattr, arguments)
            if is_of_class and not hasattr(descriptor, "__get__"):
                shared = types_of((descriptor,))[0]
                if isinstance(held, UnknownType) and references_in(shared):  # a variable outside, that of the class
                    return attribute_of_known(resolver, call, cls, name.value, (Constant(cls), label))
                held = shared if isinstance(held, UnknownType) else _own_or_shared(resolver, call, kind, name.value, held, shared)
            if isinstance(held, ConstantType):
                return Resolution(held, Constant(held.value), getattr, arguments)
            return Resolution(held, None, getattr, arguments)
        case FunctionType():
            return attribute_of_function(resolver, call, kind, name.value, arguments)
        case ListType() if (of_queue := attribute_of_plain(resolver, owner, name.value)) is not None:
            return of_queue
        case ListType() | DictType() | ArrayType() if (
            len(arguments) == 2 and (member := _method_of_container(kind, name.value)) is not None
        ):
            known = ConstantType(member, id(member))
            bound = FunctionType(Partial(1, ()), (Partial(1, ()), id(member)), (known, kind))
            return Resolution(bound, None, make_tuple, (Constant(member), owner))
        case NoneType() if not hasattr(None, name.value):
            return Resolution(UNKNOWN, None, getattr, arguments)  # it raises, unless it is something else later
        case ArrayType():
            return resolve_array_attribute(resolver, call, kind, name.value, arguments)
        case ScalarType() if (found := resolve_number_attribute(kind, owner, name.value, arguments)) is not None:
            return found
        case ScalarType(kind="float", dtype="") if name.value in ("real", "imag"):
            return resolve_part(resolver, call, owner, runtime.real_part if name.value == "real" else runtime.imaginary_part)
        case ScalarType() if kind.kind != "complex" and name.value == "real":
            return Resolution(kind, alias=owner)
        case ScalarType() if name.value in ("real", "imag"):
            return Resolution(ScalarType("float", kind.dtype), None, getattr, arguments)
        case TupleType(cls=cls) if hasattr(cls, "_fields") and name.value in cls._fields:
            index = cls._fields.index(name.value)
            return Resolution(kind.elements[index], None, operator.getitem, (owner, Constant(index)))
        case TupleType(cls=cls) if hasattr(cls, "_fields"):
            found = inspect.getattr_static(cls, name.value, None)
            if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
                guard_member(resolver, cls, name.value)
                return resolver.resolve_known(call, found.fget, (owner,), ())
    return resolver.opaque(call, getattr)


def _method_of_container(kind: Type, name: str) -> object:
    """A method of a list, a dict or an array: ``add = xs.append`` and ``key=distance.get`` are functions that have got the
    container, and so is what ``x.transpose(*axes)`` calls."""
    if isinstance(kind, ArrayType):
        found = method_named(name)
        return found if is_array_function(found) and isinstance(found, types.MethodDescriptorType) else None
    method = vars(list if isinstance(kind, ListType) else dict).get(name)
    return method if isinstance(method, types.MethodDescriptorType | types.WrapperDescriptorType) else None


def resolve_part(resolver: Resolver, call: Call, number: Operand, part: Callable[..., object]) -> Resolution:
    """A part of a number that types take for real: what it is shows when the program runs, as with ``x ** 0.5``."""
    line = Constant(call.span.line if call.span is not None else 0)
    return Resolution(ScalarType("float"), None, part, (number, line))


def resolve_hasattr(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``hasattr(module, name)``: which version of a library there is, is known while code is generated."""
    constants = [resolver.inference.constant_of(operand) for operand in arguments]
    owner, name = constants if len(constants) == 2 else (None, None)
    if owner is None and name is not None and isinstance(resolver.inference.type_of(arguments[0]), FunctionType):
        return Resolution(BOOL, Constant(hasattr(types.FunctionType, str(name.value))), hasattr, arguments)
    if owner is None or name is None or not isinstance(name.value, str) or not isinstance(owner.value, types.ModuleType | type):
        return resolver.transfer(call, hasattr, arguments, keywords)
    is_there = hasattr(owner.value, name.value)
    if _may_change(owner.value):
        presence = resolver.inference.keep(call, Presence(owner.value, name.value))
        resolver.inference.analyser.guard(Guard(presence.value, "holds", is_there))
    return Resolution(BOOL, Constant(is_there), hasattr, arguments)


def _own_or_shared(resolver: Resolver, call: Call, owner: ObjectType, name: str, own: Type, shared: Type) -> Type:
    """The type of an attribute that an object gets at some time, and shares with its class until then."""
    if not (references_in(shared) or shared == NONE) or sets_attribute(resolver.inference.analyser.lower, owner.cls, name):
        return own
    if shared == NONE:
        return resolver.inference.memory.join(own, NONE)
    raise UnsupportedSyntaxError(
        f".{name} may be that of the class {owner.cls.__name__}, which its objects share, or one of the object; "
        f"give each object one of its own in __init__.\n{describe_place(call.span)}"
    )


def _has_default(arguments: tuple[Operand, ...]) -> bool:
    """Whether it is ``getattr(owner, name, default)``."""
    return len(arguments) > 2


def attribute_of_known(resolver: Resolver, call: Call, owner: object, name: str, arguments: tuple[Operand, ...]) -> Resolution:
    """An attribute of an object known by identity: functions are resolved now, data is read when the code runs."""
    descriptor = inspect.getattr_static(type(owner), name, None)
    if isinstance(descriptor, property) and isinstance(descriptor.fget, types.FunctionType):
        guard_member(resolver, type(owner), name)
        return resolver.resolve_known(call, descriptor.fget, (Constant(owner),), ())
    if isinstance(owner, types.FunctionType) and name == "__kwdefaults__":
        raise refused_default(call, name)
    if (_has_default(arguments) and not hasattr(owner, name)) or name == "__dict__" or is_namespace(getattr(owner, name, None)):
        return resolver.opaque(call, getattr)
    found = attribute_of_constant(resolver, owner, name)
    if isinstance(found, property) or (found is not None and is_function_like(found)):
        return Resolution(type_of_constant(Constant(found)), Constant(found), getattr, arguments)
    kind = types_of((found,))[0] if hasattr(owner, name) else ANY
    guard_functions_in(resolver, found)
    variable = Guard(owner, name, found)
    if is_option(found):
        resolver.inference.options[call.result] = variable
    if found is not None and _may_change(owner):
        guard_contents(resolver, variable, kind)
    kind = name_lengths_of(resolver, variable, kind)
    if (parameter := resolver.inference.given_instead(variable)) is not None:
        return Resolution(resolver.inference.type_of(parameter), alias=parameter)
    return Resolution(resolver.inference.outside(kind, found, variable), None, getattr, (Constant(owner), Constant(name)))


def resolve_name(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """A global name: a function or module is resolved now, data is read when the code runs."""
    label = arguments[0]
    assert isinstance(label, Constant)
    name = str(label.value)
    namespace = resolver.inference.context.globals
    if name in namespace:
        found = namespace[name]
        resolver.inference.analyser.guard(_guard_of(namespace, name, found))
    elif hasattr(builtins, name):
        found = getattr(builtins, name)
        if not str(namespace.get("__name__", "")).startswith("s2sad."):  # whose modules are as they are
            resolver.inference.analyser.guard(BuiltIn(namespace, name).guard)
    else:
        resolver.inference.analyser.guard(Missing(namespace, name).guard)
        return Resolution(UNKNOWN, None, load_global, arguments)
    return outside_value(resolver, call, found, load_global, arguments, Guard(namespace, name, found))


def resolve_captured(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """A variable of an enclosing function that has returned."""
    label = arguments[0]
    assert isinstance(label, Constant)
    cell = resolver.inference.context.captured.get(str(label.value))
    try:
        found = cell.cell_contents if cell is not None else None
    except ValueError:
        return Resolution(ANY, None, load_captured, arguments)
    if cell is not None:
        resolver.inference.analyser.guard(_guard_of(cell, str(label.value), found))
    return outside_value(resolver, call, found, load_captured, arguments, Guard(cell, str(label.value), found))


def outside_value(
    resolver: Resolver, call: Call, found: object, function: object, arguments: tuple[Operand, ...], variable: Guard
) -> Resolution:
    """What a global or captured name gives."""
    if is_function_like(found) or _by_identity(found):
        constant = Constant(found)
        return Resolution(type_of_constant(constant), constant, function, arguments)
    if is_namespace(found):
        return Resolution(ANY, None, function, arguments)
    if is_option(found):
        resolver.inference.options[call.result] = variable
    kind = types_of((found,))[0]
    guard_functions_in(resolver, found)
    guard_contents(resolver, variable, kind)
    kind = name_lengths_of(resolver, variable, kind)
    if (parameter := resolver.inference.given_instead(variable)) is not None:
        return Resolution(resolver.inference.type_of(parameter), alias=parameter)
    fact = Count(f"outside {_name_of(resolver, variable)}") if isinstance(kind, ScalarType) and kind.kind == "int" else None
    return Resolution(resolver.inference.outside(kind, found, variable), None, function, arguments, fact=fact)


def is_option(value: object) -> bool:
    """Whether a value is what NumPy is told how to compute with: text, a dtype, or a tuple of integers or of such."""
    return isinstance(value, str | np.dtype) or (isinstance(value, tuple) and all(map(_is_part_of_option, value)))


def _is_part_of_option(value: object) -> bool:
    return value is None or value.__class__ in (int, bool) or is_option(value)


def guard_contents(resolver: Resolver, variable: Guard, kind: Type) -> None:
    """What a container or object outside holds must stay of the same types, and arrays as they are: dtype, number of axes, and
    which of them are equally long."""
    if isinstance(kind, ListType | DictType | ObjectType | TupleType | ArrayType):
        resolver.inference.analyser.guard(Contents(variable, kind).guard)


def name_lengths_of(resolver: Resolver, variable: Guard, kind: Type) -> Type:
    """The lengths of arrays outside have names of their own for each variable: nothing is known of how they compare with others,
    for another array may be there when the code runs."""
    if not any(extents_in([kind])):
        return kind
    return name_lengths([kind], f"{_name_of(resolver, variable)}.")[0]


def _name_of(resolver: Resolver, variable: Guard) -> str:
    """What the numbers in a variable outside are named after."""
    names = resolver.inference.analyser.outside_names
    key = (id(variable.namespace), variable.name)
    if key not in names:
        numbered = (variable.name if number == 1 else f"{variable.name}_{number}" for number in itertools.count(1))
        names[key] = next(name for name in numbered if name not in names.values())
    return names[key]


def _guard_of(namespace: object, name: str, found: object) -> Guard:
    """What must hold of a variable: which object it is where that was used, else its class."""
    if _by_identity(found) or _holds_functions(found):
        return Guard(namespace, name, found)
    return Guard(namespace, name, type(found), by_class=True)


def _holds_functions(found: object) -> bool:
    """Whether a container holds functions, which are known by identity."""
    if isinstance(found, tuple | list):
        return any(map(_holds_functions, found[:1000]))
    if isinstance(found, dict):
        return any(map(_holds_functions, found.values()))
    return is_function_like(found) or isinstance(found, enum.Enum)


def _by_identity(found: object) -> bool:
    """Functions, classes and modules are resolved while code is generated; None and booleans are data."""
    return (is_function_like(found) and not dataclasses.is_dataclass(found)) or isinstance(found, type)


def _may_change(owner: object) -> bool:
    """Whether an attribute may be redefined while the program runs: not in the standard library and NumPy."""
    if isinstance(owner, types.ModuleType):
        return owner.__name__.partition(".")[0] not in _FIXED_MODULES
    return getattr(owner, "__module__", "").partition(".")[0] not in _FIXED_MODULES
