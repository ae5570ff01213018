"""Models of functions and methods that change an array in place: what they store, as a store."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.rules.declare import model

Array = Any


@model(np.copyto)
def copied_to(dst: Array, src: Array, casting: Any = "same_kind", where: Array = True) -> Array:
    if where is True:
        dst[...] = src
    else:
        chosen = np.broadcast_to(where, np.shape(dst))
        dst[chosen] = np.broadcast_to(src, np.shape(dst))[chosen]


@model(np.ndarray.fill)
def filled(self: Array, value: Array) -> Array:
    self[...] = value


@model(np.put, np.ndarray.put)
def put(a: Array, ind: Array, v: Array, mode: Any = "raise") -> Array:
    size = np.size(a)
    places = np.unravel_index(np.asarray(ind) % size, np.shape(a))
    a[places] = v if np.ndim(v) == 0 else np.reshape(v, np.shape(ind))


@model(np.putmask)
def put_where(a: Array, mask: Array, values: Array) -> Array:
    a[mask] = values if np.ndim(values) == 0 else values[mask]


@model(np.fill_diagonal)
def diagonal_filled(a: Array, val: Array, wrap: Any = False) -> Array:
    along = np.arange(min(np.shape(a)))
    a[along, along] = val


@model(np.ndarray.sort)
def sorted_array(self: Array, axis: Any = -1, kind: Any = None) -> Array:
    self[...] = np.sort(self, axis)


@model(np.ndarray.partition)
def partitioned_in_place(self: Array, kth: Any, axis: Any = -1) -> Array:
    self[...] = np.partition(self, kth, axis)
