"""Shadows of containers, and gradients made of them.

A *shadow* holds the adjoints of a container: a list for a list or a tuple, a dict for a dict, a float for a number, None for
what has no derivative. One object has one shadow, so aliases within the arguments stay aliases.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import numpy as np

from s2sad.runtime.attributes import IDENTITIES, attributes_of
from s2sad.runtime.overlap import overlapping
from s2sad.runtime.overlapping_shadows import zeros_in_common


def zeros_like(x: Any) -> Any:
    """A shadow of zeros: the same containers, lists in place of tuples. Each array has one of its own.

    None may stand where a number does on another path, and has its zero.

    >>> zeros_like((1.0, [2, None], {"a": 4.0, "name": "b"}))
    [0.0, [0.0, 0.0], {'a': 0.0, 'name': None}]
    """
    return _zeros_like(x, {}, [])


def zeros_like_with_views(x: Any) -> Any:
    """A shadow of zeros, in which the arrays that overlap have shadows that do.

    >>> import numpy as np
    >>> x = np.ones(3)
    >>> shadow = zeros_like_with_views({"whole": x, "part": x[1:]})
    >>> shadow["part"] += 1.0
    >>> shadow["whole"]
    array([0., 1., 1.])
    """
    return zeros_like_all(x)[0]


def zeros_like_in_arrays(x: Any) -> Any:
    """A shadow of zeros, for numbers that stand where arrays may be: arrays without axes.

    >>> import numpy as np
    >>> zeros_like_in_arrays([[1.0], [np.ones(2)]])
    [[array(0.)], [array([0., 0.])]]
    """
    shadow = zeros_like(x)
    hold_in_arrays(shadow)
    return shadow


def zeros_like_with_views_in_arrays(x: Any) -> Any:
    """As `zeros_like_in_arrays`; arrays that overlap have shadows that do."""
    shadow = zeros_like_with_views(x)
    hold_in_arrays(shadow)
    return shadow


def zeros_like_all(*arguments: Any) -> tuple[Any, ...]:
    """Shadows of several objects: what two of them share has one shadow.

    >>> import numpy as np
    >>> x = [1.0]
    >>> a, b = zeros_like_all(x, [x, 2.0])
    >>> a is b[0], b
    (True, [[0.0], 0.0])
    >>> x = np.ones((2, 3))
    >>> a, b = zeros_like_all(x[1], x.T)
    >>> b += 1.0
    >>> a, b.shape
    (array([1., 1., 1.]), (3, 2))
    """
    arrays: list[np.ndarray] = []
    memo: dict[int, Any] = {}
    shadows = tuple(_zeros_like(argument, memo, arrays) for argument in arguments)
    pairs = overlapping(arrays) if len(arrays) > 1 else []
    if not pairs:
        return shadows
    memo = zeros_in_common(pairs)
    return tuple(_zeros_like(argument, memo, []) for argument in arguments)


def _zeros_like(x: Any, memo: dict[int, Any], arrays: list[np.ndarray]) -> Any:
    """A shadow of zeros. `memo` holds those that are made, by what they belong to; `arrays` takes the arrays of floats."""
    if type(x) is np.ndarray:  # before what takes time to ask
        return memo[id(x)] if id(x) in memo else _zeros_of_array(x, memo, arrays)
    if isinstance(x, (bool, str, bytes)):
        return None
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (int, float)) or x is None:
        return 0.0
    if isinstance(x, np.generic):
        return _zero_of_dtype(x)
    if id(x) in memo:
        return memo[id(x)]
    match x:
        case list():
            shadow: Any = []
            memo[id(x)] = shadow  # before the elements: a list may hold itself
            shadow.extend([_zeros_like(element, memo, arrays) for element in x])
        case tuple():
            # numbers have adjoints in each place where the tuple stands
            shadow = [_zeros_like(element, memo, arrays) for element in x]
        case dict():
            shadow = memo[id(x)] = {}
            shadow.update((key, _zeros_like(value, memo, arrays)) for key, value in x.items())
        case np.ndarray():
            return _zeros_of_array(x, memo, arrays)
        case _ if (attributes := attributes_of(x)) is not None and not isinstance(x, IDENTITIES):
            shadow = memo[id(x)] = Shadow()
            shadow.__dict__.update((name, _zeros_like(value, memo, arrays)) for name, value in attributes.items())
        case _:
            return None
    return shadow


def _zeros_of_array(x: np.ndarray, memo: dict[int, Any], arrays: list[np.ndarray]) -> Any:
    """The shadow of an array that has none yet."""
    if x.dtype.kind not in "fciu":
        return None
    if x.dtype.kind in "iu":
        shadow: Any = np.zeros_like(x, dtype=float)
    else:
        arrays.append(x)
        # in the plain layout at once: `np.zeros_like` takes three times as long
        shadow = np.zeros(x.shape, x.dtype) if type(x) is np.ndarray and x.flags.c_contiguous else np.zeros_like(x)
    memo[id(x)] = shadow
    return shadow


def _zero_of_dtype(x: np.generic) -> Any:
    """The zero for a NumPy scalar: of its type, float64 for integers."""
    if x.dtype.kind in "fc":
        return x.dtype.type(0)
    return np.float64(0) if x.dtype.kind in "iu" else None


def zeros_like_array(x: Any) -> np.ndarray:
    """The shadow of an array, and of a number where an array may be: an array without axes, to which is added in place.

    >>> import numpy as np
    >>> zeros_like_array(np.ones(2)), zeros_like_array(3)
    (array([0., 0.]), array(0.))
    """
    return np.zeros_like(x) if isinstance(x, np.ndarray) and x.dtype.kind in "fc" else np.zeros(np.shape(x))


def hold_in_arrays(shadow: Any, seen: dict[int, Any] | None = None) -> None:
    """Make arrays without axes of the numbers in a shadow: they belong to numbers that stand where arrays may be.

    >>> shadow = [0.0, [1.0]]
    >>> hold_in_arrays(shadow)
    >>> shadow
    [array(0.), [array(1.)]]
    """
    seen = {} if seen is None else seen
    if id(shadow) in seen:
        return
    seen[id(shadow)] = shadow
    if isinstance(shadow, tuple):
        for part in shadow:
            hold_in_arrays(part, seen)
    elif isinstance(shadow, (list, dict, Shadow)):
        holder: Any = shadow.__dict__ if isinstance(shadow, Shadow) else shadow
        for key in range(len(holder)) if isinstance(holder, list) else list(holder):
            if isinstance(holder[key], (float, np.floating)):
                holder[key] = np.array(holder[key])
            hold_in_arrays(holder[key], seen)


def as_gradient(shadow: Any, primal: Any) -> Any:
    """A gradient with the structure of the argument: tuples and named tuples are made again from their shadows.

    >>> as_gradient([1.0, [2.0], None], (5.0, (6.0,), "name"))
    (1.0, (2.0,), None)
    """
    return _restore(shadow, primal, {})


def _restore_list(shadow: list[Any], primal: list[Any], memo: dict[int, Any]) -> list[Any]:
    restored: list[Any] = []
    memo[id(primal)] = restored
    restored.extend(_restore(part, element, memo) for part, element in zip(shadow, primal, strict=True))
    return restored


def _restore(shadow: Any, primal: Any, memo: dict[int, Any]) -> Any:
    if id(primal) in memo and (isinstance(primal, (list, tuple, dict)) or dataclasses.is_dataclass(primal)):
        return memo[id(primal)]
    match primal:
        case list():
            return _restore_list(shadow, primal, memo)
        case tuple():
            parts = [_restore(part, element, memo) for part, element in zip(shadow, primal, strict=True)]
            memo[id(primal)] = type(primal)(*parts) if hasattr(primal, "_fields") else tuple(parts)
            return memo[id(primal)]
        case dict():
            restored: dict[Any, Any] = {}
            memo[id(primal)] = restored
            restored.update((key, _restore(shadow[key], value, memo)) for key, value in primal.items())
            return restored
        case np.generic() if isinstance(shadow, np.ndarray):
            return shadow[()]
        case int() | float() if isinstance(shadow, (np.generic, np.ndarray)):
            return float(shadow)
        case None:
            return None
        case _ if dataclasses.is_dataclass(primal) and isinstance(shadow, Shadow):
            instance = memo[id(primal)] = object.__new__(type(primal))
            for name, value in (attributes_of(primal) or {}).items():
                object.__setattr__(instance, name, _restore(getattr(shadow, name), value, memo))
            return instance
        case _:
            return shadow


class Shadow(types.SimpleNamespace):
    """The shadow of an object: one attribute for each of its attributes that holds a number or a container."""
