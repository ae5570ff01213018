"""Invariant calls leave loops, unless a loop that makes no trip would then raise."""

from __future__ import annotations

import math
from functools import partial

import pytest

from s2sad import check_grads, grad
from s2sad.ir.interpret import interpret
from s2sad.ir.verify import verify
from s2sad.transform.hoist_invariants import HoistOptions, hoist_invariants
from tests.transform.before_after import check_pass, check_unchanged
from tests.transform.text_ir import parse, show

check = partial(check_pass, hoist_invariants)
check_same = partial(check_unchanged, hoist_invariants)


def test_out_of_two_loops() -> None:
    check(
        """
        function f(x: float, n: int):
          r = range(n)
          s = for i in r (s_1 = x):
            u = for j in r (u_1 = s_1):
              a = mul(x, x)
              b = mul(a, s_1)
              u_2 = add(u_1, b)
              yield u_2
            yield u
          return s
        """,
        """
        function f(x, n):
          r = range(n)
          a = mul(x, x)
          s = for i in r (s_1 = x):
            b = mul(a, s_1)
            u = for j in r (u_1 = s_1):
              u_2 = add(u_1, b)
              yield u_2
            yield u
          return s
        """,
    )


def loop(head: str, call: str) -> str:
    return f"""
        function f(x: float, n: int, y: float):
          r = {head}
          s = for i in r (s_1 = x):
            a = {call}
            s_2 = mul(s_1, a)
            yield s_2
          return s
        """


@pytest.mark.parametrize("head", ["range(3)", "range(3, 0, -1)", "make_tuple(1.0, y)"])
def test_what_may_raise_leaves_a_loop_that_runs(head: str) -> None:
    check(
        loop(head, "truediv(1.0, y)"),
        f"""
        function f(x, n, y):
          r = {head}
          a = truediv(1.0, y)
          s = for i in r (s_1 = x):
            s_2 = mul(s_1, a)
            yield s_2
          return s
        """,
    )


@pytest.mark.parametrize("head", ["range(0)", "range(3, 3)", "make_list(1.0)"])
def test_what_may_raise_stays_in_a_loop_that_may_not_run(head: str) -> None:
    check_same(loop(head, "truediv(1.0, y)"))
    check_same(loop(head, "pow(y, 2)"))


@pytest.mark.parametrize(
    ("options", "call", "moves"),
    [
        (HoistOptions(inexact=True), "= truediv(1.0, y)", False),
        (HoistOptions(inexact=True), "~= truediv(1.0, y)", True),
        (HoistOptions(small_powers=True), "= pow(y, 2)", True),
        (HoistOptions(small_powers=True), "= pow(y, -1)", False),
        (HoistOptions(small_powers=True), "= pow(y, 0.5)", False),
    ],
)
def test_options(options: HoistOptions, call: str, moves: bool) -> None:
    text = loop("make_list(1.0)", "call").replace("= call", call)
    transform = partial(hoist_invariants, options=options)
    if not moves:
        check_unchanged(transform, text)
        return
    check_pass(
        transform,
        text,
        f"""
        function f(x, n, y):
          r = make_list(1.0)
          a {call}
          s = for i in r (s_1 = x):
            s_2 = mul(s_1, a)
            yield s_2
          return s
        """,
    )


def test_a_header_always_runs() -> None:
    check(
        """
        function f(x: float, y: float):
          s = while (s_1 = x):
            header:
              limit = truediv(1.0, y)
              c = lt(s_1, limit)
              yield c
            body:
              a = truediv(2.0, y)
              s_2 = mul(s_1, a)
              yield s_2
          return s
        """,
        """
        function f(x, y):
          limit = truediv(1.0, y)
          c = lt(x, limit)
          a = if c:
            a_2 = truediv(2.0, y)
            yield a_2
          else:
            yield 0.0
          s = while (s_1 = x):
            header:
              c_2 = lt(s_1, limit)
              yield c_2
            body:
              s_2 = mul(s_1, a)
              yield s_2
          return s
        """,
    )


def test_nothing_that_raises_moves_across_what_acts() -> None:
    check_same(
        """
        function f(x: float, y: float):
          for i in range(3) ():
            t = print(x)
            a = truediv(1.0, y)
            b = print(a)
            yield
          return x
        """.replace("range(3)", "range(3)")
    )


def test_behind_a_branch_only_what_cannot_raise() -> None:
    check(
        """
        function f(x: float, y: float, n: int):
          r = range(n)
          s = for i in r (s_1 = x):
            c = lt(s_1, y)
            branch c:
              u = mul(x, 5.0)
              break u
            else:
              a = mul(x, y)
              b = truediv(x, y)
              s_2 = add(s_1, a)
              s_3 = add(s_2, b)
              yield s_3
          return s
        """,
        """
        function f(x, y, n):
          r = range(n)
          a = mul(x, y)
          s = for i in r (s_1 = x):
            c = lt(s_1, y)
            branch c:
              u = mul(x, 5.0)
              break u
            else:
              b = truediv(x, y)
              s_2 = add(s_1, a)
              s_3 = add(s_2, b)
              yield s_3
          return s
        """,
    )


def test_reads_leave_a_loop_that_does_not_write() -> None:
    check(
        """
        function f(x: list, n: int):
          r = range(n)
          s = for i in r (s_1 = 0):
            m = len(x)
            s_2 = add(s_1, m)
            yield s_2
          u = for j in r (u_1 = 0):
            m_2 = len(x)
            p = call_method(x, 'append', 1.0)
            u_2 = add(u_1, m_2)
            yield u_2
          t = make_tuple(s, u)
          return t
        """,
        """
        function f(x, n):
          r = range(n)
          m = len(x)
          s = for i in r (s_1 = 0):
            s_2 = add(s_1, m)
            yield s_2
          u = for j in r (u_1 = 0):
            m_2 = len(x)
            p = call_method(x, 'append', 1.0)
            u_2 = add(u_1, m_2)
            yield u_2
          t = make_tuple(s, u)
          return t
        """,
    )


def test_what_is_expensive_is_computed_if_there_is_a_trip() -> None:
    check(
        loop("range(n)", "pow(y, 2)"),
        """
        function f(x, n, y):
          r = range(n)
          t = gt(n, 0)
          a = if t:
            a_2 = pow(y, 2)
            yield a_2
          else:
            yield 0.0
          s = for i in r (s_1 = x):
            s_2 = mul(s_1, a)
            yield s_2
          return s
        """,
    )


@pytest.mark.parametrize("call", ["getitem(l, 0)", "add(x, y)", "int(y)"])
def test_what_is_cheap_is_not_worth_a_condition(call: str) -> None:
    text = loop("range(n)", call).replace("y: float", "y: float, l: list")
    assert "if t" not in show(hoist_invariants(parse(text)))


def test_no_condition_across_what_acts_or_leaves() -> None:
    check_same(
        """
        function f(x: float, y: float, n: int):
          for i in range(n) ():
            t = print(x)
            a = pow(y, 2)
            b = print(a)
            yield
          return x
        """
    )
    check_same(
        """
        function f(x: float, y: float, n: int):
          r = range(n)
          s = for i in r (s_1 = x):
            c = lt(s_1, y)
            branch c:
              yield y
            else:
              a = pow(y, 2)
              s_2 = mul(s_1, a)
              yield s_2
          return s
        """
    )


SWEEPS = """
        function f(x: float, y: float):
          saved = make_list()
          k, s = while (k_1 = {start}, s_1 = x):
            header:
              yield gt(s_1, 0.5)
            body:
              k_2 = add(k_1, 1)
              p = call_method(saved, 'append', s_1)
              a = pow(y, 2)
              s_2 = mul(s_1, a)
              yield k_2, s_2
          {later}
            q = pow(y, 2)
            b_2 = add(b_1, q)
            yield {values}
          return b
        """
BACKWARDS = """j, b = while (j_1 = k, b_1 = s):
            header:
              yield {condition}
            body:
              j_2 = sub(j_1, 1)
              q = pow(y, 2)
              b_2 = add(b_1, q)
              yield j_2, b_2
          return b
        """


def backwards(start: str, condition: str) -> str:
    head = SWEEPS.split("{later}")[0].format(start=start)
    return head + BACKWARDS.format(condition=condition)


@pytest.mark.parametrize(
    ("start", "condition", "powers"),
    [
        ("0", "gt(j_1, 0)", 1),
        ("0", "lt(0, j_1)", 1),
        ("0", "ne(j_1, 0)", 1),
        ("2", "gt(j_1, 2)", 1),
        ("1", "gt(j_1, 0)", 2),
        ("0", "ge(j_1, 0)", 2),
        ("0", "gt(x, 0.5)", 2),
    ],
)
def test_a_later_loop_takes_over_what_it_may(start: str, condition: str, powers: int) -> None:
    once = verify(hoist_invariants(parse(backwards(start, condition))))
    fn = verify(hoist_invariants(once))
    assert show(fn).count("pow(y, 2)") == powers
    assert fn is once


@pytest.mark.parametrize(
    ("later", "powers"),
    [("for v in saved (b_1 = s):", 1), ("for v in range(k) (b_1 = s):", 1), ("for v in range(1, k) (b_1 = s):", 1)],
)
def test_a_later_loop_over_what_an_earlier_one_made(later: str, powers: int) -> None:
    text = SWEEPS.format(start="0", later=f"b = {later}", values="b_2")
    fn = verify(hoist_invariants(parse(text)))
    assert show(fn).count("pow(y, 2)") == powers
    for x, y in [(0.25, 1e200), (2.0, 0.5), (0.75, 0.5)]:
        assert interpret(fn, (x, y)) == interpret(parse(text), (x, y))


def test_no_trip_raises_nothing() -> None:
    fn = hoist_invariants(parse(backwards("0", "gt(j_1, 0)")))
    assert interpret(fn, (0.25, 1e200)) == 0.25
    with pytest.raises(OverflowError):
        interpret(fn, (0.75, 1e200))


def test_known_numbers_leave_loops_that_may_make_no_trip() -> None:
    def likelihood(xs: list[float], sigma: float) -> float:
        total = 0.0
        for x in xs:
            total -= math.log(sigma * math.sqrt(2 * math.pi)) + 0.5 * (x * math.sqrt(math.pi) / sigma) ** 2
        return total

    text = grad(likelihood, argnums=(0, 1)).source([1.0, 2.0], 0.5)
    before, _, loop = text.partition("for i in ")
    assert "math.sqrt" in before
    assert "math" not in loop
    assert grad(likelihood)([], 0.5) == []
    check_grads(likelihood, ([1.0, 2.0], 0.5), argnums=(0, 1))
