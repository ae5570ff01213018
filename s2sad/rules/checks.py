"""What is checked of a rule when it is declared: the names that it reads, and the number of its operands."""

from __future__ import annotations

import builtins
import dis
import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from s2sad.errors import InvalidRuleError, describe_location

AnyFunction = Callable[..., Any]


def checked_body(body: AnyFunction) -> FunctionType:
    """The body of a rule, or an error if it is no function or reads a name that is not defined."""
    if not isinstance(body, FunctionType):
        raise InvalidRuleError(f"a rule is written as a function, and {body!r} is none")
    if not is_own(body):
        check_names(body)
    return body


def is_own(body: FunctionType) -> bool:
    """Whether it belongs to a rule of this package: the tests check these, so that an import need not."""
    return body.__module__.startswith("s2sad.rules.")


def check_names(body: FunctionType) -> None:
    """Refuse a body that reads a name which is not defined."""
    for name in global_names(body.__code__):
        if name not in body.__globals__ and not hasattr(builtins, name):
            raise invalid(body, f"the name {name!r} is not defined")


def global_names(code: CodeType) -> Iterator[str]:
    """The global names that code reads, with those of the functions inside it."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from global_names(constant)


def check_parameters(body: FunctionType, leading: int, function: object) -> None:
    """Refuse a body that cannot take the operands which the function takes."""
    parameters = list(inspect.signature(body).parameters.values())[leading:]
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return
    bounds = operand_bounds(function)
    if bounds is None:
        return
    least, most = bounds
    required = sum(parameter.default is inspect.Parameter.empty for parameter in parameters)
    if required > most or len(parameters) < least:
        expected = str(least) if least == most else f"{least} to {most}"
        raise invalid(body, f"{name_of(function)} takes {expected} operands, and the rule has {len(parameters)} after the result")


def operand_bounds(function: object) -> tuple[float, float] | None:
    """The least and the largest number of operands that a function takes, if that can be found out."""
    inputs = getattr(function, "nin", None)
    if isinstance(inputs, int):
        return inputs, inputs
    if not callable(function):
        return None
    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return None
    least = sum(
        parameter.default is inspect.Parameter.empty
        and parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        for parameter in parameters
    )
    unbounded = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return least, float("inf") if unbounded else len(parameters)


_WRITTEN_PACKAGES: Final = {"_operator": "operator", "_functools": "functools", "numpy": "np"}


def name_of(function: object) -> str:
    """How a function is written: ``math.sqrt``, ``np.sin``, ``abs``."""
    owner_of_method = getattr(function, "__self__", None)
    if type(owner_of_method).__name__ == "ufunc":
        return f"{name_of(owner_of_method)}.{getattr(function, '__name__', '')}"
    home = sys.modules.get(str(getattr(function, "__module__", None)))
    if isinstance(function, MethodType) and getattr(home, function.__name__, None) == function:
        return f"{getattr(function, '__module__', '')}.{getattr(function, '__name__', '')}"  # random.gauss
    module = getattr(function, "__module__", None)
    shown = repr(function).removeprefix(f"{module}.")  # operator.methodcaller('f')
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or shown
    if type(function).__name__ == "ufunc":
        owners = (("np", "numpy"), ("scipy.special", "scipy.special"))
        found = (short for short, full in owners if getattr(sys.modules.get(full), name, None) is function)
        return f"{next(found, 'np')}.{name}"
    owner = getattr(function, "__objclass__", None)
    if owner is not None and owner.__module__ == "numpy":
        return f"np.{owner.__name__}.{getattr(function, '__name__', name)}"
    if module in (None, "builtins", "__main__"):
        return str(name)
    parts = str(module).split(".")
    # heapq.heappush is at home in _heapq, np.ma.array in numpy.ma.core
    for public in (parts[0].removeprefix("_"), *(".".join(parts[:count]) for count in range(1, len(parts)))):
        if getattr(sys.modules.get(public), str(name), None) is function:
            module = public
            break
    package, dot, rest = str(module).partition(".")
    return f"{_WRITTEN_PACKAGES.get(package, package)}{dot}{rest}.{name}"


def invalid(body: FunctionType, message: str) -> InvalidRuleError:
    """The error for a rule that was declared wrongly, with the place."""
    code = body.__code__
    return InvalidRuleError(f"rule {body.__name__!r}: {message}\n{describe_location(code.co_filename, code.co_firstlineno)}")


_STATIC: Final[set[object]] = set()


def declare_static(*functions: object) -> None:
    """Functions of literals (axes, subscripts) that are computed while the code is generated, where these are known then."""
    _STATIC.update(functions)


def is_static(function: object) -> bool:
    """Whether a function is declared so."""
    try:
        return function in _STATIC
    except TypeError:
        return False
