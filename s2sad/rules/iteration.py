"""Models of built-in functions that go over their operands: `sum`, `math.prod`, `max` of an iterable, `map`, `sorted`, …

A model is ordinary supported Python. The primal calls the real function, so its result is bitwise Python's own; the derivative
is generated from the model.
"""

from __future__ import annotations

import bisect
import builtins
import functools
import math
import statistics
from typing import Any, Final

import numpy as np

from s2sad import runtime
from s2sad.ir.effects import ALLOCATES_FROM, CHECKS, READS, WRITES, declare_effects
from s2sad.rules.declare import model, not_implemented, zero_derivative

Anything = Any

#: Functions whose models give another rounding, or the mean of equal elements: the value is always the function's own.
_ROUNDED_OTHERWISE: Final = (
    *(builtins.sum, math.fsum, math.dist, getattr(math, "sumprod", math.fsum), builtins.max, builtins.min),
    *(statistics.mean, statistics.fmean, statistics.variance, statistics.pvariance, statistics.stdev, statistics.pstdev),
)


def is_rounded_otherwise(function: object) -> bool:
    """Whether a function's value must not be computed by its model."""
    return any(function is known for known in _ROUNDED_OTHERWISE)


# --- Rows and columns ---------------------------------------------------------------------------------------


def transposed(rows: Anything) -> Anything:
    """``zip(*rows)``, with lists for columns."""
    count = min([len(row) for row in rows], default=0)
    return [[row[j] for row in rows] for j in range(count)]


# --- Functions of as many numbers as there are --------------------------------------------------------------


def largest_of_all(first: Anything, second: Anything = (), third: Anything = (), **options: Anything) -> Anything:
    """``max(*first, *second, *third)``"""
    elements = list(first)
    elements.extend(second)
    elements.extend(third)
    if len(elements) == 1:
        raise TypeError(f"{type(elements[0]).__name__!r} object is not iterable")
    return max(elements, **options)


def smallest_of_all(first: Anything, second: Anything = (), third: Anything = (), **options: Anything) -> Anything:
    """``min(*first, *second, *third)``"""
    elements = list(first)
    elements.extend(second)
    elements.extend(third)
    if len(elements) == 1:
        raise TypeError(f"{type(elements[0]).__name__!r} object is not iterable")
    return min(elements, **options)


def length_of_all(first: Anything, second: Anything = (), third: Anything = ()) -> Anything:
    """``math.hypot(*first, *second, *third)``, which Python computes as it does a distance."""
    coordinates = list(first)
    coordinates.extend(second)
    coordinates.extend(third)
    return math.dist(coordinates, [0.0] * len(coordinates))


#: Functions that take any number of operands, as functions of up to three lists of these.
OF_ALL: Final[dict[object, Any]] = {max: largest_of_all, min: smallest_of_all, math.hypot: length_of_all}


# --- Sums and products --------------------------------------------------------------------------------------


@model(builtins.sum)
def sum_of(iterable: Anything, start: Anything = 0) -> Anything:
    total = start
    for element in iterable:
        total = total + element
    return total


def sum_of_objects(items: Anything) -> Anything:
    """The sum of objects: their class is asked what 0 and the first of them make, and what that and the next make."""
    total = 0 + items[0]
    for index in range(1, len(items)):
        total = total + items[index]
    return total


@model(math.fsum)
def accurate_sum_of(iterable: Anything) -> Anything:
    total = 0.0
    for element in iterable:
        total = total + element
    return total


@model(math.prod)
def product_of(iterable: Anything, *, start: Anything = 1) -> Anything:
    product = start
    for element in iterable:
        product = product * element
    return product


@model(math.dist, note="0 where the points coincide")
def distance(p: Anything, q: Anything) -> Anything:
    p = list(p)
    q = list(q)
    total = 0.0
    for i in range(len(p)):
        total = math.hypot(total, p[i] - q[i])  # neither overflow nor a singular square root
    return total


if hasattr(math, "sumprod"):  # Python 3.12

    @model(math.sumprod)
    def sum_of_products(p: Anything, q: Anything) -> Anything:
        p = list(p)
        q = list(q)
        total = 0.0
        for i in range(len(p)):
            total = total + p[i] * q[i]
        return total


@model(functools.reduce, overload=True)
def reduced(function: Anything, iterable: Anything) -> Anything:
    elements = list(iterable)
    accumulated = elements[0]
    for i in range(1, len(elements)):
        accumulated = function(accumulated, elements[i])
    return accumulated


@model(functools.reduce, overload=True)
def reduced_from(function: Anything, iterable: Anything, initial: Anything) -> Anything:
    accumulated = initial
    for element in iterable:
        accumulated = function(accumulated, element)
    return accumulated


# --- The largest and the smallest ---------------------------------------------------------------------------


@model(builtins.max, overload=True, note="ties share equally")
def max_of_iterable(iterable: Anything) -> Anything:
    elements = iterable if isinstance(iterable, list) else list(iterable)
    if isinstance(elements[0], (int, float, np.generic, np.ndarray)):
        best = runtime.largest(elements)
        ties = elements.count(best)
        total = 0.0
        for element in elements:
            if element == best:
                total = total + element
        return total / ties if best == best else best  # nan equals nothing
    best = elements[0]
    for element in elements:
        if element > best:
            best = element
    return best


@model(builtins.min, overload=True, note="ties share equally")
def min_of_iterable(iterable: Anything) -> Anything:
    elements = iterable if isinstance(iterable, list) else list(iterable)
    if isinstance(elements[0], (int, float, np.generic, np.ndarray)):
        best = runtime.least(elements)
        ties = elements.count(best)
        total = 0.0
        for element in elements:
            if element == best:
                total = total + element
        return total / ties if best == best else best  # nan equals nothing
    best = elements[0]
    for element in elements:
        if element < best:
            best = element
    return best


@model(builtins.max, overload=True)
def max_of_iterable_or(iterable: Anything, *, default: Anything) -> Anything:
    elements = list(iterable)
    return max(elements) if len(elements) > 0 else default


@model(builtins.min, overload=True)
def min_of_iterable_or(iterable: Anything, *, default: Anything) -> Anything:
    elements = list(iterable)
    return min(elements) if len(elements) > 0 else default


@model(builtins.max, overload=True, note="the first of several with the largest key")
def max_by_key(iterable: Anything, *, key: Anything) -> Anything:
    elements = list(iterable)
    if key is None:
        return max(elements)
    best = 0
    best_key = key(elements[0])
    for i in range(1, len(elements)):
        element_key = key(elements[i])
        if element_key > best_key:
            best = i
            best_key = element_key
    return elements[best]


@model(builtins.min, overload=True, note="the first of several with the smallest key")
def min_by_key(iterable: Anything, *, key: Anything) -> Anything:
    elements = list(iterable)
    if key is None:
        return min(elements)
    best = 0
    best_key = key(elements[0])
    for i in range(1, len(elements)):
        element_key = key(elements[i])
        if element_key < best_key:
            best = i
            best_key = element_key
    return elements[best]


@model(builtins.max, overload=True)
def max_by_key_or(iterable: Anything, *, key: Anything, default: Anything) -> Anything:
    elements = list(iterable)
    return max(elements, key=key) if len(elements) > 0 else default


@model(builtins.min, overload=True)
def min_by_key_or(iterable: Anything, *, key: Anything, default: Anything) -> Anything:
    elements = list(iterable)
    return min(elements, key=key) if len(elements) > 0 else default


@model(builtins.max, overload=True)
def max_of_arguments_by_key(first: Anything, second: Anything, *others: Anything, key: Anything) -> Anything:
    return max([first, second, *others], key=key)


@model(builtins.min, overload=True)
def min_of_arguments_by_key(first: Anything, second: Anything, *others: Anything, key: Anything) -> Anything:
    return min([first, second, *others], key=key)


# --- Sorting ---------------------------------------------------------------------------------------


@model(builtins.sorted)
def sorted_elements(iterable: Anything, *, key: Anything = None, reverse: Anything = False) -> Anything:
    elements = list(iterable)
    keys = elements if key is None else [key(element) for element in elements]
    return [elements[i] for i in runtime.order_of(keys, reverse)]


zero_derivative(bisect.bisect_left, bisect.bisect_right)
zero_derivative(runtime.order_of, runtime.indices_of, runtime.bounds_of, runtime.largest, runtime.least)
zero_derivative(runtime.zeros_like_array, runtime.hold_in_arrays)
zero_derivative(runtime.zeros_like_in_arrays, runtime.zeros_like_with_views_in_arrays)
zero_derivative(runtime.zeros_like, runtime.zeros_like_with_views, runtime.zeros_like_all, runtime.Shadow, runtime.check_result)
not_implemented(
    runtime.contents_of_arrays,
    reason="the function changes arrays in a container outside of it, which only its first derivative follows",
    instead="the container as an argument",
)
zero_derivative(runtime.imaginary_part)
zero_derivative(runtime.check_array, runtime.check_number, runtime.check_apart, runtime.check_one_array)
declare_effects(READS, bisect.bisect_left, bisect.bisect_right)
declare_effects(READS, runtime.indices_of, runtime.bounds_of)
declare_effects(WRITES, runtime.hold_in_arrays, runtime.put_back)
declare_effects(CHECKS, runtime.real_part, runtime.imaginary_part)
declare_effects(CHECKS, runtime.check_array, runtime.check_number, runtime.check_apart, runtime.check_one_array)
declare_effects(READS, runtime.largest, runtime.least)
declare_effects(
    ALLOCATES_FROM,
    runtime.contents_of_arrays,
    runtime.order_of,
    runtime.zeros_like,
    runtime.zeros_like_in_arrays,
    runtime.zeros_like_with_views,
    runtime.zeros_like_with_views_in_arrays,
    runtime.zeros_like_all,
    runtime.Shadow,
)
