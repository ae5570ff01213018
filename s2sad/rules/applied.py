"""Models of functions that apply a function of the user's to parts of an array, or make an array of what an iterator gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from s2sad.rules.declare import model

Array = Any


@model(np.piecewise)
def piecewise(x: Array, condlist: Any, funclist: Any) -> Array:
    y = np.zeros_like(x)
    if isinstance(condlist, np.ndarray):
        condlist = (condlist,)
    if len(funclist) > len(condlist):
        otherwise = funclist[-1]
        if callable(otherwise):
            y[...] = otherwise(x)
        else:
            y[...] = otherwise
    for condition, function in zip(condlist, funclist):  # noqa: B905
        if callable(function):
            y[condition] = function(x[condition])
        else:
            y[condition] = function
    return y


@model(np.apply_along_axis)
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Array) -> Array:
    rows = np.moveaxis(arr, axis, -1)
    results = [func1d(row) for row in rows.reshape(-1, rows.shape[-1])]
    made = np.array(results)
    made = made.reshape(rows.shape[:-1] + made.shape[1:])
    return made if np.ndim(results[0]) == 0 else np.moveaxis(made, -1, axis)


@model(np.fromiter)
def from_iterator(iter: Iterable[Any], dtype: Any, count: int = -1) -> Array:
    return np.array(list(iter), dtype)
