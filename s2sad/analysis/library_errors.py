"""What cannot be differentiated inside a function of a library is told of the user's call of that function: of lines that are not
his he can write none otherwise."""

from __future__ import annotations

import dataclasses
from typing import Final

from s2sad.analysis.library_calls import LIBRARIES
from s2sad.analysis.places import describe_place
from s2sad.errors import MissingRuleError, SourceUnavailableError, UnsupportedSyntaxError
from s2sad.ir.nodes import Call
from s2sad.rules.checks import name_of
from s2sad.rules.core import model_with_body

Told = MissingRuleError | UnsupportedSyntaxError
#: What comes before the place in a message.
_PLACE: Final = "\n  File "


def without_source(error: SourceUnavailableError, function: object, cls: object, call: Call) -> SourceUnavailableError:
    """The error for a function without source, told of the call; `cls` is the class of its first argument."""
    name = getattr(function, "__name__", "")
    if isinstance(cls, type) and dataclasses.is_dataclass(cls) and getattr(cls, name, None) is function:
        fields = [field.name for field in dataclasses.fields(cls) if field.compare]
        comma = "," if len(fields) == 1 else ""
        first, second = (f"({', '.join(f'{label}.{field}' for field in fields)}{comma})" for label in ("a", "b"))
        text = f"{cls.__name__}.{name}() is made by @dataclass, and has no source; compare the fields: {first} < {second}."
    else:
        text = str(error)
    return SourceUnavailableError(f"{text}\n{describe_place(call.span)}")


def told_of_call(error: Told, function: object, call: Call) -> Told:
    """The error as it is raised for a call of a function in which it was found; the error itself, if that is the user's line."""
    if call.span is None:
        return error
    text, _, place = str(error).partition(_PLACE)
    code = getattr(function, "__code__", None)
    if code is None or not place.startswith(f'"{code.co_filename}"'):
        return error  # such as the line of a function that is handed to the library
    module = str(getattr(function, "__module__", ""))
    if module.startswith("s2sad.") or model_with_body(function) is not None:  # the call is of what the model stands for
        return error.__class__(f"{text}\n{describe_place(call.span)}")
    if module.partition(".")[0] not in LIBRARIES:
        return error
    reason = error.inside or text.partition("; ")[0].removesuffix(".")
    name = name_of(function)
    is_method = "." in str(getattr(function, "__qualname__", ""))
    or_rule = "" if is_method else f", or declare a model of it: @s2sad.rule.model({name})"
    told = error.__class__(
        f"a derivative passes through {name}(), and inside of it: {reason}; write with numbers, lists and arrays what it "
        f"computes{or_rule}.\n{describe_place(call.span)}"
    )
    told.inside = reason
    return told
