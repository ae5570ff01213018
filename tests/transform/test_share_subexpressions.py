"""Equal calls become one, where the first dominates and nothing tells them apart."""

from __future__ import annotations

from functools import partial

from s2sad.transform.share_subexpressions import share_subexpressions
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, share_subexpressions)
check_same = partial(check_unchanged, share_subexpressions)


def test_chains_and_nested_regions() -> None:
    check(
        """
        function f(x: float, c: bool):
          a = mul(x, x)
          b = sin(a)
          a_2 = mul(x, x)
          b_2 = sin(a_2)
          r = if c:
            d = mul(x, x)
            yield d
          else:
            yield b_2
          return r
        """,
        """
        function f(x, c):
          a = mul(x, x)
          b = sin(a)
          r = if c:
            yield a
          else:
            yield b
          return r
        """,
    )


def test_not_between_arms_nor_after_them() -> None:
    check_same(
        """
        function f(x: float, c: bool):
          r = if c:
            a = sin(x)
            yield a
          else:
            a_2 = sin(x)
            b = mul(a_2, 2.0)
            yield b
          d = sin(x)
          t = add(r, d)
          return t
        """
    )


def test_constants_differ_by_type_and_sign() -> None:
    check_same(
        """
        function f(x: float):
          a = mul(x, 1)
          b = mul(x, 1.0)
          c = mul(x, True)
          d = mul(x, 0.0)
          e = mul(x, -0.0)
          t = make_tuple(a, b, c, d, e)
          return t
        """
    )


def test_operands_in_any_order_only_where_inexact() -> None:
    check(
        """
        function f(x: float, y: float):
          a = mul(x, y)
          b = mul(y, x)
          c ~= mul(y, x)
          d ~= add(x, y)
          e ~= add(y, x)
          s ~= sub(x, y)
          s_2 ~= sub(y, x)
          t = make_tuple(a, b, c, d, e, s, s_2)
          return t
        """,
        """
        function f(x, y):
          a = mul(x, y)
          b = mul(y, x)
          d ~= add(x, y)
          s ~= sub(x, y)
          s_2 ~= sub(y, x)
          t = make_tuple(a, b, b, d, d, s, s_2)
          return t
        """,
    )


def test_the_primal_takes_nothing_from_inexact_code() -> None:
    check_same(
        """
        function f(x: float, y: float):
          a ~= mul(x, y)
          b = mul(x, y)
          t = make_tuple(a, b)
          return t
        """
    )


def test_unknown_types_are_not_shared() -> None:
    check_same(
        """
        function f(x):
          a = mul(x, 2)
          b = mul(x, 2)
          t = make_tuple(a, b)
          return t
        """
    )


def test_iterators_and_displays_are_not_shared() -> None:
    check_same(
        """
        function f(x: list, n: int):
          a = enumerate(x)
          b = enumerate(x)
          c = range(n)
          d = range(n)
          t = make_tuple(a, b, c, d)
          return t
        """
    )


def test_reads_are_shared_until_somebody_writes() -> None:
    check(
        """
        function f(x: list, y: list):
          saved = make_list()
          a = getitem(x, 0)
          p = call_method(saved, 'append', a)
          b = getitem(x, 0)
          q = setitem(y, 0, 1.0)
          c = getitem(x, 0)
          n = len(saved)
          p_2 = call_method(saved, 'append', c)
          m = len(saved)
          t = make_tuple(a, b, c, n, m)
          return t
        """,
        """
        function f(x, y):
          saved = make_list()
          a = getitem(x, 0)
          p = call_method(saved, 'append', a)
          q = setitem(y, 0, 1.0)
          c = getitem(x, 0)
          n = len(saved)
          p_2 = call_method(saved, 'append', c)
          m = len(saved)
          t = make_tuple(a, a, c, n, m)
          return t
        """,
    )


def test_a_loop_may_have_written() -> None:
    check_same(
        """
        function f(x: list, r):
          a = getitem(x, 0)
          for i in r ():
            b = getitem(x, 0)
            p = setitem(x, 0, 2.0)
            yield
          c = getitem(x, 0)
          t = make_tuple(a, c)
          return t
        """
    )


def test_an_arm_does_not_see_what_the_other_writes() -> None:
    check(
        """
        function f(x: list, c: bool):
          a = getitem(x, 0)
          r = if c:
            p = setitem(x, 0, 1.0)
            b = getitem(x, 0)
            yield b
          else:
            d = getitem(x, 0)
            yield d
          e = getitem(x, 0)
          t = make_tuple(a, r, e)
          return t
        """,
        """
        function f(x, c):
          a = getitem(x, 0)
          r = if c:
            p = setitem(x, 0, 1.0)
            b = getitem(x, 0)
            yield b
          else:
            yield a
          e = getitem(x, 0)
          t = make_tuple(a, r, e)
          return t
        """,
    )
