"""Attributes that Python code gives and takes: what is followed are properties, functions, slots and plain attributes.

A class may say with code of its own what ``a.name`` and ``a.name = b`` mean: by ``__getattribute__``, or by an attribute of the
class with ``__get__`` or ``__set__``. Taken for a plain attribute, such a one would have a wrong derivative, so it is refused.
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Final

from s2sad.analysis.places import describe_place
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.nodes import Span
from s2sad.ir.types import ObjectType

#: Their code is known: what is computed is not followed, and refused where a derivative passes.
_KNOWN: Final = (functools.cached_property, functools.partialmethod, functools.singledispatchmethod, types.DynamicClassAttribute)
_IN_C: Final = (types.GetSetDescriptorType,)


def check_read(span: Span | None, cls: type, name: str) -> None:
    """Refuse ``a.name`` where code that is not followed gives it."""
    if isinstance(inspect.getattr_static(cls, "__getattribute__", None), types.FunctionType):
        raise _refused(span, cls, name, "that __getattribute__() gives")
    descriptor = inspect.getattr_static(cls, name, None)
    if is_given_by_code(descriptor, "__get__") or is_given_by_code(descriptor, "__set__"):
        raise _refused(span, cls, name, f"that a descriptor of class {type(descriptor).__name__} gives")


def check_stored(span: Span | None, cls: type, name: str | None) -> None:
    """Refuse ``a.name = b`` where code that is not followed takes it; without a name, it may be any attribute."""
    names = [name] if name is not None else [label for base in cls.__mro__ for label in vars(base) if label not in vars(object)]
    for label in names:
        descriptor = inspect.getattr_static(cls, label, None)
        setter = descriptor.fset if isinstance(descriptor, property) else None
        is_unknown = setter is not None and (name is None or not isinstance(setter, types.FunctionType))
        if name is None and (is_unknown or is_given_by_code(descriptor, "__set__")):
            raise UnsupportedSyntaxError(
                f"an attribute is stored whose name only the running program knows, and it may be {cls.__name__}.{label}, "
                f"which takes it by code of its own; write the name: a.{label} = value.\n{describe_place(span)}"
            )
        if is_unknown or is_given_by_code(descriptor, "__set__"):
            raise _refused(span, cls, label, f"that a descriptor of class {type(descriptor).__name__} takes")
        if name is not None and isinstance(descriptor, _IN_C):
            raise _refused(span, cls, label, "that changes what the object is")


def check_hidden_by_instance(span: Span | None, kind: ObjectType) -> None:
    """Refuse to store a number by a name that is not known where it may hide one that the class has for all its objects: what is
    read by that name is taken to be the class's."""
    held = {name for name, _ in kind.fields}
    shared = {name: value for base in reversed(kind.cls.__mro__[:-1]) for name, value in vars(base).items()}
    for name, value in shared.items():
        if name not in held and not name.startswith("__") and not hasattr(value, "__get__"):
            raise UnsupportedSyntaxError(
                f"a number is stored by a name that only the running program knows, and it may be that of "
                f"{kind.cls.__name__}.{name}, which is the class's; write the name: a.{name} = value.\n{describe_place(span)}"
            )


def is_given_by_code(descriptor: object, name: str) -> bool:
    """Whether the class of a descriptor has a method in Python for reading or storing that nothing is known of."""
    if isinstance(descriptor, _KNOWN) and name == "__get__" and type(descriptor).__module__ in ("functools", "types", "enum"):
        return False
    return isinstance(inspect.getattr_static(type(descriptor), name, None), types.FunctionType)


def _refused(span: Span | None, cls: type, name: str, what: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"{cls.__name__}.{name} is an attribute {what}, which is not followed; use a property or a plain attribute.\n"
        f"{describe_place(span)}"
    )
