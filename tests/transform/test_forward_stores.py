"""Loads of what was just stored, and stores that nobody sees."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.transform.forward_stores import forward_stores
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, forward_stores)
check_same = partial(check_unchanged, forward_stores)


def test_two_contributions_to_one_element() -> None:
    check(
        """
        function f(x: list, i: int, t: float):
          a = getitem(x, i)
          b ~= add(a, t)
          p ~= setitem(x, i, b)
          c = getitem(x, i)
          d ~= add(c, t)
          q ~= setitem(x, i, d)
          return x
        """,
        """
        function f(x, i, t):
          a = getitem(x, i)
          b ~= add(a, t)
          d ~= add(b, t)
          q ~= setitem(x, i, d)
          return x
        """,
    )


def test_different_constant_indices_do_not_disturb() -> None:
    check(
        """
        function f(x: list, t: float):
          p = setitem(x, 0, t)
          q = setitem(x, 1, 2.0)
          a = getitem(x, 0)
          return a
        """,
        """
        function f(x, t):
          p = setitem(x, 0, t)
          q = setitem(x, 1, 2.0)
          return t
        """,
    )


@pytest.mark.parametrize(
    "between",
    [
        "setitem(x, -1, 2.0)",
        "setitem(x, j, 2.0)",
        "setitem(y, 0, 2.0)",
        "call_method(x, 'append', 2.0)",
        "call_method(x, 'reverse')",
        "call_method(y, 'insert', 0, t)",
        "print(t)",
    ],
)
def test_what_may_have_changed_is_read_again(between: str) -> None:
    check_same(
        f"""
        function f(x: list, y: list, j: int, t: float):
          p = setitem(x, 0, t)
          q = {between}
          a = getitem(x, 0)
          return a
        """
    )


@pytest.mark.parametrize("between", ["len(x)", "getitem(x, j)", "getitem(y, 0)", "sum(y)", "truediv(1.0, t)", "print(t)"])
def test_what_may_have_been_seen_is_stored(between: str) -> None:
    check_same(
        f"""
        function f(x: list, y: list, j: int, t: float):
          p = setitem(x, 0, t)
          q = {between}
          r = setitem(x, 0, 1.0)
          return q
        """
    )


def test_a_container_made_here_is_not_one_that_was_given() -> None:
    check(
        """
        function f(x: list, t: float):
          mine: list = make_list(0.0)
          p = setitem(mine, 0, t)
          q = setitem(x, 0, 2.0)
          a = getitem(mine, 0)
          r = make_tuple(mine, a)
          return r
        """,
        """
        function f(x, t):
          mine = make_list(0.0)
          p = setitem(mine, 0, t)
          q = setitem(x, 0, 2.0)
          r = make_tuple(mine, t)
          return r
        """,
    )


def test_regions_of_control_flow_start_anew() -> None:
    check_same(
        """
        function f(x: list, c: bool, t: float):
          p = setitem(x, 0, t)
          if c:
            a = getitem(x, 0)
            q = print(a)
            r = setitem(x, 0, 1.0)
            yield
          else:
            yield
          b = getitem(x, 0)
          return b
        """
    )


def test_an_adjoint_that_a_store_takes_and_gives_back() -> None:
    once = """
        function f(m: list, i: int, j: int, n: int, t: float):
          zero: list = make_list(0.0)
          mine: list ~= mul(zero, n)
          a ~= getitem(mine, i)
          inner: list ~= getitem(m, i)
          b ~= getitem(inner, j)
          c ~= add(b, a)
          q ~= setitem(inner, j, c)
          r ~= setitem(mine, i, a)
          return mine
        """
    check(
        """
        function f(m: list, i: int, j: int, n: int, t: float):
          zero: list = make_list(0.0)
          mine: list ~= mul(zero, n)
          a ~= getitem(mine, i)
          p ~= setitem(mine, i, 0.0)
          inner: list ~= getitem(m, i)
          b ~= getitem(inner, j)
          c ~= add(b, a)
          q ~= setitem(inner, j, c)
          r ~= setitem(mine, i, a)
          return mine
        """,
        once.replace(": list", "").replace(": int", "").replace(": float", ""),
        idle=False,
    )
    check(
        once,
        """
        function f(m, i, j, n, t):
          zero = make_list(0.0)
          mine ~= mul(zero, n)
          a ~= getitem(mine, i)
          inner ~= getitem(m, i)
          b ~= getitem(inner, j)
          c ~= add(b, a)
          q ~= setitem(inner, j, c)
          return mine
        """,
    )


@pytest.mark.parametrize(
    "between", ["setitem(x, j, 2.0)", "setitem(y, 0, 2.0)", "call_method(x, 'append', 2.0)", "print(t)", "call_method(y, 'pop')"]
)
def test_what_was_read_may_have_changed(between: str) -> None:
    check_same(
        f"""
        function f(x: list, y: list, j: int, t: float):
          a = getitem(x, 0)
          q = {between}
          p = setitem(x, 0, a)
          return x
        """
    )


def test_a_container_with_a_second_name() -> None:
    check_same(
        """
        function f(x: list, t: float):
          mine: list = make_list(0.0)
          pair = make_tuple(mine, 1)
          a = getitem(mine, 0)
          p = setitem(mine, 0, t)
          other: list = getitem(pair, 0)
          b = getitem(other, 0)
          q = setitem(mine, 0, a)
          r = make_tuple(a, b)
          return r
        """
    )


def test_attributes_of_shadows() -> None:
    """A store to one attribute leaves the others, of whatever object they are."""
    check(
        """
        function f(s: shadow, u: shadow, t: float):
          p ~= setattr(s, 'x', t)
          q ~= setattr(u, 'v', 0.0)
          a: float ~= getattr(s, 'x')
          b ~= add(a, t)
          r ~= setattr(s, 'x', b)
          return b
        """,
        """
        function f(s, u, t):
          q ~= setattr(u, 'v', 0.0)
          b ~= add(t, t)
          r ~= setattr(s, 'x', b)
          return b
        """,
    )
    check_same(
        """
        function f(s: shadow, u: shadow, t: float):
          p ~= setattr(s, 'x', t)
          q ~= setattr(u, 'x', 0.0)
          a: float ~= getattr(s, 'x')
          return a
        """
    )
