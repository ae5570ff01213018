"""The dicts in which names are kept: what goes into one comes out of a variable by that name, or of any variable.

In ``globals()["scale"] = x * x`` and ``vars(module).update(scale=x * x)`` a number is stored into a dict, and ``scale`` reads it:
no name tells the two apart or brings them together. So there are, for each owner of names (a module, a class, a function), an
item that takes what is stored under any of its names, and one that gives what is stored under any; those of `sys.modules` are for
modules that are known only when the program runs.

>>> import math
>>> from s2sad.ir.nodes import Value
>>> call = Call(Value("names"), Constant(vars), (Constant(math),))
>>> owner_of_names(call, {}) is math
True
"""

from __future__ import annotations

import builtins
import sys
import types
from typing import Final

from s2sad.analysis.activity_items import Item, hidden, is_outside_object
from s2sad.ir.nodes import Call, Constant, Operand
from s2sad.ir.operations import call_method, load_global

#: Attributes that are the names of their owner, and that of a module where its functions find theirs.
_NAMES: Final = ("__dict__", "__setattr__", "__delattr__")
_OF_MODULE: Final = "__globals__"


def is_namespace(found: object) -> bool:
    """Whether a dict holds the variables of a module, or the modules."""
    if found is sys.modules:
        return True
    return isinstance(found, dict) and "__name__" in found and ("__builtins__" in found or "__spec__" in found)


def identity_of(owner: object) -> int:
    """What tells owners of names apart: a module is the dict of its variables."""
    return id(vars(owner)) if isinstance(owner, types.ModuleType) else id(owner)


def entrance_and_exit(owner: object) -> tuple[Item, Item]:
    """The items for what is stored under any name of an owner, and for what is read under any."""
    identity = identity_of(owner)
    return hidden(("stored in", identity)), hidden(("read from", identity))


def owner_of_names(call: Call, variables: dict[str, object]) -> object:
    """The owner of the names that a call gives as a dict, or None; `sys` for the modules. `variables` are those of the function's
    module."""
    function = call.function.value if isinstance(call.function, Constant) else None
    if function is globals:
        return variables
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, Constant) or not is_outside_object(first):
        return None
    owner: object = first.value
    if function is vars:
        return owner
    label = call.arguments[1] if function is getattr and len(call.arguments) > 1 else None
    if not isinstance(label, Constant):
        return None if label is None else owner
    if label.value in _NAMES:
        return owner
    if label.value == _OF_MODULE and isinstance(owner, types.FunctionType):
        return owner.__globals__
    return sys.modules if owner is sys and label.value == "modules" else None


def stored_by_any_name(call: Call) -> tuple[object, tuple[Operand, ...]] | None:
    """The owner, and what is stored, of ``setattr(owner, name, value)`` where the name is not known, ``owner.__setattr__(...)``
    and ``type.__setattr__(owner, ...)``."""
    function = call.function.value if isinstance(call.function, Constant) else None
    target: Operand | None = call.arguments[0] if call.arguments else None
    if isinstance(function, types.MethodWrapperType) and function.__name__ == "__setattr__":
        target = Constant(function.__self__)
    elif function is call_method and isinstance(label := call.arguments[1], Constant) and label.value == "__setattr__":
        is_unbound = isinstance(target, Constant) and isinstance(target.value, type) and len(call.arguments) > 4
        target = call.arguments[2] if is_unbound else target
    elif getattr(function, "__name__", "") != "__setattr__" and (
        function is not setattr or isinstance(call.arguments[1], Constant)
    ):
        return None
    return (target.value, call.arguments) if isinstance(target, Constant) and is_outside_object(target) else None


def owner_of_name(call: Call, variables: dict[str, object]) -> tuple[object, str] | None:
    """The owner and the name of a variable that a call reads or writes: ``load_global('x')``, ``getattr(module, 'x')``."""
    function = call.function.value if isinstance(call.function, Constant) else None
    place = call.arguments[1] if function in (getattr, setattr) and len(call.arguments) > 1 else None
    if function is load_global and isinstance(call.arguments[0], Constant):
        name = str(call.arguments[0].value)
        return (vars(builtins) if name not in variables and hasattr(builtins, name) else variables), name
    if isinstance(place, Constant) and isinstance(place.value, str) and is_outside_object(call.arguments[0]):
        assert isinstance(call.arguments[0], Constant)
        return call.arguments[0].value, place.value
    return None
