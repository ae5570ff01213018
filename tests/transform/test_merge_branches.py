"""Neighbouring branches with one condition become one."""

from __future__ import annotations

from functools import partial

from s2sad.transform.merge_branches import merge_branches
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, merge_branches)
check_same = partial(check_unchanged, merge_branches)


def test_two_and_the_branch_behind_them() -> None:
    check(
        """
        function f(x: float, c: bool):
          y = if c:
            a = exp(x)
            yield a
          else:
            yield x
          t = mul(x, 2.0)
          z = if c:
            b = mul(y, t)
            yield b
          else:
            yield y
          branch c:
            return z
          else:
            d = add(z, y)
            return d
        """,
        """
        function f(x, c):
          t = mul(x, 2.0)
          branch c:
            a = exp(x)
            b = mul(a, t)
            return b
          else:
            d = add(x, x)
            return d
        """,
    )


def test_not_across_what_needs_the_first() -> None:
    check_same(
        """
        function f(x: float, c: bool):
          y = if c:
            yield 1.0
          else:
            yield x
          t = mul(y, 2.0)
          z = if c:
            yield t
          else:
            yield y
          return z
        """
    )


def test_not_across_what_acts_or_may_raise_after_it() -> None:
    for between in ("print(x)", "truediv(1.0, x)"):
        check_same(
            f"""
            function f(x: float, c: bool):
              y = if c:
                p = print(x)
                yield 1.0
              else:
                yield x
              t = {between}
              z = if c:
                yield 1.0
              else:
                yield y
              return z
            """
        )


def test_a_condition_that_may_change_its_answer_is_asked_again() -> None:
    check_same(
        """
        function f(x: list):
          if x:
            p = call_method(x, 'pop')
            yield
          else:
            yield
          y = if x:
            yield 1.0
          else:
            yield 2.0
          return y
        """
    )


def test_an_arm_that_raises() -> None:
    check(
        """
        function f(x: float, c: bool):
          if c:
            yield
          else:
            raise ValueError
          y = if c:
            a = exp(x)
            yield a
          else:
            yield x
          return y
        """,
        """
        function f(x, c):
          y = if c:
            a = exp(x)
            yield a
          else:
            raise ValueError
          return y
        """,
    )
