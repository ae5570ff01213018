"""Derivatives of array programs by differences: the very same program is run in extended precision.

While `wide_numpy` is active, `np` in the corpus modules makes buffers of `longdouble`, and arguments are `longdouble` arrays.
Central differences on a grid of steps are extrapolated (Neville); the spread of the extrapolations tells how good they are: about
1e-15 where all is smooth, and about 1e-12 where a float64 buffer, `float()` or LAPACK rounds in between.
"""

import contextlib
import copy
import functools
import inspect
import sys
import types
from dataclasses import dataclass

import numpy
import numpy as np

from tests.corpus.reference import Entry, Point

WIDE = np.longdouble
#: The largest step, and how many there are, each half of the one before.
STEP, LEVELS = 0.01, 6


@dataclass(frozen=True, eq=False)
class ArrayPoint(Point):
    """`build` makes what the function is called with from `arguments`: views of them, or objects that hold them."""

    build: object = None


@dataclass(frozen=True, eq=False)
class ArrayEntry(Entry):
    """A program with arrays. `wide` is False where `longdouble` will not do."""

    wide: bool = True


def at(*arguments, build=None, **keywords):
    """A point with keyword arguments, or one whose arguments are built from others."""
    return ArrayPoint(arguments, keywords, build)


def collector(entries):
    """The function `add` of a corpus module."""

    def add(function, *points, name=None, **options):
        points = tuple(p if isinstance(p, Point) else ArrayPoint(p if isinstance(p, tuple) else (p,)) for p in points)
        label = name or function.__name__
        assert label not in {entry.name for entry in entries}, label
        assert points, label
        entries.append(ArrayEntry(label, function, points, **options))
        return function

    return add


def _waves(n, start):
    """Numbers between -1 and 1 without ties; as a matrix they have full rank."""
    k = np.arange(n)
    return np.sin(1.0 + start + 2.3 * k + 0.37 * k * k)


def vector(n, start=0.0):
    """Numbers between -1.2 and 1.2, both signs."""
    return 1.2 * _waves(n, start)


def matrix(n, m, start=0.0):
    return vector(n * m, start).reshape(n, m)


def positive(*shape, start=0.0):
    """Numbers between 0.4 and 2."""
    return (1.2 + 0.8 * _waves(int(np.prod(shape)), start)).reshape(shape)


# Structures


def is_leaf(value):
    """An array of numbers, or a number."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu"
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def leaves_of(structure):
    """The arrays and numbers in lists, tuples and dicts, in order."""
    if isinstance(structure, dict):
        return [leaf for part in structure.values() for leaf in leaves_of(part)]
    if isinstance(structure, (list, tuple)):
        return [leaf for part in structure for leaf in leaves_of(part)]
    return [structure] if is_leaf(structure) else []


def map_leaves(function, structure):
    """The structure with other leaves; tuples with names stay what they are."""
    if isinstance(structure, dict):
        return {key: map_leaves(function, part) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        parts = [map_leaves(function, part) for part in structure]
        return structure._make(parts) if hasattr(structure, "_make") else type(structure)(parts)
    return function(structure) if is_leaf(structure) else structure


# NumPy in extended precision


class _WideLinalg(types.ModuleType):
    """`numpy.linalg` for `longdouble`: LAPACK computes in float64."""

    def __getattr__(self, name):
        function = getattr(numpy.linalg, name)
        if not callable(function) or isinstance(function, type):
            return function

        @functools.wraps(function)
        def narrowed(*arguments, **keywords):
            results = function(
                *(a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype == WIDE else a for a in arguments), **keywords
            )
            return map_leaves(lambda r: r.astype(WIDE) if r.dtype == np.float64 else r, results)

        return narrowed


class _WideNumpy(types.ModuleType):
    """`numpy`, but what makes float64 by default, or is asked for a smaller float, makes `longdouble`."""

    linalg = _WideLinalg("linalg")
    float64 = float32 = float16 = WIDE
    _MAKERS = ("zeros", "ones", "empty", "full", "eye", "identity", "linspace", "array", "asarray", "arange")

    def __getattr__(self, name):
        function = getattr(numpy, name)
        if name not in self._MAKERS:
            return function

        @functools.wraps(function)
        def widened(*arguments, **keywords):
            if keywords.get("dtype") in (float, "float64", "float32"):
                keywords["dtype"] = WIDE
            result = function(*arguments, **keywords)
            return result.astype(WIDE) if result.dtype == np.float64 else result

        return widened


WIDE_NUMPY = _WideNumpy("numpy")


@contextlib.contextmanager
def wide_numpy():
    """Inside, `np` in the corpus modules of array programs computes in extended precision."""
    spaces = [vars(m) for name, m in list(sys.modules.items()) if name.startswith(("tests.corpus.arrays_", "benchmarks.array"))]
    changed = [(space, name) for space in spaces for name, value in space.items() if value is numpy]
    for space, name in changed:
        space[name] = WIDE_NUMPY
    try:
        yield
    finally:
        for space, name in changed:
            space[name] = numpy


def _as_wide(leaf):
    if isinstance(leaf, np.ndarray):
        return leaf.astype(WIDE)
    return WIDE(leaf)


def prepared(entry, point, directions, t):
    """Fresh arguments, what is asked for moved by `t` times `directions` (one for each leaf, None to leave it)."""
    arguments, keywords = copy.deepcopy((point.arguments, point.keywords))
    selected = chosen(entry, point)
    left = iter(directions)
    seen = {}

    def move(leaf):
        direction = next(left)
        # One array passed twice is moved once, and stays one array
        if isinstance(leaf, np.ndarray) and id(leaf) in seen:
            return seen[id(leaf)]
        new = _as_wide(leaf) if entry.wide else leaf.astype(np.float64) if isinstance(leaf, np.ndarray) else float(leaf)
        if direction is not None and isinstance(new, np.ndarray):
            # In place: the array keeps its layout, which decides what is a view of it
            new += t * direction
        elif direction is not None:
            new = type(new)(new + t * direction)
        seen[id(leaf)] = new
        return new

    def widen(leaf):
        if isinstance(leaf, np.ndarray) and id(leaf) in seen:
            return seen[id(leaf)]
        floating = isinstance(leaf, (float, np.floating)) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
        return _as_wide(leaf) if entry.wide and floating else leaf

    moved = {place: map_leaves(move, arguments[place]) for place in selected}
    moved |= {place: map_leaves(widen, a) for place, a in enumerate(arguments) if place not in moved}
    arguments = tuple(moved[place] for place in range(len(arguments)))
    return (point.build(*arguments) if getattr(point, "build", None) else arguments), map_leaves(widen, keywords)


def chosen(entry, point):
    """The places of what is asked for among `point.arguments`."""
    names = entry.argnums if isinstance(entry.argnums, tuple) else (entry.argnums,)
    if getattr(point, "build", None):
        assert len(point.arguments) == 1, "what is built is built from one array"
        return [0]
    if all(isinstance(name, int) for name in names):
        return list(names)
    order = list(inspect.signature(entry.function).parameters)
    return [name if isinstance(name, int) else order.index(name) for name in names]


def fresh(point):
    """Arguments and keywords to call with."""
    arguments, keywords = copy.deepcopy((point.arguments, point.keywords))
    return (point.build(*arguments) if getattr(point, "build", None) else arguments), keywords


def primal(entry, point, directions, t):
    """The program's value at a moved point, in extended precision."""
    context = wide_numpy() if entry.wide else contextlib.nullcontext()
    with context:
        arguments, keywords = prepared(entry, point, directions, t)
        return WIDE(entry.function(*arguments, **keywords))


def _neville(quotients):
    """The best of all extrapolations to step 0, and how far the next best is from it."""
    best, error, previous = quotients[0], WIDE(np.inf), []
    for quotient in quotients:
        row = [quotient]
        for k, old in enumerate(previous):
            row.append(row[k] + (row[k] - old) / (4 ** (k + 1) - 1))
            spread = max(abs(row[-1] - row[-2]), abs(row[-1] - old))
            if spread < error:
                best, error = row[-1], spread
        previous = row
    return best, error


def first_difference(entry, point, directions):
    """The derivative along `directions`, and its error."""
    steps = [WIDE(STEP) / 2**level for level in range(LEVELS)]
    return _neville([(primal(entry, point, directions, h) - primal(entry, point, directions, -h)) / (2 * h) for h in steps])


def second_difference(entry, point, directions):
    """The second derivative along `directions`, and its error."""
    middle = primal(entry, point, directions, WIDE(0))
    steps = [WIDE(STEP) / 2**level for level in range(LEVELS - 1)]
    return _neville(
        [(primal(entry, point, directions, h) - 2 * middle + primal(entry, point, directions, -h)) / h**2 for h in steps]
    )


def asked_for(entry, point):
    """The leaves of what is asked for."""
    return [leaf for place in chosen(entry, point) for leaf in leaves_of(point.arguments[place])]


def _unit(leaf, index):
    direction = np.zeros(np.shape(leaf), dtype=WIDE)
    direction[index] = 1
    return direction if isinstance(leaf, np.ndarray) else direction[()]


@functools.cache
def reference_gradient(entry, point):
    """One array for each leaf that is asked for; the largest error."""
    leaves = asked_for(entry, point)
    gradients, largest = [], 0.0
    for place, leaf in enumerate(leaves):
        gradient = np.zeros(np.shape(leaf))
        for index in np.ndindex(np.shape(leaf)):
            directions = [_unit(leaf, index) if k == place else None for k in range(len(leaves))]
            gradient[index], error = first_difference(entry, point, directions)
            largest = max(largest, float(error) / (1 + abs(gradient[index])))
        gradients.append(gradient)
    return gradients, largest


@functools.cache
def reference_second(entry, point):
    """The gradient of the sum of all of the gradient; the largest error."""
    leaves = asked_for(entry, point)
    ones = [np.ones(np.shape(leaf), dtype=WIDE)[()] for leaf in leaves]
    gradients, largest = [], 0.0
    for place, leaf in enumerate(leaves):
        gradient = np.zeros(np.shape(leaf))
        for index in np.ndindex(np.shape(leaf)):
            unit = _unit(leaf, index)
            above, e = second_difference(entry, point, [one + unit if k == place else one for k, one in enumerate(ones)])
            below, f = second_difference(entry, point, [one - unit if k == place else one for k, one in enumerate(ones)])
            gradient[index] = (above - below) / 4
            largest = max(largest, float(e + f) / (1 + abs(gradient[index])))
        gradients.append(gradient)
    return gradients, largest
