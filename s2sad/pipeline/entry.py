"""The code at the door of a derivative: checks in a few machine steps that the arguments have the types that the code was
generated for, and calls it.

For ``besselj(nu, z, atol=1e-8)`` called with an int and a float it reads::

    def __call__(self, /, nu, z, atol=default_atol):
        if nu.__class__ is int and z.__class__ is float and atol.__class__ is float and math is expected_math:
            return adjoint(nu, z, atol)
        return self.dispatch(nu, z, atol)
"""

from __future__ import annotations

import inspect
import keyword
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.analysis.specialisation import Guard
from s2sad.ir.types import ListType, NoneType, OpaqueType, ScalarType, Type

_PLAIN = {"bool": bool, "int": int, "float": float, "complex": complex}
_PREFIX = "s2sad_"


def is_list_of_floats(x: object) -> bool:
    """Whether a list holds Python floats (or floats and integers), and nothing that is not a number."""
    try:
        return x.__class__ is list and sum(x).__class__ is float  # type: ignore[call-overload,attr-defined,no-any-return]
    except TypeError:
        return False


class _Names:
    """Free names of the generated code: none meets a parameter or a name of the module."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.taken = set(taken)
        self.cells: dict[str, types.CellType] = {}

    def add(self, proposal: str, value: object) -> str:
        name = _PREFIX + proposal
        while name in self.taken or keyword.iskeyword(name):
            name += "_"
        self.taken.add(name)
        self.cells[name] = types.CellType(value)
        return name


def make_entry(
    signature: inspect.Signature,
    kinds: Sequence[Type],
    guards: Sequence[Guard],
    derivative: Callable[..., Any],
    namespace: dict[str, Any],
    matches: Callable[..., bool],
    primal: object,
    bound: Sequence[object],
) -> types.FunctionType:
    """The function to stand as ``__call__``. `kinds` are the types of the parameters after those in `bound`, which are given
    already (``self`` of a bound method)."""
    names = _Names(frozenset(signature.parameters))
    receiver = names.add("derivative", None)
    del names.cells[receiver]
    parameters, passed, forwarded = _parameters(signature, names)
    simple = [_check(name, kind, names) for name, kind in zip(passed, kinds, strict=True)]
    checks = [check for check in simple if check]
    if None in simple or sum(isinstance(kind, ListType) for kind in kinds) > 1:
        # more than a glance is needed: nested containers, or lists that may be one object
        checks = [f"{names.add('matches', matches)}({', '.join(passed)})"]
    if getattr(primal, "__defaults__", None):
        function = names.add("primal", primal)
        checks.append(f"{function}.__defaults__ is {names.add('defaults', primal.__defaults__)}")  # type: ignore[attr-defined]
    checks.extend(_guard(guard, namespace, names) for guard in guards)
    given = [names.add(f"bound_{index}", value) for index, value in enumerate(bound)]
    call = f"{names.add('adjoint', derivative)}({', '.join([*given, *passed])})"
    condition = " and ".join(checks) or "True"
    head = ", ".join([receiver, "/", *parameters] if not _has_positional_only(signature) else [receiver, *parameters])
    text = (
        f"def __call__({head}):\n"
        f"    if {condition}:\n"
        f"        return {call}\n"
        f"    return {receiver}.dispatch({', '.join(forwarded)})\n"
    )
    return _compile(text, names.cells, namespace, signature)


def _has_positional_only(signature: inspect.Signature) -> bool:
    return any(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in signature.parameters.values())


def _parameters(signature: inspect.Signature, names: _Names) -> tuple[list[str], list[str], list[str]]:
    """The parameter list as text, what is passed on to the adjoint, and to the dispatcher."""
    texts: list[str] = []
    passed: list[str] = []
    forwarded: list[str] = []
    positional_only = keyword_only = False
    for parameter in signature.parameters.values():
        name = parameter.name
        if positional_only and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
            texts.append("/")
        positional_only = parameter.kind is inspect.Parameter.POSITIONAL_ONLY
        default = "=None" if parameter.default is not inspect.Parameter.empty else ""
        passed.append(name)
        match parameter.kind:
            case inspect.Parameter.VAR_POSITIONAL:
                texts.append(f"*{name}")
                forwarded.append(f"*{name}")
                keyword_only = True
            case inspect.Parameter.VAR_KEYWORD:
                texts.append(f"**{name}")
                forwarded.append(f"**{name}")
            case inspect.Parameter.KEYWORD_ONLY:
                if not keyword_only:
                    texts.append("*")
                    keyword_only = True
                texts.append(name + default)
                forwarded.append(f"{name}={name}")
            case _:
                texts.append(name + default)
                forwarded.append(name)
    if positional_only:
        texts.append("/")
    return texts, passed, forwarded


def _check(name: str, kind: Type, names: _Names) -> str | None:
    """A quick test that an argument has a type; None where there is no quick one."""
    match kind:
        case ScalarType(kind=number, dtype=""):
            return f"{name}.__class__ is {names.add(number, _PLAIN[number])}"
        case ScalarType(dtype=dtype):
            return f"{name}.__class__ is {names.add(dtype, getattr(np, dtype))}"
        case NoneType():
            return f"{name} is None"
        case OpaqueType(cls=cls):
            return f"{name}.__class__ is {names.add(cls.__name__, cls)}"
        case ListType(element=ScalarType(kind="float", dtype="")):
            return f"{names.add('is_list_of_floats', is_list_of_floats)}({name})"
    return None


def _guard(guard: Guard, namespace: Mapping[str, Any], names: _Names) -> str:
    """What was read from a module must be so still."""
    if guard.namespace is namespace and guard.name.isidentifier() and guard.name not in names.taken:
        expected = names.add(f"expected_{guard.name}", guard.expected)
        return f"{guard.name}{'.__class__' if guard.by_class else ''} is {expected}"
    return f"{names.add('holds', guard.holds)}()"


def _compile(
    text: str, cells: Mapping[str, types.CellType], namespace: dict[str, Any], signature: inspect.Signature
) -> types.FunctionType:
    factory = f"def factory({', '.join(cells)}):\n" + "".join(f"    {line}\n" for line in text.splitlines())
    outer = compile(factory, "<s2sad entry>", "exec").co_consts
    body = next(item for item in outer if isinstance(item, types.CodeType))
    code = next(item for item in body.co_consts if isinstance(item, types.CodeType))
    parameters = signature.parameters.values()
    positional = [p.default for p in parameters if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY]
    closure = tuple(cells[name] for name in code.co_freevars)
    function = types.FunctionType(code, namespace, "__call__", tuple(positional) or None, closure)
    function.__kwdefaults__ = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is not p.empty}
    return function
