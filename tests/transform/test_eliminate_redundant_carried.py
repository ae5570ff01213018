"""Carried values that do not change, results that are the same on every path, twins."""

from __future__ import annotations

from functools import partial

from s2sad.transform.eliminate_redundant_carried import eliminate_redundant_carried
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, eliminate_redundant_carried)
check_same = partial(check_unchanged, eliminate_redundant_carried)


def test_unchanged_values_and_twins() -> None:
    check(
        """
        function f(z: float):
          k, z_2, s, r = while (k_2 = 0, z_1 = z, s_1 = z, r_1 = z):
            header:
              c = lt(k_2, 3)
              yield c
            body:
              k_3 = add(k_2, 1)
              s_2 = mul(s_1, z_1)
              r_2 = mul(r_1, z_1)
              yield k_3, z_1, s_2, r_2
          t = add(r, z_2)
          return t
        """,
        """
        function f(z):
          k, s = while (k_2 = 0, s_1 = z):
            header:
              c = lt(k_2, 3)
              yield c
            body:
              k_3 = add(k_2, 1)
              s_2 = mul(s_1, z)
              r_2 = mul(s_1, z)
              yield k_3, s_2
          t = add(s, z)
          return t
        """,
    )


def test_values_only_exchanged() -> None:
    check(
        """
        function f(x: float, r):
          a, b = for i in r (a_1 = x, b_1 = x):
            yield b_1, a_1
          t = add(a, b)
          return t
        """,
        """
        function f(x, r):
          for i in r ():
            yield
          t = add(x, x)
          return t
        """,
    )


def test_exchange_of_different_values_stays() -> None:
    check_same(
        """
        function f(x: float, y: float, r):
          a, b = for i in r (a_1 = x, b_1 = y):
            yield b_1, a_1
          return a
        """
    )


def test_zeros_of_different_types_are_no_twins() -> None:
    check_same(
        """
        function f(r):
          a, b, c = for i in r (a_1 = 0, b_1 = 0.0, c_1 = -0.0):
            a_2 = add(a_1, 1)
            b_2 = add(b_1, 1)
            c_2 = add(c_1, 1)
            yield a_2, b_2, c_2
          t = make_tuple(a, b, c)
          return t
        """
    )


def test_calls_that_act_are_no_twins() -> None:
    check_same(
        """
        function f(r):
          a, b = for i in r (a_1 = 0.0, b_1 = 0.0):
            a_2 = input(a_1)
            b_2 = input(b_1)
            yield a_2, b_2
          t = make_tuple(a, b)
          return t
        """
    )


def test_a_flag_that_only_a_break_sets_is_known_inside() -> None:
    check(
        """
        function f(c, r):
          flag = for i in r (flag_1 = False):
            t = print(flag_1)
            branch c:
              break True
            else:
              yield flag_1
          return flag
        """,
        """
        function f(c, r):
          flag = for i in r (flag_1 = False):
            t = print(False)
            branch c:
              break True
            else:
              yield False
          return flag
        """,
    )


def test_results_of_if() -> None:
    check(
        """
        function f(x: float, c: bool):
          a, b, d = if c:
            t = mul(x, 2.0)
            yield x, t, t
          else:
            yield x, 1.0, 1.0
          u = make_tuple(a, b, d)
          return u
        """,
        """
        function f(x, c):
          b = if c:
            t = mul(x, 2.0)
            yield t
          else:
            yield 1.0
          u = make_tuple(x, b, b)
          return u
        """,
    )


def test_the_result_of_an_arm_beside_one_that_raises() -> None:
    check(
        """
        function f(x: float, c: bool):
          a, b = if c:
            t = mul(x, 2.0)
            yield x, t
          else:
            raise ValueError
          u = make_tuple(a, b)
          return u
        """,
        """
        function f(x, c):
          b = if c:
            t = mul(x, 2.0)
            yield t
          else:
            raise ValueError
          u = make_tuple(x, b)
          return u
        """,
    )


def test_flags_that_only_a_break_sets_are_twins() -> None:
    check(
        """
        function f(c, r):
          a, b = for i in r (a_1 = False, b_1 = False):
            t = print(i)
            branch c:
              break True, True
            else:
              yield a_1, False
          u = make_tuple(a, b)
          return u
        """,
        """
        function f(c, r):
          a = for i in r (a_1 = False):
            t = print(i)
            branch c:
              break True
            else:
              yield False
          u = make_tuple(a, a)
          return u
        """,
    )


def test_what_an_endless_loop_leaves() -> None:
    check(
        """
        function f(c, x: float):
          a, y = while (a_1 = False, y_1 = x):
            header:
              yield True
            body:
              y_2 = mul(y_1, 2.0)
              branch c:
                break True, y_2
              else:
                yield a_1, y_2
          u = make_tuple(a, y)
          return u
        """,
        """
        function f(c, x):
          a, y = while (a_1 = False, y_1 = x):
            header:
              yield True
            body:
              y_2 = mul(y_1, 2.0)
              branch c:
                break True, y_2
              else:
                yield False, y_2
          u = make_tuple(True, y)
          return u
        """,
    )
