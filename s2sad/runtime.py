"""What generated code may call: functions that the standard library lacks, and shadows of containers.

A *shadow* holds the adjoints of a container: a list for a list or a tuple, a dict for a dict, a float for a number, None for
what has no derivative. One object has one shadow, so aliases within the arguments stay aliases.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from s2sad.errors import MissingExtraError, NonDifferentiableError, UnsupportedSyntaxError

# --- Special functions --------------------------------------------------------------------------------------


def _special(name: str) -> Callable[..., Any]:
    """A function of `scipy.special`, imported when it is first needed."""
    try:
        import scipy.special
    except ImportError as error:
        raise MissingExtraError(f"the derivative needs {name}, which comes with SciPy: pip install s2sad[scipy]") from error
    function: Callable[..., Any] = getattr(scipy.special, name)
    return function


def digamma(x: float) -> float:
    """The logarithmic derivative of the gamma function.

    >>> digamma(1.0)
    -0.5772156649015329
    """
    return float(_special("digamma")(x))


def polygamma(n: int, x: float) -> float:
    """The n-th derivative of digamma.

    >>> polygamma(1, 1.0)
    1.6449340668482266
    """
    if n == 0:
        return digamma(x)
    if x > 0:
        return float(_special("polygamma")(n, x))
    return _polygamma_reflected(n, x)


def _polygamma_reflected(n: int, x: float) -> float:
    """polygamma left of 0 by the reflection formula; the derivatives of the cotangent are polynomials in it."""
    if x == np.floor(x) or x != x or n % 1 != 0 or not 0 < n < 150:  # a pole, no order, coefficients beyond all bounds
        return float("nan")
    cotangent = 1 / np.tan(np.pi * (x - np.round(x)))  # x - round(x) is exact
    polynomial = np.polynomial.Polynomial([0.0, 1.0])  # in c = cot(pi x); dc/dx = -pi (1 + c ** 2)
    for _ in range(int(n)):
        polynomial = -np.pi * np.polynomial.Polynomial([1.0, 0.0, 1.0]) * polynomial.deriv()
    derivative = np.pi * float(polynomial(cotangent))
    # psi(1 - x) - psi(x) = pi cot(pi x), differentiated n times
    return float((-1) ** int(n) * polygamma(n, 1 - x) - derivative)


# --- Order --------------------------------------------------------------------------------------------------


def order_of(keys: Sequence[Any], reverse: bool = False) -> list[int]:
    """The indices that sort `keys`; stable, as `sorted` is.

    >>> order_of([3.0, 1.0, 2.0])
    [1, 2, 0]
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def largest(elements: Iterable[Any]) -> Any:
    """`max`, as a number without derivative.

    >>> largest([1.0, 3.0, 2.0])
    3.0
    """
    return max(elements)


def least(elements: Iterable[Any]) -> Any:
    """`min`, as a number without derivative.

    >>> least([1.0, 3.0, 2.0])
    1.0
    """
    return min(elements)


def indices_of(part: slice, length: int) -> range:
    """The indices that a slice takes from a sequence of this length.

    >>> indices_of(slice(None, None, -2), 5)
    range(4, -1, -2)
    """
    return range(*part.indices(length))


def bounds_of(part: slice, length: int) -> tuple[int, int]:
    """Where a slice with step 1 begins and ends in a sequence of this length; an empty one ends where it begins.

    >>> bounds_of(slice(1, -1), 5), bounds_of(slice(4, 2), 5)
    ((1, 4), (4, 4))
    """
    start, stop, _ = part.indices(length)
    return start, max(start, stop)


# --- Copies -------------------------------------------------------------------------------------------------


def check_separate(x: Any) -> None:
    """Refuse a deep copy of what contains one object in two places: these would be one object in the copy, too.

    >>> check_separate([[1.0], [1.0]])
    >>> row = [1.0]
    >>> check_separate([row, row])
    Traceback (most recent call last):
        ...
    s2sad.errors.UnsupportedSyntaxError: copy.deepcopy of what contains the same list twice cannot be differentiated; ...
    """
    seen: dict[int, Any] = {}
    stack = [x]
    while stack:
        part = stack.pop()
        match part:
            case list() | tuple():
                inner = list(part)
            case dict():
                inner = list(part.values())
            case _:
                inner = list(getattr(part, "__dict__", {}).values()) if not isinstance(part, _IDENTITIES) else []
        if not inner and not isinstance(part, list | dict):
            continue
        if id(part) in seen:
            raise UnsupportedSyntaxError(
                f"copy.deepcopy of what contains the same {type(part).__name__} twice cannot be differentiated; copy the parts "
                "one by one"
            )
        seen[id(part)] = part
        stack.extend(inner)


# --- Shadows ------------------------------------------------------------------------------------------------


#: What is known by its identity, and has no shadow; other objects may be callable as well.
_IDENTITIES = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, np.ufunc)


def zeros_like(x: Any, memo: dict[int, Any] | None = None, views: bool = False) -> Any:
    """A shadow of zeros: the same containers, lists in place of tuples. Pass one `memo` for objects that may be shared.

    None may stand where a number does on another path, and has its zero.

    >>> zeros_like((1.0, [2, None], {"a": 4.0, "name": "b"}))
    [0.0, [0.0, 0.0], {'a': 0.0, 'name': None}]
    """
    if isinstance(x, (bool, str, bytes)):
        return None
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (int, float)) or x is None:
        return 0.0
    if isinstance(x, np.generic):
        return _zero_of_dtype(x)
    memo = {} if memo is None else memo
    if id(x) in memo:
        return memo[id(x)]
    match x:
        case list():
            shadow: Any = []
            memo[id(x)] = shadow  # before the elements: a list may hold itself
            shadow.extend(zeros_like(element, memo, views) for element in x)
        case tuple():
            shadow = memo[id(x)] = [zeros_like(element, memo, views) for element in x]
        case dict():
            shadow = memo[id(x)] = {}
            shadow.update((key, zeros_like(value, memo, views)) for key, value in x.items())
        case np.ndarray():
            if x.dtype.kind not in "fciu":
                return None
            dtype = x.dtype if x.dtype.kind in "fc" else np.dtype(float)
            shadow = _view_of_shadow(x, dtype, memo) if views else None
            shadow = memo[id(x)] = np.zeros_like(x, dtype=dtype) if shadow is None else shadow
        case _ if (attributes := _attributes_of(x)) is not None and not isinstance(x, _IDENTITIES):
            shadow = memo[id(x)] = Shadow()
            shadow.__dict__.update((name, zeros_like(value, memo, views)) for name, value in attributes.items())
        case _:
            return None
    return shadow


def _view_of_shadow(x: Any, dtype: np.dtype[Any], memo: dict[int, Any]) -> Any:
    """For a view, the same view of the shadow of the whole array: there may be other views of it. None for anything else, and
    where elements stand several times, to which nothing can be stored."""
    whole = x
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    if whole is x or whole.dtype != dtype or 0 in x.strides:
        return None
    shadow = memo.get(id(whole))
    if shadow is None:
        order: Any = "F" if whole.flags.f_contiguous and not whole.flags.c_contiguous else "C"
        shadow = np.zeros(whole.shape, dtype, order=order)
    if shadow.strides != whole.strides:
        return None
    memo[id(whole)] = shadow
    offset = x.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    return np.ndarray(x.shape, dtype, shadow.ravel(order="K"), offset, x.strides)


def _attributes_of(x: Any) -> dict[str, Any] | None:
    """The attributes of an instance, in its ``__dict__`` and in slots; None where it has neither."""
    slots = [name for cls in type(x).__mro__ for name in _names_of_slots(cls)]
    attributes = getattr(x, "__dict__", None)
    if not isinstance(attributes, dict):
        return {name: getattr(x, name) for name in slots if hasattr(x, name)} if slots else None
    return attributes | {name: getattr(x, name) for name in slots if hasattr(x, name)} if slots else attributes


def _names_of_slots(cls: type) -> list[str]:
    slots = vars(cls).get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def zeros_like_all(*arguments: Any) -> tuple[Any, ...]:
    """Shadows of several objects: what two of them share has one shadow.

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
    memo: dict[int, Any] = {}
    return tuple(zeros_like(argument, memo, True) for argument in arguments)


def _zero_of_dtype(x: np.generic) -> Any:
    """The zero for a NumPy scalar: of its type, float64 for integers."""
    if x.dtype.kind in "fc":
        return x.dtype.type(0)
    return np.float64(0) if x.dtype.kind in "iu" else None


def zeros_like_array(x: Any) -> np.ndarray:
    """The shadow of an array, and of a number where an array may be: an array without axes, to which is added in place.

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
            if isinstance(holder[key], float):
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
    if id(primal) in memo and isinstance(primal, (list, tuple, dict)):
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
        case int() | float() if isinstance(shadow, np.generic):
            return float(shadow)
        case None:
            return None
        case _:
            return shadow


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
            raise NonDifferentiableError(
                "two arrays overlap in memory, and the function changes one of them: pass a copy in place of the one, x.copy()"
            )
        memo[id(second)] = memo[id(first)]
    return tuple(_copy(argument, memo) for argument in arguments)


def copy_in_layout(x: np.ndarray) -> np.ndarray:
    """A copy of an array that lies in memory as it does, so that views of the copy are views, and copies copies.

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
    elif id(x) not in seen and (isinstance(x, (list, tuple, dict)) or _has_attributes(x)):
        seen.add(id(x))
        parts = x if isinstance(x, (list, tuple)) else (x if isinstance(x, dict) else x.__dict__).values()
        for part in parts:
            collect_arrays(part, found, seen)


def _has_attributes(x: Any) -> bool:
    """Whether an object is a record of the user's: what it holds is in its attributes."""
    return isinstance(getattr(x, "__dict__", None), dict) and not isinstance(x, (*_IDENTITIES, np.ndarray))


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
    elif _has_attributes(x):
        copied = memo[id(x)] = object.__new__(type(x))
        copied.__dict__.update((name, _copy(value, memo)) for name, value in x.__dict__.items())
    else:
        return x
    return copied


def is_same_view(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays are the same elements in the same places.

    >>> x = np.zeros(3)
    >>> is_same_view(x, x[:]), is_same_view(x, x[::-1])
    (True, False)
    """
    one, other = first.__array_interface__, second.__array_interface__
    return all(one[key] == other[key] for key in ("data", "shape", "typestr")) and first.strides == second.strides


#: Arrays are compared pair by pair up to this number, beyond that by the order of their addresses.
_FEW_ARRAYS = 6


def overlapping(arrays: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The pairs of arrays that share memory, the one that comes first in front.

    >>> x = np.zeros((3, 2))
    >>> len(overlapping([x, x[1:], np.zeros(3)])), len(overlapping([x[:, 0], x[:, 1]]))
    (1, 0)
    """
    if len(arrays) <= _FEW_ARRAYS:
        return [(a, b) for index, b in enumerate(arrays) for a in arrays[:index] if _share_memory(a, b)]
    pairs = []
    under_way: list[tuple[int, int]] = []
    for start, stop, index in sorted((*_addresses(array), index) for index, array in enumerate(arrays) if array.size):
        under_way = [(end, other) for end, other in under_way if end > start]
        pairs += [sorted((index, other)) for _, other in under_way if _share_memory(arrays[index], arrays[other])]
        under_way.append((stop, index))
    return [(arrays[first], arrays[second]) for first, second in sorted(pairs)]


def _share_memory(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays share memory; they count as if they did where that is hard to tell."""
    most: Any = 10_000
    try:
        return np.may_share_memory(first, second) and np.shares_memory(first, second, max_work=most)
    except np.exceptions.TooHardError:
        return True


def _addresses(array: np.ndarray) -> tuple[int, int]:
    """The addresses of the first byte of an array and behind its last."""
    start = stop = array.__array_interface__["data"][0]
    for length, stride in zip(array.shape, array.strides, strict=True):
        way = (length - 1) * stride
        start, stop = start + min(way, 0), stop + max(way, 0)
    return start, stop + array.itemsize


def real_arrays(x: Any, memo: dict[int, Any] | None = None) -> Any:
    """The same structure with arrays of floats in place of arrays of integers.

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


class Shadow(types.SimpleNamespace):
    """The shadow of an object: one attribute for each of its attributes that holds a number or a container."""


# --- Checks -------------------------------------------------------------------------------------------------


def check_result(x: Any) -> None:
    """Refuse to differentiate what is not one real number: nothing was known of it when the code was generated."""
    if isinstance(x, (float, int, np.floating, np.integer, np.bool_)) or (
        type(x) is np.ndarray and x.ndim == 0 and x.dtype.kind in "fiub"
    ):
        return
    what = f"an array of shape {x.shape}" if isinstance(x, np.ndarray) else type(x).__name__
    raise NonDifferentiableError(
        f"grad needs a function whose result is one real number, and this one gives {what}; "
        "differentiate a function that returns the number of interest (of an array: its sum, or one element)"
    )


def check_number(x: Any) -> None:
    """Refuse what is not a number where a derivative passes by: the value comes from a function that is not known."""
    if not isinstance(x, (int, float, complex, np.generic)):
        raise NonDifferentiableError(
            f"a number was expected where a derivative passes through, and there is {type(x).__name__}: "
            "convert it with float(), or give the function that makes it a rule"
        )


def check_array(x: Any) -> None:
    """Refuse a number where an array is changed in place: ``x += e`` gives a number another name, and an array other elements."""
    if not isinstance(x, np.ndarray):
        raise NonDifferentiableError(
            "a number is changed by an in-place operator here, where there may be an array as well, and only the running program "
            "knows which it is: write x = x + e in place of x += e"
        )


def check_apart(x: Any, key: Any, part: Any, line: int) -> None:
    """Refuse a store ``x[key] = part`` of a part of the same array that NumPy makes element by element, reading what it has set.

    >>> x = np.arange(6.0)
    >>> check_apart(x, slice(3, None), x[:3], 7)
    >>> check_apart(x, slice(None, None, 2), x[:3], 7)
    Traceback (most recent call last):
        ...
    s2sad.errors.NonDifferentiableError: in line 7, a part of an array is stored into another part of it, element by element: ...
    """
    if not isinstance(part, np.ndarray) or part.size < 2 or not np.may_share_memory(x, part):
        return
    place = x[key]
    if np.may_share_memory(x, place):  # NumPy copies first where there are several axes, or one of the two runs backwards
        if place.ndim != 1 or part.ndim != 1 or place.strides == part.strides or place.strides[0] * part.strides[0] < 0:
            return
        if not np.shares_memory(place, part):
            return
    elif not np.shares_memory(x, part):
        return
    raise NonDifferentiableError(
        f"in line {line}, a part of an array is stored into another part of it, element by element: copy what is stored, "
        "x[a:b:2] = x[c:d].copy()"
    )


# --- Arrays -------------------------------------------------------------------------------------------------


def unbroadcast(bar: Any, x: Any) -> Any:
    """The adjoint of `x`, from that of what `x` was broadcast to: the sum over what was repeated. For a Python number a number,
    for an array of floats an array of that precision.

    >>> unbroadcast(np.ones((2, 3)), np.ones((2, 1)))
    array([[3.],
           [3.]])
    >>> unbroadcast(np.ones(3), 2.0)
    3.0
    """
    is_array = isinstance(x, (np.ndarray, np.generic))
    shape = np.shape(x)
    if np.shape(bar) != shape:
        extra = np.ndim(bar) - len(shape)
        if extra > 0:
            bar = np.sum(bar, tuple(range(extra)))
        axes = tuple(axis for axis, length in enumerate(np.shape(bar)) if length != 1 and shape[axis] == 1)
        if axes:
            bar = np.sum(bar, axes, keepdims=True)
    if not isinstance(bar, (np.ndarray, np.generic)):
        return bar
    if not is_array:
        return bar.item() if bar.size == 1 else bar
    return bar.astype(x.dtype) if bar.dtype != x.dtype and x.dtype.kind == "f" else bar


def broadcast_like(bar: Any, x: Any) -> Any:
    """A new array of the shape of `x`, filled with an adjoint that may be of a smaller shape.

    >>> broadcast_like(2.0, np.ones(3))
    array([2., 2., 2.])
    """
    dtype = getattr(x, "dtype", None)
    full = np.empty(np.shape(x), dtype if dtype is not None and dtype.kind == "f" else float)
    full[...] = bar
    return full


def sources_of_store(target: Any, stored: Any) -> Any:
    """Which element of `stored` each element of `target` has after ``target[...] = stored``, where the one is set while the other
    is read: an index.

    >>> x = np.zeros(7)
    >>> sources_of_store(x[::2], x[:4]).tolist()
    [0, 1, 1, 3]
    """
    numbers: Any = np.arange(stored.size).reshape(stored.shape)
    if target.ndim != 1 or stored.ndim != 1:
        return np.unravel_index(np.broadcast_to(numbers, target.shape), stored.shape)
    (start, stop), (first, last) = _addresses(target), _addresses(stored)
    low, high = min(start, first), max(stop, last)
    memory = np.empty(high - low, np.uint8)
    dtype = np.dtype(f"i{target.itemsize}")

    def twin(array: Any) -> Any:
        offset = array.__array_interface__["data"][0] - low
        return np.ndarray(array.shape, dtype, memory, offset, array.strides)

    twin(stored)[...] = numbers
    twin(target)[...] = twin(stored)
    return twin(target).astype(int)


def turns_of(places: Any) -> Any:
    """How often each number has come before.

    >>> turns_of(np.array([3, 1, 3, 3])).tolist()
    [0, 0, 1, 2]
    """
    flat = np.ravel(places)
    order = np.argsort(flat, kind="stable")
    in_order = flat[order]
    turns = np.empty(flat.shape, int)
    turns[order] = np.arange(flat.size) - np.searchsorted(in_order, in_order)
    return turns.reshape(np.shape(places))


def width_before(widths: Any, axis: int) -> int:
    """How many elements `np.pad` puts before those of an array along an axis.

    >>> width_before(2, 0), width_before((1, 2), 1), width_before(((3, 0), (4, 0)), 1)
    (2, 1, 4)
    """
    if isinstance(widths, int):
        return widths
    pair: Any = widths[axis if len(widths) > 1 else 0] if isinstance(widths[0], (tuple, list)) else widths
    return int(pair[0])


def length_along(x: Any, axes: Any) -> int:
    """How many elements lie along some axes.

    >>> length_along(np.ones((2, 3, 4)), (0, -1))
    8
    """
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    return count


def shape_of_tiles(shape: Any, of_tile: Any) -> tuple[int, ...]:
    """The shape of a result of `np.tile` with two axes for each: which tile, and where in it.

    >>> shape_of_tiles((2, 6), (3,))
    (2, 1, 2, 3)
    """
    tile = (1,) * (len(shape) - len(of_tile)) + tuple(of_tile)
    parts: tuple[int, ...] = ()
    for whole, length in zip(shape, tile, strict=True):
        parts += (whole // length if length else 1, length)
    return parts


def eye_along(x: Any, first: int, second: int) -> Any:
    """Ones where the indices along two axes of `x` are equal, zeros elsewhere; broadcasts to the shape of `x`.

    >>> eye_along(np.ones((2, 3, 3)), -2, -1).shape
    (3, 3)
    """
    low, high = sorted((first % x.ndim, second % x.ndim))
    eye = np.eye(x.shape[low], x.shape[high])
    between = tuple(range(1, high - low))
    return eye.reshape((x.shape[low], *(1 for _ in between), x.shape[high], *(1 for _ in range(x.ndim - high - 1))))


def split_like(y_bar: Any, arrays: Any, axis: Any) -> list[Any]:
    """The parts of an adjoint that belong to arrays which were joined along an axis (None: flattened)."""
    if axis is None:
        ends = np.cumsum([np.size(x) for x in arrays])
        return [part.reshape(np.shape(x)) for part, x in zip(np.split(y_bar, ends[:-1]), arrays, strict=True)]
    ends = np.cumsum([x.shape[axis] for x in arrays])
    return list(np.split(y_bar, ends[:-1], axis))


def split_rows_like(y_bar: Any, arrays: Any) -> list[Any]:
    """As `split_like` for `np.vstack`."""
    parts = split_like(y_bar, [np.atleast_2d(x) for x in arrays], 0)
    return [part.reshape(np.shape(x)) for part, x in zip(parts, arrays, strict=True)]


def split_columns_like(y_bar: Any, arrays: Any) -> list[Any]:
    """As `split_like` for `np.column_stack`."""
    columns = [x if np.ndim(x) > 1 else np.reshape(x, (-1, 1)) for x in arrays]
    parts = split_like(y_bar, columns, 1)
    return [part.reshape(np.shape(x)) for part, x in zip(parts, arrays, strict=True)]


# --- Axes and subscripts: computed while the code is generated, where they are literals ----------------------


def last_axes(count: int) -> Any:
    """The last axes, so many.

    >>> last_axes(2)
    (-2, -1)
    """
    return tuple(range(-count, 0))


def inverse_permutation(axes: Any) -> Any:
    """Which axis of the result each axis became.

    >>> inverse_permutation((1, 2, 0))
    (2, 0, 1)
    """
    if isinstance(axes, int):
        return (0,)
    positive = [axis % len(axes) for axis in axes]
    return tuple(positive.index(axis) for axis in range(len(axes)))


def opposite(shift: Any) -> Any:
    """Shifts the other way.

    >>> opposite((1, -2))
    (-1, 2)
    """
    return tuple(-part for part in shift)


def every_other_axis(count: int) -> Any:
    """The first axis of each of so many pairs.

    >>> every_other_axis(2)
    (0, 2)
    """
    return tuple(range(0, 2 * count, 2))


def axes_from(start: int, stop: int) -> Any:
    """The axes of a range.

    >>> axes_from(1, 3)
    (1, 2)
    """
    return tuple(range(start, stop))


def axes_without(count: int, axis: int) -> Any:
    """All axes but one.

    >>> axes_without(3, -2)
    (0, 2)
    """
    return tuple(other for other in range(count) if other != axis % count)


def axes_of_tensordot(axes: Any, first: int, second: int) -> Any:
    """For ``np.tensordot(a, b, axes)``: the axes of a that stay, those that are summed, the axes of b that stay, and how the
    axes of the two adjoints, those that stay first in a's and last in b's, are put in place.

    >>> axes_of_tensordot(1, 2, 2)
    ((0,), (1,), (1,), (0, 1), (0, 1))
    """
    if isinstance(axes, int):
        axes = (tuple(range(first - axes, first)), tuple(range(axes)))
    left, right = ((part,) if isinstance(part, int) else tuple(part) for part in axes)
    left, right = tuple(axis % first for axis in left), tuple(axis % second for axis in right)
    stay_left = tuple(axis for axis in range(first) if axis not in left)
    stay_right = tuple(axis for axis in range(second) if axis not in right)
    # b's axes that are summed come in b's order in the adjoint of a, and a's in a's order in that of b
    summed_left = tuple(left[right.index(axis)] for axis in sorted(right))
    summed_right = tuple(right[left.index(axis)] for axis in sorted(left))
    made_left, made_right = (*stay_left, *summed_left), (*summed_right, *stay_right)
    into_left = tuple(made_left.index(axis) for axis in range(first))
    into_right = tuple(made_right.index(axis) for axis in range(second))
    return stay_left, left, stay_right, into_left, into_right


def plan_of_einsum(subscripts: Any, position: int) -> Any:
    """The subscripts of the adjoint of one operand, axes to insert where the operand was summed alone, pairs of axes of which
    only the diagonal counts, and what is wrong.

    >>> plan_of_einsum("ij,jk->ik", 0)
    ('ik,jk->ij', (), (), '')
    >>> plan_of_einsum("ii->i", 0)
    ('i->i', (1,), ((-2, -1),), '')
    """
    if not isinstance(subscripts, str):
        return "", (), (), "np.einsum() has a derivative where its first argument is the string of subscripts"
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    operands = inputs.split(",")
    if not arrow:
        letters = sorted(letter for letter in set(inputs) - set(",.") if inputs.count(letter) == 1)
        output = ("..." if "..." in inputs else "") + "".join(letters)
    wanted, others = operands[position], [operand for index, operand in enumerate(operands) if index != position]
    if "..." in wanted and not wanted.startswith("..."):
        return "", (), (), "np.einsum() has a derivative where ... comes first in the subscripts of an operand"
    if "..." in wanted and "..." not in output:
        return "", (), (), "np.einsum() has a derivative where ... is among the subscripts of the result"
    letters = list(wanted.replace("...", ""))
    known = set(output).union(*others)
    kept = [letter for index, letter in enumerate(letters) if letter in known and letter not in letters[:index]]
    count = len(letters)
    missing = tuple(
        index - count if "..." in wanted else index
        for index, letter in enumerate(letters)
        if letter not in known or letter in letters[:index]
    )
    pairs = tuple(
        (letters.index(letter) - count, index - count) for index, letter in enumerate(letters) if letter in letters[:index]
    )
    start = "..." if "..." in wanted or any("..." in part for part in (output, *others)) else ""
    return ",".join([output, *others]) + "->" + start + "".join(kept), missing, pairs, ""


def last_stored(bar: Any, key: Any) -> Any:
    """``bar[key]`` for a store ``x[key] = e``: zero where the same element was set again by a later part of `e`.

    >>> last_stored(np.array([1.0, 2.0]), np.array([1, 1, 0]))
    array([0., 2., 1.])
    """
    order = np.full(np.shape(bar), -1)
    places = np.arange(np.size(bar[key])).reshape(np.shape(bar[key]))
    order[key] = places
    return np.where(order[key] == places, bar[key], 0.0)


def shadow_of_view(y_bar: Any, x_bar: Any, y: Any, x: Any) -> Any:
    """The shadow of ``y = x.reshape(…)`` and the like: the same of the shadow of `x` where `y` is a view of `x`, else zeros.

    >>> x = np.ones((2, 3))
    >>> x_bar = np.zeros_like(x)
    >>> shadows = [shadow_of_view(f(x_bar), x_bar, f(x), x) for f in (np.ravel, lambda x: np.ravel(x.T))]
    >>> [np.shares_memory(shadow, x_bar) for shadow in shadows]
    [True, False]
    """
    if not np.may_share_memory(y, x):
        return np.zeros_like(y, dtype=x_bar.dtype)
    if np.size(y) and not np.may_share_memory(y_bar, x_bar):
        raise NonDifferentiableError("an array and its adjoint lie differently in memory: copy the array before it is reshaped")
    y_bar.flags.writeable = True  # NumPy gives diagonals that cannot be written to
    return y_bar


def add_copied(x_bar: Any, y_bar: Any, order: Any = "C") -> None:
    """The adjoint of ``y = x.reshape(…)``, which was a copy if the shadows share no memory.

    >>> x_bar = np.zeros((2, 2))
    >>> add_copied(x_bar, np.ones(4))
    >>> x_bar
    array([[1., 1.],
           [1., 1.]])
    """
    if not np.may_share_memory(x_bar, y_bar):
        x_bar += y_bar.reshape(x_bar.shape, order=order)


def add_elements(shadow: list[Any], bar: Any) -> None:
    """Add the adjoints of the elements of an array to the shadow of the list that it was made of.

    >>> shadow = [[0.0, 1.0], [2.0, 3.0]]
    >>> add_elements(shadow, np.ones((2, 2)))
    >>> shadow == [[1.0, 2.0], [3.0, 4.0]]
    True
    """
    for i in range(len(shadow)):
        if isinstance(shadow[i], list):
            add_elements(shadow[i], bar[i])
        else:
            shadow[i] += bar[i]
