"""Sums of lists as additions."""

from __future__ import annotations

import contextlib
import math

import pytest

from s2sad import grad, value_and_grad
from s2sad.ir.verify import verify
from s2sad.transform.write_out_sums import release_models, write_out_sums
from tests.transform.text_ir import parse, show


def written_out(text: str) -> str:
    return show(verify(write_out_sums(verify(parse(text)), lambda region: True)))


def test_a_list_that_is_given_is_run_over() -> None:
    text = """
        function f(x: list):
          t: float = sum(x)
          return t
        """
    assert written_out(text).splitlines() == [
        "function f(x):",
        "  t_3 = for t in x (t_2 = 0.0):",
        "    t_4 ~= add(t_2, t)",
        "    yield t_4",
        "  t_5 = modelled(sum, x, t_3)",
        "  return t_5",
    ]
    assert show(release_models(write_out_sums(parse(text), lambda region: True))).count("sum(x)") == 1
    fn = parse(text)
    assert write_out_sums(fn, lambda region: False) is fn


def squares(xs):
    return sum(x * x for x in xs)


def filtered(xs, ys):
    return sum(x * y for x in xs for y in ys if y > x) ** 2


def started(xs, start):
    return sum([x**3 for x in xs], start) * start


def left_early(xs, limit):
    parts = [0.5 * xs[0]]
    for x in xs:
        if x > limit:
            break
        if x < 0.0:
            continue
        parts.append(x * x)
    else:
        parts.append(limit * xs[0])
    return math.fsum(parts)


def read_twice(xs):
    parts = [x * x for x in xs]
    return sum(parts) * parts[0] + math.fsum(xs)


def summed_twice(xs):
    parts = []
    for x in xs:
        parts.append(x * x)
    parts.append(xs[0])
    first = sum(parts)
    parts.append(xs[1])
    return first * sum(parts)


def under_with(xs):
    parts = []
    with contextlib.nullcontext():
        for x in xs:
            parts.append(x * x)
    return sum(parts) ** 2


def in_a_loop(xs, n):
    total = 0.0
    for i in range(n):
        total += sum(xs[j] * j for j in range(i)) ** 2
    return total + sum(xs)


CASES = [
    (squares, ([1.0, 2.0, -0.5],), [2.0, 4.0, -1.0]),
    (filtered, ([1.0, 2.0], [2.0, 3.0]), [2 * 11.0 * 5.0, 2 * 11.0 * 3.0]),
    (started, ([1.0, 2.0], 0.5), [0.5 * 3.0, 0.5 * 12.0]),
    (left_early, ([0.5, -1.0, 1.5, 3.0, 7.0], 2.0), [0.5 + 1.0, 0.0, 3.0, 0.0, 0.0]),
    (left_early, ([0.5, -1.0, 1.5], 2.0), [0.5 + 1.0 + 2.0, 0.0, 3.0]),
    (read_twice, ([1.5, 2.0],), [2 * 1.5**3 + 2 * 1.5 * (1.5**2 + 4.0) + 1.0, 4.0 * 1.5**2 + 1.0]),
    (summed_twice, ([1.0, 2.0],), [3 * 8.0 + 6.0 * 3, 4 * 8.0 + 6.0 * 5]),
    (in_a_loop, ([1.0, 2.0, 3.0], 3), [1.0, 1.0 + 2 * 2.0, 1.0]),
    (under_with, ([1.0, 2.0],), [2 * 5.0 * 2.0, 2 * 5.0 * 4.0]),
    (squares, ([],), []),
]


@pytest.mark.parametrize(("function", "args", "expected"), CASES)
def test_gradients(function, args, expected) -> None:
    value, gradient = value_and_grad(function)(*args)
    assert value == function(*args)
    assert type(value) is type(function(*args))
    assert gradient == pytest.approx(expected, rel=1e-14)
    assert grad(function)(*args) == pytest.approx(expected, rel=1e-14)


def test_by_what_it_starts_with() -> None:
    assert grad(started, 1)([1.0, 2.0], 0.5) == pytest.approx(9.0 + 2 * 0.5)


def test_twice() -> None:
    def along(xs):
        gradient = grad(filtered)(xs, [2.0, 3.0])
        return gradient[0] + 2.0 * gradient[1]

    # of (5 a + 3 b)**2: 2 s (5 + 2 * 3), with s = 5 a + 3 b
    assert grad(along)([1.0, 2.0]) == pytest.approx([2 * 11 * 5.0, 2 * 11 * 3.0])


def test_the_text_has_no_list_of_adjoints() -> None:
    text = grad(squares).source([1.0])
    assert "items" not in text
    assert "def squares_adjoint" in text
    assert text.count("def ") == 1
