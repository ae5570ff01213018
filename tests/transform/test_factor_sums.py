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
