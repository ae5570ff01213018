"""Signs of arrays go to what is computed of them, if all who read the negated array can take it."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad.analysis.array_products
import s2sad.analysis.array_reductions
import s2sad.rules  # noqa: F401 - declares what NumPy's functions do
from s2sad import grad
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.move_signs import move_signs
from tests.transform.before_after import check_pass, check_unchanged


def test_what_is_smaller_is_negated():
    check_pass(
        lambda fn: eliminate_dead_code(move_signs(fn)),
        """
        function f(m: mat, x: vec):
          t: mat ~= neg(m)
          a: float ~= vdot(t, m)
          b: float ~= total(t)
          return make_tuple(a, b)
        """,
        """
        function f(m, x):
          t ~= vdot(m, m)
          a ~= neg(t)
          t_2 ~= sum(m)
          b ~= neg(t_2)
          t_3 = make_tuple(a, b)
          return t_3
        """,
        vdot=np.vdot,
        total=np.sum,
    )


def test_what_is_added_afterwards_is_negated():
    check_pass(
        lambda fn: eliminate_dead_code(move_signs(fn)),
        """
        function f(x: vec, y: vec, s: float):
          t: vec ~= neg(x)
          a: vec ~= mul(t, s)
          b: vec ~= add(y, a)
          return b
        """,
        """
        function f(x, y, s):
          t ~= mul(x, s)
          a ~= neg(t)
          b ~= add(y, a)
          return b
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "a: vec ~= mul(t, s)\n  return a",  # nothing is gained
        "a: vec ~= mul(t, s)\n  b: vec ~= sub(a, x)\n  return b",  # the sign would have to move on
        "a: vec ~= mul(t, t)\n  b: vec ~= add(a, x)\n  return b",  # no sign is left
        "a: vec ~= truediv(s, t)\n  b: vec ~= add(x, a)\n  return b",
        "a: vec ~= exp(t)\n  b: vec ~= add(x, a)\n  return b",
        "a: vec ~= mul(t, s)\n  b: vec ~= add(x, a)\n  return make_tuple(t, b)",  # somebody reads the negative itself
        "a: vec = mul(t, s)\n  b: vec = add(x, a)\n  return b",  # the program's own arithmetic
        "x_1 ~= iadd(x, 1.0)\n  a: vec ~= mul(t, s)\n  b: vec ~= add(x, a)\n  return b",  # the array is another one by then
    ],
)
def test_signs_that_stay(text):
    check_unchanged(move_signs, f"function f(x: vec, s: float):\n  t: vec ~= neg(x)\n  {text}", exp=np.exp)


def eliminate(a):
    a = a.copy()
    for k in range(len(a) - 1):
        for i in range(k + 1, len(a)):
            a[i, k + 1 :] -= a[i, k] / a[k, k] * a[k, k + 1 :]
    return np.sum(np.sin(a))


def deflate(a):
    """The same array is read before and after it changes."""
    a = a.copy()
    for k in range(2):
        v = a[:, k] / np.sqrt(np.sum(a[:, k] ** 2))
        a -= np.outer(v, v @ a)
        a[k] -= a[k] * a[0, 0]
    return np.sum(np.cos(a))


@pytest.mark.parametrize("function", [eliminate, deflate])
def test_gradients(function):
    a = np.random.default_rng(1).normal(size=(4, 4)) + 4 * np.eye(4)
    gradient, step = grad(function)(a), 1e-3
    for index in np.ndindex(a.shape):
        at = {}
        for steps in (-2, -1, 1, 2):
            moved = a.copy()
            moved[index] += steps * step
            at[steps] = function(moved)
        expected = (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)
        np.testing.assert_allclose(gradient[index], expected, rtol=1e-7, atol=1e-9)


def test_what_is_subtracted_in_place_has_an_adjoint_that_is_not_negated():
    assert "= -" not in grad(eliminate).source(np.eye(4))
