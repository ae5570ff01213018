"""The passes together."""

from __future__ import annotations

import pytest

from s2sad.ir.interpret import interpret
from s2sad.ir.nodes import Block, Call, Constant, Function, MakeFunction, Parameter, Return, Value, walk
from s2sad.ir.operations import make_tuple
from s2sad.ir.types import FLOAT
from s2sad.transform.hoist_invariants import HoistOptions
from s2sad.transform.simplify import simplify
from tests.transform.text_ir import parse, show

ADJOINT = """
    function f(x: float, n: int):
      saved = make_list()
      kept = make_list()
      r = range(n)
      s, unused = for i in r (s_1 = x, u_1 = 0.0):
        p = call_method(saved, 'append', s_1)
        q = call_method(kept, 'append', i)
        s_2 = mul(s_1, s_1)
        u_2 = add(u_1, s_2)
        yield s_2, u_2
      s_bar, x_bar = for j in r (s_bar_1 = 1.0, x_bar_1 = 0.0):
        old: float = call_method(saved, 'pop')
        index = call_method(kept, 'pop')
        t ~= mul(s_bar_1, 1.0)
        a ~= mul(t, old)
        b ~= mul(old, t)
        c ~= add(a, b)
        d ~= add(0.0, c)
        yield d, x_bar_1
      e ~= add(x_bar, s_bar)
      return e
    """


def test_an_adjoint_keeps_what_it_needs() -> None:
    fn = simplify(parse(ADJOINT), verify=True)
    assert show(fn) == (
        "function f(x, n):\n"
        "  saved = make_list()\n"
        "  r = range(n)\n"
        "  s = for i in r (s_1 = x):\n"
        "    p = call_method(saved, 'append', s_1)\n"
        "    s_2 = mul(s_1, s_1)\n"
        "    yield s_2\n"
        "  s_bar = for j in r (s_bar_1 = 1.0):\n"
        "    old = call_method(saved, 'pop')\n"
        "    t ~= mul(2.0, s_bar_1)\n"
        "    c ~= mul(t, old)\n"
        "    yield c\n"
        "  return s_bar\n"
    )
    assert simplify(fn) is fn


def test_nested_functions_are_simplified() -> None:
    inner = parse("function g(y: float):\n  a = mul(y, y)\n  b = mul(2, 3)\n  return b\n")
    x, g = Value("x", FLOAT), Value("g")
    fn = simplify(Function("f", (Parameter(x),), Block((MakeFunction(g, inner, ()),), Return(g))), verify=True)
    (made,) = fn.body.operations
    assert isinstance(made, MakeFunction)
    assert show(made.definition) == "function g(y):\n  return 6\n"


def test_options_reach_the_hoisting() -> None:
    text = """
        function f(x: float, n: int):
          r = make_list(1.0)
          s = for i in r (s_1 = x):
            a = pow(x, 2)
            s_2 = mul(s_1, a)
            yield s_2
          return s
        """
    fn = parse(text)
    assert simplify(fn) is fn
    moved = simplify(fn, options=HoistOptions(small_powers=True))
    assert [node.result.name for node in moved.body.operations if isinstance(node, Call)] == ["r", "a"]


@pytest.mark.parametrize("depth", [1, 5, 30])
def test_deep_nesting(depth: int) -> None:
    lines = ["function f(x: float, c: bool):"]
    for level in range(depth):
        lines += [f"{'  ' * (level + 1)}branch lt(x, {level}.5):", f"{'  ' * (level + 2)}return {level}.0"]
        lines.append(f"{'  ' * (level + 1)}else:")
    lines.append(f"{'  ' * (depth + 1)}return x")
    fn = simplify(parse("\n".join(lines)), verify=True)
    assert interpret(fn, (depth - 0.75, True)) == depth - 1
    assert interpret(fn, (1e9, True)) == 1e9


def test_long_straight_code_does_not_recurse() -> None:
    x = start = Value("x", FLOAT)
    calls = []
    for _ in range(5000):
        following = Value("x", FLOAT)
        calls.append(Call(following, Constant(abs), (x,)))
        x = following
    pair = Value("pair")
    fn = Function("f", (Parameter(start),), Block((*calls, Call(pair, Constant(make_tuple), (x, start))), Return(pair)))
    assert simplify(fn) is fn
    assert sum(1 for _ in walk(fn.body)) == 5002
