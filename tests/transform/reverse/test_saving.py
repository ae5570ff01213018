"""What is saved is the least: counted in the generated code, and in bytes a step while it runs."""

from __future__ import annotations

import math
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from examples.besselj import besselj
from s2sad import grad, value_and_grad
from s2sad.analysis.structure import Structure
from s2sad.ir.nodes import Call, Constant, For, While, walk
from s2sad.transform.reverse.counters import find_counters, find_range, has_break, is_sequence
from s2sad.transform.reverse.unchanged import Unchanged
from tests.transform.text_ir import parse


def straight_line(x, n):
    y = x * x
    z = math.sin(y) * y
    return z / (1 + y)


def logistic(x, n):
    for _ in range(n):
        x = 3.0 * x * (1 - x)
    return x


def linear_recurrence(x, n):
    a, b = x, 2 * x
    for _ in range(n):
        a, b = b, 0.5 * a + 0.25 * b
    return a + b


def linear_with_index(x, n):
    s = 0.0
    for i in range(n):
        s = 0.5 * s + x / (i + 1)
    return s


def counter_runs_backwards(x, n):
    k = 0
    s = 0.0
    while k < n:
        k += 1
        s += x / k
    return s


def counter_with_steps(x, n):
    k, m, s = 0, 5, 0.0
    while k < n:
        k += 2
        m -= 3
        s += x * m / k
    return s


def nested_linear(x, n):
    s = 0.0
    for i in range(n // 100):
        for j in range(100):
            s = 0.5 * s + x * (i - j)
    return s


def nested_nonlinear(x, n):
    y = x
    for i in range(n // 100):
        for j in range(100):
            y = math.sin(y) + x / (i + j + 1)
    return y


def helper(y):
    return math.sin(y) * y


def with_helper(x, n):
    for _ in range(n):
        x = helper(x)
    return x


def linear_helper(y, c):
    return 0.5 * y + c


def with_linear_helper(x, n):
    y = x
    for i in range(n):
        y = linear_helper(y, x)
    return y


def ends_by_break(x, n):
    y = x
    for i in range(10 * n):
        if i >= n:
            break
        y = math.cos(y)
    return y


def linear_ends_by_break(x, n):
    y = x
    for i in range(10 * n):
        if i >= n:
            break
        y = 0.5 * y + x
    return y


def two_nonlinear(x, n):
    a, b = x, 2 * x
    for _ in range(n):
        a, b = math.sin(a * b), math.cos(a - b)
    return a + b


def recomputed(x, n):
    """The sine, its square and the quotient are all functions of y, which alone is saved."""
    y = x
    for _ in range(n):
        s = math.sin(y)
        q = s * s / (1 + y * y)
        y = q + s * y
    return y


def by_index(xs, n):
    s = 0.0
    for i in range(n):
        s += xs[i] * xs[i] * math.sin(xs[i])
    return s


def by_element(xs, n):
    s = 0.0
    for x in xs:
        s += math.exp(-x * x)
    return s


def by_pairs(xs, n):
    s = 0.0
    for i, x in enumerate(xs):
        s += x**3 * i
    return s


def condition_on_the_index(x, n):
    s = 0.0
    for i in range(n):
        if i % 3:
            s = 0.5 * s + x
        else:
            s = 0.25 * s - x
    return s


def unused(x, n):
    """What does not reach the result is not even computed."""
    y = z = x
    for _ in range(n):
        y = math.sin(y)
        z = 0.5 * z
    return z


# program, lists in the code, floats kept a step
SCALAR: list[tuple[Callable[..., float], int, int]] = [
    (straight_line, 0, 0),
    (logistic, 1, 1),
    (linear_recurrence, 0, 0),
    (linear_with_index, 0, 0),
    (counter_runs_backwards, 0, 0),
    (counter_with_steps, 0, 0),
    (nested_linear, 0, 0),
    (nested_nonlinear, 1, 1),
    (with_helper, 1, 1),
    (with_linear_helper, 0, 0),
    (ends_by_break, 1, 1),
    (linear_ends_by_break, 0, 0),
    (two_nonlinear, 2, 2),
    (recomputed, 1, 1),
    (condition_on_the_index, 0, 0),
    (unused, 0, 0),
]
LISTS = [by_index, by_element, by_pairs]


def saved_lists(source: str) -> int:
    """Lists that the forward sweep appends to."""
    return len(set(re.findall(r"(\w+)\.append\(", source)))


def peak(derivative: Callable[..., Any], *arguments: object) -> int:
    tracemalloc.start()
    try:
        derivative(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def central_difference(function: Callable[..., float], x: float, *rest: object, h: float = 1e-6) -> float:
    return (8 * (function(x + h, *rest) - function(x - h, *rest)) - (function(x + 2 * h, *rest) - function(x - 2 * h, *rest))) / (
        12 * h
    )


@pytest.mark.parametrize(("function", "lists", "floats"), SCALAR, ids=lambda item: getattr(item, "__name__", None))
def test_scalar_programs(function: Callable[..., float], lists: int, floats: int) -> None:
    derivative = grad(function)
    assert derivative(0.3, 200) == pytest.approx(central_difference(function, 0.3, 200), rel=1e-6, abs=1e-9)
    assert saved_lists(derivative.source(0.3, 200)) == lists
    a_step = (peak(derivative, 0.3, 40_000) - peak(derivative, 0.3, 4_000)) / 36_000
    # a float is 24 bytes, its place in a list 8, twice if the list is turned round; a list that grows keeps an eighth in reserve
    assert 24 * floats <= a_step + 0.5 <= 52 * floats + 1


@pytest.mark.parametrize("function", LISTS)
def test_a_list_that_is_only_read_is_not_saved(function: Callable[..., float]) -> None:
    derivative = grad(function)
    xs = [0.1 * (k % 17) for k in range(40_000)]
    few = xs[:40]
    h = 1e-6
    for k in (0, 7, 39):
        up, down = [*few[:k], few[k] + h, *few[k + 1 :]], [*few[:k], few[k] - h, *few[k + 1 :]]
        assert derivative(few, 40)[k] == pytest.approx((function(up, 40) - function(down, 40)) / (2 * h), rel=1e-6, abs=1e-8)
    assert saved_lists(derivative.source(xs, len(xs))) == 0
    # the gradient itself: a float and its place in the list
    assert peak(derivative, xs, len(xs)) / len(xs) < 34


def test_besselj_keeps_one_list() -> None:
    source = grad(besselj, argnums=1).source(2, 1.0)
    assert saved_lists(source) == 1
    assert "k -= 1" in source


def test_the_value_asked_for_saves_no_more() -> None:
    assert saved_lists(value_and_grad(logistic).source(0.3, 10)) == 1
    assert saved_lists(value_and_grad(linear_recurrence).source(0.3, 10)) == 0


# --- the parts of the decision ------------------------------------------------------------------------------------------------


def loop_of(text: str) -> tuple[For | While, Structure, Unchanged]:
    function = parse(text)
    loop = next(node for node in walk(function.body) if isinstance(node, For | While))
    return loop, Structure.of(function), Unchanged(function)


@pytest.mark.parametrize(
    ("change", "step"),
    [
        ("add(k, 1)", 1),
        ("add(k, -3)", -3),
        ("sub(k, 2)", -2),
        ("sub(k, -2)", 2),
        ("iadd(k, 1)", 1),
        ("isub(k, 1)", -1),
        ("add(k, 0)", None),
        ("sub(5, k)", None),
        ("mul(k, 2)", None),
        ("add(k, n)", None),
        ("add(n, 1)", None),
    ],
)
def test_counters(change: str, step: int | None) -> None:
    loop, structure, _ = loop_of(f"""
        function f(n: int):
          r = while (k = 0):
            header:
              yield lt(k, n)
            body:
              m = {change}
              yield m
          return r
        """)
    assert [counter.step for counter in find_counters(loop, structure)] == ([] if step is None else [step])


def test_no_counters_among_floats_and_where_trips_differ() -> None:
    loop, structure, _ = loop_of("""
        function f(n: int, x: float):
          r, s = while (k = 0, y = x):
            header:
              yield lt(k, n)
            body:
              z = add(y, 1)
              a = add(k, 1)
              branch lt(k, 2):
                yield a, z
              else:
                yield k, z
          return s
        """)
    assert find_counters(loop, structure) == []
    assert find_range(loop, structure) is None
    assert not has_break(loop)


def test_ranges_and_breaks() -> None:
    loop, structure, unchanged = loop_of("""
        function f(n: int, x: float):
          r = for i in range(n) (y = x):
            z = mul(y, 0.5)
            branch lt(z, 1.0):
              break z
            else:
              yield z
          return r
        """)
    call = find_range(loop, structure)
    assert isinstance(call, Call)
    assert isinstance(call.function, Constant)
    assert call.function.value is range
    assert has_break(loop)
    assert isinstance(loop, For)
    assert not is_sequence(loop, unchanged)
