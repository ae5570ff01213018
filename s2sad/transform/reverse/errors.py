"""What the reverse sweep cannot do, said with the place and a way out."""

from __future__ import annotations

from s2sad.analysis.places import describe_place
from s2sad.errors import MissingAttributeError, NonDifferentiableError, S2sadError, UnsupportedSyntaxError
from s2sad.ir.nodes import Call, Constant, Span


def unsupported(span: Span | None, what: str, instead: str) -> S2sadError:
    """An error that shows the place."""
    return UnsupportedSyntaxError(f"{what}; {instead}.\n{describe_place(span)}")


def line_of(span: Span | None) -> Constant:
    """The line, for what the running program checks."""
    return Constant(span.line if span is not None else 0)


def missing_attribute(call: Call, owner: str, name: str) -> S2sadError:
    """An error for a function that is not there."""
    return MissingAttributeError(f"{owner} has no attribute {name!r}; give it one, or call another.\n{describe_place(call.span)}")


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
