"""Which argument of a call goes to which parameter: Python's rules, for operands instead of values."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from s2sad.ir.nodes import Constant, Operand, Parameter
from s2sad.ir.operations import make_dict, make_tuple


@dataclass(frozen=True, slots=True)
class Packed:
    """Several operands that arrive as one: ``*args`` or ``**kwargs``."""

    function: object
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Starred:
    """``*operand`` where the number of elements is not known."""

    operand: Operand


class StarredError(Exception):
    """Which parameters get the elements of a `Starred` is known only when the program runs."""


class ArgumentError(TypeError):
    """A call that Python refuses when it is made."""


Bound = Operand | Packed

# A keyword called as the callee's own *args or **kwargs is one more item of **kwargs.
_BY_KEYWORD = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def bind_arguments(
    name: str,
    parameters: Sequence[Parameter],
    positional: Sequence[Operand | Starred],
    keywords: Sequence[tuple[str, Operand]],
    defaults: dict[str, Operand],
) -> list[Bound]:
    """One operand a parameter. Raises TypeError, with Python's wording, where Python would."""
    given = dict(keywords)
    rest = list(positional)
    bound: list[Bound] = []
    takes_rest = takes_keywords = False
    for parameter in parameters:
        label = parameter.value.name
        match parameter.kind:
            case inspect.Parameter.VAR_POSITIONAL:
                bound.append(_pack_rest(rest))
                rest, takes_rest = [], True
                continue
            case inspect.Parameter.VAR_KEYWORD:
                named = {other.value.name for other in parameters if other.kind in _BY_KEYWORD}
                items = [(key, operand) for key, operand in given.items() if key not in named]
                bound.append(Packed(make_dict, tuple(part for key, operand in items for part in (Constant(key), operand))))
                given = {key: operand for key, operand in given.items() if key in named}
                takes_keywords = True
                continue
            case inspect.Parameter.KEYWORD_ONLY:
                pass
            case _ if rest:
                if label in given and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
                    raise ArgumentError(f"{name}() got multiple values for argument '{label}'")
                first = rest.pop(0)
                if isinstance(first, Starred):
                    raise StarredError
                bound.append(first)
                continue
        if label in given and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
            bound.append(given.pop(label))
        elif label in defaults:
            bound.append(defaults[label])
        else:
            raise ArgumentError(f"{name}() missing a required argument: '{label}'")
    if rest and not takes_rest:
        raise ArgumentError(f"{name}() takes {len(parameters)} arguments but {len(positional)} were given")
    if given and not takes_keywords:
        raise ArgumentError(f"{name}() got an unexpected keyword argument '{next(iter(given))}'")
    return bound


def _pack_rest(rest: Sequence[Operand | Starred]) -> Packed:
    """What ``*args`` is: a tuple, or the list of the elements of one starred operand."""
    match rest:
        case [Starred(operand)]:
            return Packed(list, (operand,))
    if any(isinstance(operand, Starred) for operand in rest):
        raise StarredError
    return Packed(make_tuple, tuple(operand for operand in rest if not isinstance(operand, Starred)))


def defaults_of(
    function: types.FunctionType, operand_of: Callable[[types.FunctionType, str, object], Operand]
) -> dict[str, Operand]:
    """The defaults of a function by parameter name; `operand_of` says what stands for one."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    positional = function.__defaults__ or ()
    found = dict(zip(names[len(names) - len(positional) :], positional, strict=True)) | (function.__kwdefaults__ or {})
    return {name: operand_of(function, name, value) for name, value in found.items()}
