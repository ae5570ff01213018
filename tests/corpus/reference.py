"""Entries of the corpus, and their derivatives by means that have nothing to do with the transformer.

A derivative is given by hand, or found by running the very same program on mpmath numbers: while `extended` is active, `math`,
`numpy` and `float` in the corpus modules are stand-ins for numbers of 60 digits, and central differences with a
step of 1e-20 are exact to about 1e-35.
"""

import contextlib
import copy
import inspect
import math
import sys
import types
from dataclasses import dataclass, field
from typing import Any

import numpy
from mpmath import mp

from s2sad.testing.extended import DIGITS, extended_math, extended_numpy

STEP = "1e-20"
#: Second differences divide by the square of their step, third ones by its cube.
SECOND_STEP = "1e-14"
THIRD_STEP = "1e-10"


class KinkError(Exception):
    """The derivatives from the left and from the right differ."""


@dataclass(frozen=True, eq=False)
class Point:
    """What the function is called with."""

    arguments: tuple
    keywords: dict = field(default_factory=dict)

    def fresh(self):
        """Copies: a program may change what it is given only when it is called as a primal."""
        return copy.deepcopy(self.arguments), copy.deepcopy(self.keywords)


def at(*arguments, **keywords):
    """A point with keyword arguments."""
    return Point(arguments, keywords)


@dataclass(frozen=True, eq=False)
class Entry:
    """A program, where to differentiate it, with respect to what; `derivative` is the gradient by hand."""

    name: str
    function: Any
    points: tuple
    argnums: Any = 0
    derivative: Any = None
    #: The second derivative exists and can be found by running the program on mpmath numbers.
    smooth: bool = True
    rtol: float = 1e-9
    #: Why the program is refused, where it is: the whole of it, its second, or its third derivative. A refusal is an
    #: `S2sadError`.
    limit: str = ""
    second_limit: str = ""
    third_limit: str = ""
    #: The same of the second derivative by an argument that is a container.
    container_limit: str = ""

    def selected(self, point):
        """The places of `argnums` among the positional arguments."""
        names = self.argnums if isinstance(self.argnums, tuple) else (self.argnums,)
        order = list(inspect.signature(self.function).parameters)
        return [name if isinstance(name, int) else order.index(name) for name in names]

    def structure(self, parts):
        """One gradient, or a tuple of them."""
        return tuple(parts) if isinstance(self.argnums, tuple) else parts[0]


def collector(entries):
    """The function `add` of a corpus module."""

    def add(function, *points, name=None, **options):
        points = tuple(
            point if isinstance(point, Point) else Point(point if isinstance(point, tuple) else (point,)) for point in points
        )
        label = name or getattr(function, "__name__", type(function).__name__)
        assert label not in {entry.name for entry in entries}, label
        entries.append(Entry(label, function, points, **options))
        return function

    return add


def is_number(leaf):
    return isinstance(leaf, (int, float, mp.mpf)) and not isinstance(leaf, bool)


def leaves_of(structure):
    """The numbers in lists, tuples and dicts, in order."""
    if isinstance(structure, dict):
        return [leaf for part in structure.values() for leaf in leaves_of(part)]
    if isinstance(structure, (list, tuple)):
        return [leaf for part in structure for leaf in leaves_of(part)]
    return [structure] if is_number(structure) else []


def with_leaves(structure, leaves):
    """The structure with other numbers, taken from an iterator."""
    if isinstance(structure, dict):
        return {key: with_leaves(part, leaves) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        parts = [with_leaves(part, leaves) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)
    return next(leaves) if is_number(structure) else structure


def _spaces():
    return [
        vars(module)
        for name, module in list(sys.modules.items())
        if name.startswith("tests.") and isinstance(module, types.ModuleType)
    ]


def _stand_in(value, scalar, array):
    if value is math:
        return scalar
    if value is numpy:
        return array
    name = getattr(value, "__name__", "")
    if isinstance(value, types.BuiltinFunctionType) and getattr(math, name, None) is value:
        return getattr(scalar, name)
    if isinstance(value, numpy.ufunc):
        return getattr(array, name, value)
    return value


def _extended_float(x=0):
    return mp.mpf(x) if not isinstance(x, mp.mpf) else x


def _extended_round(x, digits=None):
    if not isinstance(x, mp.mpf):
        return round(x) if digits is None else round(x, digits)
    return int(mp.nint(x)) if digits is None else mp.nint(x * 10**digits) / mp.mpf(10) ** digits


def _extended_divmod(x, y):
    quotient = mp.floor(mp.mpf(x) / y)
    return quotient, x - y * quotient


@contextlib.contextmanager
def extended():
    """Inside, the programs of the corpus compute with 60 digits when they are given mpmath numbers."""
    scalar, array = extended_math(), extended_numpy()
    extra = {"float": _extended_float, "round": _extended_round, "divmod": _extended_divmod}
    changed = []
    with mp.workdps(DIGITS):
        for space in _spaces():
            if space is globals():
                continue
            swapped = {name: (value, _stand_in(value, scalar, array)) for name, value in list(space.items())}
            old = {name: value for name, (value, new) in swapped.items() if new is not value}
            added = [name for name in extra if name not in space and "corpus" in space.get("__name__", "")]
            changed.append((space, old, added))
            space.update({name: swapped[name][1] for name in old})
            space.update({name: extra[name] for name in added})
        try:
            yield
        finally:
            for space, old, added in changed:
                space.update(old)
                for name in added:
                    del space[name]


def _moved(entry, point, steps):
    """The arguments as mpmath numbers, those that are asked for moved by `steps` (an offset a leaf)."""
    arguments, keywords = point.fresh()
    selected = entry.selected(point)
    count = 0
    moved = list(arguments)
    for place in selected:
        leaves = leaves_of(moved[place])
        moved[place] = with_leaves(moved[place], iter([mp.mpf(x) + steps.get(count + k, 0) for k, x in enumerate(leaves)]))
        count += len(leaves)
    for place in set(range(len(moved))) - set(selected):
        moved[place] = with_leaves(
            moved[place], iter([mp.mpf(x) if isinstance(x, float) else x for x in leaves_of(moved[place])])
        )
    return moved, keywords


def _leaf_count(entry, point):
    return sum(len(leaves_of(point.arguments[place])) for place in entry.selected(point))


def _packed(entry, point, leaves):
    leaves = iter(leaves)
    return entry.structure([with_leaves(point.arguments[place], leaves) for place in entry.selected(point)])


def extended_gradient(entry, point):
    """By central differences of the program on mpmath numbers."""
    with extended():
        step = mp.mpf(STEP)

        def run(steps):
            arguments, keywords = _moved(entry, point, steps)
            return mp.mpf(entry.function(*arguments, **keywords))

        middle = run({})
        gradient = []
        for leaf in range(_leaf_count(entry, point)):
            above, below = run({leaf: step}), run({leaf: -step})
            right, left = (above - middle) / step, (middle - below) / step
            if abs(right - left) > mp.mpf("1e-8") * (1 + abs(right)):
                raise KinkError(f"{float(left)} on the left, {float(right)} on the right")
            gradient.append(float((above - below) / (2 * step)))
    return _packed(entry, point, gradient)


def extended_second_derivative(entry, point, leaf=0):
    """Of the program with respect to one leaf, twice."""
    with extended():
        step = mp.mpf(SECOND_STEP)

        def run(offset):
            arguments, keywords = _moved(entry, point, {leaf: offset})
            return mp.mpf(entry.function(*arguments, **keywords))

        return float((run(step) - 2 * run(0) + run(-step)) / step**2)


def extended_third_derivative(entry, point, leaf=0):
    """Of the program with respect to one leaf, three times."""
    with extended():
        step = mp.mpf(THIRD_STEP)

        def run(offset):
            arguments, keywords = _moved(entry, point, {leaf: offset * step})
            return mp.mpf(entry.function(*arguments, **keywords))

        return float((run(2) - 2 * run(1) + 2 * run(-1) - run(-2)) / (2 * step**3))


def ways_to_leaves(structure, way=""):
    """How each number is reached, as text: ``["layers"][0][1]``."""
    if isinstance(structure, (dict, list, tuple)):
        items = structure.items() if isinstance(structure, dict) else enumerate(structure)
        return [found for key, part in items for found in ways_to_leaves(part, f"{way}[{key!r}]")]
    return [way] if is_number(structure) else []


def extended_along(entry, point, place, weights, order):
    """The gradient by a container (`place` among those asked for), differentiated once or twice along `weights`: for each
    number in the container."""
    selected = entry.selected(point)
    before = sum(len(leaves_of(point.arguments[position])) for position in selected[:place])
    with extended():
        step = mp.mpf(SECOND_STEP if order == 2 else THIRD_STEP)

        def partial(leaf, along):
            def run(offset):
                steps = {before + k: along * weight for k, weight in enumerate(weights)}
                steps[before + leaf] += offset
                arguments, keywords = _moved(entry, point, steps)
                return mp.mpf(entry.function(*arguments, **keywords))

            return (run(step) - run(-step)) / (2 * step)

        found = []
        for leaf in range(len(weights)):
            above, below = partial(leaf, step), partial(leaf, -step)
            if order == 2:
                found.append(float((above - below) / (2 * step)))
            else:
                found.append(float((above - 2 * partial(leaf, 0) + below) / step**2))
    return with_leaves(point.arguments[selected[place]], iter(found))


def float_gradient(entry, point, start=2e-3, levels=6):
    """By central differences in plain floats, extrapolated (Neville): good to about 1e-8; the primal runs as it is."""

    def run(leaf, offset):
        arguments, keywords = point.fresh()
        selected, moved, count = entry.selected(point), list(arguments), 0
        for place in selected:
            leaves = leaves_of(moved[place])
            moved[place] = with_leaves(
                moved[place], iter([float(x) + (offset if count + k == leaf else 0.0) for k, x in enumerate(leaves)])
            )
            count += len(leaves)
        return entry.function(*moved, **keywords)

    gradient = []
    for leaf in range(_leaf_count(entry, point)):
        best, error, previous = 0.0, math.inf, []
        for level in range(levels):
            h = start / 2**level
            row = [(run(leaf, h) - run(leaf, -h)) / (2 * h)]
            for k, old in enumerate(previous):
                row.append(row[k] + (row[k] - old) / (4 ** (k + 1) - 1))
                if abs(row[-1] - row[-2]) < error:
                    best, error = row[-1], abs(row[-1] - row[-2])
            previous = row
        gradient.append(best)
    return _packed(entry, point, gradient)


def reference_gradient(entry, point):
    """By hand where that was done, else by running the program on mpmath numbers."""
    if entry.derivative is not None:
        arguments, keywords = point.fresh()
        return entry.derivative(*arguments, **keywords)
    return extended_gradient(entry, point)


def assert_same(got, want, rtol=1e-9, atol=1e-11, where="gradient"):
    """Same structure, numbers as near as asked, every one of them a float."""
    if isinstance(want, dict):
        assert isinstance(got, dict), f"{where}: {got!r}"
        assert list(got) == list(want), f"{where}: {got!r}"
        for key in want:
            assert_same(got[key], want[key], rtol, atol, f"{where}[{key!r}]")
    elif isinstance(want, (list, tuple)):
        assert type(got) is type(want), f"{where}: {got!r}"
        assert len(got) == len(want), f"{where}: {got!r}"
        for place, (one, other) in enumerate(zip(got, want, strict=True)):
            assert_same(one, other, rtol, atol, f"{where}[{place}]")
    elif is_number(want):
        assert isinstance(got, float), f"{where}: {got!r} is not a float"
        assert got == want or math.isclose(got, want, rel_tol=rtol, abs_tol=atol), f"{where}: got {got!r}, expected {want!r}"
