"""What the reverse sweep cannot do, said with the place and a way out."""

from __future__ import annotations

from typing import Final

from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import MissingAttributeError, MissingRuleError, NonDifferentiableError, S2sadError, UnsupportedSyntaxError
from s2sad.frontend.lower_match import without_keys
from s2sad.ir.nodes import Call, Constant, Span
from s2sad.rules.core import model_with_body

#: What comes before the place in a message.
_PLACE: Final = "\n  File "


def unsupported(span: Span | None, what: str, instead: str) -> S2sadError:
    """An error that shows the place."""
    return UnsupportedSyntaxError(f"{what}; {instead}.\n{describe_place(span)}")


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
