"""Every program of the corpus: value, gradient, second derivative; arguments untouched."""

import itertools
import linecache
import struct

import pytest

from s2sad import S2sadError, grad, value_and_grad
from tests.corpus import (
    caching,
    combinatorics,
    containers,
    control_flow,
    functions,
    heaps,
    hygiene,
    implicit,
    iterators,
    iterators_in_parts,
    mathematics,
    mutual_recursion,
    nested_lists,
    objects,
    operators,
    optional_tuples,
    outside,
    recursion,
    sources,
    starred,
    statements,
    tables,
)
from tests.corpus.reference import (
    Point,
    assert_same,
    extended_along,
    extended_gradient,
    extended_second_derivative,
    extended_third_derivative,
    is_number,
    leaves_of,
    reference_gradient,
    ways_to_leaves,
)

MODULES = (
    sources,
    statements,
    control_flow,
    functions,
    heaps,
    recursion,
    mutual_recursion,
    containers,
    iterators,
    iterators_in_parts,
    combinatorics,
    objects,
    operators,
    outside,
    starred,
    tables,
    mathematics,
    nested_lists,
    optional_tuples,
    hygiene,
    implicit,
    caching,
)
_COUNTER = itertools.count()
ALL = [(module, entry) for module in MODULES for entry in module.ENTRIES]


def marks_of(reason):
    """What is refused must be refused by name, until it is supported."""
    return [pytest.mark.xfail(reason=reason, raises=S2sadError, strict=True)] if reason else []


def points_of(reason_of):
    return [
        pytest.param(
            entry, point, id=f"{module.__name__.rpartition('.')[2]}-{entry.name}-{place}", marks=marks_of(reason_of(entry))
        )
        for module, entry in ALL
        for place, point in enumerate(entry.points)
    ]


POINTS = points_of(lambda entry: entry.limit)
THIRD = [p for p in points_of(lambda entry: entry.limit or entry.second_limit or entry.third_limit) if p.values[0].smooth]
SECOND = [p for p in points_of(lambda entry: entry.limit or entry.second_limit) if p.values[0].smooth]


def wrt(entry, place):
    """`argnums` of one of the arguments asked for."""
    return entry.argnums[place] if isinstance(entry.argnums, tuple) else entry.argnums


def test_the_corpus_is_large():
    assert len(ALL) > 250


@pytest.mark.parametrize(
    ("entry", "point"),
    [pytest.param(*p.values, id=p.id) for p in POINTS if p.values[0].smooth and p.values[0].derivative is not None],
)
def test_derivatives_by_hand(entry, point):
    assert_same(extended_gradient(entry, point), reference_gradient(entry, point), max(1e-9, entry.rtol), 1e-11)


@pytest.mark.parametrize(("entry", "point"), POINTS)
def test_value_and_gradient(entry, point):
    arguments, keywords = point.fresh()
    primal = entry.function(*arguments, **keywords)
    arguments, keywords = point.fresh()
    before = repr((arguments, keywords)) if not any(callable(a) or hasattr(a, "__dict__") for a in arguments) else None
    value, gradient = value_and_grad(entry.function, entry.argnums)(*arguments, **keywords)
    assert type(value) is type(primal)
    assert struct.pack("d", value) == struct.pack("d", primal)
    if before is not None:
        assert repr((arguments, keywords)) == before
    assert_same(gradient, reference_gradient(entry, point), entry.rtol, 1e-11)


@pytest.mark.sampled
@pytest.mark.parametrize(("entry", "point"), POINTS)
def test_gradient_alone_and_repeated(entry, point):
    derivative = grad(entry.function, argnums=entry.argnums)
    want = reference_gradient(entry, point)
    for _ in range(2):
        arguments, keywords = point.fresh()
        assert_same(derivative(*arguments, **keywords), want, entry.rtol, 1e-11)


def _scalar_places(entry, point):
    for place, position in enumerate(entry.selected(point)):
        if position < len(point.arguments) and is_number(point.arguments[position]):
            yield place, position


@pytest.mark.sampled
@pytest.mark.parametrize(("entry", "point"), SECOND)
def test_second_derivative(entry, point):
    for place, position in _scalar_places(entry, point):
        arguments, keywords = point.fresh()
        second = grad(grad(entry.function, wrt(entry, place)), wrt(entry, place))(*arguments, **keywords)
        selected = entry.selected(point)
        leaf = sum(len(leaves_of(point.arguments[p])) for p in selected[: selected.index(position)])
        assert_same(second, extended_second_derivative(entry, point, leaf), max(1e-7, entry.rtol), 1e-8, "second derivative")


@pytest.mark.sampled
@pytest.mark.parametrize(("entry", "point"), [p for p in SECOND if p.id.endswith("-0")])
def test_second_derivative_by_differences_of_the_first(entry, point):
    for place, position in _scalar_places(entry, point):
        if not isinstance(point.arguments[position], float):
            continue
        first = grad(entry.function, wrt(entry, place))

        def moved(step):
            arguments, keywords = point.fresh()
            arguments = [a + step if p == position else a for p, a in enumerate(arguments)]
            return first(*arguments, **keywords)

        h = 1e-4
        differences = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)
        arguments, keywords = point.fresh()
        assert_same(grad(first, wrt(entry, place))(*arguments, **keywords), differences, 1e-6, 1e-6, "second derivative")


@pytest.mark.sampled
@pytest.mark.parametrize(("entry", "point"), THIRD)
def test_third_derivative(entry, point):
    for place, position in _scalar_places(entry, point):
        arguments, keywords = point.fresh()
        third = grad(grad(grad(entry.function, wrt(entry, place)), wrt(entry, place)), wrt(entry, place))(*arguments, **keywords)
        selected = entry.selected(point)
        leaf = sum(len(leaves_of(point.arguments[p])) for p in selected[: selected.index(position)])
        assert_same(third, extended_third_derivative(entry, point, leaf), max(1e-7, entry.rtol), 1e-8, "third derivative")


#: A step of Newton's method from where a bisection ends: its derivative takes that place for a constant, which it is not nearby.
_NOT_BY_DIFFERENCES = {"bisection"}


@pytest.mark.parametrize(
    ("entry", "point"),
    [
        pytest.param(entry, point, id=p.id)
        for p in POINTS
        for entry, point in [p.values]
        if not (entry.smooth or entry.limit or entry.name in _NOT_BY_DIFFERENCES)
    ],
)
def test_higher_derivatives_where_mpmath_does_not_go(entry, point):
    """By central differences of the derivative below."""
    for place, position in _scalar_places(entry, point):
        below = entry.function
        for _ in range(3 * isinstance(point.arguments[position], float)):

            def moved(step, function=below, position=position):
                arguments, keywords = point.fresh()
                return function(*(a + step if p == position else a for p, a in enumerate(arguments)), **keywords)

            h = 1e-4
            differences = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)
            below = grad(below, wrt(entry, place))
            arguments, keywords = point.fresh()
            assert_same(float(below(*arguments, **keywords)), float(differences), 1e-6, 1e-6, "higher derivative")


def _containers(entry, point):
    """The places of containers of numbers among the arguments that are asked for."""
    given = [point.arguments[position : position + 1] for position in entry.selected(point)]
    return [place for place, argument in enumerate(given) if leaves_of(argument) and not is_number(argument[0])]


CONTAINERS = [
    pytest.param(entry, point, place, id=f"{p.id}-{place}", marks=marks_of(entry.container_limit))
    for p in points_of(lambda entry: "")
    for entry, point in [p.values]
    if entry.smooth and not entry.limit
    for place in _containers(entry, point)
]


def _along(first, argnum, point, weights):
    """A function that gives the derivative of a gradient's numbers along `weights`: text that `inspect` finds."""
    names = [f"x{k}" for k in range(len(point.arguments))]
    numbers = [f"{weight} * gradient{way}" for weight, way in zip(weights, ways_to_leaves(point.arguments[argnum]), strict=True)]
    keywords = "".join(f", {name}={value!r}" for name, value in point.keywords.items())
    text = (
        f"def along({', '.join(names)}):\n    gradient = first({', '.join(names)}{keywords})\n    return {' + '.join(numbers)}\n"
    )
    filename = f"<along {next(_COUNTER)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"first": first}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["along"]


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("entry", "point", "place"), CONTAINERS)
def test_higher_derivatives_by_containers(entry, point, place):
    position = entry.selected(point)[place]
    weights = [1.0 + 0.5 * k for k in range(len(leaves_of(point.arguments[position])))]
    first = grad(entry.function, wrt(entry, place))
    plain = Point(point.arguments)
    along = _along(first, position, point, weights)
    second = grad(along, position)
    want = extended_along(entry, point, place, weights, 2)
    assert_same(second(*plain.fresh()[0]), want, max(1e-7, entry.rtol), 1e-8, "second derivative")
    third = grad(_along(second, position, plain, weights), position)
    want = extended_along(entry, point, place, weights, 3)
    assert_same(third(*plain.fresh()[0]), want, max(1e-7, entry.rtol), 1e-8, "third derivative")
