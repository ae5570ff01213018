"""Operators of users' classes are calls of methods.

===========  ========================================================================================
``a + b``    ``A.__add__(a, b)``, or ``B.__radd__(b, a)`` where that gives `NotImplemented`, or is not there
``a += b``   ``A.__iadd__(a, b)``, or as ``a + b``
``a < b``    ``A.__lt__(a, b)``, or ``B.__gt__(b, a)``
``len(a)``   ``A.__len__(a)``
===========  ========================================================================================

Where the class of ``b`` is derived from that of ``a`` and has a method of its own, it is asked first. A named tuple is a tuple,
and its class may have operators all the same: ``u + v`` of two vectors does not join them. Where Python would ask elements of a
container for methods, in a list that is sorted or looked through, that is refused for those.
"""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from s2sad.analysis.implicit_calls import elements_in
from s2sad.analysis.places import describe_place
from s2sad.analysis.resolve_names import guard_member
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.operations import call_method
from s2sad.ir.types import AnyType, ArrayType, ConstantType, ObjectType, OpaqueType, ScalarType, TupleType, Type, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.resolution import Resolution
    from s2sad.analysis.resolve_calls import Resolver

#: A comparison that the first operand cannot make is made by the second one, the other way round.
_REFLECTED: Final[dict[str, str]] = {"lt": "__gt__", "gt": "__lt__", "le": "__ge__", "ge": "__le__"}
_ORDER: Final = ("__lt__", "__le__", "__gt__", "__ge__")
_EQUALITY: Final = ("__eq__", "__ne__")
#: What asks the elements of a container for methods.
_ASKED_OF_ELEMENTS: Final[dict[object, tuple[str, ...]]] = {
    **dict.fromkeys((operator.eq, operator.ne, operator.contains), _EQUALITY),
    **dict.fromkeys((operator.lt, operator.le, operator.gt, operator.ge), (*_ORDER, "__eq__")),
    **dict.fromkeys((sorted, min, max), _ORDER),
    **dict.fromkeys(("index", "count", "remove"), _EQUALITY),
    "sort": _ORDER,
}


def resolve_operator_of_tuple(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...], keywords: tuple[tuple[str, Operand], ...]
) -> Resolution | None:
    """An operator on tuples whose class says what it means."""
    kinds = [strip_optional(resolver.inference.type_of(operand)) for operand in arguments]
    is_of_numpy = bool(kinds) and (isinstance(kinds[0], ArrayType) or (isinstance(kinds[0], ScalarType) and bool(kinds[0].dtype)))
    if not is_of_numpy and any(_own_class(kind) is not None for kind in kinds):
        found = resolve_operator_method(resolver, call, function, arguments)
        if found is not None:
            return found
    _check_elements(resolver, call, function, arguments, kinds, "key" in dict(keywords))
    return None


def resolve_operator_with_array(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]
) -> Resolution | None:
    """An operator on an instance of a user's class and an array, where the class says what it means: it stands first, or has told
    NumPy to leave it alone."""
    kinds = [strip_optional(resolver.inference.type_of(operand)) for operand in arguments]
    if len(kinds) != 2 or not any(isinstance(kind, ArrayType) for kind in kinds):
        return None
    first, second = kinds
    is_asked = isinstance(first, ObjectType) or (isinstance(second, ObjectType) and _is_left_alone(second.cls))
    return resolve_operator_method(resolver, call, function, arguments) if is_asked else None


def _is_left_alone(cls: type) -> bool:
    """Whether operators of an array give way to those of a class."""
    if hasattr(cls, "__array_ufunc__"):
        return cls.__array_ufunc__ is None
    return bool(getattr(cls, "__array_priority__", 0) > 0)


def resolve_operator_method(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...]
) -> Resolution | None:
    """``a + b`` for instances of a user's class: the method that Python calls."""
    name = getattr(function, "__name__", "")
    if not arguments or (getattr(operator, name, None) is not function and function not in (len, abs, pow)):
        return None
    resolution = None
    for cls, label, is_reflected in _candidates(resolver, name, arguments):
        method = inspect.getattr_static(cls, label, None)
        if isinstance(method, types.FunctionType):
            guard_member(resolver, cls, label)
            given = arguments[::-1] if is_reflected else arguments
            resolution = resolver.resolve_known(call, method, given, ())
            if isinstance(resolution.kind, AnyType) and "NotImplemented" in method.__code__.co_names:
                raise UnsupportedSyntaxError(
                    f"whether {cls.__name__}.{label} gives NotImplemented is known only when the program runs; let the types "
                    f"of its operands tell, or call the method that is meant.\n{describe_place(call.span)}"
                )
            if not _is_declined(resolution.kind):
                break
    return resolution


def _is_declined(kind: Type) -> bool:
    """Whether a method gives `NotImplemented`, whatever is passed."""
    match kind:
        case ConstantType(value):
            return value is NotImplemented
        case OpaqueType(cls=cls):
            return cls is type(NotImplemented)
    return False


def _candidates(resolver: Resolver, name: str, arguments: tuple[Operand, ...]) -> Iterator[tuple[type, str, bool]]:
    """What Python tries for an operator, in order: classes, the names of their methods, and whether these are given the operands
    turned round."""
    first, *others = (_class_with_operators(resolver.inference.type_of(operand)) for operand in arguments)
    second = others[0] if len(others) == 1 else None
    plain = name[1:] if _is_in_place(name) else name.rstrip("_")
    direct, reflected = f"__{plain}__", _REFLECTED.get(plain, f"__r{plain}__")
    if first is not None and _is_in_place(name):
        yield first, f"__{name}__", False
    is_asked_first = first is not None and second is not None and _overrides(second, first, reflected)
    if second is not None and is_asked_first:
        yield second, reflected, True
    if first is not None:
        yield first, direct, False
    if second is not None and not is_asked_first and (second is not first or plain in _REFLECTED):
        yield second, reflected, True


def _overrides(cls: type, base: type, label: str) -> bool:
    """Whether a class is derived from another and has another method of this name."""
    methods = [inspect.getattr_static(one, label, None) for one in (cls, base)]
    return cls is not base and issubclass(cls, base) and methods[0] is not methods[1]


def _is_in_place(name: str) -> bool:
    """Whether it is the name of ``+=`` and the like."""
    return name[:1] == "i" and hasattr(operator, f"__{name[1:]}__")


def _class_with_operators(kind: Type) -> type | None:
    """The class that says what operators on a value mean: a user's."""
    kind = strip_optional(kind)
    return kind.cls if isinstance(kind, ObjectType | TupleType) and kind.cls is not tuple else None


def _own_class(kind: Type) -> type | None:
    return kind.cls if isinstance(kind, TupleType) and kind.cls is not tuple else None


def _check_elements(
    resolver: Resolver, call: Call, function: object, arguments: tuple[Operand, ...], kinds: list[Type], has_key: bool
) -> None:
    asked = _ASKED_OF_ELEMENTS.get(_name_of(function, arguments), ())
    if not asked or has_key:
        return
    are_elements = function is operator.contains or (function in (min, max) and len(arguments) > 1)
    elements = [part for kind in kinds for part in elements_in(resolver.inference.memory, kind)] + kinds * are_elements
    for cls in map(_own_class, elements):
        label = next((one for one in asked if cls is not None and _is_own(cls, one)), None)
        if cls is not None and label is not None:
            raise UnsupportedSyntaxError(
                f"Python asks {cls.__name__}.{label} for elements here, which is not followed; compare attributes of them, "
                f"or write a loop.\n{describe_place(call.span)}"
            )


def _name_of(function: object, arguments: tuple[Operand, ...]) -> object:
    """The function, or the name of the method that is called."""
    if function is not call_method:
        return function if getattr(function, "__hash__", None) else None
    return arguments[1].value if isinstance(arguments[1], Constant) else None


def _is_own(cls: type, label: str) -> bool:
    return isinstance(inspect.getattr_static(cls, label, None), types.FunctionType)
