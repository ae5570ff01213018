"""What users import: `grad`, `value_and_grad`, `show`, `stop_gradient`."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from s2sad.pipeline.dispatch import Derivative
    from s2sad.pipeline.target import Argnums

T = TypeVar("T")


class DerivativeFunction(Protocol):
    """What `grad` returns: a function with the primal's signature, name and docstring."""

    #: The function that was differentiated.
    primal: Callable[..., Any]
    #: The generated code for arguments of these types; without arguments, for the types that the annotations give.
    source: Callable[..., str]

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


@overload
def grad(f: Callable[..., Any], argnums: Argnums | list[int | str] = 0) -> DerivativeFunction: ...
@overload
def grad(f: None = None, argnums: Argnums | list[int | str] = 0) -> Callable[[Callable[..., Any]], DerivativeFunction]: ...
def grad(f: Callable[..., Any] | None = None, argnums: Argnums | list[int | str] = 0) -> Any:
    """The gradient of a function whose result is one real number.

    `argnums` says with respect to which arguments: a position counted from 0, a name, or a tuple or list of either; for a
    tuple the derivative returns a tuple. Arguments may be numbers, or lists, tuples, dicts and dataclasses of numbers, nested:
    the gradient has the same structure. An integer that is asked for counts as a real number.

    As a decorator, with or without arguments, or as a function:

    >>> @grad
    ... def cube(x):
    ...     return x**3
    >>> cube(2.0)
    12.0
    >>> grad(lambda x, y: x * y, argnums=("x", "y"))(2.0, 3.0)
    (3.0, 2.0)

    The result is called like the function. It has the function's name, signature and docstring, the function itself as
    ``.primal``, and the generated code as ``.source(*args)``. Raises a subclass of `S2sadError` where a derivative passes through
    something that is not supported.
    """
    return _derivative(f, argnums, with_value=False)


@overload
def value_and_grad(f: Callable[..., Any], argnums: Argnums | list[int | str] = 0) -> DerivativeFunction: ...
@overload
def value_and_grad(
    f: None = None, argnums: Argnums | list[int | str] = 0
) -> Callable[[Callable[..., Any]], DerivativeFunction]: ...
def value_and_grad(f: Callable[..., Any] | None = None, argnums: Argnums | list[int | str] = 0) -> Any:
    """Like `grad`, and the derivative returns the pair of the value and the gradient. The value is bitwise the function's own.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return _derivative(f, argnums, with_value=True)


def _derivative(f: Callable[..., Any] | None, argnums: Argnums | list[int | str], *, with_value: bool) -> Any:
    if f is None:
        return lambda function: _derivative(function, argnums, with_value=with_value)
    argnums = tuple(argnums) if isinstance(argnums, list) else argnums
    items = argnums if isinstance(argnums, tuple) else (argnums,)
    if not all(isinstance(item, str) or hasattr(item, "__index__") for item in items):
        raise TypeError(f"argnums is a position, the name of a parameter, or a tuple or list of these, and not {argnums!r}")
    if not callable(f):
        raise TypeError(f"a function is needed, and there is {f!r}; write grad(f)(x), not grad(f(x))")
    return _make(f, argnums, with_value).make_entry()


def _make(f: Callable[..., Any], argnums: Argnums | list[int | str], with_value: bool) -> Derivative:
    dispatch = _dispatch()
    argnums = tuple(argnums) if isinstance(argnums, list) else argnums
    derivative: Derivative = dispatch.Derivative(f, dispatch.Request(argnums, with_value=with_value))
    return derivative


@functools.cache
def _dispatch() -> types.ModuleType:
    """The transformer, imported when the first derivative is asked for: ``import s2sad`` stays fast."""
    from s2sad.analysis.resolution import TRANSFORMATIONS
    from s2sad.pipeline import dispatch
    from s2sad.rules.declare import zero_derivative

    TRANSFORMATIONS[grad] = dispatch.Grad(with_value=False)
    TRANSFORMATIONS[value_and_grad] = dispatch.Grad(with_value=True)
    zero_derivative(stop_gradient)
    return dispatch


def show(f: Callable[..., Any], *args: Any, stage: str = "source", argnums: Argnums | list[int | str] = 0, **kwargs: Any) -> str:
    """What a stage of the pipeline makes of `f` for arguments of these types: ``"source"`` the generated gradient, ``"ir"`` the
    function as it was read, ``"types"`` with types and resolved calls, ``"prepared"`` as reverse mode takes it, ``"reverse"`` the
    gradient before, ``"simplified"`` after it was simplified.

    >>> print(show(lambda x: x * x, 3.0, stage="types"))
    def <lambda>(x: float):
      t_1: float = mul(x, x)
      return t_1
    """
    derivative = _dispatch().derivative_behind(f) or _make(f, argnums, with_value=False)
    generated = derivative.generated_for(args, kwargs)
    if stage == "source":
        return generated.source
    if stage not in generated.stages:
        raise ValueError(f"there is no stage {stage!r}; the stages are source, {', '.join(generated.stages)}")
    return generated.stages[stage]()


def stop_gradient(x: T) -> T:
    """`x` itself, with the derivative zero.

    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """
    return x
