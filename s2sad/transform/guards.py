"""Guards: where a rule has no derivative, its body says so, with ``raise NotImplementedError(...)``.

What is known when code is generated is refused then, with the place of the user's call. Other guards stay in the generated
code, and raise the same error when it comes there. A model is not run in the forward sweep, so its guards must be known:

>>> def gradient(f):
...     if f.ndim != 1:
...         raise NotImplementedError("np.gradient() has a derivative for arrays of one axis")
...     return _slopes(f, 1.0)
"""

from __future__ import annotations

from s2sad.analysis.places import describe_place
from s2sad.analysis.specialisation import Specialisation
from s2sad.errors import NonDifferentiableError
from s2sad.ir.contents import nodes_of
from s2sad.ir.effects import Callee
from s2sad.ir.nodes import Call, Constant, Function, Raise, Span, Value
from s2sad.transform.rewrite import find_definitions


def message_of(function: Function, end: Raise) -> str | None:
    """What a guard says; None for other exceptions."""
    call = find_definitions(function).get(end.exception) if isinstance(end.exception, Value) else None
    return None if call is None else _text_of(call)


def _text_of(call: Call) -> str | None:
    is_guard = isinstance(call.function, Constant) and call.function.value is NotImplementedError
    message = call.arguments[0] if is_guard and call.arguments else None
    return str(message.value) if isinstance(message, Constant) else None


def with_place(call: Call, span: Span | None) -> Call:
    """The exception of a guard in the generated code: one of this package, that shows the place of the user's call."""
    text = _text_of(call)
    if text is None or span is None:
        return call
    return Call(
        call.result, Constant(NonDifferentiableError), (Constant(f"{text}\n{describe_place(span)}"),), (), span, exact=False
    )


def first_guard(function: Function) -> str | None:
    """What the first guard says that is left in a model, or in a function that it calls."""
    seen: set[Function] = set()
    rest = [function]
    while rest:
        here = rest.pop()
        seen.add(here)
        for node in nodes_of(here):
            if isinstance(node, Raise) and (text := message_of(here, node)) is not None:
                return text
            callee = node.function.value if isinstance(node, Call) and isinstance(node.function, Constant) else None
            unit = callee.unit if isinstance(callee, Callee) else None
            if isinstance(unit, Specialisation) and unit.function not in seen:
                rest.append(unit.function)
    return None
