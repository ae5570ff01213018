"""What `super` gives: methods, properties and attributes of the classes that come after one, for an instance or a class."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from s2sad.analysis.function_values import Partial
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import Resolution
from s2sad.analysis.resolve_matching import class_of
from s2sad.analysis.resolve_names import attribute_of_known, guard_member, resolve_attribute
from s2sad.analysis.simple_types import type_of_constant
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Operand, Value
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import ANY, ConstantType, FunctionType, ObjectType, OpaqueType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.resolve_calls import Resolver

_IN_C = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, types.ClassMethodDescriptorType)


def note_super(resolver: Resolver, call: Call, arguments: tuple[Operand, ...]) -> None:
    """``super(cls, instance)``; without arguments the frontend writes them."""
    if len(arguments) == 2:
        resolver.inference.supers[call.result] = (arguments[0], arguments[1])


def resolve_attribute_or_super(
    resolver: Resolver, call: Call, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution:
    """``owner.name``, where the owner may be ``super()``."""
    if strip_optional(resolver.inference.type_of(arguments[0])) == OpaqueType(super):
        name = resolver.inference.constant_of(arguments[1])
        found = _attribute_of_super(resolver, call, arguments[0], str(name.value)) if name is not None else None
        return found if found is not None else resolver.opaque(call, getattr)
    return resolve_attribute(resolver, call, arguments, keywords)


def _attribute_of_super(resolver: Resolver, call: Call, receiver: Operand, name: str) -> Resolution | None:
    """``super().name``; None where nothing is known of the instance."""
    found = _find(resolver, receiver, name)
    if found is None:
        return None
    base, member, instance, is_class = found
    if base is None:
        return None  # Python raises
    guard_member(resolver, base, name)
    if isinstance(member, property) and not is_class and isinstance(member.fget, types.FunctionType):
        return resolver.resolve_known(call, member.fget, (instance,), ())
    if isinstance(member, staticmethod) or (isinstance(member, property | types.FunctionType) and is_class):
        value = member.__func__ if isinstance(member, staticmethod) else member
        return Resolution(type_of_constant(Constant(value)), Constant(value), getattr, (Constant(base), Constant(name)))
    if isinstance(member, types.FunctionType):  # as in ``super().__init__(*args, **kwargs)``
        kinds = (ConstantType(member, id(member)), resolver.inference.type_of(instance))
        bound = FunctionType(Partial(1, ()), (Partial(1, ()), id(member)), kinds)
        return Resolution(bound, None, make_tuple, (Constant(member), instance))
    if hasattr(type(member), "__get__"):
        raise _refused(call, name)
    return attribute_of_known(resolver, call, base, name, (Constant(base), Constant(name)))


def method_of_super(
    resolver: Resolver,
    call: Call,
    receiver: Operand,
    name: str,
    arguments: tuple[Operand, ...],
    keywords: tuple[tuple[str, Operand], ...],
) -> Resolution | None:
    """``super().name(…)``; None where a class in C has it, or nothing is known of the instance."""
    found = _find(resolver, receiver, name)
    if found is None or found[0] is None:
        _note_unknown_changes(resolver, receiver)
        return None
    base, member, instance, is_class = found
    assert base is not None
    guard_member(resolver, base, name)
    match member:
        case types.FunctionType():
            first = () if is_class and name != "__new__" else (instance,)
            return resolver.resolve_known(call, member, (*first, *arguments), keywords)
        case staticmethod():
            return resolver.resolve_known(call, member.__func__, arguments, keywords)
        case classmethod():
            constant = resolver.inference.constant_of(instance)
            cls = constant if is_class else Constant(class_of(strip_optional(resolver.inference.type_of(instance))))
            assert cls is not None
            return resolver.resolve_known(call, member.__func__, (cls, *arguments), keywords)
    if isinstance(member, _IN_C):
        _note_unknown_changes(resolver, receiver)
        return None
    raise _refused(call, name)


def _find(resolver: Resolver, receiver: Operand, name: str) -> tuple[type | None, object, Operand, bool] | None:
    """The class that has it, what it has, the instance, and whether that is a class."""
    given = resolver.inference.supers.get(receiver) if isinstance(receiver, Value) else None
    start = resolver.inference.constant_of(given[0]) if given is not None else None
    if given is None or start is None or not isinstance(start.value, type):
        return None
    constant = resolver.inference.constant_of(given[1])
    known = constant.value if constant is not None else None
    is_class = isinstance(known, type) and start.value in known.__mro__
    cls = class_of(strip_optional(resolver.inference.type_of(given[1]))) if constant is None else type(known)
    if isinstance(known, type) and is_class:
        cls = known
    if cls is None or start.value not in cls.__mro__:
        return None
    after = cls.__mro__[cls.__mro__.index(start.value) + 1 :]
    base = next((base for base in after if name in vars(base)), None)
    return base, vars(base)[name] if base is not None else None, given[1], is_class


def _note_unknown_changes(resolver: Resolver, receiver: Operand) -> None:
    """A method of a class in C code is called on ``self``: it may set any attribute (`object.__setattr__`)."""
    given = resolver.inference.supers.get(receiver) if isinstance(receiver, Value) else None
    parameters = resolver.inference.definition.parameters
    instance = given[1] if given is not None else parameters[0].value if parameters else None
    kind = strip_optional(resolver.inference.type_of(instance)) if instance is not None else ANY
    if isinstance(kind, ObjectType):
        resolver.inference.memory.lose_attributes(kind.region, "stored")


def _refused(call: Call, name: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"super().{name} is neither a method that is called, nor a property or a plain attribute of a class, and that is not "
        f"followed; call the function of the base class: Base.{name}(self).\n{describe_place(call.span)}"
    )
