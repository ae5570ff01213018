"""Lists and arrays of zeros to whose elements something is added once."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad
from s2sad.transform.fill_containers import fill_containers
from tests.transform.before_after import check_pass, check_unchanged


def test_what_is_added_to_all_is_what_the_list_is_made_of() -> None:
    check_pass(
        fill_containers,
        """
        function f(x: float, n: int):
          e ~= mul(x, 2.5)
          z ~= make_list(0.0)
          rows ~= mul(z, n)
          m = sub(n, 1)
          r = range(m, -1, -1)
          s = for i in r (t = 1):
            a ~= getitem(rows, i)
            b ~= add(a, e)
            c ~= setitem(rows, i, b)
            u = add(t, i)
            yield u
          return rows
        """,
        """
        function f(x, n):
          e ~= mul(x, 2.5)
          m = sub(n, 1)
          r = range(m, -1, -1)
          z ~= make_list(e)
          rows ~= mul(z, n)
          s = for i in r (t = 1):
            u = add(t, i)
            yield u
          return rows
        """,
    )


BEFORE = """
    function f(x: float, n: int):
      z ~= make_list({fill})
      rows ~= mul(z, n)
      {between}
      r = range({range})
      s = for i in r (t = x):
        y ~= mul(t, 0.5)
        a ~= getitem(rows, {key})
        b ~= {step}
        c ~= setitem(rows, {key}, b)
        {after}
        yield y
      return rows
"""


@pytest.mark.parametrize(
    "changes",
    [
        {"range": "-1, n"},  # the last element twice
        {"between": "p = print(rows)"},
        {"after": "e ~= getitem(rows, 0)"},
        {"fill": "1.0"},
        {"key": "0"},
        {"step": "sub(y, a)"},
        {"step": "add(a, a)"},
        {"step": "add(a, x)", "range": "1, n"},  # it may be an integer
    ],
)
def test_others_are_added_to(changes: dict[str, str]) -> None:
    plain = {"fill": "0.0", "between": "q = sin(x)", "range": "n", "key": "i", "step": "add(a, y)", "after": "d = sin(y)"}
    check_unchanged(fill_containers, BEFORE.format(**(plain | changes)))


def test_elements_are_set_to_what_differs() -> None:
    plain = {"fill": "0.0", "between": "q = sin(x)", "range": "1, n", "key": "i", "after": "d = sin(y)"}
    before = BEFORE.format(**plain, step="sub(a, w)").replace("a ~=", "w ~= mul(y, 1.5)\n        a ~=")
    after = """
        function f(x, n):
          z ~= make_list(0.0)
          rows ~= mul(z, n)
          q = sin(x)
          r = range(1, n)
          s = for i in r (t = x):
            y ~= mul(t, 0.5)
            w ~= mul(y, 1.5)
            b ~= neg(w)
            c ~= setitem(rows, i, b)
            d = sin(y)
            yield y
          return rows
    """
    check_pass(fill_containers, before, after)


# --- whole programs ----------------------------------------------------------------------------------------------------------


def mean(xs):
    return sum(xs) / len(xs)


def difference_of_sums(xs):
    return sum(xs) - 3 * sum(x * x for x in xs) + 2 * sum(xs)


def scaled(x, k):
    total = 0.0
    for i in range(x.shape[0]):
        total += k * x[i]
    return total


def first_ones(xs):
    total = 0.0
    for i in range(len(xs) - 1):
        total += xs[i]
    return total * xs[-1]


def from_the_end(xs):
    total = 0.0
    for i in range(-2, 2):
        total += (i + 3.0) * xs[i]
    return total


def horner(xs):
    total = 0.5
    for x in reversed(xs):
        total = total * 1.5 + x
    return total


def carried(xs):
    total, factor = 0.0, 1.0
    for x in xs:
        total += factor * x
        factor *= 0.5
    return total


XS = [0.3, 1.2, -0.7]


@pytest.mark.parametrize("function", [mean, difference_of_sums, first_ones, from_the_end, horner, carried])
def test_gradients(function) -> None:
    check_grads(function, (XS,))


def test_gradients_of_arrays() -> None:
    check_grads(scaled, (np.array(XS), 1.5))
    assert grad(scaled, argnums=(0, 1))(np.array(XS, dtype=np.float32), 1.5)[0].dtype == np.float32
    assert "full_like" in grad(scaled).source(np.array(XS), 1.5)


def test_text_is_one_line() -> None:
    assert "return [1 / len_xs] * len_xs" in grad(mean).source(XS)
    assert grad(mean)(XS) == [1 / 3] * 3


def dot(xs, ys):
    return sum(x * y for x, y in zip(xs, ys, strict=True))


def test_gradients_are_floats() -> None:
    found = [*grad(dot)([1, 2.5], [3.0, 4]), *grad(scaled, argnums=0)(np.array([1.0, 2.0]), 3).tolist()]
    assert found == [3.0, 4.0, 3.0, 3.0]
    assert all(one.__class__ is float for one in found)


def in_scratch(u, n):
    work = np.empty_like(u)
    total = 0.0
    for k in range(n):
        work[:] = u * k
        total += np.sum(work * u)
    return total


def test_stores_to_parts_are_left() -> None:
    check_grads(in_scratch, (np.array(XS), 3), argnums=0)
