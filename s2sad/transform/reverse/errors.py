"""What the reverse sweep cannot do, said with the place and a way out."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from s2sad.analysis.places import describe_place
from s2sad.analysis.resolution import TRANSFORMATIONS
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import MissingAttributeError, MissingRuleError, NonDifferentiableError, S2sadError, UnsupportedSyntaxError
from s2sad.frontend.lower_match import match_positional, without_keys
from s2sad.ir.nodes import Call, Constant, Span
from s2sad.ir.operations import unpack
from s2sad.ir.types import DictType, ListType, ObjectType, OpaqueType, TupleType, Type
from s2sad.rules.core import model_with_body

#: What comes before the place in a message.
_PLACE: Final = "\n  File "


def unsupported(span: Span | None, what: str, instead: str) -> S2sadError:
    """An error that shows the place."""
    return UnsupportedSyntaxError(f"{what}; {instead}.\n{describe_place(span)}")


def line_of(span: Span | None) -> Constant:
    """The line, for what the running program checks."""
    return Constant(span.line if span is not None else 0)


def missing_rule(call: Call, name: str) -> S2sadError:
    """An error that shows the rule to write."""
    count = len(call.arguments)
    operands = ", ".join(["x", "y", "z", "t"][:count]) if count <= 4 else ", ".join(f"x{i}" for i in range(count))
    return MissingRuleError(
        f"a derivative passes through {name}(), which has no rule, and no Python source to transform.\n"
        f"{describe_place(call.span)}\n"
        f"Declare its partial derivatives:\n\n"
        f"    @s2sad.rule.pointwise({name})\n    def derivative(result, {operands}):\n"
        f"        return ...  # one for each operand\n\n"
        f"or call it on s2sad.stop_gradient({operands.split(',')[0]}) if its derivative is not wanted, or write it in Python."
    )


def no_rule_helps(call: Call, function: object) -> S2sadError | None:
    """An error for what stands for a construct of the user's, for which nobody can declare a rule. None: one can."""
    found = _CONSTRUCTS.get(function) if isinstance(function, Hashable) else None
    if found is None and str(getattr(function, "__module__", "")).partition(".")[0] == __name__.partition(".")[0]:
        found = _MADE_INSIDE if function in TRANSFORMATIONS else _UNKNOWN
    if found is None:
        return None
    what, instead = found
    return MissingRuleError(f"a derivative passes through {what}; {instead}.\n{describe_place(call.span)}")


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
}


def no_method_rule_helps(call: Call, owner: Type, name: str) -> S2sadError | None:
    """The same for a method of a built-in class."""
    if owner == OpaqueType(str):
        return no_rule_helps(call, str.format)
    if isinstance(owner, ObjectType) and owner.cls is list:
        return MissingRuleError(
            f"a derivative passes through .{name}() of a list that holds values of several kinds, and no longer the same ones in "
            f"the same places; make another list of the elements, [*xs, y] or xs[:-1].\n{describe_place(call.span)}"
        )
    if not isinstance(owner, (ListType, DictType, TupleType)):
        return None
    container = type(owner).__name__.removesuffix("Type").lower()
    return MissingRuleError(
        f"a derivative passes through .{name}() of a {container}, of which only the running program knows what it gives; keep "
        f"values of one type in it.\n{describe_place(call.span)}"
    )


def missing_attribute(call: Call, owner: str, name: str) -> S2sadError:
    """An error for a function that is not there."""
    return MissingAttributeError(f"{owner} has no attribute {name!r}; give it one, or call another.\n{describe_place(call.span)}")


def told_of_call(error: UnsupportedSyntaxError, callee: Specialisation, call: Call) -> UnsupportedSyntaxError:
    """What is wrong inside a model of a library function is told of the user's call of that function."""
    module = str(getattr(callee.python_function, "__module__", ""))
    if module != without_keys.__module__ and model_with_body(callee.python_function) is None:
        return error
    return UnsupportedSyntaxError(f"{str(error).partition(_PLACE)[0]}\n{describe_place(call.span)}")


def not_differentiable(call: Call, what: str) -> S2sadError:
    """An error for values that have no derivative."""
    return NonDifferentiableError(f"{what}\n{describe_place(call.span)}")


def refused_outside(call: Call) -> S2sadError:
    """What an attribute outside the function holds is there before the derivative: it has no shadow."""
    name = call.arguments[1].value if isinstance(call.arguments[1], Constant) else "an attribute"
    return unsupported(
        call.span,
        f"a derivative passes through what is put into {name!r}, which is kept outside of the function from call to call",
        "make a new container in the function, or pass one as an argument",
    )
