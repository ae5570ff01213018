"""Calls of which only the running program knows what they call are refused where the function may be one that a derivative must
follow: generated code has the tuple of what a nested function captured in its place, and what a function of the module does to
variables outside has no adjoint.

A function is lost where it comes together with other values (`Memory.lost_functions`), as in a list of several functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2sad.analysis.places import describe_place
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.nodes import Call, Constant, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ObjectType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser
    from s2sad.ir.nodes import Function


def check_calls(analyser: Analyser) -> None:
    """Refuse calls of unknown functions in all that one derivative is made of."""
    if not (analyser.lost_functions or analyser.changed_outside & analyser.numbers_outside):
        return
    for specialisation in analyser.specialisations.values():
        if specialisation.complete and (call := _unknown_call(specialisation.function)) is not None:
            raise refused_call(call)


def _unknown_call(function: Function) -> Call | None:
    """The first call of a function value that could be any, or of an attribute that holds one."""
    for node in nodes_of(function):
        if not isinstance(node, Call):
            continue
        if isinstance(node.function, Value):
            return node
        if node.function.value is call_method and isinstance(node.arguments[0], Value):
            kind, name = strip_optional(node.arguments[0].type), node.arguments[1]
            if isinstance(kind, ObjectType) and isinstance(name, Constant) and not hasattr(kind.cls, str(name.value)):
                return node
    return None


def refused_call(call: Call) -> UnsupportedSyntaxError:
    """Which function it is, the program must say where it calls it."""
    return UnsupportedSyntaxError(
        "which function is called here is known only when the program runs, and what it does has to be reversed; call the "
        f"functions by name in the branches of an `if`.\n{describe_place(call.span)}"
    )
