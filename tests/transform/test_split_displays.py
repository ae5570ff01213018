"""Lists and dicts that only hold a few values for a while."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.transform.split_displays import split_displays
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, split_displays)
check_same = partial(check_unchanged, split_displays)


def test_a_dict_that_grows() -> None:
    check(
        """
        function f(x: float, y: float):
          p = make_dict('a', x, 'b', y)
          a = getitem(p, 'a')
          b = getitem(p, 'b')
          t: float = mul(a, b)
          q = setitem(p, 'c', t)
          r = setitem(p, 'a', 2.0)
          c = getitem(p, 'c')
          d = getitem(p, 'a')
          u = add(c, d)
          return u
        """,
        """
        function f(x, y):
          t = mul(x, y)
          u = add(t, 2.0)
          return u
        """,
    )


def test_a_list_by_index() -> None:
    check(
        """
        function f(x: float, y: float):
          p: list = make_list(x, y)
          a = getitem(p, -1)
          q = setitem(p, -2, a)
          b = getitem(p, 0)
          t = mul(a, b)
          return t
        """,
        """
        function f(x, y):
          t = mul(y, y)
          return t
        """,
    )


def test_regions_that_read_and_arms_at_the_end_that_store() -> None:
    check(
        """
        function f(x: float, c: bool, r):
          for i in r ():
            p = make_dict('a', x)
            s = for j in r (s_1 = 0.0):
              a = getitem(p, 'a')
              s_2 = add(s_1, a)
              yield s_2
            branch c:
              q = setitem(p, 'a', s)
              b = getitem(p, 'a')
              t = print(b)
              yield
            else:
              b_2 = getitem(p, 'a')
              t_2 = print(b_2)
              yield
          return x
        """,
        """
        function f(x, c, r):
          for i in r ():
            s = for j in r (s_1 = 0.0):
              s_2 = add(s_1, x)
              yield s_2
            branch c:
              t = print(s)
              yield
            else:
              t_2 = print(x)
              yield
          return x
        """,
    )


@pytest.mark.parametrize(
    "use",
    [
        "a = getitem(p, 'b')",
        "a = getitem(p, k)",
        "a = len(p)",
        "a = print(p)",
        "a = setitem(p, 'a', p)",
        "a = setitem(p, k, x)",
        "a = delitem(p, 'a')",
        "a = contains(p, 'a')",
        "a = call_method(p, 'pop', 'a')",
    ],
)
def test_other_uses(use: str) -> None:
    check_same(
        f"""
        function f(x: float, k):
          p = make_dict('a', x)
          {use}
          b = getitem(p, 'a')
          return b
        """
    )


def test_a_list_index_that_is_not_there() -> None:
    for index in ("2", "-3", "'a'"):
        check_same(
            f"""
            function f(x: float):
              p: list = make_list(x, 1.0)
              a = getitem(p, {index})
              return a
            """
        )


def test_a_store_in_a_region() -> None:
    check_same(
        """
        function f(x: float, c: bool):
          p = make_dict('a', x)
          if c:
            q = setitem(p, 'a', 2.0)
            yield
          else:
            yield
          a = getitem(p, 'a')
          return a
        """
    )
