"""Shadows of dicts that were just made."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.runtime import zeros_like
from s2sad.transform.write_out_zeros import write_out_zeros
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, write_out_zeros, zeros_like=zeros_like)
check_same = partial(check_unchanged, write_out_zeros, zeros_like=zeros_like)


def test_a_dict_that_was_stored_to() -> None:
    check(
        """
        function f(x: float, n: int, c: bool):
          p = make_dict('a', x, 'n', n, 'name', 'b', 1, c)
          a = getitem(p, 'a')
          q = setitem(p, 'c', x)
          r = setitem(p, 'd', 2)
          p_bar ~= zeros_like(p)
          return p_bar
        """,
        """
        function f(x, n, c):
          p = make_dict('a', x, 'n', n, 'name', 'b', 1, c)
          a = getitem(p, 'a')
          q = setitem(p, 'c', x)
          r = setitem(p, 'd', 2)
          p_bar ~= make_dict('a', 0.0, 'n', 0.0, 'name', None, 1, None, 'c', 0.0, 'd', 0.0)
          return p_bar
        """,
    )


@pytest.mark.parametrize(
    "between",
    [
        "a = print(p)",
        "a = setitem(p, k, x)",
        "a = setitem(p, 'b', k)",
        "a = setitem(p, 'b', p)",
        "a = delitem(p, 'a')",
        "a = call_method(p, 'update', k)",
    ],
)
def test_what_else_happens_to_it(between: str) -> None:
    check_same(
        f"""
        function f(x: float, k):
          p = make_dict('a', x)
          {between}
          p_bar ~= zeros_like(p)
          return p_bar
        """
    )


def test_values_that_are_not_known() -> None:
    check_same(
        """
        function f(x, y: list):
          p = make_dict('a', x)
          q = make_dict('a', y)
          p_bar ~= zeros_like(p)
          q_bar ~= zeros_like(q)
          r = make_tuple(p_bar, q_bar)
          return r
        """
    )


def test_a_region_in_between() -> None:
    check_same(
        """
        function f(x: float, c: bool):
          p = make_dict('a', x)
          if c:
            q = setitem(p, 'b', 2.0)
            yield
          else:
            yield
          p_bar ~= zeros_like(p)
          return p_bar
        """
    )
