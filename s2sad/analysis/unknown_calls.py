"""Calls of which only the running program knows what they call are refused where the function may be one that a derivative must
follow: generated code has the tuple of what a nested function captured in its place, and what a function of the module does to
variables outside has no adjoint.

A function is lost where it comes together with other values (`Memory.lost_functions`), as in a list of several functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2sad.analysis.places import describe_place, is_own
from s2sad.errors import UnsupportedSyntaxError
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, Value
from s2sad.ir.operations import call_method
from s2sad.ir.types import ObjectType, strip_optional

if TYPE_CHECKING:
    from s2sad.analysis.analyser import Analyser
    from s2sad.analysis.specialisation import Specialisation
    from s2sad.ir.nodes import Function


def check_calls(analyser: Analyser) -> None:
    """Refuse calls of unknown functions in all that one derivative is made of."""
    if not (analyser.lost_functions or analyser.changed_outside & analyser.numbers_outside):
        return
    for specialisation in analyser.specialisations.values():
        if specialisation.complete and (call := _unknown_call(specialisation.function)) is not None:
            raise refused_call(_seen_from_outside(analyser, specialisation, call))


def _seen_from_outside(analyser: Analyser, specialisation: Specialisation, call: Call) -> Call:
    """The call of the user's that leads to one in a model of a function of the library, such as `np.piecewise`."""
    seen = [specialisation]
    while is_own(call.span):
        callers = [
            (other, node)
            for other in analyser.specialisations.values()
            if other.complete and other not in seen
            for node in nodes_of(other.function)
            if isinstance(node, Call) and isinstance(node.function, Constant) and isinstance(node.function.value, Callee)
            if node.function.value is seen[-1].callee
        ]
        if not callers:
            break
        caller, call = callers[0]
        seen.append(caller)
    return call


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
        "functions by name in the branches of an `if`, or list them where they are handed over, as in "
        f"np.piecewise(x, [x < 0, x > 1], [f, g]).\n{describe_place(call.span)}"
    )
