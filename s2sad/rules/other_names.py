"""Functions that NumPy has under other names, or writes in a few lines itself: what is called in their place.

It computes bitwise the same, by the same functions of NumPy, and gives a view where those do. What is one call of another
function is written as that (`renamed`), with its operands; what takes several is a Python function (`written_out`).

>>> import numpy as np
>>> from s2sad.ir.nodes import Value
>>> x = Value("x")
>>> renamed(np.linalg.trace, (x,), {}).arguments
(<x: unknown>, Constant(0), Constant(-2), Constant(-1))
>>> renamed(np.sum, (x,), {}) is None
True
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from s2sad.ir.nodes import Constant, Operand

Array = Any
Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Renamed:
    """A call of another function."""

    function: object
    arguments: tuple[Operand, ...]
    keywords: tuple[tuple[str, Operand], ...] = ()


_NONE, _FALSE, _ZERO, _TWO = map(Constant, (None, False, 0, 2))
_ROWS, _COLUMNS = Constant(-2), Constant(-1)


def _trace(x: Operand, *, offset: Operand = _ZERO) -> Renamed:
    return Renamed(np.trace, (x, offset, _ROWS, _COLUMNS))


def _diagonal(x: Operand, *, offset: Operand = _ZERO) -> Renamed:
    return Renamed(np.diagonal, (x, offset, _ROWS, _COLUMNS))


def _matrix_transpose(x: Operand) -> Renamed:
    return Renamed(np.swapaxes, (x, _ROWS, _COLUMNS))


def _matmul(x1: Operand, x2: Operand) -> Renamed:
    return Renamed(np.matmul, (x1, x2))


def _cross(x1: Operand, x2: Operand, *, axis: Operand = _COLUMNS) -> Renamed:
    return Renamed(np.cross, (x1, x2), () if axis == _COLUMNS else (("axis", axis),))


def _tensordot(x1: Operand, x2: Operand, *, axes: Operand = _TWO) -> Renamed:
    return Renamed(np.tensordot, (x1, x2, axes))


def _matrix_norm(x: Operand) -> Renamed:
    return Renamed(np.linalg.norm, (x,), (("axis", Constant((-2, -1))),))


def _cumulative_sum(x: Operand, *, axis: Operand = _NONE) -> Renamed:
    return Renamed(np.cumsum, (x, axis))


def _cumulative_prod(x: Operand, *, axis: Operand = _NONE) -> Renamed:
    return Renamed(np.cumprod, (x, axis))


def _clip(a: Operand, *, min: Operand = _NONE, max: Operand = _NONE) -> Renamed:
    return Renamed(np.clip, (a, min, max))


def _vector_norm(x: Operand, *, axis: Operand, keepdims: Operand = _FALSE, ord: Operand = _TWO) -> Renamed:
    return Renamed(np.linalg.norm, (x, ord, axis, keepdims))


def _copyto(dst: Operand, src: Operand) -> Renamed:
    return Renamed(operator.setitem, (dst, Constant(Ellipsis), src))


# --- Written out ------------------------------------------------------------------------------------------------------------


def norm_of_all(x: Array, *, ord: Any = 2) -> Array:
    return np.linalg.norm(np.ravel(x), ord)


def unstack(x: Array, *, axis: int = 0) -> Any:
    return list(np.moveaxis(x, axis, 0))


def nancumsum(a: Array, axis: Any = None) -> Array:
    return np.cumsum(np.where(np.isnan(a), 0.0, a), axis)


def nancumprod(a: Array, axis: Any = None) -> Array:
    return np.cumprod(np.where(np.isnan(a), 1.0, a), axis)


def nanprod(a: Array, axis: Any = None) -> Array:
    return np.prod(np.where(np.isnan(a), 1.0, a), axis)


def cross_along(a: Array, b: Array, *, axis: Any) -> Array:
    return np.moveaxis(np.cross(np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)), -1, axis)


def gradient_of_two_axes(f: Array) -> Any:
    return np.gradient(f, axis=0), np.gradient(f, axis=1)


def gradient_of_two_axes_alike(f: Array, h: Any) -> Any:
    return np.gradient(f, h, axis=0), np.gradient(f, h, axis=1)


def gradient_of_two_spacings(f: Array, h: Any, k: Any) -> Any:
    return np.gradient(f, h, axis=0), np.gradient(f, k, axis=1)


def gradient_of_three_axes(f: Array) -> Any:
    return np.gradient(f, axis=0), np.gradient(f, axis=1), np.gradient(f, axis=2)


def gradient_of_three_axes_alike(f: Array, h: Any) -> Any:
    return np.gradient(f, h, axis=0), np.gradient(f, h, axis=1), np.gradient(f, h, axis=2)


def gradient_of_three_spacings(f: Array, h: Any, k: Any, m: Any) -> Any:
    return np.gradient(f, h, axis=0), np.gradient(f, k, axis=1), np.gradient(f, m, axis=2)


def ediff1d(ary: Array, to_end: Any = None, to_begin: Any = None) -> Array:
    flat = np.ravel(ary)
    if to_begin is None and to_end is None:
        return flat[1:] - flat[:-1]
    first = 0 if to_begin is None else np.size(to_begin)
    last = 0 if to_end is None else np.size(to_end)
    count = max(flat.size - 1, 0)
    differences = np.empty(first + count + last, flat.dtype)
    if to_begin is not None:
        differences[:first] = np.ravel(to_begin)
    if to_end is not None:
        differences[first + count :] = np.ravel(to_end)
    differences[first : first + count] = flat[1:] - flat[:-1]
    return differences


def resized(a: Array, new_shape: Any) -> Array:
    made = np.empty(new_shape, dtype=bool)
    return np.take(np.ravel(a), np.arange(made.size) % np.size(a)).reshape(new_shape)


_RENAMED: Final[dict[str, Sequence[Callable[..., Renamed]]]] = {
    "clip": (_clip,),
    "copyto": (_copyto,),
    "cumulative_prod": (_cumulative_prod,),
    "cumulative_sum": (_cumulative_sum,),
    "linalg.cross": (_cross,),
    "linalg.diagonal": (_diagonal,),
    "linalg.matmul": (_matmul,),
    "linalg.matrix_norm": (_matrix_norm,),
    "linalg.matrix_transpose": (_matrix_transpose,),
    "linalg.tensordot": (_tensordot,),
    "linalg.trace": (_trace,),
    "linalg.vector_norm": (_vector_norm,),
}
_GRADIENTS: Final[Mapping[int, Sequence[Function]]] = {
    2: (gradient_of_two_axes, gradient_of_two_axes_alike, gradient_of_two_spacings),
    3: (gradient_of_three_axes, gradient_of_three_axes_alike, gradient_of_three_spacings),
}
#: For arrays of so many axes, where there are several.
_WRITTEN_OUT: Final[dict[str, Sequence[Function] | Mapping[int, Sequence[Function]]]] = {
    "cross": (cross_along,),
    "gradient": _GRADIENTS,
    "ediff1d": (ediff1d,),
    "linalg.vector_norm": (norm_of_all,),
    "nancumprod": (nancumprod,),
    "nancumsum": (nancumsum,),
    "nanprod": (nanprod,),
    "resize": (resized,),
    "unstack": (unstack,),
}


def _by_function(names: Mapping[str, Any]) -> dict[int, Any]:
    """By the functions that this version of NumPy has."""
    found: dict[int, Any] = {}
    for name, value in names.items():
        function: Any = np
        for part in name.split("."):
            function = getattr(function, part, None)
        if function is not None:
            found[id(function)] = value
    return found


_RENAMED_FUNCTIONS: Final = _by_function(_RENAMED)
_WRITTEN_OUT_FUNCTIONS: Final = _by_function(_WRITTEN_OUT)


def _fits(function: Function, arguments: Sequence[object], keywords: Mapping[str, object]) -> bool:
    try:
        inspect.signature(function).bind(*arguments, **keywords)
    except TypeError:
        return False  # options that are not followed
    return True


def renamed(function: object, arguments: Sequence[Operand], keywords: Mapping[str, Operand]) -> Renamed | None:
    """The call of another function that a call is."""
    for rewrite in _RENAMED_FUNCTIONS.get(id(function), ()):
        if _fits(rewrite, arguments, keywords):
            made: Renamed = rewrite(*arguments, **keywords)
            return made
    return None


def written_out(
    function: object, arguments: Sequence[object], keywords: Mapping[str, object], axes: int | None = None
) -> Function | None:
    """The Python function that is called in place of a function, given the number of axes of the first operand."""
    bodies: Any = _WRITTEN_OUT_FUNCTIONS.get(id(function), ())
    if isinstance(bodies, Mapping):
        bodies = bodies.get(axes, ())
    fitting: Sequence[Function] = [body for body in bodies if _fits(body, arguments, keywords)]
    return fitting[0] if fitting else None
