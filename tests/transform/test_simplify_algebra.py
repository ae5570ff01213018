"""Algebra: plainer terms, never more operations, and the primal bitwise the same."""

from __future__ import annotations

import pytest

from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.simplify_algebra import simplify_algebra
from tests.transform.text_ir import parse, show


def simplified(*lines: str) -> str:
    """The lines that compute `r` from the numbers x, y, z, i, without dead code; `~=` as `=`."""
    text = "function f(x: float, y: float, z: float, i: int):\n" + "".join(f"  {line}\n" for line in lines) + "  return r\n"
    fn = eliminate_dead_code(simplify_algebra(parse(text)))
    body = [line.strip().replace("~=", "=") for line in show(fn).splitlines()[1:]]
    return "; ".join(body).replace("r = ", "").removesuffix("; return r").removeprefix("return ")


@pytest.mark.parametrize(
    ("expression", "outcome"),
    [
        ("mul(x, 1.0)", "x"),
        ("mul(1, x)", "x"),
        ("mul(x, -1.0)", "neg(x)"),
        ("mul(x, 0.0)", "0.0"),
        ("mul(0, i)", "0"),
        ("mul(x, 3.0)", "mul(3.0, x)"),
        ("mul(i, 1.0)", "mul(1.0, i)"),
        ("add(x, 0.0)", "x"),
        ("add(0, x)", "x"),
        ("add(i, 0.0)", "add(i, 0.0)"),
        ("sub(x, 0.0)", "x"),
        ("sub(0.0, x)", "neg(x)"),
        ("truediv(x, 1)", "x"),
        ("truediv(i, 1)", "truediv(i, 1)"),
        ("truediv(x, -1)", "neg(x)"),
        ("truediv(0.0, x)", "0.0"),
        ("pow(x, 2)", "mul(x, x)"),
        ("pow(x, 1)", "x"),
        ("pow(x, 0)", "1.0"),
        ("pow(i, 2)", "pow(i, 2)"),
        ("iadd(x, 0.0)", "x"),
    ],
)
def test_one_operation(expression: str, outcome: str) -> None:
    assert simplified(f"r ~= {expression}") == outcome


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (("t ~= neg(y)", "r ~= add(x, t)"), "sub(x, y)"),
        (("t ~= neg(y)", "r ~= iadd(x, t)"), "isub(x, y)"),
        (("t ~= sub(i, 1)", "r ~= add(t, 1)"), "i"),
        (("t = sub(i, 1)", "r ~= add(3, t)"), "add(i, 2)"),
        (("t ~= add(i, 1)", "r ~= sub(t, 3)"), "sub(i, 2)"),
        (("t ~= sub(i, 1)", "r ~= sub(t, 1)"), "sub(i, 2)"),
        (("t ~= sub(x, 1)", "r ~= add(t, 1)"), "t = sub(x, 1.0); add(t, 1.0)"),
        (("t ~= sub(i, 1)", "r ~= add(t, 1.0)"), "t = sub(i, 1); add(t, 1.0)"),
        (("t ~= neg(x)", "r ~= add(t, y)"), "sub(y, x)"),
        (("t ~= neg(y)", "r ~= sub(x, t)"), "add(x, y)"),
        (("t ~= neg(x)", "r ~= neg(t)"), "x"),
        (("t ~= sub(x, y)", "r ~= neg(t)"), "sub(y, x)"),
        (("t ~= neg(x)", "u ~= mul(t, y)", "r ~= add(z, u)"), "t = mul(x, y); sub(z, t)"),
        (("t ~= neg(x)", "u ~= truediv(t, y)", "r ~= add(z, u)"), "t = truediv(x, y); sub(z, t)"),
        (("t ~= neg(x)", "u ~= neg(y)", "r ~= mul(t, u)"), "mul(x, y)"),
        (("t ~= mul(x, -2.0)", "r ~= add(y, t)"), "t = mul(2.0, x); sub(y, t)"),
        (("t ~= truediv(1.0, y)", "r ~= mul(x, t)"), "truediv(x, y)"),
        (("t ~= truediv(-1, y)", "r ~= mul(t, x)"), "t = truediv(x, y); neg(t)"),
        (("t ~= truediv(1.0, y)", "r ~= truediv(x, t)"), "mul(x, y)"),
        (("t ~= mul(x, 0.5)", "r ~= mul(2.0, t)"), "x"),
        (("t ~= truediv(x, 2)", "r ~= mul(t, 2)"), "x"),
        (("t ~= mul(x, 2.0)", "r ~= truediv(t, 4)"), "mul(0.5, x)"),
        (("t ~= truediv(3.0, x)", "r ~= mul(2.0, t)"), "truediv(6.0, x)"),
        (("t ~= mul(2.0, x)", "u ~= mul(3.0, y)", "r ~= mul(t, u)"), "t = mul(6.0, x); mul(t, y)"),
        (("t ~= mul(0.5, x)", "u ~= mul(2.0, y)", "v ~= mul(u, z)", "r ~= mul(t, v)"), "t = mul(y, z); mul(x, t)"),
        (("t ~= mul(2.0, x)", "u ~= mul(0.0123456, y)", "r ~= mul(t, u)"), "t = mul(2.0, x); u = mul(0.0123456, y); mul(t, u)"),
        (("t ~= mul(x, y)", "r ~= truediv(x, t)"), "truediv(1.0, y)"),
        (("t ~= mul(x, y)", "r ~= truediv(y, t)"), "truediv(1.0, x)"),
        (("t = mul(x, y)", "u ~= truediv(z, t)", "r ~= mul(u, x)"), "truediv(z, y)"),
        (("t = truediv(x, y)", "u ~= truediv(z, t)", "r ~= truediv(u, y)"), "truediv(z, x)"),
        (("t = mul(x, i)", "r ~= truediv(x, t)"), "t = mul(x, i); truediv(x, t)"),
        (("t ~= mul(2.0, x)", "r ~= neg(t)"), "mul(-2.0, x)"),
        (("t ~= mul(x, 0.1)", "r ~= mul(0.1, t)"), "t = mul(0.1, x); mul(0.1, t)"),  # 0.010000000000000002
        (("r ~= add(x, x)",), "mul(2.0, x)"),
        (("t ~= add(x, y)", "r ~= add(t, y)"), "t = mul(2.0, y); add(x, t)"),
        (("t ~= sub(x, y)", "r ~= sub(t, y)"), "t = mul(2.0, y); sub(x, t)"),
        (("t ~= mul(1.0, i)", "r ~= add(x, t)"), "add(x, i)"),
        (("t ~= mul(1.0, i)", "r ~= sub(t, x)"), "sub(i, x)"),
        (("t ~= mul(1.0, i)", "r ~= mul(x, t)"), "mul(i, x)"),
        (("r ~= sub(3, x)",), "sub(3.0, x)"),
        (
            ("q ~= truediv(x, y)", "t ~= truediv(z, y)", "u ~= mul(t, x)", "r ~= add(u, q)"),
            "q = truediv(x, y); u = mul(q, z); add(u, q)",
        ),
        (
            ("q ~= truediv(x, y)", "t ~= truediv(z, y)", "v ~= mul(3.0, x)", "u ~= mul(v, t)", "r ~= add(u, q)"),
            "q = truediv(x, y); t = mul(3.0, q); u = mul(t, z); add(u, q)",
        ),
        (("t ~= mul(x, y)", "r ~= mul(3.0, t)"), "t = mul(3.0, x); mul(t, y)"),
        (("t ~= mul(x, -3.0)", "u ~= mul(t, y)", "r ~= add(z, u)"), "t = mul(3.0, x); t_2 = mul(t, y); sub(z, t_2)"),
    ],
)
def test_two_operations(lines: tuple[str, ...], outcome: str) -> None:
    assert simplified(*lines) == outcome


def test_what_is_used_twice_is_not_taken_apart() -> None:
    assert simplified("t ~= neg(x)", "u ~= mul(t, y)", "r ~= make_tuple(t, u)") == "t = neg(x); u = mul(t, y); make_tuple(t, u)"
    # but a negation may be looked through
    assert simplified("t ~= neg(x)", "u ~= add(y, t)", "r ~= make_tuple(t, u)") == "t = neg(x); u = sub(y, x); make_tuple(t, u)"


def test_what_is_invariant_in_a_loop_is_not_pulled_in() -> None:
    text = """
        function f(x: float, y: float, r):
          t ~= truediv(1.0, y)
          s = for i in r (s_1 = x):
            s_2 ~= mul(s_1, t)
            yield s_2
          return s
        """
    fn = parse(text)
    assert simplify_algebra(fn) is fn


@pytest.mark.parametrize("product", ["mul(x, v)", "mul(v, x)"])
def test_invariant_factors_are_brought_together(product: str) -> None:
    text = f"""
        function f(x: float, y: float, r):
          s = for i in r (s_1 = x):
            v ~= sin(s_1)
            t ~= {product}
            s_2 ~= mul(y, t)
            yield s_2
          return s
        """
    assert show(eliminate_dead_code(simplify_algebra(parse(text)))) == (
        "function f(x, y, r):\n"
        "  s = for i in r (s_1 = x):\n"
        "    v ~= sin(s_1)\n"
        "    t ~= mul(y, x)\n"
        "    s_2 ~= mul(t, v)\n"
        "    yield s_2\n"
        "  return s\n"
    )


@pytest.mark.parametrize(
    ("expression", "outcome"),
    [
        ("mul(x, 1.0)", "mul(x, 1.0)"),
        ("mul(1, x)", "x"),
        ("mul(i, 1)", "i"),
        ("truediv(x, 1)", "truediv(x, 1)"),
        ("sub(x, 0.0)", "sub(x, 0.0)"),  # an integer may stand for x
        ("sub(x, 0)", "x"),
        ("add(i, 0)", "i"),
        ("sub(x, -0.0)", "sub(x, -0.0)"),
        ("add(x, 0.0)", "add(x, 0.0)"),
        ("add(x, 0)", "add(x, 0)"),
        ("mul(i, 1.0)", "mul(i, 1.0)"),
        ("mul(x, 0.0)", "mul(x, 0.0)"),
        ("mul(x, -1.0)", "mul(x, -1.0)"),
        ("mul(x, 3.0)", "mul(x, 3.0)"),
        ("pow(x, 2)", "pow(x, 2)"),
    ],
)
def test_the_primal_stays_bitwise_the_same(expression: str, outcome: str) -> None:
    assert simplified(f"r = {expression}") == outcome


def test_unknown_types_are_left_alone() -> None:
    fn = parse("function f(x):\n  a ~= mul(x, 1.0)\n  b ~= neg(a)\n  c ~= add(x, b)\n  return c\n")
    assert simplify_algebra(fn) is fn
