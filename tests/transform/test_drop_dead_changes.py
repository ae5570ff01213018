"""Changes of lists that nobody looks at afterwards."""

from __future__ import annotations

from functools import partial

import pytest

from s2sad.transform.drop_dead_changes import drop_dead_changes
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, drop_dead_changes)
check_same = partial(check_unchanged, drop_dead_changes)


def test_what_is_popped_at_the_end() -> None:
    check(
        """
        function f(x: float, n: int):
          rows ~= make_list()
          a ~= call_method(rows, 'append', x)
          e ~= getitem(rows, 0)
          b ~= call_method(rows, 'append', x)
          c ~= call_method(rows, 'pop')
          return e
        """,
        """
        function f(x, n):
          rows ~= make_list()
          a ~= call_method(rows, 'append', x)
          e ~= getitem(rows, 0)
          return e
        """,
    )


def test_what_a_later_trip_reads_stays() -> None:
    check_same(
        """
        function f(x: float, n: int):
          rows ~= make_list(x)
          r = range(n)
          t = for i in r (s = x):
            e ~= getitem(rows, 0)
            u ~= add(s, e)
            a ~= setitem(rows, 0, u)
            yield u
          return t
        """
    )


@pytest.mark.parametrize(
    "change",
    [
        "a = call_method(rows, 'pop')",
        "a ~= call_method(rows, 'pop')\n          b = print(a)",
        "a ~= call_method(rows, 'append', x)",
    ],
)
def test_what_the_program_does_or_reads_stays(change: str) -> None:
    end = "print(rows)" if "append" in change else "print(x)"
    check_same(
        f"""
        function f(x: float, n: int):
          rows ~= make_list(x)
          {change}
          p = {end}
          return x
        """
    )
