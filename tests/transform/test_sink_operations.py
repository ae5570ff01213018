"""Calls move into the arm that needs them, and not across what they might notice."""

from __future__ import annotations

from functools import partial

from s2sad.transform.sink_operations import sink_operations
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, sink_operations)
check_same = partial(check_unchanged, sink_operations)


def test_chains_go_to_the_deepest_arm() -> None:
    check(
        """
        function f(x: float, c: bool, d: bool):
          a = mul(x, 2.0)
          b = sin(a)
          branch c:
            s = if d:
              u = mul(x, x)
              t = add(b, u)
              yield t
            else:
              yield x
            return s
          else:
            return x
        """,
        """
        function f(x, c, d):
          branch c:
            s = if d:
              u = mul(x, x)
              a = mul(x, 2.0)
              b = sin(a)
              t = add(b, u)
              yield t
            else:
              yield x
            return s
          else:
            return x
        """,
    )


def test_not_into_loops_nor_when_both_arms_need_it() -> None:
    check_same(
        """
        function f(x: float, c: bool, r):
          a = sin(x)
          b = cos(x)
          s = if c:
            yield a
          else:
            t = mul(a, 2.0)
            yield t
          u = for i in r (u_1 = s):
            u_2 = add(u_1, b)
            yield u_2
          return u
        """
    )


def test_before_a_loop_in_an_arm() -> None:
    check(
        """
        function f(x: float, c: bool, r):
          b = cos(x)
          u = if c:
            v = for i in r (v_1 = x):
              v_2 = add(v_1, b)
              yield v_2
            yield v
          else:
            yield x
          return u
        """,
        """
        function f(x, c, r):
          u = if c:
            b = cos(x)
            v = for i in r (v_1 = x):
              v_2 = add(v_1, b)
              yield v_2
            yield v
          else:
            yield x
          return u
        """,
    )


def test_reads_and_errors_do_not_cross_writes() -> None:
    check(
        """
        function f(x: list, y: float, c: bool):
          a = getitem(x, 0)
          b = truediv(1.0, y)
          d = mul(y, y)
          e ~= truediv(2.0, y)
          p = setitem(x, 0, 0.0)
          g = getitem(x, 1)
          branch c:
            t = make_tuple(a, b, d, e, g)
            return t
          else:
            return 0.0
        """,
        """
        function f(x, y, c):
          a = getitem(x, 0)
          b = truediv(1.0, y)
          p = setitem(x, 0, 0.0)
          branch c:
            d = mul(y, y)
            e ~= truediv(2.0, y)
            g = getitem(x, 1)
            t = make_tuple(a, b, d, e, g)
            return t
          else:
            return 0.0
        """,
    )


def test_what_acts_stays() -> None:
    check_same(
        """
        function f(c):
          a = input(c)
          branch c:
            return a
          else:
            return 0
        """
    )
