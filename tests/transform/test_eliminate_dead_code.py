"""What is not needed goes, what is needed stays."""

from __future__ import annotations

from functools import partial

from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from tests.transform.before_after import check_pass, check_unchanged

check = partial(check_pass, eliminate_dead_code)
check_same = partial(check_unchanged, eliminate_dead_code)


def test_unused_calls_go_in_chains() -> None:
    check(
        """
        function f(x: float):
          a = mul(x, x)
          b = truediv(a, 0.0)
          return x
        """,
        """
        function f(x):
          return x
        """,
    )


def test_effects_stay_with_what_decides_them() -> None:
    text = """
        function f(x, c):
          d = not_(c)
          if d:
            t = print(x)
            yield
          else:
            yield
          return x
        """
    check_same(text)


def test_carried_values_that_feed_only_themselves_go() -> None:
    check(
        """
        function f(x: float, n: int):
          k, s, r = while (k_1 = 0, s_1 = x, r_1 = x):
            header:
              c = lt(k_1, n)
              yield c
            body:
              k_2 = add(k_1, 1)
              s_2 = mul(s_1, r_1)
              r_2 = mul(r_1, x)
              yield k_2, s_2, r_2
          return r
        """,
        """
        function f(x, n):
          k, r = while (k_1 = 0, r_1 = x):
            header:
              c = lt(k_1, n)
              yield c
            body:
              k_2 = add(k_1, 1)
              r_2 = mul(r_1, x)
              yield k_2, r_2
          return r
        """,
    )


def test_loops_without_use_go() -> None:
    check(
        """
        function f(x: float, n: int):
          r = range(n)
          s = for i in r (s_1 = x):
            s_2 = mul(s_1, x)
            branch lt(s_2, 1.0):
              break s_2
            else:
              yield s_2
          k = while (k_1 = 0):
            header:
              c = lt(k_1, n)
              yield c
            body:
              yield add(k_1, 1)
          return x
        """,
        """
        function f(x, n):
          return x
        """,
    )


def test_a_loop_over_an_unknown_iterable_stays() -> None:
    text = """
        function f(x, iterator):
          for i in iterator ():
            yield
          return x
        """
    check_same(text)


def test_a_list_that_is_only_written_goes() -> None:
    check(
        """
        function f(x: float, n: int):
          saved = make_list()
          zero = make_list(0.0)
          zeros = mul(zero, n)
          s = for i in range(n) (s_1 = x):
            a = call_method(saved, 'append', s_1)
            b = setitem(zeros, i, s_1)
            yield mul(s_1, x)
          for j in range(n) ():
            p = call_method(saved, 'pop')
            q = mul(p, 2.0)
            yield
          return s
        """,
        """
        function f(x, n):
          t = range(n)
          s = for i in t (s_1 = x):
            t_2 = mul(s_1, x)
            yield t_2
          return s
        """,
    )


def test_a_list_that_escapes_or_is_read_stays() -> None:
    for use in ("len(saved)", "make_tuple(saved, 1)", "getitem(saved, 0)"):
        text = f"""
        function f(x):
          saved = make_list()
          a = call_method(saved, 'append', x)
          r = {use}
          return r
        """
        check_same(text)


def test_a_list_reached_by_another_name_stays() -> None:
    text = """
        function f(x, c):
          one = make_list()
          two = make_list()
          either = if c:
            yield one
          else:
            yield two
          a = call_method(one, 'append', x)
          r = len(either)
          return r
        """
    check_same(text)


def test_unused_results_go() -> None:
    check(
        """
        function f(x: float, c: bool):
          a, b = if c:
            yield mul(x, 2.0), mul(x, 3.0)
          else:
            yield x, 1.0
          return b
        """,
        """
        function f(x, c):
          b = if c:
            t = mul(x, 3.0)
            yield t
          else:
            yield 1.0
          return b
        """,
    )


def test_a_branch_with_equal_ends_goes() -> None:
    check(
        """
        function f(x: float, n: int):
          s, u = for i in range(n) (s_1 = x, u_1 = 0.0):
            s_2 = mul(s_1, x)
            branch lt(s_2, 1.0):
              yield s_2, x
            else:
              u_2 = add(u_1, 1.0)
              yield s_2, u_2
          return s
        """,
        """
        function f(x, n):
          t = range(n)
          s = for i in t (s_1 = x):
            s_2 = mul(s_1, x)
            yield s_2
          return s
        """,
    )


def test_an_assertion_stays() -> None:
    text = """
        function f(x):
          c = lt(x, 0.0)
          if c:
            e = ValueError('negative')
            raise e
          else:
            yield
          return x
        """
    check_same(text)


def test_what_a_handler_may_see_stays() -> None:
    text = """
        function f(x):
          r = try:
            t = truediv(1.0, x)
            yield 1.0
          except:
            yield 2.0
          return r
        """
    check_same(text)


def test_an_unused_try_goes() -> None:
    check(
        """
        function f(x):
          r = try:
            t = truediv(1.0, x)
            yield 1.0
          except:
            yield 2.0
          return x
        """,
        """
        function f(x):
          return x
        """,
    )
