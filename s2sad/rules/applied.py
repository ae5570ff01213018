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


# --- What is called in place of a function: lists of numbers, and blocks -----------------------------------------------------


def to_list(x: Array) -> Any:
    """``x.tolist()`` of an array with axes."""
    if x.ndim == 1:
        return [v.item() for v in x]
    if x.ndim == 2:
        return [[v.item() for v in row] for row in x]
    raise NotImplementedError(".tolist() has a derivative for arrays of up to two axes; loop over the array itself")


def block_of(arrays: Any) -> Array:
    """``np.block(arrays)``, of a list of arrays or of rows of arrays."""
    if isinstance(arrays[0], (list, tuple)):
        rows = [np.concatenate([np.atleast_2d(a) for a in row], -1) for row in arrays]
        return np.concatenate(rows, -2)
    return np.concatenate([np.atleast_1d(a) for a in arrays], -1)
