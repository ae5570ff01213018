"""Derivatives by reference: the names under which `pickle` finds them again, in this process or another.

A derivative that took the place of its primal (``@grad``) has the primal's name, and is found there. One that stands beside
its primal (``df = grad(f)``) is an attribute of the module `s2sad.derivatives`, with a name that says what it is.
"""

from __future__ import annotations

import ast
import importlib
import sys
import types
import weakref
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from s2sad.pipeline.dispatch import Derivative

MODULE: Final = "s2sad.derivatives"

_known: Final[weakref.WeakValueDictionary[str, types.FunctionType]] = weakref.WeakValueDictionary()


def name_for_pickle(derivative: Derivative, entry: types.FunctionType) -> None:
    """Give the entry a name under which it can be found."""
    primal = derivative.primal
    module, qualname = getattr(primal, "__module__", None), getattr(primal, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(qualname, str) or _find(module, qualname) is not primal:
        return  # it is about to take the primal's place, or the primal itself cannot be found
    kind = "value_and_grad" if derivative.request.with_value else "grad"
    head, name = f"{kind}({derivative.request.argnums!r})", f" of {module}:{qualname}".replace(".", "/")
    count = 1
    while (own := head + (name if count == 1 else f" #{count}{name}")) in _known:  # another derivative of the same function
        count += 1
    entry.__module__, entry.__qualname__ = MODULE, own
    _known[own] = entry


def find(name: str) -> Any:
    """The derivative of that name, made if need be."""
    if name in _known:
        return _known[name]
    request, _, target = name.partition(" of ")
    head, _, argnums = request.partition(" #")[0].removesuffix(")").partition("(")
    module, _, qualname = target.partition(":")
    module = module.replace("/", ".")
    if head not in ("grad", "value_and_grad") or not argnums or not qualname:
        raise AttributeError(f"module {MODULE!r} has no attribute {name!r}")
    importlib.import_module(module)
    return _make(_find(module, qualname), ast.literal_eval(argnums), head == "value_and_grad")


def _make(primal: Any, argnums: Any, with_value: bool) -> types.FunctionType:
    from s2sad.pipeline.dispatch import Derivative
    from s2sad.pipeline.target import Request

    return Derivative(primal, Request(argnums, with_value)).make_entry()


def _find(module: str, qualname: str) -> object:
    if module == MODULE:  # a derivative of a derivative
        return find(qualname)
    found: object = sys.modules.get(module)
    for part in qualname.replace("/", ".").split("."):
        found = getattr(found, part, None)
    return found
