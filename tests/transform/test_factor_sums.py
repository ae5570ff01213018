"""Common factors leave sums, where that saves operations."""

from __future__ import annotations

import pytest

from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Call
from s2sad.ir.verify import verify
from s2sad.transform.factor_sums import factor_sums
from s2sad.transform.simplify import simplify
from tests.transform.text_ir import parse, show

HEAD = "function f(x: float, y: float, z: float, w: float):\n"


def outcome(*lines: str) -> tuple[int, float, float]:
    """How many calls are left, and the results before and after."""
    fn = parse(HEAD + "".join(f"  {line}\n" for line in lines) + "  return r\n")
    after = simplify(verify(factor_sums(fn)), verify=True)
    arguments = (1.25, -0.75, 3.5, 0.3)
    return sum(isinstance(node, Call) for node in after.body.operations), interpret(fn, arguments), interpret(after, arguments)


@pytest.mark.parametrize(
    ("lines", "calls"),
    [
        (("a ~= mul(x, y)", "b ~= mul(z, x)", "r ~= add(a, b)"), 2),
        (("a ~= mul(x, y)", "b ~= mul(z, x)", "r ~= sub(a, b)"), 2),
        (("a ~= mul(x, y)", "b ~= mul(y, x)", "r ~= add(a, b)"), 2),  # 2 * x * y
        (("a ~= mul(x, y)", "b ~= mul(a, z)", "c ~= mul(z, w)", "d ~= mul(x, c)", "r ~= sub(b, d)"), 3),
        (("a ~= mul(x, y)", "b ~= neg(a)", "c ~= mul(x, z)", "r ~= add(b, c)"), 2),
        (("a ~= mul(2.0, x)", "b ~= mul(a, y)", "c ~= mul(2.0, z)", "d ~= mul(c, x)", "r ~= add(b, d)"), 3),
        (("a ~= mul(2.0, x)", "b ~= mul(a, y)", "c ~= mul(-2.0, z)", "d ~= mul(c, x)", "r ~= add(b, d)"), 3),
        (("a ~= mul(x, y)", "p ~= add(w, a)", "b ~= mul(x, z)", "r ~= add(p, b)"), 3),
        (("a ~= mul(x, y)", "p ~= sub(w, a)", "b ~= mul(x, z)", "r ~= sub(p, b)"), 3),
        (("a ~= mul(x, y)", "p ~= sub(w, a)", "b ~= mul(x, y)", "r ~= sub(p, b)"), 3),
        (("a ~= mul(x, y)", "p ~= sub(w, a)", "b ~= mul(x, z)", "r ~= add(p, b)"), 3),
        (("a ~= mul(2.0, x)", "r ~= sub(a, x)"), 0),
        (("a ~= mul(2.0, x)", "b ~= mul(3.0, x)", "r ~= sub(b, a)"), 0),
        (("a ~= mul(2.0, x)", "b ~= mul(3.0, x)", "r ~= sub(a, b)"), 1),
        (("a ~= mul(2.0, x)", "b ~= mul(2.0, x)", "r ~= sub(a, b)"), 0),
        # a sum of three, from the end
        (("a ~= mul(x, y)", "b ~= mul(x, z)", "p ~= add(a, b)", "c ~= mul(w, x)", "r ~= add(p, c)"), 3),
    ],
)
def test_sums(lines: tuple[str, ...], calls: int) -> None:
    count, before, after = outcome(*lines)
    assert after == pytest.approx(before, rel=1e-14)
    assert count == calls


@pytest.mark.parametrize(
    "lines",
    [
        ("a ~= mul(x, y)", "r ~= add(x, a)"),  # as many operations as x * (1 + y)
        ("a ~= mul(x, y)", "b ~= mul(z, w)", "r ~= add(a, b)"),
        ("a = mul(x, y)", "b = mul(x, z)", "r = add(a, b)"),  # the primal
        ("a ~= mul(x, y)", "b ~= mul(x, z)", "c ~= add(a, b)", "r ~= make_tuple(a, b, c)"),  # needed elsewhere
    ],
)
def test_what_stays(lines: tuple[str, ...]) -> None:
    fn = parse(HEAD + "".join(f"  {line}\n" for line in lines) + "  return r\n")
    assert factor_sums(fn) is fn


def test_what_is_computed_outside_of_the_loop_is_not_taken_apart() -> None:
    text = """
        function f(x: float, y: float, r):
          a ~= mul(x, y)
          s = for i in r (s_1 = x):
            b ~= mul(x, s_1)
            s_2 ~= add(a, b)
            yield s_2
          return s
        """
    fn = parse(text)
    assert factor_sums(fn) is fn, show(factor_sums(fn))


def test_a_polynomial_is_factored_in_one_walk() -> None:
    lines = ["p0 ~= mul(x, y)"]
    for number in range(1, 30):
        lines += [f"q{number} ~= mul(p{number - 1}, x)"]
        lines += [f"s{number} ~= mul(q{number}, {'yzw'[number % 3]})", f"p{number} ~= add(s{number}, z)"]
    fn = parse(HEAD + "".join(f"  {line}\n" for line in lines) + "  return p29\n")
    after = factor_sums(fn)
    assert factor_sums(after) is after
    assert interpret(after, (0.5, 0.25, 1.5, -0.75)) == pytest.approx(interpret(fn, (0.5, 0.25, 1.5, -0.75)), rel=1e-14)


def test_a_sum_of_rising_powers_becomes_nested() -> None:
    lines, power, total = [], "y", "z"
    for number in range(1, 40):
        lines += [f"p{number} ~= mul({power}, x)", f"t{number} ~= mul(p{number}, {'zw'[number % 2]})"]
        lines += [f"s{number} ~= add({total}, t{number})"]
        power, total = f"p{number}", f"s{number}"
    fn = parse(HEAD + "".join(f"  {line}\n" for line in lines) + f"  return {total}\n")
    after = simplify(factor_sums(fn), verify=True)
    assert sum(isinstance(node, Call) for node in after.body.operations) <= 2 * 39 + 1 < 3 * 39
    assert interpret(after, (0.5, 0.25, 1.5, -0.75)) == pytest.approx(interpret(fn, (0.5, 0.25, 1.5, -0.75)), rel=1e-14)
