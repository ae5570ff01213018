"""Sums along axes in adjoint code: what cancels, what is the same all along an axis, what has one element set in each row."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import check_grads, grad
from s2sad.analysis import array_creation, array_reductions  # noqa: F401 - declare what NumPy's functions do
from s2sad.transform.add_scattered import add_scattered
from s2sad.transform.assign_first_contributions import assign_first_contributions
from s2sad.transform.compose_views import compose_views
from s2sad.transform.contract_products import contract_products
from s2sad.transform.drop_vanishing_sums import drop_vanishing_sums
from s2sad.transform.elide_copies import elide_copies
from s2sad.transform.eliminate_dead_code import eliminate_dead_code
from s2sad.transform.simplify_array_algebra import simplify_array_algebra
from tests.transform.before_after import check_pass, check_unchanged

RNG = np.random.default_rng(5)
W, X = RNG.normal(size=(4, 3)), RNG.normal(size=(6, 4))
LABELS = np.array([0, 2, 1, 2, 2, 0])


def check(transform, before, after):
    check_pass(lambda fn: eliminate_dead_code(transform(fn)), before, after)


# --- softmax, as it is written in several ways: the maximum has no influence, so it has no adjoint ------------------------------


def with_kept_axes(w, x, k):
    s = x @ w
    s = s - np.max(s, axis=1, keepdims=True)
    log_p = s - np.log(np.sum(np.exp(s), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(k)), k])


def with_new_axes(w, x, k):
    s = x @ w
    e = np.exp(s - s.max(axis=1)[:, None])
    p = e / e.sum(axis=1)[:, None]
    return -np.log(p[np.arange(len(x)), k]).sum()


def of_one_row(w, x, k):
    s = x[0] @ w
    s = s - np.max(s)
    return (s - np.log(np.sum(np.exp(s))))[k[1]]


def with_targets(w, x, k):
    s = x @ w
    s = s - np.max(s, axis=1, keepdims=True)
    y = np.zeros((len(k), w.shape[1]))
    y[np.arange(len(k)), k] = 1.0
    return -np.sum(y * (s - np.log(np.sum(np.exp(s), axis=1, keepdims=True))))


def along_the_other_axis(w, x, k):
    s = (x @ w).T
    s = s - np.max(s, axis=0, keepdims=True)
    log_p = s - np.log(np.sum(np.exp(s), axis=0, keepdims=True))
    return np.sum(log_p[k, np.arange(len(k))] * x[:, 0])


@pytest.mark.parametrize("f", [with_kept_axes, with_new_axes, of_one_row, with_targets, along_the_other_axis])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_maximum_in_a_softmax_has_no_adjoint(f, dtype) -> None:
    args = (W.astype(dtype), X.astype(dtype), LABELS)
    text = grad(f).source(*args)
    assert "is_extreme" not in text
    assert "np.add.at" not in text
    want = grad(f)(W, X, LABELS)
    got = grad(f)(*args)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    check_grads(f, (W, X, LABELS), argnums=(0, 1))


def test_softmax_regression_is_written_as_by_hand() -> None:
    code = [line.partition("#")[0] for line in grad(with_kept_axes).source(W, X, LABELS).splitlines()]
    assert not any("zeros_like" in line or "np.log" in line for line in code)
    assert sum(line.count("np.sum") for line in code) == 1


def test_of_a_tie_the_softmax_knows_nothing() -> None:
    s = np.array([[1.0, 1.0, 0.0]])
    got = grad(with_kept_axes)(s, np.eye(1), np.array([0]))
    p = np.exp(s) / np.sum(np.exp(s))
    np.testing.assert_allclose(got, p - np.array([[1.0, 0.0, 0.0]]), rtol=1e-14)


# --- where nothing cancels, everything stays -----------------------------------------------------------------------------------


def not_normalised(w, x, k):
    s = x @ w
    s = s - np.max(s, axis=1, keepdims=True)
    return np.sum(np.exp(s))


def normalised_along_another_axis(w, x, k):
    s = x @ w
    s = s - np.max(s, axis=1, keepdims=True)
    return np.sum((s - np.log(np.sum(np.exp(s), axis=0, keepdims=True))) ** 2)


def normalised_by_what_changes(w, x, k):
    e = np.exp(x @ w)
    n = np.sum(e, axis=1, keepdims=True)
    e[:, 0] = 1.0
    return np.sum((e / n) ** 2)


def rounded_on_purpose(w, x, k):
    big = 2.0**52
    s = 100.0 * (x @ w)
    whole = (s + big) - big
    return np.sum((s - whole) ** 2)


@pytest.mark.parametrize("f", [not_normalised, normalised_along_another_axis, normalised_by_what_changes])
def test_where_nothing_cancels_nothing_is_left_out(f) -> None:
    check_grads(f, (W, X, LABELS), argnums=(0, 1))


def test_rounding_on_purpose_is_not_taken_for_nothing() -> None:
    # s - whole is what is left of s, though it is zero for real numbers: the derivative is that of the program as it stands
    s = 100.0 * (X @ W)
    got = grad(rounded_on_purpose)(W, X, LABELS)
    np.testing.assert_allclose(got, X.T @ (0.0 * s), atol=1e-12)
    moved = s - np.round(s)
    assert np.max(np.abs(moved)) > 0.1


# --- indices that may name an element twice ------------------------------------------------------------------------------------


def rows_by_list(w, x, k):
    return np.sum(x[k, k] ** 2)


def rows_counted_against_a_column(w, x, k):
    return np.sum(x[np.arange(3), k[:, None] % 3] ** 2)


def rows_counted_that_change(w, x, k):
    rows = np.arange(len(k))
    rows[1] = 0
    k[:] = 1
    return np.sum(x[rows, k] ** 2)


def rows_counted_and_shifted(w, x, k):
    return np.sum(x[np.arange(len(k)) - 1, k] ** 2)


def rows_counted_alone(w, x, k):
    return np.sum(x[np.arange(len(x))] ** 3)


def rows_counted_and_a_number(w, x, k):
    return np.sum(x[np.arange(len(x)), 1] ** 3)


def rows_counted_and_a_slice(w, x, k):
    return np.sum(x[np.arange(len(x)), 1:] ** 3)


def rows_counted_by_a_number(w, x, k):
    n = 6
    return np.sum(x[np.arange(n), k] ** 3)


def rows_counted_and_a_mask(w, x, k):
    return np.sum(x[np.arange(2), np.array([True, False, True, False])] ** 2)


@pytest.mark.parametrize(
    "f",
    [
        rows_by_list,
        rows_counted_against_a_column,
        rows_counted_that_change,
        rows_counted_and_shifted,
        rows_counted_alone,
        rows_counted_and_a_number,
        rows_counted_and_a_slice,
        rows_counted_by_a_number,
        rows_counted_and_a_mask,
    ],
)
def test_repeated_indices_count_as_often_as_they_stand(f) -> None:
    check_grads(f, (W, X, LABELS), argnums=1)


@pytest.mark.parametrize(
    ("f", "adds"),
    [(rows_by_list, True), (rows_counted_that_change, True), (rows_counted_alone, False), (rows_counted_and_a_number, False)],
)
def test_counted_rows_are_assigned(f, adds) -> None:
    assert ("np.add.at" in grad(f, 1).source(W, X, LABELS)) is adds


def test_one_row_is_not_taken_for_many() -> None:
    # the one row that is counted is broadcast against all columns that are named
    def f(x, k):
        return np.sum(x[np.arange(1), k] ** 2)

    x = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(grad(f)(x, np.array([1, 1])), [[0.0, 8.0, 0.0]])


# --- the passes ----------------------------------------------------------------------------------------------------------------


def test_factors_that_are_the_same_along_an_axis_leave_the_sum() -> None:
    check(
        simplify_array_algebra,
        """
        function f(x: mat, y: mat, r: row):
          a: mat ~= mul(x, r)
          b: mat ~= mul(a, y)
          c: row ~= np.sum(b, axis=0, keepdims=True)
          return c
        """,
        """
        function f(x, y, r):
          t ~= mul(x, y)
          t_2 ~= sum(t, axis=0, keepdims=True)
          c ~= mul(r, t_2)
          return c
        """,
    )


def test_the_sum_of_what_was_scattered() -> None:
    check(
        add_scattered,
        """
        function f(e: vec, k: int):
          z: vec ~= np.zeros_like(e)
          t: none ~= setitem(z, k, 2.0)
          r: vec ~= sub(z, e)
          return r
        """,
        """
        function f(e, k):
          r ~= neg(e)
          t ~= getitem(r, k)
          t_2 ~= add(t, 2.0)
          t_3 ~= setitem(r, k, t_2)
          return r
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "t: none ~= setitem(z, k, 2.0)\n  r: vec ~= sub(z, e)\n  return make_tuple(r, z)",  # it is needed itself
        "t: none ~= setitem(z, k, 2.0)\n  u: none ~= setitem(z, 0, 1.0)\n  r: vec ~= sub(z, e)\n  return r",
        "t: none = setitem(z, k, 2.0)\n  r: vec ~= sub(z, e)\n  return r",  # the program's own store may raise
        "t: none ~= setitem(z, k, 2.0)\n  r: vec = sub(z, e)\n  return r",  # so must the primal's difference be exact
    ],
)
def test_what_was_scattered_stays_where_it_is_needed(text) -> None:
    check_unchanged(add_scattered, f"function f(e: vec, k: int):\n  z: vec ~= np.zeros_like(e)\n  {text}\n")


def test_what_was_scattered_stays_where_a_sum_spreads_it() -> None:
    """Its elements are at other places there."""
    check_unchanged(
        add_scattered,
        """
        function f(x: mat, e: vec, k: int):
          z: vec ~= np.zeros_like(e)
          t: none ~= setitem(z, k, 2.0)
          r: mat ~= add(x, z)
          return r
        """,
    )


def test_a_difference_of_equal_sums_is_not_added() -> None:
    check(
        drop_vanishing_sums,
        """
        function f(x: mat, y: mat):
          a: row ~= np.sum(x, axis=0, keepdims=True)
          b: row ~= np.sum(x, axis=0, keepdims=True)
          c: row ~= sub(a, b)
          d: mat ~= mul(c, y)
          r: mat ~= add(x, d)
          return r
        """,
        """
        function f(x, y):
          r ~= call_method(x, 'copy')
          return r
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "b: row ~= np.sum(x, axis=0, keepdims=True)\n  c: row = sub(a, b)\n  r: mat ~= add(x, c)",  # the primal's own
        "t = imul(x, 2.0)\n  b: row ~= np.sum(x, axis=0, keepdims=True)\n  c: row ~= sub(a, b)\n  r: mat ~= add(x, c)",
        "b: row ~= np.sum(y, axis=0, keepdims=True)\n  c: row ~= sub(a, b)\n  r: mat ~= add(x, c)",
    ],
)
def test_a_difference_of_other_sums_stays(text) -> None:
    start = "function f(x: mat, y: mat):\n  a: row ~= np.sum(x, axis=0, keepdims=True)\n  "
    check_unchanged(drop_vanishing_sums, f"{start}{text}\n  return r\n")


def test_an_axis_that_is_taken_away_and_put_back_stays() -> None:
    check(
        compose_views,
        """
        function f(x: row):
          a: vec ~= getitem(x, 0)
          r: row ~= np.expand_dims(a, 0)
          s: row ~= mul(r, r)
          return s
        """,
        """
        function f(x):
          s ~= mul(x, x)
          return s
        """,
    )


def test_an_axis_is_kept_or_not_as_it_is_needed() -> None:
    check(
        compose_views,
        """
        function f(x: mat):
          a: row ~= np.sum(x, axis=0, keepdims=True)
          r: vec ~= getitem(a, 0)
          return r
        """,
        """
        function f(x):
          r ~= sum(x, axis=0)
          return r
        """,
    )


# --- sums of products ----------------------------------------------------------------------------------------------------------


def test_products_are_summed_as_they_are_made() -> None:
    check(
        contract_products,
        """
        function f(x: mat, y: mat):
          p: mat ~= mul(x, y)
          s: row ~= np.sum(p, axis=0, keepdims=True)
          return s
        """,
        """
        function f(x, y):
          t ~= einsum('ij,ij->j', x, y)
          s ~= getitem(t, None)
          return s
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "p: mat ~= mul(x, y)\n  s: row ~= np.sum(p, axis=0, keepdims=True)\n  return make_tuple(p, s)",
        "p: mat ~= mul(x, y)\n  t = imul(x, 2.0)\n  s: row ~= np.sum(p, axis=0, keepdims=True)\n  return s",
        "p: mat = mul(x, y)\n  s: row ~= np.sum(p, axis=0, keepdims=True)\n  return s",
        "p: mat ~= mul(x, y)\n  s: row = np.sum(p, axis=0, keepdims=True)\n  return s",
        "p: mat ~= mul(x, 2.0)\n  s: row ~= np.sum(p, axis=0, keepdims=True)\n  return s",
        "p: mat ~= mul(x, y)\n  s: vec ~= np.sum(p, axis=0)\n  return s",  # Numba compiles it
    ],
)
def test_other_sums_stay(text) -> None:
    check_unchanged(contract_products, f"function f(x: mat, y: mat):\n  {text}\n")


def weighted(w, x, k):
    d = x[None, :, :] - x[:, None, :]
    return np.sum(np.sum(d * d, axis=2, keepdims=True) ** 1.5 * w[0, 0])


def of_three_axes(w, x, k):
    a = x[:, :, None] * w[None, :, :]
    return np.sum(np.sum(a * np.sin(a), axis=1) ** 3) + np.sum(np.mean(a, axis=0, keepdims=True) * a)


def of_one_axis(w, x, k):
    a = w[0] / (2.0 + np.sum(x[0] * x[1], keepdims=True) * x[0, :1])
    return np.sum(a * np.sum(w[0] * w[1], axis=0, keepdims=True) ** 3)


def normalised(w, x, k):
    a = x @ w
    a = (a - np.mean(a, axis=0, keepdims=True)) / np.sqrt(np.var(a, axis=0, keepdims=True) + 1e-3)
    return np.sum(a**3)


@pytest.mark.parametrize("f", [weighted, of_three_axes, of_one_axis, normalised])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_gradients_of_sums_of_products(f, dtype) -> None:
    args = (W.astype(dtype), X.astype(dtype), LABELS)
    got = grad(f, argnums=(0, 1))(*args)
    want = grad(f, argnums=(0, 1))(W, X, LABELS)
    for one, other in zip(got, want, strict=True):
        assert one.dtype == dtype
        np.testing.assert_allclose(one, other, rtol=2e-2, atol=2e-3 * np.max(np.abs(other)))
    check_grads(f, (W, X, LABELS), argnums=(0, 1))
    direction = RNG.normal(size=W.shape)
    check_grads(lambda w: np.sum(grad(f)(w, X, LABELS) * direction), (W,))


# --- first contributions, copies, views -----------------------------------------------------------------------------------------


def test_a_number_that_is_added_to_zeros_fills_them() -> None:
    check(
        assign_first_contributions,
        """
        function f(x: vec):
          b: vec ~= np.zeros_like(x)
          t: vec ~= iadd(b, 2.0)
          u: none ~= setitem(b, 0, 1.0)
          return b
        """,
        """
        function f(x):
          b ~= full_like(x, 2.0)
          u ~= setitem(b, 0, 1.0)
          return b
        """,
    )


def test_what_is_stored_at_once_need_not_be_copied() -> None:
    check(
        elide_copies,
        """
        function f(x: vec, y: vec2):
          b: vec ~= np.zeros_like(x)
          c: vec2 ~= call_method(y, 'copy')
          u: none ~= setitem(b, ..., c)
          return b
        """,
        """
        function f(x, y):
          b ~= zeros_like(x)
          u ~= setitem(b, Ellipsis, y)
          return b
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "c: vec ~= call_method(x, 'copy')\n  u: none ~= setitem(x, slice(1, -1), c)\n  return x",  # into itself
        "c: vec2 ~= call_method(y, 'copy')\n  t = imul(y, 2.0)\n  u: none ~= setitem(x, 0, c)\n  return x",
        "c: vec2 ~= call_method(y, 'copy')\n  u: none ~= setitem(x, 0, c)\n  return make_tuple(x, c)",
    ],
)
def test_copies_that_are_needed_stay(text) -> None:
    check_unchanged(elide_copies, f"function f(x: vec, y: vec2):\n  {text}\n")


def test_views_of_all_and_axes_in_front() -> None:
    check(
        compose_views,
        """
        function f(x: mat, y: vec):
          a: mat ~= getitem(x, slice(None, None))
          b: row ~= getitem(y, None)
          c: mat ~= mul(a, b)
          return c
        """,
        """
        function f(x, y):
          c ~= mul(x, y)
          return c
        """,
    )
