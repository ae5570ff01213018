"""What is known when code is generated is computed then, bitwise as Python would."""

from __future__ import annotations

import math
from functools import partial

import pytest

from s2sad.ir.nodes import Constant, Return
from s2sad.ir.types import FLOAT, INT, NONE, OpaqueType, OptionalType, Type
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.fold_constants import fold_constants
from tests.transform.before_after import check_pass, check_unchanged
from tests.transform.text_ir import TYPES, parse, show

check = partial(check_pass, fold_constants)
check_same = partial(check_unchanged, fold_constants)


def folded(expression: str, **names: object) -> object:
    """The value of an expression over x, a float, when it is folded; None when it is not."""
    fn = fold_constants(parse(f"function f(x: float, i: int, c: bool):\n  r = {expression}\n  return r\n", **names))
    assert isinstance(fn.body.terminator, Return)
    value = fn.body.terminator.value
    return value.value if isinstance(value, Constant) else None


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("mul(2, 3)", 6),
        ("mul(2, 0.5)", 1.0),
        ("neg(0.0)", -0.0),
        ("truediv(1, 2)", 0.5),
        ("pow(10, 3)", 1000),
        ("lt(1, 2.0)", True),
        ("len(make_tuple(x, i))", 2),
        ("is_(x, None)", False),
        ("is_not(None, i)", True),
        ("isinstance(x, list)", False),
        ("isinstance(c, int)", True),
        ("isinstance(i, float)", False),
        ("getattr(math, 'sin')", math.sin),
    ],
)
def test_values(expression: str, value: object) -> None:
    found = folded(expression, math=math)
    assert (type(found), repr(found)) == (type(value), repr(value))


@pytest.mark.parametrize(
    "expression",
    [
        "truediv(1, 3)",  # reads worse
        "truediv(1, 0)",  # raises when it runs
        "pow(2, 10000)",
        "pow(-8.0, 0.5)",
        "mul(1e200, 1e200)",
        "sqrt(2.0)",
        "getattr(math, 'pi')",
        "getitem(make_tuple(x, i), 5)",
        "getitem(make_list(x, i), 0)",  # may have changed
        "isinstance(x, sequence)",
        "isinstance(x, float)",  # an integer may stand for it
    ],
)
def test_what_is_left(expression: str) -> None:
    assert folded(expression, math=math, sequence=__import__("collections.abc").abc.Sequence) is None


@pytest.mark.parametrize(
    ("kind", "value"),
    [(FLOAT, False), (NONE, True), (OptionalType(INT), None), (OpaqueType(object), None)],
)
def test_none_by_type(kind: Type, value: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TYPES, "it", kind)
    fn = fold_constants(parse("function f(x: it):\n  r = is_(x, None)\n  return r\n"))
    assert isinstance(fn.body.terminator, Return)
    found = fn.body.terminator.value
    assert (found.value if isinstance(found, Constant) else None) is value


def test_tuples_are_taken_apart() -> None:
    check(
        """
        function f(x: float, y: float):
          pair = make_tuple(x, y)
          parts = unpack(pair, 2)
          a = getitem(parts, 1)
          b = getitem(parts, -2)
          t = sub(a, b)
          return t
        """,
        """
        function f(x, y):
          pair = make_tuple(x, y)
          t = sub(y, x)
          return t
        """,
    )


def test_a_tuple_of_another_length_raises_when_it_runs() -> None:
    check_same(
        """
        function f(x, y):
          pair = make_tuple(x, y)
          parts = unpack(pair, 3)
          return parts
        """
    )


def test_arms_that_are_taken() -> None:
    check(
        """
        function f(x: float):
          r = if lt(1, 2):
            t = mul(x, x)
            yield t
          else:
            yield 0.0
          branch False:
            return x
          else:
            u = add(r, 1)
            return u
        """,
        """
        function f(x):
          t = mul(x, x)
          u = add(t, 1)
          return u
        """,
    )


def test_what_follows_a_certain_raise_goes() -> None:
    check(
        """
        function f(x: float):
          if True:
            raise ValueError
          else:
            yield
          t = print(x)
          return x
        """,
        """
        function f(x):
          raise ValueError
        """,
    )


def test_a_condition_is_known_in_its_arms_and_after_an_assertion() -> None:
    check(
        """
        function f(x: float, c: bool, d: bool):
          if d:
            yield
          else:
            raise ValueError
          n = not_(c)
          r = if n:
            s = if c:
              yield 1.0
            else:
              yield 2.0
            yield s
          else:
            s_2 = if d:
              yield 3.0
            else:
              yield 4.0
            yield s_2
          return r
        """,
        """
        function f(x, c, d):
          if d:
            yield
          else:
            raise ValueError
          n = not_(c)
          r = if n:
            yield 2.0
          else:
            yield 3.0
          return r
        """,
    )


def test_loops_without_trips() -> None:
    check(
        """
        function f(x: float):
          a = for i in range(3, 3) (a_1 = x):
            yield add(a_1, 1.0)
          b = while (b_1 = a):
            header:
              t = print(b_1)
              yield False
            body:
              yield add(b_1, 1.0)
          return b
        """,
        """
        function f(x):
          t = range(3, 3)
          t_2 = print(x)
          return x
        """,
    )


def test_flags() -> None:
    check(
        """
        function f(x: float, c: bool):
          a, b, d = if c:
            yield True, False, x
          else:
            yield False, True, 1.0
          t = make_tuple(a, b, d)
          return t
        """,
        """
        function f(x, c):
          d = if c:
            yield x
          else:
            yield 1.0
          b = not_(c)
          t = make_tuple(c, b, d)
          return t
        """,
    )


def test_a_flag_of_unknown_type_is_not_the_condition() -> None:
    check_same(
        """
        function f(c):
          a = if c:
            yield True
          else:
            yield False
          return a
        """
    )


def test_dead_code_takes_the_rest() -> None:
    fn = parse("function f(x: float):\n  a = mul(2, 3)\n  b = make_tuple(x, a)\n  c = getitem(b, 1)\n  return c\n")
    assert show(eliminate_dead_code(fold_constants(fn))) == "function f(x):\n  return 6\n"


def test_what_gives_nothing_gives_none() -> None:
    check(
        """
        function f(x: list):
          a: none = call_method(x, 'append', 1.0)
          b = make_tuple(a, a)
          return b
        """,
        """
        function f(x):
          a = call_method(x, 'append', 1.0)
          b = make_tuple(None, None)
          return b
        """,
    )
