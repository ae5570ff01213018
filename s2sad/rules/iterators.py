"""Models of functions that give iterators: `map`, `filter`, those of `itertools`, and `np.ndenumerate`. Each gives the list of
the elements, which stands for the iterator where that is read once."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np

from s2sad.ir.effects import READS, declare_effects
from s2sad.rules.declare import model

Anything = Any

# ruff: noqa: B905 (they stop at the shortest)


@model(builtins.map, overload=True, iterator=True)
def mapped(function: Anything, iterable: Anything) -> Anything:
    return [function(element) for element in iterable]


@model(builtins.map, overload=True, iterator=True)
def mapped_over_two(function: Anything, first: Anything, second: Anything) -> Anything:
    return [function(x, y) for x, y in zip(first, second)]


@model(builtins.map, overload=True, iterator=True)
def mapped_over_three(function: Anything, first: Anything, second: Anything, third: Anything) -> Anything:
    return [function(x, y, z) for x, y, z in zip(first, second, third)]


@model(itertools.starmap, iterator=True)
def starmapped(function: Anything, iterable: Anything) -> Anything:
    return [function(*operands) for operands in iterable]


@model(builtins.filter, iterator=True)
def filtered(function: Anything, iterable: Anything) -> Anything:
    if function is None:
        return [element for element in iterable if element]
    return [element for element in iterable if function(element)]


@model(itertools.filterfalse, iterator=True)
def rejected(function: Anything, iterable: Anything) -> Anything:
    if function is None:
        return [element for element in iterable if not element]
    return [element for element in iterable if not function(element)]


@model(itertools.compress, iterator=True)
def compressed(data: Anything, selectors: Anything) -> Anything:
    return [element for element, selector in zip(data, selectors) if selector]


@model(itertools.takewhile, iterator=True)
def taken(predicate: Anything, iterable: Anything) -> Anything:
    elements = []
    for element in iterable:
        if not predicate(element):
            break
        elements.append(element)
    return elements


@model(itertools.dropwhile, iterator=True)
def dropped(predicate: Anything, iterable: Anything) -> Anything:
    elements = []
    drops = True
    for element in iterable:
        if drops and predicate(element):
            continue
        drops = False
        elements.append(element)
    return elements


@model(itertools.islice, overload=True, iterator=True)
def sliced_up_to(iterable: Anything, stop: Anything) -> Anything:
    if stop is not None and stop < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    return list(iterable)[:stop]


@model(itertools.islice, overload=True, iterator=True)
def sliced_from(iterable: Anything, start: Anything, stop: Anything, step: Anything = None) -> Anything:
    if (start is not None and start < 0) or (stop is not None and stop < 0) or (step is not None and step < 1):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    return list(iterable)[start:stop:step]


@model(itertools.chain, overload=True, iterator=True)
def chained_two(first: Anything, second: Anything) -> Anything:
    return [*first, *second]


@model(itertools.chain, overload=True, iterator=True)
def chained_three(first: Anything, second: Anything, third: Anything) -> Anything:
    return [*first, *second, *third]


@model(itertools.chain, overload=True, iterator=True)
def chained(*iterables: Anything) -> Anything:
    return [element for iterable in iterables for element in iterable]


@model(itertools.chain.from_iterable, iterator=True)
def flattened(iterable: Anything) -> Anything:
    return [element for inner in iterable for element in inner]


@model(np.ndenumerate, iterator=True)
def enumerated(arr: Anything) -> Anything:
    a = np.asarray(arr)
    return [(index, a[index]) for index in np.ndindex(a.shape)]


@model(itertools.product, overload=True, iterator=True)
def product_of_one(iterable: Anything) -> Anything:
    return [(x,) for x in iterable]


@model(itertools.product, overload=True, iterator=True)
def product_of_two(first: Anything, second: Anything) -> Anything:
    first = list(first)
    second = list(second)
    return [(x, y) for x in first for y in second]


@model(itertools.product, overload=True, iterator=True)
def product_of_three(first: Anything, second: Anything, third: Anything) -> Anything:
    first = list(first)
    second = list(second)
    third = list(third)
    return [(x, y, z) for x in first for y in second for z in third]


@model(itertools.product, overload=True, iterator=True)
def product_of_four(first: Anything, second: Anything, third: Anything, fourth: Anything) -> Anything:
    first = list(first)
    second = list(second)
    third = list(third)
    fourth = list(fourth)
    return [(x, y, z, u) for x in first for y in second for z in third for u in fourth]


@model(itertools.accumulate, overload=True, iterator=True)
def accumulated(iterable: Anything) -> Anything:
    totals = list(iterable)
    for i in range(1, len(totals)):
        totals[i] = totals[i - 1] + totals[i]
    return totals


@model(itertools.accumulate, overload=True, iterator=True)
def accumulated_by(iterable: Anything, func: Anything) -> Anything:
    totals = list(iterable)
    for i in range(1, len(totals)):
        totals[i] = totals[i - 1] + totals[i] if func is None else func(totals[i - 1], totals[i])
    return totals


@model(itertools.accumulate, overload=True, iterator=True)
def accumulated_from(iterable: Anything, func: Anything = None, *, initial: Anything) -> Anything:
    totals = [*iterable] if initial is None else [initial, *iterable]
    for i in range(1, len(totals)):
        totals[i] = totals[i - 1] + totals[i] if func is None else func(totals[i - 1], totals[i])
    return totals


@model(itertools.pairwise, iterator=True)
def neighbours(iterable: Anything) -> Anything:
    elements = list(iterable)
    return [(elements[i], elements[i + 1]) for i in range(len(elements) - 1)]


@model(itertools.zip_longest, iterator=True)
def zipped_to_longest(first: Anything, second: Anything, *, fillvalue: Anything = None) -> Anything:
    x = list(first)
    y = list(second)
    return [(x[i] if i < len(x) else fillvalue, y[i] if i < len(y) else fillvalue) for i in range(max(len(x), len(y)))]


# --- Tuples whose length is an operand: a model for each literal --------------------------------------------


@model(itertools.product, overload=True, iterator=True, literals={"repeat": 2})
def product_with_itself(iterable: Anything, *, repeat: Anything) -> Anything:
    elements = list(iterable)
    return [(x, y) for x in elements for y in elements]


@model(itertools.product, overload=True, iterator=True, literals={"repeat": 3})
def product_with_itself_twice(iterable: Anything, *, repeat: Anything) -> Anything:
    elements = list(iterable)
    return [(x, y, z) for x in elements for y in elements for z in elements]


@model(itertools.product, overload=True, iterator=True, literals={"repeat": 4})
def product_with_itself_three_times(iterable: Anything, *, repeat: Anything) -> Anything:
    elements = list(iterable)
    return [(x, y, z, u) for x in elements for y in elements for z in elements for u in elements]


@model(itertools.combinations, overload=True, iterator=True, literals={"r": 2})
def pairs(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j]) for i in range(len(x)) for j in range(i + 1, len(x))]


@model(itertools.combinations, overload=True, iterator=True, literals={"r": 3})
def triples(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    n = len(x)
    return [(x[i], x[j], x[k]) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]


@model(itertools.combinations, overload=True, iterator=True, literals={"r": 4})
def quadruples(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j], x[k], x[m]) for i, j, k, m in itertools.combinations(range(len(x)), 4)]


@model(itertools.combinations_with_replacement, overload=True, iterator=True, literals={"r": 2})
def pairs_with_replacement(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j]) for i in range(len(x)) for j in range(i, len(x))]


@model(itertools.combinations_with_replacement, overload=True, iterator=True, literals={"r": 3})
def triples_with_replacement(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j], x[k]) for i, j, k in itertools.combinations_with_replacement(range(len(x)), 3)]


@model(itertools.permutations, overload=True, iterator=True, literals={"r": 2})
def ordered_pairs(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j]) for i in range(len(x)) for j in range(len(x)) if i != j]


@model(itertools.permutations, overload=True, iterator=True, literals={"r": 3})
def ordered_triples(iterable: Anything, r: Anything) -> Anything:
    x = list(iterable)
    return [(x[i], x[j], x[k]) for i, j, k in itertools.permutations(range(len(x)), 3)]


# --- next ---------------------------------------------------------------------------------------------------


def first_of(iterable: Anything) -> Anything:
    """``next`` of an iterator that was not read before."""
    for element in iterable:
        return element
    raise StopIteration


def first_of_or(iterable: Anything, default: Anything) -> Anything:
    """``next`` with a default, of an iterator that was not read before."""
    for element in iterable:
        return element
    return default


declare_effects(READS, itertools.count, itertools.repeat, itertools.cycle)
