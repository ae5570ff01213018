"""Models of functions that apply a function of the user's to parts of an array, or make an array of what an iterator gives, or of
numbers between two ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from s2sad import runtime
from s2sad.errors import NonDifferentiableError
from s2sad.rules.declare import model, zero_derivative

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


@model(np.logspace)
def logspace(start: Array, stop: Array, num: int = 50, endpoint: bool = True, base: Array = 10.0) -> Array:
    return np.power(base, np.linspace(start, stop, num, endpoint))


@model(np.geomspace)
def geomspace(start: Array, stop: Array, num: int = 50, endpoint: bool = True) -> Array:
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    sign = np.sign(start)
    first, last = start / sign, stop / sign
    y = np.power(10.0, np.linspace(np.log10(first), np.log10(last), num, endpoint))
    # the ends are just what was asked for
    if num > 0:
        y[0] = first
    if num > 1 and endpoint:
        y[-1] = last
    return y * sign


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


zero_derivative(runtime.first_element)


def vectorized(function: Callable[..., Any], x: Any) -> Array:
    """``np.vectorize(function)(x)``: NumPy asks the first element, in a call of its own, what dtype the results have."""
    a = np.asarray(x)
    first = function(runtime.first_element(a))
    return _as_the_first([function(v) for v in a.ravel().tolist()], first).reshape(a.shape)


def vectorized_over_two(function: Callable[..., Any], x: Any, y: Any) -> Array:
    """``np.vectorize(function)(x, y)``"""
    shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    a, b = np.broadcast_to(x, shape).ravel(), np.broadcast_to(y, shape).ravel()
    first = function(runtime.first_element(a), runtime.first_element(b))
    results = [function(v, w) for v, w in zip(a.tolist(), b.tolist())]  # noqa: B905
    return _as_the_first(results, first).reshape(shape)


def _as_the_first(results: Any, first: Any) -> Array:
    """An array of the first result's dtype: if that is an integer, the others are cut off."""
    if isinstance(first, (float, np.floating)):
        return np.array(results, dtype=np.asarray(first).dtype)
    if isinstance(first, (bool, np.bool)):
        return np.array(results, dtype=bool)
    if isinstance(first, (int, np.int64)):
        return np.array(results, dtype=int)
    raise NonDifferentiableError(
        "np.vectorize is followed where its function gives a real number; write np.array([f(v) for v in x])"
    )


def part_of_number(number: Any, key: Any) -> Array:
    """``number[...]``, ``number[np.newaxis]``: NumPy's numbers are indexed as arrays without axes."""
    return np.array(number)[key]


def block_of(arrays: Any) -> Array:
    """``np.block(arrays)``, of a list of arrays or of rows of arrays."""
    if isinstance(arrays[0], (list, tuple)):
        rows = [np.concatenate([np.atleast_2d(a) for a in row], -1) for row in arrays]
        return np.concatenate(rows, -2)
    return np.concatenate([np.atleast_1d(a) for a in arrays], -1)
