"""Functions made to call another one: what is differentiated where the user asks for the derivative of a library function, or of
one that changes its default arguments.

``def f(x, seen=[])`` that appends to `seen` finds what it appended at its next call. Its derivative is that of
``lambda x: f(x)``,
so that the default is something outside, as a global variable would be. So it is with what is bound: `self` of a method, the
arguments of a `functools.partial`.
"""

from __future__ import annotations

import contextlib
import inspect
import linecache
import types
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, Final

from s2sad.analysis.places import describe_place
from s2sad.errors import NonDifferentiableError, UnsupportedSyntaxError
from s2sad.frontend.source import find_parameter
from s2sad.rules.core import BodyRule

#: What the names of files begin with that hold a call.
_CALLER: Final = "<s2sad call of"


def caller_of(function: Callable[..., Any], rule: BodyRule) -> types.FunctionType:
    """A function that calls one with a rule: what is differentiated where the user asks for the derivative of that function
    itself. Parameters with defaults that are no numbers, or that the rule does not know, are left to them."""
    if isinstance(function, types.FunctionType):
        signature = inspect.signature(function, follow_wrapped=False)
        left = {
            p.name
            for p in signature.parameters.values()
            if p.default is not p.empty and not (p.name in rule.operands and isinstance(p.default, int | float))
        }
        return call_without(function, signature, left)
    try:
        parameters = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    except (TypeError, ValueError):
        parameters = list(rule.operands[:1])
    name = getattr(function, "__name__", "function")
    text = f"def {name}({', '.join(parameters)}):\n    return primitive({', '.join(parameters)})\n"
    return _make_caller(function, name, text)


def _make_caller(function: Callable[..., Any], name: str, text: str) -> types.FunctionType:
    """The function of this text, in which `primitive` is `function`."""
    filename = f"{_CALLER} {name}: {id(function)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"primitive": function, "__name__": getattr(function, "__module__", None) or "builtins"}
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    caller: types.FunctionType = namespace[name]
    return caller


def refused_default(name: str, changed: Sequence[str], function: types.FunctionType) -> NonDifferentiableError:
    """A default of the function called `name` lives on from call to call."""
    return NonDifferentiableError(
        f"{name}() changes the default of {changed[0]!r}, which its next call finds changed, in a way that is not followed; "
        f"pass an argument for it.\n{describe_place(find_parameter(function.__code__, changed[0]))}"
    )


def refused_bound(name: str, bound: Sequence[str], function: types.FunctionType) -> NonDifferentiableError:
    """What is bound lives on as well."""
    return NonDifferentiableError(
        f"{name}() changes what is bound to {bound[0]!r}, which its next call finds changed, in a way that is not followed; "
        "differentiate a function that calls it: lambda x: f(x).\n"
        f"{describe_place(find_parameter(function.__code__, bound[0]))}"
    )


@contextlib.contextmanager
def told_of_default(name: str, changed: Sequence[str], function: types.FunctionType) -> Iterator[None]:
    """What is wrong with the call that leaves parameters to their defaults is wrong with what the function does to these."""
    try:
        yield
    except UnsupportedSyntaxError as error:
        if _CALLER not in str(error):
            raise
        raise refused_default(name, changed, function) from error


def call_without(function: Callable[..., Any], signature: inspect.Signature, left: Container[str]) -> types.FunctionType:
    """A function that calls another one, and leaves some of its parameters to their defaults."""
    kept = [p for p in signature.parameters.values() if p.name not in left]
    name = getattr(function, "__name__", "function")
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    passed: list[str] = []
    is_by_name = False
    for parameter in signature.parameters.values():
        if parameter.name in left:
            is_by_name = True
        elif parameter.kind in stars:
            passed.append(f"{stars[parameter.kind]}{parameter.name}")
        else:
            is_by_name |= parameter.kind is parameter.KEYWORD_ONLY
            passed.append(f"{parameter.name}={parameter.name}" if is_by_name else parameter.name)
    own = inspect.Signature([p.replace(annotation=p.empty, default=p.empty) for p in kept])
    text = f"def {name}{own}:\n    return primitive({', '.join(passed)})\n"
    caller = _make_caller(function, name, text)
    defaults = {p.name: p.default for p in kept if p.default is not p.empty}
    named = [p.name for p in kept if p.kind is p.KEYWORD_ONLY]
    caller.__defaults__ = tuple(value for key, value in defaults.items() if key not in named) or None
    caller.__kwdefaults__ = {key: value for key, value in defaults.items() if key in named} or None
    return caller
