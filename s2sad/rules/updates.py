"""Models of functions and methods that change an array in place: what they store, as a store."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import ALLOCATES_FROM, declare_effects
from s2sad.rules.declare import model, zero_derivative

Array = Any


@model(np.copyto)
def copied_to(dst: Array, src: Array, casting: Any = "same_kind", where: Array = True) -> Array:
    if where is True:
        dst[...] = src
    else:
        chosen = np.broadcast_to(where, np.shape(dst))
        repeated = np.broadcast_to(src, np.shape(dst)).copy()  # a view cannot be kept for a second derivative
        dst[chosen] = repeated[chosen]


@model(np.ndarray.fill)
def filled(self: Array, value: Array) -> Array:
    self[...] = value


def _repeated(values: Array, count: Any) -> Array:
    """As many numbers as are stored, from the first again where there are fewer."""
    if np.ndim(values) == 0:
        return values
    return np.ravel(values)[np.arange(count) % np.size(values)]


@model(np.put, np.ndarray.put)
def put(a: Array, ind: Any, v: Array, mode: Any = "raise") -> Array:
    indices = np.ravel(np.asarray(ind))
    if mode == "clip":
        indices = np.clip(indices, 0, np.size(a) - 1)
    elif mode == "raise":
        indices = np.arange(np.size(a))[indices]
    a[np.unravel_index(indices % np.size(a), np.shape(a))] = _repeated(v, len(indices))


@model(np.putmask)
def put_where(a: Array, mask: Array, values: Array) -> Array:
    chosen = np.asarray(mask, dtype=bool)
    if np.ndim(values) == 0:
        a[chosen] = values
    else:
        a[chosen] = np.ravel(values)[np.flatnonzero(chosen) % np.size(values)]


@model(np.place)
def placed(arr: Array, mask: Array, vals: Array) -> Array:
    chosen = np.reshape(np.asarray(mask, dtype=bool), np.shape(arr))
    arr[chosen] = _repeated(vals, np.count_nonzero(chosen))


@model(np.put_along_axis)
def put_along_axis(arr: Array, indices: Array, values: Array, axis: Any = -1) -> Array:
    if axis is None:
        arr[np.unravel_index(indices % np.size(arr), np.shape(arr))] = values
    else:
        numbers = np.arange(np.size(arr)).reshape(np.shape(arr))
        places = np.take_along_axis(numbers, indices, axis)
        arr[np.unravel_index(places, np.shape(arr))] = values


# --- The attribute `flat`, which counts elements row by row wherever they lie ------------------------------------------------


def item_of_flat(a: Array, key: Any) -> Any:
    """``a.flat[key]``, a copy."""
    return a[np.unravel_index(np.arange(np.size(a))[key], np.shape(a))]


def store_in_flat(a: Array, key: Any, value: Array) -> None:
    """``a.flat[key] = value``"""
    places = np.asarray(np.arange(np.size(a))[key])
    numbers = np.ravel(np.asarray(value))
    stored = numbers[np.arange(np.size(places)) % np.size(numbers)]
    a[np.unravel_index(places, np.shape(a))] = np.reshape(stored, np.shape(places))


# --- Methods `at` of ufuncs: an element that is named twice is changed twice --------------------------------------------------


def _places(a: Array, indices: Any) -> Array:
    """The numbers of the elements that are named, in order."""
    return np.asarray(np.arange(np.size(a)).reshape(np.shape(a))[indices])


@model(np.multiply.at)
def multiplied_at(a: Array, indices: Any, b: Array) -> Array:
    places = _places(a, indices)
    turns = runtime.turns_of(places)
    factors = np.broadcast_to(b, np.shape(places))
    for turn in range(np.max(turns, initial=-1) + 1):
        now = turns == turn
        where = np.unravel_index(places[now], np.shape(a))
        a[where] = a[where] * factors[now]


@model(np.divide.at)
def divided_at(a: Array, indices: Any, b: Array) -> Array:
    places = _places(a, indices)
    turns = runtime.turns_of(places)
    divisors = np.broadcast_to(b, np.shape(places))
    for turn in range(np.max(turns, initial=-1) + 1):
        now = turns == turn
        where = np.unravel_index(places[now], np.shape(a))
        a[where] = a[where] / divisors[now]


@model(np.maximum.at)
def largest_at(a: Array, indices: Any, b: Array) -> Array:
    places = _places(a, indices)
    turns = runtime.turns_of(places)
    others = np.broadcast_to(b, np.shape(places))
    for turn in range(np.max(turns, initial=-1) + 1):
        now = turns == turn
        where = np.unravel_index(places[now], np.shape(a))
        a[where] = np.maximum(a[where], others[now])


@model(np.minimum.at)
def least_at(a: Array, indices: Any, b: Array) -> Array:
    places = _places(a, indices)
    turns = runtime.turns_of(places)
    others = np.broadcast_to(b, np.shape(places))
    for turn in range(np.max(turns, initial=-1) + 1):
        now = turns == turn
        where = np.unravel_index(places[now], np.shape(a))
        a[where] = np.minimum(a[where], others[now])


@model(np.negative.at)
def negated_at(a: Array, indices: Any) -> Array:
    places = _places(a, indices)
    turns = runtime.turns_of(places)
    for turn in range(np.max(turns, initial=-1) + 1):
        where = np.unravel_index(places[turns == turn], np.shape(a))
        a[where] = -a[where]


@model(np.fill_diagonal)
def diagonal_filled(a: Array, val: Array, wrap: Any = False) -> Array:
    if wrap or np.ndim(a) != 2:
        raise NotImplementedError("np.fill_diagonal() has a derivative for one diagonal of a matrix")
    along = np.arange(min(np.shape(a)))
    a[along, along] = _repeated(val, len(along))


@model(np.ndarray.sort)
def sorted_array(self: Array, axis: Any = -1, kind: Any = None) -> Array:
    self[...] = np.sort(self, axis)


@model(np.ndarray.partition)
def partitioned_in_place(self: Array, kth: Any, axis: Any = -1) -> Array:
    self[...] = np.partition(self, kth, axis)


zero_derivative(runtime.turns_of, runtime.sources_of_store)
declare_effects(ALLOCATES_FROM, runtime.turns_of, runtime.sources_of_store)
