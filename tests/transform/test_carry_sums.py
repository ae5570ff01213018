"""Sums that are carried in place of what a number is always added to."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.transform.carry_sums import carry_sums
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, carry_sums)
check_same = partial(check_unchanged, carry_sums)


def test_a_sum_that_is_needed_after_the_loop_as_well() -> None:
    check(
        """
        function f(x: float, c: bool, r):
          b, q = for i in r (b_1: float = 0.0, q_1: float = 0.0):
            s ~= add(b_1, 1.5)
            b_2 ~= mul(s, x)
            q_2 ~= add(q_1, s)
            branch c:
              yield b_2, q_2
            else:
              break 2.0, q_2
          t ~= add(b, 1.5)
          u = add(t, q)
          return u
        """,
        """
        function f(x, c, r):
          b, q = for i in r (b_1 = 1.5, q_1 = 0.0):
            b_2 ~= mul(b_1, x)
            q_2 ~= add(q_1, b_1)
            branch c:
              b_1_2 ~= add(b_2, 1.5)
              yield b_1_2, q_2
            else:
              b_1_3 ~= add(2.0, 1.5)
              break b_1_3, q_2
          u = add(b, q)
          return u
        """,
    )


@pytest.mark.parametrize(
    ("inside", "after"),
    [
        ("s ~= add(b_1, 1.5)", "t ~= add(b, 2.5)"),
        ("s ~= add(b_1, 1.5)", "t ~= mul(b, 1.5)"),
        ("s ~= mul(b_1, 1.5)", "t ~= add(b, 1.5)"),
        ("s = add(b_1, 1.5)", "t ~= add(b, 1.5)"),
        ("s ~= add(b_1, x)", "t ~= add(b, x)"),
        ("s ~= add(b_1, 1)", "t ~= add(b, 1)"),
        ("s ~= add(b_1, 1.5)", "t ~= add(x, 1.5)"),
    ],
)
def test_other_uses(inside: str, after: str) -> None:
    check_same(
        f"""
        function f(x: float, r):
          b = for i in r (b_1: float = 0.0):
            {inside}
            b_2 ~= mul(s, x)
            yield b_2
          {after}
          return t
        """
    )


def test_a_first_value_that_is_not_known() -> None:
    check_same(
        """
        function f(x: float, r):
          b = for i in r (b_1: float = x):
            s ~= add(b_1, 1.5)
            b_2 ~= mul(s, x)
            yield b_2
          t ~= add(b, 1.5)
          return t
        """
    )
