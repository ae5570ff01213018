"""What is added to an element that was just set to zero."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.transform.store_additions_first import store_additions_first
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, store_additions_first)
check_same = partial(check_unchanged, store_additions_first)


def test_what_is_taken_and_added_again_stays() -> None:
    check(
        """
        function f(x: list, i: int, j: int, t: float):
          e ~= getitem(x, i)
          p ~= setitem(x, i, 0.0)
          a ~= getitem(x, j)
          s ~= mul(e, t)
          b ~= sub(a, s)
          q ~= setitem(x, j, b)
          c ~= getitem(x, i)
          d ~= add(c, e)
          r ~= setitem(x, i, d)
          return x
        """,
        """
        function f(x, i, j, t):
          e ~= getitem(x, i)
          a ~= getitem(x, j)
          s ~= mul(e, t)
          b ~= sub(a, s)
          q ~= setitem(x, j, b)
          return x
        """,
    )


def test_a_multiple_is_stored_at_once() -> None:
    check(
        """
        function f(x: list, i: int, j: int, t: float):
          e ~= getitem(x, i)
          p ~= setitem(x, i, 0.0)
          a ~= getitem(x, j)
          b ~= add(a, e)
          q ~= setitem(x, j, b)
          s ~= mul(e, t)
          c ~= getitem(x, i)
          d ~= add(c, s)
          r ~= setitem(x, i, d)
          return x
        """,
        """
        function f(x, i, j, t):
          e ~= getitem(x, i)
          s ~= mul(e, t)
          d ~= add(0.0, s)
          r ~= setitem(x, i, d)
          a ~= getitem(x, j)
          b ~= add(a, e)
          q ~= setitem(x, j, b)
          return x
        """,
    )


@pytest.mark.parametrize(
    "between",
    [
        "o ~= setitem(x, j, t)",  # another number there
        "o ~= getitem(x, j)\n          u ~= mul(o, t)\n          w ~= setitem(x, j, u)",  # not a sum
        "o ~= getitem(x, j)\n          u ~= sub(t, o)\n          w ~= setitem(x, j, u)",
        "o = getitem(x, j)\n          u = add(o, t)\n          w = setitem(x, j, u)",  # the program's own, as it is written
        "o ~= getitem(x, j)\n          u ~= add(o, t)\n          w ~= setitem(x, k, u)",
        "o ~= getitem(x, j)\n          u ~= add(o, o)\n          w ~= setitem(x, j, u)",
        "o ~= call_method(x, 'append', t)",
        "o = print(x)",
    ],
)
def test_what_else_is_done_to_the_list_stands_in_the_way(between: str) -> None:
    check_same(
        f"""
        function f(x: list, i: int, j: int, k: int, t: float):
          e ~= getitem(x, i)
          p ~= setitem(x, i, 0.0)
          {between}
          c ~= getitem(x, i)
          d ~= add(c, e)
          r ~= setitem(x, i, d)
          return x
        """
    )


def test_what_is_not_known_before_stands_in_the_way() -> None:
    check_same(
        """
        function f(x: list, y: list, i: int, t: float):
          p ~= setitem(x, i, 0.0)
          s = call_method(y, 'pop')
          c ~= getitem(x, i)
          d ~= add(c, s)
          r ~= setitem(x, i, d)
          return x
        """
    )


def test_attributes_of_a_shadow() -> None:
    """``s.x += dt * s.v``, backwards."""
    check(
        """
        function f(s: shadow, t: float):
          e: float ~= getattr(s, 'x')
          p ~= setattr(s, 'x', 0.0)
          g ~= mul(e, t)
          a: float ~= getattr(s, 'v')
          b ~= add(a, g)
          q ~= setattr(s, 'v', b)
          c: float ~= getattr(s, 'x')
          d ~= add(c, e)
          r ~= setattr(s, 'x', d)
          return s
        """,
        """
        function f(s, t):
          e ~= getattr(s, 'x')
          g ~= mul(e, t)
          a ~= getattr(s, 'v')
          b ~= add(a, g)
          q ~= setattr(s, 'v', b)
          return s
        """,
    )


@pytest.mark.parametrize(
    "between",
    [
        "o ~= getattr(u, 'x')\n          w ~= mul(o, t)\n          q ~= setattr(u, 'x', w)",  # perhaps the same object
        "q ~= setattr(u, 'x', t)",
        "q = print(s)",
    ],
)
def test_what_may_be_the_attribute_stands_in_the_way(between: str) -> None:
    check_same(
        f"""
        function f(s: shadow, u: shadow, t: float):
          e: float ~= getattr(s, 'x')
          p ~= setattr(s, 'x', 0.0)
          {between}
          c: float ~= getattr(s, 'x')
          d ~= add(c, e)
          r ~= setattr(s, 'x', d)
          return s
        """
    )
