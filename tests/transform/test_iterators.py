"""Iterators give their elements once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

import pytest

from s2sad import check_grads, grad, value_and_grad
from s2sad.errors import UnsupportedSyntaxError


def zip_in_two_loops(x: float) -> float:
    pairs = zip([x, 2 * x], [1.0, x], strict=False)
    total = 0.0
    for a, b in pairs:
        total += a * b
    for a, b in pairs:
        total += a * b * x
    return total


def enumerate_left_and_taken_up(x: float) -> float:
    places = enumerate([x, 2 * x, x * x])
    total = 0.0
    for i, a in places:
        total += a
        if i == 0:
            break
    for _, a in places:
        total += a * x
    return total


def reversed_in_each_trip(x: float) -> float:
    backwards = reversed([x, 2 * x])
    total = 0.0
    for _ in range(2):
        for a in backwards:
            total += a * x
    return total


def map_in_each_trip(x: float) -> float:
    squares = map(lambda v: v * x, [x, 2 * x])
    total = 0.0
    for _ in range(2):
        for a in squares:
            total += a
    return total


def shared(x: float) -> float:
    backwards = reversed([x, 2 * x])
    total: float = sum(i * v for i, v in enumerate(backwards))
    return total + sum(backwards)


@pytest.mark.parametrize("function", [zip_in_two_loops, enumerate_left_and_taken_up, reversed_in_each_trip, shared])
def test_used_a_second_time(function):  # type: ignore[no-untyped-def]
    with pytest.raises(UnsupportedSyntaxError, match=r"gives its elements once(.|\n)*test_iterators.py"):
        grad(function)(1.5)


def test_as_advised() -> None:
    def total(x: float) -> float:
        pairs = list(zip([x, 2 * x], [1.0, x], strict=True))
        return sum(a * b for a, b in pairs) + sum(a * b * x for a, b in pairs)

    # x + 2 x**2 + x**2 + 2 x**3
    assert math.isclose(grad(total)(1.5), 1 + 6 * 1.5 + 6 * 1.5**2, rel_tol=1e-14)


def test_used_once() -> None:
    def total(x: float) -> float:
        result = 0.0
        for _ in range(2):
            pairs = zip([x, 2 * x], [1.0, x], strict=True)
            doubled = map(lambda v: 2 * v, [x, x * x])
            result += sum(a * b for a, b in pairs) + sum(doubled)
        return result

    # 2 (x + 2 x**2 + 2 x + 2 x**2)
    assert math.isclose(grad(total)(1.5), 2 * (3 + 8 * 1.5), rel_tol=1e-14)


def test_generators_taken_apart() -> None:
    def product(x: float) -> float:
        y = 2.0
        x, y = ((v + x) / 4 for v in (x, y))
        first, *rest = (v * x for v in [x, y])
        return first * rest[0]

    # u**3 w with u = x / 2, w = (x + 2) / 4
    assert math.isclose(grad(product)(1.5), 1.5 * 0.75**2 * 0.875 + 0.75**3 / 4, rel_tol=1e-14)


def twice(numbers: Iterable[float]) -> float:
    return sum(numbers) + sum(numbers)


def map_handed_on(x: float) -> float:
    return twice(map(lambda v: v * x, [x, 1.0]))


def filter_captured(x: float) -> float:
    kept = filter(lambda v: v > 1.0, [x, 2.0])

    def total() -> float:
        return sum(kept)

    return total() + total()


def map_returned(x: float) -> float:
    def scaled() -> Iterable[float]:
        return map(lambda v: v * x, [x, 1.0])

    numbers = scaled()
    return sum(numbers) + sum(numbers)


def accumulated_returned(x: float) -> float:
    def totals() -> Iterable[float]:
        return itertools.accumulate([x, 1.0])

    return max(totals())


def map_stored(x: float) -> float:
    kept = [map(lambda v: v * x, [x, 1.0])]
    return sum(kept[0]) + sum(kept[0])


def chain_of_two_reads(x: float) -> float:
    numbers = itertools.chain([x], [1.0])
    return next(numbers) + sum(numbers)


def generator_of_two_reads(x: float) -> float:
    numbers = (v * x for v in [x, 1.0])
    return next(numbers) + sum(numbers)


def generator_in_each_trip(x: float) -> float:
    numbers = (v * x for v in [x, 1.0])
    total = 0.0
    for _ in range(2):
        total += sum(numbers)
    return total


def generator_of_changed_variable(x: float) -> float:
    k = 1.0
    numbers = (v * k for v in [1.0, 2.0])
    first = next(numbers)
    k = 3.0
    return x * (first + next(numbers))


def list_without_end(x: float) -> float:
    numbers = (k * x for k in itertools.count())
    return next(numbers) + next(numbers)


@pytest.mark.parametrize(
    "function",
    [
        accumulated_returned,
        map_stored,
        generator_of_changed_variable,
        list_without_end,
    ],
)
def test_what_may_be_read_twice_is_refused(function: Callable[[float], float]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match=r"test_iterators.py"):
        grad(function)(1.5)


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (map_in_each_trip, 6 * 1.5),
        (chain_of_two_reads, 1.0),
        (generator_of_two_reads, 2 * 1.5 + 1.0),
        (generator_in_each_trip, 2 * 1.5 + 1.0),
    ],
)
def test_what_is_left_is_read_later(function: Callable[[float], float], slope: float) -> None:
    assert value_and_grad(function)(1.5) == (function(1.5), pytest.approx(slope, rel=1e-14))


@pytest.mark.parametrize("function", [map_handed_on, filter_captured, map_returned])
def test_an_iterator_that_leaves_the_function_is_refused(function: Callable[[float], float]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match=r"list\((map|filter)"):
        grad(function)(1.5)


def read_twice(x: float) -> float:
    return x * twice(map(lambda v: 2 * v, [1.0, 2.0]))


def test_an_iterator_without_derivative_stays_one() -> None:
    assert read_twice(1.5) == 9.0
    assert value_and_grad(read_twice)(1.5) == (9.0, 6.0)


def lazy(x: float) -> float:
    def noted(v: float) -> float:
        seen.append(v)
        return v * x

    seen: list[float] = []
    numbers = (noted(v) for v in [1.0, 2.0, 3.0])
    seen.append(0.0)
    for y in numbers:
        seen.append(-1.0)
        if y > 2.0:
            break
    return x * sum(v * 10.0**k for k, v in enumerate(seen))


def test_elements_are_computed_when_they_are_asked_for() -> None:
    # 0, then 1, -1, 2, -1
    assert value_and_grad(lazy)(1.5) == (lazy(1.5), 10 - 100 + 2000 - 10000)


def map_given_to_library(x: float) -> float:
    return math.fsum(map(lambda v: v * x, [x, 1.0])) + max(map(lambda v: v * x, [x, 1.0]))


def test_library_functions_take_iterators() -> None:
    assert grad(map_given_to_library)(1.5) == pytest.approx(2 * 1.5 + 1 + 2 * 1.5)


def once(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total


def test_a_function_may_read_an_iterator_once() -> None:
    assert grad(lambda x: once(map(lambda v: v * x * x, [x, 1.0])))(1.5) == pytest.approx(3 * 1.5**2 + 2 * 1.5)


def test_second_derivative_with_iterators() -> None:
    assert grad(grad(lambda x: sum(map(sum, [[x, x * x], [x**3]]))))(1.5) == pytest.approx(2 + 6 * 1.5)


def list_changed_before_the_map_is_read(x: float) -> float:
    values = [x, 2.0]
    scaled = map(lambda v: v * x, values)
    values[0] = 3.0 * x
    return sum(scaled)


def list_changed_by_a_function(x: float) -> float:
    values = [x, 2.0]
    scaled = map(lambda v: v * x, values)
    values.reverse()
    return sum(v * v for v in scaled)


def list_changed_in_the_loop(x: float) -> float:
    values, total = [x, 2.0], 0.0
    for v in map(lambda v: v * x, values):
        values[1] = v
        total += v
    return total


def variable_changed_before_the_map_is_read(x: float) -> float:
    factor = x
    scaled = map(lambda v: v * factor, [x, 2.0])
    factor = 2.0
    return sum(scaled)


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (list_changed_before_the_map_is_read, 6 * 1.5 + 2),  # of 3 x * x + 2 * x
        (list_changed_by_a_function, 8 * 1.5 + 4 * 1.5**3),  # of (2 x)**2 + (x * x)**2
        (list_changed_in_the_loop, 2 * 1.5 + 3 * 1.5**2),  # of x**2 + x**2 * x
        (variable_changed_before_the_map_is_read, 2.0),  # of 2 * x + 2 * 2
    ],
)
def test_what_an_iterator_runs_over_is_what_it_is_when_it_is_read(function: Callable[[float], float], derivative: float) -> None:
    assert value_and_grad(function)(1.5) == (function(1.5), pytest.approx(derivative))


def test_what_is_only_looked_at_meanwhile_does_not_change() -> None:
    def weighted(x: float) -> float:
        values = [x, 2.0]
        scaled = map(lambda v: v * x, values)
        factor = values[0] * len(values)
        return sum(scaled) * factor

    # (x**2 + 2 x) 2 x
    assert grad(weighted)(1.5) == pytest.approx(6 * 1.5**2 + 8 * 1.5)


def enumerate_of_zip(xs: list[float]) -> float:
    total = 0.0
    for i, (a, b) in enumerate(zip(xs, xs[1:], strict=False), start=2):
        total += (i + 1) * a * b * math.prod(x for x in xs if x < 3)
    return total


def enumerate_of_enumerate(xs: list[float]) -> float:
    total = 0.0
    for i, (j, a) in enumerate(enumerate(xs)):
        total += (i + 2 * j + 1) * a * math.fsum(x for x in xs)
    return total


def zip_of_zip(xs: list[float]) -> float:
    total = 0.0
    for i, (a, b) in zip(range(3), zip(xs, xs, strict=True), strict=True):
        total += (i + 1) * a * b * math.prod(filter(None, xs))
    return total


def zip_of_enumerate(xs: list[float]) -> float:
    return sum(a * b * math.prod(x for x in xs if x < 3) for (_, a), b in zip(enumerate(xs), xs, strict=True))


@pytest.mark.parametrize("program", [enumerate_of_zip, enumerate_of_enumerate, zip_of_zip, zip_of_enumerate])
def test_a_loop_over_iterators_of_iterators_with_another_one_in_it(program: Callable[[list[float]], float]) -> None:
    check_grads(program, ([1.0, 2.0, 4.0],))


def test_lagrange_interpolation() -> None:
    def interpolated(xs: list[float], ys: list[float], x: float) -> float:
        return sum(
            y * math.prod((x - b) / (a - b) for j, b in enumerate(xs) if j != i)
            for i, (a, y) in enumerate(zip(xs, ys, strict=True))
        )

    check_grads(interpolated, ([1.0, 2.0, 4.0], [1.0, 3.0, 2.0], 2.5))
