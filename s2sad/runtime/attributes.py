"""What objects hold in their attributes."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

#: What is known by its identity, and has no shadow; other objects may be callable as well.
IDENTITIES = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, np.ufunc)


def attributes_of(x: Any) -> dict[str, Any] | None:
    """The attributes of an instance, in its ``__dict__`` and in slots; None where it has neither.

    >>> class Point:
    ...     __slots__ = ("x", "__y")
    ...     def __init__(self, x, y):
    ...         self.x, self.__y = x, y
    >>> attributes_of(Point(1.0, 2.0)), attributes_of("text")
    ({'x': 1.0, '_Point__y': 2.0}, None)
    """
    slots = [name for cls in type(x).__mro__ for name in _names_of_slots(cls)]
    attributes = getattr(x, "__dict__", None)
    if not isinstance(attributes, dict):
        return {name: getattr(x, name) for name in slots if hasattr(x, name)} if slots else None
    return attributes | {name: getattr(x, name) for name in slots if hasattr(x, name)} if slots else attributes


def _names_of_slots(cls: type) -> list[str]:
    slots = vars(cls).get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [_mangled(name, cls) for name in names if name not in ("__dict__", "__weakref__")]


def _mangled(name: str, cls: type) -> str:
    """The attribute that a name in a class stands for: two underscores before it make it private."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{cls.__name__.lstrip('_')}{name}" if is_private else name


def has_attributes(x: Any) -> bool:
    """Whether an object is a record of the user's: what it holds is in its attributes."""
    if isinstance(x, (*IDENTITIES, np.ndarray)):
        return False
    return isinstance(getattr(x, "__dict__", None), dict) or any("__slots__" in vars(cls) for cls in type(x).__mro__)
