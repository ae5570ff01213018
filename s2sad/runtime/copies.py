"""Copies of containers and of the arrays in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.errors import NonDifferentiableError, UnsupportedSyntaxError
from s2sad.runtime.attributes import IDENTITIES, attributes_of, has_attributes
from s2sad.runtime.overlap import OVERLAP, is_same_view, overlapping


def check_separate(x: Any, names: tuple[str, ...] = ()) -> None:
    """Refuse a deep copy of what contains one object in two places: these would be one object in the copy, too. With `names`, `x`
    is the arguments with these names of a function that changes them, and is differentiated again.

    >>> check_separate([[1.0], [1.0]])
    >>> row = [1.0]
    >>> check_separate([row, {"a": row}])
    Traceback (most recent call last):
        ...
    s2sad.errors.UnsupportedSyntaxError: copy.deepcopy is given one list in two places, [0] and [1]['a'], which cannot be ...
    >>> check_separate(([row, row], 2.0), ("rows", "x"))
    Traceback (most recent call last):
        ...
    s2sad.errors.UnsupportedSyntaxError: rows[0] and rows[1] are one list, in arguments that the function changes: ...
    """
    seen: dict[int, str] = {}
    stack = [(part, name) for part, name in zip(x, names, strict=True)][::-1] if names else [(x, "")]
    while stack:
        part, place = stack.pop()
        match part:
            case list() | tuple():
                inner = [(element, f"{place}[{index}]") for index, element in enumerate(part)]
            case dict():
                inner = [(element, f"{place}[{key!r}]") for key, element in part.items()]
            case _:
                attributes = {} if isinstance(part, IDENTITIES) else attributes_of(part) or {}
                inner = [(element, f"{place}.{name}") for name, element in attributes.items()]
        if not inner and not isinstance(part, list | dict):
            continue
        if id(part) in seen:
            raise UnsupportedSyntaxError(_found_twice(type(part).__name__, seen[id(part)], place, bool(names)))
        seen[id(part)] = place
        stack.extend(inner[::-1])
    if names:
        _check_arrays(x)


def _check_arrays(x: Any) -> None:
    """Refuse arrays that share memory, or that lie in it as no copy of theirs would."""
    arrays: dict[int, np.ndarray] = {}
    for part in x:
        collect_arrays(part, arrays, set())
    for array in arrays.values():
        if not array.flags.forc:
            raise UnsupportedSyntaxError(
                "an array among the arguments is a view with gaps, and the function changes its arguments: its derivative "
                "follows that, but cannot be differentiated again. Pass a copy: x.copy()"
            )
    if overlapping([*arrays.values()]):
        raise UnsupportedSyntaxError(
            "two arrays among the arguments share memory, and the function changes its arguments: its derivative follows that, "
            "but cannot be differentiated again. Pass a copy of one of them: x.copy()"
        )


def _found_twice(kind: str, first: str, second: str, are_arguments: bool) -> str:
    if are_arguments:
        return (
            f"{first} and {second} are one {kind}, in arguments that the function changes: its derivative follows that, but "
            f"cannot be differentiated again. Pass the {kind} once, as an argument of its own, or a copy in each place"
        )
    return (
        f"copy.deepcopy is given one {kind} in two places, {first or 'the whole'} and {second}, which cannot be differentiated, "
        "for it would be one in the copy, too; copy the parts one by one"
    )


def copy_containers(*arguments: Any) -> tuple[Any, ...]:
    """Copies of the containers among the arguments, all the way down; two names of one object become two of one copy.

    >>> x = [1.0]
    >>> a, (b, c) = copy_containers(x, (x, 2.0))
    >>> a is b, a is x
    (True, False)
    """
    memo: dict[int, Any] = {}
    arrays: dict[int, np.ndarray] = {}
    for argument in arguments:
        collect_arrays(argument, arrays, set())
    for key, array in arrays.items():
        memo[key] = copy_in_layout(array)
    for first, second in overlapping([*arrays.values()]):
        if not is_same_view(first, second):
            raise NonDifferentiableError(OVERLAP)
        memo[id(second)] = memo[id(first)]
    return tuple(_copy(argument, memo) for argument in arguments)


def copy_in_layout(x: np.ndarray) -> np.ndarray:
    """A copy of an array that lies in memory as it does, so that views of the copy are views, and copies copies.

    >>> import numpy as np
    >>> x = np.arange(4.0)[::-2]
    >>> copy_in_layout(x), copy_in_layout(x).strides == x.strides
    (array([3., 1.]), True)
    """
    if x.flags.forc or not x.size:
        return x.copy("K")
    steps = [stride * (length - 1) for stride, length in zip(x.strides, x.shape, strict=True)]
    before, after = -sum(min(step, 0) for step in steps), sum(max(step, 0) for step in steps)
    memory = np.zeros(before + after + x.itemsize, np.uint8)
    copied: np.ndarray = np.ndarray(x.shape, x.dtype, memory, before, x.strides)
    copied[...] = x
    return copied


def collect_arrays(x: Any, found: dict[int, np.ndarray], seen: set[int]) -> None:
    """The arrays in a structure, in order; `seen` takes the identities of the containers."""
    if isinstance(x, np.ndarray):
        found.setdefault(id(x), x)
    elif id(x) not in seen and (isinstance(x, (list, tuple, dict)) or has_attributes(x)):
        seen.add(id(x))
        parts = x if isinstance(x, (list, tuple)) else (x if isinstance(x, dict) else attributes_of(x) or {}).values()
        for part in parts:
            collect_arrays(part, found, seen)


def contents_of_arrays(*containers: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """The arrays in some containers, each with a copy of what is in it now.

    >>> import numpy as np
    >>> x = {"w": np.array([1.0])}
    >>> contents = contents_of_arrays(x)
    >>> x["w"][0] = 2.0
    >>> put_back(contents)
    >>> x
    {'w': array([1.])}
    """
    arrays: dict[int, np.ndarray] = {}
    seen: set[int] = set()
    for container in containers:
        collect_arrays(container, arrays, seen)
    return [(array, array.copy("K")) for array in arrays.values()]


def put_back(contents: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Make arrays hold what they held when `contents_of_arrays` looked."""
    for array, content in contents:
        array[...] = content


def _copy(x: Any, memo: dict[int, Any]) -> Any:
    if id(x) in memo:
        return memo[id(x)]
    if isinstance(x, list):
        copied: Any = []
        memo[id(x)] = copied
        copied.extend(_copy(element, memo) for element in x)
    elif isinstance(x, tuple):
        parts = [_copy(element, memo) for element in x]
        copied = memo[id(x)] = type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    elif isinstance(x, dict):
        copied = memo[id(x)] = {}
        copied.update((key, _copy(value, memo)) for key, value in x.items())
    elif has_attributes(x):
        copied = memo[id(x)] = object.__new__(type(x))
        for name, value in (attributes_of(x) or {}).items():
            object.__setattr__(copied, name, _copy(value, memo))
    else:
        return x
    return copied


def real_arrays(x: Any, memo: dict[int, Any] | None = None) -> Any:
    """The same structure with arrays of floats in place of arrays of integers.

    >>> import numpy as np
    >>> real_arrays([np.array([1, 2]), 3])
    [array([1., 2.]), 3]
    """
    memo = {} if memo is None else memo
    if id(x) in memo:
        return memo[id(x)]
    if isinstance(x, np.ndarray):
        return x.astype(float) if x.dtype.kind in "iu" else x
    if isinstance(x, tuple):
        parts = [real_arrays(part, memo) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    if isinstance(x, list):
        made: list[Any] = []
        memo[id(x)] = made
        made.extend(real_arrays(part, memo) for part in x)
        return made
    if isinstance(x, dict):
        table: dict[Any, Any] = {}
        memo[id(x)] = table
        table.update((key, real_arrays(part, memo)) for key, part in x.items())
        return table
    return x
