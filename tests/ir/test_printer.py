"""The text of IR is that of the documentation."""

from __future__ import annotations

import textwrap

import pytest

from s2sad.frontend.lower import lower_source
from s2sad.ir.printer import print_function

CASES = [
    (
        "def f(n):\n    k = 0\n    while k < n:\n        k += 1\n    return k",
        """\
        def f(n):
          k_2 = while carried (k_1 = 0):
            header:
              t_3 = lt(k_1, n)
              yield t_3
            body:
              k_4 = iadd(k_1, 1)
              yield k_4
          return k_2""",
    ),
    (
        "def f(x, *rest, k=1, **more):\n    if x:\n        return k\n    y = x or k\n    return lambda z=y: z + x",
        """\
        def f(x, *rest, k=..., **more):
          branch x:
            return k
          else:
            y_1 = if x:
              yield x
            else:
              yield k
            t_2 = function captures (x) defaults (y_1):
              def <lambda>[x_3](z_4=...):
                t_5 = add(z_4, x_3)
                return t_5
            return t_2""",
    ),
    (
        "def f(xs):\n    for x in xs:\n        try:\n            x[0]\n"
        "        except KeyError as e:\n            raise TypeError from e\n",
        """\
        def f(xs):
          for x_1 in xs:
            KeyError_2 = load_global('KeyError')
            try:
              t_3 = getitem(x_1, 0)
              yield
            except KeyError_2 as e_4:
              TypeError_5 = load_global('TypeError')
              raise TypeError_5 from e_4
            yield
          return None""",
    ),
    (
        "def f(c):\n    with c as v:\n        y = v.a\n    return y",
        """\
        def f(c):
          y_2 = with c as v_1:
            y_3 = getattr(v_1, 'a')
            yield y_3
          return y_2""",
    ),
]


@pytest.mark.parametrize(("source", "wanted"), CASES)
def test_text(source: str, wanted: str) -> None:
    assert print_function(lower_source(source)) == textwrap.dedent(wanted)


def test_types_are_shown_where_known() -> None:
    from s2sad.ir.nodes import Block, Function, Parameter, Return, Value
    from s2sad.ir.types import FLOAT

    x = Value("x", FLOAT)
    assert print_function(Function("f", (Parameter(x),), Block((), Return(x))), types=True) == "def f(x: float):\n  return x"
