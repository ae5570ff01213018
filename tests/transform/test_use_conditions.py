"""What a condition says of values, in the trip for which a flag is still set and after a decision."""

from __future__ import annotations

from functools import partial

from s2sad.transform.use_conditions import use_conditions
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, use_conditions)
check_same = partial(check_unchanged, use_conditions)


def test_what_only_the_first_trip_reads() -> None:
    check(
        """
        function f(returned: bool, r):
          bar = if returned:
            yield 1.0
          else:
            yield 0.0
          last, b, s = for i in r (last_1 = returned, b_1 = bar, s_1 = 0.0):
            s_2 = if last_1:
              t = add(s_1, b_1)
              yield t
            else:
              yield s_1
            yield False, 0.0, s_2
          return s
        """,
        """
        function f(returned, r):
          bar = if returned:
            yield 1.0
          else:
            yield 0.0
          last, b, s = for i in r (last_1 = returned, b_1 = bar, s_1 = 0.0):
            s_2 = if last_1:
              t = add(0.0, 1.0)
              yield t
            else:
              yield s_1
            yield False, 0.0, s_2
          return s
        """,
    )


def test_nested_loops_left_together() -> None:
    check(
        """
        function f(y_bar: float, returned: bool, r):
          last, b, s = for i in r (last_1 = returned, b_1 = y_bar, s_1 = 0.0):
            begin = if last_1:
              yield b_1
            else:
              yield 0.0
            inner, c, s_2 = for j in r (inner_1 = last_1, c_1 = begin, s_3 = s_1):
              s_4 = if inner_1:
                t = add(s_3, c_1)
                yield t
              else:
                yield s_3
              yield False, 0.0, s_4
            yield False, 0.0, s_2
          return s
        """,
        """
        function f(y_bar, returned, r):
          last, b, s = for i in r (last_1 = returned, b_1 = y_bar, s_1 = 0.0):
            begin = if last_1:
              yield y_bar
            else:
              yield 0.0
            inner, c, s_2 = for j in r (inner_1 = last_1, c_1 = begin, s_3 = s_1):
              s_4 = if inner_1:
                t = add(0.0, y_bar)
                yield t
              else:
                yield s_3
              yield False, 0.0, s_4
            yield False, 0.0, s_2
          return s
        """,
    )


def test_a_flag_that_a_trip_may_set_again() -> None:
    check_same(
        """
        function f(returned: bool, c: bool, r):
          last, b, s = for i in r (last_1 = returned, b_1 = 1.0, s_1 = 0.0):
            s_2 = if last_1:
              t = add(s_1, b_1)
              yield t
            else:
              yield s_1
            branch c:
              yield False, 0.0, s_2
            else:
              yield True, 0.0, s_2
          return s
        """
    )


def test_where_the_flag_is_not_set() -> None:
    check_same(
        """
        function f(returned: bool, r):
          last, b, s = for i in r (last_1 = returned, b_1 = 1.0, s_1 = 0.0):
            s_2 = if last_1:
              yield s_1
            else:
              t = add(s_1, b_1)
              yield t
            yield False, 0.0, s_2
          return s
        """
    )


def test_a_value_of_the_other_arm_is_not_visible() -> None:
    check_same(
        """
        function f(c: bool, x: float):
          y = if c:
            t = mul(x, 2.0)
            yield t
          else:
            yield x
          z = if c:
            u = add(y, x)
            yield u
          else:
            yield 0.0
          return z
        """
    )
