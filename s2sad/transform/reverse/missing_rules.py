"""What is said of functions without a rule: the rule to write where one can be declared, and otherwise what to write instead."""

from __future__ import annotations

import enum
import operator
import types
from collections.abc import Hashable
from typing import Final

import numpy as np

from s2sad.analysis.array_operands import type_of_operand
from s2sad.analysis.places import describe_place
from s2sad.analysis.python_random import is_drawing, is_method_of_generator
from s2sad.analysis.resolution import TRANSFORMATIONS
from s2sad.errors import MissingRuleError, S2sadError
from s2sad.frontend.lower_match import match_positional
from s2sad.ir.nodes import Call, Constant, Operand, Value, arguments_of
from s2sad.ir.operations import unpack
from s2sad.ir.types import (
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
    strip_optional,
)
from s2sad.rules import lookup
from s2sad.rules.checks import name_of

OF_FLOATS: Final = "use a list, or an array of numbers (dtype=float)"
_OPERATORS: Final = operator.add.__module__


def missing_rule(call: Call, function: object) -> S2sadError:
    """An error that shows the rule to write, or what to write instead where no rule can be declared."""
    name = name_of(function)
    what = f"a derivative passes through {name}()"
    kinds = [strip_optional(type_of_operand(operand)) for operand in arguments_of(call)]
    if getattr(function, "__module__", "") == _OPERATORS:
        said = " and ".join(dict.fromkeys(map(_described, kinds)))
        return _error(call, f"{what} of {said}, which has no rule for these; make numbers or arrays of them first")
    objects = [kind for kind in kinds if isinstance(kind, ObjectType) and kind.cls is not list]
    if objects:
        return _error(call, f"{what} of {_described(objects[0])}; hand over the numbers or arrays that it holds, {name}(x.value)")
    if (dtype := dtype_of_others(call)) is not None:
        return _error(call, f"{what} with dtype={dtype}; {OF_FLOATS}")
    if lookup(function) is not None:
        return _error(call, _not_followed(call, name, kinds))
    what = f"{what}, which has no rule, and no Python source to transform"
    containers = [_described(kind) for kind in kinds if isinstance(kind, ListType | DictType | ObjectType)]
    if containers and _is_of_numpy(function):
        return _error(call, f"{what}, and no rule can be declared for {containers[0]}; give it arrays, such as np.array([x, y])")
    if containers:
        way = "use methods of the list, as xs.append(x), xs.pop(i) and xs.sort()"
        return _error(call, f"{what}. It may change {containers[0]} that it is given, of which no rule can tell; {way}")
    return MissingRuleError(f"{what}.\n{describe_place(call.span)}\n{_rule_to_write(call, function, name, kinds)}")


def _not_followed(call: Call, name: str, kinds: list[Type]) -> str:
    """What is said of a function that has a rule, but not for these arguments."""
    what = f"a derivative passes through {name}()"
    unknown = [option for option, operand in call.keywords if not isinstance(operand, Constant) and _is_text(operand)]
    containers = [_described(kind) for kind in kinds if isinstance(kind, ListType | DictType | ObjectType | AnyType)]
    if unknown:
        return f"{what} with {unknown[0]}=, of which only the running program knows what it is; write it out in the call"
    if containers:
        return f"{what} of {containers[0]}, of which only the running program knows what is in it; list the arrays in the call"
    return f"{what}, and what it gives for these arguments only the running program knows; write its options out in the call"


def _is_text(operand: Operand) -> bool:
    """Whether it is a text, or may be one."""
    kind = strip_optional(type_of_operand(operand))
    return isinstance(kind, AnyType) or kind == OpaqueType(str)


def _error(call: Call, text: str) -> S2sadError:
    return MissingRuleError(f"{text}.\n{describe_place(call.span)}")


def _rule_to_write(call: Call, function: object, name: str, kinds: list[Type]) -> str:
    """Partial derivatives of what works element by element; a model of what does not, which tells the shape of the result."""
    names = ["x", "y", "z", "t"][: len(kinds)] if len(kinds) <= 4 else [f"x{index}" for index in range(len(kinds))]
    operands = ", ".join(names)
    by_element = isinstance(function, np.ufunc) or not any(isinstance(kind, ArrayType) for kind in kinds)
    if by_element:
        rule = (
            f"Declare its partial derivatives:\n\n    @s2sad.rule.pointwise({name})\n    def derivative(result, {operands}):\n"
            "        return ...  # one for each operand\n\n"
        )
    else:
        rule = (
            f"Declare a model of it, which computes the same:\n\n    @s2sad.rule.model({name})\n    def model({operands}):\n"
            "        return ...  # in Python and NumPy that can be differentiated\n\n"
        )
    return f"{rule}or call it on s2sad.stop_gradient({names[0]}) if its derivative is not wanted, or write it in Python."


def _is_of_numpy(function: object) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] == np.__name__


def _described(kind: Type) -> str:
    """What a value of a type is called."""
    match strip_optional(kind):
        case ScalarType():
            return "a number"
        case ArrayType():
            return "an array"
        case ListType():
            return "a list"
        case ObjectType(cls=cls) | OpaqueType(cls=cls):
            return "a list" if cls is list else f"an object of class {cls.__name__}"
        case DictType():
            return "a dict"
        case TupleType():
            return "a tuple"
        case FunctionType():
            return "a function"
        case ConstantType(value=value) if callable(value):
            return "a function"
        case AnyType():
            return "what only the running program knows"
    return "something else"


def no_rule_helps(call: Call, function: object) -> S2sadError | None:
    """An error for what stands for a construct of the user's, for which nobody can declare a rule. None: one can."""
    found = _CONSTRUCTS.get(function) if isinstance(function, Hashable) else None
    if is_drawing(function) and (label := getattr(function, "__name__", "")) in _OF_ITEMS:
        found = f"what random.{label}() draws from", _drawn_instead(label)
    if found is None and str(getattr(function, "__module__", "")).partition(".")[0] == __name__.partition(".")[0]:
        found = _MADE_INSIDE if function in TRANSFORMATIONS else _UNKNOWN
    if found is None:
        return None
    what, instead = found
    return MissingRuleError(f"a derivative passes through {what}; {instead}.\n{describe_place(call.span)}")


#: Methods of generators of random numbers that draw from items.
_OF_ITEMS: Final = frozenset({"choice", "choices", "sample", "shuffle"})
_ONE_BY_ONE: Final = "loop over a list, a tuple, zip, enumerate, reversed or a range of indices"
_OF_NUMBERS: Final = "use the number itself, or a copy of it made by s2sad.stop_gradient(x) if its derivative is not wanted"
_UNKNOWN: Final = (
    "what only the running program knows the type of",
    "make it a number, a list or a tuple of numbers, whichever way it comes by its value",
)
_MADE_INSIDE: Final = (
    "a derivative that is made inside, of a function that only the running program knows",
    "make it of a function by its name, in the branches of an `if` where there are several",
)
#: What has no rule and can have none: which construct of the user's it stands for, and what to write instead.
_CONSTRUCTS: Final[dict[object, tuple[str, str]]] = {
    unpack: (
        "several targets of one assignment, and what is taken apart there is known only when the program runs",
        "make it a tuple or a list of numbers, whichever way it comes by its value",
    ),
    match_positional: (
        "the pattern of a class, and which attributes it stands for is known only when the program runs",
        "ask isinstance() and read the attributes by name",
    ),
    tuple.__new__: ("tuple.__new__(), which makes an object of a class of its own", "use a plain tuple or a dataclass"),
    next: ("next() of an iterator that is not followed", _ONE_BY_ONE),
    iter: ("iter() of values of several types", _ONE_BY_ONE),
    str.format: ("a text that is made of a number", _OF_NUMBERS),
    format: ("a text that is made of a number", _OF_NUMBERS),
    str: ("a text that is made of a number", _OF_NUMBERS),
    repr: ("a text that is made of a number", _OF_NUMBERS),
    np.einsum: ("np.einsum() whose subscripts are no literal text", "write them so: np.einsum('ij,j->i', x, y)"),
}


def dtype_of_others(call: Call) -> str | None:
    """What a function of NumPy is asked to make arrays of, if not of numbers: objects, records."""
    is_of_numpy = isinstance(call.function, Constant) and _is_of_numpy(call.function.value)
    given = dict(call.keywords).get("dtype") if is_of_numpy else None
    if isinstance(given, Value):
        return "[...]" if isinstance(given.type, ListType | ObjectType) else None  # the fields of records
    if given is None or given.value is None:
        return None
    try:
        dtype = np.dtype(given.value)  # type: ignore[call-overload]
    except TypeError:
        return None
    return None if dtype.kind in "biufc" else str(dtype)


def _drawn_instead(name: str) -> str:
    """How to draw without giving numbers through which a derivative passes to a generator of random numbers."""
    if name in _OF_ITEMS:
        return "draw or shuffle indices, range(len(items)), and take items[i]"
    return "draw a number that depends on nothing, random() or gauss(0.0, 1.0), and scale and shift it"


def missing_method(call: Call, owner: Type, name: str) -> S2sadError:
    """The same for a method: rules are of functions."""
    if owner == OpaqueType(str) and (error := no_rule_helps(call, str.format)) is not None:
        return error
    if isinstance(owner, OpaqueType | ObjectType) and is_method_of_generator(owner.cls, name):
        return _error(call, f"a derivative passes through what .{name}() draws from; {_drawn_instead(name)}")
    what = f"a derivative passes through .{name}() of {_described(owner)}"
    match owner:
        case ObjectType(cls=cls) if cls is list:
            return _error(
                call,
                f"{what} that holds values of several kinds, and no longer the same ones in the same places; make another list "
                "of the elements, [*xs, y] or xs[:-1]",
            )
        case ListType() | DictType() | TupleType():
            return _error(call, f"{what}, of which only the running program knows what it gives; keep values of one type in it")
        case ObjectType(cls=cls) if not hasattr(cls, name):
            return _error(
                call,
                f"{what}, an attribute that holds one of several functions; call the functions by name in the branches of an "
                "`if`, or give each a class of its own with a method",
            )
    known = owner.cls if isinstance(owner, OpaqueType) else None
    if isinstance(getattr(known, name, None), types.FunctionType):
        is_member = isinstance(known, enum.EnumType)
        way = "name the member in the branches of an `if`" if is_member else "make it inside of the function"
        return _error(call, f"{what}, of which only the running program knows which one it is; {way}")
    if isinstance(owner, ArrayType) and lookup(getattr(np.ndarray, name, None)) is not None:
        kinds = [strip_optional(type_of_operand(operand)) for operand in call.arguments[2:]]
        return _error(call, _not_followed(call, f".{name}", kinds))
    return _error(
        call,
        f"{what}, which has no Python source to transform, and is a method, for which no rule can be declared; write in Python "
        "what it computes, or call it on s2sad.stop_gradient(x) if the derivative is not wanted",
    )
