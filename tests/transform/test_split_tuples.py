"""Tuples go through branches and loops element by element."""

from __future__ import annotations

from s2sad.ir.interpret import interpret
from s2sad.ir.verify import verify
from s2sad.transform.simplify import simplify
from s2sad.transform.split_tuples import split_tuples
from tests.transform.before_after import check_unchanged
from tests.transform.text_ir import parse, show


def test_a_state_in_a_loop() -> None:
    fn = parse(
        """
        function f(x: float, v: float, n: int):
          start = make_tuple(x, v)
          r = range(n)
          state = for i in r (state_1 = start):
            a: float = getitem(state_1, 0)
            b: float = getitem(state_1, 1)
            c = add(a, b)
            d = sub(b, a)
            following = make_tuple(c, d)
            yield following
          parts = unpack(state, 2)
          e = getitem(parts, 1)
          return e
        """
    )
    expected = interpret(fn, (1.0, 0.5, 5))
    after = simplify(fn, verify=True)
    assert show(after) == (
        "function f(x, v, n):\n"
        "  r = range(n)\n"
        "  state_0, state_1 = for i in r (state_1_0 = x, state_1_1 = v):\n"
        "    c = add(state_1_0, state_1_1)\n"
        "    d = sub(state_1_1, state_1_0)\n"
        "    yield c, d\n"
        "  return state_1\n"
    )
    assert interpret(after, (1.0, 0.5, 5)) == expected


def test_through_nested_arms_and_a_while_header() -> None:
    fn = parse(
        """
        function f(x: float, c: bool, d: bool):
          start = make_tuple(x, 0.0)
          w = while (w_1 = start):
            header:
              a: float = getitem(w_1, 0)
              go = lt(a, 5.0)
              yield go
            body:
              e: float = getitem(w_1, 1)
              g: float = getitem(w_1, 0)
              h = add(g, 1.0)
              r = if c:
                s = if d:
                  t = make_tuple(h, e)
                  yield t
                else:
                  u = make_tuple(h, h)
                  yield u
                yield s
              else:
                v = make_tuple(h, 2.0)
                yield v
              yield r
          z = getitem(w, 1)
          return z
        """
    )
    after = simplify(verify(split_tuples(fn)), verify=True)
    assert "tuple" not in show(after)
    for arguments in ((0.5, True, True), (0.5, True, False), (0.5, False, True), (9.0, True, True)):
        assert interpret(after, arguments) == interpret(fn, arguments)


def test_what_is_read_as_a_whole_stays() -> None:
    check_unchanged(
        split_tuples,
        """
        function f(x: float, c: bool):
          pair = if c:
            p = make_tuple(x, x)
            yield p
          else:
            q = make_tuple(x, 1.0)
            yield q
          return pair
        """,
    )


def test_different_lengths_stay() -> None:
    check_unchanged(
        split_tuples,
        """
        function f(x: float, c: bool):
          pair = if c:
            p = make_tuple(x, x)
            yield p
          else:
            q = make_tuple(x)
            yield q
          a = getitem(pair, 0)
          return a
        """,
    )
